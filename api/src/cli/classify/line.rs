//! One line of the input, as it may be written. What is misspelt or said twice is refused: it would
//! otherwise be left out of the verdict unseen.

use domain::browser::{Action, ElementFacts, Labels};
use serde::de::{DeserializeSeed, Error, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value, json};
use std::fmt;

/// The fields of a line.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Line {
    #[serde(default)]
    pub(super) id: Value,
    #[serde(default)]
    label: Option<String>,
    #[serde(default)]
    action: Option<WrittenAction>,
    #[serde(default)]
    pub(super) page_url: Option<String>,
    #[serde(default)]
    pub(super) scope: Option<String>,
    #[serde(default)]
    element: Option<ElementFacts>,
}

impl Line {
    /// What is asked about: the act and its element, which only a scroll of the page has not.
    pub(super) fn subject(self) -> Result<(Action, Option<ElementFacts>), String> {
        match (self.label, self.action, self.element) {
            (Some(label), None, None) => {
                let labels = Labels { visible_text: vec![label.clone()], ..Labels::default() };
                let element = ElementFacts { role: "button".to_owned(), name: label, labels, ..ElementFacts::default() };
                Ok((Action::Click {}, Some(element)))
            }
            (None, Some(action), element) => {
                let action = action.filled(element.as_ref())?;
                if element.is_none() && !action.stands_alone() {
                    return Err("`element` is missing".to_owned());
                }
                Ok((action, element))
            }
            (None, None, Some(_)) => Err("`action` is missing".to_owned()),
            _ => Err("give `label` alone, or `action` and `element`".to_owned()),
        }
    }
}

/// The action's fields, each said once.
struct WrittenAction(Map<String, Value>);

impl WrittenAction {
    /// `{"kind":"type"}` without its text is a question about the kind: the contents are then what
    /// changes no verdict, and a selection is one that could choose any option.
    fn filled(mut self, element: Option<&ElementFacts>) -> Result<Action, String> {
        let kind = self.0.get("kind").and_then(Value::as_str).unwrap_or_default().to_owned();
        if self.0.len() == 1 {
            let options = element.map(|element| element.options.as_slice()).unwrap_or_default();
            let values: Vec<&str> =
                if options.is_empty() { vec![""] } else { options.iter().map(|option| option.value.as_str()).collect() };
            let contents = match kind.as_str() {
                "type" => Some(("text", json!(""))),
                "press" => Some(("key", json!("Tab"))),
                "check" => Some(("checked", json!(true))),
                "scroll" => Some(("dy", json!(1))),
                "select" => Some(("values", json!(values))),
                _ => None,
            };
            self.0.extend(contents.map(|(name, value)| (name.to_owned(), value)));
        }
        serde_json::from_value(Value::Object(self.0)).map_err(|error| format!("`action`: {error}"))
    }
}

impl<'de> Deserialize<'de> for WrittenAction {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(OnceEach)
    }
}

struct OnceEach;

impl<'de> Visitor<'de> for OnceEach {
    type Value = WrittenAction;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an action, such as {\"kind\":\"click\"}")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<WrittenAction, A::Error> {
        let mut written = Map::new();
        while let Some((name, value)) = fields.next_entry::<String, Value>()? {
            if written.contains_key(&name) {
                return Err(A::Error::custom(format!("duplicate field `{name}`")));
            }
            written.insert(name, value);
        }
        Ok(WrittenAction(written))
    }
}

/// The id of a line that is malformed somewhere behind it, as far as it can be read; else null.
pub(super) fn id_of(line: &[u8]) -> Value {
    let mut id = Value::Null;
    // How the rest is malformed was said already.
    let _ = IdSeeker(&mut id).deserialize(&mut serde_json::Deserializer::from_slice(line));
    id
}

struct IdSeeker<'a>(&'a mut Value);

impl<'de> DeserializeSeed<'de> for IdSeeker<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for IdSeeker<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        while let Some(name) = fields.next_key::<String>()? {
            if name == "id" {
                *self.0 = fields.next_value()?;
            } else {
                fields.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}
