//! Request bodies: JSON of exactly the fields that a route knows.

use super::unique_keys::UniqueKeys;
use crate::problem::Problem;
use axum::extract::{FromRequest, Request};
use axum::http::{StatusCode, header};
use serde::de::DeserializeOwned;

/// A typed JSON body. The type refuses unknown fields.
pub(super) struct JsonBody<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for JsonBody<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let is_json = kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"));
        if !is_json {
            return Err(Problem::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "body_not_json",
                "send the body as `Content-Type: application/json`",
            ));
        }
        let bytes =
            axum::body::Bytes::from_request(request, state).await.map_err(|_| Problem::malformed("the request body cannot be read"))?;
        // A list of values in a fixed order is not what any route documents.
        if bytes.iter().find(|byte| !byte.is_ascii_whitespace()) != Some(&b'{') {
            return Err(Problem::malformed("the request body must be a JSON object"));
        }
        let read = serde_json::from_slice::<UniqueKeys>(&bytes).and_then(|_| serde_json::from_slice(&bytes));
        read.map(Self).map_err(|error| Problem::malformed(format!("the request body is not what this route takes: {error}")))
    }
}
