//! Stored shapes of task grant events.

use super::fields::{bytes, named, principal, uuid};
use super::{DecodeError, wire};
use domain::decide::task_grant::{EndReason, Pins};
use domain::event::{Event, TaskGrantCreated, TaskGrantEnded};
use domain::id::{ApprovalId, ProfileId, SessionId, TaskGrantId};
use domain::scope::SiteScope;
use domain::time::Timestamp;
use prost::Message;

impl From<&TaskGrantCreated> for wire::TaskGrantCreated {
    fn from(e: &TaskGrantCreated) -> Self {
        Self { task_grant: bytes(e.task_grant.as_uuid()), pins: Some((&e.pins).into()) }
    }
}

pub(super) fn created(payload: &[u8]) -> Result<Event, DecodeError> {
    let e = wire::TaskGrantCreated::decode(payload)?;
    let pins = pins(e.pins.ok_or(DecodeError::Field { field: "pins" })?)?;
    Ok(Event::TaskGrantCreated(TaskGrantCreated { task_grant: task_grant(&e.task_grant)?, pins }))
}

impl From<&Pins> for wire::Pins {
    fn from(pins: &Pins) -> Self {
        Self {
            principal: pins.principal.to_string(),
            session: bytes(pins.session.as_uuid()),
            profile: bytes(pins.profile.as_uuid()),
            profile_generation: pins.profile_generation,
            agent_version: pins.agent_version.clone(),
            policy_version: pins.policy_version.clone(),
            origin: pins.scope.origin().to_owned(),
            path_prefix: pins.scope.path_prefix(),
            created_at: pins.created_at.as_micros(),
            expires_at: pins.expires_at.as_micros(),
            actions_max: pins.actions_max,
            approval: bytes(pins.approval.as_uuid()),
        }
    }
}

fn pins(pins: wire::Pins) -> Result<Pins, DecodeError> {
    Ok(Pins {
        principal: principal("principal", &pins.principal)?,
        session: SessionId::from_uuid(uuid("session", &pins.session)?),
        profile: ProfileId::from_uuid(uuid("profile", &pins.profile)?),
        profile_generation: pins.profile_generation,
        agent_version: pins.agent_version,
        policy_version: pins.policy_version,
        scope: SiteScope::from_stored(&pins.origin, &pins.path_prefix).map_err(|_| DecodeError::Field { field: "path_prefix" })?,
        created_at: Timestamp::from_micros(pins.created_at),
        expires_at: Timestamp::from_micros(pins.expires_at),
        actions_max: pins.actions_max,
        approval: ApprovalId::from_uuid(uuid("approval", &pins.approval)?),
    })
}

impl From<&TaskGrantEnded> for wire::TaskGrantEnded {
    fn from(e: &TaskGrantEnded) -> Self {
        Self { task_grant: bytes(e.task_grant.as_uuid()), reason: e.reason.as_str().to_owned() }
    }
}

pub(super) fn ended(payload: &[u8]) -> Result<Event, DecodeError> {
    let e = wire::TaskGrantEnded::decode(payload)?;
    let reason = named("reason", &e.reason, EndReason::parse)?;
    Ok(Event::TaskGrantEnded(TaskGrantEnded { task_grant: task_grant(&e.task_grant)?, reason }))
}

fn task_grant(bytes: &[u8]) -> Result<TaskGrantId, DecodeError> {
    uuid("task_grant", bytes).map(TaskGrantId::from_uuid)
}
