//! Commands: how a unit of work is run, repeated and answered.

use crate::error::StoreError;
use crate::head::{self, Outcome};
use crate::limits::{COMMIT_LOOKUP_PAUSE_MILLIS, COMMIT_LOOKUPS_MAX, PERFORM_ATTEMPTS_MAX, PERFORM_PAUSE_MILLIS};
use crate::log::Log;
use crate::unit::{Scope, Unit};
use async_trait::async_trait;
use domain::decide::Refusal;
use domain::event::Actor;
use domain::id::{CommandId, TenantId};
use std::time::Duration;

/// What a command does: load, decide, append. It may be run more than once, when it loses to another
/// transaction, so it must not do anything outside the unit. It must not ask the [`Log`] either:
/// a second connection does not see the unit's own changes, and in memory there is no second one.
///
/// ```
/// use domain::decide::{run::Run, session::Session};
/// use domain::event::session_stream;
/// use domain::id::{PrincipalId, RunId, SessionId};
/// use eventlog::{Unit, Work, WorkError, async_trait};
///
/// struct StartRun {
///     principal: PrincipalId,
///     session: SessionId,
///     run: RunId,
/// }
///
/// #[async_trait]
/// impl Work for StartRun {
///     type Output = RunId;
///
///     async fn run(&self, unit: &mut Unit<'_>) -> Result<RunId, WorkError> {
///         let session: Session = unit.load(session_stream(self.session)).await?;
///         session.open_for(&self.principal)?;
///         let kind = domain::decide::run::RunKind::Interactive;
///         unit.append(Run::start(self.run, self.session, kind, None)?).await?;
///         Ok(self.run)
///     }
/// }
/// ```
#[async_trait]
pub trait Work: Send + Sync {
    /// What the caller learns.
    type Output: Send;

    /// Runs the command.
    ///
    /// # Errors
    /// A refusal or a failure; either way nothing of it is recorded.
    async fn run(&self, unit: &mut Unit<'_>) -> Result<Self::Output, WorkError>;
}

/// Why a command had no effect.
#[derive(Debug, thiserror::Error)]
pub enum WorkError {
    /// A rule said no.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What became of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Performed<T> {
    /// It was run and its events are durable.
    Done {
        /// What the work gave.
        output: T,
        /// The position of its first event; where it would be, when `count` is 0.
        first_position: u64,
        /// How many events it appended.
        count: u64,
    },
    /// It had been run before, under the same command id; nothing was run now.
    Already {
        /// The position of its first event.
        first_position: u64,
        /// How many events it appended.
        count: u64,
    },
}

impl<T> Performed<T> {
    /// What the work gave; `None` when it had been run before.
    #[must_use]
    pub fn output(self) -> Option<T> {
        match self {
            Self::Done { output, .. } => Some(output),
            Self::Already { .. } => None,
        }
    }

    /// The position of its first event.
    #[must_use]
    pub const fn first_position(&self) -> u64 {
        match self {
            Self::Done { first_position, .. } | Self::Already { first_position, .. } => *first_position,
        }
    }

    /// How many events it appended.
    #[must_use]
    pub const fn count(&self) -> u64 {
        match self {
            Self::Done { count, .. } | Self::Already { count, .. } => *count,
        }
    }
}

impl Log {
    /// Runs a command once. A command id that was recorded before is answered from the record.
    ///
    /// # Errors
    /// The work's refusal, or a failure of the store. [`StoreError::CommitUnknown`] is the only
    /// one after which the command may have taken effect; the same command again tells.
    pub async fn perform<W: Work + ?Sized>(
        &self,
        tenant: &TenantId,
        actor: &Actor,
        command: CommandId,
        work: &W,
    ) -> Result<Performed<W::Output>, WorkError> {
        let scope = Scope { tenant, actor, command, inline: &self.shared.inline };
        let mut attempt = 1;
        loop {
            match self.attempt(scope, work).await {
                Err(WorkError::Store(error)) if error.is_passing() && attempt < PERFORM_ATTEMPTS_MAX => {
                    tracing::debug!(%error, attempt, "running a command again");
                    pause(PERFORM_PAUSE_MILLIS, attempt).await;
                    attempt += 1;
                }
                answer => return answer,
            }
        }
    }

    /// One run in a transaction of its own. The head row is locked first, so the units of one
    /// tenant run one after the other; running several under one lock and one commit is where
    /// throughput comes from, and [`Unit`] is shaped for it.
    async fn attempt<W: Work + ?Sized>(&self, scope: Scope<'_>, work: &W) -> Result<Performed<W::Output>, WorkError> {
        let mut transaction = self.shared.pools.begin().await?;
        let mut conn = transaction.connection();
        let start = head::lock(&mut conn, scope.tenant).await?;
        if let Some(Outcome { first_position, count }) = head::outcome(&mut conn, scope.tenant, scope.command).await? {
            transaction.rollback().await?;
            return Ok(Performed::Already { first_position, count });
        }
        let mut unit = Unit::begin(conn, scope, start, self.shared.clock.now());
        let run = match work.run(&mut unit).await {
            Ok(output) => unit.finish().await.map(|outcome| (output, outcome)).map_err(WorkError::from),
            Err(error) => Err(error),
        };
        let (output, outcome) = match run {
            Ok(run) => run,
            Err(error) => {
                // Dropping it would undo it as well, only later; a failure here is one of a
                // connection that is gone, with everything that it had not committed.
                if let Err(failure) = transaction.rollback().await {
                    tracing::warn!(%failure, "could not roll back");
                }
                return Err(error);
            }
        };
        if let Err(error) = transaction.commit().await {
            self.learn_outcome(scope, error).await?;
        }
        self.shared.wake.send_modify(|commits| *commits = commits.wrapping_add(1));
        Ok(Performed::Done { output, first_position: outcome.first_position, count: outcome.count })
    }

    /// Learns whether a commit that failed took effect. The head's lock is taken first: as long as
    /// the lost transaction may still commit, it holds that lock.
    async fn learn_outcome(&self, scope: Scope<'_>, failed: StoreError) -> Result<(), StoreError> {
        for attempt in 1..=COMMIT_LOOKUPS_MAX {
            match self.committed(scope).await {
                Ok(true) => return Ok(()),
                Ok(false) => return Err(failed),
                Err(error) => tracing::warn!(%error, attempt, "could not learn whether a command was recorded"),
            }
            pause(COMMIT_LOOKUP_PAUSE_MILLIS, attempt).await;
        }
        Err(StoreError::CommitUnknown { command: scope.command })
    }

    async fn committed(&self, scope: Scope<'_>) -> Result<bool, StoreError> {
        let mut transaction = self.shared.pools.begin().await?;
        let mut conn = transaction.connection();
        head::lock(&mut conn, scope.tenant).await?;
        let found = head::outcome(&mut conn, scope.tenant, scope.command).await?.is_some();
        transaction.rollback().await?;
        Ok(found)
    }
}

async fn pause(first_millis: u64, attempt: u32) {
    let doubled = first_millis.saturating_mul(1_u64.checked_shl(attempt.saturating_sub(1)).unwrap_or(1));
    tokio::time::sleep(Duration::from_millis(doubled)).await;
}
