//! JSON bodies into the core's types: what is read is written back the same, and is within its bounds.

use domain::browser::{Action, ConsequenceCeiling, Constraint, ElementFacts, GrantKind};
use domain::limits::{ACTION_TEXT_CHARACTERS_MAX, SCROLL_PIXELS_MAX, SELECT_CHOOSABLE_MAX, TYPED_TEXT_CHARACTERS_MAX};
use domain::time::Timestamp;
use domain::view::{ApprovalView, Page};
use serde::{Deserialize, Serialize};

/// The bounds of a granted act as they travel.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Bounds {
    grant_kind: GrantKind,
    origins: Vec<String>,
    path_prefix: String,
    not_after: i64,
    consequence_ceiling: ConsequenceCeiling,
    text_cap: u32,
}

/// An act as an agent asks for it, with the facts beside it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Act {
    action: Action,
    element: Option<ElementFacts>,
}

/// Checks one input: each type reads it or refuses it.
pub(crate) fn check(bytes: &[u8]) {
    if let Some(action) = read_twice::<Action>(bytes) {
        is_within_bounds(&action);
    }
    read_twice::<ElementFacts>(bytes);
    read_twice::<ApprovalView>(bytes);
    if let Ok(act) = serde_json::from_slice::<Act>(bytes) {
        is_within_bounds(&act.action);
        let page = Page { url: "https://www.example.com/lesson", title: "" };
        let view = ApprovalView::describe(&act.action, Some(page), act.element.as_ref());
        assert!(view.described == (act.element.is_some() || act.action.stands_alone()), "described without an element");
    }
    if let Ok(bounds) = serde_json::from_slice::<Bounds>(bytes) {
        is_constraint(&bounds);
    }
}

fn read_twice<T: for<'de> Deserialize<'de> + Serialize + PartialEq + std::fmt::Debug>(bytes: &[u8]) -> Option<T> {
    let value: T = serde_json::from_slice(bytes).ok()?;
    let written = serde_json::to_vec(&value).expect("what is read can be written");
    assert_eq!(serde_json::from_slice::<T>(&written).ok().as_ref(), Some(&value), "read, written, and read again");
    Some(value)
}

fn is_within_bounds(action: &Action) {
    if action.validate().is_err() {
        return;
    }
    match action {
        Action::Type { text, .. } => assert!(text.chars().count() <= ACTION_TEXT_CHARACTERS_MAX, "a long text"),
        Action::Press { key } => assert!(key.chars().count() <= 16 && !key.chars().any(char::is_control), "no key"),
        Action::Select { values, labels } => assert!((1..=SELECT_CHOOSABLE_MAX).contains(&(values.len() + labels.len())), "no selection"),
        Action::Scroll { dx, dy } => assert!(dx.abs() <= SCROLL_PIXELS_MAX && dy.abs() <= SCROLL_PIXELS_MAX, "far"),
        Action::Click {} | Action::Check { .. } => {}
    }
}

fn is_constraint(bounds: &Bounds) {
    let not_after = Timestamp::from_micros(bounds.not_after);
    let made =
        Constraint::new(bounds.grant_kind, &bounds.origins, &bounds.path_prefix, not_after, bounds.consequence_ceiling, bounds.text_cap);
    let Ok(made) = made else { return };
    assert_eq!(bounds.origins, [made.scope().origin()], "one origin");
    assert_eq!(bounds.path_prefix, made.scope().path_prefix(), "one prefix");
    assert_eq!(bounds.consequence_ceiling, made.kind().ceiling(), "the ceiling of its kind");
    assert_eq!(bounds.text_cap, TYPED_TEXT_CHARACTERS_MAX, "the cap of its kind");
    assert!(
        made.is_over(not_after) && (bounds.not_after == i64::MIN || !made.is_over(Timestamp::from_micros(bounds.not_after - 1))),
        "its end"
    );
}
