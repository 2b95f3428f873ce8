//! All leases of this runtime: opening, finding, and ending each of them.

use super::quarters::{Quarters, QuartersError};
use super::task::{self, Call, Lease, Rejected};
use super::{Answer, Command, Terms, now};
use crate::driver::Launch;
use domain::id::LeaseId;
use domain::scope::HostRule;
use domain::time::Timestamp;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot, watch};
use uuid::Uuid;

/// Browsers at once. Each takes some hundred megabytes.
pub const LEASES_MAX: usize = 16;
/// Commands that may wait for one lease.
const QUEUE_MAX: usize = 16;

/// The leases. Ends them all when shut down.
#[derive(Debug)]
pub struct Registry {
    settings: Place,
    room: Arc<Semaphore>,
    leases: Mutex<HashMap<LeaseId, Entry>>,
}

/// What every browser of this runtime has in common.
#[derive(Clone, Debug)]
pub struct Place {
    /// The Chromium program.
    pub chromium: PathBuf,
    /// The ChromeDriver program.
    pub chromedriver: PathBuf,
    /// Where profiles and records live.
    pub state_dir: PathBuf,
    /// Whether loopback origins may be driven.
    pub hosts: HostRule,
}

#[derive(Debug)]
struct Entry {
    calls: mpsc::Sender<Call>,
    revoke: Arc<watch::Sender<bool>>,
    /// Closes when the lease's browser is gone.
    gone: watch::Receiver<()>,
}

/// A lease that was opened.
#[derive(Clone, Copy, Debug)]
pub struct Opened {
    /// Its id.
    pub id: LeaseId,
    /// When it ends by itself.
    pub expires_at: Timestamp,
}

/// Why a call was not taken. Nothing was dispatched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unavailable {
    /// No such lease, or it has ended.
    UnknownLease,
    /// The sequence was applied before.
    SequenceApplied {
        /// The last one applied.
        last: u64,
    },
    /// The sequence leaves some out.
    SequenceGap {
        /// The last one applied.
        last: u64,
    },
    /// The profile belongs to another lease at the moment.
    ProfileInUse,
    /// Too many calls wait.
    QueueFull,
    /// Too many browsers run.
    NoRoom,
    /// No browser came up.
    BrowserDidNotStart,
}

impl Registry {
    /// An empty registry.
    #[must_use]
    pub fn new(settings: Place) -> Arc<Self> {
        Arc::new(Self { settings, room: Arc::new(Semaphore::new(LEASES_MAX)), leases: Mutex::new(HashMap::new()) })
    }

    /// Which hosts may be driven.
    #[must_use]
    pub fn hosts(&self) -> HostRule {
        self.settings.hosts
    }

    /// How many leases there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.entries().len()
    }

    /// Opens a lease with a browser of its own.
    ///
    /// # Errors
    /// See [`Unavailable`].
    pub async fn open(self: &Arc<Self>, terms: Terms) -> Result<Opened, Unavailable> {
        let room = self.room.clone().try_acquire_owned().map_err(|_| Unavailable::NoRoom)?;
        let id = LeaseId::from_uuid(Uuid::now_v7());
        let quarters = Quarters::take(&self.settings.state_dir, id, terms.profile.as_ref()).map_err(|error| match error {
            QuartersError::ProfileInUse => Unavailable::ProfileInUse,
            QuartersError::Disk(error) => {
                tracing::error!(%error, "the state directory cannot be used");
                Unavailable::BrowserDidNotStart
            }
        })?;
        let launch = Launch {
            chromium: self.settings.chromium.clone(),
            chromedriver: self.settings.chromedriver.clone(),
            scratch_dir: quarters.scratch_dir().to_owned(),
            profile_dir: quarters.profile_dir().to_owned(),
        };
        let lease = Lease::start(&launch, &terms, self.settings.hosts, quarters).await.map_err(|error| {
            tracing::error!(%error, "no browser for a lease");
            Unavailable::BrowserDidNotStart
        })?;
        let expires_at = now().plus_seconds(i64::from(terms.ttl_secs));
        self.enter(id, lease, &terms, room);
        tracing::info!(lease = %id, session = %terms.session, tenant = %terms.tenant, "lease opened");
        Ok(Opened { id, expires_at })
    }

    /// Runs one command on a lease.
    ///
    /// # Errors
    /// See [`Unavailable`].
    pub async fn run(&self, id: LeaseId, sequence: u64, command: Command) -> Result<Answer, Unavailable> {
        let calls = self.entries().get(&id).map(|entry| entry.calls.clone()).ok_or(Unavailable::UnknownLease)?;
        let (done, wait) = oneshot::channel();
        calls.try_send(Call { sequence, command, done }).map_err(|error| match error {
            TrySendError::Full(_) => Unavailable::QueueFull,
            TrySendError::Closed(_) => Unavailable::UnknownLease,
        })?;
        // A call that was still waiting when the lease ended is dropped: nothing was dispatched.
        wait.await.unwrap_or(Err(Rejected::Ended)).map_err(|rejected| match rejected {
            Rejected::Applied { last } => Unavailable::SequenceApplied { last },
            Rejected::Gap { last } => Unavailable::SequenceGap { last },
            Rejected::Ended => Unavailable::UnknownLease,
        })
    }

    /// Ends a lease, also in the middle of a command, and returns when its browser is gone. `false`
    /// when there is no such lease.
    pub async fn close(&self, id: LeaseId) -> bool {
        let Some((revoke, mut gone)) = self.entries().get(&id).map(|entry| (entry.revoke.clone(), entry.gone.clone())) else {
            return false;
        };
        revoke.send_replace(true);
        // Nothing is ever sent there, so this ends when the other side does.
        drop(gone.changed().await);
        true
    }

    /// Ends every lease and takes no more.
    pub async fn shut_down(&self) {
        self.room.close();
        let all: Vec<LeaseId> = self.entries().keys().copied().collect();
        futures_util::future::join_all(all.into_iter().map(|id| self.close(id))).await;
    }

    fn enter(self: &Arc<Self>, id: LeaseId, lease: Lease, terms: &Terms, room: OwnedSemaphorePermit) {
        let (calls, queue) = mpsc::channel(QUEUE_MAX);
        let (revoke, revoked) = watch::channel(false);
        let (end, gone) = watch::channel(());
        self.entries().insert(id, Entry { calls, revoke: Arc::new(revoke), gone });
        // A runtime that shut down meanwhile has not seen this lease.
        if self.room.is_closed()
            && let Some(entry) = self.entries().get(&id)
        {
            entry.revoke.send_replace(true);
        }
        let registry = self.clone();
        let ttl = std::time::Duration::from_secs(terms.ttl_secs.into());
        tokio::spawn(async move {
            let why = task::serve(lease, queue, revoked, ttl).await;
            registry.entries().remove(&id);
            tracing::info!(lease = %id, ?why, "lease ended");
            drop((end, room));
        });
    }

    fn entries(&self) -> MutexGuard<'_, HashMap<LeaseId, Entry>> {
        self.leases.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
