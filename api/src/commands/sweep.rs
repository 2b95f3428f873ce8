//! Writes down what time has decided already: lapsed approvals and expired grants. Nothing depends
//! on it for safety; readers and owners do (GRA-9, APR-3).

use super::load_grant;
use async_trait::async_trait;
use domain::decide::approval::Approval;
use domain::event::approval_stream;
use domain::id::TenantId;
use eventlog::{Log, StoreError, Unit, Work, WorkError};

/// Rows that one sweep takes of each kind; the next sweep takes the rest.
const SWEEP_ROWS_MAX: u32 = 500;

/// Whether a sweep would find something. Looking costs no command and no lock.
///
/// # Errors
/// When the store fails.
pub async fn is_due(log: &Log, tenant: &TenantId) -> Result<bool, StoreError> {
    let now = log.now();
    let mut reader = log.reader().await?;
    let mut conn = reader.connection();
    Ok(!projections::approvals::overdue(&mut conn, tenant, now, 1).await?.is_empty()
        || !projections::grants::overdue(&mut conn, tenant, now, 1).await?.is_empty())
}

/// One sweep of one tenant.
#[derive(Clone, Copy, Debug)]
pub struct Sweep;

#[async_trait]
impl Work for Sweep {
    /// How many ends were written down.
    type Output = usize;

    async fn run(&self, unit: &mut Unit<'_>) -> Result<usize, WorkError> {
        let (tenant, now) = (unit.tenant().clone(), unit.now());
        let mut ended = 0;
        for approval in projections::approvals::overdue(&mut unit.connection(), &tenant, now, SWEEP_ROWS_MAX).await? {
            let state: Approval = unit.load(approval_stream(approval)).await?;
            let events = state.lapse(now);
            ended += events.len();
            unit.append(events).await?;
        }
        for grant in projections::grants::overdue(&mut unit.connection(), &tenant, now, SWEEP_ROWS_MAX).await? {
            let events = load_grant(unit, grant).await?.sweep(now);
            ended += events.len();
            unit.append(events).await?;
        }
        Ok(ended)
    }
}
