//! A browser profile: the accounts that a browser is signed in to. Its generation advances when a
//! sign-in begins and when it becomes ready, so no grant outlives a change of account (GRA-11).

use super::{Aggregate, Refusal, named};
use crate::event::{Event, ProfileDeleted, ProfileRevoked, SignInBegan, SignInReady, profile_stream};
use crate::id::{PrincipalId, ProfileId, SignInId};

named! {
    /// Where a sign-in takes place.
    SignInKind {
        /// In the remote browser.
        Remote = "remote",
        /// On the owner's own device.
        Device = "device",
    }
}

/// The stages of a profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Profile {
    /// It was never created.
    Unknown,
    /// It can be used.
    Live(LiveProfile),
    /// It was revoked.
    Revoked(LiveProfile),
    /// It was deleted.
    Deleted(PrincipalId),
    /// Its history does not make sense.
    Quarantined,
}

/// What is true of a profile that can be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveProfile {
    /// The profile.
    pub profile: ProfileId,
    /// Whose accounts it holds.
    pub principal: PrincipalId,
    /// What the owner calls it.
    pub name: String,
    /// Advances twice with each sign-in; 1 at creation.
    pub generation: u64,
    /// The sign-in in progress.
    pub signing_in: Option<SignInId>,
}

impl Aggregate for Profile {
    fn initial() -> Self {
        Self::Unknown
    }

    fn evolve(self, event: &Event) -> Self {
        if let Self::Live(live) | Self::Revoked(live) = &self
            && event.stream() != profile_stream(live.profile)
        {
            return Self::Quarantined;
        }
        match (self, event) {
            (Self::Unknown, Event::ProfileCreated(e)) => Self::Live(LiveProfile {
                profile: e.profile,
                principal: e.principal.clone(),
                name: e.name.clone(),
                generation: 1,
                signing_in: None,
            }),
            (Self::Live(live), Event::SignInBegan(e)) => Self::Live(live.advanced(Some(e.sign_in))),
            (Self::Live(live), Event::SignInReady(e)) if live.signing_in == Some(e.sign_in) => Self::Live(live.advanced(None)),
            (Self::Live(live), Event::ProfileRevoked(_)) => Self::Revoked(live),
            (Self::Live(live) | Self::Revoked(live), Event::ProfileDeleted(_)) => Self::Deleted(live.principal),
            _ => Self::Quarantined,
        }
    }
}

impl LiveProfile {
    fn advanced(self, signing_in: Option<SignInId>) -> Self {
        Self { generation: self.generation.saturating_add(1), signing_in, ..self }
    }
}

impl Profile {
    /// The profile, if it can be used and is `principal`'s.
    ///
    /// # Errors
    /// Foreign and missing profiles are refused alike.
    pub fn live_for(&self, principal: &PrincipalId) -> Result<&LiveProfile, Refusal> {
        match self {
            Self::Live(live) if live.principal == *principal => Ok(live),
            Self::Revoked(live) if live.principal == *principal => Err(Refusal::ProfileGone),
            Self::Quarantined => Err(Refusal::Quarantined),
            _ => Err(Refusal::NotFound),
        }
    }

    /// A sign-in begins. One that is in progress is replaced: its browser may still be open, so
    /// the generation advances again.
    ///
    /// # Errors
    /// When the profile cannot be used.
    pub fn begin_sign_in(&self, principal: &PrincipalId, sign_in: SignInId, kind: SignInKind) -> Result<Vec<Event>, Refusal> {
        let live = self.live_for(principal)?;
        Ok(vec![Event::SignInBegan(SignInBegan { profile: live.profile, sign_in, kind })])
    }

    /// A sign-in becomes ready.
    ///
    /// # Errors
    /// When another sign-in is in progress, or none.
    pub fn complete_sign_in(&self, principal: &PrincipalId, sign_in: SignInId) -> Result<Vec<Event>, Refusal> {
        let live = self.live_for(principal)?;
        if live.signing_in != Some(sign_in) {
            return Err(Refusal::SignInUnknown);
        }
        Ok(vec![Event::SignInReady(SignInReady { profile: live.profile, sign_in })])
    }

    /// The owner revokes the profile; again changes nothing.
    ///
    /// # Errors
    /// When it is not there.
    pub fn revoke(&self, principal: &PrincipalId) -> Result<Vec<Event>, Refusal> {
        match self.live_for(principal) {
            Ok(live) => Ok(vec![Event::ProfileRevoked(ProfileRevoked { profile: live.profile })]),
            Err(Refusal::ProfileGone) => Ok(Vec::new()),
            Err(refusal) => Err(refusal),
        }
    }

    /// The owner deletes the profile.
    ///
    /// # Errors
    /// When it is not there.
    pub fn delete(&self, principal: &PrincipalId) -> Result<Vec<Event>, Refusal> {
        match self {
            Self::Live(live) | Self::Revoked(live) if live.principal == *principal => {
                Ok(vec![Event::ProfileDeleted(ProfileDeleted { profile: live.profile })])
            }
            Self::Quarantined => Err(Refusal::Quarantined),
            _ => Err(Refusal::NotFound),
        }
    }
}
