//! The owner's answers, and stopping a grant.

use super::{GrantSettings, active_grant, bound_profile, derived_uuid, load_grant, setting};
use async_trait::async_trait;
use domain::decide::answer::{Answer, approve_for_task, resolve_once};
use domain::decide::approval::{Approval, Resolution};
use domain::decide::run::Run;
use domain::decide::session::{OpenSession, Session};
use domain::decide::task_grant::{EndReason, TaskGrant};
use domain::decide::{Facts, Refusal};
use domain::event::{Event, approval_stream, run_stream, session_stream};
use domain::id::{ApprovalId, CommandId, PrincipalId, TaskGrantId};
use eventlog::{Unit, Work, WorkError};

/// The owner answers an approval.
#[derive(Clone, Debug)]
pub struct ResolveApproval {
    /// The command.
    pub command: CommandId,
    /// Who answers.
    pub principal: PrincipalId,
    /// The approval.
    pub approval: ApprovalId,
    /// The answer.
    pub answer: Answer,
    /// What grants are judged by.
    pub grants: GrantSettings,
}

/// What became of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answered {
    /// It stands.
    Taken,
    /// It came too late; that it came was recorded.
    TooLate(Refusal),
}

#[async_trait]
impl Work for ResolveApproval {
    type Output = Answered;

    async fn run(&self, unit: &mut Unit<'_>) -> Result<Answered, WorkError> {
        let approval: Approval = unit.load(approval_stream(self.approval)).await?;
        let session = self.session_of(unit, &approval).await?;
        let facts = unit.facts();
        match self.decide(unit, &facts, &approval, &session).await {
            Ok(events) => {
                unit.append(events).await?;
                Ok(Answered::Taken)
            }
            Err(WorkError::Refused(refusal @ (Refusal::ApprovalLapsed | Refusal::ApprovalCancelled))) => {
                unit.append(approval.late_answer(facts.now, self.answer.resolution)).await?;
                Ok(Answered::TooLate(refusal))
            }
            Err(error) => Err(error),
        }
    }
}

impl ResolveApproval {
    /// The session of the approval, which also proves that the approval is this principal's. A
    /// deleted session's approvals were cancelled with it and stay answerable as "too late".
    async fn session_of(&self, unit: &mut Unit<'_>, approval: &Approval) -> Result<Session, WorkError> {
        let request = approval.request().ok_or(Refusal::NotFound)?;
        let session: Session = unit.load(session_stream(request.session)).await?;
        match session.open_for(&self.principal) {
            Ok(_) | Err(Refusal::SessionDeleted) => Ok(session),
            Err(refusal) => Err(refusal.into()),
        }
    }

    async fn decide(&self, unit: &mut Unit<'_>, facts: &Facts, approval: &Approval, session: &Session) -> Result<Vec<Event>, WorkError> {
        if self.answer.resolution != Resolution::ApproveForTask {
            return Ok(resolve_once(facts, approval, self.answer.resolution)?);
        }
        let request = approval.pending(facts.now)?;
        // A half hour that begins while the clock is behind would end later than the owner was told.
        if unit.clock_ran_back() {
            return Err(Refusal::OfferNoLongerValid.into());
        }
        let session: &OpenSession = session.open_for(&self.principal)?;
        let run: Run = unit.load(run_stream(request.run)).await?;
        let run = run.active().map_err(|_| Refusal::OfferNoLongerValid)?;
        let profile = bound_profile(unit, session).await?;
        let active = active_grant(unit, session.session).await?;
        let grant = TaskGrantId::from_uuid(derived_uuid(self.command, "task_grant"));
        let setting = setting(run, session, profile.as_ref(), &self.grants);
        Ok(approve_for_task(facts, approval, &self.answer, &setting, active.as_ref(), grant)?)
    }
}

/// The owner stops a grant; stopping it again changes nothing (GRA-10).
#[derive(Clone, Debug)]
pub struct RevokeGrant {
    /// Whose grant it is.
    pub principal: PrincipalId,
    /// The grant.
    pub grant: TaskGrantId,
}

#[async_trait]
impl Work for RevokeGrant {
    type Output = ();

    async fn run(&self, unit: &mut Unit<'_>) -> Result<(), WorkError> {
        let grant = load_grant(unit, self.grant).await?;
        let owner = match &grant {
            TaskGrant::Active(grant) | TaskGrant::Ended(grant, _) => &grant.pins.principal,
            TaskGrant::Unknown => return Err(Refusal::NotFound.into()),
            TaskGrant::Quarantined => return Err(Refusal::Quarantined.into()),
        };
        if *owner != self.principal {
            return Err(Refusal::NotFound.into());
        }
        // A deleted session took its grants' usable state with it (GRA-12).
        if let TaskGrant::Active(grant) = &grant {
            let session: Session = unit.load(session_stream(grant.pins.session)).await?;
            session
                .open_for(&self.principal)
                .map_err(|refusal| if refusal == Refusal::SessionDeleted { Refusal::NotFound } else { refusal })?;
        }
        let now = unit.now();
        unit.append(grant.end(now, EndReason::Revoked)).await?;
        Ok(())
    }
}
