//! How an act ended, told truthfully.

use serde::{Deserialize, Serialize};

/// The end of one dispatched or refused call (requirement AUT-7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It was done.
    Completed,
    /// It was refused before anything was sent to the page.
    Refused,
    /// It was tried and certainly had no effect.
    Failed,
    /// It may have had effect. Never retried; a use stays spent.
    Unknown,
}

impl Outcome {
    /// The name on the wire and in the log.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Refused => "refused",
            Self::Failed => "failed",
            Self::Unknown => "unknown",
        }
    }
}
