//! The fence below the DOM: which documents, pings and windows may come to be.
//!
//! It attaches to every target before the target runs, pauses every request, and answers from a
//! pure rule ([`rule::allow`]). It is always on: documents stay on the lease's origins (RUN-11) and a
//! new window never runs. While a granted act runs it is armed with that grant's scope (RUN-10), and
//! a tripwire reports every document that appeared without a passed request ([`commit::judge`]).

pub mod activity;
pub mod certificate;
pub mod commit;
mod paused;
pub mod rule;
mod state;
mod watcher;

use crate::devtools::{Link, LinkError};
use crate::driver::Browser;
use activity::Activity;
use domain::scope::{HostRule, SiteScope};
use rule::Refusal;
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::Instant;

/// Longest wait for the page to confirm that nothing is on its way to the fence any more.
const FLUSH_SECS_MAX: u64 = 5;
/// Pause before a page that is just being exchanged is asked again.
const FLUSH_PAUSE: Duration = Duration::from_millis(10);

/// What holds for the whole life of a lease.
#[derive(Clone, Debug)]
pub struct Standing {
    /// The only origins that documents may come from, as `https://host[:port]`.
    pub allowed_origins: Vec<String>,
    /// Whether loopback hosts may be among them, with certificates that nobody signed (SCP-6).
    pub hosts: HostRule,
}

/// The fence of one browser. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Fence {
    control: mpsc::Sender<Control>,
    activity: watch::Receiver<Activity>,
    link: Link,
    page_session: String,
    breached: Arc<AtomicBool>,
}

/// What came to the fence since it was armed, or since the last report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Documents that were refused. A refused main document leaves the error page.
    pub refused_documents: Vec<RefusedDocument>,
    /// Hyperlink-auditing pings and beacons that were refused.
    pub refused_pings: u32,
    /// Windows that were closed before they ran.
    pub new_windows: u32,
    /// A document appeared that no passed request accounts for: what happened is not known.
    pub untracked_commit: bool,
    /// The fence could not tell whether it saw everything.
    pub lost: bool,
}

/// One refused document. Without its URL, which belongs in no result and no log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefusedDocument {
    /// It was the page itself, not a frame in it.
    pub main: bool,
    /// Why.
    pub refusal: Refusal,
}

impl Report {
    /// Whether nothing was refused and nothing is uncertain.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        *self == Self::default()
    }

    /// Whether the lease must end, because documents may be loaded that nobody allowed.
    #[must_use]
    pub const fn is_breach(&self) -> bool {
        self.untracked_commit || self.lost
    }
}

/// Why the fence does not stand.
#[derive(Clone, Debug, thiserror::Error)]
pub enum FenceError {
    /// The connection is gone.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// A granted act is already running behind it.
    #[error("the fence is armed already")]
    Armed,
}

enum Control {
    Arm { scope: SiteScope, done: oneshot::Sender<Result<(), FenceError>> },
    Report { disarm: bool, done: oneshot::Sender<Report> },
}

impl Fence {
    /// Puts the fence around a browser whose page is still blank.
    ///
    /// # Errors
    /// When the browser refuses any part of it: there is no half fence.
    pub async fn watch(browser: &Browser, standing: Standing) -> Result<Self, FenceError> {
        let (control, requests) = mpsc::channel(4);
        let (publish, activity) = watch::channel(Activity::default());
        let breached = Arc::new(AtomicBool::new(false));
        watcher::start(browser, standing, requests, watcher::Told { activity: publish, breached: breached.clone() }).await?;
        Ok(Self { control, activity, link: browser.link().clone(), page_session: browser.page_session().to_owned(), breached })
    }

    /// Narrows the fence to one scope for a granted act. Everything that the browser told before is
    /// judged by the old rule first.
    ///
    /// # Errors
    /// [`FenceError::Armed`], or the link is lost.
    pub async fn arm(&self, scope: &SiteScope) -> Result<(), FenceError> {
        let (done, wait) = oneshot::channel();
        let order = Control::Arm { scope: scope.clone(), done };
        self.control.send(order).await.map_err(|_| LinkError::Lost)?;
        wait.await.map_err(|_| LinkError::Lost)?
    }

    /// Ends the act: tells what came to the fence and goes back to the standing rule.
    pub async fn disarm(&self) -> Report {
        self.report(true).await
    }

    /// Tells what came to the fence since the last report, and stays as it is.
    pub async fn take_report(&self) -> Report {
        self.report(false).await
    }

    /// What the page is busy with.
    #[must_use]
    pub fn activity(&self) -> watch::Receiver<Activity> {
        self.activity.clone()
    }

    /// Whether the page asks something in a dialog, which nobody answers.
    #[must_use]
    pub fn dialog_is_open(&self) -> bool {
        self.activity.borrow().dialog_is_open()
    }

    /// Whether a document ever appeared that no rule had passed. The lease must end then.
    #[must_use]
    pub fn is_breached(&self) -> bool {
        self.breached.load(Ordering::Acquire)
    }

    async fn report(&self, disarm: bool) -> Report {
        let flushed = self.flush().await.is_ok();
        let (done, wait) = oneshot::channel();
        let lost = Report { lost: true, ..Report::default() };
        if self.control.send(Control::Report { disarm, done }).await.is_err() {
            return lost;
        }
        match wait.await {
            Ok(report) if flushed => report,
            Ok(report) => {
                self.breached.store(true, Ordering::Release);
                Report { lost: true, ..report }
            }
            Err(_) => lost,
        }
    }

    /// A round trip through the page's own thread. What it caused before has been told by then,
    /// since answers and events share one ordered socket. A page that shows a dialog cannot answer.
    async fn flush(&self) -> Result<(), LinkError> {
        let deadline = Instant::now() + Duration::from_secs(FLUSH_SECS_MAX);
        loop {
            let (session, method) =
                if self.dialog_is_open() { (None, "Browser.getVersion") } else { (Some(self.page_session.as_str()), "Page.getFrameTree") };
            let limit = deadline.saturating_duration_since(Instant::now());
            match self.link.call_within(session, method, json!({}), limit).await {
                // The page is just changing from one program to another (measured at the start of a
                // browser under load): the new one answers in a moment.
                Err(LinkError::Refused { .. }) if Instant::now() + FLUSH_PAUSE < deadline => tokio::time::sleep(FLUSH_PAUSE).await,
                answer => return answer.map(drop),
            }
        }
    }
}
