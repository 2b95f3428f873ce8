//! Browser profiles. Whatever changes the account behind one ends its grants in the same unit.

use super::{derived_uuid, end_grants_of_profile};
use async_trait::async_trait;
use domain::decide::profile::{Profile, SignInKind};
use domain::decide::task_grant::EndReason;
use domain::event::{Event, ProfileCreated, profile_stream};
use domain::id::{CommandId, PrincipalId, ProfileId, SignInId};
use eventlog::{Unit, Work, WorkError};

/// Creates a profile.
#[derive(Clone, Debug)]
pub struct CreateProfile {
    /// The command.
    pub command: CommandId,
    /// Whose accounts it will hold.
    pub principal: PrincipalId,
    /// What the owner calls it.
    pub name: String,
}

impl CreateProfile {
    /// The profile that this command creates.
    #[must_use]
    pub fn profile(&self) -> ProfileId {
        ProfileId::from_uuid(derived_uuid(self.command, "profile"))
    }
}

#[async_trait]
impl Work for CreateProfile {
    type Output = ();

    async fn run(&self, unit: &mut Unit<'_>) -> Result<(), WorkError> {
        let created = ProfileCreated { profile: self.profile(), principal: self.principal.clone(), name: self.name.clone() };
        unit.append(vec![Event::ProfileCreated(created)]).await?;
        Ok(())
    }
}

/// What an owner does to a profile.
#[derive(Clone, Copy, Debug)]
pub enum ProfileStep {
    /// A sign-in begins.
    BeginSignIn(SignInId, SignInKind),
    /// A sign-in becomes ready.
    CompleteSignIn(SignInId),
    /// The profile may no longer be used.
    Revoke,
    /// The profile is removed.
    Delete,
}

/// Changes a profile and ends the grants on it (GRA-11).
#[derive(Clone, Debug)]
pub struct ChangeProfile {
    /// Whose profile it is.
    pub principal: PrincipalId,
    /// The profile.
    pub profile: ProfileId,
    /// What happens to it.
    pub step: ProfileStep,
}

#[async_trait]
impl Work for ChangeProfile {
    type Output = ();

    async fn run(&self, unit: &mut Unit<'_>) -> Result<(), WorkError> {
        let profile: Profile = unit.load(profile_stream(self.profile)).await?;
        let (events, reason) = match self.step {
            ProfileStep::BeginSignIn(sign_in, kind) => (profile.begin_sign_in(&self.principal, sign_in, kind)?, EndReason::ProfileChanged),
            ProfileStep::CompleteSignIn(sign_in) => (profile.complete_sign_in(&self.principal, sign_in)?, EndReason::ProfileChanged),
            ProfileStep::Revoke => (profile.revoke(&self.principal)?, EndReason::ProfileRevoked),
            ProfileStep::Delete => (profile.delete(&self.principal)?, EndReason::ProfileRevoked),
        };
        end_grants_of_profile(unit, self.profile, reason).await?;
        unit.append(events).await?;
        Ok(())
    }
}
