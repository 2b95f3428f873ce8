//! Whether a grant covers an act (group E). The worker and the runtime ask the same question.

mod address;
mod credential;
mod digits;
mod element;
mod formula;
mod groups;
mod opaque;
mod options;
mod reason;
mod text;

pub use options::options_chosen;
pub use reason::Reason;

use crate::browser::{Action, ConsequenceCeiling, ElementFacts};
use crate::classify::{Consequence, Verdict, classify};
use crate::scope::{Place, SiteScope};

/// Everything the decision depends on.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The act.
    pub action: &'a Action,
    /// The page's full URL.
    pub page_url: &'a str,
    /// The granted place.
    pub scope: &'a SiteScope,
    /// The element, unless the act needs none.
    pub element: Option<&'a ElementFacts>,
    /// The most consequential thing that the grant covers.
    pub ceiling: ConsequenceCeiling,
}

/// The decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// What the classifier said.
    pub verdict: Verdict,
    /// Why not; empty when covered.
    pub reasons: Vec<Reason>,
}

impl Coverage {
    /// Whether the grant covers the act.
    #[must_use]
    pub fn is_covered(&self) -> bool {
        self.reasons.is_empty()
    }
}

/// Decides whether a grant covers an act, as far as the question alone tells. Whose turn it is, what
/// is left of the grant and what holds focus are decided elsewhere.
#[must_use]
pub fn cover(question: &Question<'_>) -> Coverage {
    let blank = ElementFacts::default();
    let verdict = classify(question.action, question.element.unwrap_or(&blank));
    let mut reasons = Vec::new();
    reasons.extend(refused_consequence(verdict.consequence, question.ceiling));
    reasons.extend(refused_page(question.scope.place(question.page_url)));
    reasons.extend(element::invalid(question.action));
    match question.element {
        Some(element) => {
            element::judge(question.action, element, &mut reasons);
            element::judge_targets(question.action, element, question.scope, &mut reasons);
        }
        None if question.action.stands_alone() => {}
        None => reasons.push(Reason::FactsMissing),
    }
    reasons.sort_unstable();
    reasons.dedup();
    Coverage { verdict, reasons }
}

fn refused_consequence(consequence: Consequence, ceiling: ConsequenceCeiling) -> Option<Reason> {
    match (consequence, ceiling) {
        (Consequence::Routine, _) | (Consequence::Unknown, ConsequenceCeiling::Unknown) => None,
        (Consequence::Unknown, ConsequenceCeiling::Routine) => Some(Reason::ConsequenceNotRoutine),
        _ => Some(Reason::ConsequenceNamed),
    }
}

fn refused_page(place: Place) -> Option<Reason> {
    match place {
        Place::Inside => None,
        Place::OtherOrigin => Some(Reason::PageOutsideOrigin),
        Place::OutsidePrefix => Some(Reason::PageOutsidePrefix),
        Place::Sensitive => Some(Reason::PageSensitive),
    }
}

/// Whether an act on this element is refused outright, approved or not (requirement COV-9).
#[must_use]
pub fn is_refused_outright(_action: &Action, element: &ElementFacts) -> bool {
    use crate::browser::FieldKind;
    matches!(element.field_kind, FieldKind::Password | FieldKind::OneTimeCode)
}

/// Whether a text has the shape of a credential: shown redacted on cards (VIE-4), never typed
/// under a grant (COV-3).
#[must_use]
pub fn looks_like_credential(text: &str) -> bool {
    credential::looks_like_credential(text)
}
