//! The owner's answers.

use hallpass_tests::deployment::{Chat, Deployment, Kind, text};
use hallpass_tests::scripted_runtime::Page;
use reqwest::StatusCode;
use serde_json::{Value, json};

async fn start(kind: Kind) -> (Deployment, Chat) {
    let deployment = Deployment::start(kind).await.unwrap();
    deployment.runtime.show(Page::lesson());
    let chat = Chat::open(&deployment).await;
    chat.look().await;
    (deployment, chat)
}

async fn status_of(chat: &Chat, approval: &Value) -> String {
    text(&chat.owner.get(&format!("/v1/approvals/{}", text(approval, "id"))).await.expect(StatusCode::OK), "status")
}

/// APR-1, APR-3: a deny is a deny; nothing is sent.
pub(super) async fn a_denied_act_never_runs(kind: Kind) {
    let (deployment, chat) = start(kind).await;
    let (call, approval) = chat.asked("go").await;
    let resolved = chat.resolve(&approval, json!({"resolution": "deny"})).await.expect(StatusCode::OK);
    assert_eq!((text(&resolved, "status"), text(&resolved, "resolution")), ("denied".to_owned(), "deny".to_owned()));
    let call = chat.finished(&call).await;
    assert_eq!((text(&call, "outcome"), text(&call, "code")), ("refused".to_owned(), "tool.approval_denied".to_owned()));
    assert!(deployment.runtime.acts().is_empty());
    assert!(chat.owner.all("/v1/browser-task-grants").await.is_empty());
}

/// APR-3: unanswered in time, a card lapses; the late yes is recorded as late and approves nothing.
/// One microsecond before, the yes still counts.
pub(super) async fn an_unanswered_card_lapses(kind: Kind) {
    let (deployment, chat) = start(kind).await;
    let (call, approval) = chat.asked("go").await;
    assert_eq!(text(&approval, "expires_at"), "2026-06-01T12:15:00.000000Z");
    deployment.clock.set("2026-06-01T12:14:59.999999Z");
    chat.resolve(&approval, json!({"resolution": "approve_once"})).await.expect(StatusCode::OK);
    assert_eq!(text(&chat.finished(&call).await, "outcome"), "completed");

    let (call, approval) = chat.asked("go").await;
    deployment.clock.set(&text(&approval, "expires_at"));
    chat.resolve(&approval, json!({"resolution": "approve_once"})).await.is_problem(409, "approval_lapsed");
    let call = chat.finished(&call).await;
    assert_eq!((text(&call, "outcome"), text(&call, "code")), ("refused".to_owned(), "tool.approval_lapsed".to_owned()));
    assert_eq!(status_of(&chat, &approval).await, "lapsed");
    let late = chat.events_of("approval.answered_late").await;
    assert_eq!((late.len(), text(&late[0]["data"], "resolution")), (1, "approve_once".to_owned()));
    assert_eq!(deployment.runtime.acts().len(), 1, "only the act that was approved in time");
}

/// APR-3: a card is cancelled with its run, and a late answer changes nothing.
pub(super) async fn the_end_of_a_run_cancels_its_card(kind: Kind) {
    let (deployment, chat) = start(kind).await;
    let (call, approval) = chat.asked("go").await;
    let ended = chat.agent.order(&format!("/v1/runs/{}/end", chat.run)).await.expect(StatusCode::OK);
    assert_eq!(text(&ended, "status"), "ended");
    assert_eq!(text(&chat.finished(&call).await, "code"), "tool.approval_cancelled");
    chat.allow_task(&approval).await.is_problem(409, "approval_cancelled");
    assert_eq!(status_of(&chat, &approval).await, "cancelled");
    assert_eq!(chat.events_of("approval.answered_late").await.len(), 1);
    chat.propose("browser.observe", json!({})).await.is_problem(409, "run_ended");
    assert!(deployment.runtime.acts().is_empty() && chat.owner.all("/v1/browser-task-grants").await.is_empty());
}

/// APR-5: the first answer stands.
pub(super) async fn an_answer_is_given_once(kind: Kind) {
    let (deployment, chat) = start(kind).await;
    let (call, approval) = chat.asked("go").await;
    chat.resolve(&approval, json!({"resolution": "approve_once"})).await.expect(StatusCode::OK);
    for answer in ["approve_once", "deny"] {
        chat.resolve(&approval, json!({"resolution": answer})).await.is_problem(409, "approval_already_resolved");
    }
    chat.allow_task(&approval).await.is_problem(409, "approval_already_resolved");
    assert_eq!(text(&chat.finished(&call).await, "outcome"), "completed");
    assert_eq!((deployment.runtime.acts().len(), chat.events_of("approval.resolved").await.len()), (1, 1));
}

/// OFF-5: the answer repeats the offered place exactly; otherwise the card stays, and once works.
pub(super) async fn another_place_than_the_offered_is_refused(kind: Kind) {
    let (_deployment, chat) = start(kind).await;
    let (call, approval) = chat.asked("go").await;
    let places = [
        json!({"origin": "https://www.example.com", "path_prefix": "/"}),
        json!({"origin": "https://www.example.com", "path_prefix": "/lesson/"}),
        json!({"origin": "https://www.example.com/", "path_prefix": "/lesson"}),
        json!({"origin": "https://example.com", "path_prefix": "/lesson"}),
        json!({"origin": "HTTPS://WWW.EXAMPLE.COM", "path_prefix": "/lesson"}),
        json!({"origin": "https://www.example.com"}),
        json!({"path_prefix": "/lesson"}),
        json!({}),
    ];
    for mut place in places {
        place["resolution"] = json!("approve_for_task");
        chat.resolve(&approval, place).await.is_problem(409, "offer_differs");
        assert_eq!(status_of(&chat, &approval).await, "pending");
    }
    chat.resolve(&approval, json!({"resolution": "approve_once", "origin": "https://www.example.com"}))
        .await
        .is_problem(400, "malformed_request");
    chat.resolve(&approval, json!({"resolution": "approve_once"})).await.expect(StatusCode::OK);
    assert_eq!(text(&chat.finished(&call).await, "outcome"), "completed");
    assert!(chat.owner.all("/v1/browser-task-grants").await.is_empty());
}

/// OFF-4: allowing a task needs both rights; each right alone is refused and the card stays.
pub(super) async fn both_rights_are_needed_for_a_task(kind: Kind) {
    let (deployment, chat) = start(kind).await;
    let (call, approval) = chat.asked("go").await;
    let only_answers = Chat { owner: deployment.token("approval.resolve").await, ..chat.clone() };
    only_answers.allow_task(&approval).await.is_problem(403, "scope_missing");
    let only_grants = Chat { owner: deployment.token("browser.grant.write").await, ..chat.clone() };
    only_grants.allow_task(&approval).await.is_problem(403, "scope_missing");
    assert_eq!(status_of(&chat, &approval).await, "pending");
    let both = Chat { owner: deployment.token("approval.resolve,browser.grant.write").await, ..chat.clone() };
    both.allow_task(&approval).await.expect(StatusCode::OK);
    assert_eq!(text(&chat.finished(&call).await, "outcome"), "completed");
    assert_eq!(chat.owner.all("/v1/browser-task-grants").await.len(), 1);
}

/// OFF-5, GRA-11: a sign-in between question and answer voids the offer, not the card.
pub(super) async fn an_offer_is_void_after_a_sign_in(kind: Kind) {
    let (_deployment, chat) = start(kind).await;
    let (call, approval) = chat.asked("go").await;
    let path = format!("/v1/browser-profiles/{}/sign-ins", chat.profile);
    let sign_in = chat.owner.post(&path, json!({"kind": "remote"})).await.expect(StatusCode::CREATED);
    chat.allow_task(&approval).await.is_problem(409, "offer_no_longer_valid");
    chat.owner.order(&format!("{path}/{}/ready", text(&sign_in, "id"))).await.expect(StatusCode::OK);
    chat.allow_task(&approval).await.is_problem(409, "offer_no_longer_valid");
    assert_eq!(status_of(&chat, &approval).await, "pending");
    chat.resolve(&approval, json!({"resolution": "approve_once"})).await.expect(StatusCode::OK);
    assert_eq!(text(&chat.finished(&call).await, "outcome"), "completed");
}

/// APR-1: values outside the vocabulary are refused and leave the card as it is.
pub(super) async fn unknown_answers_are_refused(kind: Kind) {
    let (deployment, chat) = start(kind).await;
    let (_, approval) = chat.asked("go").await;
    let answers = [
        json!("approve"),
        json!("APPROVE_ONCE"),
        json!("approve_once "),
        json!(""),
        json!(null),
        json!(true),
        json!(["approve_once"]),
        json!({"approve_once": {}}),
    ];
    for answer in answers {
        chat.resolve(&approval, json!({"resolution": answer})).await.is_problem(400, "malformed_request");
    }
    chat.resolve(&approval, json!({})).await.is_problem(400, "malformed_request");
    assert_eq!(status_of(&chat, &approval).await, "pending");
    assert!(deployment.runtime.acts().is_empty());
}

/// API-4: with the flag off there is no offer and no task, only this act.
pub(super) async fn without_the_flag_there_is_no_task(kind: Kind) {
    let deployment = Deployment::start_as(kind, false, &[]).await.unwrap();
    refuses_a_task(&deployment, "task_grants_disabled").await;
    deployment.owner.get("/v1/browser-task-grants").await.is_problem(404, "not_found");
}

/// SCP-1: with the flag on and no scope configured there is no offer either.
pub(super) async fn without_scopes_there_is_no_offer(kind: Kind) {
    let deployment = Deployment::start_as(kind, true, &[]).await.unwrap();
    refuses_a_task(&deployment, "offer_missing").await;
    assert!(deployment.owner.all("/v1/browser-task-grants").await.is_empty());
}

async fn refuses_a_task(deployment: &Deployment, code: &str) {
    deployment.runtime.show(Page::lesson());
    let profile = deployment.owner.post("/v1/browser-profiles", json!({"name": "Main"})).await.expect(StatusCode::CREATED);
    let session = json!({"surface": "chat", "profile_id": profile["id"], "allowed_origins": ["https://www.example.com"]});
    let chat = Chat::open_with(deployment, session).await;
    chat.look().await;
    let (call, approval) = chat.asked("go").await;
    assert_eq!(approval["offer"], json!(null));
    let task = json!({"resolution": "approve_for_task", "origin": "https://www.example.com", "path_prefix": "/lesson"});
    chat.resolve(&approval, task).await.is_problem(409, code);
    assert_eq!(status_of(&chat, &approval).await, "pending");
    chat.resolve(&approval, json!({"resolution": "approve_once"})).await.expect(StatusCode::OK);
    assert_eq!(text(&chat.finished(&call).await, "outcome"), "completed");
    assert!(chat.events_of("browser.task_grant.created").await.is_empty());
}
