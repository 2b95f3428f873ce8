//! The bundled lesson site over local HTTPS, for the demo and for tests: static files from
//! `tests/lesson-site`, a certificate made at start, and a record of what was asked for.
//!
//! It listens on 127.0.0.1 only. The certificate is self-signed, so only a browser that accepts such
//! certificates from loopback hosts opens it (the development switch, requirement SCP-6).

mod files;
mod tls;

#[cfg(test)]
mod tests;

pub use tls::TlsListener;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::{ALLOW, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, LOCATION, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use files::{Answer, answer};
use rustls::pki_types::CertificateDer;
use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use thiserror::Error;
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// Requests that the record keeps; older ones fall out. A lesson makes about fifty.
pub const REQUESTS_KEPT_MAX: usize = 4_096;

/// Everything comes from the site itself and nothing is inline, so a page cannot be talked into
/// running what it does not ship.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Why the site does not start.
#[derive(Debug, Error)]
pub enum LessonSiteError {
    /// The port cannot be listened on.
    #[error("the lesson site cannot listen on 127.0.0.1:{port}: {cause}; choose another port, or 0 for a free one")]
    Listen {
        /// The port asked for.
        port: u16,
        /// What the system said.
        cause: std::io::Error,
    },
    /// No certificate could be made.
    #[error("the lesson site's certificate cannot be made: {0}")]
    Certificate(#[from] rcgen::Error),
    /// The certificate was made, but TLS refuses it.
    #[error("the lesson site's TLS settings are refused: {0}")]
    Tls(#[from] rustls::Error),
}

type Record = Arc<Mutex<VecDeque<String>>>;

/// A running site. It ends when dropped.
#[derive(Debug)]
pub struct LessonSite {
    address: SocketAddr,
    certificate: CertificateDer<'static>,
    record: Record,
    stop: watch::Sender<bool>,
    serving: JoinHandle<()>,
}

impl LessonSite {
    /// Starts the site on 127.0.0.1; port 0 takes a free one.
    ///
    /// # Errors
    /// As told by [`LessonSiteError`].
    pub async fn start(port: u16) -> Result<Self, LessonSiteError> {
        let listener = TlsListener::bind(port).await?;
        let (address, certificate) = (listener.address(), listener.certificate().clone());
        let record = Record::default();
        let router = Router::new().fallback(serve).with_state(Arc::clone(&record));
        let (stop, mut stopped) = watch::channel(false);
        let stopping = async move {
            // A dropped sender stops the site too.
            let _ = stopped.wait_for(|stopped| *stopped).await;
        };
        let serving = tokio::spawn(async move {
            if let Err(error) = axum::serve(listener, router).with_graceful_shutdown(stopping).await {
                tracing::warn!(%error, "the lesson site ended");
            }
        });
        Ok(Self { address, certificate, record, stop, serving })
    }

    /// `https://127.0.0.1:PORT`, without a trailing slash.
    #[must_use]
    pub fn origin(&self) -> String {
        format!("https://{}", self.address)
    }

    /// The self-signed certificate, for a client that trusts this site alone.
    #[must_use]
    pub const fn certificate(&self) -> &CertificateDer<'static> {
        &self.certificate
    }

    /// Method and path of the newest requests, oldest first, [`REQUESTS_KEPT_MAX`] at most:
    /// `GET /lesson`. Queries are not kept.
    #[must_use]
    pub fn requests(&self) -> Vec<String> {
        self.record.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    /// Stops listening, lets running answers end and waits for that.
    pub async fn stop(self) {
        let _ = self.stop.send(true);
        let _ = self.serving.await;
    }
}

async fn serve(State(record): State<Record>, request: Request) -> Response {
    let path = request.uri().path();
    note(&record, format!("{} {path}", request.method()));
    if request.method() != Method::GET && request.method() != Method::HEAD {
        return dressed((StatusCode::METHOD_NOT_ALLOWED, [(ALLOW, "GET, HEAD")], "only GET and HEAD\n").into_response());
    }
    // For HEAD the server leaves the body out and keeps its length.
    dressed(match answer(path) {
        Answer::File { media_type, bytes } => ([(CONTENT_TYPE, media_type)], bytes).into_response(),
        Answer::Moved(to) => (StatusCode::FOUND, [(LOCATION, to)]).into_response(),
        Answer::Noted => StatusCode::NO_CONTENT.into_response(),
        Answer::Unknown => (StatusCode::NOT_FOUND, "no such page\n").into_response(),
    })
}

fn note(record: &Record, line: String) {
    let mut lines = record.lock().unwrap_or_else(PoisonError::into_inner);
    if lines.len() == REQUESTS_KEPT_MAX {
        lines.pop_front();
    }
    lines.push_back(line);
}

fn dressed(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
