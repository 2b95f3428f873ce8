//! What each event carries: what deciding and reading need later, and nothing that can be derived.

use crate::browser::{GrantKind, Outcome};
use crate::classify::Consequence;
use crate::coverage::Reason;
use crate::decide::approval::{Offer, Resolution};
use crate::decide::profile::SignInKind;
use crate::decide::run::RunKind;
use crate::decide::session::{Author, Surface};
use crate::decide::task_grant::{EndReason, Pins};
use crate::id::{ApprovalId, PrincipalId, ProfileId, RunId, SessionId, SignInId, StandingGrantId, TaskGrantId, ToolCallId};
use crate::time::Timestamp;
use crate::view::ApprovalView;

/// `session.opened`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionOpened {
    /// The session.
    pub session: SessionId,
    /// Whose session it is.
    pub principal: PrincipalId,
    /// Where the chat takes place.
    pub surface: Surface,
    /// The trusted profile binding; only session creation writes it (GRA-3).
    pub profile: Option<ProfileId>,
    /// The schedule that opened it, if one.
    pub schedule: Option<String>,
    /// Origins that documents may come from.
    pub allowed_origins: Vec<String>,
}

/// `message.received`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageReceived {
    /// The session.
    pub session: SessionId,
    /// Who wrote it, proven by the token that sent it.
    pub author: Author,
    /// The text.
    pub text: String,
}

/// `session.turn_left_browser`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnLeftBrowser {
    /// The session.
    pub session: SessionId,
    /// The tool that was used.
    pub tool: String,
}

/// `session.deleted`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionDeleted {
    /// The session.
    pub session: SessionId,
}

/// `run.started`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunStarted {
    /// The run.
    pub run: RunId,
    /// Its session.
    pub session: SessionId,
    /// How it came about.
    pub kind: RunKind,
    /// The run that delegated it.
    pub parent: Option<RunId>,
}

/// `run.ended`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunEnded {
    /// The run.
    pub run: RunId,
}

/// `tool.call.requested`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolCallRequested {
    /// The call.
    pub tool_call: ToolCallId,
    /// Its run.
    pub run: RunId,
    /// Its session.
    pub session: SessionId,
    /// The tool, unwrapped.
    pub tool: String,
    /// What kind of act, for `browser.act`. Arguments stay out: they may hold a secret that the
    /// page's field kind reveals only later.
    pub action: Option<String>,
}

/// What stood behind a tool call that was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Authority {
    /// An approval card.
    Approval(ApprovalId),
    /// A task grant.
    TaskGrant(TaskGrantId),
    /// The pinned standing grant.
    StandingGrant(StandingGrantId),
}

impl Authority {
    /// The `authorization_kind` of the log and the API.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Approval(_) => "approval",
            Self::TaskGrant(_) => GrantKind::Task.as_str(),
            Self::StandingGrant(_) => GrantKind::Standing.as_str(),
        }
    }
}

/// `tool.call.authorized`, on the stream of the authority that was used (AUT-5).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolCallAuthorized {
    /// The call.
    pub tool_call: ToolCallId,
    /// Its run.
    pub run: RunId,
    /// Its session.
    pub session: SessionId,
    /// What allowed it.
    pub authority: Authority,
    /// Which use of the grant this is, from 1; 0 for an approval.
    pub use_ordinal: u32,
    /// Actions left afterwards; 0 for an approval.
    pub actions_remaining: u32,
    /// Typed characters left afterwards; 0 for an approval.
    pub characters_remaining: u32,
    /// Characters that this call types.
    pub typed_characters: u32,
    /// What the card showed or would have shown.
    pub view: ApprovalView,
    /// What the classifier said.
    pub consequence: Consequence,
    /// The classifier's version.
    pub classifier_version: String,
}

/// `tool.call.dispatched`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolCallDispatched {
    /// The call.
    pub tool_call: ToolCallId,
}

/// `tool.call.finished`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolCallFinished {
    /// The call.
    pub tool_call: ToolCallId,
    /// How it ended.
    pub outcome: Outcome,
    /// A stable code, empty when it completed without remark.
    pub code: String,
    /// Why a grant did not fit the live page, for `tool.browser.grant_not_applicable`.
    pub reasons: Vec<Reason>,
}

/// `approval.requested`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApprovalRequested {
    /// The approval.
    pub approval: ApprovalId,
    /// The call that waits.
    pub tool_call: ToolCallId,
    /// Its run.
    pub run: RunId,
    /// Its session.
    pub session: SessionId,
    /// What the card shows.
    pub view: ApprovalView,
    /// What the owner may allow beyond this act.
    pub offer: Option<Offer>,
    /// Why an active grant did not cover the act (COV-10).
    pub reasons: Vec<Reason>,
    /// Binds the answer to the arguments and the facts shown (APR-2).
    pub digest: Vec<u8>,
    /// When it lapses.
    pub expires_at: Timestamp,
}

/// `approval.resolved`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApprovalResolved {
    /// The approval.
    pub approval: ApprovalId,
    /// The answer.
    pub resolution: Resolution,
    /// The grant that the answer created.
    pub task_grant: Option<TaskGrantId>,
}

/// `approval.lapsed`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApprovalLapsed {
    /// The approval.
    pub approval: ApprovalId,
}

/// `approval.cancelled`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApprovalCancelled {
    /// The approval.
    pub approval: ApprovalId,
}

/// `approval.answered_late`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApprovalAnsweredLate {
    /// The approval.
    pub approval: ApprovalId,
    /// The answer that came too late.
    pub resolution: Resolution,
}

/// `browser.task_grant.created`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskGrantCreated {
    /// The grant.
    pub task_grant: TaskGrantId,
    /// Everything that it is bound to (GRA-1).
    pub pins: Pins,
}

/// `browser.task_grant.ended`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskGrantEnded {
    /// The grant.
    pub task_grant: TaskGrantId,
    /// Why.
    pub reason: EndReason,
}

/// `browser.profile.created`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProfileCreated {
    /// The profile.
    pub profile: ProfileId,
    /// Whose accounts it holds.
    pub principal: PrincipalId,
    /// What the owner calls it.
    pub name: String,
}

/// `browser.profile.sign_in_began`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignInBegan {
    /// The profile.
    pub profile: ProfileId,
    /// The sign-in.
    pub sign_in: SignInId,
    /// Where it takes place.
    pub kind: SignInKind,
}

/// `browser.profile.sign_in_ready`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignInReady {
    /// The profile.
    pub profile: ProfileId,
    /// The sign-in.
    pub sign_in: SignInId,
}

/// `browser.profile.revoked`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProfileRevoked {
    /// The profile.
    pub profile: ProfileId,
}

/// `browser.profile.deleted`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProfileDeleted {
    /// The profile.
    pub profile: ProfileId,
}
