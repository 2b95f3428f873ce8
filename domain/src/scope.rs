//! Site scopes: one exact origin and one path prefix, compared by whole segments (group B).
//!
//! URLs are parsed by WHATWG rules, as the browser parses them. Whatever servers may decode in two
//! ways (encoded slashes, dots, backslashes, double encoding) is refused, not normalised.

mod host;
mod list;
mod path;
mod refusal;

pub use host::{HostRule, is_public_v4, is_public_v6};
pub use list::{EntryRefusal, ListRefusal, read_list};
pub use refusal::ScopeError;

use crate::classify;
use crate::limits::URL_BYTES_MAX;
use host::host_allowed;
use path::{ambiguous_path, plain_single_segment};
use std::fmt;
use url::{Origin, Url};

/// One place: `https://host[:port]` and `/segment`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SiteScope {
    origin: String,
    segment: String,
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
        let no_port = written.authority.ends_with(':') || url.port() == Some(0);
        if written.authority.is_empty() || written.authority.contains('%') || no_port {
            return Err(ScopeError::Malformed);
        }
        if !url.username().is_empty() || url.password().is_some() || entry.contains('@') {
            return Err(ScopeError::Credentials);
        }
        // The parser admits a star as a letter of a host; an operator meant any host by it.
        let of_a_host = |c: char| !c.is_ascii() || c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | ':' | '[' | ']');
        if !written.authority.chars().all(of_a_host) {
            return Err(ScopeError::Malformed);
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

    /// Where `url` lies. Everything that does not parse, or is not absolute as it is written, is
    /// another origin: unknown means refuse.
    #[must_use]
    pub fn place(&self, url: &str) -> Place {
        let Some(parsed) = parse_page(url) else { return Place::OtherOrigin };
        if !is_page_of(&parsed, &self.origin) || !is_written_whole(url) {
            return Place::OtherOrigin;
        }
        if ambiguous_path(url, parsed.path()) {
            return Place::OutsidePrefix;
        }
        let mut segments = parsed.path().split('/').skip(1).peekable();
        if segments.peek() != Some(&self.segment.as_str()) {
            return Place::OutsidePrefix;
        }
        // The first one too: a stored prefix may have become sensitive since it was configured.
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

/// Whether a URL begins with a scheme, two slashes and a host, with nothing around it. The parser
/// repairs what does not, and a browser would read `https:host/path` relative to its page.
fn is_written_whole(url: &str) -> bool {
    let blanks_around = url.trim_matches(|c: char| c.is_whitespace() || c.is_control()) != url;
    !blanks_around && Written::of(url).is_some_and(|written| !written.authority.is_empty())
}

fn is_page_of(url: &Url, origin: &str) -> bool {
    let bare = url.username().is_empty() && url.password().is_none();
    let tuple = matches!(url.origin(), Origin::Tuple(..));
    url.scheme() == "https" && bare && tuple && url.origin().ascii_serialization() == origin
}
