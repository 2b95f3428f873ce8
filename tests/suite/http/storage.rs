//! A database that another process keeps locked.

use hallpass_tests::deployment::{Chat, Deployment, Kind, text};
use hallpass_tests::scripted_runtime::{Page, Reply};
use reqwest::{Method, StatusCode};
use serde_json::json;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _, Executor as _, SqliteConnection};
use std::str::FromStr as _;
use std::time::Duration;

/// Locks the database as another process would.
async fn lock(deployment: &Deployment) -> SqliteConnection {
    let mut other = SqliteConnectOptions::from_str(&deployment.settings.database_url).unwrap().connect().await.unwrap();
    other.execute("BEGIN IMMEDIATE").await.unwrap();
    other
}

/// EVT-2: a locked database is a clear answer, not a crash and not half a command; reading goes on;
/// the same command works once the lock is gone.
#[tokio::test(flavor = "multi_thread")]
async fn a_locked_database_is_a_clear_answer() {
    let mut deployment = Deployment::start(Kind::Sqlite).await.unwrap();
    deployment.busy_wait = Duration::from_millis(200);
    deployment.restart().await.unwrap();
    let locked = lock(&deployment).await;
    let refused = deployment.owner.post_as("key", "/v1/browser-profiles", json!({"name": "Main"})).await;
    refused.is_problem(503, "storage_unavailable");
    assert_eq!(refused.headers["retry-after"], "1");
    deployment.owner.post("/v1/browser-profiles", json!({"name": "Main"})).await.is_problem(503, "storage_unavailable");
    assert!(deployment.owner.all("/v1/audit/events").await.is_empty());
    locked.close().await.unwrap();
    let _ = deployment.owner.post_as("key", "/v1/browser-profiles", json!({"name": "Main"})).await.expect(StatusCode::CREATED);
    assert_eq!(deployment.owner.all("/v1/audit/events").await.len(), 1);
}

/// AUT-7: an act that ended while the database was locked is told as what it was, once it can be.
#[tokio::test(flavor = "multi_thread")]
async fn an_end_waits_for_the_database() {
    let mut deployment = Deployment::start(Kind::Sqlite).await.unwrap();
    deployment.busy_wait = Duration::from_millis(200);
    deployment.restart().await.unwrap();
    deployment.runtime.show(Page::lesson());
    let chat = Chat::open(&deployment).await;
    let _ = chat.granted().await;
    let revision = chat.observe().await.revision;
    deployment.runtime.reply(Reply::Hang);
    let act = json!({"tool": "browser.act", "arguments": {"revision": revision, "element_ref": "go", "action": {"kind": "click"}}});
    let acting = tokio::spawn(chat.agent.request(Method::POST, &format!("/v1/runs/{}/tool-calls", chat.run)).json(&act).send());
    deployment.runtime.until(|runtime| runtime.acts().len() == 2).await.unwrap();
    let locked = lock(&deployment).await;
    deployment.runtime.release();
    // While a writer is turned away twice over, the worker's attempts fail as well.
    for _ in 0..2 {
        deployment.owner.post("/v1/browser-profiles", json!({"name": "Main"})).await.is_problem(503, "storage_unavailable");
    }
    locked.close().await.unwrap();
    let told: serde_json::Value = acting.await.unwrap().unwrap().json().await.unwrap();
    assert_eq!((text(&told, "status"), text(&told, "outcome")), ("finished".to_owned(), "completed".to_owned()), "{told}");
}
