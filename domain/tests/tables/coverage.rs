//! Group E by table.

use crate::rows::{report, rows};
use domain::browser::{Action, ChoiceOption, ConsequenceCeiling, ElementFacts, FieldKind, action::NAMED_KEYS};
use domain::coverage::{Question, Reason, cover, is_refused_outright, options_chosen};
use domain::scope::{HostRule, SiteScope};

const ACTS: &str = include_str!("../../../tests/data/coverage/acts.txt");
const STANDING: &str = include_str!("../../../tests/data/coverage/standing.txt");
const KINDS: &str = include_str!("../../../tests/data/coverage/kinds.txt");
const KEYS: &str = include_str!("../../../tests/data/coverage/keys.txt");
const PAGE: &str = "https://www.example.com/lesson/3";

fn reasons(action: &Action, element: Option<&ElementFacts>, page_url: &str, ceiling: ConsequenceCeiling) -> Vec<Reason> {
    let scope = SiteScope::parse("https://www.example.com/lesson", HostRule::Public).expect("a scope");
    cover(&Question { action, page_url, scope: &scope, element, ceiling }).reasons
}

fn tile(name: &str) -> ElementFacts {
    ElementFacts { role: "button".to_owned(), name: name.to_owned(), ..ElementFacts::default() }
}

fn element(name: &str, changes: &str) -> Option<ElementFacts> {
    let mut value = serde_json::json!({"role": "button", "name": name});
    let changed: serde_json::Value = serde_json::from_str(changes).expect("element JSON");
    for (field, content) in changed.as_object()? {
        value[field] = content.clone();
    }
    Some(serde_json::from_value(value).expect("element facts"))
}

fn codes(reasons: &[Reason]) -> String {
    let mut codes: Vec<&str> = reasons.iter().map(|reason| reason.as_str()).collect();
    codes.sort_unstable();
    codes.join(",")
}

fn check_acts(file: &str, table: &str, name: &str, ceiling: ConsequenceCeiling) {
    let mut failures = Vec::new();
    for row in rows(file, table) {
        let action: Action = serde_json::from_str(row.field(2)).expect("action JSON");
        let page = if row.field(4).is_empty() { PAGE } else { row.field(4) };
        let found = codes(&reasons(&action, element(name, row.field(3)).as_ref(), page, ceiling));
        if found != row.field(1) {
            failures.push(format!("{} {} {} {}: {found:?}", row.at, row.field(0), row.field(2), row.field(3)));
        }
    }
    report(failures);
}

/// COV-1 to COV-9, CLS-1, CLS-4 and AUT-6, row by row.
#[test]
fn a_task_grant_covers_what_the_table_says() {
    check_acts("acts.txt", ACTS, "hund", ConsequenceCeiling::Unknown);
}

/// AUT-3, CLS-9, COV-5, COV-6: the standing ceiling admits the routine words and a scroll, within the same rules.
#[test]
fn a_standing_grant_covers_routine_only() {
    check_acts("standing.txt", STANDING, "Continue", ConsequenceCeiling::Routine);
}

/// COV-1, COV-2, COV-5, AUT-6: every act on every kind of field.
#[test]
fn acts_fit_kinds_as_the_table_says() {
    let acts = [
        r#"{"kind":"click"}"#,
        r#"{"kind":"type","text":"der hund"}"#,
        r#"{"kind":"press","key":"Enter"}"#,
        r#"{"kind":"press","key":"ArrowDown"}"#,
        r#"{"kind":"press","key":"a"}"#,
        r#"{"kind":"select","values":["1"]}"#,
        r#"{"kind":"check","checked":true}"#,
        r#"{"kind":"scroll","dy":9}"#,
    ];
    let mut failures = Vec::new();
    let table = rows("kinds.txt", KINDS);
    for row in &table {
        let changes = format!(r#"{{"field_kind":"{}","options":[{{"value":"1","label":"a"}}]}}"#, row.field(0));
        for (act, expected) in acts.iter().zip(row.fields.iter().skip(1)) {
            let action: Action = serde_json::from_str(act).expect("action JSON");
            let found = codes(&reasons(&action, element("hund", &changes).as_ref(), PAGE, ConsequenceCeiling::Unknown));
            let expected = match expected.as_str() {
                "yes" => "",
                "kind" => "kind_mismatch",
                "key" => "key_not_covered",
                "field" => "consequence_named,field_not_covered",
                other => other,
            };
            if found != expected {
                failures.push(format!("{} {act}: {found:?}, not {expected:?}", row.at));
            }
        }
    }
    assert_eq!(table.len(), 13, "every kind has its row");
    report(failures);
}

/// COV-3, COV-5: every key on what takes keys.
#[test]
fn keys_are_pressed_where_the_table_says() {
    let places = [
        ("none", "button"),
        ("none", "link"),
        ("text", "textbox"),
        ("text", "combobox"),
        ("multiline", "textbox"),
        ("editable", "textbox"),
        ("none", "radio"),
        ("none", "tab"),
        ("none", "treeitem"),
    ];
    let mut failures = Vec::new();
    let table = rows("keys.txt", KEYS);
    for row in &table {
        let action = Action::Press { key: row.field(0).to_owned() };
        for ((kind, role), expected) in places.iter().zip(row.fields.iter().skip(1)) {
            let changes = format!(r#"{{"field_kind":"{kind}","role":"{role}"}}"#);
            let found = codes(&reasons(&action, element("hund", &changes).as_ref(), PAGE, ConsequenceCeiling::Unknown));
            let expected = match expected.as_str() {
                "yes" => "",
                "key" => "key_not_covered",
                "text" => "text_shape",
                other => other,
            };
            if found != expected {
                failures.push(format!("{} {kind} {role} {:?}: {found:?}, not {expected:?}", row.at, row.field(0)));
            }
        }
    }
    for key in NAMED_KEYS {
        assert!(table.iter().any(|row| row.field(0) == key), "{key} has no row");
    }
    report(failures);
}

/// COV-3: 256 scalar values are typed, 257 are not.
#[test]
fn typed_text_is_at_most_256_characters() {
    let field = ElementFacts { field_kind: FieldKind::Text, ..tile("hund") };
    let typed = |count| Action::Type { text: "ä".repeat(count), mode: Default::default() };
    assert_eq!(reasons(&typed(256), Some(&field), PAGE, ConsequenceCeiling::Unknown), []);
    assert_eq!(reasons(&typed(257), Some(&field), PAGE, ConsequenceCeiling::Unknown), [Reason::TextTooLong]);
}

/// COV-5: texts of 256 and of 1,024 characters are judged whole in every source; one more than 1,024 is
/// not, and neither is one that the facts say was cut.
#[test]
fn a_longer_label_is_not_read_whole() {
    let task = ConsequenceCeiling::Unknown;
    let long = |count: usize| format!("{}x", "ä ".repeat(count)).chars().take(count).collect::<String>();
    type Put = fn(&mut ElementFacts, String);
    let puts: [Put; 11] = [
        |facts, text| facts.name = text,
        |facts, text| facts.labels.aria_label.push(text),
        |facts, text| facts.labels.labelledby.push(text),
        |facts, text| facts.labels.label.push(text),
        |facts, text| facts.labels.title.push(text),
        |facts, text| facts.labels.placeholder.push(text),
        |facts, text| facts.labels.alt.push(text),
        |facts, text| facts.labels.value.push(text),
        |facts, text| facts.labels.visible_text.push(text),
        |facts, text| facts.dialog_name = Some(text),
        |facts, text| facts.labels.visible_text = vec!["katze".to_owned(), text],
    ];
    for (at, put) in puts.iter().enumerate() {
        for (count, cut, expected) in [
            (256, false, vec![]),
            (256, true, vec![Reason::Truncated]),
            (257, false, vec![]),
            (1_024, false, vec![]),
            (1_025, false, vec![Reason::Truncated]),
        ] {
            let mut facts = ElementFacts { truncated: cut, ..tile("hund") };
            put(&mut facts, long(count));
            assert_eq!(reasons(&Action::Click {}, Some(&facts), PAGE, task), expected, "source {at}, {count} characters, cut: {cut}");
        }
    }
}

/// COV-5, CLS-4: the texts of the chosen options have the same bound, those of the others have none.
#[test]
fn chosen_options_are_read_whole() {
    let pick = Action::Select { values: vec!["1".to_owned()], labels: Vec::new() };
    let list = |chosen: usize, other: usize| {
        let option =
            |value: &str, count: usize| ChoiceOption { value: value.to_owned(), title: "ä ".repeat(count / 2), ..ChoiceOption::default() };
        ElementFacts { field_kind: FieldKind::Select, options: vec![option("1", chosen), option("2", other)], ..tile("hund") }
    };
    let task = ConsequenceCeiling::Unknown;
    assert_eq!(reasons(&pick, Some(&list(1_024, 9_000)), PAGE, task), []);
    assert_eq!(reasons(&pick, Some(&list(1_026, 2)), PAGE, task), [Reason::Truncated]);
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

/// CLS-4: the same bounds as a grant sees them, and for acts that choose nothing.
#[test]
fn a_select_is_bounded() {
    let option = |value: usize| ChoiceOption { value: value.to_string(), label: "a".to_owned(), ..ChoiceOption::default() };
    let list = |count: usize| ElementFacts { field_kind: FieldKind::Select, options: (0..count).map(option).collect(), ..tile("hund") };
    let by = |values: usize, labels: usize| Action::Select {
        values: (0..values).map(|value| value.to_string()).collect(),
        labels: vec!["a".to_owned(); labels],
    };
    let task = ConsequenceCeiling::Unknown;
    let scroll = Action::Scroll { dx: 0, dy: 9 };
    for (action, count, expected) in [
        (by(1, 0), 4_096, vec![]),
        (by(1, 0), 4_097, vec![Reason::Options]),
        (by(64, 0), 4_096, vec![]),
        (by(65, 0), 4_096, vec![Reason::Options]),
        (by(0, 1), 64, vec![]),
        (by(0, 1), 65, vec![Reason::Options]),
        (by(0, 2), 64, vec![]),
        (scroll.clone(), 4_096, vec![]),
        (scroll, 4_097, vec![Reason::Options]),
    ] {
        assert_eq!(reasons(&action, Some(&list(count)), PAGE, task), expected, "{count} options");
    }
}

/// COV-10: the set of codes is closed, each has one name, and a table shows how each comes about.
#[test]
fn every_reason_has_its_code_and_its_example() {
    let columns = [ACTS, STANDING].map(|table| rows("acts", table)).concat();
    let shown = |code: &str| columns.iter().any(|row| row.field(1).split(',').any(|one| one == code));
    let decided = [
        include_str!("../../../tests/data/decide/authorize/limits.txt"),
        include_str!("../../../tests/data/decide/authorize/pins.txt"),
        include_str!("../../../tests/data/decide/authorize/turn.txt"),
    ];
    let asks = |code: &str| decided.iter().any(|table| table.lines().any(|line| line.contains("asks: ") && line.contains(code)));
    // Both are seen on the live page only.
    let live = [Reason::FocusNotHeld, Reason::ElementChanged];
    let mut names = Vec::new();
    for reason in Reason::ALL {
        assert_eq!(serde_json::json!(reason), serde_json::json!(reason.as_str()));
        assert!(shown(reason.as_str()) || asks(reason.as_str()) || live.contains(&reason), "{reason:?} has no example");
        names.push(reason.as_str());
    }
    let known = serde_json::from_str::<Reason>("\"no_such\"").expect_err("no reason").to_string();
    assert_eq!(known.matches('`').count() / 2, names.len() + 1, "a reason is missing among all: {known}");
    names.sort_unstable();
    let expected = [
        "actions_used_up",
        "characters_used_up",
        "consequence_named",
        "consequence_not_routine",
        "disabled",
        "download",
        "element_changed",
        "expired",
        "facts_missing",
        "field_not_covered",
        "focus_not_held",
        "grant_ended",
        "key_not_covered",
        "kind_mismatch",
        "not_applicable",
        "options",
        "page_outside_origin",
        "page_outside_prefix",
        "page_sensitive",
        "target_outside_origin",
        "target_outside_prefix",
        "target_sensitive",
        "text_shape",
        "text_too_long",
        "truncated",
        "turn_not_browser_only",
        "unnamed",
    ];
    assert_eq!(names, expected);
}
