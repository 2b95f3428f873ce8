//! The shapes of typed text by table, and what being strict costs.

use crate::rows::{report, rows};
use domain::browser::{Action, ConsequenceCeiling, ElementFacts, FieldKind};
use domain::coverage::{Question, Reason, cover};
use domain::scope::{HostRule, SiteScope};

const REFUSED: &str = include_str!("../../../tests/data/coverage/typed_refused.txt");
const ALLOWED: &str = include_str!("../../../tests/data/coverage/typed_allowed.txt");
/// A table with fewer answers would measure nothing.
const ANSWERS_MIN: usize = 200;

fn reasons(text: &str) -> Vec<Reason> {
    let scope = SiteScope::parse("https://www.example.com/lesson", HostRule::Public).expect("a scope");
    let action = Action::Type { text: text.to_owned(), mode: Default::default() };
    let element = ElementFacts { name: "hund".to_owned(), field_kind: FieldKind::Multiline, ..ElementFacts::default() };
    let ceiling = ConsequenceCeiling::Unknown;
    cover(&Question { action: &action, page_url: "https://www.example.com/lesson/3", scope: &scope, element: Some(&element), ceiling })
        .reasons
}

/// COV-3: each shape is refused and its nearest neighbour is typed.
#[test]
fn shapes_are_refused_and_their_neighbours_typed() {
    let mut failures = Vec::new();
    for row in rows("typed_refused.txt", REFUSED) {
        for (text, expected) in [(row.field(1), vec![Reason::TextShape]), (row.field(2), Vec::new())] {
            let found = reasons(text);
            if found != expected {
                failures.push(format!("{} {}: {text:?} gives {found:?}", row.at, row.field(0)));
            }
        }
    }
    report(failures);
}

/// COV-3: what learners answer is typed without asking.
#[test]
fn lesson_answers_are_typed() {
    let answers = rows("typed_allowed.txt", ALLOWED);
    let refused: Vec<String> =
        answers.iter().filter(|row| !reasons(row.field(0)).is_empty()).map(|row| format!("{} {:?}", row.at, row.field(0))).collect();
    assert!(answers.len() >= ANSWERS_MIN, "only {} answers", answers.len());
    assert!(refused.is_empty(), "{} of {} answers are refused\n{}", refused.len(), answers.len(), refused.join("\n"));
}
