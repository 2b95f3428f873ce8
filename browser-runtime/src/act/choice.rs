//! What is done from our own world, without trusted input: native selects and scrolling. The page's
//! code runs only afterwards, when it hears of the change.

use super::Sent;
use super::judge::Judge;
use super::result::{Effect, Refusal, code};
use crate::page::Answer;
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
pub(super) async fn select(judge: &Judge, values: &[String], labels: &[String]) -> Result<Sent, Refusal> {
    let print = match judge.world().call("print", judge.which(json!({}))).await? {
        Answer::<Print>::Given(print) => print.print,
        Answer::Refused { refused, cover } => return Err(Refusal::named(&refused, cover.as_deref())),
    };
    let permit = judge.permit(&judge.look().await?)?;
    judge.spend(permit)?;
    let argument = judge.which(json!({ "facts": print, "values": values, "labels": labels }));
    match judge.world().call("choose", argument).await {
        Ok(Answer::<Chosen>::Given(Chosen { already: true, .. })) => Ok(Sent::Nothing("it already was so")),
        Ok(Answer::Given(Chosen { kept, .. })) => {
            Ok(Sent::Done(Effect { missed: if kept { None } else { Some(code::SELECTION_NOT_KEPT) }, ..Effect::of(&[]) }))
        }
        Ok(Answer::Refused { refused, cover }) => Err(Refusal::named(&refused, cover.as_deref())),
        // The page heard of the change and left, or asks something: whether it was kept is not known.
        Err(_) => Ok(Sent::Done(Effect { missed: Some(code::SELECTION_NOT_KEPT), ..Effect::of(&[]) })),
    }
}

/// Scrolls the page, or the scroll area around an element.
pub(super) async fn scroll(judge: &Judge, dx: i32, dy: i32) -> Result<Sent, Refusal> {
    let permit = judge.permit(&judge.look().await?)?;
    judge.spend(permit)?;
    match judge.world().call("scroll", judge.which(json!({ "dx": dx, "dy": dy }))).await? {
        Answer::<Value>::Given(_) => Ok(Sent::Done(Effect::of(&[]))),
        Answer::Refused { refused, cover } => Err(Refusal::named(&refused, cover.as_deref())),
    }
}
