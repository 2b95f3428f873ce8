//! The log, read by an auditor.

use super::query::StrictQuery;
use super::{Answer, Caller, event_json};
use crate::app::App;
use crate::problem::Problem;
use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json};
use serde::Deserialize;
use serde_json::{Value, json};

/// Events of one answer when the caller names no number, and at most.
const EVENTS: u32 = 100;
const EVENTS_MAX: u32 = 1_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EventsQuery {
    #[serde(default)]
    after: Option<u64>,
    #[serde(default)]
    cursor: Option<u64>,
    #[serde(default)]
    limit: Option<u32>,
}

/// Events after a position, oldest first. The log has no gaps (EVT-2), so the cursor is the last
/// position.
pub(super) async fn events(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    StrictQuery(query): StrictQuery<EventsQuery>,
) -> Answer {
    let limit = query.limit.unwrap_or(EVENTS);
    if !(1..=EVENTS_MAX).contains(&limit) {
        return Err(Problem::malformed("`limit` must be 1 to 1,000"));
    }
    if query.after.is_some() && query.cursor.is_some() {
        return Err(Problem::malformed("send `after` or `cursor`, not both"));
    }
    let after = query.after.or(query.cursor).unwrap_or_default();
    let events = app.log.read(&caller.tenant, after, limit).await?;
    let full = u32::try_from(events.len()).is_ok_and(|length| length >= limit);
    let next = events.last().filter(|_| full).map(|event| event.position.to_string());
    let items: Vec<Value> = events.iter().map(event_json::recorded).collect();
    Ok((StatusCode::OK, Json(json!({"items": items, "next_cursor": next}))))
}
