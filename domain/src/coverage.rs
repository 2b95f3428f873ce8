//! Whether a grant covers an act (group E). The worker and the runtime ask the same question.

mod element;
mod options;
mod text;

pub use options::options_chosen;

use crate::browser::{Action, ConsequenceCeiling, ElementFacts};
use crate::classify::{Consequence, Verdict, classify};
use crate::scope::{Place, SiteScope};
use serde::{Deserialize, Serialize};

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

/// Why a grant does not cover an act. A closed set of stable codes (requirement COV-10).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The labels name a consequence.
    ConsequenceNamed,
    /// A routine-only grant and an act that is not routine.
    ConsequenceNotRoutine,
    /// The page is on another origin.
    PageOutsideOrigin,
    /// The page is outside the prefix.
    PageOutsidePrefix,
    /// The page's path names a sensitive area.
    PageSensitive,
    /// A link or submission leaves the origin.
    TargetOutsideOrigin,
    /// A link or submission leaves the prefix.
    TargetOutsidePrefix,
    /// A link or submission names a sensitive area.
    TargetSensitive,
    /// A download.
    Download,
    /// The field kind is never covered.
    FieldNotCovered,
    /// The act does not fit the element.
    KindMismatch,
    /// The element is disabled.
    Disabled,
    /// The element has no name.
    Unnamed,
    /// Some label was cut.
    Truncated,
    /// The element or its facts are missing.
    FactsMissing,
    /// Typed text is too long.
    TextTooLong,
    /// Typed text looks like an address, a link, a number or a credential.
    TextShape,
    /// A select has too many options, or the selection names none.
    Options,
    /// The key may not be pressed there.
    KeyNotCovered,
    /// Another tool was used in this turn.
    TurnNotBrowserOnly,
    /// The grant's time is over.
    Expired,
    /// The grant's actions are used up.
    ActionsUsedUp,
    /// The grant's characters do not suffice.
    CharactersUsedUp,
    /// The grant has ended.
    GrantEnded,
    /// The session, run, profile, policy or agent is not the one that the grant pins.
    NotApplicable,
    /// The element did not hold focus when focused.
    FocusNotHeld,
    /// The live element is no longer what was observed.
    ElementChanged,
}

impl Reason {
    /// The code on the wire and in the log.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ConsequenceNamed => "consequence_named",
            Self::ConsequenceNotRoutine => "consequence_not_routine",
            Self::PageOutsideOrigin => "page_outside_origin",
            Self::PageOutsidePrefix => "page_outside_prefix",
            Self::PageSensitive => "page_sensitive",
            Self::TargetOutsideOrigin => "target_outside_origin",
            Self::TargetOutsidePrefix => "target_outside_prefix",
            Self::TargetSensitive => "target_sensitive",
            Self::Download => "download",
            Self::FieldNotCovered => "field_not_covered",
            Self::KindMismatch => "kind_mismatch",
            Self::Disabled => "disabled",
            Self::Unnamed => "unnamed",
            Self::Truncated => "truncated",
            Self::FactsMissing => "facts_missing",
            Self::TextTooLong => "text_too_long",
            Self::TextShape => "text_shape",
            Self::Options => "options",
            Self::KeyNotCovered => "key_not_covered",
            Self::TurnNotBrowserOnly => "turn_not_browser_only",
            Self::Expired => "expired",
            Self::ActionsUsedUp => "actions_used_up",
            Self::CharactersUsedUp => "characters_used_up",
            Self::GrantEnded => "grant_ended",
            Self::NotApplicable => "not_applicable",
            Self::FocusNotHeld => "focus_not_held",
            Self::ElementChanged => "element_changed",
        }
    }
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
    text::looks_like_credential(text)
}
