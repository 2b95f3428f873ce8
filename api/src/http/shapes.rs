//! The JSON shapes of resources: built from read models at this edge and nowhere else.

use domain::time::Timestamp;
use jiff::Timestamp as Instant;
use projections::{ApprovalRow, GrantRow, Page, ProfileRow, RunRow, SessionRow, ToolCallRow};
use serde_json::{Value, json};

/// RFC 3339 in UTC with microseconds.
pub(crate) fn instant(at: Timestamp) -> String {
    let instant = Instant::from_microsecond(at.as_micros()).unwrap_or(Instant::UNIX_EPOCH);
    format!("{instant:.6}")
}

/// A list with where it goes on.
pub(crate) fn list<T>(rows: &[T], page: Page, position: impl Fn(&T) -> u64, shape: impl Fn(&T) -> Value) -> Value {
    let full = u32::try_from(rows.len()).is_ok_and(|length| length >= page.limit);
    let next = rows.last().filter(|_| full).map(|row| position(row).to_string());
    json!({"items": rows.iter().map(shape).collect::<Vec<_>>(), "next_cursor": next})
}

/// A session.
pub(crate) fn session(row: &SessionRow) -> Value {
    json!({
        "id": row.session,
        "surface": row.surface,
        "profile_id": row.profile,
        "schedule_id": row.schedule,
        "allowed_origins": row.allowed_origins,
        "opened_at": instant(row.opened_at),
    })
}

/// A run.
pub(crate) fn run(row: &RunRow) -> Value {
    json!({
        "id": row.run,
        "session_id": row.session,
        "kind": row.kind,
        "parent_run_id": row.parent,
        "status": row.status,
        "started_at": instant(row.started_at),
        "ended_at": row.ended_at.map(instant),
    })
}

/// An approval.
pub(crate) fn approval(row: &ApprovalRow) -> Value {
    let offer = row.offer.as_ref().map(|offer| {
        json!({
            "origin": offer.origin,
            "path_prefix": offer.path_prefix,
            "minutes": domain::limits::GRANT_SECS / 60,
            "actions": domain::limits::GRANT_ACTIONS_MAX,
            "characters": domain::limits::GRANT_CHARACTERS_MAX,
            "text": offer.text(),
        })
    });
    json!({
        "id": row.approval,
        "session_id": row.session,
        "run_id": row.run,
        "tool_call_id": row.tool_call,
        "status": row.status,
        "resolution": row.resolution,
        "view": row.view,
        "offer": offer,
        "reasons": row.reasons,
        "task_grant_id": row.task_grant,
        "created_at": instant(row.created_at),
        "expires_at": instant(row.expires_at),
    })
}

/// A task grant. One whose time is over is shown as ended, also before the sweep wrote it down.
pub(crate) fn grant(row: &GrantRow, now: Timestamp) -> Value {
    let overdue = row.status == "active" && now >= row.expires_at;
    json!({
        "id": row.task_grant,
        "session_id": row.session,
        "profile_id": row.profile,
        "status": if overdue { "ended" } else { row.status.as_str() },
        "origin": row.origin,
        "path_prefix": row.path_prefix,
        "actions_used": row.actions_used,
        "actions_remaining": row.actions_remaining(),
        "characters_used": row.characters_used,
        "characters_remaining": row.characters_remaining(),
        "created_at": instant(row.created_at),
        "expires_at": instant(row.expires_at),
        "approval_id": row.approval,
        "end_reason": if overdue { Some("expired") } else { row.end_reason.as_deref() },
    })
}

/// A profile.
pub(crate) fn profile(row: &ProfileRow) -> Value {
    json!({
        "id": row.profile,
        "name": row.name,
        "status": row.status,
        "generation": row.generation,
        "sign_in_id": row.sign_in,
        "created_at": instant(row.created_at),
    })
}

/// A row of activity.
pub(crate) fn activity(row: &ToolCallRow) -> Value {
    json!({
        "id": row.tool_call,
        "run_id": row.run,
        "tool": row.tool,
        "action": row.action,
        "status": row.status,
        "authorization_kind": row.authorization_kind,
        "use_ordinal": row.use_ordinal,
        "label": crate::console::words::authorization(row.authorization_kind.as_deref()),
        "view": row.view,
        "outcome": row.outcome,
        "code": row.code.as_deref().filter(|code| !code.is_empty()),
        "reasons": row.reasons,
        "requested_at": instant(row.requested_at),
        "finished_at": row.finished_at.map(instant),
    })
}
