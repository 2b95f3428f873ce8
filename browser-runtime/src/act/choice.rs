//! What is done from our own world, without trusted input: native selects and scrolling. The page's
//! code runs only afterwards, when it hears of the change.

use super::Sent;
use super::judge::Judge;
use super::result::{Effect, Refusal, code};
use super::watch::Watch;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
struct Print {
    print: String,
}

#[derive(Deserialize)]
struct Chosen {
    kept: bool,
    already: bool,
}

/// Chooses options of a native select, by value or by label, and reads back.
pub(super) async fn select(judge: &Judge, watch: &mut Watch, values: &[String], labels: &[String]) -> Result<Sent, Refusal> {
    // The print is taken before the look that gives leave: whatever changes in between differs from it.
    let print: Print = judge.ask(watch, "print", json!({})).await?;
    let permit = judge.permit(&judge.look(watch).await?)?;
    judge.spend(permit)?;
    let wanted = json!({ "facts": print.print, "values": values, "labels": labels });
    match judge.ask(watch, "choose", wanted).await {
        Ok(Chosen { already: true, .. }) => Ok(Sent::Nothing("it already was so")),
        Ok(Chosen { kept, .. }) => Ok(Sent::Done(changed(kept))),
        // The page heard of the change and left, or asks something: whether it was kept is not known.
        Err(refusal) if matches!(refusal.code, code::DIALOG_OPENED | code::PAGE_UNREADABLE) => Ok(Sent::Done(changed(false))),
        Err(refusal) => Err(refusal),
    }
}

const fn changed(kept: bool) -> Effect {
    Effect { expected: &[], missed: if kept { None } else { Some(code::SELECTION_NOT_KEPT) }, unconfirmed: false }
}

/// Scrolls the page, or the scroll area around an element.
pub(super) async fn scroll(judge: &Judge, watch: &mut Watch, dx: i32, dy: i32) -> Result<Sent, Refusal> {
    let permit = judge.permit(&judge.look(watch).await?)?;
    judge.spend(permit)?;
    judge.ask::<Value>(watch, "scroll", json!({ "dx": dx, "dy": dy })).await?;
    Ok(Sent::Done(Effect::of(&[])))
}
