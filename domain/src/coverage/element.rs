//! What a grant asks of the element itself (requirements COV-1, COV-2, COV-5, COV-6, COV-8).

use super::{Reason, options::options_chosen, text};
use crate::browser::{Action, ElementFacts, FieldKind, InvalidAction, TypeMode};
use crate::classify::bare_text;
use crate::limits::{LIVE_LABEL_CHARACTERS_MAX, SELECT_OPTIONS_MAX, TYPED_TEXT_CHARACTERS_MAX};
use crate::scope::{Place, SiteScope};

/// Roles of controls in which a key chooses something that nobody classified.
const CHOICE_ROLES: [&str; 14] = [
    "radio",
    "radiogroup",
    "checkbox",
    "switch",
    "option",
    "listbox",
    "combobox",
    "menuitemradio",
    "menuitemcheckbox",
    "slider",
    "spinbutton",
    "tree",
    "treeitem",
    "grid",
];

/// Adds every reason for which the element's state and kind do not fit the act.
pub(super) fn judge(action: &Action, element: &ElementFacts, reasons: &mut Vec<Reason>) {
    let mut refuse = |when: bool, reason| {
        if when {
            reasons.push(reason);
        }
    };
    refuse(element.disabled, Reason::Disabled);
    refuse(bare_text(&element.name).chars().all(says_nothing), Reason::Unnamed);
    refuse(is_truncated(action, element), Reason::Truncated);
    refuse(element.download, Reason::Download);
    refuse(is_never_covered(element.field_kind), Reason::FieldNotCovered);
    refuse(!fits(action, element.field_kind), Reason::KindMismatch);
    match action {
        Action::Press { key } => {
            let takes_text = takes_text(element.field_kind);
            refuse(
                is_choice(element, key) || (!takes_text && !is_never_covered(element.field_kind) && is_shortcut(key)),
                Reason::KeyNotCovered,
            );
            refuse(takes_text && text::is_refused_key(key), Reason::TextShape);
        }
        Action::Type { text: typed, mode } => {
            let characters_max = usize::try_from(TYPED_TEXT_CHARACTERS_MAX).unwrap_or(0);
            refuse(typed.chars().count() > characters_max, Reason::TextTooLong);
            refuse(text::is_refused(typed, element.field_kind == FieldKind::Multiline), Reason::TextShape);
            refuse(*mode == TypeMode::Append && text::may_complete(typed), Reason::TextShape);
        }
        Action::Select { .. } => {
            // A worker may not have been told the options; the runtime always is.
            let known = !element.options.is_empty();
            refuse(known && options_chosen(action, &element.options).is_err(), Reason::Options);
        }
        _ => refuse(element.options.len() > SELECT_OPTIONS_MAX, Reason::Options),
    }
}

/// Whether a printable key that is pressed there becomes text.
const fn takes_text(kind: FieldKind) -> bool {
    matches!(kind, FieldKind::Text | FieldKind::Search | FieldKind::Multiline | FieldKind::Editable)
}

/// Keys that pages take as commands where nothing is typed: letters and signs, which no label names,
/// and the keys that remove. A digit chooses what is numbered on the page.
fn is_shortcut(key: &str) -> bool {
    let mut characters = key.chars();
    match (characters.next(), characters.next()) {
        (Some(only), None) => only != ' ' && !only.is_ascii_digit(),
        _ => matches!(key, "Backspace" | "Delete" | "Insert"),
    }
}

/// Adds why a link or submission that the act could start may not be followed.
pub(super) fn judge_targets(action: &Action, element: &ElementFacts, scope: &SiteScope, reasons: &mut Vec<Reason>) {
    if !activates(action) {
        return;
    }
    // Any click in a form may submit it; where to is then a fact that must be there.
    if element.in_form && element.targets.is_empty() {
        reasons.push(Reason::FactsMissing);
    }
    reasons.extend(element.targets.iter().filter_map(|target| match scope.place(target) {
        Place::Inside => None,
        Place::OtherOrigin => Some(Reason::TargetOutsideOrigin),
        Place::OutsidePrefix => Some(Reason::TargetOutsidePrefix),
        Place::Sensitive => Some(Reason::TargetSensitive),
    }));
}

/// What is wrong with an act whatever it acts on.
pub(super) fn invalid(action: &Action) -> Option<Reason> {
    action.validate().err().map(|invalid| match invalid {
        InvalidAction::TextTooLong => Reason::TextTooLong,
        InvalidAction::KeyCodes => Reason::TextShape,
        InvalidAction::UnknownKey => Reason::KeyNotCovered,
        InvalidAction::BadSelection => Reason::Options,
        InvalidAction::BadDistance => Reason::KindMismatch,
    })
}

/// Acts that follow links and submit forms: clicks, a check, which is sent as a click, the two
/// activating keys, and text with a line feed, which is sent as Enter.
fn activates(action: &Action) -> bool {
    match action {
        Action::Click {} | Action::Check { .. } => true,
        Action::Press { key } => matches!(key.as_str(), "Enter" | " " | "Space"),
        Action::Type { text, .. } => text.contains('\n'),
        Action::Select { .. } | Action::Scroll { .. } => false,
    }
}

const fn is_never_covered(kind: FieldKind) -> bool {
    matches!(kind, FieldKind::Password | FieldKind::OneTimeCode | FieldKind::Payment | FieldKind::Identity | FieldKind::File)
}

/// A kind that is never covered has its own reason, so it fits here whatever the act. A click on a
/// select opens a list of the browser's own, where no guard reaches, so the runtime never does it and
/// no use is spent on it (AUT-6).
const fn fits(action: &Action, kind: FieldKind) -> bool {
    match action {
        _ if is_never_covered(kind) => true,
        Action::Type { .. } => matches!(kind, FieldKind::Text | FieldKind::Search | FieldKind::Multiline),
        Action::Select { .. } => matches!(kind, FieldKind::Select),
        Action::Check { .. } => matches!(kind, FieldKind::NativeChoice),
        Action::Click {} => !matches!(kind, FieldKind::Select),
        Action::Press { .. } | Action::Scroll { .. } => true,
    }
}

/// Whether the key may choose something there. In a text box with a list of choices the keys that
/// write and erase are typing like elsewhere; any other may take a choice.
fn is_choice(element: &ElementFacts, key: &str) -> bool {
    let by_kind = matches!(element.field_kind, FieldKind::Select | FieldKind::NativeChoice | FieldKind::BuiltChoice);
    let by_role = CHOICE_ROLES.contains(&element.role.trim().to_lowercase().as_str());
    by_kind || (by_role && !(takes_text(element.field_kind) && is_typing(key)))
}

fn is_typing(key: &str) -> bool {
    key.chars().count() == 1 || matches!(key, "Backspace" | "Delete" | "Tab" | "Escape")
}

/// Blanks, and characters that only an icon font or a lost encoding gives a shape.
fn says_nothing(c: char) -> bool {
    c.is_whitespace()
        || c.is_control()
        || matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}' | '\u{fffc}' | '\u{fffd}' | '\u{2800}')
}

fn is_truncated(action: &Action, element: &ElementFacts) -> bool {
    let too_long = |text: &str| text.chars().nth(LIVE_LABEL_CHARACTERS_MAX).is_some();
    let chosen = options_chosen(action, &element.options).unwrap_or_default();
    element.truncated
        || too_long(&element.name)
        || element.dialog_name.as_deref().is_some_and(too_long)
        || element.labels.iter().any(|(_, text)| too_long(text))
        || chosen.iter().any(|o| [&o.label, &o.value, &o.text, &o.name, &o.title, &o.group].iter().any(|text| too_long(text)))
}
