//! Labels, acts and targets: an answer for everything, and no text that makes an act covered.
//!
//! An input is lines of a tag and a text, so that people can read and write it:
//!
//! | tag | text |
//! |---|---|
//! | `a` | the act as JSON; a click otherwise |
//! | `p` | the page |
//! | `n`, `d`, `r`, `k` | name, dialog name, role, field kind |
//! | `1` to `8` | a text of that label source |
//! | `t` | a target |
//! | `o` | an option: label, value, text, name, title, group, with tabs between |
//! | `f` | any of `i` in a form, `d` download, `x` disabled, `c` cut |
//! | `+` | a text to add |
//!
//! `\n` in a text is a line feed.

use domain::browser::{Action, ChoiceOption, ConsequenceCeiling, ElementFacts, Labels};
use domain::classify::classify;
use domain::coverage::{Coverage, Question, cover};
use domain::scope::{HostRule, Place, SiteScope};

struct Case {
    action: Action,
    page: String,
    element: ElementFacts,
    added: Vec<String>,
}

fn case(input: &str) -> Case {
    let mut case = Case {
        action: Action::Click {},
        page: "https://www.example.com/lesson/3".to_owned(),
        element: ElementFacts::default(),
        added: vec!["Pay".to_owned()],
    };
    for line in input.split('\n') {
        let mut rest = line.chars();
        let Some(tag) = rest.next() else { continue };
        let text = rest.as_str().replace("\\n", "\n");
        let element = &mut case.element;
        match tag {
            'a' => case.action = serde_json::from_str(&text).unwrap_or(case.action),
            'p' => case.page = text,
            'n' => element.name = text,
            'd' => element.dialog_name = Some(text),
            'r' => element.role = text,
            'k' => element.field_kind = serde_json::from_value(text.into()).unwrap_or(element.field_kind),
            't' => element.targets.push(text),
            'o' => element.options.push(option(&text)),
            'f' => {
                element.in_form = text.contains('i');
                element.download = text.contains('d');
                element.disabled = text.contains('x');
                element.truncated = text.contains('c');
            }
            '+' => case.added.push(text),
            tag => {
                match tag.to_digit(10).and_then(|number| sources(&mut element.labels).into_iter().nth(number.checked_sub(1)? as usize)) {
                    Some(source) => source.push(text),
                    None => case.added.push(line.to_owned()),
                }
            }
        }
    }
    case
}

fn option(text: &str) -> ChoiceOption {
    let mut fields = text.split('\t').map(str::to_owned);
    let mut next = || fields.next().unwrap_or_default();
    ChoiceOption { label: next(), value: next(), text: next(), name: next(), title: next(), group: next() }
}

fn sources(labels: &mut Labels) -> [&mut Vec<String>; 8] {
    let Labels { aria_label, labelledby, label, title, placeholder, alt, value, visible_text } = labels;
    [aria_label, labelledby, label, title, placeholder, alt, value, visible_text]
}

fn scope() -> SiteScope {
    SiteScope::parse("https://www.example.com/lesson", HostRule::Public).expect("a scope")
}

fn covered(case: &Case, element: &ElementFacts, ceiling: ConsequenceCeiling) -> Coverage {
    cover(&Question { action: &case.action, page_url: &case.page, scope: &scope(), element: Some(element), ceiling })
}

/// Checks one input.
pub(crate) fn check(bytes: &[u8]) {
    let case = case(&String::from_utf8_lossy(bytes));
    let whole = covered(&case, &case.element, ConsequenceCeiling::Unknown);
    answers_agree(&case, &whole);
    no_text_is_outvoted(&case);
    no_text_is_hidden(&case);
    no_text_covers(&case, &whole);
}

fn answers_agree(case: &Case, whole: &Coverage) {
    let element = &case.element;
    assert_eq!(whole.verdict, classify(&case.action, element), "the one classifier");
    let standing = covered(case, element, ConsequenceCeiling::Routine);
    assert!(whole.is_covered() || !standing.is_covered(), "a standing grant covers no more");
    assert!(whole.verdict.matches.is_empty() || whole.verdict.consequence.is_named(), "a match names");
    if whole.is_covered() {
        assert!(!whole.verdict.consequence.is_named(), "named and covered");
        assert!(!element.disabled && !element.truncated && !element.download, "in no state to be covered");
        assert!(!element.name.trim().is_empty(), "unnamed and covered");
        assert_eq!(scope().place(&case.page), Place::Inside, "covered elsewhere");
        let click = matches!(case.action, Action::Click {});
        assert!(!click || element.targets.iter().all(|target| scope().place(target) == Place::Inside), "covered and leads away");
    }
    let back: ElementFacts = serde_json::from_str(&serde_json::to_string(element).expect("JSON")).expect("facts");
    assert_eq!(&back, element, "facts survive their way");
}

/// What names a consequence alone names one among others.
fn no_text_is_outvoted(case: &Case) {
    let texts =
        case.element.labels.iter().map(|(_, text)| text).chain([case.element.name.as_str()]).chain(case.element.dialog_name.as_deref());
    let whole = classify(&case.action, &case.element).consequence;
    for text in texts {
        let alone = ElementFacts { name: text.to_owned(), ..ElementFacts::default() };
        assert!(whole.is_named() || !classify(&Action::Click {}, &alone).consequence.is_named(), "outvoted: {text:?}");
    }
}

/// An acting word on a line of its own is seen, whatever stands on the lines around it.
fn no_text_is_hidden(case: &Case) {
    for name in [format!("{}\nDelete", case.element.name), format!("Delete\n{}", case.element.name)] {
        let element = ElementFacts { name, ..case.element.clone() };
        assert!(classify(&case.action, &element).consequence.is_named(), "hidden: {:?}", element.name);
    }
}

/// No text in any source makes an act covered that was not.
fn no_text_covers(case: &Case, whole: &Coverage) {
    let standing = covered(case, &case.element, ConsequenceCeiling::Routine);
    let has_text = case.element.labels.iter().any(|(_, text)| !text.trim().is_empty()) || !case.element.name.trim().is_empty();
    for (number, text) in (0..8).flat_map(|number| case.added.iter().map(move |text| (number, text))) {
        let mut element = case.element.clone();
        if let Some(source) = sources(&mut element.labels).into_iter().nth(number) {
            source.push(text.clone());
        }
        let more = covered(case, &element, ConsequenceCeiling::Unknown);
        assert!(whole.is_covered() || !more.is_covered(), "covers under a task grant: {text:?}");
        assert!(!whole.verdict.consequence.is_named() || more.verdict.consequence.is_named(), "softens: {text:?}");
        // What nothing names has no routine word yet; one more text may be it.
        let more = covered(case, &element, ConsequenceCeiling::Routine);
        assert!(!has_text || standing.is_covered() || !more.is_covered(), "covers under a standing grant: {text:?}");
    }
}
