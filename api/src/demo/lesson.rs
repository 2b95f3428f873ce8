//! Reads the lesson as any agent would: from the text of the page. Each step says what to do next
//! in one line, and this module turns that line into an act on what was observed.

use super::DemoError;
use super::client::items;
use serde_json::{Value, json};

/// One act for the agent to propose.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Step {
    /// The element, unless the page itself is scrolled.
    pub(super) element: Option<String>,
    /// What to do.
    pub(super) action: Value,
}

/// What the page asks for.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Next {
    /// One more act.
    Act(Step),
    /// Nothing: the lesson is done.
    Done,
}

/// CSS pixels of one scroll: more than a screen, less than the bound of an act.
const SCROLL_PIXELS: i32 = 4_000;

/// The next act on an observation.
pub(super) fn next(observation: &Value) -> Result<Next, DemoError> {
    let lines = items(observation, "elements").filter(|entry| entry.get("ref").is_none_or(Value::is_null));
    let lines = lines.filter_map(|entry| entry.get("name")?.as_str());
    for line in lines {
        let Some((verb, rest)) = line.split_once(": ") else { continue };
        let step = match verb {
            "Done" => return Ok(Next::Done),
            "Tap" => on(observation, rest, json!({"kind": "click"})),
            "Tick" => on(observation, rest, json!({"kind": "check", "checked": true})),
            "Untick" => on(observation, rest, json!({"kind": "check", "checked": false})),
            "Pick" => on(observation, rest, json!({"kind": "check", "checked": true})),
            "Type" => field(observation, json!({"kind": "type", "text": rest})),
            "Choose" => list(observation, rest),
            "Press" => press(observation, rest),
            "Scroll" => scroll(observation, rest),
            _ => continue,
        };
        return step.map(Next::Act).ok_or_else(|| DemoError::Lost(format!("nothing on the page fits `{line}`")));
    }
    Err(DemoError::Lost("no line says what comes next".to_owned()))
}

/// The element of a name. One that shows other words than it is named by is not it: the page holds
/// a "Continue" that shows a price.
pub(super) fn named(observation: &Value, name: &str) -> Option<String> {
    let fits =
        |entry: &&Value| entry.get("name").and_then(Value::as_str) == Some(name) && entry.get("visible_text").is_none_or(Value::is_null);
    items(observation, "elements").filter(fits).find_map(reference)
}

/// The element that is labelled so, whatever it shows: a word card shows its word.
fn labelled(observation: &Value, name: &str) -> Option<String> {
    let fits = |entry: &&Value| entry.get("name").and_then(Value::as_str) == Some(name);
    items(observation, "elements").filter(fits).find_map(reference)
}

fn reference(entry: &Value) -> Option<String> {
    entry.get("ref").and_then(Value::as_str).map(str::to_owned)
}

fn on(observation: &Value, name: &str, action: Value) -> Option<Step> {
    Some(Step { element: Some(named(observation, name)?), action })
}

fn field(observation: &Value, action: Value) -> Option<Step> {
    let is_field = |entry: &&Value| matches!(entry.get("role").and_then(Value::as_str), Some("textbox" | "searchbox"));
    let element = items(observation, "elements").filter(is_field).find_map(reference)?;
    Some(Step { element: Some(element), action })
}

fn list(observation: &Value, option: &str) -> Option<Step> {
    let has_option = |entry: &&Value| items(entry, "options").any(|label| label.as_str() == Some(option));
    let element = items(observation, "elements").filter(has_option).find_map(reference)?;
    Some(Step { element: Some(element), action: json!({"kind": "select", "labels": [option]}) })
}

fn press(observation: &Value, rest: &str) -> Option<Step> {
    let (key, name) = rest.split_once(" on ")?;
    Some(Step { element: Some(labelled(observation, name)?), action: json!({"kind": "press", "key": key}) })
}

fn scroll(observation: &Value, rest: &str) -> Option<Step> {
    let action = json!({"kind": "scroll", "dx": 0, "dy": SCROLL_PIXELS});
    match rest.split_once(" on ") {
        Some((_, name)) => Some(Step { element: Some(labelled(observation, name)?), action }),
        None => Some(Step { element: None, action }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(line: &str) -> Value {
        json!({"elements": [
            {"ref": null, "role": "text", "name": line},
            {"ref": "danger", "role": "button", "name": "Continue", "visible_text": "Pay $12.99"},
            {"ref": "go", "role": "button", "name": "Continue"},
            {"ref": "answer", "role": "textbox", "name": "Your answer"},
            {"ref": "colour", "role": "combobox", "name": "Colour", "options": ["rojo", "azul"]},
        ]})
    }

    fn element(line: &str) -> Option<String> {
        match next(&page(line)) {
            Ok(Next::Act(step)) => step.element,
            _ => None,
        }
    }

    #[test]
    fn follows_the_page_and_not_a_disguise() {
        assert_eq!(element("Tap: Continue").as_deref(), Some("go"));
        assert_eq!(element("Type: el gato").as_deref(), Some("answer"));
        assert_eq!(element("Choose: azul").as_deref(), Some("colour"));
        assert_eq!(element("Press: Enter on Your answer").as_deref(), Some("answer"));
        assert_eq!(next(&page("Done: lesson")).ok(), Some(Next::Done));
        assert!(next(&page("Tap: Nowhere")).is_err() && next(&page("hello")).is_err());
    }
}
