//! The public API as the demo's roles use it.

use super::DemoError;
use reqwest::Method;
use serde_json::Value;
use std::time::Duration;

/// Longest wait for one answer: a card may wait for a person.
const WAIT_SECS_MAX: u64 = 100;

/// A client with one token.
pub(super) struct Client {
    http: reqwest::Client,
    base: String,
    token: String,
}

impl Client {
    pub(super) fn new(base: &str, token: &str) -> Result<Self, DemoError> {
        let http = reqwest::Client::builder().no_proxy().timeout(Duration::from_secs(WAIT_SECS_MAX)).build();
        let http = http.map_err(|error| DemoError::Start(error.to_string()))?;
        Ok(Self { http, base: base.to_owned(), token: token.to_owned() })
    }

    pub(super) async fn get(&self, path: &str) -> Result<Value, DemoError> {
        self.send(Method::GET, path, None).await
    }

    pub(super) async fn post(&self, path: &str, body: &Value) -> Result<Value, DemoError> {
        self.send(Method::POST, path, Some(body)).await
    }

    async fn send(&self, method: Method, path: &str, body: Option<&Value>) -> Result<Value, DemoError> {
        let mut request = self.http.request(method.clone(), format!("{}{path}", self.base)).bearer_auth(&self.token);
        if let Some(body) = body {
            request = request.json(body);
        }
        let failed = |error: reqwest::Error| DemoError::Request(format!("{method} {path}: {error}"));
        let response = request.send().await.map_err(failed)?;
        let status = response.status();
        let answer: Value = response.json().await.map_err(failed)?;
        if status.is_success() { Ok(answer) } else { Err(DemoError::Request(format!("{method} {path}: {status}: {answer}"))) }
    }
}

/// A text field of an answer.
pub(super) fn text<'a>(answer: &'a Value, field: &str) -> Result<&'a str, DemoError> {
    answer.get(field).and_then(Value::as_str).ok_or_else(|| DemoError::Request(format!("an answer has no `{field}`")))
}

/// A list of an answer.
pub(super) fn items<'a>(answer: &'a Value, field: &str) -> impl Iterator<Item = &'a Value> {
    answer.get(field).and_then(Value::as_array).into_iter().flatten()
}
