//! One file a command group: load what the rule needs, let the core decide, append what it says.
//! Each command is one unit of work; whatever fails, nothing of it remains.

pub mod approvals;
pub mod calls;
pub mod profiles;
pub mod runs;
pub mod sessions;
pub mod sweep;

use domain::decide::Refusal;
use domain::decide::approval::Approval;
use domain::decide::authorize::{Deployment, Setting};
use domain::decide::profile::{LiveProfile, Profile};
use domain::decide::run::{ActiveRun, Run};
use domain::decide::session::{OpenSession, Session};
use domain::decide::task_grant::{EndReason, TaskGrant};
use domain::event::{approval_stream, profile_stream, run_stream, session_stream, task_grant_stream};
use domain::id::{CommandId, PrincipalId, ProfileId, RunId, SessionId, TaskGrantId};
use domain::scope::SiteScope;
use eventlog::{Unit, WorkError};
use uuid::Uuid;

/// The part of the settings that grants are judged by.
#[derive(Clone, Debug)]
pub struct GrantSettings {
    /// Whether task grants exist.
    pub enabled: bool,
    /// The configured scopes.
    pub scopes: Vec<SiteScope>,
    /// The agent's version.
    pub agent_version: String,
    /// The policy's version.
    pub policy_version: String,
}

impl GrantSettings {
    /// As the core takes it.
    #[must_use]
    pub fn deployment(&self) -> Deployment<'_> {
        Deployment {
            grants_enabled: self.enabled,
            scopes: &self.scopes,
            agent_version: &self.agent_version,
            policy_version: &self.policy_version,
        }
    }
}

/// The id of what a command creates. It follows from the command's own id, so that a command that
/// is sent again finds what it made the first time.
#[must_use]
pub fn derived_uuid(command: CommandId, what: &str) -> Uuid {
    Uuid::new_v5(command.as_uuid(), what.as_bytes())
}

/// The session, if it is open and `principal`'s.
pub(crate) async fn open_session(unit: &mut Unit<'_>, principal: &PrincipalId, session: SessionId) -> Result<OpenSession, WorkError> {
    let state: Session = unit.load(session_stream(session)).await?;
    Ok(state.open_for(principal)?.clone())
}

/// The run, if it is going on, with its session.
pub(crate) async fn active_run(unit: &mut Unit<'_>, principal: &PrincipalId, run: RunId) -> Result<(ActiveRun, OpenSession), WorkError> {
    let state: Run = unit.load(run_stream(run)).await?;
    // Ownership first: whether a foreign run is over is nobody's business.
    let session = match &state {
        Run::Active(run) | Run::Ended(run) => open_session(unit, principal, run.session).await?,
        Run::Unknown => return Err(Refusal::NotFound.into()),
        Run::Quarantined => return Err(Refusal::Quarantined.into()),
    };
    Ok((*state.active()?, session))
}

/// The session's profile, if it is bound to one that can be used.
pub(crate) async fn bound_profile(unit: &mut Unit<'_>, session: &OpenSession) -> Result<Option<LiveProfile>, WorkError> {
    let Some(profile) = session.profile else { return Ok(None) };
    let state: Profile = unit.load(profile_stream(profile)).await?;
    Ok(state.live_for(&session.principal).ok().cloned())
}

/// The grant of a session that no end is recorded for.
pub(crate) async fn active_grant(unit: &mut Unit<'_>, session: SessionId) -> Result<Option<TaskGrant>, WorkError> {
    let tenant = unit.tenant().clone();
    let Some(grant) = projections::grants::active_of_session(&mut unit.connection(), &tenant, session).await? else { return Ok(None) };
    Ok(Some(load_grant(unit, grant).await?))
}

/// One grant by its id.
pub(crate) async fn load_grant(unit: &mut Unit<'_>, grant: TaskGrantId) -> Result<TaskGrant, WorkError> {
    Ok(unit.load(task_grant_stream(grant)).await?)
}

/// Ends every grant on a profile in the same unit of work as what ends them (GRA-11).
pub(crate) async fn end_grants_of_profile(unit: &mut Unit<'_>, profile: ProfileId, reason: EndReason) -> Result<(), WorkError> {
    let tenant = unit.tenant().clone();
    let now = unit.now();
    for grant in projections::grants::active_of_profile(&mut unit.connection(), &tenant, profile).await? {
        let events = load_grant(unit, grant).await?.end(now, reason);
        unit.append(events).await?;
    }
    Ok(())
}

/// Where an act takes place, from its loaded parts.
pub(crate) fn setting<'a>(
    run: &'a ActiveRun,
    session: &'a OpenSession,
    profile: Option<&'a LiveProfile>,
    grants: &'a GrantSettings,
) -> Setting<'a> {
    Setting { run, session, profile, deployment: grants.deployment() }
}

/// Cancels the pending questions of a run, or of a whole session (APR-3).
pub(crate) async fn cancel_pending(unit: &mut Unit<'_>, session: SessionId, run: Option<RunId>) -> Result<(), WorkError> {
    let tenant = unit.tenant().clone();
    for approval in projections::approvals::pending_of(&mut unit.connection(), &tenant, session, run).await? {
        let state: Approval = unit.load(approval_stream(approval)).await?;
        unit.append(state.cancel()).await?;
    }
    Ok(())
}
