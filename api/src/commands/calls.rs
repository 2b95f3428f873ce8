//! Tool calls: proposed, authorized, sent, ended. Each step is a unit of work of its own, so that
//! what happened is durable before the next thing can happen (AUT-7).

use super::{GrantSettings, active_grant, active_run, bound_profile, setting};
use async_trait::async_trait;
use domain::browser::{Constraint, GrantKind, Outcome};
use domain::classify::Consequence;
use domain::coverage::Reason;
use domain::decide::approval::{Approval, Offer};
use domain::decide::authorize::{Setting, Use, may_use, reason_of_end, scope_of_page, use_task_grant};
use domain::decide::profile::LiveProfile;
use domain::decide::session::OpenSession;
use domain::decide::task_grant::{ActiveGrant, EndReason, TaskGrant};
use domain::decide::tool_call::ToolCall;
use domain::decide::{Facts, Refusal};
use domain::event::{ApprovalRequested, Authority, Event, ToolCallAuthorized, ToolCallRequested, approval_stream, tool_call_stream};
use domain::id::{ApprovalId, PrincipalId, RunId, SessionId, ToolCallId};
use domain::limits::APPROVAL_SECS;
use domain::view::ApprovalView;
use eventlog::{Unit, Work, WorkError};

/// An agent proposes a tool call.
#[derive(Clone, Debug)]
pub struct RequestCall {
    /// Whose session it is.
    pub principal: PrincipalId,
    /// The run.
    pub run: RunId,
    /// The call.
    pub tool_call: ToolCallId,
    /// The tool, unwrapped.
    pub tool: String,
    /// The kind of act.
    pub action: Option<&'static str>,
}

#[async_trait]
impl Work for RequestCall {
    type Output = OpenSession;

    async fn run(&self, unit: &mut Unit<'_>) -> Result<OpenSession, WorkError> {
        let (run, session) = active_run(unit, &self.principal, self.run).await?;
        let requested = ToolCallRequested {
            tool_call: self.tool_call,
            run: run.run,
            session: session.session,
            tool: self.tool.clone(),
            action: self.action.map(str::to_owned),
        };
        unit.append(vec![Event::ToolCallRequested(requested)]).await?;
        unit.append(session.use_tool(&self.tool)).await?;
        Ok(session)
    }
}

/// An act that policy wants somebody's authority for, as the worker judged it.
#[derive(Clone, Debug)]
pub struct JudgedAct {
    /// Whose session it is.
    pub principal: PrincipalId,
    /// The run.
    pub run: RunId,
    /// The session.
    pub session: SessionId,
    /// The call.
    pub tool_call: ToolCallId,
    /// The page, without query and fragment; empty when it is not known.
    pub page_url: String,
    /// What a card shows.
    pub view: ApprovalView,
    /// Binds an answer to the arguments and the facts.
    pub digest: Vec<u8>,
    /// What the classifier said.
    pub consequence: Consequence,
    /// Characters that it types.
    pub typed_characters: u32,
    /// Whether the turn in which it was proposed had used the browser only (COV-4). A message of
    /// the owner that comes while it waits begins another turn, which it is no part of.
    pub in_browser_turn: bool,
}

/// Spends a grant on an act, or asks the owner: one unit of work, so that between "not covered"
/// and the card nothing can change unseen.
#[derive(Clone, Debug)]
pub struct Authorize {
    /// The act.
    pub act: JudgedAct,
    /// The approval that is asked, if one is.
    pub approval: ApprovalId,
    /// What grants are judged by.
    pub grants: GrantSettings,
    /// What the coverage rules say of the act in the place of a given grant.
    pub coverage: CoverageOfGrant,
}

/// Judges an act by the coverage rules for a scope; built by the worker from the observation.
pub type CoverageOfGrant = std::sync::Arc<dyn CoverScope>;

/// See [`CoverageOfGrant`].
pub trait CoverScope: Send + Sync + std::fmt::Debug {
    /// Why the rules do not cover the act inside `scope`; empty when they do.
    fn reasons(&self, scope: &domain::scope::SiteScope) -> Vec<Reason>;
}

/// What stands behind the act.
#[derive(Clone, Debug)]
pub enum Authorized {
    /// A grant was spent; the intent is durable and the act must be sent within the constraint.
    ByGrant(Constraint),
    /// The owner is asked.
    Asked(ApprovalId),
}

#[async_trait]
impl Work for Authorize {
    type Output = Authorized;

    async fn run(&self, unit: &mut Unit<'_>) -> Result<Authorized, WorkError> {
        let (run, mut session) = active_run(unit, &self.act.principal, self.act.run).await?;
        session.turn_is_browser_only &= self.act.in_browser_turn;
        let call: ToolCall = unit.load(tool_call_stream(self.act.tool_call)).await?;
        call.requested()?;
        let profile = profile_that_may_be_used(unit, &session).await?;
        let setting = setting(&run, &session, profile.as_ref(), &self.grants);
        let facts = unit.facts();
        let state = active_grant(unit, session.session).await?;
        let mut reasons = Vec::new();
        // GRA-13: nobody can say how much of the half hour is over, so all of it is.
        let untimed = unit.clock_ran_back();
        if untimed {
            if let Some(state) = &state {
                unit.append(state.end(facts.now, EndReason::Expired)).await?;
                reasons.push(Reason::Expired);
            }
        } else if let Some((state, grant)) = state.as_ref().and_then(|state| state.active().map(|grant| (state, grant))) {
            let coverage = self.coverage.reasons(&grant.pins.scope);
            match use_task_grant(&facts, &setting, grant, &coverage, self.act.typed_characters) {
                Ok(spent) => return self.spend(unit, &facts, &call, state, grant, spent).await,
                Err(not_used) => {
                    if let Some(end) = not_used.ended {
                        unit.append(state.end(facts.now, end)).await?;
                    }
                    reasons = not_used.reasons;
                }
            }
        }
        if state.is_none() {
            reasons.extend(reason_of_last_end(unit, session.session).await?);
        }
        let offer = if untimed { None } else { self.offer(&setting) };
        self.ask(unit, &facts, offer, reasons).await
    }
}

/// Why there is no grant any more, if there was one: the card says it (COV-10).
async fn reason_of_last_end(unit: &mut Unit<'_>, session: SessionId) -> Result<Option<Reason>, WorkError> {
    let tenant = unit.tenant().clone();
    let end = projections::grants::last_end_of_session(&mut unit.connection(), &tenant, session).await?;
    Ok(end.map(|end| EndReason::parse(&end).map_or(Reason::GrantEnded, reason_of_end)))
}

impl Authorize {
    async fn spend(
        &self,
        unit: &mut Unit<'_>,
        facts: &Facts,
        call: &ToolCall,
        state: &TaskGrant,
        grant: &ActiveGrant,
        spent: Use,
    ) -> Result<Authorized, WorkError> {
        let event = authorized(&self.act, Authority::TaskGrant(grant.task_grant), Some(spent));
        unit.append(vec![event]).await?;
        if spent.is_last {
            unit.append(state.end(facts.now, EndReason::Exhausted)).await?;
        }
        unit.append(call.dispatch()?).await?;
        Ok(Authorized::ByGrant(Constraint::for_grant(GrantKind::Task, grant.pins.scope.clone(), grant.pins.expires_at)))
    }

    async fn ask(&self, unit: &mut Unit<'_>, facts: &Facts, offer: Option<Offer>, reasons: Vec<Reason>) -> Result<Authorized, WorkError> {
        let requested = ApprovalRequested {
            approval: self.approval,
            tool_call: self.act.tool_call,
            run: self.act.run,
            session: self.act.session,
            view: self.act.view.clone(),
            offer,
            reasons,
            digest: self.act.digest.clone(),
            expires_at: facts.now.plus_seconds(APPROVAL_SECS),
        };
        unit.append(vec![Event::ApprovalRequested(requested)]).await?;
        Ok(Authorized::Asked(self.approval))
    }

    /// The offer for the page in view, if a grant could be used here at all (OFF-6, OFF-7).
    fn offer(&self, setting: &Setting<'_>) -> Option<Offer> {
        let profile = setting.profile?;
        if !self.act.view.described || !may_use(setting) {
            return None;
        }
        let scope = scope_of_page(&setting.deployment, &self.act.page_url)?;
        Some(Offer::of(scope, profile.generation))
    }
}

/// Uses an approval that the owner gave: once, for exactly the act that was shown (APR-2, APR-5).
#[derive(Clone, Debug)]
pub struct UseApproval {
    /// The act, judged again on the newest observation.
    pub act: JudgedAct,
    /// The approval.
    pub approval: ApprovalId,
}

#[async_trait]
impl Work for UseApproval {
    type Output = ();

    async fn run(&self, unit: &mut Unit<'_>) -> Result<(), WorkError> {
        let (_, session) = active_run(unit, &self.act.principal, self.act.run).await?;
        profile_that_may_be_used(unit, &session).await?;
        let approval: Approval = unit.load(approval_stream(self.approval)).await?;
        let request = approval.request().ok_or(Refusal::NotFound)?;
        let same = request.tool_call == self.act.tool_call && request.digest == self.act.digest;
        if !approval.is_approved() || !same {
            return Err(Refusal::ToolCallStage.into());
        }
        let call: ToolCall = unit.load(tool_call_stream(self.act.tool_call)).await?;
        let dispatched = call.dispatch()?;
        unit.append(vec![authorized(&self.act, Authority::Approval(self.approval), None)]).await?;
        unit.append(dispatched).await?;
        Ok(())
    }
}

/// The session's profile. A browser of a profile that was revoked or deleted is used no more,
/// whatever anybody approved.
async fn profile_that_may_be_used(unit: &mut Unit<'_>, session: &OpenSession) -> Result<Option<LiveProfile>, WorkError> {
    let profile = bound_profile(unit, session).await?;
    if session.profile.is_some() && profile.is_none() {
        return Err(Refusal::ProfileGone.into());
    }
    Ok(profile)
}

fn authorized(act: &JudgedAct, authority: Authority, spent: Option<Use>) -> Event {
    Event::ToolCallAuthorized(ToolCallAuthorized {
        tool_call: act.tool_call,
        run: act.run,
        session: act.session,
        authority,
        use_ordinal: spent.map_or(0, |spent| spent.ordinal),
        actions_remaining: spent.map_or(0, |spent| spent.actions_remaining),
        characters_remaining: spent.map_or(0, |spent| spent.characters_remaining),
        typed_characters: act.typed_characters,
        view: act.view.clone(),
        consequence: act.consequence,
        classifier_version: domain::classify::version().to_owned(),
    })
}

/// Records the intent to send a call that policy allows without a card.
#[derive(Clone, Debug)]
pub struct DispatchFree {
    /// Whose session it is.
    pub principal: PrincipalId,
    /// The run.
    pub run: RunId,
    /// The call.
    pub tool_call: ToolCallId,
}

#[async_trait]
impl Work for DispatchFree {
    type Output = ();

    async fn run(&self, unit: &mut Unit<'_>) -> Result<(), WorkError> {
        active_run(unit, &self.principal, self.run).await?;
        let call: ToolCall = unit.load(tool_call_stream(self.tool_call)).await?;
        let events = call.dispatch()?;
        unit.append(events).await?;
        Ok(())
    }
}

/// Records how a call ended.
#[derive(Clone, Debug)]
pub struct FinishCall {
    /// The call.
    pub tool_call: ToolCallId,
    /// How it ended.
    pub outcome: Outcome,
    /// A stable code.
    pub code: String,
    /// Why a grant did not fit the live page.
    pub reasons: Vec<Reason>,
}

/// Records that a call was refused before it was sent; one that somebody else has sent meanwhile
/// is theirs to finish, so nothing is recorded for it (AUT-7).
#[derive(Clone, Debug)]
pub struct RefuseUnsent {
    /// The call.
    pub tool_call: ToolCallId,
    /// A stable code.
    pub code: String,
}

#[async_trait]
impl Work for RefuseUnsent {
    type Output = ();

    async fn run(&self, unit: &mut Unit<'_>) -> Result<(), WorkError> {
        let call: ToolCall = unit.load(tool_call_stream(self.tool_call)).await?;
        if call.requested().is_ok() {
            unit.append(call.finish(Outcome::Refused, self.code.clone(), Vec::new())?).await?;
        }
        Ok(())
    }
}

#[async_trait]
impl Work for FinishCall {
    type Output = ();

    async fn run(&self, unit: &mut Unit<'_>) -> Result<(), WorkError> {
        let call: ToolCall = unit.load(tool_call_stream(self.tool_call)).await?;
        let events = call.finish(self.outcome, self.code.clone(), self.reasons.clone())?;
        unit.append(events).await?;
        Ok(())
    }
}
