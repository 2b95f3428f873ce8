//! The answer to one line: the verdict, and what each kind of grant would say.

use super::line::{Line, id_of};
use domain::browser::{Action, ConsequenceCeiling, ElementFacts};
use domain::classify::classify;
use domain::coverage::{Question, cover};
use domain::scope::{HostRule, SiteScope};
use serde_json::{Value, json};
use url::Url;

/// Characters of an error's text: it may repeat what stands in the line.
const ERROR_CHARACTERS_MAX: usize = 300;
/// The place of a question that names none.
const ASSUMED_SCOPE: &str = "https://www.example.com/page";

/// Answers a line, or says what is malformed about it.
pub(super) fn answer(text: &[u8]) -> Result<Value, Value> {
    let refuse = |error: String| refusal(text, &error);
    // An array would be read as the fields in their order.
    if text.trim_ascii_start().first() != Some(&b'{') {
        return Err(refuse("the line is not a JSON object".to_owned()));
    }
    let line: Line = serde_json::from_slice(text).map_err(|error| refuse(error.to_string()))?;
    let (scope, page) = place(&line).map_err(&refuse)?;
    let id = line.id.clone();
    let (action, element) = line.subject().map_err(&refuse)?;
    let verdict = classify(&action, element.as_ref().unwrap_or(&ElementFacts::default()));
    let grant = |ceiling| coverage(&action, element.as_ref(), &scope, &page, ceiling);
    Ok(json!({
        "id": id,
        "consequence": verdict.consequence,
        "matches": verdict.matches,
        "task_grant": grant(ConsequenceCeiling::Unknown),
        "standing_grant": grant(ConsequenceCeiling::Routine),
    }))
}

/// The answer to a malformed line, with its id if that can be read.
pub(super) fn refusal(text: &[u8], error: &str) -> Value {
    let error: String = error.chars().take(ERROR_CHARACTERS_MAX).collect();
    json!({"id": id_of(text), "error": error})
}

/// Where the act takes place. Without a page it is the scope's own; without a scope the one that the
/// page would be offered; without either, one place that both are taken to be.
fn place(line: &Line) -> Result<(SiteScope, String), String> {
    // The hosts that a deployment may name are its own matter; a verdict depends on none.
    let read = |scope: &str| SiteScope::parse(scope, HostRule::PublicOrLoopback);
    let scope = match (&line.scope, &line.page_url) {
        (Some(scope), _) => read(scope).map_err(|reason| format!("`scope` {reason}"))?,
        (None, page) => page
            .as_deref()
            .and_then(first_segment)
            .and_then(|scope| read(&scope).ok())
            .map_or_else(|| read(ASSUMED_SCOPE).map_err(|reason| reason.to_string()), Ok)?,
    };
    let page = line.page_url.clone().unwrap_or_else(|| scope.to_string());
    Ok((scope, page))
}

fn first_segment(page: &str) -> Option<String> {
    let url = Url::parse(page).ok()?;
    let segment = url.path_segments()?.next()?;
    Some(format!("{}/{segment}", url.origin().ascii_serialization()))
}

fn coverage(action: &Action, element: Option<&ElementFacts>, scope: &SiteScope, page_url: &str, ceiling: ConsequenceCeiling) -> Value {
    let reasons = cover(&Question { action, page_url, scope, element, ceiling }).reasons;
    json!({"covered": reasons.is_empty(), "reasons": reasons})
}
