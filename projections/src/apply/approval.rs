//! Approvals and their answers.

use super::Target;
use crate::json;
use domain::event::{ApprovalRequested, ApprovalResolved};
use domain::id::ApprovalId;
use eventlog::{StoreError, values};

pub(super) async fn requested(target: &mut Target<'_, '_>, e: &ApprovalRequested) -> Result<(), StoreError> {
    let offer = e.offer.as_ref().map(json::to_text).transpose()?;
    let values = values![
        target.tenant(),
        e.approval.to_string(),
        e.session.to_string(),
        e.run.to_string(),
        e.tool_call.to_string(),
        json::to_text(&e.view)?,
        offer,
        json::to_text(&e.reasons)?,
        target.at(),
        e.expires_at.as_micros(),
        target.recorded.position,
    ];
    target
        .one(
            "INSERT INTO approvals (tenant, approval_id, session_id, run_id, tool_call_id, status, view_json, offer_json, reasons_json,
                                    created_at, expires_at, position)
             VALUES ($1, $2, $3, $4, $5, 'pending', $6, $7, $8, $9, $10, $11)",
            values,
        )
        .await
}

pub(super) async fn resolved(target: &mut Target<'_, '_>, e: &ApprovalResolved) -> Result<(), StoreError> {
    let values = values![
        e.resolution.status().as_str(),
        e.resolution.as_str(),
        e.task_grant.map(|id| id.to_string()),
        target.at(),
        target.tenant(),
        e.approval.to_string(),
    ];
    target
        .one(
            "UPDATE approvals SET status = $1, resolution = $2, task_grant_id = $3, closed_at = $4
             WHERE tenant = $5 AND approval_id = $6 AND status = 'pending'",
            values,
        )
        .await
}

pub(super) async fn closed(target: &mut Target<'_, '_>, approval: ApprovalId, status: &str) -> Result<(), StoreError> {
    let values = values![status, target.at(), target.tenant(), approval.to_string()];
    target
        .one("UPDATE approvals SET status = $1, closed_at = $2 WHERE tenant = $3 AND approval_id = $4 AND status = 'pending'", values)
        .await
}
