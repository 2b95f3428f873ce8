//! The facts about one element, free of secrets: what it is called by every source, what kind of
//! field it is, and where it leads. A field's content is never among them (requirement RUN-5).

use serde::{Deserialize, Serialize};

/// Everything that the classifier and the coverage rules may know about an element.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ElementFacts {
    /// The computed ARIA role, from the runtime's fixed list; empty when unknown.
    pub role: String,
    /// The accessible name.
    pub name: String,
    /// Each label source apart.
    pub labels: Labels,
    /// The accessible name of the nearest enclosing dialog.
    pub dialog_name: Option<String>,
    /// What kind of field it is, if one.
    pub field_kind: FieldKind,
    /// The options of a select.
    pub options: Vec<ChoiceOption>,
    /// Absolute URLs of every link and submission that activating it could start. A target that
    /// cannot be read is given as `about:unreadable`, which no rule admits.
    pub targets: Vec<String>,
    /// It has a form owner, so that a click on it may submit.
    pub in_form: bool,
    /// A link that downloads.
    pub download: bool,
    /// Disabled, natively or through ARIA, by itself or an ancestor.
    pub disabled: bool,
    /// Some label source was cut, or could not be read whole.
    pub truncated: bool,
}

/// The label sources of an element. Each is classified alone (requirement CLS-1).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Labels {
    /// `aria-label`.
    pub aria_label: Vec<String>,
    /// Texts of the `aria-labelledby` targets.
    pub labelledby: Vec<String>,
    /// Associated `<label>` elements, and the labels of other controls that a click would change.
    pub label: Vec<String>,
    /// `title`, and the ARIA description family.
    pub title: Vec<String>,
    /// `placeholder`, `aria-placeholder`.
    pub placeholder: Vec<String>,
    /// `alt` of the element and of images inside it.
    pub alt: Vec<String>,
    /// The value of a button-like input, `aria-valuetext`.
    pub value: Vec<String>,
    /// Text as rendered over the flat tree.
    pub visible_text: Vec<String>,
}

/// Where a text that was classified came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// The accessible name.
    Name,
    /// `aria-label`.
    AriaLabel,
    /// An `aria-labelledby` target.
    Labelledby,
    /// An associated label.
    Label,
    /// `title`.
    Title,
    /// `placeholder`.
    Placeholder,
    /// `alt`.
    Alt,
    /// A button's value.
    Value,
    /// The rendered text.
    VisibleText,
    /// The enclosing dialog's name.
    DialogName,
    /// An option of a select.
    Option,
    /// A path segment of a link or submission.
    Target,
    /// A path segment of the page.
    PagePath,
    /// The field kind itself.
    FieldKind,
}

impl Labels {
    /// Every text with its source, in a fixed order.
    pub fn iter(&self) -> impl Iterator<Item = (Source, &str)> {
        self.groups().into_iter().flat_map(|(source, texts)| texts.iter().map(move |text| (source, text.as_str())))
    }

    /// Every source that has more than one text, with its texts run together and with them side by
    /// side: a page can show one word in several pieces.
    pub fn assembled(&self) -> impl Iterator<Item = (Source, String)> {
        let pieces = self.groups().into_iter().filter(|(_, texts)| texts.len() > 1);
        pieces.flat_map(|(source, texts)| [(source, texts.concat()), (source, texts.join(" "))])
    }

    fn groups(&self) -> [(Source, &Vec<String>); 8] {
        [
            (Source::AriaLabel, &self.aria_label),
            (Source::Labelledby, &self.labelledby),
            (Source::Label, &self.label),
            (Source::Title, &self.title),
            (Source::Placeholder, &self.placeholder),
            (Source::Alt, &self.alt),
            (Source::Value, &self.value),
            (Source::VisibleText, &self.visible_text),
        ]
    }
}

/// One option of a select, with every text that names it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ChoiceOption {
    /// The `label` attribute.
    pub label: String,
    /// The `value` that would be sent.
    pub value: String,
    /// The text inside.
    pub text: String,
    /// The accessible name.
    pub name: String,
    /// `title`.
    pub title: String,
    /// The label of its group.
    pub group: String,
}

/// What kind of field an element is. The kinds follow what an act on it does: each that behaves
/// differently under an act is a kind of its own (requirement RUN-6).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FieldKind {
    /// Not a field.
    #[default]
    None,
    /// A one-line text input.
    Text,
    /// A search input.
    Search,
    /// A `<textarea>`.
    Multiline,
    /// A password or other credential.
    Password,
    /// A one-time code.
    OneTimeCode,
    /// A card number or other payment detail.
    Payment,
    /// A name, address, e-mail, phone or other detail of identity.
    Identity,
    /// A file input.
    File,
    /// A native `<select>`.
    Select,
    /// A native check box or radio.
    NativeChoice,
    /// A choice control that the page built from other elements.
    BuiltChoice,
    /// A region that the page made editable.
    Editable,
}
