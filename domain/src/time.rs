//! Instants as plain numbers. The core compares times; only the edges read clocks and print dates.

use serde::{Deserialize, Serialize};

/// Microseconds since 1970-01-01T00:00:00Z.
///
/// Comparisons are the whole of time-boxing here: expiry is `now >= expires_at`, never a timer
/// (requirement GRA-13).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Timestamp(i64);

impl Timestamp {
    /// Builds an instant from microseconds since the Unix epoch.
    #[must_use]
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// Microseconds since the Unix epoch.
    #[must_use]
    pub const fn as_micros(self) -> i64 {
        self.0
    }

    /// The instant `seconds` later; saturates at the ends of the range instead of wrapping.
    #[must_use]
    pub const fn plus_seconds(self, seconds: i64) -> Self {
        Self(self.0.saturating_add(seconds.saturating_mul(1_000_000)))
    }
}
