//! The head row of a tenant's log and the record of its commands.
//!
//! The row is locked at the start of a unit of work and moved at its end. Whoever waits for it sees
//! everything that was committed before, so positions are handed out in commit order and what can be
//! read is always a prefix without gaps (EVT-2).

use crate::conn::Conn;
use crate::error::StoreError;
use crate::values;
use domain::id::{CommandId, TenantId};
use domain::time::Timestamp;

/// Where a log ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head {
    /// The last position; 0 for an empty log.
    pub(crate) position: u64,
    /// When that event was recorded.
    pub(crate) recorded_at: Timestamp,
}

/// What a command came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) first_position: u64,
    pub(crate) count: u64,
}

const SELECT: &str = "SELECT position, recorded_at FROM log_head WHERE tenant = $1";
const SELECT_LOCKED: &str = "SELECT position, recorded_at FROM log_head WHERE tenant = $1 FOR UPDATE";
const CREATE: &str = "INSERT INTO log_head (tenant, position, recorded_at) VALUES ($1, 0, 0) ON CONFLICT (tenant) DO NOTHING";
const ADVANCE: &str = "UPDATE log_head SET position = $2, recorded_at = $3 WHERE tenant = $1 AND position = $4";
const SELECT_COMMAND: &str = "SELECT first_position, event_count FROM commands WHERE tenant = $1 AND command = $2";
const INSERT_COMMAND: &str = "INSERT INTO commands (tenant, command, first_position, event_count) VALUES ($1, $2, $3, $4)";
const TENANTS: &str = "SELECT tenant FROM log_head ORDER BY tenant";

/// Locks the head until the transaction ends. SQLite's transaction holds the whole database by now.
pub(crate) async fn lock(conn: &mut Conn<'_>, tenant: &TenantId) -> Result<Head, StoreError> {
    let sql = match conn {
        Conn::Sqlite(_) => SELECT,
        Conn::Postgres(_) => SELECT_LOCKED,
    };
    if let Some(head) = select(conn, sql, tenant).await? {
        return Ok(head);
    }
    conn.execute(CREATE, values![tenant.as_str()]).await?;
    select(conn, sql, tenant).await?.ok_or_else(|| StoreError::GaveWay("the log's head row went away".to_owned()))
}

/// Where the log ends, as far as it is committed.
pub(crate) async fn read(conn: &mut Conn<'_>, tenant: &TenantId) -> Result<u64, StoreError> {
    Ok(select(conn, SELECT, tenant).await?.map_or(0, |head| head.position))
}

async fn select(conn: &mut Conn<'_>, sql: &'static str, tenant: &TenantId) -> Result<Option<Head>, StoreError> {
    let row = conn.fetch_optional(sql, values![tenant.as_str()]).await?;
    row.map(|row| Ok(Head { position: row.u64(0)?, recorded_at: Timestamp::from_micros(row.i64(1)?) })).transpose()
}

/// Moves the head from where it was when it was locked.
pub(crate) async fn advance(conn: &mut Conn<'_>, tenant: &TenantId, from: Head, to: Head) -> Result<(), StoreError> {
    let values = values![tenant.as_str(), to.position, to.recorded_at.as_micros(), from.position];
    match conn.execute(ADVANCE, values).await? {
        1 => Ok(()),
        _ => Err(StoreError::GaveWay("the log's head row moved under its lock".to_owned())),
    }
}

/// What a command came to, if it was recorded.
pub(crate) async fn outcome(conn: &mut Conn<'_>, tenant: &TenantId, command: CommandId) -> Result<Option<Outcome>, StoreError> {
    let row = conn.fetch_optional(SELECT_COMMAND, values![tenant.as_str(), command.as_uuid().as_bytes()]).await?;
    row.map(|row| Ok(Outcome { first_position: row.u64(0)?, count: row.u64(1)? })).transpose()
}

/// Records what a command came to.
pub(crate) async fn record(conn: &mut Conn<'_>, tenant: &TenantId, command: CommandId, outcome: Outcome) -> Result<(), StoreError> {
    let values = values![tenant.as_str(), command.as_uuid().as_bytes(), outcome.first_position, outcome.count];
    conn.execute(INSERT_COMMAND, values).await?;
    Ok(())
}

/// Every tenant that has a log.
pub(crate) async fn tenants(conn: &mut Conn<'_>) -> Result<Vec<TenantId>, StoreError> {
    conn.fetch_all(TENANTS, &[]).await?.iter().map(|row| row.parsed(0)).collect()
}
