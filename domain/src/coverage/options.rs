//! Which options of a select a selection could choose (requirement CLS-4).

use super::Reason;
use crate::browser::{Action, ChoiceOption};
use crate::limits::{SELECT_CHOOSABLE_MAX, SELECT_OPTIONS_MAX};
use std::collections::HashSet;

/// The options that a selection could choose: by value, or by label with white space collapsed,
/// wherever they lie. Empty for every other act.
///
/// # Errors
/// [`Reason::Options`] when the list has more than 4,096 options, the selection could choose more
/// than 64, or it names one that does not exist.
pub fn options_chosen<'a>(action: &Action, options: &'a [ChoiceOption]) -> Result<Vec<&'a ChoiceOption>, Reason> {
    let Action::Select { values, labels } = action else { return Ok(Vec::new()) };
    if options.len() > SELECT_OPTIONS_MAX {
        return Err(Reason::Options);
    }
    let values: HashSet<&str> = values.iter().map(String::as_str).collect();
    let alike: HashSet<String> = labels.iter().map(|label| alike(label)).collect();
    let mut missing_values = values.clone();
    let mut missing_labels: HashSet<String> = labels.iter().map(|label| collapsed(label)).collect();
    let mut chosen = Vec::new();
    for option in options {
        missing_values.remove(option.value.as_str());
        missing_labels.remove(&collapsed(shown(option)));
        let by_label = alike.contains(&self::alike(&option.label)) || alike.contains(&self::alike(&option.text));
        if by_label || values.contains(option.value.as_str()) {
            chosen.push(option);
        }
    }
    let named_none = values.is_empty() && labels.is_empty();
    if named_none || !missing_values.is_empty() || !missing_labels.is_empty() || chosen.len() > SELECT_CHOOSABLE_MAX {
        return Err(Reason::Options);
    }
    Ok(chosen)
}

/// What the browser takes for an option's label: its text when the attribute is empty (HTML, the
/// `option` element's `label`).
fn shown(option: &ChoiceOption) -> &str {
    if option.label.is_empty() { &option.text } else { &option.label }
}

/// A label as HTML compares it: ASCII white space stripped and collapsed (HTML, the `option`
/// element's `text`). A selection names an option only when this agrees.
fn collapsed(label: &str) -> String {
    label.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}

/// A label as the most forgiving reader compares it: every blank of Unicode or of a script collapsed.
/// Whatever could be chosen by it is judged.
fn alike(label: &str) -> String {
    label.split(|c: char| c.is_whitespace() || c == '\u{feff}').filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}
