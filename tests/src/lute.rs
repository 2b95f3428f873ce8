//! Lute v3, a reading app that nobody here wrote, run for a test: in a virtual environment of its
//! own, on its sample books in a private folder, behind HTTPS on loopback.
//!
//! What its pages look like to an agent is written in `tests/lute/README.md`.

mod environment;
mod proxy;

use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;
use tempfile::TempDir;
use tokio::process::{Child, Command};

/// Time from the start of the program to its first answer: it makes its database and loads the
/// sample books first, about two seconds on an idle machine.
const START_SECS_MAX: u64 = 60;
/// Pause between two looks at whether it answers.
const LOOK_PAUSE: Duration = Duration::from_millis(100);
/// Attempts at starting: the free port found may be taken by another program in between.
const ATTEMPTS_MAX: usize = 3;

/// A running Lute. Dropping it ends the program and removes its folder.
#[derive(Debug)]
pub struct Lute {
    proxy: proxy::Proxy,
    inner: String,
    tutorial: String,
    _program: Child,
    folder: TempDir,
}

impl Lute {
    /// Starts Lute on fresh sample books. The first start of all makes the virtual environment,
    /// which needs the package index and takes about half a minute.
    ///
    /// # Errors
    /// Says in words what is missing. A test must fail with them, never pass without Lute.
    pub async fn start() -> Result<Self, String> {
        let python = environment::python().await?;
        let mut reason = String::new();
        for _ in 0..ATTEMPTS_MAX {
            match Self::attempt(&python).await {
                Ok(lute) => return Ok(lute),
                Err(error) => reason = error,
            }
        }
        Err(reason)
    }

    async fn attempt(python: &Path) -> Result<Self, String> {
        let folder = tempfile::tempdir().map_err(|error| format!("no folder for Lute: {error}"))?;
        let (mut program, inner) = launch(python, folder.path())?;
        let front = first_answer(&mut program, &inner, folder.path()).await?;
        let tutorial = tutorial_of(&front).ok_or("Lute's front page names no tutorial; were its sample books loaded?")?;
        let proxy = proxy::Proxy::start(inner.clone()).await?;
        Ok(Self { proxy, inner, tutorial, _program: program, folder })
    }

    /// `https://127.0.0.1:PORT`, without a trailing slash.
    #[must_use]
    pub fn origin(&self) -> String {
        self.proxy.origin()
    }

    /// Where Lute itself listens, without TLS: for a test to look behind the browser's back.
    #[must_use]
    pub fn inner_origin(&self) -> &str {
        &self.inner
    }

    /// The path of the sample book "Tutorial", five pages long: `/read/5` or another number, since
    /// the books are numbered in the order in which the folder lists them.
    #[must_use]
    pub fn tutorial(&self) -> &str {
        &self.tutorial
    }

    /// Method and path of the requests that came through the HTTPS side, oldest first.
    #[must_use]
    pub fn requests(&self) -> Vec<String> {
        self.proxy.requests()
    }

    /// The backups that were made: a control outside the scope makes one.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn backups(&self) -> std::io::Result<usize> {
        let files = std::fs::read_dir(self.folder.path().join("backups"))?;
        Ok(files.filter_map(Result::ok).filter(|file| file.path().extension().is_some_and(|kind| kind == "gz")).count())
    }
}

fn launch(python: &Path, folder: &Path) -> Result<(Child, String), String> {
    let told = |error: std::io::Error| format!("Lute cannot be started: {error}");
    let settings = format!("ENV: prod\nDBNAME: lute.db\nDATAPATH: {0}/books\nBACKUP_PATH: {0}/backups\n", folder.display());
    std::fs::create_dir(folder.join("backups")).map_err(told)?;
    std::fs::write(folder.join("lute.yml"), settings).map_err(told)?;
    let log = std::fs::File::create(folder.join("lute.log")).map_err(told)?;
    let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|free| free.local_addr()).map_err(told)?.port();
    let program = Command::new(python)
        .args(["-m", "lute.main", "--local", "--config", "lute.yml", "--port", &port.to_string()])
        .current_dir(folder)
        .env("HOME", folder)
        .stdin(Stdio::null())
        .stdout(log.try_clone().map_err(told)?)
        .stderr(log)
        .kill_on_drop(true)
        .spawn()
        .map_err(told)?;
    Ok((program, format!("http://127.0.0.1:{port}")))
}

/// Waits until the front page comes, and gives it.
async fn first_answer(program: &mut Child, inner: &str, folder: &Path) -> Result<String, String> {
    let told = || std::fs::read_to_string(folder.join("lute.log")).unwrap_or_default();
    let mut look = tokio::time::interval(LOOK_PAUSE);
    let answering = async {
        loop {
            look.tick().await;
            if let Ok(Some(status)) = program.try_wait() {
                return Err(format!("Lute ended with {status}: {}", told()));
            }
            if let Ok(answer) = reqwest::get(inner).await.and_then(reqwest::Response::error_for_status) {
                return answer.text().await.map_err(|error| error.to_string());
            }
        }
    };
    let late = |_| format!("Lute did not answer within {START_SECS_MAX} seconds: {}", told());
    tokio::time::timeout(Duration::from_secs(START_SECS_MAX), answering).await.map_err(late)?
}

/// The front page links the tutorial as `/read/5/page/1`.
fn tutorial_of(front: &str) -> Option<String> {
    let (before, _) = front.split_once("/page/1\"")?;
    let (_, number) = before.rsplit_once("/read/")?;
    number.bytes().all(|byte| byte.is_ascii_digit()).then(|| format!("/read/{number}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fixture gives a book that can be read, and nothing has been backed up yet.
    #[tokio::test]
    async fn its_sample_book_is_there() {
        let lute = Lute::start().await.unwrap();
        let page = reqwest::get(format!("{}{}", lute.inner_origin(), lute.tutorial())).await.unwrap();
        assert!(page.status().is_success());
        assert!(page.text().await.unwrap().contains("Reading &quot;Tutorial&quot;"));
        assert_eq!(lute.backups().unwrap(), 0);
        assert!(lute.requests().is_empty(), "nothing came through the HTTPS side");
    }
}
