//! Task grants.

use super::Page;
use domain::id::{ApprovalId, PrincipalId, ProfileId, SessionId, TaskGrantId, TenantId};
use domain::limits::{GRANT_ACTIONS_MAX, GRANT_CHARACTERS_MAX};
use domain::time::Timestamp;
use eventlog::{Conn, Row, StoreError, values};

/// One task grant.
#[derive(Clone, Debug)]
pub struct GrantRow {
    /// The grant.
    pub task_grant: TaskGrantId,
    /// Its session.
    pub session: SessionId,
    /// Its profile.
    pub profile: ProfileId,
    /// The place.
    pub origin: String,
    /// The place.
    pub path_prefix: String,
    /// The approval that created it.
    pub approval: ApprovalId,
    /// `active` or `ended`. An active one may be past its time: compare.
    pub status: String,
    /// Acts authorized so far.
    pub actions_used: u64,
    /// Characters typed so far.
    pub characters_used: u64,
    /// Why it ended.
    pub end_reason: Option<String>,
    /// When it was created.
    pub created_at: Timestamp,
    /// From then on it is expired.
    pub expires_at: Timestamp,
    /// The position of its creation.
    pub position: u64,
}

impl GrantRow {
    /// Acts left.
    #[must_use]
    pub fn actions_remaining(&self) -> u64 {
        u64::from(GRANT_ACTIONS_MAX).saturating_sub(self.actions_used)
    }

    /// Characters left.
    #[must_use]
    pub fn characters_remaining(&self) -> u64 {
        u64::from(GRANT_CHARACTERS_MAX).saturating_sub(self.characters_used)
    }

    /// Whether it can be used at `now`, as far as its own time and status say.
    #[must_use]
    pub fn is_live(&self, now: Timestamp) -> bool {
        self.status == "active" && now < self.expires_at
    }
}

/// The statement up to its condition, so that every question reads the same columns.
macro_rules! select {
    ($condition:literal) => {
        concat!(
            "SELECT task_grant_id, session_id, profile_id, origin, path_prefix, approval_id, status, actions_used, characters_used, end_reason, created_at, expires_at, position FROM task_grants",
            $condition
        )
    };
}

/// One grant of a principal.
///
/// # Errors
/// When the store fails.
pub async fn find(
    conn: &mut Conn<'_>,
    tenant: &TenantId,
    principal: &PrincipalId,
    grant: TaskGrantId,
) -> Result<Option<GrantRow>, StoreError> {
    let sql = select!(" WHERE tenant = $1 AND task_grant_id = $2 AND principal = $3");
    let values = values![tenant.as_str(), grant.to_string(), principal.as_str()];
    conn.fetch_all(sql, values).await?.first().map(row).transpose()
}

/// A principal's grants, newest first.
///
/// # Errors
/// When the store fails.
pub async fn list(conn: &mut Conn<'_>, tenant: &TenantId, principal: &PrincipalId, page: Page) -> Result<Vec<GrantRow>, StoreError> {
    let sql = select!(" WHERE tenant = $1 AND principal = $2 AND position < $3 ORDER BY position DESC LIMIT $4");
    let (before, limit) = page.values();
    let values = values![tenant.as_str(), principal.as_str(), before, limit];
    conn.fetch_all(sql, values).await?.iter().map(row).collect()
}

/// The grant of a session that no end is recorded for; there is at most one (GRA-4).
///
/// # Errors
/// When the store fails.
pub async fn active_of_session(conn: &mut Conn<'_>, tenant: &TenantId, session: SessionId) -> Result<Option<TaskGrantId>, StoreError> {
    let sql = "SELECT task_grant_id FROM task_grants WHERE tenant = $1 AND session_id = $2 AND status = 'active'";
    let values = values![tenant.as_str(), session.to_string()];
    conn.fetch_all(sql, values).await?.first().map(|row| row.parsed(0)).transpose()
}

/// Why the newest grant of a session ended; `None` while there was none, or one is active. A card
/// after the end says so.
///
/// # Errors
/// When the store fails.
pub async fn last_end_of_session(conn: &mut Conn<'_>, tenant: &TenantId, session: SessionId) -> Result<Option<String>, StoreError> {
    let sql = "SELECT end_reason FROM task_grants WHERE tenant = $1 AND session_id = $2 ORDER BY position DESC LIMIT 1";
    let row = conn.fetch_optional(sql, values![tenant.as_str(), session.to_string()]).await?;
    Ok(row.map(|row| row.opt_text(0).map(|reason| reason.map(str::to_owned))).transpose()?.flatten())
}

/// Every grant on a profile that no end is recorded for (GRA-11).
///
/// # Errors
/// When the store fails.
pub async fn active_of_profile(conn: &mut Conn<'_>, tenant: &TenantId, profile: ProfileId) -> Result<Vec<TaskGrantId>, StoreError> {
    let sql = "SELECT task_grant_id FROM task_grants WHERE tenant = $1 AND profile_id = $2 AND status = 'active' ORDER BY position";
    let values = values![tenant.as_str(), profile.to_string()];
    conn.fetch_all(sql, values).await?.iter().map(|row| row.parsed(0)).collect()
}

/// Grants past their time whose end nobody wrote down, at most `limit` (GRA-9).
///
/// # Errors
/// When the store fails.
pub async fn overdue(conn: &mut Conn<'_>, tenant: &TenantId, now: Timestamp, limit: u32) -> Result<Vec<TaskGrantId>, StoreError> {
    let sql =
        "SELECT task_grant_id FROM task_grants WHERE tenant = $1 AND status = 'active' AND expires_at <= $2 ORDER BY expires_at LIMIT $3";
    let values = values![tenant.as_str(), now.as_micros(), limit];
    conn.fetch_all(sql, values).await?.iter().map(|row| row.parsed(0)).collect()
}

fn row(row: &Row) -> Result<GrantRow, StoreError> {
    Ok(GrantRow {
        task_grant: row.parsed(0)?,
        session: row.parsed(1)?,
        profile: row.parsed(2)?,
        origin: row.text(3)?.to_owned(),
        path_prefix: row.text(4)?.to_owned(),
        approval: row.parsed(5)?,
        status: row.text(6)?.to_owned(),
        actions_used: row.u64(7)?,
        characters_used: row.u64(8)?,
        end_reason: row.opt_text(9)?.map(str::to_owned),
        created_at: Timestamp::from_micros(row.i64(10)?),
        expires_at: Timestamp::from_micros(row.i64(11)?),
        position: row.u64(12)?,
    })
}
