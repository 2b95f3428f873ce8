//! Following a log as it grows.

use crate::error::StoreError;
use crate::limits::FOLLOW_BATCH_MAX;
use crate::log::Log;
use domain::event::Recorded;
use domain::id::TenantId;
use std::collections::VecDeque;
use tokio::sync::watch;

/// Gives every event of a tenant once, in order.
///
/// Commits of this process wake it. Those of others are found by looking every now and then: a
/// wake-up is a hint, the log is the truth.
#[derive(Debug)]
pub struct Follower {
    log: Log,
    tenant: TenantId,
    position: u64,
    read: VecDeque<Recorded>,
    wake: watch::Receiver<u64>,
}

impl Log {
    /// Follows a tenant's log from behind `after`.
    #[must_use]
    pub fn follow(&self, tenant: &TenantId, after: u64) -> Follower {
        Follower { log: self.clone(), tenant: tenant.clone(), position: after, read: VecDeque::new(), wake: self.shared.wake.subscribe() }
    }
}

impl Follower {
    /// The position of the event that was given last.
    #[must_use]
    pub const fn position(&self) -> u64 {
        self.position
    }

    /// Waits for the next event. Dropping the wait loses nothing.
    ///
    /// # Errors
    /// When the log cannot be read or has a hole. The next call tries the same place again.
    pub async fn next(&mut self) -> Result<Recorded, StoreError> {
        loop {
            if let Some(recorded) = self.read.pop_front() {
                self.position = recorded.position;
                return Ok(recorded);
            }
            let page = self.log.read(&self.tenant, self.position, FOLLOW_BATCH_MAX).await?;
            if page.is_empty() {
                // A commit since the last wake-up ends the wait at once, so one that came between
                // the reading and here is not slept through. The sender lives in the log that this
                // follower holds, so nothing else but time ends it.
                let _woken = tokio::time::timeout(self.log.shared.poll_every, self.wake.changed()).await;
            }
            self.read.extend(page);
        }
    }
}
