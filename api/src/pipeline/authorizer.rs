//! From an act on an observation to somebody's authority for it: the judged act, and the question
//! whether a grant covers it, ready for the unit of work that spends or asks.

use super::call::ActCall;
use super::observed::{Aim, Observed};
use super::sessions::{Job, SessionKey};
use crate::commands::calls::{CoverScope, JudgedAct};
use domain::browser::{Action, ConsequenceCeiling, ElementFacts};
use domain::classify::classify;
use domain::coverage::{self, Question, Reason};
use domain::scope::SiteScope;

/// The coverage question for one act, without the scope that only the unit of work knows.
#[derive(Debug)]
struct OpenQuestion {
    action: Action,
    page_url: String,
    element: Option<ElementFacts>,
    facts_missing: bool,
}

impl CoverScope for OpenQuestion {
    fn reasons(&self, scope: &SiteScope) -> Vec<Reason> {
        if self.facts_missing {
            return vec![Reason::FactsMissing];
        }
        let question = Question {
            action: &self.action,
            page_url: &self.page_url,
            scope,
            element: self.element.as_ref(),
            ceiling: ConsequenceCeiling::Unknown,
        };
        coverage::cover(&question).reasons
    }
}

/// Judges an act and leaves open only where.
#[must_use]
pub fn judge(
    key: &SessionKey,
    job: &Job,
    act: &ActCall,
    observed: &Observed,
    aim: Aim<'_>,
    digest_key: &[u8; 32],
) -> (JudgedAct, std::sync::Arc<dyn CoverScope>) {
    let blank = ElementFacts::default();
    let verdict = classify(&act.action, aim.facts().unwrap_or(&blank));
    let judged = JudgedAct {
        principal: key.principal.clone(),
        run: job.run,
        session: key.session,
        tool_call: job.tool_call,
        page_url: observed.page_url(),
        view: observed.view(act, aim),
        digest: observed.digest(digest_key, act, aim),
        consequence: verdict.consequence,
        typed_characters: act.action.typed_characters(),
        in_browser_turn: job.in_browser_turn,
    };
    let question = OpenQuestion {
        action: act.action.clone(),
        page_url: observed.page_url(),
        element: aim.facts().cloned(),
        facts_missing: matches!(aim, Aim::Undescribed) || !observed.may_be_covered(),
    };
    (judged, std::sync::Arc::new(question))
}
