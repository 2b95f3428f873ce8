//! Ids in paths, and the query of a list.

use crate::problem::Problem;
use axum::extract::{FromRequestParts, Path, Query};
use axum::http::request::Parts;
use projections::Page;
use serde::de::DeserializeOwned;
use std::str::FromStr;

/// Rows of a list when the caller names no number, and at most.
const ROWS: u32 = 50;
const ROWS_MAX: u32 = 200;

/// An id of a path. What is no id names nothing, so it is not found.
pub(super) fn id<T: FromStr>(text: &str) -> Result<T, Problem> {
    text.parse().map_err(|_| Problem::not_found())
}

/// What stands in a path. What is no text names nothing, so it is not found.
pub(super) struct StrictPath<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for StrictPath<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let path = Path::<T>::from_request_parts(parts, state).await;
        path.map(|Path(path)| Self(path)).map_err(|_| Problem::not_found())
    }
}

/// A typed query. The type refuses unknown parameters.
pub(super) struct StrictQuery<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for StrictQuery<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let query = Query::<T>::from_request_parts(parts, state).await;
        query
            .map(|Query(query)| Self(query))
            .map_err(|error| Problem::malformed(format!("the query is not what this route takes: {error}")))
    }
}

/// Where a list goes on, and how long a part of it is.
pub(super) fn page(cursor: Option<&str>, limit: Option<u32>) -> Result<Page, Problem> {
    let before = match cursor {
        None => u64::MAX,
        Some(cursor) => cursor.parse().map_err(|_| Problem::malformed("`cursor` must be a `next_cursor` of this list"))?,
    };
    let limit = limit.unwrap_or(ROWS);
    if !(1..=ROWS_MAX).contains(&limit) {
        return Err(Problem::malformed("`limit` must be 1 to 200"));
    }
    Ok(Page { before, limit })
}
