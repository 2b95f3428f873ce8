//! The ChromeDriver program: started on a free loopback port, ended by its process id.

use super::{Launch, StartError};
use std::process::Stdio;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, ChildStdout, Command};

/// What ChromeDriver prints before the port it took.
const STARTED: &str = "ChromeDriver was started successfully on port ";
/// Lines of its greeting to read before giving up.
const GREETING_LINES_MAX: usize = 20;
/// Starts to try. ChromeDriver takes a port that is free on one of IPv4 and IPv6 and ends when the
/// other has it in use, which on a machine with many loopback connections is no rare event.
const STARTS_MAX: usize = 16;

/// A running driver. Dropping it ends it.
#[derive(Debug)]
pub(super) struct Driver {
    child: Child,
    pid: u32,
    port: u16,
}

impl Driver {
    /// Starts the driver. It listens on loopback only, which is its default when no `--allowed-ips`
    /// is given (any such list makes it listen on every interface), and takes no request that
    /// carries a web page's Origin.
    pub(super) async fn start(launch: &Launch) -> Result<Self, StartError> {
        let mut last_words = String::new();
        for _ in 0..STARTS_MAX {
            let mut child =
                command(launch).spawn().map_err(|error| StartError::Driver(format!("{}: {error}", launch.chromedriver.display())))?;
            let pid = child.id().ok_or_else(|| StartError::Driver("it ended at once".to_owned()))?;
            let stdout = child.stdout.take().ok_or_else(|| StartError::Driver("it has no output".to_owned()))?;
            match read_port(stdout).await {
                Ok(port) => return Ok(Self { child, pid, port }),
                Err(said) => last_words = said,
            }
        }
        Err(StartError::Driver(format!("it did not tell its port; its last words: \"{}\"", last_words.escape_debug())))
    }

    pub(super) const fn pid(&self) -> u32 {
        self.pid
    }

    pub(super) const fn port(&self) -> u16 {
        self.port
    }

    /// Ends the driver and waits for it.
    pub(super) async fn end(mut self) {
        // An error means that it is gone already.
        drop(self.child.kill().await);
    }
}

fn command(launch: &Launch) -> Command {
    let mut command = Command::new(&launch.chromedriver);
    command
        .args(["--port=0", "--allowed-origins=https://nobody.invalid"])
        .arg(super::mark(&launch.scratch_dir, &launch.profile_dir))
        // The browser inherits this environment: no token, no database URL, no proxy setting.
        .env_clear()
        .env("PATH", "/usr/local/bin:/usr/bin:/bin")
        .env("LANG", "C.UTF-8")
        .env("HOME", &launch.scratch_dir)
        .env("TMPDIR", &launch.scratch_dir)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        // Its own group, so that an interrupt at the terminal reaches the runtime alone, which then
        // ends its browsers in order.
        .process_group(0)
        .kill_on_drop(true);
    command
}

/// The port that a driver tells, or its last words before it ended.
async fn read_port(stdout: ChildStdout) -> Result<u16, String> {
    let mut lines = BufReader::new(stdout).lines();
    let mut last = String::new();
    for _ in 0..GREETING_LINES_MAX {
        let Some(line) = lines.next_line().await.map_err(|error| error.to_string())? else { break };
        let port = line.strip_prefix(STARTED).and_then(|rest| rest.trim_end_matches('.').parse().ok());
        if let Some(port) = port {
            tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
            return Ok(port);
        }
        last = line;
    }
    Err(last)
}
