//! What others see of somebody's resources: nothing, and not even that.

use super::matrix::{Row, rows};
use hallpass_tests::deployment::{AGENT, Chat, Client, Deployment, Kind, Replied, TENANT, text};
use hallpass_tests::scripted_runtime::Page;
use reqwest::StatusCode;
use serde_json::json;
use uuid::Uuid;

const EVERYTHING: &str =
    "session.write,approval.read,approval.resolve,browser.grant.read,browser.grant.write,browser.profile.write,activity.read,audit.read";

/// Somebody's resources.
struct Ids {
    session: String,
    run: String,
    call: String,
    approval: String,
    grant: String,
    profile: String,
    sign_in: String,
}

impl Ids {
    fn of(&self, row: &Row) -> &str {
        let noun = row.route.trim_start_matches("/v1/").split('/').next().unwrap();
        match noun {
            "sessions" => &self.session,
            "runs" => &self.run,
            "tool-calls" => &self.call,
            "approvals" => &self.approval,
            "browser-task-grants" => &self.grant,
            "browser-profiles" => &self.profile,
            other => panic!("no id for {other}"),
        }
    }
}

async fn resources(deployment: &Deployment) -> Ids {
    deployment.runtime.show(Page::lesson());
    let chat = Chat::open(deployment).await;
    let grant = text(&chat.granted().await, "id");
    let (call, approval) = chat.asked("pay").await;
    let profile = chat.owner.post("/v1/browser-profiles", json!({"name": "Other"})).await.expect(StatusCode::CREATED);
    let profile = text(&profile, "id");
    let sign_in = chat.owner.post(&format!("/v1/browser-profiles/{profile}/sign-ins"), json!({"kind": "remote"})).await;
    let sign_in = text(&sign_in.expect(StatusCode::CREATED), "id");
    Ids { session: chat.session, run: chat.run, call, approval: text(&approval, "id"), grant, profile, sign_in }
}

/// What may tell two answers apart, but for the clock.
fn told(replied: &Replied) -> (u16, String, Vec<(String, String)>) {
    let headers = replied.headers.iter().filter(|(name, _)| *name != "date");
    let headers = headers.map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned())).collect();
    (replied.status, replied.text.clone(), headers)
}

/// API-2: for another principal and for another tenant, each id of the owner is answered exactly as
/// an id of nobody, and as a text that is no id; the owner finds what is hidden from them.
#[tokio::test(flavor = "multi_thread")]
async fn foreign_and_missing_ids_look_the_same() {
    let deployment = Deployment::start(Kind::Sqlite).await.unwrap();
    let ids = resources(&deployment).await;
    let before = deployment.owner.all("/v1/audit/events?limit=1000").await;
    for (tenant, principal) in [(TENANT, "grace"), ("other", "ada")] {
        let stranger = deployment.foreign(tenant, principal, EVERYTHING).await;
        let agent = deployment.foreign(tenant, principal, AGENT).await;
        for row in rows().iter().filter(|row| row.stranger == "hide") {
            let client: &Client = if row.scopes == ["tool.call"] { &agent } else { &stranger };
            let foreign = row.call(client, ids.of(row), &ids.sign_in).await;
            let missing = row.call(client, &Uuid::now_v7().to_string(), &Uuid::now_v7().to_string()).await;
            let nonsense = row.call(client, "no-id", "no-id").await;
            foreign.is_problem(404, "not_found");
            assert_eq!(told(&foreign), told(&missing), "{} by {tenant}/{principal}", row.name());
            assert_eq!(told(&foreign), told(&nonsense), "{} by {tenant}/{principal}", row.name());
        }
        for row in rows().iter().filter(|row| row.stranger == "empty") {
            assert_eq!(stranger.all(&row.route).await, Vec::<serde_json::Value>::new(), "{} by {tenant}/{principal}", row.name());
        }
        let seen = stranger.all("/v1/audit/events?limit=1000").await;
        assert_eq!(seen, if tenant == TENANT { before.clone() } else { Vec::new() });
    }
    assert_eq!(deployment.owner.all("/v1/audit/events?limit=1000").await, before, "nothing of it left a trace");
    for row in rows().iter().filter(|row| row.stranger == "hide" && row.method == "GET" && !row.route.ends_with("/events")) {
        let _ = row.call(&deployment.owner, ids.of(row), &ids.sign_in).await.expect(StatusCode::OK);
    }
}

/// API-2: ids inside bodies are hidden the same way.
#[tokio::test(flavor = "multi_thread")]
async fn foreign_ids_in_bodies_look_missing() {
    let deployment = Deployment::start(Kind::Sqlite).await.unwrap();
    let ids = resources(&deployment).await;
    let nobody = Uuid::now_v7().to_string();
    for (tenant, principal) in [(TENANT, "grace"), ("other", "ada")] {
        let stranger = deployment.foreign(tenant, principal, EVERYTHING).await;
        let open = async |profile: &str| stranger.post("/v1/sessions", json!({"surface": "chat", "profile_id": profile})).await;
        let (foreign, missing) = (open(&ids.profile).await, open(&nobody).await);
        foreign.is_problem(404, "not_found");
        assert_eq!(told(&foreign), told(&missing));
        let session = stranger.post("/v1/sessions", json!({"surface": "chat"})).await.expect(StatusCode::CREATED);
        let runs = format!("/v1/sessions/{}/runs", text(&session, "id"));
        let start = async |parent: &str| stranger.post(&runs, json!({"kind": "child", "parent_run_id": parent})).await;
        let (foreign, missing) = (start(&ids.run).await, start(&nobody).await);
        foreign.is_problem(409, "run_parent_invalid");
        assert_eq!(told(&foreign), told(&missing));
    }
    let own = json!({"surface": "chat", "profile_id": ids.profile});
    let _ = deployment.owner.post("/v1/sessions", own).await.expect(StatusCode::CREATED);
}

/// GRA-3: only an owner binds a profile or names origins, and each writes in its own name only.
#[tokio::test(flavor = "multi_thread")]
async fn agents_bind_nothing_and_speak_for_themselves() {
    let deployment = Deployment::start(Kind::Sqlite).await.unwrap();
    let chat = Chat::open(&deployment).await;
    for body in
        [json!({"surface": "chat", "profile_id": chat.profile}), json!({"surface": "chat", "allowed_origins": ["https://www.example.com"]})]
    {
        chat.agent.post("/v1/sessions", body.clone()).await.is_problem(403, "owner_only");
        let _ = chat.owner.post("/v1/sessions", body).await.expect(StatusCode::CREATED);
    }
    let path = format!("/v1/sessions/{}/messages", chat.session);
    chat.agent.post(&path, json!({"author": "owner", "text": "Yes, buy it"})).await.is_problem(403, "author_not_proven");
    chat.owner.post(&path, json!({"author": "agent", "text": "hm"})).await.is_problem(403, "author_not_proven");
    chat.answer("May I?").await;
    chat.agent.delete(&format!("/v1/sessions/{}", chat.session)).await.is_problem(403, "owner_only");
}
