//! Why a grant does not cover an act: a closed set of stable codes (requirement COV-10).

use serde::{Deserialize, Serialize};

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
    /// Every reason there is. Stored and shown by name: one that was ever written stays.
    pub const ALL: [Self; 27] = [
        Self::ConsequenceNamed,
        Self::ConsequenceNotRoutine,
        Self::PageOutsideOrigin,
        Self::PageOutsidePrefix,
        Self::PageSensitive,
        Self::TargetOutsideOrigin,
        Self::TargetOutsidePrefix,
        Self::TargetSensitive,
        Self::Download,
        Self::FieldNotCovered,
        Self::KindMismatch,
        Self::Disabled,
        Self::Unnamed,
        Self::Truncated,
        Self::FactsMissing,
        Self::TextTooLong,
        Self::TextShape,
        Self::Options,
        Self::KeyNotCovered,
        Self::TurnNotBrowserOnly,
        Self::Expired,
        Self::ActionsUsedUp,
        Self::CharactersUsedUp,
        Self::GrantEnded,
        Self::NotApplicable,
        Self::FocusNotHeld,
        Self::ElementChanged,
    ];

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
