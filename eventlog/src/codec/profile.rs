//! Stored shapes of browser profile events.

use super::fields::{bytes, named, principal, uuid};
use super::{DecodeError, wire};
use domain::decide::profile::SignInKind;
use domain::event::{Event, ProfileCreated, ProfileDeleted, ProfileRevoked, SignInBegan, SignInReady};
use domain::id::{ProfileId, SignInId};
use prost::Message;

impl From<&ProfileCreated> for wire::ProfileCreated {
    fn from(e: &ProfileCreated) -> Self {
        Self { profile: bytes(e.profile.as_uuid()), principal: e.principal.to_string(), name: e.name.clone() }
    }
}

pub(super) fn created(payload: &[u8]) -> Result<Event, DecodeError> {
    let e = wire::ProfileCreated::decode(payload)?;
    let principal = principal("principal", &e.principal)?;
    Ok(Event::ProfileCreated(ProfileCreated { profile: profile(&e.profile)?, principal, name: e.name }))
}

impl From<&SignInBegan> for wire::SignInBegan {
    fn from(e: &SignInBegan) -> Self {
        Self { profile: bytes(e.profile.as_uuid()), sign_in: bytes(e.sign_in.as_uuid()), kind: e.kind.as_str().to_owned() }
    }
}

pub(super) fn sign_in_began(payload: &[u8]) -> Result<Event, DecodeError> {
    let e = wire::SignInBegan::decode(payload)?;
    let kind = named("kind", &e.kind, SignInKind::parse)?;
    Ok(Event::SignInBegan(SignInBegan { profile: profile(&e.profile)?, sign_in: sign_in(&e.sign_in)?, kind }))
}

impl From<&SignInReady> for wire::SignInReady {
    fn from(e: &SignInReady) -> Self {
        Self { profile: bytes(e.profile.as_uuid()), sign_in: bytes(e.sign_in.as_uuid()) }
    }
}

pub(super) fn sign_in_ready(payload: &[u8]) -> Result<Event, DecodeError> {
    let e = wire::SignInReady::decode(payload)?;
    Ok(Event::SignInReady(SignInReady { profile: profile(&e.profile)?, sign_in: sign_in(&e.sign_in)? }))
}

impl From<&ProfileRevoked> for wire::ProfileRevoked {
    fn from(e: &ProfileRevoked) -> Self {
        Self { profile: bytes(e.profile.as_uuid()) }
    }
}

pub(super) fn revoked(payload: &[u8]) -> Result<Event, DecodeError> {
    let e = wire::ProfileRevoked::decode(payload)?;
    Ok(Event::ProfileRevoked(ProfileRevoked { profile: profile(&e.profile)? }))
}

impl From<&ProfileDeleted> for wire::ProfileDeleted {
    fn from(e: &ProfileDeleted) -> Self {
        Self { profile: bytes(e.profile.as_uuid()) }
    }
}

pub(super) fn deleted(payload: &[u8]) -> Result<Event, DecodeError> {
    let e = wire::ProfileDeleted::decode(payload)?;
    Ok(Event::ProfileDeleted(ProfileDeleted { profile: profile(&e.profile)? }))
}

fn profile(bytes: &[u8]) -> Result<ProfileId, DecodeError> {
    uuid("profile", bytes).map(ProfileId::from_uuid)
}

fn sign_in(bytes: &[u8]) -> Result<SignInId, DecodeError> {
    uuid("sign_in", bytes).map(SignInId::from_uuid)
}
