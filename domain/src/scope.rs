//! Site scopes: one exact origin and one path prefix, compared by whole segments (group B).
//!
//! URLs are parsed by WHATWG rules, as the browser parses them. Whatever servers may decode in two
//! ways (encoded slashes, dots, backslashes, double encoding) is refused, not normalised.

use crate::classify::{self, percent};
use crate::limits::URL_BYTES_MAX;
use std::fmt;
use url::{Host, Origin, Url};

/// One place: `https://host[:port]` and `/segment`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SiteScope {
    origin: String,
    segment: String,
}

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

/// Which hosts a scope may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostRule {
    /// Public hosts only.
    Public,
    /// Public hosts and loopback ones: the development switch (SCP-6).
    PublicOrLoopback,
}

/// How a URL lies to a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Inside the origin and the prefix.
    Inside,
    /// Another origin, scheme or port; or not a URL.
    OtherOrigin,
    /// The same origin, but not below the prefix, or encoded ambiguously.
    OutsidePrefix,
    /// Inside the prefix, but some segment names a sensitive area.
    Sensitive,
}

impl SiteScope {
    /// Reads one entry of `BROWSER_TASK_GRANT_SCOPES`.
    ///
    /// # Errors
    /// Says the first thing that is wrong with the entry (SCP-2).
    pub fn parse(entry: &str, hosts: HostRule) -> Result<Self, ScopeError> {
        if entry.len() > URL_BYTES_MAX || entry.chars().any(|c| c.is_whitespace() || c.is_control() || c == '\\') {
            return Err(ScopeError::Malformed);
        }
        let url = Url::parse(entry).map_err(|_| ScopeError::Malformed)?;
        if url.scheme() != "https" {
            return Err(ScopeError::NotHttps);
        }
        // The parser forgives missing and surplus slashes and encoded hosts; an operator meant
        // something else by them.
        let written = Written::of(entry).ok_or(ScopeError::Malformed)?;
        if written.authority.is_empty() || written.authority.contains('%') {
            return Err(ScopeError::Malformed);
        }
        if !url.username().is_empty() || url.password().is_some() || entry.contains('@') {
            return Err(ScopeError::Credentials);
        }
        if entry.contains('?') {
            return Err(ScopeError::Query);
        }
        if entry.contains('#') {
            return Err(ScopeError::Fragment);
        }
        if !host_allowed(&url, hosts) {
            return Err(ScopeError::NotPublic);
        }
        let segment = plain_single_segment(written.path)?;
        if classify::is_sensitive_segment(segment) {
            return Err(ScopeError::SensitiveSegment);
        }
        Ok(Self { origin: url.origin().ascii_serialization(), segment: segment.to_owned() })
    }

    /// Rebuilds a scope from a stored or received origin and prefix. Whether the host is public was
    /// decided by the configuration that first admitted it; everything else is checked again.
    ///
    /// # Errors
    /// When the two are not what [`SiteScope::origin`] and [`SiteScope::path_prefix`] give.
    pub fn from_parts(origin: &str, path_prefix: &str) -> Result<Self, ScopeError> {
        let scope = Self::from_stored(origin, path_prefix)?;
        if classify::is_sensitive_segment(&scope.segment) {
            return Err(ScopeError::SensitiveSegment);
        }
        Ok(scope)
    }

    /// Rebuilds a scope from the log. The vocabulary of sensitive segments grows, and a grant that
    /// was created before it did must still be readable for ever (EVT-5); whether it may be used
    /// is judged against the configured scopes, which are checked with the newest vocabulary.
    ///
    /// # Errors
    /// As for [`SiteScope::from_parts`], but for [`ScopeError::SensitiveSegment`].
    pub fn from_stored(origin: &str, path_prefix: &str) -> Result<Self, ScopeError> {
        let segment = path_prefix.strip_prefix('/').ok_or(ScopeError::Malformed)?;
        if plain_single_segment(segment)? != segment {
            return Err(ScopeError::SegmentCount);
        }
        let url = Url::parse(origin).map_err(|_| ScopeError::Malformed)?;
        if url.scheme() != "https" {
            return Err(ScopeError::NotHttps);
        }
        if url.origin().ascii_serialization() != origin {
            return Err(ScopeError::Malformed);
        }
        Ok(Self { origin: origin.to_owned(), segment: segment.to_owned() })
    }

    /// `https://host[:port]`, without a trailing slash.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// `/segment`.
    #[must_use]
    pub fn path_prefix(&self) -> String {
        format!("/{}", self.segment)
    }

    /// Where `url` lies. Everything that does not parse is another origin: unknown means refuse.
    #[must_use]
    pub fn place(&self, url: &str) -> Place {
        let Some(parsed) = parse_page(url) else { return Place::OtherOrigin };
        if !is_page_of(&parsed, &self.origin) {
            return Place::OtherOrigin;
        }
        if ambiguous_path(url, parsed.path()) {
            return Place::OutsidePrefix;
        }
        let mut segments = parsed.path().split('/').skip(1);
        if segments.next() != Some(self.segment.as_str()) {
            return Place::OutsidePrefix;
        }
        if segments.any(classify::is_sensitive_segment) { Place::Sensitive } else { Place::Inside }
    }
}

impl fmt::Display for SiteScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.origin, self.segment)
    }
}

/// Whether `url` is a page of exactly the origin `origin` (as [`Url::origin`] serialises it). A
/// `blob:` URL has its maker's origin without being a page of it, so only `https` counts.
#[must_use]
pub fn has_origin(url: &str, origin: &str) -> bool {
    parse_page(url).is_some_and(|parsed| is_page_of(&parsed, origin))
}

/// Reads an allowed origin of a session: `https://host[:port]` as browsers write it, nothing more.
///
/// # Errors
/// As for [`SiteScope::parse`]; [`ScopeError::SegmentCount`] when there is a path, and
/// [`ScopeError::Malformed`] when the origin is written in another way than browsers do.
pub fn parse_origin(text: &str, hosts: HostRule) -> Result<String, ScopeError> {
    let url = parse_page(text).ok_or(ScopeError::Malformed)?;
    if url.scheme() != "https" {
        return Err(ScopeError::NotHttps);
    }
    let written = Written::of(text).ok_or(ScopeError::Malformed)?;
    match () {
        () if written.authority.contains('@') => Err(ScopeError::Credentials),
        () if text.contains('?') => Err(ScopeError::Query),
        () if text.contains('#') => Err(ScopeError::Fragment),
        () if written.has_path => Err(ScopeError::SegmentCount),
        () if !host_allowed(&url, hosts) => Err(ScopeError::NotPublic),
        () if url.origin().ascii_serialization() != text => Err(ScopeError::Malformed),
        () => Ok(text.to_owned()),
    }
}

/// A URL as it is written, before any parser repairs it.
struct Written<'a> {
    authority: &'a str,
    path: &'a str,
    has_path: bool,
}

impl<'a> Written<'a> {
    /// `None` unless it begins with a scheme and two slashes. The path is without its first slash,
    /// query and fragment.
    fn of(url: &'a str) -> Option<Self> {
        let (scheme, rest) = url.split_once("://")?;
        if !scheme.chars().all(|c| c.is_ascii_alphabetic()) {
            return None;
        }
        let end = rest.find(['?', '#']).unwrap_or(rest.len());
        let rest = rest.get(..end)?;
        let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
        Some(Self { authority, path, has_path: rest.contains('/') })
    }
}

fn parse_page(url: &str) -> Option<Url> {
    if url.len() > URL_BYTES_MAX {
        return None;
    }
    Url::parse(url).ok()
}

fn is_page_of(url: &Url, origin: &str) -> bool {
    let bare = url.username().is_empty() && url.password().is_none();
    let tuple = matches!(url.origin(), Origin::Tuple(..));
    url.scheme() == "https" && bare && tuple && url.origin().ascii_serialization() == origin
}

fn plain_single_segment(path: &str) -> Result<&str, ScopeError> {
    let segment = path.strip_suffix('/').unwrap_or(path);
    if segment.is_empty() || segment.contains('/') {
        return Err(ScopeError::SegmentCount);
    }
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '~');
    if !segment.chars().all(plain) || segment.chars().all(|c| c == '.') {
        return Err(ScopeError::AmbiguousPath);
    }
    Ok(segment)
}

/// Encoded slash, backslash, dot, percent or control characters, bytes that are no text, raw
/// backslashes, path parameters, dot segments and empty segments between others: each may mean
/// another path to some server.
fn ambiguous_path(written: &str, parsed_path: &str) -> bool {
    let path_end = written.find(['?', '#']).unwrap_or(written.len());
    let before_query = written.get(..path_end).unwrap_or_default();
    let dots = before_query.split('/').any(|segment| segment == "." || segment == "..");
    dots || parsed_path.contains("//") || has_trick(before_query) || has_trick(parsed_path)
}

fn has_trick(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let encoded = ["%2f", "%5c", "%2e", "%25"].iter().any(|trick| lower.contains(trick));
    let (bytes, well_formed) = percent::decoded_once(text);
    let control = String::from_utf8(bytes).map_or(true, |plain| plain.chars().any(char::is_control));
    encoded || !well_formed || control || text.contains(['\\', ';'])
}

fn host_allowed(url: &Url, hosts: HostRule) -> bool {
    let loopback_admitted = hosts == HostRule::PublicOrLoopback;
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback() && loopback_admitted || is_public_v4(address),
        Some(Host::Ipv6(address)) => match address.to_ipv4_mapped() {
            Some(mapped) => is_public_v4(mapped),
            None => address.is_loopback() && loopback_admitted || is_public_v6(address),
        },
        Some(Host::Domain(name)) => {
            if name == "localhost" || name.ends_with(".localhost") {
                return loopback_admitted;
            }
            let whole = name.contains('.') && !name.split('.').any(str::is_empty);
            whole && !PRIVATE_SUFFIXES.iter().any(|suffix| name.ends_with(suffix))
        }
        None => false,
    }
}

/// Ends of names that only private networks resolve (RFC 6762 and appendix G, RFC 8375, ICANN's
/// reservation of `internal`).
const PRIVATE_SUFFIXES: [&str; 9] =
    [".local", ".localdomain", ".internal", ".home.arpa", ".lan", ".intranet", ".corp", ".home", ".private"];
/// Azure's platform address: public by its range, but the metadata of the machine that asks.
const PLATFORM_METADATA: [u8; 4] = [168, 63, 129, 16];

/// Whether an IPv4 address is globally reachable (the special-purpose registry of RFC 6890, and
/// what was added to it since).
#[must_use]
pub fn is_public_v4(address: std::net::Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let special = address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_broadcast()
        || address.is_documentation()
        || address.is_unspecified()
        || address.is_multicast()
        || a == 0
        || (a == 100 && (64..128).contains(&b))
        || (a == 192 && b == 0 && c == 0)
        || (a == 198 && (b == 18 || b == 19))
        || a >= 240
        || address.octets() == PLATFORM_METADATA;
    !special
}

/// Whether an IPv6 address is globally reachable: inside 2000::/3 and outside the documentation,
/// benchmarking and transition ranges, which can carry a private IPv4 address.
#[must_use]
pub fn is_public_v6(address: std::net::Ipv6Addr) -> bool {
    let [first, second, ..] = address.segments();
    let global = first & 0xe000 == 0x2000;
    let special = (first == 0x2001 && (second < 0x0200 || second == 0x0db8)) || first == 0x2002 || (first == 0x3fff && second < 0x1000);
    global && !special
}
