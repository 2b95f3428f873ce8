//! Whether a grant covers an act (group E). The worker and the runtime ask the same question.

use crate::browser::{Action, ConsequenceCeiling, ElementFacts};
use crate::classify::Verdict;
use crate::scope::SiteScope;
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

/// Decides whether a grant covers an act.
#[must_use]
pub fn cover(question: &Question<'_>) -> Coverage {
    let blank = ElementFacts::default();
    let verdict = crate::classify::classify(question.action, question.element.unwrap_or(&blank));
    Coverage { verdict, reasons: vec![Reason::FactsMissing] }
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
    text.split_whitespace().any(|word| {
        let letters = word.chars().any(char::is_alphabetic);
        let digits = word.chars().filter(char::is_ascii_digit).count();
        word.chars().count() >= 16 && letters && digits >= 2
    })
}
