//! Group E by table.

use crate::rows::{report, rows};
use domain::browser::{Action, ChoiceOption, ConsequenceCeiling, ElementFacts, FieldKind, Labels};
use domain::coverage::{Question, Reason, cover, is_refused_outright, options_chosen};
use domain::scope::{HostRule, SiteScope};

const ACTS: &str = include_str!("../../../tests/data/coverage/acts.txt");
const PAGE: &str = "https://www.example.com/lesson/3";

fn reasons(action: &Action, element: Option<&ElementFacts>, page_url: &str, ceiling: ConsequenceCeiling) -> Vec<Reason> {
    let scope = SiteScope::parse("https://www.example.com/lesson", HostRule::Public).expect("a scope");
    cover(&Question { action, page_url, scope: &scope, element, ceiling }).reasons
}

fn tile(name: &str) -> ElementFacts {
    ElementFacts { role: "button".to_owned(), name: name.to_owned(), ..ElementFacts::default() }
}

fn element(changes: &str) -> Option<ElementFacts> {
    let mut value = serde_json::json!({"role": "button", "name": "hund"});
    let changed: serde_json::Value = serde_json::from_str(changes).expect("element JSON");
    for (field, content) in changed.as_object()? {
        value[field] = content.clone();
    }
    Some(serde_json::from_value(value).expect("element facts"))
}

/// COV-1 to COV-9 and CLS-4, row by row.
#[test]
fn a_task_grant_covers_what_the_table_says() {
    let mut failures = Vec::new();
    for row in rows("acts.txt", ACTS) {
        let action: Action = serde_json::from_str(row.field(2)).expect("action JSON");
        let page = if row.field(4).is_empty() { PAGE } else { row.field(4) };
        let found = reasons(&action, element(row.field(3)).as_ref(), page, ConsequenceCeiling::Unknown);
        let mut codes: Vec<&str> = found.iter().map(|reason| reason.as_str()).collect();
        codes.sort_unstable();
        if codes.join(",") != row.field(1) {
            failures.push(format!("{} {} {} {}: {codes:?}", row.at, row.field(0), row.field(2), row.field(3)));
        }
    }
    report(failures);
}

/// AUT-3, COV-1: the standing ceiling admits the routine word and a scroll, and no answer.
#[test]
fn a_standing_grant_covers_routine_only() {
    let routine = ConsequenceCeiling::Routine;
    assert_eq!(reasons(&Action::Click {}, Some(&tile("Continue")), PAGE, routine), []);
    assert_eq!(reasons(&Action::Scroll { dx: 0, dy: 9 }, None, PAGE, routine), []);
    assert_eq!(reasons(&Action::Click {}, Some(&tile("hund")), PAGE, routine), [Reason::ConsequenceNotRoutine]);
    assert_eq!(reasons(&Action::Click {}, Some(&tile("Buy")), PAGE, routine), [Reason::ConsequenceNamed]);
}

/// COV-3: 256 scalar values are typed, 257 are not.
#[test]
fn typed_text_is_at_most_256_characters() {
    let field = ElementFacts { field_kind: FieldKind::Text, ..tile("hund") };
    let typed = |count| Action::Type { text: "ä".repeat(count), mode: Default::default() };
    assert_eq!(reasons(&typed(256), Some(&field), PAGE, ConsequenceCeiling::Unknown), []);
    assert_eq!(reasons(&typed(257), Some(&field), PAGE, ConsequenceCeiling::Unknown), [Reason::TextTooLong]);
}

/// COV-5: a label of 1,024 characters is read whole, a longer one is not.
#[test]
fn a_longer_label_is_not_read_whole() {
    let shown =
        |count: usize| ElementFacts { labels: Labels { visible_text: vec!["ä ".repeat(count / 2)], ..Labels::default() }, ..tile("hund") };
    assert_eq!(reasons(&Action::Click {}, Some(&shown(1_024)), PAGE, ConsequenceCeiling::Unknown), []);
    assert_eq!(reasons(&Action::Click {}, Some(&shown(1_026)), PAGE, ConsequenceCeiling::Unknown), [Reason::Truncated]);
}

/// CLS-4: at most 4,096 options and 64 choosable, anywhere in the list.
#[test]
fn a_selection_is_bounded() {
    let option = |value: &str| ChoiceOption { value: value.to_owned(), label: value.to_owned(), ..ChoiceOption::default() };
    let pick = Action::Select { values: vec!["a".to_owned()], labels: Vec::new() };
    let list = |same: usize, other: usize| [vec![option("b"); other], vec![option("a"); same]].concat();
    assert_eq!(options_chosen(&pick, &list(64, 4_032)).map(|chosen| chosen.len()), Ok(64));
    assert_eq!(options_chosen(&pick, &list(64, 4_033)), Err(Reason::Options));
    assert_eq!(options_chosen(&pick, &list(65, 0)), Err(Reason::Options));
    assert_eq!(options_chosen(&pick, &list(0, 3)), Err(Reason::Options));
    assert_eq!(options_chosen(&Action::Click {}, &list(1, 1)), Ok(Vec::new()));
}

/// COV-9: credential and one-time-code fields, and no others, are refused whoever approves.
#[test]
fn credential_fields_are_refused_outright() {
    let of = |field_kind| ElementFacts { field_kind, ..tile("hund") };
    assert!(is_refused_outright(&Action::Click {}, &of(FieldKind::Password)));
    assert!(is_refused_outright(&Action::Click {}, &of(FieldKind::OneTimeCode)));
    assert!(!is_refused_outright(&Action::Click {}, &of(FieldKind::Payment)));
    assert!(!is_refused_outright(&Action::Click {}, &of(FieldKind::Text)));
}

/// COV-10: the code in the log is the code on the wire.
#[test]
fn reasons_have_one_name() {
    for reason in [Reason::ConsequenceNamed, Reason::TargetOutsidePrefix, Reason::FocusNotHeld, Reason::ElementChanged] {
        assert_eq!(serde_json::json!(reason), serde_json::json!(reason.as_str()));
    }
}
