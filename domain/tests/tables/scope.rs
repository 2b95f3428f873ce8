//! Group B by table.

use crate::rows::{report, rows};
use domain::limits::URL_BYTES_MAX;
use domain::scope::{HostRule, Place, ScopeError, SiteScope, has_origin, parse_origin, read_list};

const CONFIG: &str = include_str!("../../../tests/data/scope/config.txt");
const LISTS: &str = include_str!("../../../tests/data/scope/lists.txt");
const PLACES: &str = include_str!("../../../tests/data/scope/places.txt");
const ORIGINS: &str = include_str!("../../../tests/data/scope/origins.txt");

fn answer<T>(result: Result<T, ScopeError>) -> String {
    result.map_or_else(|error| format!("{error:?}"), |_| "Ok".to_owned())
}

/// SCP-2: each refused entry has its one reason, and its neighbour is admitted.
#[test]
fn entries_are_refused_for_their_reason() {
    let mut failures = Vec::new();
    for row in rows("config.txt", CONFIG) {
        for (entry, expected) in [(row.field(1), row.field(0)), (row.field(2), "Ok")] {
            let found = answer(SiteScope::parse(entry, HostRule::Public));
            if found != expected {
                failures.push(format!("{} {entry}: {found}, not {expected}", row.at));
            }
        }
    }
    report(failures);
}

/// SCP-1, SCP-2: a list becomes its scopes, or a message that names the entry and the reason.
#[test]
fn lists_are_read_as_the_table_says() {
    let mut failures = Vec::new();
    for row in rows("lists.txt", LISTS) {
        let found = match read_list(row.field(1), row.field(0) == "on", HostRule::Public) {
            Ok(scopes) if scopes.is_empty() => "none".to_owned(),
            Ok(scopes) => scopes.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
            Err(refusal) => refusal.to_string(),
        };
        if found != row.field(2) {
            failures.push(format!("{} {:?}: {found}", row.at, row.field(1)));
        }
    }
    report(failures);
}

/// SCP-2: a refused entry is shown no longer than a message can hold.
#[test]
fn a_long_entry_is_cut() {
    let message = |length: usize| read_list(&"x".repeat(length), true, HostRule::Public).expect_err("no scope").to_string();
    assert!(message(120).starts_with(&format!("`{}` ", "x".repeat(120))));
    assert!(message(URL_BYTES_MAX + 1).starts_with(&format!("`{}...` ", "x".repeat(120))));
}

/// SCP-3: a URL that is longer than any rule looks at lies nowhere.
#[test]
fn a_url_is_bounded() {
    let scope = SiteScope::parse("https://www.example.com/lesson", HostRule::Public).expect("a scope");
    let url = |bytes: usize| format!("{:-<bytes$}", "https://www.example.com/lesson/");
    assert_eq!(scope.place(&url(URL_BYTES_MAX)), Place::Inside);
    assert_eq!(scope.place(&url(URL_BYTES_MAX + 1)), Place::OtherOrigin);
}

/// SCP-3: exact origin, whole segments, nothing encoded twice.
#[test]
fn urls_lie_where_the_table_says() {
    let scope = SiteScope::parse("https://www.example.com/lesson", HostRule::Public).expect("a scope");
    let mut failures = Vec::new();
    for row in rows("places.txt", PLACES) {
        let found = format!("{:?}", scope.place(row.field(1)));
        if found != row.field(0) {
            failures.push(format!("{} {:?}: {found}", row.at, row.field(1)));
        }
    }
    report(failures);
}

/// SCP-3: an allowed origin is an origin and nothing more.
#[test]
fn origins_are_exact() {
    let mut failures = Vec::new();
    for row in rows("origins.txt", ORIGINS) {
        let found = answer(parse_origin(row.field(1), HostRule::Public));
        if found != row.field(0) {
            failures.push(format!("{} {:?}: {found}", row.at, row.field(1)));
        }
    }
    report(failures);
    assert!(has_origin("https://www.example.com/x?y", "https://www.example.com"));
    assert!(!has_origin("blob:https://www.example.com/x", "https://www.example.com"));
    assert!(!has_origin("https://me@www.example.com/x", "https://www.example.com"));
}

/// SCP-6: the development switch admits loopback and nothing else that is not public.
#[test]
fn the_switch_admits_loopback_only() {
    for entry in ["https://127.0.0.1:8443/lesson", "https://[::1]:8443/lesson", "https://localhost:8443/lesson"] {
        assert!(SiteScope::parse(entry, HostRule::PublicOrLoopback).is_ok(), "{entry}");
        assert_eq!(SiteScope::parse(entry, HostRule::Public), Err(ScopeError::NotPublic), "{entry}");
    }
    for entry in ["https://10.0.0.1/lesson", "https://intranet/lesson", "https://169.254.169.254/lesson"] {
        assert_eq!(SiteScope::parse(entry, HostRule::PublicOrLoopback), Err(ScopeError::NotPublic), "{entry}");
    }
}

/// GRA-1: a stored scope comes back exactly, or not at all.
#[test]
fn a_scope_survives_its_parts() {
    let scope = SiteScope::parse("https://www.example.com/lesson/", HostRule::Public).expect("a scope");
    assert_eq!(SiteScope::from_parts(scope.origin(), &scope.path_prefix()), Ok(scope));
    for (origin, prefix) in [
        ("https://www.example.com/", "/lesson"),
        ("https://www.example.com", "/lesson/"),
        ("https://www.example.com", "lesson"),
        ("http://www.example.com", "/lesson"),
        ("https://www.example.com", "/admin"),
        ("https://WWW.example.com", "/lesson"),
    ] {
        assert!(SiteScope::from_parts(origin, prefix).is_err(), "{origin} {prefix}");
    }
}
