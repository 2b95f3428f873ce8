//! What an owner is shown before saying yes, and what the log keeps of an act nobody reviewed
//! (group I). Words of the website stay apart from words of the server.

use crate::browser::{Action, ElementFacts, FieldKind, TypeMode};
use crate::limits::VIEW_TEXT_CHARACTERS_MAX;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use url::Url;

/// The description of one act. Every field but `action_summary`, `action`, `origin`, `path` and
/// `key` holds words of the website or of the agent and is shown quoted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ApprovalView {
    /// Server words and trusted values only: "Click a button on www.example.com/lesson".
    pub action_summary: String,
    /// The action kind.
    pub action: String,
    /// From our fixed list of roles; empty for any other, which a page may have made up (VIE-1).
    pub role: String,
    /// The element's accessible name, as the website gives it.
    pub name: String,
    /// Its visible text, when that differs from the name.
    pub visible_text: String,
    /// The enclosing dialog's name.
    pub dialog_name: String,
    /// The page's origin.
    pub origin: String,
    /// The page's path, without query and fragment.
    pub path: String,
    /// The page's title.
    pub title: String,
    /// The key of a press.
    pub key: String,
    /// The distance of a scroll in CSS pixels, right and down.
    pub scroll: Option<(i32, i32)>,
    /// The options of a selection.
    pub options: Vec<String>,
    /// The state that a check sets.
    pub checked: Option<bool>,
    /// The text that would be typed; `[REDACTED]` where it may be a secret.
    pub typed_text: String,
    /// The typed text was longer than what `typed_text` shows.
    pub typed_text_cut: bool,
    /// SHA-256 of the whole text in hex, when it was cut.
    pub typed_text_digest: String,
    /// False when the element could not be described; then there is no offer (OFF-7).
    pub described: bool,
}

/// What stands for a text that may be a secret (VIE-4).
pub const REDACTED: &str = "[REDACTED]";

/// The page as the observation told it.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    /// The full URL; only its origin and path are ever shown.
    pub url: &'a str,
    /// The title.
    pub title: &'a str,
}

impl ApprovalView {
    /// Describes an act. `element` is `None` when it can no longer be described, or when the act
    /// needs none.
    #[must_use]
    pub fn describe(action: &Action, page: Option<Page<'_>>, element: Option<&ElementFacts>) -> Self {
        let mut view = Self { action: action_name(action).to_owned(), ..Self::default() };
        view.described = page.is_some() && (element.is_some() || action.stands_alone());
        if let Some(page) = page {
            view.show_page(&page);
        }
        if let Some(element) = element {
            view.show_element(element);
        }
        view.show_contents(action, element);
        view.action_summary = summary(action, &view, element.is_some());
        view
    }

    fn show_page(&mut self, page: &Page<'_>) {
        if let Ok(url) = Url::parse(page.url) {
            self.origin = url.origin().ascii_serialization();
            self.path = shown(url.path());
        }
        self.title = shown(page.title);
    }

    fn show_element(&mut self, element: &ElementFacts) {
        if ROLES.iter().any(|(role, _)| *role == element.role) {
            self.role.clone_from(&element.role);
        }
        self.name = shown(&element.name);
        let visible = element.labels.visible_text.join(" ");
        if visible != element.name {
            self.visible_text = shown(&visible);
        }
        self.dialog_name = shown(element.dialog_name.as_deref().unwrap_or_default());
    }

    fn show_contents(&mut self, action: &Action, element: Option<&ElementFacts>) {
        let secret_field =
            element.is_none_or(|e| matches!(e.field_kind, FieldKind::Password | FieldKind::OneTimeCode | FieldKind::Payment));
        match action {
            Action::Type { text, .. } => {
                if secret_field || crate::coverage::looks_like_credential(text) {
                    self.typed_text = REDACTED.to_owned();
                } else {
                    (self.typed_text, self.typed_text_cut) = cut(text);
                    if self.typed_text_cut {
                        self.typed_text_digest = hex_digest(text);
                    }
                }
            }
            // A key that prints is typed text of one character: a secret shown key by key is shown.
            Action::Press { key } => {
                self.key = if secret_field && action.typed_characters() > 0 { REDACTED.to_owned() } else { key.clone() }
            }
            Action::Select { values, labels } => {
                self.options = values.iter().chain(labels).map(|option| shown(option)).collect();
            }
            Action::Check { checked } => self.checked = Some(*checked),
            Action::Scroll { dx, dy } => self.scroll = Some((*dx, *dy)),
            Action::Click {} => {}
        }
    }
}

fn action_name(action: &Action) -> &'static str {
    match action {
        Action::Click {} => "click",
        Action::Type { .. } => "type",
        Action::Press { .. } => "press",
        Action::Select { .. } => "select",
        Action::Check { .. } => "check",
        Action::Scroll { .. } => "scroll",
    }
}

/// Roles that a summary may name; any other is "an element". The list is ours, so that a page's
/// role description can never speak in the server's voice.
const ROLES: [(&str, &str); 22] = [
    ("button", "a button"),
    ("link", "a link"),
    ("textbox", "a text field"),
    ("searchbox", "a search field"),
    ("checkbox", "a check box"),
    ("radio", "a radio button"),
    ("combobox", "a selection list"),
    ("listbox", "a selection list"),
    ("option", "an option"),
    ("switch", "a switch"),
    ("tab", "a tab"),
    ("menuitem", "a menu entry"),
    ("menuitemcheckbox", "a menu entry"),
    ("menuitemradio", "a menu entry"),
    ("slider", "a slider"),
    ("spinbutton", "a number field"),
    ("treeitem", "a tree entry"),
    ("gridcell", "a cell"),
    ("img", "a picture"),
    ("heading", "a heading"),
    ("listitem", "a list entry"),
    ("generic", "an element"),
];

fn summary(action: &Action, view: &ApprovalView, on_element: bool) -> String {
    let place = match view.origin.strip_prefix("https://") {
        Some(host) => format!(" on {host}{}", view.path),
        None => String::new(),
    };
    let role = ROLES.iter().find(|(role, _)| *role == view.role).map_or("an element", |(_, words)| words);
    let act = match action {
        Action::Click {} => format!("Click {role}"),
        Action::Type { mode: TypeMode::Replace, .. } => format!("Type into {role}"),
        Action::Type { mode: TypeMode::Append, .. } => format!("Type at the end of {role}"),
        Action::Press { .. } => format!("Press a key on {role}"),
        Action::Select { .. } => format!("Choose in {role}"),
        Action::Check { checked: true } => format!("Tick {role}"),
        Action::Check { checked: false } => format!("Clear {role}"),
        Action::Scroll { .. } if on_element => format!("Scroll inside {role}"),
        Action::Scroll { .. } => "Scroll the page".to_owned(),
    };
    if view.described { format!("{act}{place}") } else { format!("{act}{place}. Hallpass cannot describe this element any more") }
}

fn hex_digest(text: &str) -> String {
    use std::fmt::Write as _;
    let digest: [u8; 32] = Sha256::digest(text.as_bytes()).into();
    digest.iter().fold(String::with_capacity(64), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// A text as far as it is shown; one that goes on says so.
fn shown(text: &str) -> String {
    let (mut shown, goes_on) = cut(text);
    if goes_on {
        shown.push('…');
    }
    shown
}

fn cut(text: &str) -> (String, bool) {
    match text.char_indices().nth(VIEW_TEXT_CHARACTERS_MAX) {
        Some((end, _)) => (text.get(..end).unwrap_or_default().to_owned(), true),
        None => (text.to_owned(), false),
    }
}
