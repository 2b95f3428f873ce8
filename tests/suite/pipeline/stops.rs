//! What ends a task grant before its time.

use hallpass_tests::deployment::{Chat, Deployment, Kind, number, text};
use hallpass_tests::scripted_runtime::Page;
use reqwest::StatusCode;
use serde_json::{Value, json};
use std::time::Duration;

async fn start(kind: Kind) -> (Deployment, Chat, String) {
    let deployment = Deployment::start(kind).await.unwrap();
    deployment.runtime.show(Page::lesson());
    let chat = Chat::open(&deployment).await;
    let grant = text(&chat.granted().await, "id");
    chat.covered_click().await;
    (deployment, chat, grant)
}

async fn ended(chat: &Chat) -> Vec<(String, String)> {
    let ended = chat.events_of("browser.task_grant.ended").await;
    ended.iter().map(|event| (text(&event["data"], "grant_id"), text(&event["data"], "reason"))).collect()
}

async fn end_of(chat: &Chat, grant: &str) -> (String, Value) {
    let grant = chat.grant(grant).await;
    (text(&grant, "status"), grant["end_reason"].clone())
}

/// GRA-10: once the stop was answered no use succeeds; stopping again gives the same body and no
/// second end.
pub(super) async fn a_stop_counts_for_the_next_act(kind: Kind) {
    let (deployment, chat, grant) = start(kind).await;
    let path = format!("/v1/browser-task-grants/{grant}/revoke");
    let first = chat.owner.order(&path).await;
    let sent = deployment.runtime.acts().len();
    let (_, approval) = chat.asked("go").await;
    assert_eq!(deployment.runtime.acts().len(), sent);
    assert!(approval["offer"].is_object());
    let again = chat.owner.order(&path).await;
    assert_eq!((first.status, &first.text), (200, &again.text));
    let body = first.expect(StatusCode::OK);
    assert_eq!((text(&body, "status"), text(&body, "end_reason")), ("ended".to_owned(), "revoked".to_owned()));
    assert_eq!(ended(&chat).await, [(grant, "revoked".to_owned())]);
}

/// GRA-4: accepting an offer beside an active grant ends the older one in the same step.
pub(super) async fn a_newer_permission_takes_the_place_of_the_older(kind: Kind) {
    let (_deployment, chat, grant) = start(kind).await;
    let (call, approval) = chat.asked("pay").await;
    let newer = text(&chat.allow_task(&approval).await.expect(StatusCode::OK), "task_grant_id");
    assert_eq!(text(&chat.finished(&call).await, "outcome"), "completed");
    assert_ne!(newer, grant);
    assert_eq!(end_of(&chat, &grant).await, ("ended".to_owned(), json!("superseded")));
    chat.covered_click().await;
    assert_eq!(number(&chat.grant(&newer).await, "actions_used"), 1);
    assert_eq!(number(&chat.grant(&grant).await, "actions_used"), 1);
    let active = chat.owner.all("/v1/browser-task-grants").await;
    assert_eq!(active.iter().filter(|grant| text(grant, "status") == "active").count(), 1);
    assert_eq!(ended(&chat).await, [(grant, "superseded".to_owned())]);
}

/// GRA-11: a sign-in ends grants when it begins and again when it becomes ready; while it goes on
/// nothing is offered; afterwards the browser is a new one.
pub(super) async fn a_sign_in_ends_permissions_twice(kind: Kind) {
    let (deployment, chat, grant) = start(kind).await;
    let path = format!("/v1/browser-profiles/{}/sign-ins", chat.profile);
    let sign_in = chat.owner.post(&path, json!({"kind": "device"})).await.expect(StatusCode::CREATED);
    assert_eq!(end_of(&chat, &grant).await, ("ended".to_owned(), json!("profile_changed")));
    chat.look().await;
    let (call, approval) = chat.asked("go").await;
    assert_eq!(approval["offer"], json!(null), "no offer while an account is being signed in");
    chat.resolve(&approval, json!({"resolution": "deny"})).await.expect(StatusCode::OK);
    let _ = chat.finished(&call).await;
    chat.owner.order(&format!("{path}/{}/ready", text(&sign_in, "id"))).await.expect(StatusCode::OK);
    chat.owner.order(&format!("{path}/{}/ready", text(&sign_in, "id"))).await.is_problem(409, "sign_in_unknown");
    let newer = text(&chat.granted().await, "id");
    chat.covered_click().await;
    assert_eq!(ended(&chat).await, [(grant, "profile_changed".to_owned())]);
    assert_eq!(number(&chat.grant(&newer).await, "actions_used"), 1);
    let generations: Vec<u64> = deployment.runtime.opened().iter().map(|lease| number(&lease["profile"], "generation")).collect();
    assert_eq!((generations, deployment.runtime.leases()), (vec![1, 2, 3], 1));
}

/// GRA-8, GRA-11: revoking the profile ends its grants, and no browser of it acts any more, not
/// even on an approval.
pub(super) async fn a_revoked_profile_is_used_no_more(kind: Kind) {
    let (deployment, chat, grant) = start(kind).await;
    let (call, approval) = chat.asked("pay").await;
    let revoked = chat.owner.order(&format!("/v1/browser-profiles/{}/revoke", chat.profile)).await.expect(StatusCode::OK);
    assert_eq!(text(&revoked, "status"), "revoked");
    let sent = deployment.runtime.acts().len();
    assert_eq!(end_of(&chat, &grant).await, ("ended".to_owned(), json!("profile_revoked")));
    chat.allow_task(&approval).await.is_problem(409, "offer_no_longer_valid");
    chat.resolve(&approval, json!({"resolution": "approve_once"})).await.expect(StatusCode::OK);
    let call = chat.finished(&call).await;
    assert_eq!((text(&call, "outcome"), text(&call, "code")), ("refused".to_owned(), "tool.profile_gone".to_owned()));
    let observed = chat.done("browser.observe", json!({})).await;
    assert_eq!(text(&observed, "code"), "tool.browser.profile_gone");
    assert_eq!(deployment.runtime.acts().len(), sent);
    assert_eq!(ended(&chat).await, [(grant, "profile_revoked".to_owned())]);
}

/// GRA-12: with the session its grants lose their usable state; the events remain.
pub(super) async fn a_deleted_session_leaves_nothing_usable(kind: Kind) {
    let (deployment, chat, grant) = start(kind).await;
    let (call, _) = chat.asked("pay").await;
    chat.owner.delete(&format!("/v1/sessions/{}", chat.session)).await.expect(StatusCode::OK);
    assert_eq!(text(&chat.finished(&call).await, "code"), "tool.approval_cancelled");
    let path = format!("/v1/browser-task-grants/{grant}");
    chat.owner.get(&path).await.is_problem(404, "not_found");
    chat.owner.order(&format!("{path}/revoke")).await.is_problem(404, "not_found");
    chat.owner.get(&format!("/v1/sessions/{}", chat.session)).await.is_problem(404, "not_found");
    chat.propose("browser.observe", json!({})).await.is_problem(409, "session_deleted");
    chat.owner.delete(&format!("/v1/sessions/{}", chat.session)).await.expect(StatusCode::OK);
    let sign_ins = format!("/v1/browser-profiles/{}/sign-ins", chat.profile);
    chat.owner.post(&sign_ins, json!({"kind": "remote"})).await.expect(StatusCode::CREATED);
    assert_eq!(chat.events_of("browser.task_grant.created").await.len(), 1);
    deployment.runtime.until(|runtime| runtime.leases() == 0).await.unwrap();
}

/// SCP-4, OFF-5: a scope that is no longer configured ends its grants at the next act, and voids
/// offers that still wait.
pub(super) async fn a_removed_scope_ends_its_permissions(kind: Kind) {
    let (mut deployment, mut chat, grant) = start(kind).await;
    deployment.settings.scopes.clear();
    deployment.restart().await.unwrap();
    (chat.owner, chat.agent) = (deployment.owner.clone(), deployment.agent.clone());
    assert_eq!(text(&chat.grant(&grant).await, "status"), "active", "an end is due, not yet recorded");
    chat.look().await;
    let (_, approval) = chat.asked("go").await;
    assert_eq!(approval["offer"], json!(null));
    assert_eq!(end_of(&chat, &grant).await, ("ended".to_owned(), json!("scope_removed")));
    assert_eq!(ended(&chat).await, [(grant, "scope_removed".to_owned())]);
}

/// API-4, GRA-8: a flag that is switched off ends grants at their next act; switched on again, none
/// comes back.
pub(super) async fn a_flag_that_is_off_ends_its_permissions(kind: Kind) {
    let (mut deployment, mut chat, grant) = start(kind).await;
    let scopes = std::mem::take(&mut deployment.settings.scopes);
    deployment.settings.grants_enabled = false;
    deployment.restart().await.unwrap();
    (chat.owner, chat.agent) = (deployment.owner.clone(), deployment.agent.clone());
    chat.look().await;
    let (_, approval) = chat.asked("go").await;
    assert_eq!(approval["offer"], json!(null));
    (deployment.settings.grants_enabled, deployment.settings.scopes) = (true, scopes);
    deployment.restart().await.unwrap();
    (chat.owner, chat.agent) = (deployment.owner.clone(), deployment.agent.clone());
    assert_eq!(end_of(&chat, &grant).await, ("ended".to_owned(), json!("scope_removed")));
}

/// GRA-11: a sign-in ends the grants of every session on its profile, and of no other profile.
pub(super) async fn a_sign_in_ends_the_permissions_of_every_session(kind: Kind) {
    let (deployment, chat, grant) = start(kind).await;
    let second = Chat::open_with(&deployment, json!({"surface": "chat", "profile_id": chat.profile})).await;
    let second_grant = text(&second.granted().await, "id");
    let other = Chat::open(&deployment).await;
    let others_grant = text(&other.granted().await, "id");
    let path = format!("/v1/browser-profiles/{}/sign-ins", chat.profile);
    chat.owner.post(&path, json!({"kind": "remote"})).await.expect(StatusCode::CREATED);
    for ended in [&grant, &second_grant] {
        assert_eq!(end_of(&chat, ended).await, ("ended".to_owned(), json!("profile_changed")));
    }
    assert_eq!(end_of(&chat, &others_grant).await, ("active".to_owned(), json!(null)));
    other.covered_click().await;
}

/// GRA-8: another version of the agent ends the grants of the older one.
pub(super) async fn another_agent_ends_permissions(kind: Kind) {
    let (mut deployment, mut chat, grant) = start(kind).await;
    deployment.restart().await.unwrap();
    (chat.owner, chat.agent) = (deployment.owner.clone(), deployment.agent.clone());
    chat.look().await;
    chat.covered_click().await;
    deployment.settings.agent_version = "2".to_owned();
    deployment.restart().await.unwrap();
    (chat.owner, chat.agent) = (deployment.owner.clone(), deployment.agent.clone());
    chat.look().await;
    let (_, approval) = chat.asked("go").await;
    assert_eq!(approval["reasons"], json!(["grant_ended"]));
    assert!(approval["offer"].is_object());
    assert_eq!(ended(&chat).await, [(grant, "agent_changed".to_owned())]);
}

/// GRA-9: within one sweep an end that nobody asked about is written down, once, also with two
/// nodes.
pub(super) async fn a_sweep_writes_down_the_end(kind: Kind) {
    let (deployment, chat, grant) = start(kind).await;
    let _second = deployment.another_node().await.unwrap();
    deployment.clock.set("2026-06-01T12:30:00Z");
    let written = async { while ended(&chat).await.is_empty() {} };
    tokio::time::timeout(Duration::from_secs(20), written).await.expect("a sweep");
    assert_eq!(ended(&chat).await, [(grant, "expired".to_owned())]);
}
