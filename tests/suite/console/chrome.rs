//! A Chromium of the test's own, ended by process id however the test goes.

use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Map, json};
use std::process::Stdio;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};

/// What ChromeDriver prints before the port it took.
const STARTED: &str = "ChromeDriver was started successfully on port ";

/// Runs `steps` with a fresh browser. The browser is closed before a failure goes on.
pub(super) async fn with_browser<F>(steps: impl FnOnce(Client) -> F)
where
    F: Future<Output = ()> + Send + 'static,
{
    let folder = TempDir::new().unwrap();
    let (mut driver, port) = start_driver(&folder).await;
    let client = match open(port, &folder).await {
        Ok(client) => client,
        Err(error) => {
            driver.kill().await.unwrap();
            panic!("Chromium did not start: {error}");
        }
    };
    let ended = tokio::spawn(steps(client.clone())).await;
    let closed = client.close().await;
    driver.kill().await.unwrap();
    if let Err(failure) = ended {
        std::panic::resume_unwind(failure.into_panic());
    }
    closed.unwrap();
}

async fn start_driver(folder: &TempDir) -> (Child, u16) {
    let mut command = Command::new("/usr/bin/chromedriver");
    command.arg("--port=0").env("HOME", folder.path()).env("TMPDIR", folder.path());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).kill_on_drop(true);
    let mut driver = command.spawn().expect("chromedriver starts; `make test` installs it");
    let mut lines = BufReader::new(driver.stdout.take().unwrap()).lines();
    while let Some(line) = lines.next_line().await.unwrap() {
        if let Some(port) = line.strip_prefix(STARTED) {
            return (driver, port.trim_end_matches('.').parse().unwrap());
        }
    }
    panic!("chromedriver ended without a port");
}

async fn open(port: u16, folder: &TempDir) -> Result<Client, fantoccini::error::NewSessionError> {
    let profile = format!("--user-data-dir={}", folder.path().join("profile").display());
    // Chromium refuses to run as root with its sandbox; it only sees our own pages here.
    let arguments =
        ["--headless=new", "--no-sandbox", "--disable-background-networking", "--no-first-run", "--window-size=1200,900", &profile];
    let mut capabilities = Map::new();
    capabilities.insert("goog:chromeOptions".to_owned(), json!({"binary": "/usr/bin/chromium", "args": arguments}));
    let mut builder = ClientBuilder::new(HttpConnector::new());
    builder.capabilities(capabilities);
    builder.connect(&format!("http://127.0.0.1:{port}")).await
}
