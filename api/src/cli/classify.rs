//! `hallpass classify`: one verdict a line, in the order of the input, in constant memory.

use super::FAILED;
use domain::browser::{Action, ConsequenceCeiling, ElementFacts, Labels};
use domain::classify::classify;
use domain::coverage::{Coverage, Question, cover};
use domain::scope::{HostRule, SiteScope};
use serde::Deserialize;
use serde_json::{Value, json};
use std::io::{BufRead, Read, Write};
use std::process::ExitCode;

/// Bytes of one line. A longer one is answered with an error and skipped.
const LINE_BYTES_MAX: usize = 1024 * 1024;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    #[serde(default)]
    id: Value,
    #[serde(default)]
    label: Option<String>,
    #[serde(default)]
    action: Option<Value>,
    #[serde(default)]
    page_url: Option<String>,
    #[serde(default)]
    scope: Option<String>,
    #[serde(default)]
    element: Option<ElementFacts>,
}

pub(super) fn run() -> ExitCode {
    let mut input = std::io::stdin().lock();
    let mut output = std::io::BufWriter::new(std::io::stdout().lock());
    let mut malformed = false;
    let mut line = Vec::new();
    loop {
        line.clear();
        let limit = LINE_BYTES_MAX as u64 + 1;
        match input.by_ref().take(limit).read_until(b'\n', &mut line) {
            Ok(0) => break,
            Ok(_) if line.iter().all(u8::is_ascii_whitespace) => continue,
            Ok(_) => {}
            Err(error) => return super::refuse(FAILED, format!("standard input cannot be read: {error}")),
        }
        let answer = if line.len() > LINE_BYTES_MAX {
            skip_rest(&mut input);
            Err(json!({"id": null, "error": "the line is longer than 1 MiB"}))
        } else {
            answer(&line)
        };
        malformed |= answer.is_err();
        let (Ok(answer) | Err(answer)) = answer;
        if writeln!(output, "{answer}").is_err() {
            return ExitCode::from(FAILED);
        }
    }
    if output.flush().is_err() || malformed { ExitCode::from(FAILED) } else { ExitCode::SUCCESS }
}

fn skip_rest(input: &mut impl BufRead) {
    let mut rest = Vec::new();
    while let Ok(read) = input.by_ref().take(LINE_BYTES_MAX as u64).read_until(b'\n', &mut rest) {
        if read == 0 || rest.ends_with(b"\n") {
            return;
        }
        rest.clear();
    }
}

fn answer(line: &[u8]) -> Result<Value, Value> {
    let id = || serde_json::from_slice::<Value>(line).ok().and_then(|value| value.get("id").cloned()).unwrap_or_default();
    let refuse = |error: String| json!({"id": id(), "error": error});
    let line: Line = serde_json::from_slice(line).map_err(|error| refuse(error.to_string()))?;
    let (action, element) = subject(&line).map_err(&refuse)?;
    let scope = match &line.scope {
        None => None,
        // The hosts that a deployment may name are its own matter; a verdict depends on none.
        Some(scope) => Some(SiteScope::parse(scope, HostRule::PublicOrLoopback).map_err(|error| refuse(format!("`scope` {error}")))?),
    };
    let verdict = classify(&action, &element);
    let covered = |ceiling| coverage(&line, &action, &element, scope.as_ref(), ceiling);
    Ok(json!({
        "id": line.id,
        "consequence": verdict.consequence,
        "matches": verdict.matches,
        "task_grant": covered(ConsequenceCeiling::Unknown),
        "standing_grant": covered(ConsequenceCeiling::Routine),
    }))
}

fn subject(line: &Line) -> Result<(Action, ElementFacts), String> {
    match (&line.label, &line.action, &line.element) {
        (Some(label), None, None) => {
            let labels = Labels { visible_text: vec![label.clone()], ..Labels::default() };
            let element = ElementFacts { role: "button".to_owned(), name: label.clone(), labels, ..ElementFacts::default() };
            Ok((Action::Click {}, element))
        }
        (None, Some(action), Some(element)) => Ok((read_action(action)?, element.clone())),
        _ => Err("give `label` alone, or `action` and `element`".to_owned()),
    }
}

/// `{"kind":"type"}` without its text is a question about the kind; the contents default to what
/// changes no verdict.
fn read_action(action: &Value) -> Result<Action, String> {
    let kind = action.get("kind").and_then(Value::as_str).unwrap_or_default();
    let filled = match (kind, action.as_object().map(serde_json::Map::len)) {
        ("type", Some(1)) => json!({"kind": "type", "text": ""}),
        ("press", Some(1)) => json!({"kind": "press", "key": "Tab"}),
        ("check", Some(1)) => json!({"kind": "check", "checked": true}),
        _ => action.clone(),
    };
    serde_json::from_value(filled).map_err(|error| format!("`action`: {error}"))
}

/// Without a page or a scope the question is about the element alone, so both are taken to be one
/// place, and the element's own targets are judged against it.
fn coverage(line: &Line, action: &Action, element: &ElementFacts, scope: Option<&SiteScope>, ceiling: ConsequenceCeiling) -> Value {
    let assumed = SiteScope::parse("https://www.example.com/page", HostRule::Public).ok();
    let Some(scope) = scope.or(assumed.as_ref()) else { return json!({"covered": false, "reasons": ["facts_missing"]}) };
    let page = line.page_url.clone().unwrap_or_else(|| scope.to_string());
    let question = Question { action, page_url: &page, scope, element: Some(element), ceiling };
    let Coverage { reasons, .. } = cover(&question);
    json!({"covered": reasons.is_empty(), "reasons": reasons})
}
