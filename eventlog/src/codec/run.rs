//! Stored shapes of run events.

use super::fields::{bytes, named, optional_uuid, uuid};
use super::{DecodeError, wire};
use domain::decide::run::RunKind;
use domain::event::{Event, RunEnded, RunStarted};
use domain::id::{RunId, SessionId};
use prost::Message;

impl From<&RunStarted> for wire::RunStarted {
    fn from(e: &RunStarted) -> Self {
        Self {
            run: bytes(e.run.as_uuid()),
            session: bytes(e.session.as_uuid()),
            kind: e.kind.as_str().to_owned(),
            parent: e.parent.map(|parent| bytes(parent.as_uuid())),
        }
    }
}

pub(super) fn started(payload: &[u8]) -> Result<Event, DecodeError> {
    let e = wire::RunStarted::decode(payload)?;
    Ok(Event::RunStarted(RunStarted {
        run: RunId::from_uuid(uuid("run", &e.run)?),
        session: SessionId::from_uuid(uuid("session", &e.session)?),
        kind: named("kind", &e.kind, RunKind::parse)?,
        parent: optional_uuid("parent", e.parent.as_deref())?.map(RunId::from_uuid),
    }))
}

impl From<&RunEnded> for wire::RunEnded {
    fn from(e: &RunEnded) -> Self {
        Self { run: bytes(e.run.as_uuid()) }
    }
}

pub(super) fn ended(payload: &[u8]) -> Result<Event, DecodeError> {
    let e = wire::RunEnded::decode(payload)?;
    Ok(Event::RunEnded(RunEnded { run: RunId::from_uuid(uuid("run", &e.run)?) }))
}
