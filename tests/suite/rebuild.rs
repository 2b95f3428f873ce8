//! The read models, dropped and built again from the log alone (EVT-1), on both databases.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

use eventlog::values;
use hallpass_tests::deployment::{Chat, Deployment, Kind, TENANT, number, text};
use hallpass_tests::scripted_runtime::{Page, Reply};
use reqwest::StatusCode;
use serde_json::{Value, json};

async fn digest(deployment: &Deployment, tenant: &str) -> String {
    let tenant = tenant.parse().unwrap();
    deployment.running().inside(async move |app| projections::digest(&app.log, &tenant).await).await.unwrap()
}

async fn rebuild(deployment: &Deployment) {
    let tenant = TENANT.parse().unwrap();
    deployment.running().inside(async move |app| projections::rebuild(&app.log, &tenant).await).await.unwrap();
}

/// A history with every kind of event that this version writes.
async fn rich_history(deployment: &Deployment) -> Chat {
    deployment.runtime.show(Page::lesson());
    let mut chat = Chat::open(deployment).await;
    let exhausted = chat.granted().await;
    for _ in 0..200 {
        chat.covered_click().await;
    }
    assert_eq!(text(&chat.grant(&text(&exhausted, "id")).await, "end_reason"), "exhausted");
    let revoked = text(&chat.granted().await, "id");
    let typed = chat.act("answer", json!({"kind": "type", "text": "haus"})).await.expect(StatusCode::OK);
    assert_eq!(text(&typed, "outcome"), "completed");
    deployment.runtime.reply(Reply::Completed);
    deployment.runtime.reply(Reply::Unknown);
    let _ = chat.click("go").await.expect(StatusCode::OK);
    let _ = chat.owner.order(&format!("/v1/browser-task-grants/{revoked}/revoke")).await.expect(StatusCode::OK);
    let _ = chat.granted().await;
    let (_, approval) = chat.asked("pay").await;
    let _ = chat.allow_task(&approval).await.expect(StatusCode::OK);
    let _ = chat.done("mail.read", json!({})).await;
    let (_, approval) = chat.asked("go").await;
    let _ = chat.resolve(&approval, json!({"resolution": "deny"})).await.expect(StatusCode::OK);
    let path = format!("/v1/browser-profiles/{}/sign-ins", chat.profile);
    let sign_in = chat.owner.post(&path, json!({"kind": "device"})).await.expect(StatusCode::CREATED);
    let _ = chat.owner.order(&format!("{path}/{}/ready", text(&sign_in, "id"))).await.expect(StatusCode::OK);
    chat.look().await;
    let (_, approval) = chat.asked("go").await;
    let _ = chat.agent.order(&format!("/v1/runs/{}/end", chat.run)).await.expect(StatusCode::OK);
    chat.resolve(&approval, json!({"resolution": "approve_once"})).await.is_problem(409, "approval_cancelled");
    chat.start_run().await;
    let (call, approval) = chat.asked("go").await;
    deployment.clock.set("2026-06-01T13:00:00Z");
    chat.resolve(&approval, json!({"resolution": "approve_once"})).await.is_problem(409, "approval_lapsed");
    let _ = chat.finished(&call).await;
    other_chats(deployment, &chat).await;
    chat.say("Go on").await;
    let _ = chat.granted().await;
    chat.covered_click().await;
    let _ = chat.asked("pay").await;
    chat
}

async fn other_chats(deployment: &Deployment, chat: &Chat) {
    let deleted = Chat::open(deployment).await;
    let _ = deleted.granted().await;
    let _ = chat.owner.delete(&format!("/v1/sessions/{}", deleted.session)).await.expect(StatusCode::OK);
    let without_profile = Chat::open(deployment).await;
    let _ = without_profile.granted().await;
    let _ = chat.owner.order(&format!("/v1/browser-profiles/{}/revoke", without_profile.profile)).await.expect(StatusCode::OK);
    let _ = chat.owner.delete(&format!("/v1/browser-profiles/{}", without_profile.profile)).await.expect(StatusCode::OK);
    let elsewhere = deployment.foreign("other", "bob", "session.write").await;
    let _ = elsewhere.post("/v1/sessions", json!({"surface": "chat"})).await.expect(StatusCode::CREATED);
}

/// EVT-1, GRA-7: built again, every row is the same; a row that was tampered with is put right; the
/// counters equal the events; another tenant's rows are not touched; and the answers of the API are
/// word for word what they were.
async fn rebuilt_is_the_same(kind: Kind) {
    let deployment = Deployment::start(kind).await.unwrap();
    let chat = rich_history(&deployment).await;
    let lists = [
        "/v1/approvals?limit=200".to_owned(),
        "/v1/browser-task-grants".to_owned(),
        format!("/v1/sessions/{}/activity?limit=200", chat.session),
    ];
    let mut answers = Vec::new();
    for list in &lists {
        answers.push(chat.owner.all(list).await);
    }
    let (before, elsewhere) = (digest(&deployment, TENANT).await, digest(&deployment, "other").await);
    rebuild(&deployment).await;
    assert_eq!(digest(&deployment, TENANT).await, before);
    tamper(&deployment).await;
    assert_ne!(digest(&deployment, TENANT).await, before);
    rebuild(&deployment).await;
    assert_eq!((digest(&deployment, TENANT).await, digest(&deployment, "other").await), (before, elsewhere));
    for (list, answer) in lists.iter().zip(answers) {
        assert_eq!(chat.owner.all(list).await, answer, "{list}");
    }
    counters_equal_events(&chat).await;
    chat.say("Go on").await;
    let _ = chat.owner.get(&format!("/v1/sessions/{}", chat.session)).await.expect(StatusCode::OK);
}

async fn tamper(deployment: &Deployment) {
    let touched = deployment
        .running()
        .inside(async move |app| {
            let mut transaction = app.log.begin().await.unwrap();
            let sql = "UPDATE task_grants SET actions_used = 3 WHERE tenant = $1 AND actions_used = 200";
            let touched = transaction.connection().execute(sql, values![TENANT]).await.unwrap();
            transaction.commit().await.unwrap();
            touched
        })
        .await;
    assert_eq!(touched, 1);
}

async fn counters_equal_events(chat: &Chat) {
    let events = chat.events().await;
    let of = |grant: &str| -> Vec<&Value> {
        let uses = events.iter().filter(|event| text(event, "type") == "tool.call.authorized");
        uses.map(|event| &event["data"]).filter(|data| data["grant_id"] == json!(grant)).collect()
    };
    let grants = chat.owner.all("/v1/browser-task-grants").await;
    assert!(grants.len() >= 6);
    for grant in grants {
        let uses = of(&text(&grant, "id"));
        let typed: u64 = uses.iter().map(|data| number(data, "typed_characters")).sum();
        assert_eq!((number(&grant, "actions_used"), number(&grant, "characters_used")), (uses.len() as u64, typed), "{grant}");
        let ends =
            events.iter().filter(|event| text(event, "type") == "browser.task_grant.ended" && event["data"]["grant_id"] == grant["id"]);
        assert_eq!(ends.count(), usize::from(text(&grant, "status") == "ended"), "{grant}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn rebuilt_is_the_same_on_sqlite() {
    rebuilt_is_the_same(Kind::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rebuilt_is_the_same_on_postgres() {
    rebuilt_is_the_same(Kind::Postgres).await;
}
