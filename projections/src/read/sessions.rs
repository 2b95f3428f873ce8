//! Sessions.

use crate::json;
use domain::id::{PrincipalId, ProfileId, SessionId, TenantId};
use domain::time::Timestamp;
use eventlog::{Conn, Row, StoreError, values};

/// One session.
#[derive(Clone, Debug)]
pub struct SessionRow {
    /// The session.
    pub session: SessionId,
    /// Whose it is.
    pub principal: PrincipalId,
    /// Where the chat takes place.
    pub surface: String,
    /// The profile binding.
    pub profile: Option<ProfileId>,
    /// The schedule binding.
    pub schedule: Option<String>,
    /// Origins that documents may come from.
    pub allowed_origins: Vec<String>,
    /// When it was opened.
    pub opened_at: Timestamp,
}

/// The statement up to its condition, so that every question reads the same columns.
macro_rules! select {
    ($condition:literal) => {
        concat!("SELECT session_id, principal, surface, profile_id, schedule_id, allowed_origins, opened_at FROM sessions", $condition)
    };
}

/// One open session of a principal.
///
/// # Errors
/// When the store fails.
pub async fn find(
    conn: &mut Conn<'_>,
    tenant: &TenantId,
    principal: &PrincipalId,
    session: SessionId,
) -> Result<Option<SessionRow>, StoreError> {
    let sql = select!(" WHERE tenant = $1 AND session_id = $2 AND principal = $3 AND status = 'open'");
    let values = values![tenant.as_str(), session.to_string(), principal.as_str()];
    conn.fetch_all(sql, values).await?.first().map(row).transpose()
}

/// The newest open sessions of a principal, at most `limit`.
///
/// # Errors
/// When the store fails.
pub async fn newest(conn: &mut Conn<'_>, tenant: &TenantId, principal: &PrincipalId, limit: u32) -> Result<Vec<SessionRow>, StoreError> {
    let sql = select!(" WHERE tenant = $1 AND principal = $2 AND status = 'open' ORDER BY position DESC LIMIT $3");
    let values = values![tenant.as_str(), principal.as_str(), limit];
    conn.fetch_all(sql, values).await?.iter().map(row).collect()
}

fn row(row: &Row) -> Result<SessionRow, StoreError> {
    Ok(SessionRow {
        session: row.parsed(0)?,
        principal: row.parsed(1)?,
        surface: row.text(2)?.to_owned(),
        profile: row.opt_parsed(3)?,
        schedule: row.opt_text(4)?.map(str::to_owned),
        allowed_origins: json::from_text(row.text(5)?)?,
        opened_at: Timestamp::from_micros(row.i64(6)?),
    })
}
