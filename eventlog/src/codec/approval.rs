//! Stored shapes of approval events.

use super::fields::{bytes, named, optional_uuid, reason_names, reasons, uuid};
use super::view::view;
use super::{DecodeError, wire};
use domain::decide::approval::{Offer, Resolution};
use domain::event::{ApprovalAnsweredLate, ApprovalCancelled, ApprovalLapsed, ApprovalRequested, ApprovalResolved, Event};
use domain::id::{ApprovalId, RunId, SessionId, TaskGrantId, ToolCallId};
use domain::time::Timestamp;
use prost::Message;

impl From<&ApprovalRequested> for wire::ApprovalRequested {
    fn from(e: &ApprovalRequested) -> Self {
        Self {
            approval: bytes(e.approval.as_uuid()),
            tool_call: bytes(e.tool_call.as_uuid()),
            run: bytes(e.run.as_uuid()),
            session: bytes(e.session.as_uuid()),
            view: Some((&e.view).into()),
            offer: e.offer.as_ref().map(wire::Offer::from),
            reasons: reason_names(&e.reasons),
            digest: e.digest.clone(),
            expires_at: e.expires_at.as_micros(),
        }
    }
}

pub(super) fn requested(payload: &[u8]) -> Result<Event, DecodeError> {
    let e = wire::ApprovalRequested::decode(payload)?;
    Ok(Event::ApprovalRequested(ApprovalRequested {
        approval: approval(&e.approval)?,
        tool_call: ToolCallId::from_uuid(uuid("tool_call", &e.tool_call)?),
        run: RunId::from_uuid(uuid("run", &e.run)?),
        session: SessionId::from_uuid(uuid("session", &e.session)?),
        view: view(e.view)?,
        offer: e.offer.map(offer),
        reasons: reasons("reasons", &e.reasons)?,
        digest: e.digest,
        expires_at: Timestamp::from_micros(e.expires_at),
    }))
}

impl From<&Offer> for wire::Offer {
    fn from(offer: &Offer) -> Self {
        Self { origin: offer.origin.clone(), path_prefix: offer.path_prefix.clone(), profile_generation: offer.profile_generation }
    }
}

fn offer(offer: wire::Offer) -> Offer {
    Offer { origin: offer.origin, path_prefix: offer.path_prefix, profile_generation: offer.profile_generation }
}

impl From<&ApprovalResolved> for wire::ApprovalResolved {
    fn from(e: &ApprovalResolved) -> Self {
        Self {
            approval: bytes(e.approval.as_uuid()),
            resolution: e.resolution.as_str().to_owned(),
            task_grant: e.task_grant.map(|task_grant| bytes(task_grant.as_uuid())),
        }
    }
}

pub(super) fn resolved(payload: &[u8]) -> Result<Event, DecodeError> {
    let e = wire::ApprovalResolved::decode(payload)?;
    Ok(Event::ApprovalResolved(ApprovalResolved {
        approval: approval(&e.approval)?,
        resolution: named("resolution", &e.resolution, Resolution::parse)?,
        task_grant: optional_uuid("task_grant", e.task_grant.as_deref())?.map(TaskGrantId::from_uuid),
    }))
}

impl From<&ApprovalLapsed> for wire::ApprovalLapsed {
    fn from(e: &ApprovalLapsed) -> Self {
        Self { approval: bytes(e.approval.as_uuid()) }
    }
}

pub(super) fn lapsed(payload: &[u8]) -> Result<Event, DecodeError> {
    let e = wire::ApprovalLapsed::decode(payload)?;
    Ok(Event::ApprovalLapsed(ApprovalLapsed { approval: approval(&e.approval)? }))
}

impl From<&ApprovalCancelled> for wire::ApprovalCancelled {
    fn from(e: &ApprovalCancelled) -> Self {
        Self { approval: bytes(e.approval.as_uuid()) }
    }
}

pub(super) fn cancelled(payload: &[u8]) -> Result<Event, DecodeError> {
    let e = wire::ApprovalCancelled::decode(payload)?;
    Ok(Event::ApprovalCancelled(ApprovalCancelled { approval: approval(&e.approval)? }))
}

impl From<&ApprovalAnsweredLate> for wire::ApprovalAnsweredLate {
    fn from(e: &ApprovalAnsweredLate) -> Self {
        Self { approval: bytes(e.approval.as_uuid()), resolution: e.resolution.as_str().to_owned() }
    }
}

pub(super) fn answered_late(payload: &[u8]) -> Result<Event, DecodeError> {
    let e = wire::ApprovalAnsweredLate::decode(payload)?;
    let resolution = named("resolution", &e.resolution, Resolution::parse)?;
    Ok(Event::ApprovalAnsweredLate(ApprovalAnsweredLate { approval: approval(&e.approval)?, resolution }))
}

fn approval(bytes: &[u8]) -> Result<ApprovalId, DecodeError> {
    uuid("approval", bytes).map(ApprovalId::from_uuid)
}
