//! Group D by table.

use crate::rows::{report, rows};
use domain::browser::{Action, ElementFacts, Labels, Source};
use domain::classify::{Consequence, Reading, Verdict, classify, is_sensitive_segment, version};

const NAMED: &str = include_str!("../../../tests/data/classify/named.txt");
const DISGUISE: &str = include_str!("../../../tests/data/classify/disguise.txt");
const PLAIN: &str = include_str!("../../../tests/data/classify/plain.txt");
const WORDED: &str = include_str!("../../../tests/data/classify/worded.txt");
const HARMLESS: &str = include_str!("../../../tests/data/classify/harmless.txt");
const TOLD: &str = include_str!("../../../tests/data/classify/told.txt");
const SEGMENTS: &str = include_str!("../../../tests/data/classify/segments.txt");

fn click(text: &str) -> Verdict {
    let labels = Labels { visible_text: vec![text.to_owned()], ..Labels::default() };
    classify(&Action::Click {}, &ElementFacts { name: text.to_owned(), labels, ..ElementFacts::default() })
}

fn name_of<T: serde::Serialize>(value: T) -> String {
    serde_json::to_value(value).ok().and_then(|v| v.as_str().map(str::to_owned)).unwrap_or_default()
}

/// CLS-5: each class is named by its words and their forms, and not by their neighbours.
#[test]
fn words_name_their_class() {
    let mut failures = Vec::new();
    for row in rows("named.txt", NAMED) {
        let (verdict, neighbour) = (click(row.field(1)), click(row.field(2)));
        let named = verdict.matches.iter().any(|found| found.class.as_str() == row.field(0));
        if !named || !verdict.consequence.is_named() {
            failures.push(format!("{} {:?}: {} {:?}", row.at, row.field(1), verdict.consequence.as_str(), verdict.matches));
        }
        if neighbour.consequence != Consequence::Unknown {
            failures.push(format!("{} {:?}: {} {:?}", row.at, row.field(2), neighbour.consequence.as_str(), neighbour.matches));
        }
    }
    report(failures);
}

/// CLS-5: what whole products word, each asked about and its class among those that matched.
#[test]
fn products_wording_is_asked_about() {
    let mut failures = Vec::new();
    for row in rows("worded.txt", WORDED) {
        let verdict = click(row.field(1));
        if !verdict.consequence.is_named() || !verdict.matches.iter().any(|found| found.class.as_str() == row.field(0)) {
            failures.push(format!("{} {:?}: {} {:?}", row.at, row.field(1), verdict.consequence.as_str(), verdict.matches));
        }
    }
    report(failures);
}

/// CLS-5, the other side: what lessons, quizzes, puzzles, books and players show names nothing.
#[test]
fn harmless_wording_is_not_asked_about() {
    let mut failures = Vec::new();
    for row in rows("harmless.txt", HARMLESS) {
        let verdict = click(row.field(0));
        if verdict.consequence.is_named() {
            failures.push(format!("{} {:?}: {} {:?}", row.at, row.field(0), verdict.consequence.as_str(), verdict.matches));
        }
    }
    report(failures);
}

/// CLS-2: the consequence that is told is what pressing does, not what it is done to.
#[test]
fn the_acting_word_is_told() {
    let mut failures = Vec::new();
    for row in rows("told.txt", TOLD) {
        let verdict = click(row.field(1));
        if verdict.consequence.as_str() != row.field(0) {
            failures.push(format!("{} {:?}: {} {:?}", row.at, row.field(1), verdict.consequence.as_str(), verdict.matches));
        }
    }
    report(failures);
}

/// CLS-2: between texts the most severe is told, wherever it stands; within one text, the acting word.
#[test]
fn no_text_softens_another() {
    let told = |name: &str, title: &str| {
        let labels = Labels { title: vec![title.to_owned()], ..Labels::default() };
        classify(&Action::Click {}, &ElementFacts { name: name.to_owned(), labels, ..ElementFacts::default() }).consequence
    };
    assert_eq!(told("Delete", "Pay"), Consequence::Payment);
    assert_eq!(told("Pay", "Delete"), Consequence::Payment);
    assert_eq!(told("Delete the payment", "Next"), Consequence::Deletion);
    assert_eq!(told("Delete the payment", "Payment"), Consequence::Payment);
    assert_eq!(told("Repeat", "Next"), Consequence::Unknown);
}

/// CLS-6: disguises are read through, and a disguise alone names nothing.
#[test]
fn disguises_are_read_through() {
    let mut failures = Vec::new();
    for row in rows("disguise.txt", DISGUISE) {
        let (verdict, neighbour) = (click(row.field(2)), click(row.field(3)));
        let seen = verdict.matches.iter().any(|m| m.class.as_str() == row.field(0) && name_of(m.reading) == row.field(1));
        if !seen {
            failures.push(format!("{} {:?}: {:?}", row.at, row.field(2), verdict.matches));
        }
        if neighbour.consequence != Consequence::Unknown {
            failures.push(format!("{} {:?}: {:?}", row.at, row.field(3), neighbour.matches));
        }
    }
    report(failures);
}

/// CLS-9 and the price of suspicion: what lessons say all day is routine or unknown.
#[test]
fn lessons_are_not_asked_about() {
    let mut failures = Vec::new();
    for row in rows("plain.txt", PLAIN) {
        let verdict = click(row.field(1));
        if verdict.consequence.as_str() != row.field(0) {
            failures.push(format!("{} {:?}: {} {:?}", row.at, row.field(1), verdict.consequence.as_str(), verdict.matches));
        }
    }
    report(failures);
}

/// CLS-8: sensitive segments, written and encoded.
#[test]
fn sensitive_segments_are_told() {
    let mut failures = Vec::new();
    for row in rows("segments.txt", SEGMENTS) {
        if !is_sensitive_segment(row.field(0)) {
            failures.push(format!("{} {:?} is sensitive", row.at, row.field(0)));
        }
        if is_sensitive_segment(row.field(1)) {
            failures.push(format!("{} {:?} is not", row.at, row.field(1)));
        }
    }
    report(failures);
}

/// CLS-1, CLS-2: every source is classified apart, and any of them decides.
#[test]
fn any_one_source_decides() {
    let pay = || vec!["Pay $12.99".to_owned()];
    let with = |labels| ElementFacts { name: "Continue".to_owned(), labels, ..ElementFacts::default() };
    let base = Labels { aria_label: vec!["Continue".to_owned()], ..Labels::default() };
    assert_eq!(classify(&Action::Click {}, &with(base.clone())).consequence, Consequence::Routine);
    let cases = [
        (Source::Labelledby, Labels { labelledby: pay(), ..base.clone() }),
        (Source::Label, Labels { label: pay(), ..base.clone() }),
        (Source::Title, Labels { title: pay(), ..base.clone() }),
        (Source::Placeholder, Labels { placeholder: pay(), ..base.clone() }),
        (Source::Alt, Labels { alt: pay(), ..base.clone() }),
        (Source::Value, Labels { value: pay(), ..base.clone() }),
        (Source::VisibleText, Labels { visible_text: pay(), ..base.clone() }),
        (Source::AriaLabel, Labels { aria_label: pay(), ..base }),
    ];
    for (source, labels) in cases {
        let verdict = classify(&Action::Click {}, &with(labels));
        assert_eq!(verdict.consequence, Consequence::Payment, "{source:?}");
        assert!(verdict.matches.iter().any(|m| m.source == source && m.word == "pay" && m.reading == Reading::Written));
    }
    let in_dialog = ElementFacts { dialog_name: Some("Delete account?".to_owned()), ..with(Labels::default()) };
    assert!(classify(&Action::Click {}, &in_dialog).consequence.is_named());
    let leading = ElementFacts { targets: vec!["https://x.example/a/checkout".to_owned()], ..with(Labels::default()) };
    assert_eq!(classify(&Action::Click {}, &leading).consequence, Consequence::Payment);
}

/// CLS-9: two routine words, or one that is only part of a text, are not routine.
#[test]
fn routine_needs_the_same_word_everywhere() {
    let two = |name: &str, shown: &str| {
        let labels = Labels { visible_text: vec![shown.to_owned()], ..Labels::default() };
        classify(&Action::Click {}, &ElementFacts { name: name.to_owned(), labels, ..ElementFacts::default() }).consequence
    };
    assert_eq!(two("Continue", "CONTINUE"), Consequence::Routine);
    assert_eq!(two("Continue", "Next"), Consequence::Unknown);
    assert_eq!(two("Continue", "Continue hund"), Consequence::Unknown);
    assert_eq!(two("Continue", "Continue \u{2665}"), Consequence::Unknown);
    assert_eq!(two("Continue", "\u{202e}eunitnoC"), Consequence::Unknown);
    assert_eq!(two("Continue", "Continue $"), Consequence::Currency);
}

/// RUN-4: both processes name the same vocabulary, by the same digest each time.
#[test]
fn the_version_is_a_stable_digest() {
    assert_eq!(version(), version());
    assert!(version().len() == 16 && version().chars().all(|c| c.is_ascii_hexdigit()));
}
