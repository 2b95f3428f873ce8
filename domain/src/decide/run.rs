//! A run: one stretch of an agent's work inside a session.

use super::{Aggregate, Refusal, named};
use crate::event::{Event, RunEnded, RunStarted, run_stream};
use crate::id::{RunId, SessionId};

named! {
    /// How a run came about.
    RunKind {
        /// The owner is there.
        Interactive = "interactive",
        /// A schedule started it.
        Scheduled = "scheduled",
        /// Another run delegated it.
        Child = "child",
    }
}

/// The stages of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Run {
    /// It was never started.
    Unknown,
    /// It is going on.
    Active(ActiveRun),
    /// It is over.
    Ended(ActiveRun),
    /// Its history does not make sense.
    Quarantined,
}

/// What is true of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActiveRun {
    /// The run.
    pub run: RunId,
    /// Its session.
    pub session: SessionId,
    /// How it came about.
    pub kind: RunKind,
    /// The run that delegated it.
    pub parent: Option<RunId>,
}

impl Aggregate for Run {
    fn initial() -> Self {
        Self::Unknown
    }

    fn evolve(self, event: &Event) -> Self {
        if let Self::Active(run) = &self
            && event.stream() != run_stream(run.run)
        {
            return Self::Quarantined;
        }
        match (self, event) {
            (Self::Unknown, Event::RunStarted(e)) => {
                Self::Active(ActiveRun { run: e.run, session: e.session, kind: e.kind, parent: e.parent })
            }
            (Self::Active(run), Event::RunEnded(_)) => Self::Ended(run),
            _ => Self::Quarantined,
        }
    }
}

impl Run {
    /// The run, if it is going on.
    ///
    /// # Errors
    /// When it is missing, over or quarantined.
    pub const fn active(&self) -> Result<&ActiveRun, Refusal> {
        match self {
            Self::Active(run) => Ok(run),
            Self::Ended(_) => Err(Refusal::RunEnded),
            Self::Unknown => Err(Refusal::NotFound),
            Self::Quarantined => Err(Refusal::Quarantined),
        }
    }

    /// Starts a run. A child run names an active parent of the same session; no other kind does.
    ///
    /// # Errors
    /// When kind and parent do not fit.
    pub fn start(run: RunId, session: SessionId, kind: RunKind, parent: Option<&ActiveRun>) -> Result<Vec<Event>, Refusal> {
        let fits = match (kind, parent) {
            (RunKind::Child, Some(parent)) => parent.session == session,
            (RunKind::Child, None) => false,
            (_, parent) => parent.is_none(),
        };
        if !fits {
            return Err(Refusal::ParentRun);
        }
        let parent = parent.map(|parent| parent.run);
        Ok(vec![Event::RunStarted(RunStarted { run, session, kind, parent })])
    }

    /// Ends the run; ending it again changes nothing.
    ///
    /// # Errors
    /// When it never started.
    pub fn end(&self) -> Result<Vec<Event>, Refusal> {
        match self {
            Self::Active(run) => Ok(vec![Event::RunEnded(RunEnded { run: run.run })]),
            Self::Ended(_) => Ok(Vec::new()),
            Self::Unknown => Err(Refusal::NotFound),
            Self::Quarantined => Err(Refusal::Quarantined),
        }
    }
}

impl ActiveRun {
    /// Whether a task grant may be used in it: interactive and started by nobody else (GRA-3).
    #[must_use]
    pub const fn is_interactive_top_level(&self) -> bool {
        matches!(self.kind, RunKind::Interactive) && self.parent.is_none()
    }
}
