//! An approval: one question to the owner, answered at most once.

use super::{Aggregate, Refusal, named};
use crate::event::{ApprovalAnsweredLate, ApprovalCancelled, ApprovalLapsed, ApprovalRequested, ApprovalResolved, Event, approval_stream};
use crate::id::TaskGrantId;
use crate::limits::{GRANT_ACTIONS_MAX, GRANT_CHARACTERS_MAX, GRANT_SECS};
use crate::scope::SiteScope;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};

named! {
    /// The owner's answers.
    Resolution {
        /// This act only.
        ApproveOnce = "approve_once",
        /// This act, and a task grant for what the offer says.
        ApproveForTask = "approve_for_task",
        /// No.
        Deny = "deny",
    }
}

named! {
    /// What became of an approval.
    ApprovalStatus {
        /// It waits for its owner.
        Pending = "pending",
        /// The owner said yes, once or for the task (APR-1).
        Approved = "approved",
        /// The owner said no.
        Denied = "denied",
        /// Nobody answered in time.
        Lapsed = "lapsed",
        /// Its run ended first.
        Cancelled = "cancelled",
    }
}

impl Resolution {
    /// The status that the answer leads to.
    #[must_use]
    pub const fn status(self) -> ApprovalStatus {
        match self {
            Self::ApproveOnce | Self::ApproveForTask => ApprovalStatus::Approved,
            Self::Deny => ApprovalStatus::Denied,
        }
    }

    /// Whether the answer comes with a task grant; the two stand or fall together (OFF-2).
    #[must_use]
    pub const fn grants_task(self) -> bool {
        matches!(self, Self::ApproveForTask)
    }
}

/// What the owner may allow beyond the act on the card. Written by the server from configuration;
/// the page chooses nothing in it (OFF-6).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offer {
    /// The configured scope's origin.
    pub origin: String,
    /// The configured scope's path prefix.
    pub path_prefix: String,
    /// The profile generation at the time of the offer; another one voids it (OFF-5).
    pub profile_generation: u64,
}

impl Offer {
    /// Offers a configured scope.
    #[must_use]
    pub fn of(scope: &SiteScope, profile_generation: u64) -> Self {
        Self { origin: scope.origin().to_owned(), path_prefix: scope.path_prefix(), profile_generation }
    }

    /// What the card says of it (OFF-8): what it allows, by what Hallpass knows danger, and that it
    /// can be stopped. It promises no more.
    #[must_use]
    pub fn text(&self) -> String {
        let host = self.origin.strip_prefix("https://").unwrap_or(&self.origin);
        format!(
            "Allow clicks and typing on {host}{} for {} minutes, up to {GRANT_ACTIONS_MAX} actions and {GRANT_CHARACTERS_MAX} typed characters. \
             Hallpass recognises payments, purchases, account changes and messages by the website's labels. \
             You can stop this permission at any time.",
            self.path_prefix,
            GRANT_SECS / 60,
        )
    }
}

/// The stages of an approval.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Approval {
    /// It was never requested.
    Unknown,
    /// It waits for its owner.
    Pending(Box<ApprovalRequested>),
    /// It is closed.
    Closed(Box<ApprovalRequested>, ApprovalStatus),
    /// Its history does not make sense.
    Quarantined,
}

impl Aggregate for Approval {
    fn initial() -> Self {
        Self::Unknown
    }

    fn evolve(self, event: &Event) -> Self {
        if self.request().is_some_and(|request| approval_stream(request.approval) != event.stream()) {
            return Self::Quarantined;
        }
        match (self, event) {
            (Self::Unknown, Event::ApprovalRequested(e)) => Self::Pending(Box::new(e.clone())),
            (Self::Pending(request), Event::ApprovalResolved(e)) if e.resolution.grants_task() == e.task_grant.is_some() => {
                Self::Closed(request, e.resolution.status())
            }
            (Self::Pending(request), Event::ApprovalLapsed(_)) => Self::Closed(request, ApprovalStatus::Lapsed),
            (Self::Pending(request), Event::ApprovalCancelled(_)) => Self::Closed(request, ApprovalStatus::Cancelled),
            (closed @ Self::Closed(_, ApprovalStatus::Lapsed | ApprovalStatus::Cancelled), Event::ApprovalAnsweredLate(_)) => closed,
            // The use of an approval that was given stands on its stream; it is for its own call only.
            (Self::Closed(request, ApprovalStatus::Approved), Event::ToolCallAuthorized(e)) if e.tool_call == request.tool_call => {
                Self::Closed(request, ApprovalStatus::Approved)
            }
            _ => Self::Quarantined,
        }
    }
}

impl Approval {
    /// The request, if it waits and its time is not over at `now`.
    ///
    /// # Errors
    /// Says what became of it. Past its time it has lapsed whether or not anybody wrote that down.
    pub fn pending(&self, now: Timestamp) -> Result<&ApprovalRequested, Refusal> {
        match self {
            Self::Pending(request) if now < request.expires_at => Ok(request),
            Self::Pending(_) | Self::Closed(_, ApprovalStatus::Lapsed) => Err(Refusal::ApprovalLapsed),
            Self::Closed(_, ApprovalStatus::Cancelled) => Err(Refusal::ApprovalCancelled),
            Self::Closed(..) => Err(Refusal::AlreadyResolved),
            Self::Unknown => Err(Refusal::NotFound),
            Self::Quarantined => Err(Refusal::Quarantined),
        }
    }

    /// Whether it was answered with yes.
    #[must_use]
    pub const fn is_approved(&self) -> bool {
        matches!(self, Self::Closed(_, ApprovalStatus::Approved))
    }

    /// The request, in whatever stage it is.
    #[must_use]
    pub const fn request(&self) -> Option<&ApprovalRequested> {
        match self {
            Self::Pending(request) | Self::Closed(request, _) => Some(request),
            Self::Unknown | Self::Quarantined => None,
        }
    }

    /// Records the answer. `approve_for_task` names the grant that it creates and no other answer
    /// does.
    ///
    /// # Errors
    /// As for [`Approval::pending`], and when the answer and the grant do not belong together.
    pub fn resolve(&self, now: Timestamp, resolution: Resolution, task_grant: Option<TaskGrantId>) -> Result<Vec<Event>, Refusal> {
        let approval = self.pending(now)?.approval;
        if resolution.grants_task() != task_grant.is_some() {
            return Err(Refusal::OfferDiffers);
        }
        Ok(vec![Event::ApprovalResolved(ApprovalResolved { approval, resolution, task_grant })])
    }

    /// What is recorded of an answer that came too late: the lapse, if nobody wrote it down yet,
    /// and the answer as what it is (APR-3). A second answer to an answered approval is no late
    /// answer and leaves no mark.
    #[must_use]
    pub fn late_answer(&self, now: Timestamp, resolution: Resolution) -> Vec<Event> {
        let Some(approval) = self.request().map(|request| request.approval) else { return Vec::new() };
        let late = Event::ApprovalAnsweredLate(ApprovalAnsweredLate { approval, resolution });
        match self {
            Self::Pending(request) if now >= request.expires_at => self.lapse(now).into_iter().chain([late]).collect(),
            Self::Closed(_, ApprovalStatus::Lapsed | ApprovalStatus::Cancelled) => vec![late],
            _ => Vec::new(),
        }
    }

    /// The reaper writes down that the time is over.
    #[must_use]
    pub fn lapse(&self, now: Timestamp) -> Vec<Event> {
        match self {
            Self::Pending(request) if now >= request.expires_at => {
                vec![Event::ApprovalLapsed(ApprovalLapsed { approval: request.approval })]
            }
            _ => Vec::new(),
        }
    }

    /// Its run ended, or its session was deleted.
    #[must_use]
    pub fn cancel(&self) -> Vec<Event> {
        match self {
            Self::Pending(request) => vec![Event::ApprovalCancelled(ApprovalCancelled { approval: request.approval })],
            _ => Vec::new(),
        }
    }
}
