//! Typed text: what is covered has no refused shape, whatever it is mixed with, and a card shows no
//! credential.

use domain::browser::{Action, ConsequenceCeiling, ElementFacts, FieldKind, TypeMode};
use domain::coverage::{Question, cover, looks_like_credential};
use domain::limits::{TYPED_TEXT_CHARACTERS_MAX, VIEW_TEXT_CHARACTERS_MAX};
use domain::scope::{HostRule, SiteScope};
use domain::view::{ApprovalView, REDACTED};

fn field(kind: FieldKind) -> ElementFacts {
    ElementFacts { role: "textbox".to_owned(), name: "Antwort".to_owned(), field_kind: kind, ..ElementFacts::default() }
}

fn is_covered(action: &Action, element: &ElementFacts) -> bool {
    let scope = SiteScope::parse("https://www.example.com/lesson", HostRule::Public).expect("a scope");
    let (page_url, ceiling) = ("https://www.example.com/lesson/3", ConsequenceCeiling::Unknown);
    cover(&Question { action, page_url, scope: &scope, element: Some(element), ceiling }).is_covered()
}

fn typed(text: &str, mode: TypeMode) -> Action {
    Action::Type { text: text.to_owned(), mode }
}

/// Checks one input: the whole of it is the text.
pub(crate) fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for kind in [FieldKind::Text, FieldKind::Search, FieldKind::Multiline] {
        for mode in [TypeMode::Replace, TypeMode::Append] {
            if is_covered(&typed(&text, mode), &field(kind)) {
                is_plain(&text, kind == FieldKind::Multiline);
            }
        }
        assert!(
            is_covered(&typed(&text, TypeMode::Replace), &field(kind)) || !is_covered(&typed(&text, TypeMode::Append), &field(kind)),
            "appended what may not replace"
        );
        for spoilt in ["@", "://", " www.", " 1234 ", "\u{e007}", "\u{ff20}", " \u{662}\u{662}\u{662}\u{662} ", "\u{1b}"] {
            for text in [format!("{text}{spoilt}"), format!("{spoilt}{text}")] {
                assert!(!is_covered(&typed(&text, TypeMode::Replace), &field(kind)), "{text:?} is typed");
            }
        }
    }
    for kind in [FieldKind::Password, FieldKind::OneTimeCode, FieldKind::Payment, FieldKind::Identity, FieldKind::Editable, FieldKind::None]
    {
        assert!(!is_covered(&typed(&text, TypeMode::Replace), &field(kind)), "typed into {kind:?}");
    }
    keys_are_judged(&text);
    cards_keep_secrets(&text);
}

fn is_plain(text: &str, has_lines: bool) {
    let lower = text.to_lowercase();
    assert!(text.chars().count() <= TYPED_TEXT_CHARACTERS_MAX as usize, "too long");
    assert!(!["@", "://", "www."].iter().any(|sign| lower.contains(sign)), "an address");
    let characters: Vec<char> = text.chars().collect();
    assert!(!characters.windows(4).any(|four| four.iter().all(char::is_ascii_digit)), "a number");
    assert!(!characters.iter().any(|c| c.is_control() && !(*c == '\n' && has_lines)), "a control character");
    assert!(!looks_like_credential(text), "a credential");
}

fn keys_are_judged(text: &str) {
    for key in text.chars().take(16) {
        let press = Action::Press { key: key.to_string() };
        let telling = key.is_numeric() || matches!(key, '@' | '/' | ':' | '.') || key.is_control();
        assert!(!(telling && is_covered(&press, &field(FieldKind::Text))), "{key:?} is pressed");
    }
}

fn cards_keep_secrets(text: &str) {
    let action = typed(text, TypeMode::Replace);
    let shown = ApprovalView::describe(&action, None, Some(&field(FieldKind::Text)));
    if looks_like_credential(text) {
        assert_eq!(shown.typed_text, REDACTED, "a credential on a card");
    }
    assert!(shown.typed_text.chars().count() <= VIEW_TEXT_CHARACTERS_MAX, "more than a card shows");
    for kind in [FieldKind::Password, FieldKind::OneTimeCode, FieldKind::Payment] {
        let shown = ApprovalView::describe(&action, None, Some(&field(kind)));
        assert_eq!(shown.typed_text, REDACTED, "a secret field on a card");
    }
}
