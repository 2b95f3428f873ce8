//! Whether the session's task grant covers an act now: the one place where a grant is spent.

use super::Facts;
use super::profile::LiveProfile;
use super::run::ActiveRun;
use super::session::{OpenSession, Surface};
use super::task_grant::{ActiveGrant, EndReason};
use crate::coverage::Reason;
use crate::scope::SiteScope;

/// What the deployment says, looked up before deciding.
#[derive(Clone, Copy, Debug)]
pub struct Deployment<'a> {
    /// Whether task grants are switched on (API-4).
    pub grants_enabled: bool,
    /// The configured scopes.
    pub scopes: &'a [SiteScope],
    /// The agent's version.
    pub agent_version: &'a str,
    /// The policy's version.
    pub policy_version: &'a str,
}

/// Where an act takes place.
#[derive(Clone, Copy, Debug)]
pub struct Setting<'a> {
    /// The run that proposes it.
    pub run: &'a ActiveRun,
    /// The session.
    pub session: &'a OpenSession,
    /// The session's profile, if it is bound and can be used.
    pub profile: Option<&'a LiveProfile>,
    /// What the deployment says.
    pub deployment: Deployment<'a>,
}

/// A use of the grant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Use {
    /// Which use it is, from 1.
    pub ordinal: u32,
    /// Acts left afterwards.
    pub actions_remaining: u32,
    /// Characters left afterwards.
    pub characters_remaining: u32,
    /// It was the last one: the grant ends as exhausted in the same transaction.
    pub is_last: bool,
}

/// Why the grant was not used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotUsed {
    /// What the card says (COV-10).
    pub reasons: Vec<Reason>,
    /// The grant is over for good, for this reason, and nobody wrote it down yet.
    pub ended: Option<EndReason>,
}

/// Decides whether `grant` covers an act that the coverage rules judged with `reasons` and that
/// types `characters`. Time, place, bindings and counters are judged here, in one step (GRA-8).
///
/// # Errors
/// Says why not, and whether the grant is over.
pub fn use_task_grant(
    facts: &Facts,
    setting: &Setting<'_>,
    grant: &ActiveGrant,
    coverage: &[Reason],
    characters: u32,
) -> Result<Use, NotUsed> {
    // Another session's place says nothing about this grant, so it cannot end it either.
    if grant.pins.session != setting.session.session || grant.pins.principal != setting.session.principal {
        return Err(NotUsed { reasons: vec![Reason::NotApplicable], ended: None });
    }
    if let Some(end) = end_due(facts, setting, grant) {
        return Err(NotUsed { reasons: vec![reason_of_end(end)], ended: Some(end) });
    }
    if grant.actions_remaining() == 0 {
        let end = EndReason::Exhausted;
        return Err(NotUsed { reasons: vec![reason_of_end(end)], ended: Some(end) });
    }
    // A clock that stands before the creation jumped back. Its time box cannot be judged, so there
    // is no use; the box is not over either, so nothing ends (GRA-13).
    if facts.now < grant.pins.created_at {
        return Err(NotUsed { reasons: vec![Reason::Expired], ended: None });
    }
    let mut reasons = Vec::new();
    if !may_use(setting) {
        reasons.push(Reason::NotApplicable);
    }
    if !setting.session.turn_is_browser_only {
        reasons.push(Reason::TurnNotBrowserOnly);
    }
    reasons.extend_from_slice(coverage);
    if characters > grant.characters_remaining() {
        reasons.push(Reason::CharactersUsedUp);
    }
    if !reasons.is_empty() {
        return Err(NotUsed { reasons, ended: None });
    }
    let ordinal = grant.actions_used.saturating_add(1);
    Ok(Use {
        ordinal,
        actions_remaining: grant.actions_remaining().saturating_sub(1),
        characters_remaining: grant.characters_remaining().saturating_sub(characters),
        is_last: grant.actions_remaining() <= 1,
    })
}

/// What a card says of a grant that ended for `end`: also of one that ended before the act, so that
/// the owner learns why the permission of a minute ago is asked for again (COV-10).
#[must_use]
pub const fn reason_of_end(end: EndReason) -> Reason {
    match end {
        EndReason::Expired => Reason::Expired,
        EndReason::Exhausted => Reason::ActionsUsedUp,
        EndReason::Revoked
        | EndReason::Superseded
        | EndReason::ProfileChanged
        | EndReason::ProfileRevoked
        | EndReason::PolicyChanged
        | EndReason::AgentChanged
        | EndReason::ScopeRemoved => Reason::GrantEnded,
    }
}

/// Whether something that the grant pins is no longer so. The time comes first: what expired
/// before anything else changed, expired.
fn end_due(facts: &Facts, setting: &Setting<'_>, grant: &ActiveGrant) -> Option<EndReason> {
    let pins = &grant.pins;
    let deployment = &setting.deployment;
    if facts.now >= pins.expires_at {
        return Some(EndReason::Expired);
    }
    match setting.profile {
        None => return Some(EndReason::ProfileRevoked),
        Some(profile) if profile.profile != pins.profile || profile.generation != pins.profile_generation => {
            return Some(EndReason::ProfileChanged);
        }
        Some(_) => {}
    }
    if !deployment.grants_enabled || !deployment.scopes.contains(&pins.scope) {
        return Some(EndReason::ScopeRemoved);
    }
    if deployment.policy_version != pins.policy_version {
        return Some(EndReason::PolicyChanged);
    }
    (deployment.agent_version != pins.agent_version).then_some(EndReason::AgentChanged)
}

/// Whether a task grant can be used, and therefore be offered, in this setting at all (GRA-3).
#[must_use]
pub fn may_use(setting: &Setting<'_>) -> bool {
    let session = setting.session;
    setting.deployment.grants_enabled
        && setting.run.is_interactive_top_level()
        && setting.run.session == session.session
        && session.surface == Surface::Chat
        && session.schedule.is_none()
        && session.owner_wrote_last
        && setting.profile.is_some_and(|profile| {
            // The trusted binding and nothing else says which profile this is.
            session.profile == Some(profile.profile) && profile.principal == session.principal && profile.signing_in.is_none()
        })
}

/// The configured scope that a page lies inside, for an offer (OFF-6).
#[must_use]
pub fn scope_of_page<'a>(deployment: &Deployment<'a>, page_url: &str) -> Option<&'a SiteScope> {
    deployment.scopes.iter().find(|scope| scope.place(page_url) == crate::scope::Place::Inside)
}
