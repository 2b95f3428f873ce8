//! Stored shapes of tool call events.

use super::fields::{bytes, consequence, named, reason_names, reasons, uuid};
use super::view::view;
use super::wire::tool_call_authorized::Authority as WireAuthority;
use super::{DecodeError, wire};
use domain::browser::Outcome;
use domain::event::{Authority, Event, ToolCallAuthorized, ToolCallDispatched, ToolCallFinished, ToolCallRequested};
use domain::id::{ApprovalId, RunId, SessionId, StandingGrantId, TaskGrantId, ToolCallId};
use prost::Message;

impl From<&ToolCallRequested> for wire::ToolCallRequested {
    fn from(e: &ToolCallRequested) -> Self {
        Self {
            tool_call: bytes(e.tool_call.as_uuid()),
            run: bytes(e.run.as_uuid()),
            session: bytes(e.session.as_uuid()),
            tool: e.tool.clone(),
            action: e.action.clone(),
        }
    }
}

pub(super) fn requested(payload: &[u8]) -> Result<Event, DecodeError> {
    let e = wire::ToolCallRequested::decode(payload)?;
    Ok(Event::ToolCallRequested(ToolCallRequested {
        tool_call: tool_call(&e.tool_call)?,
        run: RunId::from_uuid(uuid("run", &e.run)?),
        session: SessionId::from_uuid(uuid("session", &e.session)?),
        tool: e.tool,
        action: e.action,
    }))
}

impl From<&ToolCallAuthorized> for wire::ToolCallAuthorized {
    fn from(e: &ToolCallAuthorized) -> Self {
        Self {
            tool_call: bytes(e.tool_call.as_uuid()),
            run: bytes(e.run.as_uuid()),
            session: bytes(e.session.as_uuid()),
            authority: Some(match &e.authority {
                Authority::Approval(id) => WireAuthority::Approval(bytes(id.as_uuid())),
                Authority::TaskGrant(id) => WireAuthority::TaskGrant(bytes(id.as_uuid())),
                Authority::StandingGrant(id) => WireAuthority::StandingGrant(bytes(id.as_uuid())),
            }),
            use_ordinal: e.use_ordinal,
            actions_remaining: e.actions_remaining,
            characters_remaining: e.characters_remaining,
            typed_characters: e.typed_characters,
            view: Some((&e.view).into()),
            consequence: e.consequence.as_str().to_owned(),
            classifier_version: e.classifier_version.clone(),
        }
    }
}

pub(super) fn authorized(payload: &[u8]) -> Result<Event, DecodeError> {
    let e = wire::ToolCallAuthorized::decode(payload)?;
    Ok(Event::ToolCallAuthorized(ToolCallAuthorized {
        tool_call: tool_call(&e.tool_call)?,
        run: RunId::from_uuid(uuid("run", &e.run)?),
        session: SessionId::from_uuid(uuid("session", &e.session)?),
        authority: authority(e.authority)?,
        use_ordinal: e.use_ordinal,
        actions_remaining: e.actions_remaining,
        characters_remaining: e.characters_remaining,
        typed_characters: e.typed_characters,
        view: view(e.view)?,
        consequence: consequence("consequence", &e.consequence)?,
        classifier_version: e.classifier_version,
    }))
}

fn authority(authority: Option<WireAuthority>) -> Result<Authority, DecodeError> {
    Ok(match authority.ok_or(DecodeError::Field { field: "authority" })? {
        WireAuthority::Approval(id) => Authority::Approval(ApprovalId::from_uuid(uuid("approval", &id)?)),
        WireAuthority::TaskGrant(id) => Authority::TaskGrant(TaskGrantId::from_uuid(uuid("task_grant", &id)?)),
        WireAuthority::StandingGrant(id) => Authority::StandingGrant(StandingGrantId::from_uuid(uuid("standing_grant", &id)?)),
    })
}

impl From<&ToolCallDispatched> for wire::ToolCallDispatched {
    fn from(e: &ToolCallDispatched) -> Self {
        Self { tool_call: bytes(e.tool_call.as_uuid()) }
    }
}

pub(super) fn dispatched(payload: &[u8]) -> Result<Event, DecodeError> {
    let e = wire::ToolCallDispatched::decode(payload)?;
    Ok(Event::ToolCallDispatched(ToolCallDispatched { tool_call: tool_call(&e.tool_call)? }))
}

impl From<&ToolCallFinished> for wire::ToolCallFinished {
    fn from(e: &ToolCallFinished) -> Self {
        Self {
            tool_call: bytes(e.tool_call.as_uuid()),
            outcome: e.outcome.as_str().to_owned(),
            code: e.code.clone(),
            reasons: reason_names(&e.reasons),
        }
    }
}

pub(super) fn finished(payload: &[u8]) -> Result<Event, DecodeError> {
    let e = wire::ToolCallFinished::decode(payload)?;
    Ok(Event::ToolCallFinished(ToolCallFinished {
        tool_call: tool_call(&e.tool_call)?,
        outcome: named("outcome", &e.outcome, outcome)?,
        code: e.code,
        reasons: reasons("reasons", &e.reasons)?,
    }))
}

fn outcome(name: &str) -> Option<Outcome> {
    [Outcome::Completed, Outcome::Refused, Outcome::Failed, Outcome::Unknown].into_iter().find(|outcome| outcome.as_str() == name)
}

fn tool_call(bytes: &[u8]) -> Result<ToolCallId, DecodeError> {
    uuid("tool_call", bytes).map(ToolCallId::from_uuid)
}
