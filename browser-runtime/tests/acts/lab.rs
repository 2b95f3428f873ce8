//! One browser, one site, and the steps of a test.

use crate::site::Site;
use browser_runtime::act::{self, ActResult, Bench, Request};
use browser_runtime::driver::{Browser, Launch};
use browser_runtime::facts::Facts;
use browser_runtime::fence::{Fence, Standing};
use browser_runtime::input::Input;
use browser_runtime::observation::Observation;
use browser_runtime::page::{self, Page};
use browser_runtime::settle::settle;
use domain::browser::{Action, Constraint, ElementFacts, GrantKind};
use domain::scope::{HostRule, SiteScope};
use domain::time::Timestamp;
use serde_json::{Value, json};
use std::time::Duration;
use tempfile::TempDir;
use tokio::time::Instant;

/// Longest wait for a page to load, or for its script to tell that it is ready.
const LOAD: Duration = Duration::from_secs(20);

pub(crate) struct Lab {
    pub(crate) site: Site,
    browser: Browser,
    fence: Fence,
    input: Input,
    pub(crate) page: Page,
    _directories: TempDir,
}

/// Whose leave an act has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leave {
    /// A task grant for `/lesson` on the site.
    Granted,
    /// An approval of this act alone.
    Approved,
}

fn now() -> Timestamp {
    Timestamp::from_micros(1_000_000)
}

impl Lab {
    pub(crate) async fn start() -> Self {
        let site = Site::start().await;
        let directories = tempfile::tempdir().unwrap();
        let launch = Launch {
            chromium: "/usr/bin/chromium".into(),
            chromedriver: "/usr/bin/chromedriver".into(),
            scratch_dir: directories.path().join("scratch"),
            profile_dir: directories.path().join("profile"),
        };
        std::fs::create_dir_all(&launch.scratch_dir).unwrap();
        std::fs::create_dir_all(&launch.profile_dir).unwrap();
        let browser = Browser::start(&launch).await.unwrap();
        page::install(browser.link(), browser.page_session()).await.unwrap();
        let standing = Standing { allowed_origins: vec![site.origin()], hosts: HostRule::PublicOrLoopback };
        let fence = Fence::watch(&browser, standing).await.unwrap();
        let input = Input::new(browser.client().clone());
        let page = Page::new(browser.link().clone(), browser.page_session());
        Self { site, browser, fence, input, page, _directories: directories }
    }

    pub(crate) async fn close(self) {
        self.browser.close().await;
    }

    /// Loads a page by name and waits until it rests.
    pub(crate) async fn open(&mut self, name: &str) {
        let url = format!("{}/lesson/{name}", self.site.origin());
        let since = Instant::now();
        self.browser.link().call(Some(self.browser.page_session()), "Page.navigate", json!({ "url": url })).await.unwrap();
        let deadline = Instant::now() + LOAD;
        loop {
            settle(&self.fence, since, LOAD).await;
            let ready = self.in_page("document.readyState").await;
            if ready == "complete" && self.page.place().await.is_ok_and(|(at, _)| at == url) {
                return;
            }
            assert!(Instant::now() < deadline, "{name} did not load");
        }
    }

    /// Shows a case's page, behind what every case has: a log that the page's script can write to.
    pub(crate) async fn show(&mut self, prelude: &str, html: &str) {
        let log = "const log = (text) => { const root = document.documentElement.dataset; root.log = (root.log ?? '') + text + ';'; };";
        let page =
            format!("<!doctype html><title>Case</title><style>button {{ padding: 12px }}</style><script>{log}</script>{prelude}\n{html}");
        self.site.show(&page);
        self.open("case").await;
    }

    /// Evaluates in the page's own world: what its script sees, forged or not.
    pub(crate) async fn in_page(&self, expression: &str) -> Value {
        let params = json!({ "expression": expression, "returnByValue": true });
        let answer = self.browser.link().call(Some(self.browser.page_session()), "Runtime.evaluate", params).await.unwrap();
        answer.pointer("/result/value").cloned().unwrap_or(Value::Null)
    }

    /// What the page's script wrote down, in its order.
    pub(crate) async fn log(&self) -> String {
        self.in_page("document.documentElement.dataset.log ?? ''").await.as_str().unwrap_or_default().to_owned()
    }

    pub(crate) async fn observe(&mut self) -> (Observation, Facts) {
        self.page.observe().await.unwrap()
    }

    /// The facts of the element called `name`.
    pub(crate) async fn facts_of(&mut self, name: &str) -> ElementFacts {
        let (observation, facts) = self.observe().await;
        facts.get(&reference(&observation, name)).unwrap_or_else(|| panic!("no facts of {name:?}")).clone()
    }

    /// Observes, and acts on the element called `name` (or on the page, for an empty name).
    pub(crate) async fn act(&mut self, name: &str, action: Action, leave: Leave) -> ActResult {
        let (observation, _) = self.observe().await;
        let element = (!name.is_empty()).then(|| reference(&observation, name));
        self.act_on(&observation.revision, element.as_deref(), action, leave).await
    }

    pub(crate) async fn act_on(&mut self, revision: &str, element_ref: Option<&str>, action: Action, leave: Leave) -> ActResult {
        let constraint = (leave == Leave::Granted).then(|| self.constraint());
        let request = Request { revision, element_ref, action: &action, constraint: constraint.as_ref() };
        let mut bench = Bench { page: &mut self.page, input: &self.input, fence: &self.fence, now };
        act::perform(&mut bench, &request).await
    }

    /// Presses and types at a point with no act behind it.
    pub(crate) async fn input_unasked(&self, x: f64, y: f64, text: &str) {
        self.input.move_to(x, y).await.unwrap();
        self.input.press_and_release().await.unwrap();
        self.input.type_text(text).await.unwrap();
    }

    fn constraint(&self) -> Constraint {
        let scope = SiteScope::parse(&format!("{}/lesson", self.site.origin()), HostRule::PublicOrLoopback).unwrap();
        Constraint::for_grant(GrantKind::Task, scope, now().plus_seconds(60))
    }
}

/// The reference of the first element with this name, or this visible text; `<unnamed>` is without.
pub(crate) fn reference(observation: &Observation, name: &str) -> String {
    let name = if name == "<unnamed>" { "" } else { name };
    let named = |entry: &&browser_runtime::observation::Entry| {
        entry.reference.is_some() && (entry.name == name || entry.visible_text.as_deref() == Some(name))
    };
    let found = observation.elements.iter().find(named);
    found.and_then(|entry| entry.reference.clone()).unwrap_or_else(|| panic!("no element called {name:?} in {observation:#?}"))
}
