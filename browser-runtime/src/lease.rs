//! Leases: one browser for one session for a limited time, and a strict sequence of commands (RUN-2).
//!
//! One task owns one lease. It takes a closed set of commands from a bounded queue, so two commands
//! can never overlap, and a caller that goes away cannot stop one half way.

pub mod quarters;
pub mod registry;
mod steps;
mod task;

use crate::facts::Facts;
use crate::observation::{Observation, Page as Place};
use domain::browser::{Action, Constraint, Outcome};
use domain::coverage::Reason;
use domain::id::{ProfileId, SessionId, TenantId};
use domain::time::Timestamp;
use serde::Serialize;

/// What a lease is opened for.
#[derive(Clone, Debug)]
pub struct Terms {
    /// Whose browser it is.
    pub tenant: TenantId,
    /// The session that it serves.
    pub session: SessionId,
    /// The profile; without one the browser forgets everything at the end.
    pub profile: Option<ProfileKey>,
    /// Origins that documents may come from.
    pub allowed_origins: Vec<String>,
    /// Life in seconds.
    pub ttl_secs: u32,
}

/// A profile of one tenant. Nothing crosses tenants: the same id of another tenant is another profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProfileKey {
    /// The tenant.
    pub tenant: TenantId,
    /// The profile.
    pub id: ProfileId,
    /// Its generation when the lease was asked for.
    pub generation: u64,
}

/// The closed set of things that a lease does.
#[derive(Debug)]
pub enum Command {
    /// Open a page.
    Navigate {
        /// Its URL.
        url: String,
    },
    /// Look at the page.
    Observe,
    /// Act on it.
    Act(Order),
}

/// An act as the control plane ordered it.
#[derive(Debug)]
pub struct Order {
    /// The observation that named the element.
    pub revision: String,
    /// The element.
    pub element_ref: Option<String>,
    /// What to do.
    pub action: Action,
    /// The bounds of the grant behind it; without one it was approved by itself.
    pub constraint: Option<Constraint>,
}

/// How a command ended. The observation is for the agent; the facts beside it are not (RUN-5).
#[derive(Debug, Serialize)]
pub struct Answer {
    /// Completed, refused, failed or unknown.
    pub outcome: Outcome,
    /// A stable code.
    pub code: &'static str,
    /// Why a grant did not cover the act.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<Reason>,
    /// More, in our own words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The lease's sequence afterwards. A refusal leaves it where it was.
    pub sequence: u64,
    /// Where the page is afterwards, if it could be asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<Place>,
    /// What was observed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observation: Option<Observation>,
    /// Facts by reference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facts: Option<Facts>,
}

/// Codes of answers that no act gives; those of acts are in [`crate::act::code`].
pub mod code {
    /// The URL is not on an allowed origin, or is none.
    pub const ORIGIN_NOT_ALLOWED: &str = "tool.browser.origin_not_allowed";
    /// The navigation led off the allowed origins and was stopped there.
    pub const NAVIGATION_REFUSED: &str = "tool.browser.navigation_refused";
    /// The page could not be loaded.
    pub const NAVIGATION_FAILED: &str = "tool.browser.navigation_failed";
    /// Whether the page was loaded is not known.
    pub const NAVIGATION_UNCONFIRMED: &str = "tool.browser.navigation_unconfirmed";
    /// The browser, its page or a connection to it was lost; the lease has ended.
    pub const BROWSER_LOST: &str = "tool.browser.browser_lost";
    /// The lease was ended while the command ran.
    pub const LEASE_ENDED: &str = "tool.browser.lease_ended";
}

/// The present instant.
#[must_use]
pub fn now() -> Timestamp {
    Timestamp::from_micros(jiff::Timestamp::now().as_microsecond())
}
