//! Laws of the coverage rules: suspicion only grows, whatever the act and the grant, and every input
//! has an answer.

use domain::browser::{Action, ChoiceOption, ConsequenceCeiling, ElementFacts, FieldKind, Labels, TypeMode};
use domain::coverage::{Question, Reason, cover, is_refused_outright, looks_like_credential};
use domain::scope::{HostRule, SiteScope};
use proptest::prelude::*;

const INSIDE: &str = "https://www.example.com/lesson/4";

fn text() -> impl Strategy<Value = String> {
    let known = vec!["Continue", "hund", "Pay", "Delete it", "log", "out", "\u{202e}yaP", "1", "d e l", "Next", "$5", "", " "];
    prop_oneof![3 => prop::sample::select(known).prop_map(str::to_owned), 1 => any::<String>(), 1 => "[a-zA-Z $.-]{0,16}"]
}

fn action() -> impl Strategy<Value = Action> {
    let key = prop::sample::select(vec!["Enter", " ", "Space", "Tab", "ArrowDown", "a", "5", "Delete", "nonsense"]);
    let typed = prop_oneof![3 => "[a-z ]{0,12}", 1 => any::<String>(), 1 => Just("der\nhund".to_owned())];
    prop_oneof![
        Just(Action::Click {}),
        (typed, any::<bool>())
            .prop_map(|(text, append)| Action::Type { text, mode: if append { TypeMode::Append } else { TypeMode::Replace } }),
        key.prop_map(|key| Action::Press { key: key.to_owned() }),
        Just(Action::Select { values: vec!["1".to_owned()], labels: Vec::new() }),
        Just(Action::Select { values: Vec::new(), labels: vec!["hund".to_owned()] }),
        any::<bool>().prop_map(|checked| Action::Check { checked }),
        (-20..20, -20..20).prop_map(|(dx, dy)| Action::Scroll { dx, dy }),
    ]
}

fn field_kind() -> impl Strategy<Value = FieldKind> {
    prop::sample::select(vec![
        FieldKind::None,
        FieldKind::None,
        FieldKind::Text,
        FieldKind::Search,
        FieldKind::Multiline,
        FieldKind::Select,
        FieldKind::NativeChoice,
        FieldKind::BuiltChoice,
        FieldKind::Editable,
        FieldKind::Identity,
        FieldKind::Password,
    ])
}

fn option() -> impl Strategy<Value = ChoiceOption> {
    (prop::sample::select(vec!["1", "2", "3"]), text(), text()).prop_map(|(value, label, group)| ChoiceOption {
        value: value.to_owned(),
        label,
        group,
        ..ChoiceOption::default()
    })
}

/// An element that a selection of this file always finds its options in.
fn element() -> impl Strategy<Value = ElementFacts> {
    let flags = (prop::bool::weighted(0.3), prop::bool::weighted(0.1), prop::bool::weighted(0.1), prop::bool::weighted(0.1));
    let name = prop_oneof![2 => Just("Continue".to_owned()), 2 => Just("hund".to_owned()), 1 => text()];
    let shown = prop::collection::vec(text(), 0..2);
    let role = prop::sample::select(vec!["button", "link", "textbox", "combobox", "radio", ""]);
    (name, shown, field_kind(), role, flags, any::<bool>()).prop_map(|(name, visible_text, field_kind, role, flags, target)| {
        let (in_form, disabled, download, truncated) = flags;
        let hund = ChoiceOption { value: "1".to_owned(), label: "hund".to_owned(), ..ChoiceOption::default() };
        ElementFacts {
            role: role.to_owned(),
            name,
            labels: Labels { visible_text, ..Labels::default() },
            dialog_name: None,
            field_kind,
            options: vec![hund],
            targets: if target || in_form { vec![INSIDE.to_owned()] } else { Vec::new() },
            in_form,
            download,
            disabled,
            truncated,
        }
    })
}

/// One thing more to be suspicious about.
#[derive(Clone, Debug)]
enum More {
    Label(usize, String),
    Dialog(String),
    Option(ChoiceOption),
    Target(String),
    Disabled,
    Download,
    Truncated,
    InForm,
}

fn more() -> impl Strategy<Value = More> {
    let target = prop_oneof![
        Just(INSIDE.to_owned()),
        prop::sample::select(vec!["https://www.example.com/x", "javascript:x", "", "https://www.example.com/lesson/pay"])
            .prop_map(str::to_owned),
        any::<String>(),
    ];
    prop_oneof![
        4 => (0_usize..8, text()).prop_map(|(source, text)| More::Label(source, text)),
        1 => text().prop_map(More::Dialog),
        1 => option().prop_map(More::Option),
        2 => target.prop_map(More::Target),
        1 => prop::sample::select(vec![More::Disabled, More::Download, More::Truncated, More::InForm]),
    ]
}

fn added(element: &ElementFacts, more: More) -> ElementFacts {
    let mut after = element.clone();
    let Labels { aria_label, labelledby, label, title, placeholder, alt, value, visible_text } = &mut after.labels;
    let sources = [aria_label, labelledby, label, title, placeholder, alt, value, visible_text];
    match more {
        More::Label(source, text) => sources.into_iter().nth(source).expect("a source").push(text),
        More::Dialog(name) => after.dialog_name = Some(name),
        More::Option(option) => after.options.push(option),
        More::Target(target) => after.targets.push(target),
        More::Disabled => after.disabled = true,
        More::Download => after.download = true,
        More::Truncated => after.truncated = true,
        More::InForm => after.in_form = true,
    }
    after
}

fn reasons(action: &Action, element: Option<&ElementFacts>, page_url: &str, ceiling: ConsequenceCeiling) -> Vec<Reason> {
    let scope = SiteScope::parse("https://www.example.com/lesson", HostRule::Public).expect("a scope");
    cover(&Question { action, page_url, scope: &scope, element, ceiling }).reasons
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 320, failure_persistence: None, ..ProptestConfig::default() })]

    /// CLS-7: one thing more about an element never covers an act of any kind, under either ceiling, and
    /// takes no reason away; only a consequence may come to be named.
    #[test]
    fn suspicion_only_grows(action in action(), element in element(), more in more()) {
        let after = added(&element, more);
        for ceiling in [ConsequenceCeiling::Unknown, ConsequenceCeiling::Routine] {
            let (was, is) = (reasons(&action, Some(&element), INSIDE, ceiling), reasons(&action, Some(&after), INSIDE, ceiling));
            prop_assert!(!was.is_empty() || is.is_empty() || was.len() <= is.len());
            for reason in was {
                let named = reason == Reason::ConsequenceNotRoutine && is.contains(&Reason::ConsequenceNamed);
                prop_assert!(named || is.contains(&reason), "{reason:?} went away: {is:?}");
            }
        }
    }

    /// CLS-7: more text after the text of a source never covers either.
    #[test]
    fn longer_texts_never_cover(action in action(), element in element(), extra in "[ -~]{0,12}") {
        let mut after = element.clone();
        after.name = format!("{} {extra}", element.name);
        after.labels.visible_text.iter_mut().for_each(|text| *text = format!("{text} {extra}"));
        for ceiling in [ConsequenceCeiling::Unknown, ConsequenceCeiling::Routine] {
            // A blank name names nothing; the first word of it is a name.
            if !element.name.trim().is_empty() && !reasons(&action, Some(&element), INSIDE, ceiling).is_empty() {
                prop_assert!(!reasons(&action, Some(&after), INSIDE, ceiling).is_empty(), "{} {extra:?}", element.name);
            }
        }
    }

    /// AUT-3: what a standing grant covers, a task grant covers too.
    #[test]
    fn a_standing_grant_is_the_narrower_one(action in action(), element in element(), page in prop_oneof![Just(INSIDE.to_owned()), any::<String>()]) {
        let standing = reasons(&action, Some(&element), &page, ConsequenceCeiling::Routine);
        let task = reasons(&action, Some(&element), &page, ConsequenceCeiling::Unknown);
        prop_assert!(task.iter().all(|reason| standing.contains(reason)), "{task:?} {standing:?}");
    }

    /// COV-9: what is refused outright is covered by no grant.
    #[test]
    fn no_grant_covers_what_is_refused_outright(action in action(), element in element()) {
        if is_refused_outright(&action, &element) {
            prop_assert!(!reasons(&action, Some(&element), INSIDE, ConsequenceCeiling::Unknown).is_empty());
        }
    }

    /// CLS-10, COV-3: every text, as a name, a page, a target, an option, a key and typed, has an answer.
    #[test]
    fn every_text_has_an_answer(text in any::<String>(), bytes in prop::collection::vec(any::<u8>(), 0..64), kind in field_kind()) {
        for text in [text, String::from_utf8_lossy(&bytes).into_owned()] {
            let option = ChoiceOption { label: text.clone(), value: text.clone(), ..ChoiceOption::default() };
            let element = ElementFacts { name: text.clone(), role: text.clone(), targets: vec![text.clone()], options: vec![option], field_kind: kind, in_form: true, ..ElementFacts::default() };
            for action in [
                Action::Type { text: text.clone(), mode: TypeMode::Append },
                Action::Press { key: text.clone() },
                Action::Select { values: Vec::new(), labels: vec![text.clone()] },
            ] {
                let _ = reasons(&action, Some(&element), &text, ConsequenceCeiling::Unknown);
                prop_assert!(!reasons(&action, None, &text, ConsequenceCeiling::Unknown).is_empty());
            }
            let _ = looks_like_credential(&text);
        }
    }

    /// COV-3: what is refused in a text stays refused with words around it, and in full-width letters.
    #[test]
    fn a_shape_is_found_among_words(
        shape in prop::sample::select(vec!["a@b", "x://y", "www.x", "1234", "123 456", "4111 111 111 111 11", "Tr0ub4dor", "sk_live_abcdefgh", "password: x"]),
        before in "([a-z]{1,6} ){0,3}", after in "( [a-z]{1,6}){0,3}",
    ) {
        let wide: String = shape.chars().map(|c| char::from_u32(u32::from(c) + 0xfee0).filter(|_| c.is_ascii_graphic()).unwrap_or(c)).collect();
        let element = ElementFacts { name: "hund".to_owned(), field_kind: FieldKind::Text, ..ElementFacts::default() };
        for shape in [shape.to_owned(), wide] {
            let typed = Action::Type { text: format!("{before}{shape}{after}"), mode: TypeMode::Replace };
            prop_assert_eq!(reasons(&typed, Some(&element), INSIDE, ConsequenceCeiling::Unknown), [Reason::TextShape]);
        }
    }
}

/// CLS-6: a disguised acting word refuses whatever act, from whatever source.
#[test]
fn disguises_do_not_cover() {
    let disguises = [
        "Bu\u{443} now",
        "\u{202e}won yuB",
        "\u{ff22}uy now",
        "B\u{200b}uy",
        "\u{299}\u{1d1c}\u{28f}",
        "b-u-y",
        "B u y",
        "de\u{ad}lete",
        "P\u{430}y",
    ];
    for disguise in disguises {
        for source in 0..8 {
            let plain = ElementFacts { name: "hund".to_owned(), ..ElementFacts::default() };
            let element = added(&plain, More::Label(source, disguise.to_owned()));
            for ceiling in [ConsequenceCeiling::Unknown, ConsequenceCeiling::Routine] {
                assert_eq!(reasons(&Action::Click {}, Some(&element), INSIDE, ceiling), [Reason::ConsequenceNamed], "{disguise:?}");
            }
        }
    }
}
