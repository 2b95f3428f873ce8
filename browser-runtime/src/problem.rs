//! Problem documents (RFC 9457): how a request that was not taken is answered.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// One problem. `code` is stable; `detail` is in our own words and never quotes what came in.
#[derive(Clone, Debug, Serialize)]
pub struct Problem {
    #[serde(rename = "type")]
    kind: &'static str,
    title: &'static str,
    status: u16,
    code: &'static str,
    detail: &'static str,
    /// The lease's sequence, where that is what was wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    sequence: Option<u64>,
}

impl Problem {
    /// A problem with a status, a stable code and an explanation.
    #[must_use]
    pub fn new(status: StatusCode, code: &'static str, detail: &'static str) -> Self {
        let title = status.canonical_reason().unwrap_or("Problem");
        Self { kind: "about:blank", title, status: status.as_u16(), code, detail, sequence: None }
    }

    /// 400: the body is not what the route takes.
    #[must_use]
    pub fn malformed(detail: &'static str) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "tool.browser.malformed", detail)
    }

    /// Adds the lease's sequence.
    #[must_use]
    pub const fn at_sequence(mut self, sequence: u64) -> Self {
        self.sequence = Some(sequence);
        self
    }

    /// The stable code.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        self.code
    }

    /// The HTTP status.
    #[must_use]
    pub const fn status(&self) -> u16 {
        self.status
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let body = serde_json::to_vec(&self).unwrap_or_default();
        let kind = HeaderValue::from_static("application/problem+json");
        (status, [(header::CONTENT_TYPE, kind)], body).into_response()
    }
}
