//! The deciders: for each aggregate an initial state, a total `evolve`, and pure rules that turn a
//! command into events or a refusal.

pub mod answer;
pub mod approval;
pub mod authorize;
pub mod profile;
pub mod run;
pub mod session;
pub mod task_grant;
pub mod tool_call;

use crate::event::{Actor, Event};
use crate::time::Timestamp;
use std::fmt;

/// Who asks, and what time it is. Gathered by the shell and given first to every rule.
#[derive(Clone, Debug)]
pub struct Facts {
    /// The server's clock.
    pub now: Timestamp,
    /// Whose token sent the command.
    pub actor: Actor,
}

/// A state that is folded from a stream.
pub trait Aggregate: Sized {
    /// The only state without history.
    fn initial() -> Self;
    /// Applies one event. Total: an event that cannot follow leads to a quarantined state, in which
    /// every rule refuses.
    fn evolve(self, event: &Event) -> Self;

    /// Folds a history.
    fn fold<'a>(events: impl IntoIterator<Item = &'a Event>) -> Self {
        events.into_iter().fold(Self::initial(), Self::evolve)
    }
}

/// Why a command was refused. Refusals are answers, not failures; each has a stable code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Refusal {
    /// There is no such thing, or it is not this principal's: the two look the same (API-2).
    NotFound,
    /// The stream's history does not make sense; nothing is allowed on it until an operator looks.
    Quarantined,
    /// The session was deleted.
    SessionDeleted,
    /// The run is over.
    RunEnded,
    /// The parent run is missing, ended, or of another session.
    ParentRun,
    /// The tool call is not in the stage that the command needs.
    ToolCallStage,
    /// The approval was answered already.
    AlreadyResolved,
    /// The approval lapsed before the answer.
    ApprovalLapsed,
    /// The approval was cancelled with its run.
    ApprovalCancelled,
    /// The answer needs an offer and the approval has none.
    NoOffer,
    /// The answer does not repeat the offered origin and path prefix.
    OfferDiffers,
    /// The offer no longer stands: scope, flag, profile or session changed.
    OfferNoLongerValid,
    /// Task grants are switched off.
    GrantsDisabled,
    /// The profile is revoked or deleted.
    ProfileGone,
    /// The sign-in is not the one in progress.
    SignInUnknown,
}

impl Refusal {
    /// The stable code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::NotFound => "not_found",
            Self::Quarantined => "history_quarantined",
            Self::SessionDeleted => "session_deleted",
            Self::RunEnded => "run_ended",
            Self::ParentRun => "run_parent_invalid",
            Self::ToolCallStage => "tool_call_stage",
            Self::AlreadyResolved => "approval_already_resolved",
            Self::ApprovalLapsed => "approval_lapsed",
            Self::ApprovalCancelled => "approval_cancelled",
            Self::NoOffer => "offer_missing",
            Self::OfferDiffers => "offer_differs",
            Self::OfferNoLongerValid => "offer_no_longer_valid",
            Self::GrantsDisabled => "task_grants_disabled",
            Self::ProfileGone => "profile_gone",
            Self::SignInUnknown => "sign_in_unknown",
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl std::error::Error for Refusal {}

/// A closed vocabulary with stable names: `as_str` for the log and the wire, `parse` for the way
/// back. Unknown names are `None`, never a default (APR-1).
macro_rules! named {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
        pub enum $name {
            $($(#[$variant_doc])* #[serde(rename = $text)] $variant),+
        }

        impl<'de> serde::Deserialize<'de> for $name {
            /// From the name as a text and from nothing else: JSON has other ways to write a variant.
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                Self::parse(&text).ok_or_else(|| serde::de::Error::unknown_variant(&text, &[$($text),+]))
            }
        }

        impl $name {
            /// Every value.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The name in the log and on the wire.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }

            /// The value of a name; `None` for a name that is not in the vocabulary.
            #[must_use]
            pub fn parse(text: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|value| value.as_str() == text)
            }
        }
    };
}
pub(crate) use named;
