//! A unit of work: load, decide, append, all or nothing.

use crate::conn::Conn;
use crate::error::StoreError;
use crate::events;
use crate::head::{self, Head, Outcome};
use crate::limits::CLOCK_BEHIND_SECS_MAX;
use crate::projection::Inline;
use domain::decide::{Aggregate, Facts};
use domain::event::{Actor, Event, Recorded, StreamId};
use domain::id::{CommandId, TenantId};
use domain::time::Timestamp;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Everything that one command may see and do. It borrows its connection and does not end its own
/// transaction, so several units can share one behind savepoints.
pub struct Unit<'t> {
    conn: Conn<'t>,
    scope: Scope<'t>,
    start: Head,
    now: Timestamp,
    clock: Timestamp,
    appended: u64,
    versions: BTreeMap<StreamId, u64>,
    broken: bool,
}

/// On whose behalf a unit runs, and what follows its events.
#[derive(Clone, Copy)]
pub(crate) struct Scope<'t> {
    pub(crate) tenant: &'t TenantId,
    pub(crate) actor: &'t Actor,
    pub(crate) command: CommandId,
    pub(crate) inline: &'t [Arc<dyn Inline>],
}

impl<'t> Unit<'t> {
    /// Begins a unit under the lock of the head. Time never runs backwards inside a log: a clock
    /// that was set back reads as the time of the last event.
    pub(crate) fn begin(conn: Conn<'t>, scope: Scope<'t>, start: Head, clock: Timestamp) -> Self {
        Self { conn, scope, start, now: clock.max(start.recorded_at), clock, appended: 0, versions: BTreeMap::new(), broken: false }
    }

    /// The time of this unit and of every event in it.
    #[must_use]
    pub const fn now(&self) -> Timestamp {
        self.now
    }

    /// Whether the clock was set back, by more than clocks of one log differ. The time of this unit
    /// then stands still until the clock has caught up, so a span of time is longer than it seems.
    #[must_use]
    pub fn clock_ran_back(&self) -> bool {
        ran_back(self.start.recorded_at, self.clock)
    }

    /// Whose log it is.
    #[must_use]
    pub const fn tenant(&self) -> &TenantId {
        self.scope.tenant
    }

    /// What every rule is given first.
    #[must_use]
    pub fn facts(&self) -> Facts {
        Facts { now: self.now, actor: self.scope.actor.clone() }
    }

    /// The connection of this unit, for read models that belong to it.
    pub fn connection(&mut self) -> Conn<'_> {
        self.conn.reborrow()
    }

    /// Folds a stream, with whatever this unit has appended to it.
    ///
    /// # Errors
    /// When it cannot be read, or an event of it is not understood.
    pub async fn load<A: Aggregate>(&mut self, stream: StreamId) -> Result<A, StoreError> {
        let history = events::read_stream(&mut self.conn, self.scope.tenant, stream, 0, i64::MAX.unsigned_abs()).await?;
        let version = history.last().map_or(0, |last| last.version);
        self.versions.insert(stream, version);
        Ok(A::fold(history.iter().map(|recorded| &recorded.event)))
    }

    /// Reads the tenant's events from behind `after_position`, at most `limit`, with whatever this
    /// unit has appended.
    ///
    /// # Errors
    /// As for [`crate::Log::read`].
    pub async fn read(&mut self, after_position: u64, limit: u32) -> Result<Vec<Recorded>, StoreError> {
        events::read(&mut self.conn, self.scope.tenant, after_position, limit.into()).await
    }

    /// The version of a stream; 0 for one without events. Asking counts as having seen it.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn version(&mut self, stream: StreamId) -> Result<u64, StoreError> {
        let version = events::version(&mut self.conn, self.scope.tenant, stream).await?;
        self.versions.insert(stream, version);
        Ok(version)
    }

    /// Appends events in order, each to its own stream. A stream that this unit has not looked at
    /// must be new: nobody can decide on a history that they have not seen.
    ///
    /// # Errors
    /// [`StoreError::VersionConflict`] for a stream that is not new; whatever an inline projection
    /// or the database says. After an error nothing of the unit is recorded.
    pub async fn append(&mut self, events: Vec<Event>) -> Result<Vec<Recorded>, StoreError> {
        let appended = self.append_all(events).await;
        self.broken |= appended.is_err();
        appended
    }

    /// Appends events to one stream that must be at `expected`.
    ///
    /// # Errors
    /// [`StoreError::VersionConflict`] with the version that is there, [`StoreError::WrongStream`]
    /// for an event of another stream, and as for [`Unit::append`].
    pub async fn append_expecting(&mut self, stream: StreamId, expected: u64, events: Vec<Event>) -> Result<Vec<Recorded>, StoreError> {
        let actual = self.version(stream).await?;
        if actual != expected {
            self.broken = true;
            return Err(StoreError::VersionConflict { stream, expected, actual });
        }
        if let Some(stray) = events.iter().map(Event::stream).find(|actual| *actual != stream) {
            self.broken = true;
            return Err(StoreError::WrongStream { named: stream, actual: stray });
        }
        self.append(events).await
    }

    async fn append_all(&mut self, events: Vec<Event>) -> Result<Vec<Recorded>, StoreError> {
        let mut appended = Vec::with_capacity(events.len());
        for event in events {
            let recorded = self.place(event).await?;
            events::insert(&mut self.conn, self.scope.tenant, self.scope.command, &recorded).await?;
            self.appended = self.appended.saturating_add(1);
            self.versions.insert(recorded.stream, recorded.version);
            for projection in self.scope.inline {
                projection.apply(&mut self.conn, self.scope.tenant, &recorded).await?;
            }
            appended.push(recorded);
        }
        Ok(appended)
    }

    async fn place(&mut self, event: Event) -> Result<Recorded, StoreError> {
        let stream = event.stream();
        let seen = match self.versions.get(&stream) {
            Some(seen) => *seen,
            None => match self.version(stream).await? {
                0 => 0,
                actual => return Err(StoreError::VersionConflict { stream, expected: 0, actual }),
            },
        };
        Ok(Recorded {
            position: self.start.position.saturating_add(self.appended).saturating_add(1),
            stream,
            version: seen.saturating_add(1),
            recorded_at: self.now,
            actor: self.scope.actor.clone(),
            event,
        })
    }

    /// Writes the end of the unit: the head's new place and what the command came to.
    pub(crate) async fn finish(mut self) -> Result<Outcome, StoreError> {
        if self.broken {
            return Err(StoreError::Broken);
        }
        let outcome = Outcome { first_position: self.start.position.saturating_add(1), count: self.appended };
        if self.appended > 0 {
            let end = Head { position: self.start.position.saturating_add(self.appended), recorded_at: self.now };
            head::advance(&mut self.conn, self.scope.tenant, self.start, end).await?;
        }
        head::record(&mut self.conn, self.scope.tenant, self.scope.command, outcome).await?;
        Ok(outcome)
    }
}

/// Whether `clock` is far behind the time of an event that is recorded.
pub(crate) fn ran_back(recorded_at: Timestamp, clock: Timestamp) -> bool {
    recorded_at > clock.plus_seconds(CLOCK_BEHIND_SECS_MAX)
}
