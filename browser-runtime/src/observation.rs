//! What an agent gets to see of a page: what one can act on, in document order, and the text between.
//! Never what a field holds.

use domain::browser::FieldKind;
use serde::{Deserialize, Serialize};

/// One observation. Its references are void after the next one, and after any act that may have had
/// an effect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observation {
    /// Names this observation; random.
    pub revision: String,
    /// The page observed.
    pub page: Page,
    /// Elements and texts in document order.
    pub elements: Vec<Entry>,
    /// What was not read: `frame`, `canvas`, `embedded`, `nodes`, `depth`, `elements`, `text`,
    /// `facts`, `closed_roots`.
    pub omitted: Vec<String>,
}

/// Where a page lies. The query and the fragment stay away: they often carry secrets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Page {
    /// `https://host[:port]`, or `null` for an opaque origin.
    pub origin: String,
    /// The path.
    pub path: String,
    /// The title, the page's own words.
    pub title: String,
}

/// One element, or one stretch of readable text (then without a reference).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// By which an act names the element.
    #[serde(rename = "ref")]
    pub reference: Option<String>,
    /// From the runtime's fixed list; `text` for readable text.
    pub role: String,
    /// The accessible name, or the text.
    pub name: String,
    /// The text shown, where it differs from the name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub visible_text: Option<String>,
    /// What kind of field it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value_kind: Option<FieldKind>,
    /// Whether it is disabled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disabled: Option<bool>,
    /// Whether it is ticked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checked: Option<State>,
    /// Whether what it opens is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expanded: Option<State>,
    /// Whether it is the one selected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selected: Option<State>,
    /// Whether it is held down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pressed: Option<State>,
    /// The options of a native select, by their labels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<Vec<String>>,
}

/// A state with two or three values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum State {
    /// Yes or no.
    Settled(bool),
    /// `mixed`.
    Word(String),
}
