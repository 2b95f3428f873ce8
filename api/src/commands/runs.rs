//! Runs: start and end.

use super::{cancel_pending, derived_uuid, open_session};
use async_trait::async_trait;
use domain::decide::Refusal;
use domain::decide::run::{ActiveRun, Run, RunKind};
use domain::event::run_stream;
use domain::id::{CommandId, PrincipalId, RunId, SessionId};
use eventlog::{Unit, Work, WorkError};

/// Starts a run.
#[derive(Clone, Debug)]
pub struct StartRun {
    /// The command.
    pub command: CommandId,
    /// Whose session it is.
    pub principal: PrincipalId,
    /// The session.
    pub session: SessionId,
    /// How the run comes about.
    pub kind: RunKind,
    /// The run that delegates it.
    pub parent: Option<RunId>,
}

impl StartRun {
    /// The run that this command starts.
    #[must_use]
    pub fn run_id(&self) -> RunId {
        RunId::from_uuid(derived_uuid(self.command, "run"))
    }
}

#[async_trait]
impl Work for StartRun {
    type Output = ();

    async fn run(&self, unit: &mut Unit<'_>) -> Result<(), WorkError> {
        open_session(unit, &self.principal, self.session).await?;
        let parent = match self.parent {
            None => None,
            Some(parent) => Some(parent_run(unit, self.session, parent).await?),
        };
        let events = Run::start(self.run_id(), self.session, self.kind, parent.as_ref())?;
        unit.append(events).await?;
        Ok(())
    }
}

async fn parent_run(unit: &mut Unit<'_>, session: SessionId, parent: RunId) -> Result<ActiveRun, WorkError> {
    let state: Run = unit.load(run_stream(parent)).await?;
    match state.active() {
        Ok(run) if run.session == session => Ok(*run),
        _ => Err(Refusal::ParentRun.into()),
    }
}

/// Ends a run; its pending questions are cancelled with it (APR-3).
#[derive(Clone, Debug)]
pub struct EndRun {
    /// Whose session it is.
    pub principal: PrincipalId,
    /// The run.
    pub run: RunId,
}

#[async_trait]
impl Work for EndRun {
    type Output = ();

    async fn run(&self, unit: &mut Unit<'_>) -> Result<(), WorkError> {
        let state: Run = unit.load(run_stream(self.run)).await?;
        let session = match &state {
            Run::Active(run) | Run::Ended(run) => open_session(unit, &self.principal, run.session).await?,
            Run::Unknown | Run::Quarantined => return Err(Refusal::NotFound.into()),
        };
        cancel_pending(unit, session.session, Some(self.run)).await?;
        unit.append(state.end()?).await?;
        Ok(())
    }
}
