//! Sessions: open, write to, delete.

use super::{derived_uuid, open_session};
use async_trait::async_trait;
use domain::decide::Refusal;
use domain::decide::profile::Profile;
use domain::decide::session::Surface;
use domain::event::{Event, SessionOpened, profile_stream};
use domain::id::{CommandId, PrincipalId, ProfileId, SessionId};
use eventlog::{Unit, Work, WorkError};

/// Opens a session. The bindings are written here and nowhere else (GRA-3).
#[derive(Clone, Debug)]
pub struct OpenSession {
    /// The command.
    pub command: CommandId,
    /// Whose session it becomes.
    pub principal: PrincipalId,
    /// Where the chat takes place.
    pub surface: Surface,
    /// The profile binding; only an owner's token may give one.
    pub profile: Option<ProfileId>,
    /// The schedule binding.
    pub schedule: Option<String>,
    /// Origins that documents may come from, checked by the caller.
    pub allowed_origins: Vec<String>,
}

impl OpenSession {
    /// The session that this command opens.
    #[must_use]
    pub fn session(&self) -> SessionId {
        SessionId::from_uuid(derived_uuid(self.command, "session"))
    }
}

#[async_trait]
impl Work for OpenSession {
    type Output = ();

    async fn run(&self, unit: &mut Unit<'_>) -> Result<(), WorkError> {
        if let Some(profile) = self.profile {
            let state: Profile = unit.load(profile_stream(profile)).await?;
            state.live_for(&self.principal)?;
        }
        let opened = SessionOpened {
            session: self.session(),
            principal: self.principal.clone(),
            surface: self.surface,
            profile: self.profile,
            schedule: self.schedule.clone(),
            allowed_origins: self.allowed_origins.clone(),
        };
        unit.append(vec![Event::SessionOpened(opened)]).await?;
        Ok(())
    }
}

/// A message arrives in a session.
#[derive(Clone, Debug)]
pub struct ReceiveMessage {
    /// Whose session it is.
    pub principal: PrincipalId,
    /// The session.
    pub session: SessionId,
    /// The text.
    pub text: String,
}

#[async_trait]
impl Work for ReceiveMessage {
    type Output = ();

    async fn run(&self, unit: &mut Unit<'_>) -> Result<(), WorkError> {
        let session = open_session(unit, &self.principal, self.session).await?;
        let events = session.receive(&unit.facts(), self.text.clone());
        unit.append(events).await?;
        Ok(())
    }
}

/// The owner deletes a session: its questions are cancelled, its grants lose their usable state.
#[derive(Clone, Debug)]
pub struct DeleteSession {
    /// Whose session it is.
    pub principal: PrincipalId,
    /// The session.
    pub session: SessionId,
}

#[async_trait]
impl Work for DeleteSession {
    type Output = ();

    async fn run(&self, unit: &mut Unit<'_>) -> Result<(), WorkError> {
        let session = match open_session(unit, &self.principal, self.session).await {
            Ok(session) => session,
            // Deleting again changes nothing.
            Err(WorkError::Refused(Refusal::SessionDeleted)) => return Ok(()),
            Err(error) => return Err(error),
        };
        super::cancel_pending(unit, self.session, None).await?;
        unit.append(session.delete()).await?;
        Ok(())
    }
}
