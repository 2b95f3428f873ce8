//! Starting a browser when ChromeDriver has bad luck with its port.

use crate::bench::launch;
use browser_runtime::driver::Browser;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A driver that ends in the words of ChromeDriver without a port while the condition holds, and is
/// ChromeDriver otherwise. It notes each start in `starts`.
fn unlucky_driver(dir: &Path, real: &Path, condition: &str) -> PathBuf {
    let starts = dir.join("starts");
    let script = format!(
        "#!/bin/sh\necho x >> {starts}\nif {condition}; then echo 'IPv4 port not available. Exiting...'; exit 1; fi\nexec {real} \"$@\"\n",
        starts = starts.display(),
        real = real.display(),
    );
    let path = dir.join("unlucky-chromedriver");
    // Written by a program of its own: a descriptor open for writing in this one could be inherited by
    // whatever another test starts meanwhile, and the script would be "busy".
    let write = r#"printf %s "$1" > "$2" && chmod 700 "$2""#;
    assert!(Command::new("sh").args(["-c", write, "sh", &script]).arg(&path).status().unwrap().success());
    path
}

/// The driver takes a port on IPv6 and ends when IPv4 has it in use: a browser comes up all the same.
#[tokio::test(flavor = "multi_thread")]
async fn a_taken_port_is_no_reason_to_give_up() {
    let dir = TempDir::new().unwrap();
    let mut launch = launch(&dir);
    let condition = format!("[ $(wc -l < {}) -lt 3 ]", dir.path().join("starts").display());
    launch.chromedriver = unlucky_driver(dir.path(), &launch.chromedriver, &condition);
    let browser = Browser::start(&launch).await.unwrap();
    assert_eq!(std::fs::read_to_string(dir.path().join("starts")).unwrap().lines().count(), 3);
    browser.close().await;
}

/// A driver that never gets a port is given up, and its last words are told.
#[tokio::test(flavor = "multi_thread")]
async fn the_last_words_of_a_driver_are_told() {
    let dir = TempDir::new().unwrap();
    let mut launch = launch(&dir);
    launch.chromedriver = unlucky_driver(dir.path(), &launch.chromedriver, "true");
    let refused = Browser::start(&launch).await.unwrap_err().to_string();
    assert!(refused.contains("IPv4 port not available. Exiting..."), "{refused}");
}
