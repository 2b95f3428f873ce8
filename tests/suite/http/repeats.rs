//! Repeated commands (API-3).

use hallpass_tests::deployment::{Chat, Deployment, Kind, send, text};
use hallpass_tests::scripted_runtime::{Page, Reply};
use reqwest::{Method, StatusCode};
use serde_json::json;
use std::collections::BTreeSet;

/// API-3: the same key with the same request gets the same answer and takes effect once; with
/// another body or route it is 409; another token's same key is another command.
#[tokio::test(flavor = "multi_thread")]
async fn a_key_belongs_to_one_request_of_one_token() {
    let deployment = Deployment::start(Kind::Sqlite).await.unwrap();
    let owner = &deployment.owner;
    let first = owner.post_as("k-1", "/v1/browser-profiles", json!({"name": "Main"})).await;
    let again = owner.post_as("k-1", "/v1/browser-profiles", json!({"name": "Main"})).await;
    assert_eq!((first.status, &first.text, &first.headers["content-type"]), (201, &again.text, &again.headers["content-type"]));
    owner.post_as("k-1", "/v1/browser-profiles", json!({"name": "Other"})).await.is_problem(409, "idempotency_key_reused");
    owner.post_as("k-1", "/v1/sessions", json!({"surface": "chat"})).await.is_problem(409, "idempotency_key_reused");
    let other = deployment
        .token("browser.profile.write")
        .await
        .post_as("k-1", "/v1/browser-profiles", json!({"name": "Other"}))
        .await
        .expect(StatusCode::CREATED);
    assert_ne!(text(&other, "id"), text(&first.body, "id"));
    let third = owner.post_as("k-2", "/v1/browser-profiles", json!({"name": "Main"})).await.expect(StatusCode::CREATED);
    assert_ne!(text(&third, "id"), text(&first.body, "id"));
    assert_eq!(owner.all("/v1/audit/events").await.len(), 3);
    // A refusal is an answer too.
    let refused = owner.post_as("k-3", "/v1/browser-profiles", json!({"name": ""})).await;
    assert_eq!(refused.text, owner.post_as("k-3", "/v1/browser-profiles", json!({"name": ""})).await.text);
    let twice = owner.request(Method::POST, "/v1/browser-profiles").header("Idempotency-Key", "k-4").header("Idempotency-Key", "k-5");
    send(twice.json(&json!({"name": "Main"}))).await.is_problem(400, "malformed_request");
    for bad in [String::new(), "x".repeat(201)] {
        owner.post_as(&bad, "/v1/browser-profiles", json!({"name": "Main"})).await.is_problem(400, "malformed_request");
    }
}

/// API-3: attempts at once, of one request: one effect and one answer.
#[tokio::test(flavor = "multi_thread")]
async fn attempts_at_once_take_effect_once() {
    for kind in [Kind::Sqlite, Kind::Postgres] {
        let deployment = Deployment::start(kind).await.unwrap();
        let attempts: Vec<_> = (0..8)
            .map(|_| {
                let owner = deployment.owner.clone();
                tokio::spawn(async move { owner.post_as("key", "/v1/browser-profiles", json!({"name": "Main"})).await })
            })
            .collect();
        let mut answers = BTreeSet::new();
        for attempt in attempts {
            let replied = attempt.await.unwrap();
            answers.insert((replied.status, replied.text));
        }
        assert_eq!((answers.len(), answers.first().unwrap().0), (1, 201), "{answers:?}");
        assert_eq!(deployment.owner.all("/v1/audit/events").await.len(), 1);
    }
}

/// API-3: attempts at once, of different requests under one key: one is taken, the others are 409.
#[tokio::test(flavor = "multi_thread")]
async fn requests_at_once_under_one_key_exclude_each_other() {
    for kind in [Kind::Sqlite, Kind::Postgres] {
        let deployment = Deployment::start(kind).await.unwrap();
        let attempts: Vec<_> = (0..8)
            .map(|number| {
                let owner = deployment.owner.clone();
                tokio::spawn(
                    async move { owner.post_as("key", "/v1/browser-profiles", json!({"name": format!("Profile {number}")})).await },
                )
            })
            .collect();
        let mut taken = 0;
        for attempt in attempts {
            match attempt.await.unwrap() {
                replied if replied.status == 201 => taken += 1,
                replied => replied.is_problem(409, "idempotency_key_reused"),
            }
        }
        assert_eq!((taken, deployment.owner.all("/v1/audit/events").await.len()), (1, 1));
    }
}

/// API-3, APR-5: an answer and a proposal that are sent again change nothing more, also after a
/// crash took the first answer away.
#[tokio::test(flavor = "multi_thread")]
async fn answers_and_proposals_repeat_harmlessly() {
    let mut deployment = Deployment::start(Kind::Sqlite).await.unwrap();
    deployment.runtime.show(Page::lesson());
    let chat = Chat::open(&deployment).await;
    let revision = chat.look().await.revision;
    let path = format!("/v1/runs/{}/tool-calls", chat.run);
    let act = json!({"tool": "browser.act", "arguments": {"revision": revision, "element_ref": "go", "action": {"kind": "click"}}});
    let first = chat.agent.post_as("act", &path, act.clone()).await;
    let again = chat.agent.post_as("act", &path, act).await;
    assert_eq!((first.status, &first.text), (202, &again.text));
    let approval = text(&first.body, "approval_id");
    let resolve = format!("/v1/approvals/{approval}/resolve");
    let answer = json!({"resolution": "approve_for_task", "origin": "https://www.example.com", "path_prefix": "/lesson"});
    let yes = chat.owner.post_as("yes", &resolve, answer.clone()).await;
    assert_eq!((yes.status, &yes.text), (200, &chat.owner.post_as("yes", &resolve, answer.clone()).await.text));
    chat.owner.post_as("no", &resolve, json!({"resolution": "deny"})).await.is_problem(409, "approval_already_resolved");
    let _ = chat.finished(&text(&first.body, "tool_call_id")).await;
    assert_eq!((deployment.runtime.acts().len(), chat.owner.all("/v1/browser-task-grants").await.len()), (1, 1));

    deployment.runtime.reply(Reply::Hang);
    let calls = deployment.runtime.calls();
    let observe = json!({"tool": "browser.observe", "arguments": {}});
    let lost = tokio::spawn({
        let (agent, path, observe) = (chat.agent.clone(), path.clone(), observe.clone());
        async move { agent.request(Method::POST, &path).header("Idempotency-Key", "see").json(&observe).send().await }
    });
    deployment.runtime.until(|runtime| runtime.calls() > calls).await.unwrap();
    deployment.crash().await.unwrap();
    deployment.runtime.release();
    drop(lost.await);
    let told = deployment.agent.post_as("see", &path, observe).await.expect(StatusCode::OK);
    assert_eq!((text(&told, "outcome"), text(&told, "code")), ("unknown".to_owned(), "tool.interrupted".to_owned()));
    deployment.agent.post_as("see", &path, json!({"tool": "mail.read"})).await.is_problem(409, "idempotency_key_reused");
    assert_eq!(deployment.owner.post_as("yes", &resolve, answer).await.text, yes.text, "kept over a restart");
}

/// Takes the kept answers away, as a crash between an effect and its answer would.
async fn lose_answers(deployment: &Deployment) {
    let lost = deployment
        .running()
        .inside(async |app| {
            let mut transaction = app.log.begin().await.unwrap();
            let lost = transaction.connection().execute("UPDATE command_answers SET status = 0, body = ''", &[]).await.unwrap();
            transaction.commit().await.unwrap();
            lost
        })
        .await;
    assert!(lost > 0);
}

/// API-3, APR-3: without its kept answer a command still takes effect once, and says again what it
/// came to: a late answer stays late.
#[tokio::test(flavor = "multi_thread")]
async fn a_lost_answer_is_given_again() {
    let deployment = Deployment::start(Kind::Sqlite).await.unwrap();
    deployment.runtime.show(Page::lesson());
    let chat = Chat::open(&deployment).await;
    chat.look().await;
    let (call, approval) = chat.asked("go").await;
    let resolve = format!("/v1/approvals/{}/resolve", text(&approval, "id"));
    let yes = chat.owner.post_as("yes", &resolve, json!({"resolution": "approve_once"})).await;
    let _ = chat.finished(&call).await;
    let (call, approval) = chat.asked("go").await;
    deployment.clock.set(&text(&approval, "expires_at"));
    let too_late = format!("/v1/approvals/{}/resolve", text(&approval, "id"));
    let late = chat.owner.post_as("late", &too_late, json!({"resolution": "approve_once"})).await;
    late.is_problem(409, "approval_lapsed");
    let _ = chat.finished(&call).await;
    let profile = chat.owner.post_as("new", "/v1/browser-profiles", json!({"name": "Main"})).await;
    let before = chat.events().await;
    lose_answers(&deployment).await;
    let again = [
        (yes, chat.owner.post_as("yes", &resolve, json!({"resolution": "approve_once"})).await),
        (late, chat.owner.post_as("late", &too_late, json!({"resolution": "approve_once"})).await),
        (profile, chat.owner.post_as("new", "/v1/browser-profiles", json!({"name": "Main"})).await),
    ];
    for (first, second) in again {
        assert_eq!((first.status, first.text), (second.status, second.text));
    }
    chat.owner.post_as("new", "/v1/browser-profiles", json!({"name": "Other"})).await.is_problem(409, "idempotency_key_reused");
    assert_eq!(chat.events().await, before);
}

/// API-3, threat H6: what a page showed is told again while it is kept, and is not written down for it.
#[tokio::test(flavor = "multi_thread")]
async fn pages_are_not_kept_for_repeats() {
    let deployment = Deployment::start(Kind::Sqlite).await.unwrap();
    deployment.runtime.show(Page { title: "Balance 70312".to_owned(), ..Page::lesson() });
    let chat = Chat::open(&deployment).await;
    let _ = chat.look().await;
    let path = format!("/v1/runs/{}/tool-calls", chat.run);
    let observe = json!({"tool": "browser.observe", "arguments": {}});
    let first = chat.agent.post_as("see", &path, observe.clone()).await;
    assert!(first.status == 200 && first.text.contains("70312"), "{}", first.text);
    let calls = deployment.runtime.calls();
    let again = chat.agent.post_as("see", &path, observe).await;
    assert_eq!((again.status, again.text, deployment.runtime.calls()), (200, first.text, calls));
    let kept = deployment.running().inside(async |app| {
        let rows = app.log.reader().await.unwrap().fetch_all("SELECT body FROM command_answers", &[]).await.unwrap();
        rows.iter().map(|row| row.text(0).unwrap().to_owned()).collect::<String>()
    });
    assert!(!kept.await.contains("70312"));
}
