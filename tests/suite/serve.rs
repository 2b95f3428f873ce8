//! Starting and ending `hallpass serve`: what is wrong is said in one line with what to do, and
//! nothing is left behind.

use hallpass_tests::deployment::Chat;
use hallpass_tests::served::{Served, hallpass};
use reqwest::StatusCode;
use serde_json::{Value, json};
use std::path::Path;
use std::process::Output;
use tempfile::TempDir;
use tokio::time::{Duration, Instant};

/// How long what must vanish may take.
const VANISH_SECS_MAX: u64 = 30;

async fn refused(settings: &[(&str, &str)], arguments: &[&str]) -> (Option<i32>, String) {
    let folder = TempDir::new().expect("a folder");
    let output: Output = hallpass(folder.path(), settings).args(arguments).output().await.expect("it runs");
    let lines = String::from_utf8_lossy(&output.stderr).into_owned();
    let last = lines.lines().rfind(|line| line.starts_with("hallpass: ")).unwrap_or_default().to_owned();
    (output.status.code(), last)
}

/// SCP-2: a refused scope ends the start with status 2 and names the entry.
#[tokio::test]
async fn a_refused_scope_is_named() {
    let on = ("BROWSER_TASK_GRANTS_ENABLED", "1");
    let (status, message) = refused(&[on, ("BROWSER_TASK_GRANT_SCOPES", "https://127.0.0.1/lesson")], &["serve"]).await;
    assert_eq!(status, Some(2), "{message}");
    assert!(message.contains("`https://127.0.0.1/lesson`"), "{message}");
    let scope = ("BROWSER_TASK_GRANT_SCOPES", "https://www.example.com/lesson");
    assert_eq!(refused(&[on, scope], &["serve", "--check"]).await.0, Some(0));
}

/// A port that is taken, a database that cannot be opened and a browser that is missing each end
/// the start with one line.
#[tokio::test]
async fn what_is_missing_is_said() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("its address").to_string();
    let (status, message) = refused(&[("HALLPASS_LISTEN", &address)], &["serve"]).await;
    assert!(status == Some(1) && message.contains("HALLPASS_LISTEN") && message.contains(&address), "{message}");

    let database = ("HALLPASS_DATABASE_URL", "sqlite:///nowhere/at/all/hallpass.db");
    let (status, message) = refused(&[("HALLPASS_LISTEN", "127.0.0.1:0"), database], &["serve"]).await;
    assert!(status.is_some_and(|status| status != 0) && message.contains("/nowhere/at/all"), "{message}");

    let browser = ("CHROMIUM", "/nowhere/chromium");
    let (status, message) = refused(&[("HALLPASS_LISTEN", "127.0.0.1:0"), browser], &["serve"]).await;
    assert!(status == Some(1) && message.contains("runtime"), "{message}");
}

/// Command lines of processes that name a folder.
fn processes_of(folder: &Path) -> Vec<String> {
    let needle = folder.to_string_lossy().into_owned();
    let all = std::fs::read_dir("/proc").expect("/proc").flatten();
    let lines = all.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " ")).filter(|line| line.contains(&needle)).collect()
}

async fn vanish(folder: &Path) {
    let deadline = Instant::now() + Duration::from_secs(VANISH_SECS_MAX);
    let mut tick = tokio::time::interval(Duration::from_millis(100));
    loop {
        let left = processes_of(folder);
        if left.is_empty() {
            return;
        }
        assert!(Instant::now() < deadline, "left behind: {left:?}");
        tick.tick().await;
    }
}

/// Environments of the runtimes that keep their state below a folder.
fn runtime_environments(folder: &Path) -> Vec<String> {
    let all = std::fs::read_dir("/proc").expect("/proc").flatten();
    let found = all.filter_map(|entry| {
        let line = std::fs::read(entry.path().join("cmdline")).ok()?;
        let environment = std::fs::read(entry.path().join("environ")).ok()?;
        let environment = String::from_utf8_lossy(&environment).into_owned();
        let is_ours = String::from_utf8_lossy(&line).contains("hallpass-runtime") && environment.contains(&*folder.to_string_lossy());
        is_ours.then_some(environment)
    });
    found.collect()
}

async fn with_a_browser() -> (api::lesson_site::LessonSite, Served, Chat, Value) {
    let site = api::lesson_site::LessonSite::start(0).await.expect("the lesson site");
    let served = Served::start(&format!("{}/lesson", site.origin())).await;
    let chat = served.chat(&site.origin()).await;
    let url = json!({"url": format!("{}/lesson", site.origin())});
    let opened = chat.done("browser.navigate", url.clone()).await;
    assert_eq!(opened["outcome"], "completed", "{opened}");
    (site, served, chat, url)
}

/// RUN-1: the runtime is a process of its own without the database's address, and it ends with the
/// control plane, browsers included: by an orderly stop, and when the control plane is killed.
#[tokio::test(flavor = "multi_thread")]
async fn the_runtime_knows_no_database_and_leaves_with_its_parent() {
    for orderly in [true, false] {
        let (_site, served, _chat, _url) = with_a_browser().await;
        let folder = served.folder().to_owned();
        let environments = runtime_environments(&folder);
        assert_eq!(environments.len(), 1, "one runtime");
        assert!(!environments.iter().any(|environment| environment.contains("DATABASE_URL")), "the runtime sees the database");
        assert!(!processes_of(&folder).is_empty(), "a browser with a profile below the folder");
        if orderly {
            served.stop().await;
            vanish(&folder).await;
        } else {
            let kept = served.kill().await;
            vanish(kept.path()).await;
        }
    }
}

/// AUT-7: when the runtime dies, a call ends as refused or unknown, and a new runtime takes over.
#[tokio::test(flavor = "multi_thread")]
async fn a_new_runtime_takes_over() {
    let (_site, served, chat, url) = with_a_browser().await;
    let runtime = child_of(served.pid(), "hallpass-runtime").expect("a runtime");
    let killed = std::process::Command::new("kill").args(["-KILL", &runtime.to_string()]).status().expect("kill runs");
    assert!(killed.success());
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let call = chat.propose("browser.navigate", url.clone()).await.expect(StatusCode::OK);
        if call["outcome"] == "completed" {
            break;
        }
        assert!(["refused", "unknown"].contains(&call["outcome"].as_str().unwrap_or_default()), "{call}");
        assert!(Instant::now() < deadline, "no new runtime: {call}");
    }
    served.stop().await;
}

fn child_of(parent: u32, name: &str) -> Option<u32> {
    let mut all = std::fs::read_dir("/proc").ok()?.flatten();
    all.find_map(|entry| {
        let pid: u32 = entry.file_name().to_string_lossy().parse().ok()?;
        let stat = std::fs::read_to_string(entry.path().join("stat")).ok()?;
        let line = std::fs::read(entry.path().join("cmdline")).ok()?;
        // The fields after the name, which may hold blanks itself: state, parent.
        let of = stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse::<u32>().ok()?;
        (of == parent && String::from_utf8_lossy(&line).contains(name)).then_some(pid)
    })
}
