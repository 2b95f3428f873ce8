//! Reading a JSON body: bounded, in time, only after authentication, and of exactly one shape.

use crate::problem::Problem;
use axum::body::to_bytes;
use axum::extract::{FromRequest, Request};
use axum::http::{StatusCode, header};
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeOwned, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::fmt;
use std::marker::PhantomData;
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
        let told =
            request.headers().get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()).and_then(|text| text.parse::<usize>().ok());
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
        serde_json::from_slice(&bytes)
            .map(|Object(body)| Self(body))
            .map_err(|_| Problem::malformed("the body is not of the shape that this route takes"))
    }
}

/// A JSON object. Shapes made by serde also take their members' values as a list, without a name to
/// any of them, and what has no name cannot be checked against the shape that the route tells.
struct Object<T>(T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        object(deserializer).map(Self)
    }
}

/// Reads a member that is an object, and nothing else.
///
/// # Errors
/// When it is something else, or not of the shape.
pub(super) fn object<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    deserializer.deserialize_map(Members(PhantomData))
}

/// Reads a member that is an object or `null`.
///
/// # Errors
/// As [`object`].
pub(super) fn object_or_null<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    Option::<Object<T>>::deserialize(deserializer).map(|found| found.map(|Object(found)| found))
}

/// As [`object`], for a member that is there or left out. A `null` is neither: it would turn a
/// granted act into one that counts as approved by itself.
///
/// # Errors
/// As [`object`].
pub(super) fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    object(deserializer).map(Some)
}

struct Members<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Members<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<T, A::Error> {
        T::deserialize(MapAccessDeserializer::new(members))
    }
}

fn too_large() -> Problem {
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "tool.browser.too_large", "the body is larger than 64 KiB")
}
