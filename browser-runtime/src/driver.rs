//! One browser: ChromeDriver, Chromium, the fantoccini session and the DevTools link, started and
//! ended together.
//!
//! INVARIANT (nothing stays behind): every way out, also a dropped future, ends the browser and the
//! driver by their process ids.

pub mod flags;
mod program;
pub mod running;

use crate::devtools::{Link, LinkError};
use fantoccini::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use program::Driver;
use running::Running;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Longest start of driver and browser together. A cold start takes one to two seconds.
const START_SECS_MAX: u64 = 30;
/// Longest wait for the session to end by itself before its programs are ended by id.
const CLOSE_SECS_MAX: u64 = 3;

/// What a browser is started with.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The Chromium program.
    pub chromium: PathBuf,
    /// The ChromeDriver program of the same version.
    pub chromedriver: PathBuf,
    /// A directory of this lease alone, for the programs' home and temporary files.
    pub scratch_dir: PathBuf,
    /// The browser's user data directory.
    pub profile_dir: PathBuf,
}

/// Why no browser came up.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The driver program did not start or did not tell its port.
    #[error("ChromeDriver did not start: {0}")]
    Driver(String),
    /// The driver gave no session: mostly a browser that did not start or another version.
    #[error("Chromium did not start: {0}")]
    Session(String),
    /// The second connection could not be made.
    #[error("the DevTools link could not be made")]
    Link(#[from] LinkError),
    /// It runs otherwise than it was told to.
    #[error("Chromium does not run as told: {0}")]
    NotAsTold(&'static str),
    /// It took longer than [`START_SECS_MAX`].
    #[error("Chromium did not start in time")]
    TimedOut,
}

/// A running browser with one page.
#[derive(Debug)]
pub struct Browser {
    client: Client,
    link: Link,
    page_target: String,
    page_session: String,
    version: String,
    chromium: Running,
    driver: Driver,
    scratch_dir: PathBuf,
}

impl Browser {
    /// Starts driver and browser and opens both connections. The page is blank.
    ///
    /// # Errors
    /// See [`StartError`]; nothing is left running.
    pub async fn start(launch: &Launch) -> Result<Self, StartError> {
        Self::start_within(launch, None).await
    }

    /// As [`Browser::start`], for the self-test's own site: a certificate with this key counts as
    /// valid, as service workers demand.
    ///
    /// # Errors
    /// See [`StartError`].
    pub(crate) async fn start_trusting(launch: &Launch, key_digest: &str) -> Result<Self, StartError> {
        Self::start_within(launch, Some(key_digest)).await
    }

    async fn start_within(launch: &Launch, trusted_key: Option<&str>) -> Result<Self, StartError> {
        let limit = Duration::from_secs(START_SECS_MAX);
        tokio::time::timeout(limit, Self::start_unbounded(launch, trusted_key)).await.unwrap_or(Err(StartError::TimedOut))
    }

    async fn start_unbounded(launch: &Launch, trusted_key: Option<&str>) -> Result<Self, StartError> {
        let driver = Driver::start(launch).await?;
        // From here on a browser may run of which nothing is known but its profile directory.
        let sweep = running::Sweep::new(&launch.profile_dir);
        let client = open_session(&driver, launch, trusted_key).await?;
        let capabilities = client.capabilities().cloned().unwrap_or_default();
        let port = debugger_port(&capabilities).ok_or(StartError::NotAsTold("no debugger address"))?;
        let link = Link::connect(port, &endpoint_path(&launch.profile_dir, port).await?).await?;
        let chromium = Running::of_browser(browser_pid(&link).await?, &launch.profile_dir)
            .ok_or(StartError::NotAsTold("its process is not the one that was started"))?;
        sweep.defuse();
        if !flags::are_effective(&chromium.arguments()) {
            return Err(StartError::NotAsTold("other command line switches are in effect"));
        }
        link.call(None, "Browser.setDownloadBehavior", json!({ "behavior": "deny" })).await?;
        let page_target = String::from(client.window().await.map_err(|error| StartError::Session(error.to_string()))?);
        let page_session = attach(&link, &page_target).await?;
        let version = capabilities.get("browserVersion").and_then(Value::as_str).unwrap_or("unknown").to_owned();
        Ok(Self { client, link, page_target, page_session, version, chromium, driver, scratch_dir: launch.scratch_dir.clone() })
    }

    /// The WebDriver session. For actions and navigation; page content is read over the link only.
    #[must_use]
    pub const fn client(&self) -> &Client {
        &self.client
    }

    /// The DevTools link.
    #[must_use]
    pub const fn link(&self) -> &Link {
        &self.link
    }

    /// The flat DevTools session for reading the one page. No request is ever paused on it: those of
    /// the fence are its own, so a read never waits behind them.
    #[must_use]
    pub fn page_session(&self) -> &str {
        &self.page_session
    }

    /// The DevTools target id of the one page.
    #[must_use]
    pub fn page_target(&self) -> &str {
        &self.page_target
    }

    /// The browser's version, `156.0.1.2`.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Process ids of the driver and the browser.
    #[must_use]
    pub fn pids(&self) -> [u32; 2] {
        [self.driver.pid(), self.chromium.pid()]
    }

    /// The command line that the browser runs with.
    #[must_use]
    pub fn arguments(&self) -> Vec<String> {
        self.chromium.arguments()
    }

    /// Ends session, browser and driver, and returns when they are gone.
    pub async fn close(self) {
        let Self { client, link, chromium, driver, scratch_dir, .. } = self;
        let limit = Duration::from_secs(CLOSE_SECS_MAX);
        if link.is_lost() {
            // Nothing fences it any more: it gets no chance to send another request.
            chromium.kill(limit).await;
        } else {
            // Both are tried, since either may hang; what counts is the end by id.
            drop(tokio::time::timeout(limit, client.close()).await);
            link.give_up();
            chromium.end(limit).await;
        }
        driver.end().await;
        for left in running::working_in(&scratch_dir) {
            left.kill(limit).await;
        }
    }
}

/// The argument by which a driver is known to be a lease's: part of its address, so that nobody who
/// does not know it can talk to the driver either.
#[must_use]
pub fn mark(scratch_dir: &Path, profile_dir: &Path) -> String {
    format!("--url-base={}", base(scratch_dir, profile_dir))
}

fn base(scratch_dir: &Path, profile_dir: &Path) -> String {
    let digest: [u8; 32] = Sha256::new()
        .chain_update(scratch_dir.as_os_str().as_encoded_bytes())
        .chain_update([0])
        .chain_update(profile_dir.as_os_str().as_encoded_bytes())
        .finalize()
        .into();
    digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

async fn open_session(driver: &Driver, launch: &Launch, trusted_key: Option<&str>) -> Result<Client, StartError> {
    let mut connector = HttpConnector::new();
    connector.set_nodelay(true);
    fantoccini::ClientBuilder::new(connector)
        .capabilities(flags::capabilities(launch, trusted_key))
        .connect(&format!("http://127.0.0.1:{}/{}/", driver.port(), base(&launch.scratch_dir, &launch.profile_dir)))
        .await
        .map_err(|error| StartError::Session(first_line(&error.to_string())))
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().chars().take(300).collect()
}

fn debugger_port(capabilities: &fantoccini::wd::Capabilities) -> Option<u16> {
    let address = capabilities.get("goog:chromeOptions")?.get("debuggerAddress")?.as_str()?;
    let (_, port) = address.rsplit_once(':')?;
    port.parse().ok()
}

/// The browser writes port and endpoint path into its profile, which nobody else can write.
async fn endpoint_path(profile_dir: &Path, port: u16) -> Result<String, StartError> {
    let text = tokio::fs::read_to_string(profile_dir.join("DevToolsActivePort"))
        .await
        .map_err(|_| StartError::NotAsTold("it told no DevTools endpoint"))?;
    let mut lines = text.lines();
    match (lines.next().and_then(|line| line.parse::<u16>().ok()), lines.next()) {
        (Some(written), Some(path)) if written == port && path.starts_with("/devtools/browser/") => Ok(path.to_owned()),
        _ => Err(StartError::NotAsTold("another browser uses the profile")),
    }
}

async fn browser_pid(link: &Link) -> Result<u32, StartError> {
    let answer = link.call(None, "SystemInfo.getProcessInfo", json!({})).await?;
    let listed = answer.get("processInfo").and_then(Value::as_array).cloned().unwrap_or_default();
    let browser = listed.iter().find(|entry| entry.get("type").and_then(Value::as_str) == Some("browser"));
    let pid = browser.and_then(|entry| entry.get("id")).and_then(Value::as_u64);
    pid.and_then(|pid| u32::try_from(pid).ok()).ok_or(StartError::NotAsTold("it did not tell its process id"))
}

async fn attach(link: &Link, target: &str) -> Result<String, StartError> {
    let answer = link.call(None, "Target.attachToTarget", json!({ "targetId": target, "flatten": true })).await?;
    let session = answer.get("sessionId").and_then(Value::as_str);
    session.map(str::to_owned).ok_or(StartError::NotAsTold("the page could not be attached"))
}
