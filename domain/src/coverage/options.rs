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
    let labels: HashSet<String> = labels.iter().map(|label| collapsed(label)).collect();
    let mut missing_values = values.clone();
    let mut missing_labels = labels.clone();
    let mut chosen = Vec::new();
    for option in options {
        let by_value = values.contains(option.value.as_str());
        missing_values.remove(option.value.as_str());
        let shown = [collapsed(&option.label), collapsed(&option.text)];
        let by_label = shown.iter().any(|label| !label.is_empty() && labels.contains(label));
        shown.iter().filter(|label| !label.is_empty()).for_each(|label| {
            missing_labels.remove(label);
        });
        if by_value || by_label {
            chosen.push(option);
        }
    }
    let named_none = values.is_empty() && labels.is_empty();
    if named_none || !missing_values.is_empty() || !missing_labels.is_empty() || chosen.len() > SELECT_CHOOSABLE_MAX {
        return Err(Reason::Options);
    }
    Ok(chosen)
}

/// A label as HTML compares it: ASCII white space stripped and collapsed (HTML, the `option`
/// element's `text`).
fn collapsed(label: &str) -> String {
    label.split_whitespace().collect::<Vec<_>>().join(" ")
}
