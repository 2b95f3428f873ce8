//! HTTPS in front of a plain HTTP server, with a record of what was asked for.

use api::lesson_site::TlsListener;
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::{CONNECTION, CONTENT_LENGTH, HeaderName, TRANSFER_ENCODING};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::task::JoinHandle;

/// Bytes of a request body: a reading app's forms are far smaller.
const BODY_BYTES_MAX: usize = 1024 * 1024;
/// Headers that belong to one connection (RFC 9110, section 7.6.1), and the length, told anew.
const OF_ONE_CONNECTION: [HeaderName; 3] = [CONNECTION, TRANSFER_ENCODING, CONTENT_LENGTH];

/// A running proxy. It ends when dropped.
#[derive(Debug)]
pub(super) struct Proxy {
    address: SocketAddr,
    record: Arc<Mutex<Vec<String>>>,
    serving: JoinHandle<()>,
}

#[derive(Clone)]
struct Forward {
    inner: String,
    client: reqwest::Client,
    record: Arc<Mutex<Vec<String>>>,
}

impl Proxy {
    pub(super) async fn start(inner: String) -> Result<Self, String> {
        let listener = TlsListener::bind(0).await.map_err(|error| error.to_string())?;
        let address = listener.address();
        let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).no_proxy().build();
        let client = client.map_err(|error| error.to_string())?;
        let record = Arc::new(Mutex::new(Vec::new()));
        let router = Router::new().fallback(forward).with_state(Forward { inner, client, record: Arc::clone(&record) });
        let serving = tokio::spawn(async move {
            // Ends only with this task.
            let _ = axum::serve(listener, router).await;
        });
        Ok(Self { address, record, serving })
    }

    pub(super) fn origin(&self) -> String {
        format!("https://{}", self.address)
    }

    pub(super) fn requests(&self) -> Vec<String> {
        self.record.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn forward(State(to): State<Forward>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    to.record.lock().unwrap_or_else(PoisonError::into_inner).push(format!("{} {}", head.method, head.uri.path()));
    let Ok(body) = to_bytes(body, BODY_BYTES_MAX).await else { return StatusCode::PAYLOAD_TOO_LARGE.into_response() };
    let path = head.uri.path_and_query().map_or("/", |path| path.as_str());
    let asked = to.client.request(head.method, format!("{}{path}", to.inner)).headers(end_to_end(head.headers)).body(body);
    match asked.send().await {
        Ok(answer) => {
            let (status, headers) = (answer.status(), end_to_end(answer.headers().clone()));
            match answer.bytes().await {
                Ok(body) => (status, headers, Body::from(body)).into_response(),
                Err(_) => StatusCode::BAD_GATEWAY.into_response(),
            }
        }
        Err(_) => StatusCode::BAD_GATEWAY.into_response(),
    }
}

fn end_to_end(mut headers: HeaderMap) -> HeaderMap {
    for name in &OF_ONE_CONNECTION {
        headers.remove(name);
    }
    headers
}
