//! Approvals.

use super::Page;
use crate::apply::failed;
use crate::json;
use domain::coverage::Reason;
use domain::decide::approval::{ApprovalStatus, Offer};
use domain::id::{ApprovalId, PrincipalId, RunId, SessionId, TaskGrantId, TenantId, ToolCallId};
use domain::time::Timestamp;
use domain::view::ApprovalView;
use eventlog::{Conn, Row, StoreError, values};

/// One approval.
#[derive(Clone, Debug)]
pub struct ApprovalRow {
    /// The approval.
    pub approval: ApprovalId,
    /// Its session.
    pub session: SessionId,
    /// Its run.
    pub run: RunId,
    /// The call that waits.
    pub tool_call: ToolCallId,
    /// What became of it.
    pub status: ApprovalStatus,
    /// The answer.
    pub resolution: Option<String>,
    /// What the card shows.
    pub view: ApprovalView,
    /// What may be allowed beyond the act.
    pub offer: Option<Offer>,
    /// Why an active grant did not cover the act.
    pub reasons: Vec<Reason>,
    /// The grant that the answer created.
    pub task_grant: Option<TaskGrantId>,
    /// When it was asked.
    pub created_at: Timestamp,
    /// When it lapses.
    pub expires_at: Timestamp,
    /// The position of the question.
    pub position: u64,
}

/// The statement up to its condition, so that every question reads the same columns.
macro_rules! select {
    ($condition:literal) => {
        concat!(
            "SELECT a.approval_id, a.session_id, a.run_id, a.tool_call_id, a.status, a.resolution, a.view_json, a.offer_json, a.reasons_json, a.task_grant_id, a.created_at, a.expires_at, a.position FROM approvals a JOIN sessions s ON s.tenant = a.tenant AND s.session_id = a.session_id",
            $condition
        )
    };
}

/// One approval of a principal's session.
///
/// # Errors
/// When the store fails.
pub async fn find(
    conn: &mut Conn<'_>,
    tenant: &TenantId,
    principal: &PrincipalId,
    approval: ApprovalId,
) -> Result<Option<ApprovalRow>, StoreError> {
    let sql = select!(" WHERE a.tenant = $1 AND a.approval_id = $2 AND s.principal = $3");
    let values = values![tenant.as_str(), approval.to_string(), principal.as_str()];
    conn.fetch_all(sql, values).await?.first().map(row).transpose()
}

/// A principal's approvals, newest first; with a status, only those.
///
/// # Errors
/// When the store fails.
pub async fn list(
    conn: &mut Conn<'_>,
    tenant: &TenantId,
    principal: &PrincipalId,
    status: Option<ApprovalStatus>,
    page: Page,
) -> Result<Vec<ApprovalRow>, StoreError> {
    let sql = select!(
        " WHERE a.tenant = $1 AND s.principal = $2 AND a.position < $3 AND ($5 = '' OR a.status = $5) ORDER BY a.position DESC LIMIT $4"
    );
    let (before, limit) = page.values();
    let status = status.map_or("", ApprovalStatus::as_str);
    let values = values![tenant.as_str(), principal.as_str(), before, limit, status];
    conn.fetch_all(sql, values).await?.iter().map(row).collect()
}

/// The pending approvals of a run, or of a whole session when `run` is `None`.
///
/// # Errors
/// When the store fails.
pub async fn pending_of(
    conn: &mut Conn<'_>,
    tenant: &TenantId,
    session: SessionId,
    run: Option<RunId>,
) -> Result<Vec<ApprovalId>, StoreError> {
    let sql = "SELECT approval_id FROM approvals WHERE tenant = $1 AND session_id = $2 AND ($3 = '' OR run_id = $3) AND status = 'pending' ORDER BY position";
    let run = run.map(|run| run.to_string()).unwrap_or_default();
    let values = values![tenant.as_str(), session.to_string(), run];
    conn.fetch_all(sql, values).await?.iter().map(|row| row.parsed(0)).collect()
}

/// The approval that a tool call waits for, or waited for.
///
/// # Errors
/// When the store fails.
pub async fn of_call(conn: &mut Conn<'_>, tenant: &TenantId, call: ToolCallId) -> Result<Option<ApprovalId>, StoreError> {
    let sql = "SELECT approval_id FROM approvals WHERE tenant = $1 AND tool_call_id = $2 ORDER BY position DESC LIMIT 1";
    let values = values![tenant.as_str(), call.to_string()];
    conn.fetch_all(sql, values).await?.first().map(|row| row.parsed(0)).transpose()
}

/// Pending approvals whose time is over, at most `limit`.
///
/// # Errors
/// When the store fails.
pub async fn overdue(conn: &mut Conn<'_>, tenant: &TenantId, now: Timestamp, limit: u32) -> Result<Vec<ApprovalId>, StoreError> {
    let sql =
        "SELECT approval_id FROM approvals WHERE tenant = $1 AND status = 'pending' AND expires_at <= $2 ORDER BY expires_at LIMIT $3";
    let values = values![tenant.as_str(), now.as_micros(), limit];
    conn.fetch_all(sql, values).await?.iter().map(|row| row.parsed(0)).collect()
}

fn row(row: &Row) -> Result<ApprovalRow, StoreError> {
    Ok(ApprovalRow {
        approval: row.parsed(0)?,
        session: row.parsed(1)?,
        run: row.parsed(2)?,
        tool_call: row.parsed(3)?,
        status: ApprovalStatus::parse(row.text(4)?).ok_or_else(|| failed("an approval has an unknown status".to_owned()))?,
        resolution: row.opt_text(5)?.map(str::to_owned),
        view: json::from_text(row.text(6)?)?,
        offer: row.opt_text(7)?.map(json::from_text).transpose()?,
        reasons: json::from_text(row.text(8)?)?,
        task_grant: row.opt_parsed(9)?,
        created_at: Timestamp::from_micros(row.i64(10)?),
        expires_at: Timestamp::from_micros(row.i64(11)?),
        position: row.u64(12)?,
    })
}
