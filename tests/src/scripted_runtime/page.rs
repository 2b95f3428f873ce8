//! The page that a scripted runtime shows.

use domain::browser::{ElementFacts, FieldKind, Labels};
use serde_json::{Map, Value, json};

/// One page.
#[derive(Clone, Debug)]
pub struct Page {
    /// `https://host`.
    pub origin: String,
    /// The path, without query and fragment.
    pub path: String,
    /// The title.
    pub title: String,
    /// Its elements, in document order.
    pub elements: Vec<Element>,
}

/// One element, with the facts that stand beside the observation.
#[derive(Clone, Debug)]
pub struct Element {
    /// The opaque reference.
    pub reference: String,
    /// The role.
    pub role: String,
    /// The accessible name.
    pub name: String,
    /// The facts as JSON; none for an element that cannot be described.
    pub facts: Option<Value>,
}

impl Default for Page {
    fn default() -> Self {
        Self {
            origin: "https://www.example.com".to_owned(),
            path: "/lesson/1".to_owned(),
            title: "Lesson".to_owned(),
            elements: Vec::new(),
        }
    }
}

impl Page {
    /// A page of the example site at `path`.
    #[must_use]
    pub fn at(path: &str) -> Self {
        Self { path: path.to_owned(), ..Self::default() }
    }

    /// With one more element.
    #[must_use]
    pub fn with(mut self, element: Element) -> Self {
        self.elements.push(element);
        self
    }

    /// A lesson page: `go` is a button "Continue", `answer` a text field, `pay` a button that names
    /// a payment, `secret` a password field, `bare` an element without facts.
    #[must_use]
    pub fn lesson() -> Self {
        let password = ElementFacts { field_kind: FieldKind::Password, ..Element::facts("textbox", "Password") };
        Self::default()
            .with(Element::button("go", "Continue"))
            .with(Element::field("answer", "Your answer"))
            .with(Element::button("pay", "Pay $12.99"))
            .with(Element::of("secret", &password))
            .with(Element { facts: None, ..Element::button("bare", "Bare") })
    }

    pub(super) fn observation(&self, revision: &str) -> Value {
        let element = |e: &Element| json!({"ref": e.reference, "role": e.role, "name": e.name, "visible_text": e.name, "disabled": false});
        json!({
            "revision": revision,
            "page": self.place(),
            "elements": self.elements.iter().map(element).collect::<Vec<_>>(),
            "omitted": [],
        })
    }

    pub(super) fn place(&self) -> Value {
        json!({"origin": self.origin, "path": self.path, "title": self.title})
    }

    pub(super) fn facts(&self) -> Value {
        let facts = self.elements.iter().filter_map(|e| Some((e.reference.clone(), e.facts.clone()?)));
        Value::Object(facts.collect::<Map<_, _>>())
    }
}

impl Element {
    /// An element with the facts given.
    #[must_use]
    pub fn of(reference: &str, facts: &ElementFacts) -> Self {
        Self { reference: reference.to_owned(), role: facts.role.clone(), name: facts.name.clone(), facts: Some(json!(facts)) }
    }

    /// A button with a name that is also its text.
    #[must_use]
    pub fn button(reference: &str, name: &str) -> Self {
        Self::of(reference, &Self::facts("button", name))
    }

    /// A one-line text field with a label.
    #[must_use]
    pub fn field(reference: &str, label: &str) -> Self {
        let labels = Labels { label: vec![label.to_owned()], ..Labels::default() };
        let facts = ElementFacts { field_kind: FieldKind::Text, labels, ..Self::facts("textbox", label) };
        Self::of(reference, &facts)
    }

    fn facts(role: &str, name: &str) -> ElementFacts {
        let labels = Labels { visible_text: vec![name.to_owned()], ..Labels::default() };
        ElementFacts { role: role.to_owned(), name: name.to_owned(), labels, ..ElementFacts::default() }
    }
}
