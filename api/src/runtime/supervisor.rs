//! Starts the runtime as a process of its own and keeps one running. The child gets a short list of
//! variables and never the database's address (RUN-1), and ends when its parent does.

use super::client::Endpoint;
use crate::random::random_token;
use serde::Deserialize;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;
use thiserror::Error;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, ChildStdin, Command};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use url::Url;

/// Variables that the runtime may see: where to find programs, a home, a language, its own
/// settings. Everything else, the database's address first, stays here.
const PASSED_ON: [&str; 9] =
    ["PATH", "HOME", "TMPDIR", "LANG", "RUST_LOG", "CHROMIUM", "CHROMEDRIVER", "HALLPASS_RUNTIME_STATE", "XDG_RUNTIME_DIR"];
/// The runtime starts a browser and tests itself before it listens.
const START_SECS_MAX: u64 = 90;
/// Pause before a runtime that ended is started again, doubled up to the longest.
const RESTART_PAUSE: Duration = Duration::from_millis(500);
const RESTART_PAUSE_MAX: Duration = Duration::from_secs(30);
/// Time for the runtime to close its browsers once its standard input ends.
const STOP_SECS_MAX: u64 = 20;

/// Why no runtime could be started.
#[derive(Debug, Error)]
pub enum StartError {
    /// The program is not there.
    #[error("`{}` is missing; build it with `cargo build -p hallpass-browser-runtime` or set HALLPASS_RUNTIME_URL", .0.display())]
    Missing(PathBuf),
    /// It ended before it listened; its own message is on standard error.
    #[error("the browser runtime did not start; its message is above")]
    Ended,
    /// It took too long.
    #[error("the browser runtime did not answer within {START_SECS_MAX} seconds")]
    TooSlow,
}

/// A runtime that is kept running until this value is stopped or dropped.
pub struct Supervisor {
    endpoint: watch::Receiver<Option<Endpoint>>,
    stop: watch::Sender<bool>,
    watcher: JoinHandle<()>,
}

/// A runtime that runs. Its standard input is kept here, because waiting for a child closes the
/// child's own: the end of this input is what tells the runtime to end.
struct Running {
    child: Child,
    stdin: Option<ChildStdin>,
}

/// What is started.
struct Program {
    path: PathBuf,
    dev_allow_loopback: bool,
}

#[derive(Deserialize)]
struct Listening {
    listening: String,
}

impl Supervisor {
    /// Starts the runtime and waits until it listens.
    ///
    /// # Errors
    /// As told by [`StartError`].
    pub async fn start(program: PathBuf, dev_allow_loopback: bool) -> Result<Self, StartError> {
        let program = Program { path: program, dev_allow_loopback };
        let (running, endpoint) = launch(&program).await?;
        let (publish, endpoint) = watch::channel(Some(endpoint));
        let (stop, stopped) = watch::channel(false);
        let watcher = tokio::spawn(keep_running(program, running, publish, stopped));
        Ok(Self { endpoint, stop, watcher })
    }

    /// Where the runtime is; follows restarts.
    #[must_use]
    pub fn endpoint(&self) -> watch::Receiver<Option<Endpoint>> {
        self.endpoint.clone()
    }

    /// Ends the runtime and waits until it is gone.
    pub async fn stop(self) {
        let _ = self.stop.send(true);
        if self.watcher.await.is_err() {
            tracing::warn!("the watcher of the browser runtime ended abnormally");
        }
    }
}

/// The runtime's program: beside this one.
///
/// # Errors
/// When this program does not know where it is.
pub fn beside_this_program() -> std::io::Result<PathBuf> {
    Ok(std::env::current_exe()?.with_file_name("hallpass-runtime"))
}

async fn launch(program: &Program) -> Result<(Running, Endpoint), StartError> {
    let token = random_token();
    let mut command = Command::new(&program.path);
    command.arg("serve").arg("--exit-with-parent").env_clear();
    for name in PASSED_ON {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    command.env("HALLPASS_RUNTIME_TOKEN", &token).env("HALLPASS_RUNTIME_LISTEN", "127.0.0.1:0");
    if program.dev_allow_loopback {
        command.env("HALLPASS_DEV_ALLOW_LOOPBACK_SCOPES", "1");
    }
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
    let mut child = command.spawn().map_err(|_| StartError::Missing(program.path.clone()))?;
    let stdin = child.stdin.take();
    let mut lines = BufReader::new(child.stdout.take().ok_or(StartError::Ended)?).lines();
    let first_line = tokio::time::timeout(Duration::from_secs(START_SECS_MAX), lines.next_line());
    let line = first_line.await.map_err(|_| StartError::TooSlow)?.ok().flatten();
    let listening: Listening = line.and_then(|line| serde_json::from_str(&line).ok()).ok_or(StartError::Ended)?;
    let url = Url::parse(&format!("http://{}/", listening.listening)).map_err(|_| StartError::Ended)?;
    // It prints one line only; reading on keeps its output open and shows when it is gone.
    tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
    Ok((Running { child, stdin }, Endpoint { url, token }))
}

async fn keep_running(
    program: Program,
    mut running: Running,
    publish: watch::Sender<Option<Endpoint>>,
    mut stopped: watch::Receiver<bool>,
) {
    let mut pause = RESTART_PAUSE;
    loop {
        tokio::select! {
            _ = stopped.changed() => return end(running).await,
            _ = running.child.wait() => {}
        }
        publish.send_replace(None);
        tracing::error!("the browser runtime ended; starting it again");
        running = loop {
            tokio::select! {
                _ = stopped.changed() => return,
                () = tokio::time::sleep(pause) => {}
            }
            pause = (pause * 2).min(RESTART_PAUSE_MAX);
            match launch(&program).await {
                Ok((restarted, endpoint)) => {
                    publish.send_replace(Some(endpoint));
                    pause = RESTART_PAUSE;
                    break restarted;
                }
                Err(error) => tracing::error!(%error, "the browser runtime did not come back"),
            }
        };
    }
}

/// Closes the child's standard input, which tells it to end, and waits; kills it only if it hangs.
async fn end(mut running: Running) {
    drop(running.stdin.take());
    let mut child = running.child;
    if tokio::time::timeout(Duration::from_secs(STOP_SECS_MAX), child.wait()).await.is_err() {
        tracing::error!("the browser runtime did not end in time and is killed");
        if child.kill().await.is_err() {
            tracing::error!("the browser runtime could not be killed");
        }
    }
}
