//! Strings that break programs (the Big List of Naughty Strings) through every rule that reads text.

use crate::Tally;
use domain::browser::{Action, ConsequenceCeiling, ElementFacts, FieldKind, Labels, TypeMode};
use domain::classify::{Consequence, classify, is_sensitive_segment};
use domain::coverage::{Question, cover, looks_like_credential};
use domain::scope::{HostRule, Place, SiteScope, parse_origin};
use domain::view::{ApprovalView, Page};

const STRINGS: &str = include_str!("../data/conformity/naughty.json");
const PAGE: &str = "https://www.example.com/lesson/3";

/// What names a consequence among the strings, whatever else comes to name one: signs of currencies,
/// and words that delete or send. Reviewed by hand; a string is known by how it begins.
const NAMED: [(&str, Consequence); 14] = [
    ("$1.00", Consequence::Currency),
    ("-$1.00", Consequence::Currency),
    ("œ∑´®†¥", Consequence::Currency),
    ("¡™£¢", Consequence::Currency),
    ("`⁄€", Consequence::Currency),
    ("🚾 🆒", Consequence::Currency),
    ("00˙Ɩ$-", Consequence::Currency),
    ("$USER", Consequence::Currency),
    ("$HOME", Consequence::Currency),
    ("$ENV{", Consequence::Currency),
    ("CLOCK$", Consequence::Currency),
    ("1;DROP TABLE users", Consequence::Deletion),
    ("1'; DROP TABLE users", Consequence::Deletion),
    ("If you're reading this", Consequence::Message),
];
/// What names nothing, and never should: harmless words that a careless reading finds others in.
const HARMLESS: [&str; 26] = [
    "undefined",
    "null",
    "NaN",
    "true",
    "hasOwnProperty",
    "1/2",
    "田中さんにあげて下さい",
    "사회과학원 어학연구소",
    "ثم نفس سقطت",
    "בְּרֵאשִׁית",
    "𝕋𝕙𝕖 𝕢𝕦𝕚𝕔𝕜",
    "Ｔｈｅ ｑｕｉｃｋ",
    "⒯⒣⒠ ⒬⒰⒤⒞⒦",
    "Scunthorpe General Hospital",
    "Penistone Community Church",
    "Lightwater Country Park",
    "Jimmy Clitheroe",
    "Horniman Museum",
    "Linda Callahan",
    "magna cum laude",
    "medieval erection of parapets",
    "evaluate",
    "mocha",
    "Arsenal canal",
    "classic",
    "basement",
];

fn strings() -> Vec<String> {
    serde_json::from_str(STRINGS).expect("a list of strings")
}

fn tile(name: &str) -> ElementFacts {
    let labels = Labels { visible_text: vec![name.to_owned()], ..Labels::default() };
    ElementFacts { role: "button".to_owned(), name: name.to_owned(), labels, ..ElementFacts::default() }
}

fn is_covered(action: &Action, element: &ElementFacts) -> bool {
    let scope = SiteScope::parse("https://www.example.com/lesson", HostRule::Public).expect("a scope");
    let ceiling = ConsequenceCeiling::Unknown;
    cover(&Question { action, page_url: PAGE, scope: &scope, element: Some(element), ceiling }).is_covered()
}

/// CLS-5, CLS-10: every string has a verdict, and what the list holds of money, deletion and messages
/// is named and asked about.
#[test]
fn naughty_labels_have_their_verdict() {
    let (strings, mut tally) = (strings(), Tally::default());
    for (beginning, class) in NAMED {
        let text = strings.iter().find(|text| text.starts_with(beginning)).expect(beginning);
        let verdict = classify(&Action::Click {}, &tile(text));
        let named = verdict.consequence.is_named() && verdict.matches.iter().any(|found| found.class == class);
        tally.compare(named && !is_covered(&Action::Click {}, &tile(text)), || format!("{text:?} {verdict:?}"));
    }
    for beginning in HARMLESS {
        let text = strings.iter().find(|text| text.starts_with(beginning)).expect(beginning);
        let verdict = classify(&Action::Click {}, &tile(text));
        let free = verdict.consequence == Consequence::Unknown && is_covered(&Action::Click {}, &tile(text));
        tally.compare(free, || format!("{text:?} {verdict:?}"));
    }
    tally.close(NAMED.len() + HARMLESS.len());
}

/// CLS-7, CLS-10: no string hides an acting word that stands beside it, on its own line.
#[test]
fn naughty_strings_hide_no_word() {
    let mut tally = Tally::default();
    for text in strings() {
        for label in [format!("{text}\nDelete"), format!("Delete\n{text}")] {
            tally.compare(classify(&Action::Click {}, &tile(&label)).consequence.is_named(), || format!("{label:?}"));
        }
    }
    tally.close(960);
}

/// COV-3: of the strings, none with an address, a link, or four digits in a row is typed.
#[test]
fn naughty_texts_are_typed_only_when_plain() {
    let (mut tally, mut typed) = (Tally::default(), 0);
    let field = ElementFacts { role: "textbox".to_owned(), field_kind: FieldKind::Text, ..tile("Antwort") };
    for text in strings() {
        let digits: Vec<char> = text.chars().collect();
        let digits = digits.windows(4).any(|four| four.iter().all(char::is_ascii_digit));
        let shaped = digits || text.contains('@') || text.contains("://") || text.contains("www.") || text.chars().count() > 256;
        for mode in [TypeMode::Replace, TypeMode::Append] {
            let covered = is_covered(&Action::Type { text: text.clone(), mode }, &field);
            typed += usize::from(covered);
            tally.compare(!(covered && (shaped || looks_like_credential(&text))), || format!("{text:?}"));
        }
    }
    assert!(typed >= 200, "only {typed} are typed");
    tally.close(960);
}

/// SCP-2, SCP-3: none of the strings is a scope or an origin, or lies in one, as a URL or as a path
/// below it that leaves it.
#[test]
fn naughty_strings_are_nowhere() {
    let mut tally = Tally::default();
    let scope = SiteScope::parse("https://www.example.com/lesson", HostRule::Public).expect("a scope");
    for text in strings() {
        let none = SiteScope::parse(&text, HostRule::PublicOrLoopback).is_err()
            && parse_origin(&text, HostRule::PublicOrLoopback).is_err()
            && scope.place(&text) == Place::OtherOrigin;
        let below = scope.place(&format!("https://www.example.com/lesson/{text}"));
        let left = text.starts_with("../") && below == Place::Inside;
        let beside = scope.place(&format!("https://www.example.com/lesson-{text}"));
        let _ = is_sensitive_segment(&text);
        tally.compare(none && !left && beside != Place::Inside, || format!("{text:?} {below:?} {beside:?}"));
    }
    tally.close(480);
}

/// VIE-4: a card shows every string within its bounds, and a credential never.
#[test]
fn naughty_strings_are_shown_whole_or_said_to_be_cut() {
    let mut tally = Tally::default();
    let field = ElementFacts { role: "textbox".to_owned(), field_kind: FieldKind::Text, ..tile("Antwort") };
    for text in strings() {
        let page = Page { url: &text, title: &text };
        let action = Action::Type { text: text.clone(), mode: TypeMode::Replace };
        let typed = ApprovalView::describe(&action, Some(page), Some(&field));
        let clicked = ApprovalView::describe(&Action::Click {}, Some(page), Some(&tile(&text)));
        let secret = looks_like_credential(&text) == (typed.typed_text != text);
        tally.compare(secret && !typed.typed_text_cut && clicked.name == text, || format!("{text:?} {:?}", typed.typed_text));
    }
    tally.close(480);
}
