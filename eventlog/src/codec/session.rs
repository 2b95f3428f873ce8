//! Stored shapes of session events.

use super::fields::{bytes, named, optional_uuid, principal, uuid};
use super::{DecodeError, wire};
use domain::decide::session::{Author, Surface};
use domain::event::{Event, MessageReceived, SessionDeleted, SessionOpened, TurnLeftBrowser};
use domain::id::{ProfileId, SessionId};
use prost::Message;

impl From<&SessionOpened> for wire::SessionOpened {
    fn from(e: &SessionOpened) -> Self {
        Self {
            session: bytes(e.session.as_uuid()),
            principal: e.principal.to_string(),
            surface: e.surface.as_str().to_owned(),
            profile: e.profile.map(|profile| bytes(profile.as_uuid())),
            schedule: e.schedule.clone(),
            allowed_origins: e.allowed_origins.clone(),
        }
    }
}

pub(super) fn opened(payload: &[u8]) -> Result<Event, DecodeError> {
    let e = wire::SessionOpened::decode(payload)?;
    Ok(Event::SessionOpened(SessionOpened {
        session: session(&e.session)?,
        principal: principal("principal", &e.principal)?,
        surface: named("surface", &e.surface, Surface::parse)?,
        profile: optional_uuid("profile", e.profile.as_deref())?.map(ProfileId::from_uuid),
        schedule: e.schedule,
        allowed_origins: e.allowed_origins,
    }))
}

impl From<&MessageReceived> for wire::MessageReceived {
    fn from(e: &MessageReceived) -> Self {
        Self { session: bytes(e.session.as_uuid()), author: e.author.as_str().to_owned(), text: e.text.clone() }
    }
}

pub(super) fn message_received(payload: &[u8]) -> Result<Event, DecodeError> {
    let e = wire::MessageReceived::decode(payload)?;
    let author = named("author", &e.author, Author::parse)?;
    Ok(Event::MessageReceived(MessageReceived { session: session(&e.session)?, author, text: e.text }))
}

impl From<&TurnLeftBrowser> for wire::TurnLeftBrowser {
    fn from(e: &TurnLeftBrowser) -> Self {
        Self { session: bytes(e.session.as_uuid()), tool: e.tool.clone() }
    }
}

pub(super) fn turn_left_browser(payload: &[u8]) -> Result<Event, DecodeError> {
    let e = wire::TurnLeftBrowser::decode(payload)?;
    Ok(Event::TurnLeftBrowser(TurnLeftBrowser { session: session(&e.session)?, tool: e.tool }))
}

impl From<&SessionDeleted> for wire::SessionDeleted {
    fn from(e: &SessionDeleted) -> Self {
        Self { session: bytes(e.session.as_uuid()) }
    }
}

pub(super) fn deleted(payload: &[u8]) -> Result<Event, DecodeError> {
    let e = wire::SessionDeleted::decode(payload)?;
    Ok(Event::SessionDeleted(SessionDeleted { session: session(&e.session)? }))
}

fn session(bytes: &[u8]) -> Result<SessionId, DecodeError> {
    uuid("session", bytes).map(SessionId::from_uuid)
}
