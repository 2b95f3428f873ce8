//! Permission as a value: what the runtime's `perform` demands, and only the check itself makes.

use crate::browser::{Action, Constraint, ElementFacts};
use crate::coverage::{self, Question, Reason};
use crate::time::Timestamp;

/// Leave to do one act now. Spent by value; it cannot be copied, stored or made elsewhere.
#[derive(Debug)]
pub struct Permit {
    action: Action,
    not_after: Option<Timestamp>,
}

/// The act as the live page shows it at the moment of the check.
#[derive(Clone, Copy, Debug)]
pub struct LiveAct<'a> {
    /// What is to be done.
    pub action: &'a Action,
    /// The page's URL, read now.
    pub page_url: &'a str,
    /// The element, read now; `None` only for a scroll of the page.
    pub element: Option<&'a ElementFacts>,
}

/// Why no permit was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoPermit {
    /// The field is never touched, approved or not (requirement COV-9), or there is no element to
    /// tell that it is another kind of field.
    RefusedOutright,
    /// The constraint does not cover the live act.
    NotApplicable(Vec<Reason>),
}

impl Permit {
    /// Checks an act against the live page. Without a constraint the act was approved one by one,
    /// and only what is refused outright stops it; with one, the coverage rules must agree.
    ///
    /// # Errors
    /// Says why the act may not be done.
    pub fn check(live: &LiveAct<'_>, constraint: Option<&Constraint>, now: Timestamp) -> Result<Self, NoPermit> {
        // An element that was not read may be a password field: unknown means refuse.
        let refused = live.element.map_or(!live.action.stands_alone(), |element| coverage::is_refused_outright(live.action, element));
        if refused {
            return Err(NoPermit::RefusedOutright);
        }
        let Some(constraint) = constraint else {
            return Ok(Self { action: live.action.clone(), not_after: None });
        };
        let mut reasons = coverage::cover(&Question {
            action: live.action,
            page_url: live.page_url,
            scope: constraint.scope(),
            element: live.element,
            ceiling: constraint.kind().ceiling(),
        })
        .reasons;
        if constraint.is_over(now) {
            reasons.push(Reason::Expired);
        }
        if reasons.is_empty() {
            Ok(Self { action: live.action.clone(), not_after: Some(constraint.not_after()) })
        } else {
            Err(NoPermit::NotApplicable(reasons))
        }
    }

    /// Spends the permit for the act it allows. At or after its deadline it gives nothing.
    #[must_use]
    pub fn spend(self, now: Timestamp) -> Option<Action> {
        match self.not_after {
            Some(deadline) if now >= deadline => None,
            _ => Some(self.action),
        }
    }
}
