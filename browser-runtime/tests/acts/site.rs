//! A local HTTPS site that serves the pages under `tests/data/pages` at `/lesson/<name>`, and records
//! every request.

use rustls::ServerConfig;
use rustls::pki_types::PrivateKeyDer;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;

const PAGES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/pages");
/// Longer requests than this are none of ours.
const REQUEST_BYTES_MAX: usize = 16_384;

pub(crate) struct Site {
    port: u16,
    requests: Arc<Mutex<Vec<String>>>,
    shown: Arc<Mutex<String>>,
    serving: JoinHandle<()>,
}

impl Site {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let acceptor = acceptor();
        let record = Arc::clone(&requests);
        let shown = Arc::new(Mutex::new(String::new()));
        let case = Arc::clone(&shown);
        let serving = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (acceptor, record, case) = (acceptor.clone(), Arc::clone(&record), Arc::clone(&case));
                tokio::spawn(async move {
                    let Ok(mut stream) = acceptor.accept(stream).await else { return };
                    let Some(path) = requested_path(&mut stream).await else { return };
                    record.lock().unwrap_or_else(PoisonError::into_inner).push(path.clone());
                    let case = case.lock().unwrap_or_else(PoisonError::into_inner).clone();
                    let answer = answer(&path, &case);
                    drop(stream.write_all(&answer).await);
                    drop(stream.shutdown().await);
                });
            }
        });
        Self { port, requests, shown, serving }
    }

    pub(crate) fn origin(&self) -> String {
        format!("https://127.0.0.1:{}", self.port)
    }

    /// What `/lesson/case` shows from now on.
    pub(crate) fn show(&self, html: &str) {
        html.clone_into(&mut self.shown.lock().unwrap_or_else(PoisonError::into_inner));
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Paths requested since the newest case was shown.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

fn acceptor() -> TlsAcceptor {
    let made = rcgen::generate_simple_self_signed(vec!["127.0.0.1".to_owned()]).unwrap();
    let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![made.cert.der().clone()], key)
        .unwrap();
    TlsAcceptor::from(Arc::new(config))
}

async fn requested_path(stream: &mut (impl AsyncReadExt + Unpin)) -> Option<String> {
    let mut head = Vec::new();
    let mut chunk = [0_u8; 4_096];
    while !head.windows(4).any(|end| end == b"\r\n\r\n") {
        let read = stream.read(&mut chunk).await.ok()?;
        if read == 0 || head.len() > REQUEST_BYTES_MAX {
            return None;
        }
        head.extend_from_slice(&chunk[..read]);
    }
    let text = String::from_utf8_lossy(&head).into_owned();
    text.split_whitespace().nth(1).map(str::to_owned)
}

fn answer(path: &str, case: &str) -> Vec<u8> {
    let name = path.split(['?', '#']).next().and_then(|path| path.strip_prefix("/lesson/")).unwrap_or_default();
    let plain = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    let file = Path::new(PAGES).join(format!("{name}.html"));
    let body = match std::fs::read(file) {
        _ if name == "case" => case.as_bytes().to_vec(),
        Ok(page) if plain => page,
        _ => b"<!doctype html><title>Elsewhere</title><p>Elsewhere</p>".to_vec(),
    };
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nCache-Control: no-store\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    [head.into_bytes(), body].concat()
}
