//! The task that owns one lease.

use super::quarters::Quarters;
use super::{Answer, Command, Terms, code};
use crate::devtools::LinkError;
use crate::driver::{Browser, Launch, StartError};
use crate::fence::{Fence, FenceError, Standing};
use crate::input::Input;
use crate::page::{self, Page};
use domain::browser::Outcome;
use domain::scope::HostRule;
use std::time::Duration;
use tokio::sync::{mpsc, oneshot, watch};

/// Longest that one command may take in all. Its parts have tighter limits of their own.
const COMMAND_SECS_MAX: u64 = 90;

/// One browser with everything that its commands need.
#[derive(Debug)]
pub(super) struct Lease {
    pub(super) browser: Browser,
    pub(super) fence: Fence,
    pub(super) input: Input,
    pub(super) page: Page,
    pub(super) allowed_origins: Vec<String>,
    quarters: Quarters,
}

/// A command that waits for its turn.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) sequence: u64,
    pub(super) command: Command,
    pub(super) done: oneshot::Sender<Result<Answer, Rejected>>,
}

/// Why a call was not dispatched.
#[derive(Clone, Copy, Debug)]
pub(super) enum Rejected {
    Applied { last: u64 },
    Gap { last: u64 },
    Ended,
}

/// Why a lease ended.
#[derive(Clone, Copy, Debug)]
pub(super) enum Ending {
    Revoked,
    Expired,
    /// The browser, its page or a connection to it is gone.
    Lost,
    /// A document appeared that the fence had not passed.
    Breached,
}

/// Why no lease came to be.
#[derive(Debug, thiserror::Error)]
pub(super) enum LeaseError {
    #[error(transparent)]
    Start(#[from] StartError),
    #[error(transparent)]
    Fence(#[from] FenceError),
    #[error(transparent)]
    Link(#[from] LinkError),
}

impl Lease {
    pub(super) async fn start(launch: &Launch, terms: &Terms, hosts: HostRule, quarters: Quarters) -> Result<Self, LeaseError> {
        let browser = Browser::start(launch).await?;
        page::install(browser.link(), browser.page_session()).await?;
        let standing = Standing { allowed_origins: terms.allowed_origins.clone(), hosts };
        let fence = Fence::watch(&browser, standing).await?;
        let input = Input::new(browser.client().clone());
        let page = Page::new(browser.link().clone(), browser.page_session());
        Ok(Self { browser, fence, input, page, allowed_origins: terms.allowed_origins.clone(), quarters })
    }

    async fn end(self) {
        let Self { browser, quarters, .. } = self;
        browser.close().await;
        drop(quarters);
    }
}

/// Serves a lease until it ends; by then its browser is gone.
pub(super) async fn serve(mut lease: Lease, mut calls: mpsc::Receiver<Call>, mut revoked: watch::Receiver<bool>, ttl: Duration) -> Ending {
    let expiry = tokio::time::sleep(ttl);
    tokio::pin!(expiry);
    let link = lease.browser.link().clone();
    let mut last = 0;
    let why = loop {
        let call = tokio::select! {
            biased;
            _ = revoked.wait_for(|over| *over) => break Ending::Revoked,
            () = &mut expiry => break Ending::Expired,
            () = link.lost() => break Ending::Lost,
            call = calls.recv() => match call {
                Some(call) => call,
                None => break Ending::Revoked,
            },
        };
        if let Some(why) = take(&mut lease, call, &mut last, &mut revoked).await {
            break why;
        }
    };
    // First the answers, then the browser: a caller learns at once that its turn will not come.
    calls.close();
    while let Ok(call) = calls.try_recv() {
        drop(call.done.send(Err(Rejected::Ended)));
    }
    lease.end().await;
    why
}

/// Runs one call. Tells why the lease must end, if it must.
async fn take(lease: &mut Lease, call: Call, last: &mut u64, revoked: &mut watch::Receiver<bool>) -> Option<Ending> {
    let Call { sequence, command, done } = call;
    let out_of_turn = if sequence <= *last {
        Some(Rejected::Applied { last: *last })
    } else if Some(sequence) != last.checked_add(1) {
        Some(Rejected::Gap { last: *last })
    } else {
        None
    };
    if let Some(rejected) = out_of_turn {
        drop(done.send(Err(rejected)));
        return None;
    }
    let limit = Duration::from_secs(COMMAND_SECS_MAX);
    let (answer, cut_short) = tokio::select! {
        biased;
        _ = revoked.wait_for(|over| *over) => (unknown(code::LEASE_ENDED), Some(Ending::Revoked)),
        ran = tokio::time::timeout(limit, lease.run(command)) => match ran {
            Ok(answer) => (answer, None),
            Err(_) => (unknown(code::BROWSER_LOST), Some(Ending::Lost)),
        },
    };
    let ending = cut_short.or_else(|| lease.why_unusable());
    let answer = if matches!(ending, Some(Ending::Lost)) { lost(answer) } else { answer };
    // A refusal was given before anything was dispatched, so its sequence is still free.
    if answer.outcome != Outcome::Refused {
        *last = sequence;
    }
    drop(done.send(Ok(Answer { sequence: *last, ..answer })));
    ending
}

impl Lease {
    fn why_unusable(&self) -> Option<Ending> {
        if self.fence.is_breached() {
            Some(Ending::Breached)
        } else if self.browser.link().is_lost() {
            Some(Ending::Lost)
        } else {
            None
        }
    }
}

fn unknown(code: &'static str) -> Answer {
    Answer { outcome: Outcome::Unknown, code, reasons: Vec::new(), detail: None, sequence: 0, page: None, observation: None, facts: None }
}

/// A browser that is gone took the truth with it, unless nothing had been dispatched.
fn lost(answer: Answer) -> Answer {
    if answer.outcome == Outcome::Refused { answer } else { unknown(code::BROWSER_LOST) }
}
