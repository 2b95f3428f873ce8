//! Clicks, and check boxes by clicks: aim, hover under the armed guard, look again, press.

use super::judge::{Judge, Look};
use super::result::{Effect, Refusal, code};
use super::watch::Watch;
use super::{Bench, Sent};
use crate::facts::LiveFacts;
use domain::permit::Permit;
use serde::Deserialize;
use serde_json::json;

/// Tries to get the pointer onto the element: it may still be moving into place.
const AIMS_MAX: u32 = 3;
/// The guard must have let the click through for it to count as done.
const PRESS_EVENTS: [&str; 1] = ["click"];

#[derive(Clone, Copy, Deserialize)]
struct Point {
    x: i32,
    y: i32,
}

#[derive(Deserialize)]
struct Checked {
    checked: Option<bool>,
    radio: bool,
}

pub(super) async fn click(bench: &Bench<'_>, judge: &Judge, watch: &mut Watch) -> Result<Sent, Refusal> {
    let permit = hover(bench, judge, watch).await?;
    Ok(Sent::Done(press(bench, judge, watch, permit).await?))
}

/// Sets a native check box or radio by the same click, and reads it back.
pub(super) async fn check(bench: &Bench<'_>, judge: &Judge, watch: &mut Watch, wanted: bool) -> Result<Sent, Refusal> {
    let before: Checked = judge.ask(watch, "checkedState", json!({})).await?;
    match before.checked {
        None => return Err(Refusal::of(code::NOT_CHECKABLE)),
        Some(now) if now == wanted => return Ok(Sent::Nothing("it already was so")),
        Some(_) if before.radio && !wanted => return Err(Refusal::of(code::NOT_CHECKABLE)),
        Some(_) => {}
    }
    let permit = hover(bench, judge, watch).await?;
    let mut effect = press(bench, judge, watch, permit).await?;
    if !watch.dialog_opened() {
        // A page that moved on took the box with it: then nothing shows that it was set.
        let after: Result<Checked, Refusal> = judge.ask(watch, "checkedState", json!({})).await;
        let kept = after.is_ok_and(|after| after.checked == Some(wanted));
        effect.missed = if kept { None } else { Some(code::CHECK_NOT_KEPT) };
    }
    Ok(Sent::Done(effect))
}

/// Brings the pointer over the element with the guard armed, and asks again what hovering left.
async fn hover(bench: &Bench<'_>, judge: &Judge, watch: &mut Watch) -> Result<Permit, Refusal> {
    let mut last = Refusal::of(code::NOT_VISIBLE);
    for attempt in 0..AIMS_MAX {
        let point: Point = judge.ask(watch, "aim", json!({ "act": watch.act() })).await?;
        if attempt > 0 {
            // A mouse that does not move tells the page nothing: come from the next pixel.
            watch.input(bench.input.move_to(f64::from(point.x) + 1.0, f64::from(point.y))).await;
        }
        if !watch.input(bench.input.move_to(f64::from(point.x), f64::from(point.y))).await || watch.dialog_opened() {
            return Err(Refusal::of(if watch.dialog_opened() { code::DIALOG_OPENED } else { code::INPUT_UNCONFIRMED }));
        }
        match judge.ask::<LiveFacts>(watch, "confirmPress", json!({ "x": point.x, "y": point.y })).await {
            Ok(live) => return judge.permit(&Look::from(live)),
            Err(refusal) => last = refusal,
        }
        if !matches!(last.code, code::COVERED | code::POINTER_UNSEEN) {
            break;
        }
    }
    Err(last)
}

async fn press(bench: &Bench<'_>, judge: &Judge, watch: &mut Watch, permit: Permit) -> Result<Effect, Refusal> {
    judge.spend(permit)?;
    let confirmed = watch.input(bench.input.press_and_release()).await;
    Ok(Effect { unconfirmed: !confirmed, ..Effect::of(&PRESS_EVENTS) })
}
