//! Keys and typed text: focus the element itself under the armed guard, look again, then type.

use super::judge::{Judge, Look};
use super::result::{Effect, Refusal, code};
use super::watch::Watch;
use super::{Bench, Sent};
use crate::facts::LiveFacts;
use crate::input::InputError;
use domain::browser::TypeMode;
use domain::permit::Permit;
use serde::Deserialize;
use serde_json::json;

/// The key must have been seen by the guard for it to count as pressed.
const KEY_EVENTS: [&str; 1] = ["keydown"];

#[derive(Deserialize)]
struct Prepared {
    caret: Caret,
    empty: bool,
    multiline: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Caret {
    /// The content is selected and the first character replaces it.
    Selected,
    /// Behind the content.
    End,
    /// Somewhere: the End key brings it behind the content.
    EndKey,
}

#[derive(Deserialize)]
struct Kept {
    kept: bool,
}

pub(super) async fn press(bench: &Bench<'_>, judge: &Judge, watch: &mut Watch, key: &str) -> Result<Sent, Refusal> {
    let permit = focus(judge, watch).await?;
    judge.spend(permit)?;
    let sent = watch.input(bench.input.key(key)).await;
    Ok(Sent::Done(Effect { unconfirmed: !sent, ..Effect::of(&KEY_EVENTS) }))
}

pub(super) async fn type_text(bench: &Bench<'_>, judge: &Judge, watch: &mut Watch, text: &str, mode: TypeMode) -> Result<Sent, Refusal> {
    let permit = focus(judge, watch).await?;
    let wanted = json!({ "text": text, "append": mode == TypeMode::Append });
    let prepared: Prepared = judge.ask(watch, "prepareText", wanted).await?;
    if !can_be_typed(text, prepared.multiline) {
        return Err(Refusal::of(code::TEXT_NOT_TYPABLE));
    }
    let nothing_to_do = text.is_empty() && (mode == TypeMode::Append || prepared.empty);
    if nothing_to_do {
        return Ok(Sent::Nothing("it already was so"));
    }
    judge.spend(permit)?;
    let sent = watch.input(strokes(bench, &prepared, text)).await;
    let mut effect = Effect { unconfirmed: !sent, ..Effect::of(&KEY_EVENTS) };
    if sent && !watch.dialog_opened() {
        let kept = judge.ask::<Kept>(watch, "textKept", json!({})).await.is_ok_and(|answer| answer.kept);
        effect.missed = if kept { None } else { Some(code::TEXT_NOT_KEPT) };
    }
    Ok(Sent::Done(effect))
}

async fn strokes(bench: &Bench<'_>, prepared: &Prepared, text: &str) -> Result<(), InputError> {
    if prepared.caret == Caret::EndKey {
        bench.input.key("End").await?;
    }
    if text.is_empty() { bench.input.key("Delete").await } else { bench.input.type_text(text).await }
}

/// Line feeds are keys in a one-line field, and tabs move on: neither is text there.
fn can_be_typed(text: &str, multiline: bool) -> bool {
    let is_key = |c: char| (c.is_control() && !(multiline && c == '\n')) || matches!(c, '\u{e000}'..='\u{e05d}');
    !text.chars().any(is_key)
}

/// Focuses the element with the guard armed; leave is given for what the page shows afterwards.
async fn focus(judge: &Judge, watch: &mut Watch) -> Result<Permit, Refusal> {
    match judge.ask::<LiveFacts>(watch, "focus", json!({ "act": watch.act() })).await {
        Ok(live) => judge.permit(&Look::from(live)),
        Err(refusal) if refusal.code == code::FOCUS_NOT_HELD => Err(judge.focus_not_held()),
        Err(refusal) => Err(refusal),
    }
}
