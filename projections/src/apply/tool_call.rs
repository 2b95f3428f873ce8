//! Tool calls, which are the rows of a session's activity.

use super::Target;
use crate::json;
use domain::event::{Authority, ToolCallAuthorized, ToolCallDispatched, ToolCallFinished, ToolCallRequested};
use eventlog::{StoreError, values};

pub(super) async fn requested(target: &mut Target<'_, '_>, e: &ToolCallRequested) -> Result<(), StoreError> {
    let values = values![
        target.tenant(),
        e.tool_call.to_string(),
        e.run.to_string(),
        e.session.to_string(),
        &e.tool,
        e.action.as_ref(),
        target.at(),
        target.recorded.position,
    ];
    target
        .one(
            "INSERT INTO tool_calls (tenant, tool_call_id, run_id, session_id, tool, action, status, reasons_json, requested_at, position)
             VALUES ($1, $2, $3, $4, $5, $6, 'requested', '[]', $7, $8)",
            values,
        )
        .await
}

pub(super) async fn authorized(target: &mut Target<'_, '_>, e: &ToolCallAuthorized) -> Result<(), StoreError> {
    let authority = match e.authority {
        Authority::Approval(approval) => approval.to_string(),
        Authority::TaskGrant(grant) => grant.to_string(),
        Authority::StandingGrant(grant) => grant.to_string(),
    };
    let values = values![e.authority.kind(), authority, e.use_ordinal, json::to_text(&e.view)?, target.tenant(), e.tool_call.to_string(),];
    target
        .one(
            "UPDATE tool_calls SET authorization_kind = $1, authority_id = $2, use_ordinal = $3, view_json = $4
             WHERE tenant = $5 AND tool_call_id = $6 AND status = 'requested' AND authorization_kind IS NULL",
            values,
        )
        .await
}

pub(super) async fn dispatched(target: &mut Target<'_, '_>, e: &ToolCallDispatched) -> Result<(), StoreError> {
    let values = values![target.tenant(), e.tool_call.to_string()];
    target.one("UPDATE tool_calls SET status = 'dispatched' WHERE tenant = $1 AND tool_call_id = $2 AND status = 'requested'", values).await
}

pub(super) async fn finished(target: &mut Target<'_, '_>, e: &ToolCallFinished) -> Result<(), StoreError> {
    let values = values![e.outcome.as_str(), &e.code, json::to_text(&e.reasons)?, target.at(), target.tenant(), e.tool_call.to_string(),];
    target
        .one(
            "UPDATE tool_calls SET status = 'finished', outcome = $1, code = $2, reasons_json = $3, finished_at = $4
             WHERE tenant = $5 AND tool_call_id = $6 AND status <> 'finished'",
            values,
        )
        .await
}
