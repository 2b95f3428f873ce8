//! Laws over arbitrary texts: suspicion only grows, and every input has an answer.

use domain::browser::{Action, ConsequenceCeiling, ElementFacts, Labels};
use domain::classify::{classify, is_sensitive_segment};
use domain::coverage::{Question, cover, looks_like_credential};
use domain::scope::{HostRule, SiteScope};
use proptest::prelude::*;

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[a-zA-Z $.-]{0,24}",
        "[\u{202a}-\u{202e}\u{2066}-\u{2069}\u{200b}ypa \u{5d0}\u{430}]{0,12}",
        prop::sample::select(vec!["Continue", "hund", "Pay", "Delete it", "log", "out", "\u{202e}yaP", "1", "d e l"])
            .prop_map(str::to_owned),
    ]
}

fn texts() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(text(), 0..3)
}

prop_compose! {
    fn labels()(
        aria_label in texts(), labelledby in texts(), label in texts(), title in texts(),
        placeholder in texts(), alt in texts(), value in texts(), visible_text in texts(),
    ) -> Labels {
        Labels { aria_label, labelledby, label, title, placeholder, alt, value, visible_text }
    }
}

fn is_covered(element: &ElementFacts, ceiling: ConsequenceCeiling) -> bool {
    let scope = SiteScope::parse("https://www.example.com/lesson", HostRule::Public).expect("a scope");
    let page_url = "https://www.example.com/lesson/3";
    cover(&Question { action: &Action::Click {}, page_url, scope: &scope, element: Some(element), ceiling }).is_covered()
}

fn sources(labels: &mut Labels) -> [&mut Vec<String>; 8] {
    let Labels { aria_label, labelledby, label, title, placeholder, alt, value, visible_text } = labels;
    [aria_label, labelledby, label, title, placeholder, alt, value, visible_text]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() })]

    /// CLS-7: one more text in any source never makes an act covered, under either ceiling.
    #[test]
    fn one_more_text_never_covers(name in text(), labels in labels(), extra in text(), source in 0_usize..8) {
        let before = ElementFacts { name, labels, ..ElementFacts::default() };
        let mut after = before.clone();
        sources(&mut after.labels)[source].push(extra);
        let task = ConsequenceCeiling::Unknown;
        prop_assert!(is_covered(&before, task) || !is_covered(&after, task));
        // What nothing names has no word to be the same; one more text may then be the first.
        if before.labels.iter().any(|(_, text)| !text.trim().is_empty()) || !before.name.trim().is_empty() {
            let standing = ConsequenceCeiling::Routine;
            prop_assert!(is_covered(&before, standing) || !is_covered(&after, standing));
        }
    }

    /// CLS-7: an excluded word after whatever a source says names a consequence.
    #[test]
    fn an_excluded_word_is_seen_after_any_text(text in "[^\u{590}-\u{8ff}\u{200e}-\u{202e}\u{2066}-\u{2069}]{0,40}", word in "pay|delete|sent|log out") {
        let element = ElementFacts { name: format!("{text} {word}"), ..ElementFacts::default() };
        let consequence = classify(&Action::Click {}, &element).consequence;
        prop_assert!(consequence.is_named());
    }

    /// CLS-10: every text has an answer.
    #[test]
    fn every_text_has_an_answer(name in any::<String>(), labels in labels(), target in any::<String>()) {
        let element = ElementFacts { name, labels, targets: vec![target.clone()], in_form: true, ..ElementFacts::default() };
        let _ = is_covered(&element, ConsequenceCeiling::Unknown);
        let _ = (is_sensitive_segment(&target), looks_like_credential(&target));
    }
}

/// CLS-10: long texts that ask for every reading at once are answered, each letter at a bounded cost.
#[test]
fn hostile_lengths_are_answered() {
    for unit in ["a ", "1l", "\u{430}\u{3b9}", "\u{202e}a\u{202c}", "\u{2067}", "a-", "$ pay ", "aI"] {
        let element = ElementFacts { name: unit.repeat(20_000), ..ElementFacts::default() };
        assert!(!is_covered(&element, ConsequenceCeiling::Unknown), "{unit:?} is cut");
    }
}
