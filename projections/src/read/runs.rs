//! Runs.

use domain::id::{PrincipalId, RunId, SessionId, TenantId};
use domain::time::Timestamp;
use eventlog::{Conn, Row, StoreError, values};

/// One run.
#[derive(Clone, Debug)]
pub struct RunRow {
    /// The run.
    pub run: RunId,
    /// Its session.
    pub session: SessionId,
    /// How it came about.
    pub kind: String,
    /// The run that delegated it.
    pub parent: Option<RunId>,
    /// `active` or `ended`.
    pub status: String,
    /// When it began.
    pub started_at: Timestamp,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
}

/// One run of a principal's session.
///
/// # Errors
/// When the store fails.
pub async fn find(conn: &mut Conn<'_>, tenant: &TenantId, principal: &PrincipalId, run: RunId) -> Result<Option<RunRow>, StoreError> {
    let sql = "SELECT r.run_id, r.session_id, r.kind, r.parent_run_id, r.status, r.started_at, r.ended_at
               FROM runs r JOIN sessions s ON s.tenant = r.tenant AND s.session_id = r.session_id
               WHERE r.tenant = $1 AND r.run_id = $2 AND s.principal = $3";
    let values = values![tenant.as_str(), run.to_string(), principal.as_str()];
    conn.fetch_all(sql, values).await?.first().map(row).transpose()
}

fn row(row: &Row) -> Result<RunRow, StoreError> {
    Ok(RunRow {
        run: row.parsed(0)?,
        session: row.parsed(1)?,
        kind: row.text(2)?.to_owned(),
        parent: row.opt_parsed(3)?,
        status: row.text(4)?.to_owned(),
        started_at: Timestamp::from_micros(row.i64(5)?),
        ended_at: row.opt_i64(6)?.map(Timestamp::from_micros),
    })
}
