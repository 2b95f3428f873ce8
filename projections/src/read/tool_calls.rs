//! Tool calls: one by one for whoever waits for it, and in order as a session's activity.

use super::Page;
use crate::json;
use domain::coverage::Reason;
use domain::id::{PrincipalId, RunId, SessionId, TenantId, ToolCallId};
use domain::time::Timestamp;
use domain::view::ApprovalView;
use eventlog::{Conn, Row, StoreError, values};

/// One tool call.
#[derive(Clone, Debug)]
pub struct ToolCallRow {
    /// The call.
    pub tool_call: ToolCallId,
    /// Its run.
    pub run: RunId,
    /// Its session.
    pub session: SessionId,
    /// The tool.
    pub tool: String,
    /// The kind of act.
    pub action: Option<String>,
    /// `requested`, `dispatched` or `finished`.
    pub status: String,
    /// What stood behind it.
    pub authorization_kind: Option<String>,
    /// Which use of a grant it was.
    pub use_ordinal: Option<i64>,
    /// What the card showed or would have shown.
    pub view: Option<ApprovalView>,
    /// How it ended.
    pub outcome: Option<String>,
    /// A stable code.
    pub code: Option<String>,
    /// Why a grant did not fit the live page.
    pub reasons: Vec<Reason>,
    /// When it was proposed.
    pub requested_at: Timestamp,
    /// When it ended.
    pub finished_at: Option<Timestamp>,
    /// The position of its request.
    pub position: u64,
    /// Whose session it is.
    pub principal: PrincipalId,
}

/// The statement up to its condition, so that every question reads the same columns.
macro_rules! select {
    ($condition:literal) => {
        concat!(
            "SELECT c.tool_call_id, c.run_id, c.session_id, c.tool, c.action, c.status, c.authorization_kind, c.use_ordinal, c.view_json, c.outcome, c.code, c.reasons_json, c.requested_at, c.finished_at, c.position, s.principal FROM tool_calls c JOIN sessions s ON s.tenant = c.tenant AND s.session_id = c.session_id",
            $condition
        )
    };
}

/// One tool call of a principal's session.
///
/// # Errors
/// When the store fails.
pub async fn find(
    conn: &mut Conn<'_>,
    tenant: &TenantId,
    principal: &PrincipalId,
    call: ToolCallId,
) -> Result<Option<ToolCallRow>, StoreError> {
    let sql = select!(" WHERE c.tenant = $1 AND c.tool_call_id = $2 AND s.principal = $3");
    let values = values![tenant.as_str(), call.to_string(), principal.as_str()];
    conn.fetch_all(sql, values).await?.first().map(row).transpose()
}

/// A session's activity, newest first.
///
/// # Errors
/// When the store fails.
pub async fn of_session(
    conn: &mut Conn<'_>,
    tenant: &TenantId,
    principal: &PrincipalId,
    session: SessionId,
    page: Page,
) -> Result<Vec<ToolCallRow>, StoreError> {
    let sql =
        select!(" WHERE c.tenant = $1 AND c.session_id = $2 AND s.principal = $3 AND c.position < $4 ORDER BY c.position DESC LIMIT $5");
    let (before, limit) = page.values();
    let values = values![tenant.as_str(), session.to_string(), principal.as_str(), before, limit];
    conn.fetch_all(sql, values).await?.iter().map(row).collect()
}

/// Every call that has not finished, oldest first: what a restart has to settle.
///
/// # Errors
/// When the store fails.
pub async fn unfinished(conn: &mut Conn<'_>, tenant: &TenantId) -> Result<Vec<ToolCallRow>, StoreError> {
    let sql = select!(" WHERE c.tenant = $1 AND c.status <> 'finished' ORDER BY c.position");
    conn.fetch_all(sql, values![tenant.as_str()]).await?.iter().map(row).collect()
}

fn row(row: &Row) -> Result<ToolCallRow, StoreError> {
    Ok(ToolCallRow {
        tool_call: row.parsed(0)?,
        run: row.parsed(1)?,
        session: row.parsed(2)?,
        tool: row.text(3)?.to_owned(),
        action: row.opt_text(4)?.map(str::to_owned),
        status: row.text(5)?.to_owned(),
        authorization_kind: row.opt_text(6)?.map(str::to_owned),
        use_ordinal: row.opt_i64(7)?,
        view: row.opt_text(8)?.map(json::from_text).transpose()?,
        outcome: row.opt_text(9)?.map(str::to_owned),
        code: row.opt_text(10)?.map(str::to_owned),
        reasons: json::from_text(row.text(11)?)?,
        requested_at: Timestamp::from_micros(row.i64(12)?),
        finished_at: row.opt_i64(13)?.map(Timestamp::from_micros),
        position: row.u64(14)?,
        principal: row.parsed(15)?,
    })
}
