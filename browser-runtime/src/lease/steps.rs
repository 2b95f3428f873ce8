//! The commands of a lease, one function each.

use super::task::Lease;
use super::{Answer, Command, Order, code, now};
use crate::act::{self, ActResult};
use crate::devtools::LinkError;
use crate::fence::Report;
use crate::fence::activity::Activity;
use crate::fence::rule::{FenceState, Request, RequestKind, Verdict, allow};
use crate::settle::{Settled, settle};
use domain::browser::Outcome;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::Instant;

/// Longest wait for a page's first answer.
const NAVIGATION: Duration = Duration::from_secs(20);
/// Longest wait for a page to come to rest after that.
const LOAD: Duration = Duration::from_secs(10);
/// Longest wait for a page that is still moving when it is observed.
const CALM: Duration = Duration::from_secs(3);

impl Lease {
    /// Runs one command. Never fails: whatever goes wrong is an outcome.
    pub(super) async fn run(&mut self, command: Command) -> Answer {
        let answer = match command {
            Command::Navigate { url } => self.navigate(&url).await,
            Command::Observe => self.observe().await,
            Command::Act(order) => self.act(&order).await,
        };
        self.locate(answer).await
    }

    async fn navigate(&mut self, url: &str) -> Answer {
        let state = FenceState { allowed_origins: &self.allowed_origins, scope: None };
        if allow(&Request { url, kind: RequestKind::Document { main: true } }, &state) != Verdict::Pass {
            return answer(Outcome::Refused, code::ORIGIN_NOT_ALLOWED);
        }
        if self.fence.dialog_is_open() {
            return answer(Outcome::Refused, act::code::DIALOG_OPEN);
        }
        self.page.forget();
        self.fence.take_report().await;
        let since = Instant::now();
        let went = self.go(url).await;
        let settled = settle(&self.fence, since, LOAD).await;
        let report = self.fence.take_report().await;
        let busy = (settled != Settled::Quiet).then(|| "the page was still busy".to_owned());
        Answer { detail: busy, ..navigated(&report, &went) }
    }

    /// Sends the page there and waits until its document is in place. Not through the driver: as it
    /// is told not to wait for pages, it confirms before the browser has even begun, and the page
    /// before would be taken for the new one.
    async fn go(&self, url: &str) -> Went {
        let session = Some(self.browser.page_session());
        let mut activity = self.fence.activity();
        tokio::select! {
            // A page that asks whether to leave holds the answer back for as long as it asks.
            _ = activity.wait_for(Activity::dialog_is_open) => Went::Unconfirmed,
            answer = self.browser.link().call_within(session, "Page.navigate", json!({ "url": url }), NAVIGATION) => match answer {
                Ok(answer) if answer.get("errorText").is_none_or(Value::is_null) => Went::There,
                Ok(_) | Err(LinkError::Refused { .. }) => Went::Failed,
                Err(_) => Went::Unconfirmed,
            },
        }
    }

    async fn observe(&mut self) -> Answer {
        if settle(&self.fence, Instant::now(), CALM).await == Settled::DialogOpen {
            return answer(Outcome::Refused, act::code::DIALOG_OPEN);
        }
        match self.page.observe().await {
            Ok((observation, facts)) => {
                let completed = answer(Outcome::Completed, act::code::COMPLETED);
                Answer { page: Some(observation.page.clone()), observation: Some(observation), facts: Some(facts), ..completed }
            }
            Err(_) => answer(Outcome::Failed, act::code::PAGE_UNREADABLE),
        }
    }

    async fn act(&mut self, order: &Order) -> Answer {
        let request = act::Request {
            revision: &order.revision,
            element_ref: order.element_ref.as_deref(),
            action: &order.action,
            constraint: order.constraint.as_ref(),
        };
        let mut bench = act::Bench { page: &mut self.page, input: &self.input, fence: &self.fence, now };
        let ActResult { outcome, code, reasons, detail } = act::perform(&mut bench, &request).await;
        Answer { reasons, detail, ..answer(outcome, code) }
    }

    /// Adds where the page is now, unless nobody would answer.
    async fn locate(&self, answer: Answer) -> Answer {
        if answer.page.is_some() || self.fence.dialog_is_open() || self.browser.link().is_lost() {
            return answer;
        }
        let page = self.page.place().await.ok().map(|(_, place)| place);
        Answer { page, ..answer }
    }
}

/// How far a navigation came, as the browser tells it.
enum Went {
    /// Its document is in place.
    There,
    /// There is none: an error page, a download, or no content.
    Failed,
    /// The browser did not tell.
    Unconfirmed,
}

/// What became of a navigation. The fence's word counts before the browser's.
fn navigated(report: &Report, went: &Went) -> Answer {
    if report.is_breach() {
        return answer(Outcome::Unknown, act::code::FENCE_REFUSED);
    }
    if report.refused_documents.iter().any(|document| document.main) {
        return answer(Outcome::Failed, code::NAVIGATION_REFUSED);
    }
    match went {
        Went::There => answer(Outcome::Completed, act::code::COMPLETED),
        Went::Failed => answer(Outcome::Failed, code::NAVIGATION_FAILED),
        Went::Unconfirmed => answer(Outcome::Unknown, code::NAVIGATION_UNCONFIRMED),
    }
}

const fn answer(outcome: Outcome, code: &'static str) -> Answer {
    Answer { outcome, code, reasons: Vec::new(), detail: None, sequence: 0, page: None, observation: None, facts: None }
}
