//! Host names as UTS #46 and the URL standard read them (requirement SCP-3).

use crate::{Tally, cases, is_elsewhere};
use domain::scope::{HostRule, Place, SiteScope, has_origin, parse_origin};
use serde::Deserialize;

const UTS_46: &str = include_str!("../data/conformity/hosts.json");
const BEYOND: &str = include_str!("../data/conformity/ascii_hosts.json");

/// A host that the crate `url` takes although one character of it is not assigned. It is no other
/// host for that: its origin is its own plain encoding.
const LENIENT: (char, &str) = ('\u{3e8ac}', "https://xn--t92s.");

#[derive(Deserialize)]
struct Case {
    input: String,
    /// The host in ASCII; `None` when it is none.
    output: Option<String>,
}

/// A host as it stands in a URL: what would end it is encoded.
fn in_url(host: &str) -> String {
    let encode = |c: char| match c {
        ':' | '/' | '?' | '#' | '\\' | '@' => format!("%{:02X}", u32::from(c)),
        _ => c.to_string(),
    };
    host.chars().map(encode).collect()
}

fn all() -> impl Iterator<Item = (String, Option<String>)> {
    let all = cases::<Case>(UTS_46).into_iter().chain(cases::<Case>(BEYOND));
    let written = all.filter(|case| !case.input.is_empty());
    written.map(|case| (in_url(&case.input), case.output.filter(|host| !host.is_empty())))
}

/// The hosts that are hosts, with their form in ASCII. Dots alone are none that anyone could visit.
fn taken() -> impl Iterator<Item = (String, String)> {
    all().filter_map(|(host, output)| Some((host, output.filter(|ascii| ascii.contains(|c| c != '.'))?)))
}

/// SCP-3: what is no host is no place.
#[test]
fn refused_hosts_are_nowhere() {
    let mut tally = Tally::default();
    for (host, _) in all().filter(|(_, output)| output.is_none()) {
        let url = format!("https://{host}/lesson");
        if host.starts_with(LENIENT.0) {
            let admitted = SiteScope::parse(&url, HostRule::Public);
            tally.compare(admitted.is_ok_and(|scope| scope.origin().starts_with(LENIENT.1)), || format!("{host:?} is refused: strike it"));
            continue;
        }
        let refused = SiteScope::parse(&url, HostRule::PublicOrLoopback).is_err()
            && parse_origin(&format!("https://{host}"), HostRule::PublicOrLoopback).is_err();
        tally.compare(refused && is_elsewhere(&url), || format!("{host:?}"));
    }
    tally.close(1_100);
}

/// Labels that begin with `xn--` and encode nothing valid: the standard takes such a host as it stands
/// since 2025, the crate `url` refuses it. Refused is what unknown means.
fn is_stricter(host: &str) -> bool {
    let lower = host.to_lowercase();
    let begins = lower.split(['.', '\u{3002}', '\u{ff0e}', '\u{ff61}']).any(|label| label.starts_with("xn--"));
    begins && lower.is_ascii()
}

/// SCP-3: every spelling of a host has the one origin that the standard gives, and no other.
#[test]
fn spellings_of_a_host_are_one_origin() {
    let (mut tally, mut inside) = (Tally::default(), 0);
    for (host, ascii) in taken() {
        let (url, origin) = (format!("https://{host}/lesson"), format!("https://{ascii}"));
        let Ok(scope) = SiteScope::from_stored(&origin, "/lesson") else {
            let refused = is_stricter(&host) && is_elsewhere(&url) && !has_origin(&url, &origin);
            tally.compare(refused, || format!("{host:?} {ascii:?}"));
            continue;
        };
        inside += 1;
        let other = format!("https://x{ascii}");
        let same = has_origin(&url, &origin) && !has_origin(&url, &other) && scope.place(&url) == Place::Inside;
        tally.compare(same, || format!("{host:?} {ascii:?} {:?}", scope.place(&url)));
    }
    assert!(inside >= 800, "only {inside} inside");
    tally.close(1_610);
}

/// SCP-2, SCP-3: a configured scope is the same scope in every spelling of its host that can be
/// configured at all: as it is written, a host has letters, digits, hyphens, dots and underscores.
#[test]
fn spellings_of_a_host_are_one_scope() {
    let (mut tally, mut admitted) = (Tally::default(), 0);
    let unwritable = |c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_'));
    for (host, ascii) in taken() {
        let written = SiteScope::parse(&format!("https://{host}/lesson"), HostRule::Public);
        let plain = SiteScope::parse(&format!("https://{ascii}/lesson"), HostRule::Public);
        admitted += usize::from(written.is_ok());
        let same = match &written {
            Ok(scope) => scope.origin() == format!("https://{ascii}") && (plain == written || ascii.contains(unwritable)),
            Err(error) => host.contains(|c: char| unwritable(c) && (c.is_ascii() || c.is_whitespace())) || plain == Err(*error),
        };
        tally.compare(same, || format!("{host:?} {ascii:?} {written:?} {plain:?}"));
    }
    assert!(admitted >= 450, "only {admitted} admitted");
    tally.close(1_610);
}
