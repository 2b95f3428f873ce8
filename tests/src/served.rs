//! The built `hallpass serve` as a process of its own, with a real runtime and a real browser.
#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use crate::binaries::binary;
use crate::deployment::{Chat, Client, text};
use reqwest::StatusCode;
use serde_json::json;
use std::net::SocketAddr;
use std::path::Path;
use std::process::Stdio;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::time::{Duration, timeout};

/// Longest wait for the first line: the runtime tests itself in a browser first.
const START_SECS_MAX: u64 = 120;
/// Longest wait for an orderly end.
const STOP_SECS_MAX: u64 = 40;
/// Every scope of an owner.
const OWNER: &str =
    "session.write,approval.read,approval.resolve,browser.grant.read,browser.grant.write,browser.profile.write,activity.read,audit.read";

/// A control plane that serves.
#[derive(Debug)]
pub struct Served {
    /// Where it listens.
    pub address: SocketAddr,
    child: Child,
    folder: TempDir,
}

/// A command of the built program with nothing of the caller's settings in its environment.
#[must_use]
pub fn hallpass(folder: &Path, settings: &[(&str, &str)]) -> Command {
    let mut command = Command::new(binary("hallpass"));
    for (name, _) in std::env::vars() {
        if name.starts_with("HALLPASS_") || name.starts_with("BROWSER_") {
            command.env_remove(name);
        }
    }
    command.env("HALLPASS_DATABASE_URL", format!("sqlite://{}", folder.join("hallpass.db").display()));
    command.env("HALLPASS_RUNTIME_STATE", folder.join("runtime")).current_dir(folder);
    command.envs(settings.iter().copied()).stdin(Stdio::null()).kill_on_drop(true);
    command
}

impl Served {
    /// Starts it with task grants in one loopback scope.
    ///
    /// # Panics
    /// When it does not start.
    pub async fn start(scope: &str) -> Self {
        let folder = TempDir::new().expect("a folder");
        let settings = [
            ("HALLPASS_LISTEN", "127.0.0.1:0"),
            ("HALLPASS_DEV_ALLOW_LOOPBACK_SCOPES", "1"),
            ("BROWSER_TASK_GRANTS_ENABLED", "1"),
            ("BROWSER_TASK_GRANT_SCOPES", scope),
        ];
        let mut child = hallpass(folder.path(), &settings).arg("serve").stdout(Stdio::piped()).spawn().expect("it starts");
        let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
        let first = timeout(Duration::from_secs(START_SECS_MAX), lines.next_line()).await.expect("a line in time");
        let first = first.expect("its output").expect("it did not start; its message is above");
        let address = first.strip_prefix("Hallpass listens on http://").expect("the address").parse().expect("the address");
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        Self { address, child, folder }
    }

    /// Its process id.
    ///
    /// # Panics
    /// When it ended already.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.child.id().expect("it runs")
    }

    /// The folder with its database and the runtime's state.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// A new token of the tenant `test`, made by `hallpass token create` beside the running server.
    ///
    /// # Panics
    /// When none is made.
    pub async fn token(&self, scopes: &str) -> Client {
        let arguments = ["token", "create", "--name", "test", "--scopes", scopes, "--tenant", "test"];
        let output = hallpass(self.folder.path(), &[]).args(arguments).output().await.expect("it runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let printed = String::from_utf8(output.stdout).expect("text");
        Client::new(self.address, printed.lines().last().expect("the secret is the last line"))
    }

    /// Opens a chat that may go to one origin.
    pub async fn chat(&self, origin: &str) -> Chat {
        let (owner, agent) = (self.token(OWNER).await, self.token("session.write,tool.call").await);
        let profile = owner.post("/v1/browser-profiles", json!({"name": "Reader"})).await.expect(StatusCode::CREATED);
        let profile = text(&profile, "id");
        let body = json!({"surface": "chat", "profile_id": profile, "allowed_origins": [origin]});
        let session = text(&owner.post("/v1/sessions", body).await.expect(StatusCode::CREATED), "id");
        let mut chat = Chat { owner, agent, profile, session, run: String::new() };
        chat.say("Read with me, please").await;
        chat.start_run().await;
        chat
    }

    /// Asks it to end and waits until it did.
    ///
    /// # Panics
    /// When it does not end.
    pub async fn stop(mut self) {
        let pid = self.pid().to_string();
        let sent = Command::new("kill").args(["-TERM", &pid]).status().await.expect("kill runs");
        assert!(sent.success());
        let ended = timeout(Duration::from_secs(STOP_SECS_MAX), self.child.wait()).await.expect("it ends in time");
        assert!(ended.expect("it ended").success());
    }

    /// Kills it without a chance to clean up, and leaves its folder to the caller.
    ///
    /// # Panics
    /// When it cannot be killed.
    pub async fn kill(mut self) -> TempDir {
        self.child.kill().await.expect("it can be killed");
        self.folder
    }
}
