//! A small client of the public HTTP API.
#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use reqwest::{Method, RequestBuilder, StatusCode};
use serde_json::Value;
use std::net::SocketAddr;
use std::time::Duration;

/// A client with one token.
#[derive(Clone, Debug)]
pub struct Client {
    http: reqwest::Client,
    address: SocketAddr,
    token: String,
}

/// One answer.
#[derive(Clone, Debug)]
pub struct Replied {
    /// The status.
    pub status: u16,
    /// The headers.
    pub headers: reqwest::header::HeaderMap,
    /// The body as it came.
    pub text: String,
    /// The body as JSON; null when it is none.
    pub body: Value,
}

impl Client {
    /// A client of the control plane at `address`.
    #[must_use]
    pub fn new(address: SocketAddr, token: &str) -> Self {
        let http = reqwest::Client::builder().no_proxy().timeout(Duration::from_secs(90)).build().expect("a client");
        Self { http, address, token: token.to_owned() }
    }

    /// The same token at another address.
    pub fn move_to(&mut self, address: SocketAddr) {
        self.address = address;
    }

    /// The same token at another address.
    #[must_use]
    pub fn at(&self, address: SocketAddr) -> Self {
        Self { address, ..self.clone() }
    }

    /// Where it asks.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// The secret.
    #[must_use]
    pub fn token(&self) -> &str {
        &self.token
    }

    /// A request with the token, to be completed.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.http.request(method, format!("http://{}{path}", self.address)).bearer_auth(&self.token)
    }

    /// `GET`.
    pub async fn get(&self, path: &str) -> Replied {
        send(self.request(Method::GET, path)).await
    }

    /// `POST` with a JSON body.
    pub async fn post(&self, path: &str, body: Value) -> Replied {
        send(self.request(Method::POST, path).json(&body)).await
    }

    /// `POST` with an idempotency key.
    pub async fn post_as(&self, key: &str, path: &str, body: Value) -> Replied {
        send(self.request(Method::POST, path).header("Idempotency-Key", key).json(&body)).await
    }

    /// `POST` without a body.
    pub async fn order(&self, path: &str) -> Replied {
        send(self.request(Method::POST, path)).await
    }

    /// `DELETE`.
    pub async fn delete(&self, path: &str) -> Replied {
        send(self.request(Method::DELETE, path)).await
    }

    /// Every row of a list, read page by page.
    ///
    /// # Panics
    /// When a page is refused.
    pub async fn all(&self, path: &str) -> Vec<Value> {
        let (mut items, mut cursor) = (Vec::new(), None::<String>);
        loop {
            let join = if path.contains('?') { '&' } else { '?' };
            let page = match &cursor {
                None => self.get(path).await,
                Some(cursor) => self.get(&format!("{path}{join}cursor={cursor}")).await,
            };
            let page = page.expect(StatusCode::OK);
            items.extend(page.get("items").and_then(Value::as_array).expect("items").iter().cloned());
            match page.get("next_cursor").and_then(Value::as_str) {
                Some(next) => cursor = Some(next.to_owned()),
                None => return items,
            }
        }
    }
}

/// Sends a request.
///
/// # Panics
/// When no answer comes.
pub async fn send(request: RequestBuilder) -> Replied {
    let response = request.send().await.expect("an answer");
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let text = response.text().await.expect("a body");
    let body = serde_json::from_str(&text).unwrap_or(Value::Null);
    Replied { status, headers, text, body }
}

impl Replied {
    /// The body, when the status is the one expected.
    ///
    /// # Panics
    /// When it is another.
    #[track_caller]
    pub fn expect(self, status: StatusCode) -> Value {
        assert_eq!(self.status, status.as_u16(), "{}", self.text);
        self.body
    }

    /// Checks that it is a problem document with this status and code.
    ///
    /// # Panics
    /// When it is something else.
    #[track_caller]
    pub fn is_problem(&self, status: u16, code: &str) {
        let kind = self.headers.get("content-type").and_then(|kind| kind.to_str().ok());
        let said = self.body.get("code").and_then(Value::as_str);
        let told = self.body.get("status").and_then(Value::as_u64);
        let wanted = (status, Some(code), Some("application/problem+json"), Some(u64::from(status)));
        assert_eq!((self.status, said, kind, told), wanted, "{}", self.text);
    }
}
