//! A log that is open, and reading from it.

use crate::clock::{Clock, SystemClock};
use crate::error::StoreError;
use crate::limits::READ_PAGE_MAX;
use crate::pools::{Pools, Reader, Transaction};
use crate::projection::Inline;
use crate::{events, head};
use domain::event::{Recorded, StreamId};
use domain::id::TenantId;
use domain::time::Timestamp;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// How a log is opened.
#[derive(Clone)]
pub struct Options {
    /// Read models that change with their events, applied in this order.
    pub inline: Vec<Arc<dyn Inline>>,
    /// Where the time comes from.
    pub clock: Arc<dyn Clock>,
    /// How long a writer waits for others before it is answered [`StoreError::Busy`].
    pub busy_wait: Duration,
    /// How often a follower looks for events of other processes.
    pub poll_every: Duration,
    /// Connections that write; SQLite always has one.
    pub writers_max: u32,
    /// Connections that read.
    pub readers_max: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            inline: Vec::new(),
            clock: Arc::new(SystemClock),
            busy_wait: Duration::from_secs(10),
            poll_every: Duration::from_millis(250),
            writers_max: 4,
            readers_max: 4,
        }
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options").field("inline", &self.inline.len()).field("busy_wait", &self.busy_wait).finish_non_exhaustive()
    }
}

/// An open log. Clones share its connections.
#[derive(Clone)]
pub struct Log {
    pub(crate) shared: Arc<Shared>,
}

pub(crate) struct Shared {
    pub(crate) pools: Pools,
    pub(crate) inline: Vec<Arc<dyn Inline>>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) poll_every: Duration,
    /// Counts the commits of this process; what followers wait for.
    pub(crate) wake: watch::Sender<u64>,
}

impl fmt::Debug for Log {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Log").field("pools", &self.shared.pools).finish_non_exhaustive()
    }
}

impl Log {
    pub(crate) fn new(pools: Pools, options: Options) -> Self {
        let shared =
            Shared { pools, inline: options.inline, clock: options.clock, poll_every: options.poll_every, wake: watch::Sender::new(0) };
        Self { shared: Arc::new(shared) }
    }

    /// A connection for queries of read models. Work asks [`crate::Unit::connection`] instead,
    /// which sees its own changes.
    ///
    /// # Errors
    /// When there is none to be had.
    pub async fn reader(&self) -> Result<Reader, StoreError> {
        self.shared.pools.reader().await
    }

    /// A transaction for tables that are no history.
    ///
    /// # Errors
    /// When the database is busy or cannot be reached.
    pub async fn begin(&self) -> Result<Transaction, StoreError> {
        self.shared.pools.begin().await
    }

    /// Reads a tenant's events from behind `after_position`, at most `limit` and at most
    /// [`READ_PAGE_MAX`], in order and without gaps.
    ///
    /// # Errors
    /// [`StoreError::Hole`] when a position is missing; whatever the database says.
    pub async fn read(&self, tenant: &TenantId, after_position: u64, limit: u32) -> Result<Vec<Recorded>, StoreError> {
        let mut reader = self.reader().await?;
        events::read(&mut reader.connection(), tenant, after_position, limit.min(READ_PAGE_MAX).into()).await
    }

    /// Reads one stream from behind `after_version`; see [`Log::read`].
    ///
    /// # Errors
    /// [`StoreError::StreamHole`] when a version is missing; whatever the database says.
    pub async fn read_stream(
        &self,
        tenant: &TenantId,
        stream: StreamId,
        after_version: u64,
        limit: u32,
    ) -> Result<Vec<Recorded>, StoreError> {
        let mut reader = self.reader().await?;
        events::read_stream(&mut reader.connection(), tenant, stream, after_version, limit.min(READ_PAGE_MAX).into()).await
    }

    /// The last position of a tenant's log; 0 when it is empty.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn head(&self, tenant: &TenantId) -> Result<u64, StoreError> {
        let mut reader = self.reader().await?;
        head::read(&mut reader.connection(), tenant).await
    }

    /// Whether the clock was set back behind the tenant's newest event; see
    /// [`crate::Unit::clock_ran_back`].
    ///
    /// # Errors
    /// When the newest event cannot be read.
    pub async fn clock_ran_back(&self, tenant: &TenantId) -> Result<bool, StoreError> {
        let before = self.head(tenant).await?.saturating_sub(1);
        let newest = self.read(tenant, before, 1).await?;
        Ok(newest.last().is_some_and(|newest| crate::unit::ran_back(newest.recorded_at, self.now())))
    }

    /// Every tenant that has a log, by name.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn tenants(&self) -> Result<Vec<TenantId>, StoreError> {
        let mut reader = self.reader().await?;
        head::tenants(&mut reader.connection()).await
    }

    /// Counts the commits of this process: changes when there may be something new to read. What
    /// another process commits does not show here, so a waiter also looks from time to time.
    #[must_use]
    pub fn commits(&self) -> watch::Receiver<u64> {
        self.shared.wake.subscribe()
    }

    /// The server's clock. Decisions take their time from [`crate::Unit::now`] instead.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.shared.clock.now()
    }

    /// Closes every connection; whatever is asked afterwards fails.
    pub async fn close(&self) {
        self.shared.pools.close().await;
    }
}
