//! The one classifier: what an act on an element would do, judged over every label of it.
//!
//! Deny-biased. Any source whose any reading matches gives the named consequence; extra readings
//! only add matches. Pure and total: the worker, the runtime, the card and `hallpass classify` all
//! call [`classify`].

use crate::browser::{Action, ElementFacts, Source};
use serde::{Deserialize, Serialize};

/// What an act would do. The order is from most to least severe: of several matches the first wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Consequence {
    /// Paying.
    Payment,
    /// Money or in-app currency is named.
    Currency,
    /// Buying.
    Purchase,
    /// Subscriptions and trials.
    Subscription,
    /// Moving money.
    MoneyMovement,
    /// Signing in and out.
    Authentication,
    /// Recovering an account.
    AccountRecovery,
    /// Changing an account or its settings.
    AccountChange,
    /// Granting permissions.
    Permission,
    /// Accepting terms.
    Legal,
    /// Messages, posts, publication.
    Message,
    /// Deleting.
    Deletion,
    /// Uploading and downloading.
    FileTransfer,
    /// Every label source reads as the same routine word.
    Routine,
    /// Nothing matched.
    Unknown,
}

/// One match of the vocabulary.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Match {
    /// Where the text came from.
    pub source: Source,
    /// The class that matched.
    pub class: Consequence,
    /// The vocabulary entry.
    pub word: &'static str,
    /// How the text was read.
    pub reading: Reading,
}

/// How a text was read when it matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reading {
    /// As written.
    Written,
    /// In the order in which it is displayed.
    Displayed,
    /// With look-alike letters read as the Latin letters they resemble.
    LookAlike,
    /// With what separates its letters left out.
    Joined,
}

/// What the classifier found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The one consequence.
    pub consequence: Consequence,
    /// Everything that fired.
    pub matches: Vec<Match>,
}

/// Classifies an act on an element over every label source (requirements CLS-1 to CLS-9).
#[must_use]
pub fn classify(_action: &Action, _element: &ElementFacts) -> Verdict {
    Verdict { consequence: Consequence::Unknown, matches: Vec::new() }
}

/// Whether a path segment matches the vocabulary or names an administrative, authentication,
/// pricing or messaging area (requirement CLS-8).
#[must_use]
pub fn is_sensitive_segment(_segment: &str) -> bool {
    false
}

/// The classifier's version: a digest of its vocabulary and tables. A runtime with another version
/// is refused for constrained acts.
#[must_use]
pub fn version() -> &'static str {
    "unset"
}
