//! Test data of others against the core, with their answers: the URL standard's tests, host names by
//! UTS #46, naughty strings, and what fuzzing has kept. Where it comes from is in
//! `domain/tests/data/conformity/README.md`.

#![allow(clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice, reason = "a test fails by panicking")]

mod corpus;
mod hosts;
mod naughty;
mod urls;

use domain::scope::{Place, SiteScope};

/// Differences that a failing test prints; the rest is only counted.
const SHOWN_MAX: usize = 20;

/// Differences found, and how much was compared.
#[derive(Default)]
pub(crate) struct Tally {
    compared: usize,
    different: Vec<String>,
}

impl Tally {
    pub(crate) fn compare(&mut self, same: bool, difference: impl FnOnce() -> String) {
        self.compared += 1;
        if !same {
            self.different.push(difference());
        }
    }

    /// Fails on any difference, and when less was compared than the data is known to hold.
    pub(crate) fn close(self, at_least: usize) {
        let shown: Vec<&str> = self.different.iter().take(SHOWN_MAX).map(String::as_str).collect();
        assert!(shown.is_empty(), "{} of {} differ\n{}", self.different.len(), self.compared, shown.join("\n"));
        assert!(self.compared >= at_least, "only {} compared, expected {at_least}", self.compared);
        println!("{} compared", self.compared);
    }
}

/// Hosts that the standard takes as they stand since 2025 and the crate `url` still refuses: their
/// `xn--` labels encode nothing. Refused is what unknown means, so they are tested to be nowhere.
pub(crate) const STRICTER: [&str; 3] = ["xn--", "a.b.c.xn--pokxncvks", "10.0.0.xn--pokxncvks"];

/// The cases of a file: its list holds comments as texts and cases as objects.
pub(crate) fn cases<Case: serde::de::DeserializeOwned>(file: &str) -> Vec<Case> {
    let list: Vec<serde_json::Value> = serde_json::from_str(&scalar_values(file)).expect("a list");
    let objects = list.into_iter().filter(serde_json::Value::is_object);
    objects.map(|case| serde_json::from_value(case).expect("a case")).collect()
}

/// JSON with each lone surrogate replaced, as browsers do before they parse a URL (Infra, "convert a
/// string into a scalar value string").
fn scalar_values(json: &str) -> String {
    let mut scalar = String::with_capacity(json.len());
    let mut rest = json;
    while let Some((before, after)) = rest.split_once("\\u") {
        let unit = |text: &str| text.get(..4).and_then(|hex| u16::from_str_radix(hex, 16).ok()).unwrap_or_default();
        let is_pair = after.get(4..6) == Some("\\u") && (0xdc00..0xe000).contains(&unit(&after[6..]));
        let (escape, tail) = match unit(after) {
            0xd800..0xdc00 if is_pair => (&after[..10], &after[10..]),
            0xd800..0xe000 => ("fffd", &after[4..]),
            _ => after.split_at(4),
        };
        scalar.extend([before, "\\u", escape]);
        rest = tail;
    }
    scalar + rest
}

/// Whether a URL is nowhere near any of the places that grants could name.
pub(crate) fn is_elsewhere(url: &str) -> bool {
    let scopes = [("https://www.example.com", "/lesson"), ("https://example.org", "/foo"), ("https://lesson", "/lesson")];
    scopes.iter().all(|(origin, prefix)| {
        let scope = SiteScope::from_stored(origin, prefix).expect("a scope");
        scope.place(url) == Place::OtherOrigin
    })
}
