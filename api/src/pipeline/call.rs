//! A proposed tool call, read strictly: what is not understood is not run.

use domain::browser::{Action, InvalidAction};
use domain::limits::URL_BYTES_MAX;
use serde::Deserialize;
use serde_json::Value;
use thiserror::Error;

/// How deep `tool.call` may wrap another call. One level is what agents send.
const WRAPPING_MAX: usize = 4;
/// Bytes of a tool's name.
const TOOL_NAME_BYTES_MAX: usize = 128;

/// A call, unwrapped (AUT-8) and typed.
#[derive(Clone, Debug, PartialEq)]
pub enum Call {
    /// `browser.navigate`
    Navigate(Navigate),
    /// `browser.observe`
    Observe,
    /// `browser.act`
    Act(ActCall),
    /// Any other tool: recorded, never run here.
    Other(String),
}

/// The arguments of `browser.navigate`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Navigate {
    /// An absolute URL.
    pub url: String,
}

/// The arguments of `browser.act`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ActCall {
    /// The observation that named the element.
    pub revision: String,
    /// The element.
    #[serde(default)]
    pub element_ref: Option<String>,
    /// What to do.
    pub action: Action,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wrapped {
    tool: String,
    arguments: Value,
}

/// Why a call cannot be taken.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CallError {
    /// The arguments are not those of the tool.
    #[error("the arguments of `{tool}` are malformed: {problem}")]
    Arguments {
        /// The tool.
        tool: String,
        /// What is wrong with them.
        problem: String,
    },
    /// The act breaks a bound.
    #[error("{0}")]
    Act(&'static str),
    /// `tool.call` wraps too deep.
    #[error("`tool.call` may wrap one call, not a tower of them")]
    WrappedTooDeep,
    /// The tool's name is empty or too long.
    #[error("`tool` must be 1 to 128 printable characters")]
    ToolName,
}

impl Call {
    /// Reads a call.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn parse(tool: &str, arguments: Value) -> Result<Self, CallError> {
        let (tool, arguments) = unwrap(tool.to_owned(), arguments)?;
        match tool.as_str() {
            "browser.navigate" => {
                let navigate: Navigate = read(&tool, arguments)?;
                if navigate.url.len() > URL_BYTES_MAX {
                    return Err(CallError::Act("`url` is longer than 8,192 bytes"));
                }
                Ok(Self::Navigate(navigate))
            }
            "browser.observe" => read::<Nothing>(&tool, arguments).map(|_| Self::Observe),
            "browser.act" => {
                let act: ActCall = read(&tool, arguments)?;
                act.action.validate().map_err(|error| CallError::Act(explain(error)))?;
                if act.element_ref.is_none() && !act.action.stands_alone() {
                    return Err(CallError::Act("`element_ref` is missing; only a scroll can do without"));
                }
                Ok(Self::Act(act))
            }
            _ => Ok(Self::Other(tool)),
        }
    }

    /// The tool's name, unwrapped.
    #[must_use]
    pub fn tool(&self) -> &str {
        match self {
            Self::Navigate(_) => "browser.navigate",
            Self::Observe => "browser.observe",
            Self::Act(_) => "browser.act",
            Self::Other(tool) => tool,
        }
    }
}

fn unwrap(mut tool: String, mut arguments: Value) -> Result<(String, Value), CallError> {
    for _ in 0..WRAPPING_MAX {
        if tool.is_empty() || tool.len() > TOOL_NAME_BYTES_MAX || tool.chars().any(|c| c.is_control()) {
            return Err(CallError::ToolName);
        }
        if tool != "tool.call" {
            return Ok((tool, arguments));
        }
        let wrapped: Wrapped = read(&tool, arguments)?;
        (tool, arguments) = (wrapped.tool, wrapped.arguments);
    }
    Err(CallError::WrappedTooDeep)
}

/// Reads fields by their names only: values in a fixed order are not taken for them.
fn read<T: for<'de> Deserialize<'de>>(tool: &str, arguments: Value) -> Result<T, CallError> {
    let refuse = |problem: String| CallError::Arguments { tool: tool.to_owned(), problem };
    if !arguments.is_object() || arguments.get("action").is_some_and(|action| !action.is_object()) {
        return Err(refuse("an object with the named fields is wanted".to_owned()));
    }
    serde_json::from_value(arguments).map_err(|error| refuse(error.to_string()))
}

const fn explain(error: InvalidAction) -> &'static str {
    match error {
        InvalidAction::TextTooLong => "`text` is longer than 16,384 characters",
        InvalidAction::KeyCodes => "`text` holds private-use characters that stand for keys; use `press`",
        InvalidAction::UnknownKey => "`key` must be one character or a key value such as `Enter` or `ArrowLeft`",
        InvalidAction::BadSelection => "`select` names 1 to 64 options of at most 512 characters, either by `values` or by `labels`",
        InvalidAction::BadDistance => "`scroll` goes somewhere, at most 10,000 pixels each way",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// AUT-8: a deferred call is judged as what it wraps.
    #[test]
    fn unwraps_deferred_calls() {
        let wrapped = json!({"tool": "browser.navigate", "arguments": {"url": "https://www.example.com/"}});
        assert_eq!(Call::parse("tool.call", wrapped.clone()).unwrap().tool(), "browser.navigate");
        let mut tower = wrapped;
        for _ in 0..5 {
            tower = json!({"tool": "tool.call", "arguments": tower});
        }
        assert_eq!(Call::parse("tool.call", tower), Err(CallError::WrappedTooDeep));
    }

    #[test]
    fn refuses_what_it_does_not_understand() {
        let act = |arguments| Call::parse("browser.act", arguments);
        assert!(act(json!({"revision": "r", "element_ref": "e", "action": {"kind": "click"}})).is_ok());
        assert!(act(json!({"revision": "r", "element_ref": "e", "action": {"kind": "click", "force": true}})).is_err());
        assert!(act(json!({"revision": "r", "element_ref": "e", "action": {"kind": "hover"}})).is_err());
        assert!(act(json!({"revision": "r", "action": {"kind": "click"}})).is_err());
        assert!(act(json!({"revision": "r", "action": {"kind": "scroll", "dy": 400}})).is_ok());
        assert!(act(json!({"revision": "r", "action": {"kind": "scroll", "dy": 400}, "selector": "#x"})).is_err());
        assert!(Call::parse("browser.observe", json!({"all": true})).is_err());
        assert!(Call::parse("browser.observe", json!([])).is_err());
        assert!(act(json!(["r", "e", {"kind": "click"}])).is_err());
        assert!(act(json!({"revision": "r", "element_ref": "e", "action": ["click"]})).is_err());
    }
}
