//! A chat session: whose it is, what it is bound to, and who wrote last.

use super::{Aggregate, Facts, Refusal, named};
use crate::event::{Actor, Event, MessageReceived, SessionDeleted, TurnLeftBrowser, session_stream};
use crate::id::{PrincipalId, ProfileId, SessionId};

named! {
    /// Where a chat takes place.
    Surface {
        /// An interactive chat.
        Chat = "chat",
        /// A surface that others can write to: mail, a messenger.
        Inbound = "inbound",
        /// Ingested from a device.
        Device = "device",
        /// Opened by a schedule.
        Schedule = "schedule",
    }
}

named! {
    /// Who wrote a message, proven by the token that sent it.
    Author {
        /// The owner.
        Owner = "owner",
        /// The agent. Its messages are no user messages.
        Agent = "agent",
    }
}

/// The stages of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Session {
    /// It was never opened.
    Unknown,
    /// It is in use.
    Open(OpenSession),
    /// It was deleted.
    Deleted(PrincipalId),
    /// Its history does not make sense.
    Quarantined,
}

/// What is true of an open session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenSession {
    /// The session.
    pub session: SessionId,
    /// Whose it is.
    pub principal: PrincipalId,
    /// Where the chat takes place.
    pub surface: Surface,
    /// The trusted profile binding.
    pub profile: Option<ProfileId>,
    /// The schedule binding.
    pub schedule: Option<String>,
    /// Origins that documents may come from.
    pub allowed_origins: Vec<String>,
    /// Whether the newest user message is the owner's; false while there is none.
    pub owner_wrote_last: bool,
    /// Whether every tool call since that message was the browser's (COV-4).
    pub turn_is_browser_only: bool,
}

impl Aggregate for Session {
    fn initial() -> Self {
        Self::Unknown
    }

    fn evolve(self, event: &Event) -> Self {
        if let Self::Open(open) = &self
            && event.stream() != session_stream(open.session)
        {
            return Self::Quarantined;
        }
        match (self, event) {
            (Self::Unknown, Event::SessionOpened(e)) => Self::Open(OpenSession {
                session: e.session,
                principal: e.principal.clone(),
                surface: e.surface,
                profile: e.profile,
                schedule: e.schedule.clone(),
                allowed_origins: e.allowed_origins.clone(),
                owner_wrote_last: false,
                turn_is_browser_only: true,
            }),
            (Self::Open(open), Event::MessageReceived(e)) => Self::Open(match e.author {
                Author::Owner => OpenSession { owner_wrote_last: true, turn_is_browser_only: true, ..open },
                Author::Agent => open,
            }),
            (Self::Open(open), Event::TurnLeftBrowser(_)) => Self::Open(OpenSession { turn_is_browser_only: false, ..open }),
            (Self::Open(open), Event::SessionDeleted(_)) => Self::Deleted(open.principal),
            _ => Self::Quarantined,
        }
    }
}

impl Session {
    /// The open session, if it is open and `principal` may know of it.
    ///
    /// # Errors
    /// Foreign and missing sessions are refused alike.
    pub fn open_for(&self, principal: &PrincipalId) -> Result<&OpenSession, Refusal> {
        match self {
            Self::Open(open) if open.principal == *principal => Ok(open),
            Self::Deleted(owner) if owner == principal => Err(Refusal::SessionDeleted),
            Self::Quarantined => Err(Refusal::Quarantined),
            _ => Err(Refusal::NotFound),
        }
    }
}

impl OpenSession {
    /// A message arrives. Its author follows from the actor alone; nobody but this session's owner
    /// speaks as the owner (GRA-3).
    #[must_use]
    pub fn receive(&self, facts: &Facts, text: String) -> Vec<Event> {
        let author = match &facts.actor {
            Actor::Owner(principal) if *principal == self.principal => Author::Owner,
            Actor::Owner(_) | Actor::Agent(_) | Actor::System => Author::Agent,
        };
        vec![Event::MessageReceived(MessageReceived { session: self.session, author, text })]
    }

    /// A tool is used. One that is not the browser's closes the turn to grants, once.
    #[must_use]
    pub fn use_tool(&self, tool: &str) -> Vec<Event> {
        if !self.turn_is_browser_only || super::tool_call::is_turn_safe(tool) {
            return Vec::new();
        }
        vec![Event::TurnLeftBrowser(TurnLeftBrowser { session: self.session, tool: tool.to_owned() })]
    }

    /// The owner deletes the session.
    #[must_use]
    pub fn delete(&self) -> Vec<Event> {
        vec![Event::SessionDeleted(SessionDeleted { session: self.session })]
    }
}
