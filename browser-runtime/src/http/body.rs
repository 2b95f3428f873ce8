//! Reading a JSON body: bounded, in time, and only after authentication.

use crate::problem::Problem;
use axum::body::to_bytes;
use axum::extract::{FromRequest, Request};
use axum::http::{StatusCode, header};
use serde::de::DeserializeOwned;
use std::time::Duration;

/// Bytes of a request body (RUN-1).
pub const BODY_BYTES_MAX: usize = 64 * 1024;
/// Longest time that a body may take to arrive.
const BODY_SECS_MAX: u64 = 10;

/// A body of exactly the shape `T`. Shapes refuse unknown fields, and serde refuses repeated ones.
#[derive(Debug)]
pub struct JsonBody<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for JsonBody<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<Self, Problem> {
        let told = request.headers().get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()).and_then(|text| text.parse::<usize>().ok());
        if told.is_some_and(|bytes| bytes > BODY_BYTES_MAX) {
            return Err(too_large());
        }
        let kind = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        if kind.split(';').next().is_none_or(|kind| !kind.trim().eq_ignore_ascii_case("application/json")) {
            return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "tool.browser.not_json", "the body must be application/json"));
        }
        let reading = to_bytes(request.into_body(), BODY_BYTES_MAX);
        let Ok(read) = tokio::time::timeout(Duration::from_secs(BODY_SECS_MAX), reading).await else {
            return Err(Problem::new(StatusCode::REQUEST_TIMEOUT, "tool.browser.body_too_slow", "the body did not arrive in time"));
        };
        // A body whose length was told has been checked; one that cannot be read whole is too long.
        let bytes = read.map_err(|_| if told.is_some() { Problem::malformed("the body ended early") } else { too_large() })?;
        serde_json::from_slice(&bytes).map(Self).map_err(|_| Problem::malformed("the body is not of the shape that this route takes"))
    }
}

fn too_large() -> Problem {
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "tool.browser.too_large", "the body is larger than 64 KiB")
}
