//! The closed vocabulary of the log: what happened, in words that an owner would use.
//!
//! An event carries what deciding and reading need later and nothing that can be derived. Text that
//! a website wrote appears only inside an [`ApprovalView`]; typed secrets appear nowhere (VIE-4).

mod payloads;

pub use payloads::*;

use crate::id::{ApprovalId, PrincipalId, ProfileId, RunId, SessionId, TaskGrantId, ToolCallId};
use crate::time::Timestamp;
use uuid::Uuid;

/// One fact of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A chat session was opened with its bindings, which nothing changes later.
    SessionOpened(SessionOpened),
    /// A message arrived in a session.
    MessageReceived(MessageReceived),
    /// The turn used a tool other than the browser's, so no grant applies until the owner writes.
    TurnLeftBrowser(TurnLeftBrowser),
    /// The session was deleted.
    SessionDeleted(SessionDeleted),
    /// A run of an agent began.
    RunStarted(RunStarted),
    /// A run ended.
    RunEnded(RunEnded),
    /// An agent proposed a tool call.
    ToolCallRequested(ToolCallRequested),
    /// Someone's authority was used for a tool call.
    ToolCallAuthorized(ToolCallAuthorized),
    /// The intent to send an act, durable before it is sent.
    ToolCallDispatched(ToolCallDispatched),
    /// A tool call ended.
    ToolCallFinished(ToolCallFinished),
    /// A question was put to the owner.
    ApprovalRequested(ApprovalRequested),
    /// The owner answered.
    ApprovalResolved(ApprovalResolved),
    /// Nobody answered in time.
    ApprovalLapsed(ApprovalLapsed),
    /// The question became pointless.
    ApprovalCancelled(ApprovalCancelled),
    /// An answer came after the question was closed; it changed nothing.
    ApprovalAnsweredLate(ApprovalAnsweredLate),
    /// The owner allowed a task.
    TaskGrantCreated(TaskGrantCreated),
    /// A task grant ended.
    TaskGrantEnded(TaskGrantEnded),
    /// A browser profile was created.
    ProfileCreated(ProfileCreated),
    /// A sign-in began.
    SignInBegan(SignInBegan),
    /// A sign-in became ready.
    SignInReady(SignInReady),
    /// A profile was revoked.
    ProfileRevoked(ProfileRevoked),
    /// A profile was deleted.
    ProfileDeleted(ProfileDeleted),
}

/// Who caused an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Actor {
    /// The owner, by one of their tokens or the console.
    Owner(PrincipalId),
    /// An agent's token, acting for a principal.
    Agent(PrincipalId),
    /// Hallpass itself: sweeps, recovery, dispatch.
    System,
}

/// The stream of an event: one aggregate's history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StreamId {
    /// The kind of aggregate.
    pub category: Category,
    /// The aggregate's own id.
    pub id: Uuid,
}

/// The kinds of aggregate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
    /// See [`crate::decide::session`].
    Session,
    /// See [`crate::decide::run`].
    Run,
    /// See [`crate::decide::tool_call`].
    ToolCall,
    /// See [`crate::decide::approval`].
    Approval,
    /// See [`crate::decide::task_grant`].
    TaskGrant,
    /// See [`crate::decide::profile`].
    Profile,
}

impl Category {
    /// Every category, for decoding.
    pub const ALL: [Self; 6] = [Self::Session, Self::Run, Self::ToolCall, Self::Approval, Self::TaskGrant, Self::Profile];

    /// The name in the log.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Session => "session",
            Self::Run => "run",
            Self::ToolCall => "tool_call",
            Self::Approval => "approval",
            Self::TaskGrant => "browser_task_grant",
            Self::Profile => "browser_profile",
        }
    }
}

/// An event with its place in the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// Place in the tenant's log, from 1 without gaps.
    pub position: u64,
    /// Whose history it belongs to.
    pub stream: StreamId,
    /// Place in that history, from 1 without gaps.
    pub version: u64,
    /// When it was recorded, by the server's clock.
    pub recorded_at: Timestamp,
    /// Who caused it.
    pub actor: Actor,
    /// What happened.
    pub event: Event,
}

impl Event {
    /// The event's type in the log and the API.
    #[must_use]
    pub const fn type_name(&self) -> &'static str {
        match self {
            Self::SessionOpened(_) => "session.opened",
            Self::MessageReceived(_) => "message.received",
            Self::TurnLeftBrowser(_) => "session.turn_left_browser",
            Self::SessionDeleted(_) => "session.deleted",
            Self::RunStarted(_) => "run.started",
            Self::RunEnded(_) => "run.ended",
            Self::ToolCallRequested(_) => "tool.call.requested",
            Self::ToolCallAuthorized(_) => "tool.call.authorized",
            Self::ToolCallDispatched(_) => "tool.call.dispatched",
            Self::ToolCallFinished(_) => "tool.call.finished",
            Self::ApprovalRequested(_) => "approval.requested",
            Self::ApprovalResolved(_) => "approval.resolved",
            Self::ApprovalLapsed(_) => "approval.lapsed",
            Self::ApprovalCancelled(_) => "approval.cancelled",
            Self::ApprovalAnsweredLate(_) => "approval.answered_late",
            Self::TaskGrantCreated(_) => "browser.task_grant.created",
            Self::TaskGrantEnded(_) => "browser.task_grant.ended",
            Self::ProfileCreated(_) => "browser.profile.created",
            Self::SignInBegan(_) => "browser.profile.sign_in_began",
            Self::SignInReady(_) => "browser.profile.sign_in_ready",
            Self::ProfileRevoked(_) => "browser.profile.revoked",
            Self::ProfileDeleted(_) => "browser.profile.deleted",
        }
    }

    /// The stream that the event belongs to.
    #[must_use]
    pub const fn stream(&self) -> StreamId {
        match self {
            Self::SessionOpened(e) => session_stream(e.session),
            Self::MessageReceived(e) => session_stream(e.session),
            Self::TurnLeftBrowser(e) => session_stream(e.session),
            Self::SessionDeleted(e) => session_stream(e.session),
            Self::RunStarted(e) => run_stream(e.run),
            Self::RunEnded(e) => run_stream(e.run),
            Self::ToolCallRequested(e) => tool_call_stream(e.tool_call),
            Self::ToolCallAuthorized(e) => match e.authority {
                Authority::Approval(id) => approval_stream(id),
                Authority::TaskGrant(id) => task_grant_stream(id),
                // A standing grant is configuration, not an aggregate: its uses stand with the call.
                Authority::StandingGrant(_) => tool_call_stream(e.tool_call),
            },
            Self::ToolCallDispatched(e) => tool_call_stream(e.tool_call),
            Self::ToolCallFinished(e) => tool_call_stream(e.tool_call),
            Self::ApprovalRequested(e) => approval_stream(e.approval),
            Self::ApprovalResolved(e) => approval_stream(e.approval),
            Self::ApprovalLapsed(e) => approval_stream(e.approval),
            Self::ApprovalCancelled(e) => approval_stream(e.approval),
            Self::ApprovalAnsweredLate(e) => approval_stream(e.approval),
            Self::TaskGrantCreated(e) => task_grant_stream(e.task_grant),
            Self::TaskGrantEnded(e) => task_grant_stream(e.task_grant),
            Self::ProfileCreated(e) => profile_stream(e.profile),
            Self::SignInBegan(e) => profile_stream(e.profile),
            Self::SignInReady(e) => profile_stream(e.profile),
            Self::ProfileRevoked(e) => profile_stream(e.profile),
            Self::ProfileDeleted(e) => profile_stream(e.profile),
        }
    }
}

/// The stream of a session.
#[must_use]
pub const fn session_stream(id: SessionId) -> StreamId {
    StreamId { category: Category::Session, id: *id.as_uuid() }
}

/// The stream of a run.
#[must_use]
pub const fn run_stream(id: RunId) -> StreamId {
    StreamId { category: Category::Run, id: *id.as_uuid() }
}

/// The stream of a tool call.
#[must_use]
pub const fn tool_call_stream(id: ToolCallId) -> StreamId {
    StreamId { category: Category::ToolCall, id: *id.as_uuid() }
}

/// The stream of an approval.
#[must_use]
pub const fn approval_stream(id: ApprovalId) -> StreamId {
    StreamId { category: Category::Approval, id: *id.as_uuid() }
}

/// The stream of a task grant.
#[must_use]
pub const fn task_grant_stream(id: TaskGrantId) -> StreamId {
    StreamId { category: Category::TaskGrant, id: *id.as_uuid() }
}

/// The stream of a browser profile.
#[must_use]
pub const fn profile_stream(id: ProfileId) -> StreamId {
    StreamId { category: Category::Profile, id: *id.as_uuid() }
}
