//! The owner's answer to a card: one decision over the approval, the offer and the grants, so that
//! approving and granting happen together or not at all (OFF-2).

use super::approval::{Approval, Offer, Resolution};
use super::authorize::{Setting, may_use};
use super::task_grant::{EndReason, Pins, TaskGrant};
use super::{Facts, Refusal};
use crate::event::{Actor, ApprovalRequested, Event};
use crate::id::{PrincipalId, TaskGrantId};
use crate::limits::GRANT_ACTIONS_MAX;
use crate::scope::SiteScope;

/// What the owner sent.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The answer.
    pub resolution: Resolution,
    /// The offered origin, repeated.
    pub origin: Option<String>,
    /// The offered path prefix, repeated.
    pub path_prefix: Option<String>,
}

/// Decides `approve_once` and `deny`. `approve_for_task` is refused here: it needs the offer, and
/// an answer without its grant would be half of what the owner said (OFF-2).
///
/// # Errors
/// When the approval no longer waits, or it is not an owner who answers.
pub fn resolve_once(facts: &Facts, approval: &Approval, resolution: Resolution) -> Result<Vec<Event>, Refusal> {
    owner(facts)?;
    approval.resolve(facts.now, resolution, None)
}

/// Decides `approve_for_task`: the answer, the end of the grant that it supersedes, and the new
/// grant, in this order. Any refusal leaves the approval pending (OFF-5).
///
/// # Errors
/// When the approval no longer waits, has no offer, the offer is not repeated or not valid, or it
/// is not the session's owner who answers.
pub fn approve_for_task(
    facts: &Facts,
    approval: &Approval,
    answer: &Answer,
    setting: &Setting<'_>,
    active: Option<&TaskGrant>,
    new_grant: TaskGrantId,
) -> Result<Vec<Event>, Refusal> {
    if *owner(facts)? != setting.session.principal {
        return Err(Refusal::NotFound);
    }
    let request = approval.pending(facts.now)?;
    if !setting.deployment.grants_enabled {
        return Err(Refusal::GrantsDisabled);
    }
    let offer = request.offer.as_ref().ok_or(Refusal::NoOffer)?;
    let repeated =
        answer.origin.as_deref() == Some(offer.origin.as_str()) && answer.path_prefix.as_deref() == Some(offer.path_prefix.as_str());
    if !repeated {
        return Err(Refusal::OfferDiffers);
    }
    // It cannot be ended, and a second one beside it would break "at most one" (GRA-4).
    if matches!(active, Some(TaskGrant::Quarantined)) {
        return Err(Refusal::Quarantined);
    }
    let pins = pins(facts, request, offer, setting).ok_or(Refusal::OfferNoLongerValid)?;
    let mut events = approval.resolve(facts.now, answer.resolution, Some(new_grant))?;
    if let Some(active) = active {
        events.extend(active.end(facts.now, EndReason::Superseded));
    }
    events.extend(TaskGrant::create(new_grant, pins));
    Ok(events)
}

/// The owner who answers. Agents and Hallpass itself answer nothing, whatever scopes a token was
/// given: only an owner makes authority (OFF-3).
fn owner(facts: &Facts) -> Result<&PrincipalId, Refusal> {
    match &facts.actor {
        Actor::Owner(principal) => Ok(principal),
        Actor::Agent(_) | Actor::System => Err(Refusal::NotFound),
    }
}

/// The pins of the grant that the offer gives, if it still stands: same profile generation, a
/// configured scope, and a setting in which a grant can be used.
fn pins(facts: &Facts, request: &ApprovalRequested, offer: &Offer, setting: &Setting<'_>) -> Option<Pins> {
    let profile = setting.profile?;
    let scope = SiteScope::from_parts(&offer.origin, &offer.path_prefix).ok()?;
    let stands = may_use(setting)
        && request.session == setting.session.session
        && request.run == setting.run.run
        && profile.generation == offer.profile_generation
        && setting.deployment.scopes.contains(&scope);
    if !stands {
        return None;
    }
    let (created_at, expires_at) = Pins::time_box(facts.now);
    Some(Pins {
        principal: setting.session.principal.clone(),
        session: setting.session.session,
        profile: profile.profile,
        profile_generation: profile.generation,
        agent_version: setting.deployment.agent_version.to_owned(),
        policy_version: setting.deployment.policy_version.to_owned(),
        scope,
        created_at,
        expires_at,
        actions_max: GRANT_ACTIONS_MAX,
        approval: request.approval,
    })
}
