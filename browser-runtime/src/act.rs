//! Acts on the page: live read, the same question as the worker asked, the guard, the input, and a
//! truthful outcome.
//!
//! INVARIANT (permission is a value): every function here that sends input takes a
//! [`domain::permit::Permit`] by value, and the last look at the page before the input gives it.

mod choice;
mod judge;
mod keyboard;
mod pointer;
mod result;
mod watch;

pub use result::{ActResult, code};

use crate::fence::Fence;
use crate::input::Input;
use crate::page::{Page, PageError};
use crate::settle::{Settled, settle};
use domain::browser::{Action, Constraint};
use domain::coverage::Reason;
use domain::time::Timestamp;
use judge::Judge;
use result::Refusal;
use serde_json::json;
use std::time::Duration;
use tokio::time::Instant;
use watch::Watch;

/// Longest wait for the page to come to rest after the input.
const SETTLE: Duration = Duration::from_secs(5);

/// What an act works with: the one page of the lease, its input and its fence.
#[derive(Debug)]
pub struct Bench<'a> {
    /// The page.
    pub page: &'a mut Page,
    /// Mouse and keyboard.
    pub input: &'a Input,
    /// What holds documents back.
    pub fence: &'a Fence,
    /// The clock that decides whether the time box is over.
    pub now: fn() -> Timestamp,
}

/// One act as it came over the control plane.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The observation that names the element.
    pub revision: &'a str,
    /// The element; absent only for a scroll of the page.
    pub element_ref: Option<&'a str>,
    /// What to do.
    pub action: &'a Action,
    /// The bounds of the grant behind it; without one the act was approved by itself.
    pub constraint: Option<&'a Constraint>,
}

/// How far an act came.
pub(crate) enum Sent {
    /// Input was sent, or the page was changed; what is known of it.
    Done(result::Effect),
    /// The page already was as asked for; nothing was sent.
    Nothing(&'static str),
}

/// Does one act. Never fails: whatever goes wrong is an outcome.
///
/// A refusal leaves the page's action sequence where it was. Every other outcome, and a refusal by
/// the coverage rules, makes the observation void (RUN-4).
pub async fn perform(bench: &mut Bench<'_>, request: &Request<'_>) -> ActResult {
    let result = match begin(bench, request).await {
        Ok((judge, watch)) => within_fence(bench, request, judge, watch).await,
        Err(refusal) => refusal.into(),
    };
    if result.voids_observation() {
        bench.page.forget();
    }
    result
}

/// Everything that can refuse before the fence is armed: contents, revision, and a first live read.
async fn begin(bench: &Bench<'_>, request: &Request<'_>) -> Result<(Judge, Watch), Refusal> {
    if request.action.validate().is_err() || (request.element_ref.is_none() && !request.action.stands_alone()) {
        return Err(Refusal::of(code::MALFORMED));
    }
    if bench.fence.dialog_is_open() {
        return Err(Refusal::of(code::DIALOG_OPEN));
    }
    let world = bench.page.world_of(request.revision).await?.ok_or(Refusal::of(code::STALE_REVISION))?;
    let mut watch = Watch::start(bench.page);
    world.open_binding().await?;
    let judge = Judge::new(bench.page, world, request, bench.now);
    // Asked once before anything in the page moves, so that most refusals leave no trace.
    judge.permit(&judge.look(&mut watch).await?)?;
    Ok((judge, watch))
}

/// Arms the fence around the act, and tells afterwards what came to it.
async fn within_fence(bench: &Bench<'_>, request: &Request<'_>, judge: Judge, mut watch: Watch) -> ActResult {
    let armed = match request.constraint {
        Some(constraint) => bench.fence.arm(constraint.scope()).await,
        None => {
            bench.fence.take_report().await;
            Ok(())
        }
    };
    if armed.is_err() {
        return Refusal::of(code::FENCE_DOWN).into();
    }
    let since = Instant::now();
    let sent = dispatch(bench, request, &judge, &mut watch).await;
    let result = match sent {
        Err(refusal) => {
            // A page that asks something answers nothing until it is answered itself.
            watch.answer_dialog().await;
            drop(judge.world().call::<serde_json::Value>("disarm", json!({})).await);
            ActResult::from(refusal)
        }
        Ok(Sent::Nothing(why)) => ActResult::completed().with_detail(why),
        Ok(Sent::Done(effect)) => {
            let settled = settle(bench.fence, since, SETTLE).await;
            watch.finish(judge.world()).await.judge(effect, settled == Settled::Quiet)
        }
    };
    // What the page does once its question is declined still belongs to the act.
    if watch.answer_dialog().await {
        settle(bench.fence, since, SETTLE).await;
    }
    let report = match request.constraint {
        Some(_) => bench.fence.disarm().await,
        None => bench.fence.take_report().await,
    };
    result.after_fence(&report)
}

async fn dispatch(bench: &Bench<'_>, request: &Request<'_>, judge: &Judge, watch: &mut Watch) -> Result<Sent, Refusal> {
    match request.action {
        Action::Click {} => pointer::click(bench, judge, watch).await,
        Action::Check { checked } => pointer::check(bench, judge, watch, *checked).await,
        Action::Type { text, mode } => keyboard::type_text(bench, judge, watch, text, *mode).await,
        Action::Press { key } => keyboard::press(bench, judge, watch, key).await,
        Action::Select { values, labels } => choice::select(judge, watch, values, labels).await,
        Action::Scroll { dx, dy } => choice::scroll(judge, watch, *dx, *dy).await,
    }
}

impl From<PageError> for Refusal {
    fn from(error: PageError) -> Self {
        match error {
            PageError::Gone => Self::of(code::STALE_ELEMENT),
            PageError::NoWorld => Self::of(code::GUARD_BLIND),
            PageError::Link(_) | PageError::Unreadable => Self::of(code::PAGE_UNREADABLE),
        }
    }
}

/// The grant refusal with one reason.
pub(crate) fn not_applicable(reason: Reason) -> Refusal {
    Refusal { code: code::GRANT_NOT_APPLICABLE, reasons: vec![reason], detail: None }
}
