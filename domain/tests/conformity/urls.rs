//! The URL standard's own tests: where each URL lies (requirement SCP-3).

use crate::{STRICTER, Tally, cases, is_elsewhere};
use domain::scope::{HostRule, Place, SiteScope, has_origin, parse_origin};
use serde::Deserialize;

const URLS: &str = include_str!("../data/conformity/urls.json");

#[derive(Deserialize)]
#[serde(default)]
struct Case {
    input: String,
    base: Option<String>,
    failure: bool,
    href: String,
    origin: Option<String>,
    protocol: String,
    username: String,
    password: String,
    host: String,
    port: String,
    pathname: String,
    search: String,
    hash: String,
}

impl Default for Case {
    fn default() -> Self {
        let none = String::new;
        Self {
            input: none(),
            base: None,
            failure: false,
            href: none(),
            origin: None,
            protocol: none(),
            username: none(),
            password: none(),
            host: none(),
            port: none(),
            pathname: none(),
            search: none(),
            hash: none(),
        }
    }
}

impl Case {
    fn is_page(&self) -> bool {
        self.protocol == "https:" && self.username.is_empty() && self.password.is_empty()
    }

    /// The texts that stand for this URL: as the browser serialises it and, when it is absolute, as
    /// it was written.
    fn texts(&self) -> Vec<String> {
        let written = self.base.is_none().then(|| self.input.clone());
        written.into_iter().chain([self.href.clone()]).collect()
    }

    /// The same case with `https` for `http`: the two differ by nothing but their own port. `None`
    /// for the other schemes, and where a port is written that is one of the two.
    fn secured(&self) -> Option<Self> {
        let own_port = self.port == "443" || self.input.contains(":80") || self.href.contains(":80");
        if self.protocol != "http:" || own_port {
            return None;
        }
        let input = if self.base.is_some() { self.input.clone() } else { secured(&self.input)? };
        Some(Self {
            input,
            base: self.base.clone(),
            failure: false,
            href: secured(&self.href)?,
            origin: None,
            protocol: "https:".to_owned(),
            username: self.username.clone(),
            password: self.password.clone(),
            host: self.host.clone(),
            port: self.port.clone(),
            pathname: self.pathname.clone(),
            search: self.search.clone(),
            hash: self.hash.clone(),
        })
    }
}

fn secured(url: &str) -> Option<String> {
    let rest = url.get(..5).filter(|scheme| scheme.eq_ignore_ascii_case("http:")).and(url.get(5..))?;
    Some(format!("https:{rest}"))
}

/// What parses, with its `https` neighbours.
fn parsed() -> Vec<Case> {
    let mut all: Vec<Case> = cases::<Case>(URLS).into_iter().filter(|case| !case.failure).collect();
    let neighbours: Vec<Case> = all.iter().filter_map(Case::secured).collect();
    all.extend(neighbours);
    all.into_iter().filter(|case| !STRICTER.contains(&case.host.as_str())).collect()
}

/// Nothing in it that any server could read in two ways.
fn is_clean(path: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '~' | '/' | '.' | ':');
    path.chars().all(plain) && !path.contains("//") && !path.contains("/.")
}

/// With its scheme and two slashes: the parser forgives other ways to write it, and a place may not.
fn is_whole(url: &str) -> bool {
    let scheme = url.get(..8).is_some_and(|scheme| scheme.eq_ignore_ascii_case("https://"));
    scheme && !url.contains(['\\', '\t', '\n', '\r'])
}

/// SCP-3: what does not parse is nowhere, with `https` as well.
#[test]
fn what_is_no_url_is_nowhere() {
    let mut tally = Tally::default();
    for case in cases::<Case>(URLS).into_iter().filter(|case| case.failure && case.base.is_none()) {
        for url in secured(&case.input).into_iter().chain([case.input]) {
            let refused =
                SiteScope::parse(&url, HostRule::PublicOrLoopback).is_err() && parse_origin(&url, HostRule::PublicOrLoopback).is_err();
            tally.compare(refused && is_elsewhere(&url), || format!("{url:?}"));
        }
    }
    for url in STRICTER.map(|host| format!("https://{host}/lesson")) {
        tally.compare(is_elsewhere(&url), || format!("{url:?}"));
    }
    tally.close(250);
}

/// SCP-3: a URL is a page of exactly the origin that the standard gives, if it is HTTPS without
/// credentials, and of no other.
#[test]
fn urls_have_the_origin_of_the_standard() {
    let mut tally = Tally::default();
    for case in parsed() {
        let origin = case.origin.clone().unwrap_or_else(|| format!("https://{}", case.host));
        for url in case.texts() {
            let exact = has_origin(&url, &origin) == case.is_page();
            let others = [format!("{origin}:8443"), origin.replace("https://", "https://x"), origin.replace("https:", "http:")];
            let alone = others.iter().filter(|other| **other != origin).all(|other| !has_origin(&url, other));
            tally.compare(exact && alone, || format!("{url:?} {origin:?}"));
        }
    }
    tally.close(1_000);
}

/// SCP-3: a URL lies inside a prefix only when the standard's path begins with that whole segment;
/// a path that reads in one way does lie there.
#[test]
fn urls_lie_where_the_path_of_the_standard_does() {
    let (mut tally, mut inside) = (Tally::default(), 0);
    for case in parsed().into_iter().filter(|case| case.protocol == "https:") {
        let prefix = format!("/{}", case.pathname.split('/').nth(1).unwrap_or_default());
        let origin = format!("https://{}", case.host);
        let neighbour = SiteScope::from_stored(&origin, "/lesson-neighbour").expect("a scope");
        let scope = SiteScope::from_stored(&origin, &prefix);
        for url in case.texts() {
            let beside = neighbour.place(&url);
            let outside = if case.is_page() && is_whole(&url) { Place::OutsidePrefix } else { Place::OtherOrigin };
            let apart = beside == outside || (!is_whole(&url) && beside == Place::OutsidePrefix);
            tally.compare(apart, || format!("{url:?} {beside:?}"));
            let Ok(scope) = &scope else { continue };
            let place = scope.place(&url);
            let written = url.split(['?', '#']).next().unwrap_or_default();
            let clean = is_whole(&url) && is_clean(&case.pathname) && is_clean(written.get(8..).unwrap_or_default());
            inside += usize::from(place == Place::Inside);
            let right = match place {
                Place::Inside | Place::Sensitive => case.is_page(),
                Place::OutsidePrefix => case.is_page() && !clean,
                Place::OtherOrigin => !(case.is_page() && clean),
            };
            tally.compare(right, || format!("{url:?} {prefix} {place:?}"));
        }
    }
    println!("{inside} inside");
    assert!(inside >= 50, "only {inside} inside");
    tally.close(250);
}

/// SCP-2: an entry that is admitted has the origin and the one segment that the standard gives.
#[test]
fn admitted_entries_are_what_the_standard_reads() {
    let (mut tally, mut admitted) = (Tally::default(), 0);
    for case in parsed() {
        for url in case.texts() {
            let Ok(scope) = SiteScope::parse(&url, HostRule::Public) else { continue };
            admitted += 1;
            let path = case.pathname.strip_suffix('/').unwrap_or(&case.pathname);
            let nothing_more = case.search.is_empty() && case.hash.is_empty() && case.is_page();
            let same = scope.origin() == format!("https://{}", case.host) && scope.path_prefix() == path;
            tally.compare(same && nothing_more, || format!("{url:?} {scope}"));
        }
    }
    assert!(admitted >= 10, "only {admitted} admitted");
    tally.close(10);
}
