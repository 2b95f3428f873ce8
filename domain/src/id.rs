//! Identifiers: one type a kind, so that an approval's id can never be passed where a grant's belongs.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use uuid::Uuid;

/// The text was not an identifier of this kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MalformedId;

impl fmt::Display for MalformedId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not an identifier of the expected kind")
    }
}

impl std::error::Error for MalformedId {}

macro_rules! uuid_ids {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(Uuid);

        impl $name {
            /// Wraps a UUID that the caller made or read.
            #[must_use]
            pub const fn from_uuid(uuid: Uuid) -> Self {
                Self(uuid)
            }

            /// The UUID inside.
            #[must_use]
            pub const fn as_uuid(&self) -> &Uuid {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, f)
            }
        }

        impl FromStr for $name {
            type Err = MalformedId;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Uuid::parse_str(text).map(Self).map_err(|_| MalformedId)
            }
        }
    )+};
}

uuid_ids! {
    /// A chat session.
    SessionId,
    /// One run of an agent inside a session.
    RunId,
    /// One proposed tool call.
    ToolCallId,
    /// One question to the owner.
    ApprovalId,
    /// A task grant.
    TaskGrantId,
    /// A standing grant.
    StandingGrantId,
    /// A browser profile: the accounts that a browser is signed in to.
    ProfileId,
    /// One sign-in on a browser profile.
    SignInId,
    /// A browser lease at the runtime.
    LeaseId,
    /// An API token.
    TokenId,
    /// The idempotency key of one command.
    CommandId,
}

macro_rules! name_ids {
    ($($(#[$doc:meta])* $name:ident max $max:literal),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// The text inside.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl FromStr for $name {
            type Err = MalformedId;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '@');
                if text.is_empty() || text.len() > $max || !text.chars().all(plain) {
                    return Err(MalformedId);
                }
                Ok(Self(text.to_owned()))
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    )+};
}

name_ids! {
    /// One customer of a deployment; each has a log of its own. At most 64 of `[A-Za-z0-9._@-]`.
    TenantId max 64,
    /// The person for whom a token acts. At most 128 of `[A-Za-z0-9._@-]`.
    PrincipalId max 128,
}
