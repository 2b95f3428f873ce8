//! Drops the read models and builds them anew from the log, and tells two states apart by a digest.

use crate::apply::ReadModels;
use async_trait::async_trait;
use domain::event::Actor;
use domain::id::{CommandId, TenantId};
use eventlog::{Inline, Log, Row, StoreError, Unit, Work, WorkError, values};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use uuid::Uuid;

/// How one read model is emptied, and read in the order of its key.
struct Table {
    empty: &'static str,
    read: &'static str,
}

macro_rules! table {
    ($name:literal, $key:literal) => {
        Table {
            empty: concat!("DELETE FROM ", $name, " WHERE tenant = $1"),
            read: concat!("SELECT * FROM ", $name, " WHERE tenant = $1 ORDER BY ", $key),
        }
    };
}

/// Every read model with the columns of its key, in the order in which they are emptied.
const TABLES: [Table; 6] = [
    table!("task_grants", "task_grant_id"),
    table!("approvals", "approval_id"),
    table!("tool_calls", "tool_call_id"),
    table!("runs", "run_id"),
    table!("sessions", "session_id"),
    table!("browser_profiles", "profile_id"),
];
/// Events that are read at once.
const BATCH: u32 = 1_000;

/// Builds the read models of a tenant anew, in one unit of work: readers see the old state or the
/// new one, and authority is never judged on a half-built one.
///
/// # Errors
/// When the store fails, or the log holds what no read model can follow.
pub async fn rebuild(log: &Log, tenant: &TenantId) -> Result<(), WorkError> {
    let command = CommandId::from_uuid(Uuid::now_v7());
    log.perform(tenant, &Actor::System, command, &Rebuild).await.map(drop)
}

struct Rebuild;

#[async_trait]
impl Work for Rebuild {
    type Output = ();

    async fn run(&self, unit: &mut Unit<'_>) -> Result<(), WorkError> {
        let tenant = unit.tenant().clone();
        for table in TABLES {
            unit.connection().execute(table.empty, values![tenant.as_str()]).await?;
        }
        let mut after = 0;
        loop {
            // The head is locked by this unit, so what is there now is all there is.
            let events = unit.read(after, BATCH).await?;
            for recorded in &events {
                ReadModels.apply(&mut unit.connection(), &tenant, recorded).await?;
                after = recorded.position;
            }
            if events.is_empty() {
                return Ok(());
            }
        }
    }
}

/// A digest over every row of a tenant's read models, in hex: equal states, equal digests.
///
/// # Errors
/// When the store fails.
pub async fn digest(log: &Log, tenant: &TenantId) -> Result<String, StoreError> {
    let mut hash = Sha256::new();
    let mut reader = log.reader().await?;
    for table in TABLES {
        hash.update(table.read.as_bytes());
        for row in reader.fetch_all(table.read, values![tenant.as_str()]).await? {
            absorb(&mut hash, &row);
        }
    }
    let digest: [u8; 32] = hash.finalize().into();
    Ok(digest.iter().fold(String::with_capacity(64), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    }))
}

fn absorb(hash: &mut Sha256, row: &Row) {
    let text = format!("{row:?}");
    hash.update(text.len().to_be_bytes());
    hash.update(text.as_bytes());
}
