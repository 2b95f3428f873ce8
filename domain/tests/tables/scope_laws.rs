//! Laws of the scopes, over entries and URLs that no table lists.

use domain::browser::{Action, ConsequenceCeiling, Constraint, ElementFacts, GrantKind};
use domain::coverage::{Question, cover};
use domain::permit::{LiveAct, NoPermit, Permit};
use domain::scope::{HostRule, Place, SiteScope, has_origin, parse_origin, read_list};
use domain::time::Timestamp;
use proptest::prelude::*;
use url::Url;

const ORIGIN: &str = "https://www.example.com";

fn scope() -> SiteScope {
    SiteScope::parse("https://www.example.com/lesson", HostRule::Public).expect("a scope")
}

/// What a path may be made of: ordinary pieces, and every trick that the tables know.
fn piece() -> impl Strategy<Value = String> {
    let known = vec![
        "lesson",
        "x",
        "3",
        "/",
        "/",
        "//",
        ".",
        "..",
        "...",
        "%2e",
        "%2E",
        "%2f",
        "%5c",
        "%25",
        "%252e",
        "%00",
        "%09",
        "%3b",
        ";",
        "\\",
        "\t",
        "\n",
        " ",
        "%20",
        "?",
        "#",
        "@",
        ":",
        "%",
        "%c0%af",
        "%EF%BC%8F",
        "\u{ff0f}",
        "\u{ff0e}",
        "\u{2025}",
        "\u{202e}",
        "\u{e4}",
        "admin",
        "Pay",
    ];
    prop_oneof![8 => prop::sample::select(known).prop_map(str::to_owned), 1 => any::<char>().prop_map(String::from), 1 => "[a-z]{1,4}"]
}

fn path() -> impl Strategy<Value = String> {
    prop::collection::vec(piece(), 0..8).prop_map(|pieces| pieces.concat())
}

fn url() -> impl Strategy<Value = String> {
    let start = prop::sample::select(vec![
        "https://www.example.com/lesson/",
        "https://www.example.com/lesson",
        "https://www.example.com/",
        "https://WWW.example.com:443/lesson/",
        "https://www.example.com:8443/lesson/",
        "https://evil.test/lesson/",
        "http://www.example.com/lesson/",
        "https:/www.example.com/lesson/",
        "blob:https://www.example.com/lesson/",
        "javascript:",
        "",
    ]);
    (start, path()).prop_map(|(start, path)| format!("{start}{path}"))
}

/// Bytes as a program that is not careful would hand them on.
fn lossy() -> impl Strategy<Value = String> {
    prop::collection::vec(any::<u8>(), 0..48).prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// Whether a URL, resolved by the parser alone and decoded as often as a careless server would, stays
/// below the prefix at each step.
fn stays_inside(url: &str) -> bool {
    let Ok(parsed) = Url::parse(url) else { return false };
    let mut path = parsed.path().to_owned();
    for _ in 0..3 {
        let Ok(resolved) = Url::parse(ORIGIN).and_then(|origin| origin.join(&path.replace('\\', "/"))) else { return false };
        let inside = resolved.path() == "/lesson" || resolved.path().starts_with("/lesson/");
        if !inside || resolved.origin().ascii_serialization() != ORIGIN {
            return false;
        }
        path = decoded(&path);
    }
    parsed.origin().ascii_serialization() == ORIGIN && parsed.scheme() == "https" && parsed.username().is_empty()
}

fn decoded(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('%') {
        plain.push_str(before);
        match after.get(..2).and_then(|hex| u8::from_str_radix(hex, 16).ok()).filter(u8::is_ascii) {
            Some(byte) => plain.push(char::from(byte)),
            None => plain.push_str(&after.chars().take(2).fold("%".to_owned(), |text, c| text + &c.to_string())),
        }
        rest = after.get(after.char_indices().nth(2).map_or(after.len(), |(at, _)| at)..).unwrap_or_default();
    }
    plain + rest
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 768, failure_persistence: None, ..ProptestConfig::default() })]

    /// SCP-3: what lies inside is there by another resolution too, and after a careless decoding.
    #[test]
    fn inside_stays_inside(url in url()) {
        if scope().place(&url) == Place::Inside {
            prop_assert!(stays_inside(&url), "{url:?}");
        }
    }

    /// SCP-3: what a page inside links to by a relative reference is inside by the parser's own answer,
    /// or is not called so.
    #[test]
    fn relative_references_are_judged_as_resolved(reference in path()) {
        let base = Url::parse("https://www.example.com/lesson/3").expect("a URL");
        if let Ok(target) = base.join(&reference) && scope().place(target.as_str()) == Place::Inside {
            prop_assert!(target.path() == "/lesson" || target.path().starts_with("/lesson/"), "{reference:?} {target}");
            prop_assert_eq!(target.origin().ascii_serialization(), ORIGIN);
        }
    }

    /// SCP-3: the place of a URL is the place of its serialisation, unless its spelling is refused.
    #[test]
    fn no_spelling_is_better_than_the_serialisation(url in url()) {
        if let Ok(parsed) = Url::parse(&url) && scope().place(&url) == Place::Inside {
            prop_assert_eq!(scope().place(parsed.as_str()), Place::Inside);
        }
    }

    /// SCP-2: whatever is admitted comes back from its parts, is a page of itself, and is HTTPS with one segment.
    #[test]
    fn an_admitted_entry_is_a_scope(entry in prop_oneof![url(), "https://[a-zA-Z0-9.\\[\\]:%-]{1,20}/[a-z]{1,6}/?", any::<String>()]) {
        if let Ok(scope) = SiteScope::parse(&entry, HostRule::Public) {
            prop_assert_eq!(scope.place(&scope.to_string()), Place::Inside);
            prop_assert_eq!(SiteScope::from_parts(scope.origin(), &scope.path_prefix()), Ok(scope.clone()));
            prop_assert!(has_origin(&scope.to_string(), scope.origin()) && parse_origin(scope.origin(), HostRule::Public).is_ok());
            let parsed = Url::parse(&scope.to_string()).expect("a URL");
            prop_assert_eq!(parsed.scheme(), "https");
            prop_assert_eq!(parsed.path().matches('/').count(), 1);
            prop_assert!(parsed.query().is_none() && parsed.fragment().is_none() && parsed.domain().is_none_or(|name| name.contains('.')));
        }
    }

    /// SCP-2: every list and every text has an answer, and a refusal can be printed on one line.
    #[test]
    fn every_text_has_a_place(text in prop_oneof![any::<String>(), lossy(), url()]) {
        let _ = (scope().place(&text), parse_origin(&text, HostRule::PublicOrLoopback), SiteScope::from_parts(&text, &text));
        if let Err(refusal) = read_list(&text, true, HostRule::PublicOrLoopback) {
            prop_assert!(refusal.to_string().chars().all(|c| (' '..='~').contains(&c)), "{refusal}");
        }
    }

    /// AUT-6: the runtime's leave under a constraint is the worker's answer, for both kinds of grant.
    #[test]
    fn worker_and_runtime_give_one_answer(page in url(), target in url(), name in "[a-zA-Z ]{0,8}|Continue", in_form in any::<bool>(), task in any::<bool>()) {
        let kind = if task { GrantKind::Task } else { GrantKind::Standing };
        let ceiling = if task { ConsequenceCeiling::Unknown } else { ConsequenceCeiling::Routine };
        let now = Timestamp::from_micros(0);
        let constraint = Constraint::for_grant(kind, scope(), Timestamp::from_micros(1));
        let element = ElementFacts { name, targets: vec![target], in_form, ..ElementFacts::default() };
        let live = LiveAct { action: &Action::Click {}, page_url: &page, element: Some(&element) };
        let worker = cover(&Question { action: &Action::Click {}, page_url: &page, scope: &scope(), element: Some(&element), ceiling });
        let runtime = match Permit::check(&live, Some(&constraint), now) {
            Ok(_) => Vec::new(),
            Err(NoPermit::NotApplicable(reasons)) => reasons,
            Err(NoPermit::RefusedOutright) => return Err(TestCaseError::fail("no credential field was asked about")),
        };
        prop_assert_eq!(worker.reasons, runtime);
    }
}
