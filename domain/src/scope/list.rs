//! The list of site scopes that an operator configures (requirements SCP-1 and SCP-2).

use super::{HostRule, ScopeError, SiteScope};
use std::fmt;

/// Characters of a refused entry that its message repeats.
const SHOWN_CHARACTERS_MAX: usize = 120;

/// Why a list is refused. The message names the entry by its number and its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListRefusal {
    /// There are scopes while task grants are switched off.
    SwitchedOff,
    /// One entry is refused.
    Entry {
        /// Which one, from 1.
        number: usize,
        /// The entry, made safe to print.
        shown: String,
        /// Why.
        reason: EntryRefusal,
    },
}

/// Why an entry of the list is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryRefusal {
    /// Nothing stands between two commas.
    Empty,
    /// It is no site scope.
    NoScope(ScopeError),
    /// It is the same scope as an earlier entry, by number, however each is written.
    Duplicate(usize),
}

impl fmt::Display for ListRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SwitchedOff => f.write_str("is set while BROWSER_TASK_GRANTS_ENABLED is off; switch it on or remove the scopes"),
            Self::Entry { number, shown, reason } => {
                write!(f, "`{shown}` (entry {number}) ")?;
                match reason {
                    EntryRefusal::Empty => f.write_str("is empty, not of the form https://host/segment; remove the surplus comma"),
                    EntryRefusal::NoScope(reason) => reason.fmt(f),
                    EntryRefusal::Duplicate(first) => write!(f, "is listed twice: it is the same scope as entry {first}"),
                }
            }
        }
    }
}

impl std::error::Error for ListRefusal {}

/// Reads the comma-separated entries. A blank list has none, and none means that nothing is offered.
///
/// # Errors
/// Names the first entry that is refused.
pub fn read_list(list: &str, grants_enabled: bool, hosts: HostRule) -> Result<Vec<SiteScope>, ListRefusal> {
    if list.trim().is_empty() {
        return Ok(Vec::new());
    }
    if !grants_enabled {
        return Err(ListRefusal::SwitchedOff);
    }
    let mut scopes: Vec<SiteScope> = Vec::new();
    for (at, entry) in list.split(',').map(str::trim).enumerate() {
        let refuse = |reason| ListRefusal::Entry { number: at + 1, shown: shown(entry), reason };
        if entry.is_empty() {
            return Err(refuse(EntryRefusal::Empty));
        }
        let scope = SiteScope::parse(entry, hosts).map_err(|reason| refuse(EntryRefusal::NoScope(reason)))?;
        if let Some(first) = scopes.iter().position(|other| *other == scope) {
            return Err(refuse(EntryRefusal::Duplicate(first + 1)));
        }
        scopes.push(scope);
    }
    Ok(scopes)
}

/// An entry as a start-up message and a log may show it: what can hold a secret left out, everything
/// but plain characters escaped, and cut.
fn shown(entry: &str) -> String {
    let (start, rest) = entry.split_once("//").map_or(("", entry), |(scheme, rest)| (scheme, rest));
    let slashes = if entry.contains("//") { "//" } else { "" };
    // A password may hold any character: everything before the last `@` may be part of it.
    let (mask, rest) = rest.rsplit_once('@').map_or(("", rest), |(_, host)| ("...@", host));
    let place = rest.split(['?', '#']).next().unwrap_or_default();
    let hidden = rest.chars().find(|c| matches!(c, '?' | '#')).map(|mark| format!("{mark}...")).unwrap_or_default();
    let whole = format!("{start}{slashes}{mask}{place}{hidden}");
    let mut safe = String::new();
    for c in whole.chars().take(SHOWN_CHARACTERS_MAX) {
        match c {
            // The message stands the entry between two of them.
            '`' => safe.push('\''),
            ' '..='~' if c != '\\' => safe.push(c),
            other => safe.extend(other.escape_default()),
        }
    }
    if whole.chars().nth(SHOWN_CHARACTERS_MAX).is_some() {
        safe.push_str("...");
    }
    safe
}
