//! The bounds that travel with a granted act to the runtime. They can only narrow: an act without
//! a constraint behaves as approved, and no field of one can make anything possible (RUN-3).

use crate::limits::TYPED_TEXT_CHARACTERS_MAX;
use crate::scope::SiteScope;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};

/// Which kind of grant stands behind an act.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum GrantKind {
    /// From an approval card, for one task.
    #[serde(rename = "browser_task_grant")]
    Task,
    /// Pinned by an operator, routine only.
    #[serde(rename = "browser_standing_grant")]
    Standing,
}

impl GrantKind {
    /// The most consequential thing that this kind covers.
    #[must_use]
    pub const fn ceiling(self) -> ConsequenceCeiling {
        match self {
            Self::Task => ConsequenceCeiling::Unknown,
            Self::Standing => ConsequenceCeiling::Routine,
        }
    }

    /// The name on the wire and in the log.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Task => "browser_task_grant",
            Self::Standing => "browser_standing_grant",
        }
    }
}

/// The most consequential thing that an act may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConsequenceCeiling {
    /// Only routine acts.
    Routine,
    /// Routine acts and ones that the classifier cannot name.
    Unknown,
}

/// A checked constraint. Built from its wire fields by [`Constraint::new`] only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constraint {
    kind: GrantKind,
    scope: SiteScope,
    not_after: Timestamp,
}

/// Why wire fields are not a constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstraintError {
    /// There is not exactly one origin, or it and the prefix are no site scope.
    Scope,
    /// The ceiling is not the one of the grant kind.
    Ceiling,
    /// The text cap is not the one of the grant kind.
    TextCap,
}

impl Constraint {
    /// Builds the constraint that a grant of `kind` gives.
    #[must_use]
    pub const fn for_grant(kind: GrantKind, scope: SiteScope, not_after: Timestamp) -> Self {
        Self { kind, scope, not_after }
    }

    /// Checks the fields as they came over the wire.
    ///
    /// # Errors
    /// When any field disagrees with the others or with what the grant kind fixes.
    pub fn new(
        kind: GrantKind,
        origins: &[String],
        path_prefix: &str,
        not_after: Timestamp,
        ceiling: ConsequenceCeiling,
        text_cap: u32,
    ) -> Result<Self, ConstraintError> {
        let [origin] = origins else { return Err(ConstraintError::Scope) };
        let scope = SiteScope::from_parts(origin, path_prefix).map_err(|_| ConstraintError::Scope)?;
        if ceiling != kind.ceiling() {
            return Err(ConstraintError::Ceiling);
        }
        if text_cap != TYPED_TEXT_CHARACTERS_MAX {
            return Err(ConstraintError::TextCap);
        }
        Ok(Self { kind, scope, not_after })
    }

    /// The kind of grant behind it.
    #[must_use]
    pub const fn kind(&self) -> GrantKind {
        self.kind
    }

    /// The place that the act must stay in.
    #[must_use]
    pub const fn scope(&self) -> &SiteScope {
        &self.scope
    }

    /// From this instant on the constraint admits nothing.
    #[must_use]
    pub const fn not_after(&self) -> Timestamp {
        self.not_after
    }

    /// Whether the time box is over at `now`; at exactly `not_after` it is.
    #[must_use]
    pub fn is_over(&self, now: Timestamp) -> bool {
        now >= self.not_after
    }
}
