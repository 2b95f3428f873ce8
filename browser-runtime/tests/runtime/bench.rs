//! A browser, a fence and two sites: the lease's own, and a stranger's.

use browser_runtime::driver::{Browser, Launch};
use browser_runtime::fence::{Fence, Standing};
use browser_runtime::input::Input;
use browser_runtime::selftest::site::{Reply, Site};
use browser_runtime::settle::{Settled, settle};
use domain::scope::{HostRule, SiteScope};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;
use tokio::time::Instant;

/// Where everything of one test stands.
pub(crate) struct Bench {
    pub(crate) browser: Browser,
    pub(crate) fence: Fence,
    pub(crate) input: Input,
    pub(crate) site: Site,
    pub(crate) stranger: Site,
    _dir: TempDir,
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

impl Bench {
    /// Starts everything; `page` is the lesson page, where `STRANGER` stands for the other origin.
    pub(crate) async fn with(answers: fn(&str, &str) -> Option<Reply>) -> Self {
        let stranger = Site::start(Arc::new(|_| Some(Reply::html("stranger")))).await.unwrap();
        let other = stranger.origin();
        let site = Site::start(Arc::new(move |path| answers(path, &other))).await.unwrap();
        let dir = tempfile::tempdir().unwrap();
        let browser = Browser::start(&launch(&dir)).await.unwrap();
        let standing = Standing { allowed_origins: vec![site.origin()], hosts: HostRule::PublicOrLoopback };
        let fence = Fence::watch(&browser, standing).await.unwrap();
        let input = Input::new(browser.client().clone());
        Self { browser, fence, input, site, stranger, _dir: dir }
    }

    pub(crate) fn scope(&self) -> SiteScope {
        SiteScope::parse(&format!("{}/lesson", self.site.origin()), HostRule::PublicOrLoopback).unwrap()
    }

    pub(crate) async fn goto(&self, path: &str) -> Settled {
        let since = Instant::now();
        let url = if path.starts_with("https:") { path.to_owned() } else { format!("{}{path}", self.site.origin()) };
        drop(self.browser.client().goto(&url).await);
        settle(&self.fence, since, Duration::from_secs(10)).await
    }

    /// What the page's own script gives, read over the link.
    pub(crate) async fn script(&self, expression: &str) -> Value {
        let params = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let answer = self.browser.link().call(Some(self.browser.page_session()), "Runtime.evaluate", params).await.unwrap();
        answer["result"]["value"].clone()
    }

    /// Clicks the centre of the element with this id.
    pub(crate) async fn click(&self, id: &str) -> Settled {
        let center = format!(
            "(() => {{ const b = document.getElementById('{id}').getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; }})()"
        );
        let point = self.script(&center).await;
        let since = Instant::now();
        self.input.move_to(point[0].as_f64().unwrap(), point[1].as_f64().unwrap()).await.unwrap();
        self.input.press_and_release().await.unwrap();
        settle(&self.fence, since, Duration::from_secs(5)).await
    }

    pub(crate) async fn path(&self) -> String {
        self.script("location.pathname").await.as_str().unwrap_or_default().to_owned()
    }

    pub(crate) async fn end(self) {
        self.browser.close().await;
    }
}
