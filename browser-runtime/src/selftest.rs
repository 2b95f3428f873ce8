//! The start-up self-test (RUN-16): a real browser on a built-in hostile page, with the server's own
//! record as witness. A row that fails stops the runtime.

mod pages;
pub mod site;

use crate::act::{self, ActResult};
use crate::driver::{Browser, Launch};
use crate::facts::Facts;
use crate::fence::{Fence, Standing};
use crate::input::Input;
use crate::lease::now;
use crate::lease::quarters::Quarters;
use crate::lease::registry::Place;
use crate::page::{self, Page};
use crate::settle::settle;
use domain::browser::{Action, Constraint, GrantKind, Outcome};
use domain::id::LeaseId;
use domain::scope::{HostRule, SiteScope};
use site::Site;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;
use uuid::Uuid;

/// Longest time for the whole test.
const TEST_SECS_MAX: u64 = 60;
/// Longest wait for a request that must come.
const ARRIVAL: Duration = Duration::from_secs(10);
/// Life of the test's own grant.
const GRANT_SECS: i64 = 120;

/// It passed.
#[derive(Clone, Debug)]
pub struct Passed {
    /// The browser's version.
    pub browser_version: String,
    /// How long it took.
    pub took_ms: u128,
}

/// What is tested, each with the promise that falls with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Row {
    /// A browser starts with the switches that it was told.
    Start,
    /// Facts come from a world that page script cannot reach (RUN-12).
    IsolatedWorld,
    /// Input reaches its element although the page replaced hit testing.
    TrustedInput,
    /// A click that would land elsewhere is stopped (RUN-8).
    Guard,
    /// Frames, redirects and pings outside the scope are never sent; those inside are (RUN-10).
    Fence,
    /// A new window never loads (RUN-10).
    NewWindow,
    /// Nothing is fetched ahead (RUN-14).
    Prediction,
    /// A pass-through service worker carries nothing past the fence (RUN-14).
    ServiceWorker,
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Start => "start",
            Self::IsolatedWorld => "isolated world",
            Self::TrustedInput => "trusted input",
            Self::Guard => "guard",
            Self::Fence => "fence",
            Self::NewWindow => "new window",
            Self::Prediction => "prediction",
            Self::ServiceWorker => "service worker",
        })
    }
}

/// Why the runtime must not run.
#[derive(Debug, thiserror::Error)]
#[error(
    "the self-test failed at `{row}` ({what}): the browser does not keep what permissions rely on; use the Chromium and ChromeDriver of your distribution, of the same version"
)]
pub struct SelfTestError {
    /// The row that failed.
    pub row: Row,
    /// What was seen instead.
    pub what: String,
}

fn failed(row: Row, what: impl fmt::Display) -> SelfTestError {
    SelfTestError { row, what: what.to_string() }
}

fn expect(row: Row, holds: bool, what: &str) -> Result<(), SelfTestError> {
    if holds { Ok(()) } else { Err(failed(row, what)) }
}

/// Runs the test in a browser of its own.
///
/// # Errors
/// The first row that failed.
pub async fn run(place: &Place) -> Result<Passed, SelfTestError> {
    let begun = Instant::now();
    let lease = LeaseId::from_uuid(Uuid::now_v7());
    let site = Site::start(Arc::new(pages::answers)).await.map_err(|error| failed(Row::Start, error))?;
    let quarters = Quarters::take(&place.state_dir, lease, None).map_err(|error| failed(Row::Start, error))?;
    let launch = Launch {
        chromium: place.chromium.clone(),
        chromedriver: place.chromedriver.clone(),
        scratch_dir: quarters.scratch_dir().to_owned(),
        profile_dir: quarters.profile_dir().to_owned(),
    };
    let browser = Browser::start_trusting(&launch, site.key_digest()).await.map_err(|error| failed(Row::Start, error))?;
    let browser_version = browser.version().to_owned();
    let tested = tokio::time::timeout(Duration::from_secs(TEST_SECS_MAX), rows(&browser, site)).await;
    browser.close().await;
    tested.unwrap_or_else(|_| Err(failed(Row::Start, "it took too long")))?;
    Ok(Passed { browser_version, took_ms: begun.elapsed().as_millis() })
}

struct Subject {
    site: Site,
    scope: SiteScope,
    fence: Fence,
    input: Input,
    page: Page,
}

async fn rows(browser: &Browser, site: Site) -> Result<(), SelfTestError> {
    let mut subject = Subject::set_up(browser, site).await?;
    let facts = subject.open(browser).await?;
    expect(Row::ServiceWorker, subject.site.was_asked("/lesson/worker-ready", ARRIVAL).await, "its worker did not start")?;
    expect(Row::IsolatedWorld, facts.values().any(|facts| facts.name == "Pay now"), "the true name was not read")?;

    let result = subject.click(&facts, "Go on").await?;
    expect(Row::TrustedInput, subject.site.was_asked("/lesson/done", ARRIVAL).await, result.code)?;
    expect(Row::Guard, result.outcome == Outcome::Completed, result.code)?;
    expect(Row::Fence, subject.site.was_asked("/lesson/inside-frame", ARRIVAL).await, "a frame inside the scope was not loaded")?;
    expect(Row::Fence, subject.site.was_asked("/lesson/inside-beacon", ARRIVAL).await, "a ping inside the scope was not sent")?;
    expect(Row::Fence, subject.site.count("/shop") == 0, "a request outside the scope was sent")?;
    expect(Row::NewWindow, subject.site.count("/lesson/window") == 0, "a new window loaded")?;
    expect(Row::Prediction, subject.site.count("/lesson/ahead") == 0, "a page was fetched ahead")?;

    let facts = subject.observe().await?;
    let result = subject.click(&facts, "Next page").await?;
    expect(Row::Guard, result.outcome == Outcome::Unknown && result.code == act::code::GUARD_STOPPED, result.code)?;
    expect(Row::Guard, subject.site.count("/lesson/swapped") == 0, "the click went elsewhere")
}

impl Subject {
    async fn set_up(browser: &Browser, site: Site) -> Result<Self, SelfTestError> {
        // The test's own site is on loopback whatever the settings say; no lease comes near it.
        let hosts = HostRule::PublicOrLoopback;
        let scope = SiteScope::parse(&format!("{}/lesson", site.origin()), hosts).map_err(|error| failed(Row::Start, error))?;
        page::install(browser.link(), browser.page_session()).await.map_err(|error| failed(Row::IsolatedWorld, error))?;
        let standing = Standing { allowed_origins: vec![site.origin()], hosts };
        let fence = Fence::watch(browser, standing).await.map_err(|error| failed(Row::Fence, error))?;
        let input = Input::new(browser.client().clone());
        let page = Page::new(browser.link().clone(), browser.page_session());
        Ok(Self { site, scope, fence, input, page })
    }

    async fn open(&mut self, browser: &Browser) -> Result<Facts, SelfTestError> {
        let url = format!("{}{}", self.site.origin(), pages::TRAP);
        browser.client().goto(&url).await.map_err(|_| failed(Row::Start, "the test page could not be opened"))?;
        self.observe().await
    }

    async fn observe(&mut self) -> Result<Facts, SelfTestError> {
        settle(&self.fence, Instant::now(), ARRIVAL).await;
        let (_, facts) = self.page.observe().await.map_err(|error| failed(Row::IsolatedWorld, error))?;
        Ok(facts)
    }

    /// A granted click on the element of this name.
    async fn click(&mut self, facts: &Facts, name: &str) -> Result<ActResult, SelfTestError> {
        let missing = || failed(Row::IsolatedWorld, "an element of the test page was not observed");
        let reference = facts.iter().find(|(_, facts)| facts.name == name).map(|(reference, _)| reference.clone()).ok_or_else(missing)?;
        let revision = self.page.observed().map(|observed| observed.revision.clone()).ok_or_else(missing)?;
        let constraint = Constraint::for_grant(GrantKind::Task, self.scope.clone(), now().plus_seconds(GRANT_SECS));
        let action = Action::Click {};
        let request = act::Request { revision: &revision, element_ref: Some(&reference), action: &action, constraint: Some(&constraint) };
        let mut bench = act::Bench { page: &mut self.page, input: &self.input, fence: &self.fence, now };
        Ok(act::perform(&mut bench, &request).await)
    }
}
