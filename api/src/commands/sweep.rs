//! Writes down what time has decided already: lapsed approvals and expired grants. Nothing depends
//! on it for safety; readers and owners do (GRA-9, APR-3).

use super::load_grant;
use async_trait::async_trait;
use domain::decide::approval::Approval;
use domain::decide::task_grant::EndReason;
use domain::event::approval_stream;
use domain::id::TenantId;
use domain::time::Timestamp;
use eventlog::{Log, StoreError, Unit, Work, WorkError};

/// Rows that one sweep takes of each kind; the next sweep takes the rest.
const SWEEP_ROWS_MAX: u32 = 500;
/// Every half hour is over by then.
const END_OF_TIME: Timestamp = Timestamp::from_micros(i64::MAX);

/// Whether a sweep would find something. Looking costs no command and no lock.
///
/// # Errors
/// When the store fails.
pub async fn is_due(log: &Log, tenant: &TenantId) -> Result<bool, StoreError> {
    let now = log.now();
    let mut reader = log.reader().await?;
    let mut conn = reader.connection();
    if !projections::approvals::overdue(&mut conn, tenant, now, 1).await?.is_empty()
        || !projections::grants::overdue(&mut conn, tenant, now, 1).await?.is_empty()
    {
        return Ok(true);
    }
    let active = !projections::grants::overdue(&mut conn, tenant, END_OF_TIME, 1).await?.is_empty();
    drop(reader);
    Ok(active && log.clock_ran_back(tenant).await?)
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
        // GRA-13: while the clock is far behind, no half hour can be measured.
        let over_by = if unit.clock_ran_back() { END_OF_TIME } else { now };
        for grant in projections::grants::overdue(&mut unit.connection(), &tenant, over_by, SWEEP_ROWS_MAX).await? {
            let events = load_grant(unit, grant).await?.end(now, EndReason::Expired);
            ended += events.len();
            unit.append(events).await?;
        }
        Ok(ended)
    }
}
