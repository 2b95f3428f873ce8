//! A browser with or without a fence, and two sites: the lease's own, and a stranger's.

use browser_runtime::driver::{Browser, Launch};
use browser_runtime::fence::{Fence, Standing};
use browser_runtime::input::Input;
use browser_runtime::selftest::site::{Reply, Site};
use browser_runtime::settle::{Settled, settle};
use domain::scope::{HostRule, SiteScope};
use serde_json::{Value, json};
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;
use tokio::time::Instant;

/// A browser that nothing holds back.
pub(crate) struct Unfenced {
    pub(crate) browser: Browser,
    input: Input,
    pub(crate) site: Site,
    _stranger: Site,
    _dir: TempDir,
}

/// The same behind a fence.
pub(crate) struct Bench {
    unfenced: Unfenced,
    pub(crate) fence: Fence,
}

impl Deref for Bench {
    type Target = Unfenced;

    fn deref(&self) -> &Unfenced {
        &self.unfenced
    }
}

pub(crate) fn launch(dir: &TempDir) -> Launch {
    let program = |name: &str, usual: &str| PathBuf::from(std::env::var(name).unwrap_or_else(|_| usual.to_owned()));
    let profile_dir = dir.path().join("profile");
    std::fs::create_dir_all(&profile_dir).unwrap();
    Launch {
        chromium: program("CHROMIUM", "/usr/bin/chromium"),
        chromedriver: program("CHROMEDRIVER", "/usr/bin/chromedriver"),
        scratch_dir: dir.path().to_owned(),
        profile_dir,
    }
}

impl Unfenced {
    /// Starts browser and sites; `answers` gets a path and the stranger's origin.
    pub(crate) async fn with(answers: fn(&str, &str) -> Option<Reply>) -> Self {
        let stranger = Site::start(Arc::new(|_| Some(Reply::html("stranger")))).await.unwrap();
        let other = stranger.origin();
        let site = Site::start(Arc::new(move |path| answers(path, &other))).await.unwrap();
        let dir = tempfile::tempdir().unwrap();
        let browser = Browser::start(&launch(&dir)).await.unwrap();
        let input = Input::new(browser.client().clone());
        Self { browser, input, site, _stranger: stranger, _dir: dir }
    }

    /// Goes to a path of the site, and waits for its document.
    pub(crate) async fn goto(&self, path: &str) {
        let url = format!("{}{path}", self.site.origin());
        let link = self.browser.link();
        link.call(Some(self.browser.page_session()), "Page.navigate", json!({ "url": url })).await.unwrap();
        let ready = async {
            while self.script("document.readyState + location.href").await != format!("complete{url}") {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(Duration::from_secs(20), ready).await.expect("the page did not load");
    }

    /// Takes any certificate, as the fence does for loopback.
    pub(crate) async fn trust_all(&self) {
        let (link, session) = (self.browser.link(), Some(self.browser.page_session()));
        // Right after its start the browser exchanges its blank page once more.
        while link.call(session, "Security.enable", json!({})).await.is_err() {
            assert!(!link.is_lost());
            tokio::task::yield_now().await;
        }
        link.call(session, "Security.setIgnoreCertificateErrors", json!({ "ignore": true })).await.unwrap();
    }

    /// What the page's own script gives, read over the link.
    pub(crate) async fn script(&self, expression: &str) -> Value {
        let params = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let answer = self.browser.link().call(Some(self.browser.page_session()), "Runtime.evaluate", params).await.unwrap_or_default();
        answer["result"]["value"].clone()
    }

    /// Clicks the centre of the element with this id; `false` when the driver did not confirm it.
    pub(crate) async fn press(&self, id: &str) -> bool {
        let center = format!(
            "(() => {{ const b = document.getElementById('{id}').getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; }})()"
        );
        let point = self.script(&center).await;
        self.input.move_to(point[0].as_f64().unwrap(), point[1].as_f64().unwrap()).await.unwrap();
        self.input.press_and_release().await.is_ok()
    }

    /// How many windows are at, or on their way to, a path like this.
    pub(crate) async fn windows_at(&self, path: &str) -> usize {
        let told = self.browser.link().call(None, "Target.getTargets", json!({})).await.unwrap();
        let urls = told["targetInfos"].as_array().unwrap().iter().filter_map(|target| target["url"].as_str());
        urls.filter(|url| url.contains(path)).count()
    }

    pub(crate) async fn end(self) {
        self.browser.close().await;
    }
}

impl Bench {
    pub(crate) async fn with(answers: fn(&str, &str) -> Option<Reply>) -> Self {
        let unfenced = Unfenced::with(answers).await;
        let standing = Standing { allowed_origins: vec![unfenced.site.origin()], hosts: HostRule::PublicOrLoopback };
        let fence = Fence::watch(&unfenced.browser, standing).await.unwrap();
        Self { unfenced, fence }
    }

    pub(crate) fn scope(&self) -> SiteScope {
        SiteScope::parse(&format!("{}/lesson", self.site.origin()), HostRule::PublicOrLoopback).unwrap()
    }

    /// Whether the fence refuses something within this time.
    pub(crate) async fn refused_something(&self, limit: Duration) -> bool {
        let refused = async { while self.fence.take_report().await.is_clean() {} };
        tokio::time::timeout(limit, refused).await.is_ok()
    }

    /// Clicks, and waits for what that sets off to settle. A dialog ends the wait.
    pub(crate) async fn click(&self, id: &str) -> Settled {
        let since = Instant::now();
        let mut activity = self.fence.activity();
        tokio::select! {
            told = activity.wait_for(|now| now.dialog_is_open()) => if told.is_ok() { Settled::DialogOpen } else { Settled::Lost },
            confirmed = self.press(id) => {
                if confirmed { settle(&self.fence, since, Duration::from_secs(5)).await } else { Settled::Lost }
            }
        }
    }

    pub(crate) async fn end(self) {
        self.unfenced.end().await;
    }
}
