//! The Python virtual environment that Lute is installed in, made once and kept below `target`.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use tokio::process::Command;
use tokio::sync::OnceCell;

const REQUIREMENTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/lute/requirements.txt");

/// The interpreter of the environment, made first if it is not there.
///
/// # Errors
/// Says in words what is missing.
pub(super) async fn python() -> Result<PathBuf, String> {
    static PYTHON: OnceCell<Result<PathBuf, String>> = OnceCell::const_new();
    PYTHON.get_or_init(find_or_make).await.clone()
}

async fn find_or_make() -> Result<PathBuf, String> {
    let home = home();
    let python = home.join("bin/python");
    if has_lute(&python).await {
        return Ok(python);
    }
    // Made beside its place and moved there whole: another test process may do the same.
    let draft = home.with_extension(format!("draft-{}", std::process::id()));
    let made = make(&draft).await;
    if made.is_ok() && !home.exists() {
        let _ = std::fs::rename(&draft, &home);
    }
    let _ = std::fs::remove_dir_all(&draft);
    made?;
    if has_lute(&python).await { Ok(python) } else { Err(format!("{} holds no usable Lute; remove that folder", home.display())) }
}

/// `HALLPASS_TEST_VENV`, or a folder below the build's own.
fn home() -> PathBuf {
    if let Some(named) = std::env::var_os("HALLPASS_TEST_VENV") {
        return named.into();
    }
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../target"), PathBuf::from);
    target.join("lute-environment")
}

async fn has_lute(python: &Path) -> bool {
    let mut asked = Command::new(python);
    asked.args(["-c", "import lute.main"]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    asked.status().await.is_ok_and(|status| status.success())
}

async fn make(folder: &Path) -> Result<(), String> {
    if let Some(around) = folder.parent() {
        std::fs::create_dir_all(around).map_err(|error| format!("cannot make {}: {error}", around.display()))?;
    }
    run(Command::new("python3").args(["-m", "venv"]).arg(folder), "python3 -m venv failed (package python3-venv)").await?;
    let mut install = Command::new(folder.join("bin/python"));
    install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes", "-r", REQUIREMENTS]);
    run(&mut install, "Lute could not be installed from the package index").await
}

async fn run(command: &mut Command, failure: &str) -> Result<(), String> {
    let output = command.stdin(Stdio::null()).output().await.map_err(|error| format!("{failure}: {error}"))?;
    if output.status.success() { Ok(()) } else { Err(format!("{failure}: {}", String::from_utf8_lossy(&output.stderr))) }
}
