//! A task grant: one place, half an hour, two hundred acts, some typed text. It is used up by
//! events, ends exactly once, and nothing revives it.

use super::{Aggregate, named};
use crate::event::{Event, TaskGrantCreated, TaskGrantEnded, task_grant_stream};
use crate::id::{ApprovalId, PrincipalId, ProfileId, SessionId, TaskGrantId};
use crate::limits::{GRANT_ACTIONS_MAX, GRANT_CHARACTERS_MAX, GRANT_SECS};
use crate::scope::SiteScope;
use crate::time::Timestamp;

named! {
    /// Why a task grant ended (GRA-8).
    EndReason {
        /// Its half hour is over.
        Expired = "expired",
        /// Its actions are used up.
        Exhausted = "exhausted",
        /// The owner stopped it.
        Revoked = "revoked",
        /// A newer one took its place.
        Superseded = "superseded",
        /// Someone signed in on its profile.
        ProfileChanged = "profile_changed",
        /// Its profile was revoked or deleted.
        ProfileRevoked = "profile_revoked",
        /// The policy is another one.
        PolicyChanged = "policy_changed",
        /// The agent is another one.
        AgentChanged = "agent_changed",
        /// Its place is no longer configured.
        ScopeRemoved = "scope_removed",
    }
}

/// Everything that a grant is bound to (GRA-1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pins {
    /// Whose session it is.
    pub principal: PrincipalId,
    /// The chat session.
    pub session: SessionId,
    /// The browser profile.
    pub profile: ProfileId,
    /// The profile's generation.
    pub profile_generation: u64,
    /// The agent's version.
    pub agent_version: String,
    /// The policy's version.
    pub policy_version: String,
    /// The place.
    pub scope: SiteScope,
    /// When it was created.
    pub created_at: Timestamp,
    /// From this instant on it is expired.
    pub expires_at: Timestamp,
    /// How many acts it may authorize.
    pub actions_max: u32,
    /// The approval that created it.
    pub approval: ApprovalId,
}

/// The stages of a task grant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TaskGrant {
    /// It was never created.
    Unknown,
    /// It can be used, within its limits.
    Active(ActiveGrant),
    /// It is over.
    Ended(ActiveGrant, EndReason),
    /// Its history does not make sense.
    Quarantined,
}

/// What is true of a grant in use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActiveGrant {
    /// The grant.
    pub task_grant: TaskGrantId,
    /// What it is bound to.
    pub pins: Pins,
    /// Acts authorized so far.
    pub actions_used: u32,
    /// Unicode scalar values typed so far.
    pub characters_used: u32,
}

impl Aggregate for TaskGrant {
    fn initial() -> Self {
        Self::Unknown
    }

    fn evolve(self, event: &Event) -> Self {
        if let Self::Active(grant) | Self::Ended(grant, _) = &self
            && event.stream() != task_grant_stream(grant.task_grant)
        {
            return Self::Quarantined;
        }
        match (self, event) {
            (Self::Unknown, Event::TaskGrantCreated(e)) if e.pins.are_within_limits() => {
                Self::Active(ActiveGrant { task_grant: e.task_grant, pins: e.pins.clone(), actions_used: 0, characters_used: 0 })
            }
            (Self::Active(grant), Event::ToolCallAuthorized(e)) => grant.after_use(e.use_ordinal, e.typed_characters),
            (Self::Active(grant), Event::TaskGrantEnded(e)) => Self::Ended(grant, e.reason),
            _ => Self::Quarantined,
        }
    }
}

impl ActiveGrant {
    /// Acts left.
    #[must_use]
    pub const fn actions_remaining(&self) -> u32 {
        self.pins.actions_max.saturating_sub(self.actions_used)
    }

    /// Unicode scalar values left.
    #[must_use]
    pub const fn characters_remaining(&self) -> u32 {
        GRANT_CHARACTERS_MAX.saturating_sub(self.characters_used)
    }

    fn after_use(self, ordinal: u32, characters: u32) -> TaskGrant {
        let actions_used = self.actions_used.saturating_add(1);
        let characters_used = self.characters_used.saturating_add(characters);
        let possible = ordinal == actions_used && actions_used <= self.pins.actions_max && characters_used <= GRANT_CHARACTERS_MAX;
        if possible { TaskGrant::Active(Self { actions_used, characters_used, ..self }) } else { TaskGrant::Quarantined }
    }
}

impl Pins {
    /// The time box of a grant that is resolved at `now`.
    #[must_use]
    pub const fn time_box(now: Timestamp) -> (Timestamp, Timestamp) {
        (now, now.plus_seconds(GRANT_SECS))
    }

    /// Whether the time box and the action cap are no wider than any grant may have. Wider ones
    /// were never decided, so a history that holds one does not make sense.
    #[must_use]
    pub fn are_within_limits(&self) -> bool {
        self.expires_at <= self.created_at.plus_seconds(GRANT_SECS) && self.actions_max <= GRANT_ACTIONS_MAX
    }
}

impl TaskGrant {
    /// The grant, while no end is recorded. It may be expired all the same: whoever uses it
    /// compares the time.
    #[must_use]
    pub const fn active(&self) -> Option<&ActiveGrant> {
        match self {
            Self::Active(grant) => Some(grant),
            _ => None,
        }
    }

    /// Creates a grant.
    #[must_use]
    pub fn create(task_grant: TaskGrantId, pins: Pins) -> Vec<Event> {
        vec![Event::TaskGrantCreated(TaskGrantCreated { task_grant, pins })]
    }

    /// Ends the grant; one that is over stays as it ended, so it ends exactly once (GRA-8). A grant
    /// whose time was over before is recorded as expired, whatever else would end it now.
    #[must_use]
    pub fn end(&self, now: Timestamp, reason: EndReason) -> Vec<Event> {
        let Some(grant) = self.active() else { return Vec::new() };
        let reason = if now >= grant.pins.expires_at { EndReason::Expired } else { reason };
        vec![Event::TaskGrantEnded(TaskGrantEnded { task_grant: grant.task_grant, reason })]
    }

    /// The sweep writes down that the time is over.
    #[must_use]
    pub fn sweep(&self, now: Timestamp) -> Vec<Event> {
        match self.active() {
            Some(grant) if now >= grant.pins.expires_at => self.end(now, EndReason::Expired),
            _ => Vec::new(),
        }
    }
}
