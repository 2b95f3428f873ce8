//! The closed set of things that an agent can ask a browser to do with an element.

use crate::limits::{ACTION_TEXT_CHARACTERS_MAX, SCROLL_PIXELS_MAX, SELECT_CHOOSABLE_MAX, VIEW_TEXT_CHARACTERS_MAX};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

/// One act. Wire form: `{"kind":"click"}` and so on; unknown kinds and fields are refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Action {
    /// Press and release the primary button at the element.
    Click {},
    /// Enter text.
    Type {
        /// What to enter.
        text: String,
        /// Replace the content (the default) or append to it.
        #[serde(default, skip_serializing_if = "TypeMode::is_replace")]
        mode: TypeMode,
    },
    /// Press one key.
    Press {
        /// A UI Events key value: `Enter`, `ArrowLeft`, `a`.
        key: String,
    },
    /// Choose options of a native select, by value or by label.
    Select {
        /// Values to choose.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        values: Vec<String>,
        /// Labels to choose, compared with white space collapsed.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        labels: Vec<String>,
    },
    /// Set a native check box or radio.
    Check {
        /// The state wanted afterwards.
        checked: bool,
    },
    /// Scroll the page, or the element's scroll area.
    Scroll {
        /// CSS pixels to the right.
        #[serde(default)]
        dx: i32,
        /// CSS pixels down.
        #[serde(default)]
        dy: i32,
    },
}

/// How typed text meets what the field holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TypeMode {
    /// The content becomes the text.
    #[default]
    Replace,
    /// The text is added at the end.
    Append,
}

impl<'de> Deserialize<'de> for TypeMode {
    /// From its name as a text and from nothing else: JSON has other ways to write a variant.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match String::deserialize(deserializer)?.as_str() {
            "replace" => Ok(Self::Replace),
            "append" => Ok(Self::Append),
            other => Err(Error::unknown_variant(other, &["replace", "append"])),
        }
    }
}

impl TypeMode {
    fn is_replace(&self) -> bool {
        matches!(self, Self::Replace)
    }
}

/// The kind of an action without its contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ActionKind {
    /// See [`Action::Click`].
    Click,
    /// See [`Action::Type`].
    Type,
    /// See [`Action::Press`].
    Press,
    /// See [`Action::Select`].
    Select,
    /// See [`Action::Check`].
    Check,
    /// See [`Action::Scroll`].
    Scroll,
}

/// Why an action cannot be taken as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvalidAction {
    /// A `type` with more text than [`ACTION_TEXT_CHARACTERS_MAX`].
    TextTooLong,
    /// A `type` with characters that stand for keys.
    KeyCodes,
    /// A `press` whose key is neither one character nor a known key value.
    UnknownKey,
    /// A `select` that names no option, too many, both values and labels, or one by so long a text
    /// that a card would not show it whole.
    BadSelection,
    /// A `scroll` further than [`SCROLL_PIXELS_MAX`], or nowhere.
    BadDistance,
}

/// Key values with a name, from the UI Events key values that a keyboard without modifiers gives.
pub const NAMED_KEYS: [&str; 16] = [
    "Enter",
    "Tab",
    "Escape",
    "Backspace",
    "Delete",
    "Home",
    "End",
    "PageUp",
    "PageDown",
    "ArrowLeft",
    "ArrowRight",
    "ArrowUp",
    "ArrowDown",
    "Insert",
    " ",
    "Space",
];

impl Action {
    /// The kind alone.
    #[must_use]
    pub const fn kind(&self) -> ActionKind {
        match self {
            Self::Click {} => ActionKind::Click,
            Self::Type { .. } => ActionKind::Type,
            Self::Press { .. } => ActionKind::Press,
            Self::Select { .. } => ActionKind::Select,
            Self::Check { .. } => ActionKind::Check,
            Self::Scroll { .. } => ActionKind::Scroll,
        }
    }

    /// Unicode scalar values that the act would type. A key that prints counts as one, so that text
    /// which comes key by key is counted like any other.
    #[must_use]
    pub fn typed_characters(&self) -> u32 {
        match self {
            Self::Type { text, .. } => u32::try_from(text.chars().count()).unwrap_or(u32::MAX),
            Self::Press { key } if key.chars().count() == 1 => 1,
            _ => 0,
        }
    }

    /// Whether the act can be sent without an element: only a scroll of the page can.
    #[must_use]
    pub const fn stands_alone(&self) -> bool {
        matches!(self, Self::Scroll { .. })
    }

    /// Checks the contents against the bounds of [`crate::limits`].
    ///
    /// # Errors
    /// Says which bound the action breaks.
    pub fn validate(&self) -> Result<(), InvalidAction> {
        match self {
            Self::Type { text, .. } if text.chars().count() > ACTION_TEXT_CHARACTERS_MAX => Err(InvalidAction::TextTooLong),
            Self::Type { text, .. } if text.chars().any(is_key_code) => Err(InvalidAction::KeyCodes),
            Self::Press { key } if !is_key(key) => Err(InvalidAction::UnknownKey),
            Self::Select { values, labels } => {
                let chosen = values.len() + labels.len();
                let mixed = !values.is_empty() && !labels.is_empty();
                let too_long = |name: &String| name.chars().nth(VIEW_TEXT_CHARACTERS_MAX).is_some();
                if values.iter().chain(labels).any(too_long) {
                    return Err(InvalidAction::BadSelection);
                }
                if chosen == 0 || chosen > SELECT_CHOOSABLE_MAX || mixed { Err(InvalidAction::BadSelection) } else { Ok(()) }
            }
            Self::Scroll { dx, dy } => {
                let within = |d: i32| (-SCROLL_PIXELS_MAX..=SCROLL_PIXELS_MAX).contains(&d);
                if !within(*dx) || !within(*dy) || (*dx == 0 && *dy == 0) { Err(InvalidAction::BadDistance) } else { Ok(()) }
            }
            _ => Ok(()),
        }
    }
}

fn is_key(key: &str) -> bool {
    let mut characters = key.chars();
    let single = matches!((characters.next(), characters.next()), (Some(c), None) if !c.is_control() && !is_key_code(c));
    single || NAMED_KEYS.contains(&key)
}

/// Characters that WebDriver presses as keys (section 17.4.2 of its standard): a text with one would
/// do something else than type it.
const fn is_key_code(c: char) -> bool {
    matches!(c, '\u{e000}'..='\u{e05d}')
}
