//! Sessions and their runs.

use super::Target;
use crate::json;
use domain::event::{RunEnded, RunStarted, SessionDeleted, SessionOpened};
use eventlog::{StoreError, values};

pub(super) async fn opened(target: &mut Target<'_, '_>, e: &SessionOpened) -> Result<(), StoreError> {
    let values = values![
        target.tenant(),
        e.session.to_string(),
        e.principal.as_str(),
        e.surface.as_str(),
        e.profile.map(|id| id.to_string()),
        e.schedule.as_ref(),
        json::to_text(&e.allowed_origins)?,
        target.at(),
        target.recorded.position,
    ];
    target
        .one(
            "INSERT INTO sessions (tenant, session_id, principal, surface, profile_id, schedule_id, allowed_origins, status, opened_at, position)
             VALUES ($1, $2, $3, $4, $5, $6, $7, 'open', $8, $9)",
            values,
        )
        .await
}

/// A deleted session's grants lose their usable state; their events remain (GRA-12).
pub(super) async fn deleted(target: &mut Target<'_, '_>, e: &SessionDeleted) -> Result<(), StoreError> {
    let values = values![target.tenant(), e.session.to_string()];
    target.any("DELETE FROM task_grants WHERE tenant = $1 AND session_id = $2", values).await?;
    target.one("UPDATE sessions SET status = 'deleted' WHERE tenant = $1 AND session_id = $2 AND status = 'open'", values).await
}

pub(super) async fn run_started(target: &mut Target<'_, '_>, e: &RunStarted) -> Result<(), StoreError> {
    let values = values![
        target.tenant(),
        e.run.to_string(),
        e.session.to_string(),
        e.kind.as_str(),
        e.parent.map(|id| id.to_string()),
        target.at(),
        target.recorded.position,
    ];
    target
        .one(
            "INSERT INTO runs (tenant, run_id, session_id, kind, parent_run_id, status, started_at, position)
             VALUES ($1, $2, $3, $4, $5, 'active', $6, $7)",
            values,
        )
        .await
}

pub(super) async fn run_ended(target: &mut Target<'_, '_>, e: &RunEnded) -> Result<(), StoreError> {
    let values = values![target.at(), target.tenant(), e.run.to_string()];
    target.one("UPDATE runs SET status = 'ended', ended_at = $1 WHERE tenant = $2 AND run_id = $3 AND status = 'active'", values).await
}
