//! The commands of a lease, one function each.

use super::task::Lease;
use super::{Answer, Command, Order, code, now};
use crate::act::{self, ActResult};
use crate::fence::Report;
use crate::fence::rule::{FenceState, Request, RequestKind, Verdict, allow};
use crate::settle::{Settled, settle};
use domain::browser::Outcome;
use fantoccini::error::CmdError;
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
        let went = tokio::time::timeout(NAVIGATION, self.browser.client().goto(url)).await;
        let settled = settle(&self.fence, since, LOAD).await;
        let report = self.fence.take_report().await;
        let busy = (settled != Settled::Quiet).then(|| "the page was still busy".to_owned());
        Answer { detail: busy, ..navigated(&report, went) }
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

/// What became of a navigation. The fence's word counts before the driver's.
fn navigated(report: &Report, went: Result<Result<(), CmdError>, tokio::time::error::Elapsed>) -> Answer {
    if report.is_breach() {
        return answer(Outcome::Unknown, act::code::FENCE_REFUSED);
    }
    if report.refused_documents.iter().any(|document| document.main) {
        return answer(Outcome::Failed, code::NAVIGATION_REFUSED);
    }
    match went {
        Ok(Ok(())) => answer(Outcome::Completed, act::code::COMPLETED),
        Ok(Err(CmdError::Standard(_))) => answer(Outcome::Failed, code::NAVIGATION_FAILED),
        Ok(Err(_)) | Err(_) => answer(Outcome::Unknown, code::NAVIGATION_UNCONFIRMED),
    }
}

const fn answer(outcome: Outcome, code: &'static str) -> Answer {
    Answer { outcome, code, reasons: Vec::new(), detail: None, sequence: 0, page: None, observation: None, facts: None }
}
