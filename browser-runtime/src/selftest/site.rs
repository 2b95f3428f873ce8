//! A tiny HTTPS site on loopback that remembers what was asked of it: the far side of the fence, as
//! seen from a server. For the self-test and for tests; it answers `GET` and `POST` alike.

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use rcgen::PublicKeyData;
use rustls::ServerConfig;
use rustls::pki_types::PrivateKeyDer;
use sha2::{Digest, Sha256};
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;

/// Bytes of a request head; a browser's is far smaller.
const HEAD_BYTES_MAX: usize = 16_384;
/// Longest that one connection may take.
const CONNECTION_SECS_MAX: u64 = 10;

/// What one path answers.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The status line without the version: `200 OK`.
    pub status: &'static str,
    /// Header lines, each ending in CRLF.
    pub headers: String,
    /// The body.
    pub body: String,
}

impl Reply {
    /// An HTML page.
    #[must_use]
    pub fn html(body: impl Into<String>) -> Self {
        Self { status: "200 OK", headers: "Content-Type: text/html; charset=utf-8\r\n".to_owned(), body: body.into() }
    }

    /// A script.
    #[must_use]
    pub fn script(body: impl Into<String>) -> Self {
        Self { status: "200 OK", headers: "Content-Type: text/javascript\r\n".to_owned(), body: body.into() }
    }

    /// A redirect to `location`.
    #[must_use]
    pub fn redirect(location: &str) -> Self {
        Self { status: "302 Found", headers: format!("Location: {location}\r\n"), body: String::new() }
    }

    fn not_found() -> Self {
        Self { status: "404 Not Found", headers: String::new(), body: String::new() }
    }
}

/// The answer to a path with its query; `None` is 404.
pub type Answers = Arc<dyn Fn(&str) -> Option<Reply> + Send + Sync>;

/// The site. Dropping it stops it.
#[derive(Debug)]
pub struct Site {
    port: u16,
    key_digest: String,
    seen: Arc<watch::Sender<Vec<String>>>,
    task: JoinHandle<()>,
}

impl Site {
    /// Starts it on a free port of 127.0.0.1 with a certificate made now.
    ///
    /// # Errors
    /// When no port, key or certificate can be had.
    pub async fn start(answers: Answers) -> io::Result<Self> {
        let (config, key_digest) = tls()?;
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let port = listener.local_addr()?.port();
        let seen = Arc::new(watch::Sender::new(Vec::new()));
        let task = tokio::spawn(accept(listener, acceptor, answers, seen.clone()));
        Ok(Self { port, key_digest, seen, task })
    }

    /// `https://127.0.0.1:<port>`.
    #[must_use]
    pub fn origin(&self) -> String {
        format!("https://127.0.0.1:{}", self.port)
    }

    /// The digest of its public key, as Chromium's list of trusted keys takes it (RFC 7469, "pin").
    #[must_use]
    pub fn key_digest(&self) -> &str {
        &self.key_digest
    }

    /// Paths asked for so far, in order.
    #[must_use]
    pub fn seen(&self) -> Vec<String> {
        self.seen.borrow().clone()
    }

    /// How often a path that starts like this was asked for.
    #[must_use]
    pub fn count(&self, path: &str) -> usize {
        self.seen.borrow().iter().filter(|seen| seen.starts_with(path)).count()
    }

    /// Waits until a path that starts like this was asked for; `false` when it was not in time.
    pub async fn was_asked(&self, path: &str, limit: Duration) -> bool {
        let mut seen = self.seen.subscribe();
        let asked = seen.wait_for(|paths| paths.iter().any(|seen| seen.starts_with(path)));
        matches!(tokio::time::timeout(limit, asked).await, Ok(Ok(_)))
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// A server configuration with a new key, and that key's digest.
fn tls() -> io::Result<(ServerConfig, String)> {
    let names = vec!["127.0.0.1".to_owned(), "localhost".to_owned()];
    let made = rcgen::generate_simple_self_signed(names).map_err(io::Error::other)?;
    let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).map_err(io::Error::other)?;
    let digest = BASE64.encode(Sha256::digest(made.signing_key.subject_public_key_info()));
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(io::Error::other)?
        .with_no_client_auth()
        .with_single_cert(vec![made.cert.der().clone()], key)
        .map_err(io::Error::other)?;
    Ok((config, digest))
}

async fn accept(listener: TcpListener, acceptor: TlsAcceptor, answers: Answers, seen: Arc<watch::Sender<Vec<String>>>) {
    while let Ok((stream, _)) = listener.accept().await {
        let (acceptor, answers, seen) = (acceptor.clone(), answers.clone(), seen.clone());
        tokio::spawn(async move {
            let served = serve(stream, acceptor, answers, seen);
            // A browser opens connections that it never uses; they end here.
            drop(tokio::time::timeout(Duration::from_secs(CONNECTION_SECS_MAX), served).await);
        });
    }
}

async fn serve(stream: TcpStream, acceptor: TlsAcceptor, answers: Answers, seen: Arc<watch::Sender<Vec<String>>>) -> io::Result<()> {
    let mut stream = acceptor.accept(stream).await?;
    let mut head = Vec::new();
    let mut part = [0_u8; 4_096];
    while !head.windows(4).any(|four| four == b"\r\n\r\n") {
        let count = stream.read(&mut part).await?;
        if count == 0 || head.len() > HEAD_BYTES_MAX {
            return Ok(());
        }
        head.extend_from_slice(part.get(..count).unwrap_or_default());
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let path = head.split(' ').nth(1).unwrap_or("/").to_owned();
    let reply = answers(&path).unwrap_or_else(Reply::not_found);
    seen.send_modify(|paths| paths.push(path));
    let Reply { status, headers, body } = reply;
    let answer = format!("HTTP/1.1 {status}\r\n{headers}Content-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len());
    stream.write_all(answer.as_bytes()).await?;
    stream.shutdown().await
}
