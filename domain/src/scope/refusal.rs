//! Why an entry of the scope list is refused (requirement SCP-2).

use std::fmt;

/// Why a text is no site scope. Each has one cause and one remedy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScopeError {
    /// It does not parse as an absolute URL, or holds white space or control characters.
    Malformed,
    /// The scheme is not `https`.
    NotHttps,
    /// The host is an address or a name that is not public.
    NotPublic,
    /// It has a user name or password.
    Credentials,
    /// It has a query.
    Query,
    /// It has a fragment.
    Fragment,
    /// It does not have exactly one path segment.
    SegmentCount,
    /// The segment is encoded in a way that servers may read differently.
    AmbiguousPath,
    /// The segment names a sensitive area.
    SensitiveSegment,
}

impl ScopeError {
    /// What is wrong and what to write instead, for a start-up message.
    #[must_use]
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Malformed => "is not a URL of the form https://host/segment",
            Self::NotHttps => "must start with https://",
            Self::NotPublic => {
                "must name a public host: no IP address of a private, loopback, link-local or metadata range, no localhost, no single-label host"
            }
            Self::Credentials => "must not hold a user name or password",
            Self::Query => "must not have a query",
            Self::Fragment => "must not have a fragment",
            Self::SegmentCount => "must have exactly one path segment, such as /lesson",
            Self::AmbiguousPath => {
                "has a path segment with characters that must be encoded; use plain letters, digits, '-', '_', '.' or '~'"
            }
            Self::SensitiveSegment => {
                "names a sensitive area (payment, account, sign-in, messages, administration and the like), where a task permission is never offered"
            }
        }
    }
}

impl fmt::Display for ScopeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.reason())
    }
}

impl std::error::Error for ScopeError {}
