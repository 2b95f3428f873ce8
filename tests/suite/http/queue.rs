//! The queue of a session.

use hallpass_tests::deployment::{Chat, Deployment, Kind, text};
use hallpass_tests::scripted_runtime::Reply;
use reqwest::StatusCode;
use serde_json::json;
use std::time::Duration;

/// Threat G9: behind a running call 16 wait, the next is told to come back; all that were taken run,
/// in the order in which they were taken, and another session is not held up.
#[tokio::test(flavor = "multi_thread")]
async fn sixteen_calls_wait_and_no_more() {
    let deployment = Deployment::start(Kind::Sqlite).await.unwrap();
    let chat = Chat::open(&deployment).await;
    let other = Chat::open(&deployment).await;
    deployment.runtime.reply(Reply::Hang);
    let propose = |chat: &Chat| {
        let chat = chat.clone();
        tokio::spawn(async move { chat.propose("browser.observe", json!({})).await })
    };
    let running = propose(&chat);
    deployment.runtime.until(|runtime| runtime.calls() == 1).await.unwrap();
    let waiting: Vec<_> = (0..16).map(|_| propose(&chat)).collect();
    let activity = format!("/v1/sessions/{}/activity", chat.session);
    let recorded = async { while chat.owner.all(&activity).await.len() < 17 {} };
    tokio::time::timeout(Duration::from_secs(20), recorded).await.expect("17 calls");
    let replied = chat.propose("browser.observe", json!({})).await;
    replied.is_problem(429, "session_queue_full");
    assert_eq!(replied.headers["retry-after"], "1");
    assert_eq!(text(&other.done("browser.observe", json!({})).await, "outcome"), "completed");
    assert_eq!(deployment.runtime.calls(), 2, "the session's own calls wait their turn");
    deployment.runtime.release();
    for call in [running].into_iter().chain(waiting) {
        assert_eq!(text(&call.await.unwrap().expect(StatusCode::OK), "outcome"), "completed");
    }
    let rows = chat.owner.all(&activity).await;
    assert_eq!(rows.len(), 17, "the refused one was not taken");
    let ended: Vec<String> = rows.iter().map(|row| text(row, "finished_at")).collect();
    assert!(ended.is_sorted_by(|a, b| a >= b), "newest first, so the last taken ended last");
    let again = chat.done("browser.observe", json!({})).await;
    assert_eq!(text(&again, "outcome"), "completed");
    assert_eq!(deployment.runtime.violations(), Vec::<String>::new());
}
