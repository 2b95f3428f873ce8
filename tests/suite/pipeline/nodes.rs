//! Several control planes on one database.

use hallpass_tests::deployment::{Chat, Deployment, Kind, number, text};
use hallpass_tests::scripted_runtime::Page;
use reqwest::StatusCode;
use serde_json::{Value, json};

/// GRA-7: whatever number of processes spend one grant at once, exactly 200 uses succeed; the
/// counters equal the events, ordinals are given once, and every further act asks.
#[tokio::test(flavor = "multi_thread")]
async fn three_nodes_spend_one_permission_exactly_200_times() {
    let deployment = Deployment::start(Kind::Postgres).await.unwrap();
    deployment.runtime.show(Page::lesson());
    let nodes = [deployment.another_node().await.unwrap(), deployment.another_node().await.unwrap()];
    let chat = Chat::open(&deployment).await;
    let grant = text(&chat.granted().await, "id");
    let addresses = [deployment.running().address(), nodes[0].address(), nodes[1].address()];
    let spenders = addresses.map(|address| tokio::spawn(spend(Chat { agent: chat.agent.at(address), ..chat.clone() })));
    let mut spent = 0;
    for spender in spenders {
        spent += spender.await.unwrap();
    }
    let after = chat.grant(&grant).await;
    assert_eq!((spent, number(&after, "actions_used"), text(&after, "end_reason")), (200, 200, "exhausted".to_owned()));
    let mut ordinals: Vec<u64> = chat
        .events_of("tool.call.authorized")
        .await
        .iter()
        .filter(|event| event["data"]["grant_id"] == json!(grant))
        .map(|event| number(&event["data"], "use_ordinal"))
        .collect();
    ordinals.sort_unstable();
    assert_eq!(ordinals, (1..=200).collect::<Vec<u64>>());
    assert_eq!(chat.events_of("browser.task_grant.ended").await.len(), 1);
    assert_eq!(deployment.runtime.acts().iter().filter(|act| act.constraint.is_some()).count(), 200);
}

/// APR-2, GRA-10, design decision 6: what the owner answers at one node counts at the other, and so
/// does a stop, from the moment at which it was answered.
#[tokio::test(flavor = "multi_thread")]
async fn answers_and_stops_count_at_every_node() {
    let deployment = Deployment::start(Kind::Postgres).await.unwrap();
    deployment.runtime.show(Page::lesson());
    let second = deployment.another_node().await.unwrap();
    let chat = Chat::open(&deployment).await;
    let elsewhere = Chat { owner: chat.owner.at(second.address()), ..chat.clone() };
    chat.look().await;
    let (call, approval) = chat.asked("go").await;
    let resolved = elsewhere.allow_task(&approval).await.expect(StatusCode::OK);
    assert_eq!(text(&chat.finished(&call).await, "outcome"), "completed");
    chat.covered_click().await;
    let revoke = format!("/v1/browser-task-grants/{}/revoke", text(&resolved, "task_grant_id"));
    for _ in 0..5 {
        let _ = elsewhere.owner.order(&revoke).await.expect(StatusCode::OK);
        let (call, approval) = chat.asked("go").await;
        let _ = elsewhere.resolve(&approval, json!({"resolution": "deny"})).await.expect(StatusCode::OK);
        assert_eq!(text(&chat.finished(&call).await, "code"), "tool.approval_denied");
    }
    assert_eq!(deployment.runtime.acts().len(), 2);
}

/// Clicks until the owner is asked; gives how many clicks ran.
async fn spend(chat: Chat) -> u64 {
    chat.look().await;
    let mut clicks = 0;
    loop {
        let replied = chat.click("go").await;
        if replied.status == 202 {
            return clicks;
        }
        let done: Value = replied.expect(StatusCode::OK);
        assert_eq!(text(&done, "outcome"), "completed", "{done}");
        clicks += 1;
    }
}

/// GRA-7, EVT-2: many sessions at once, each with its own grant: no use is lost or shared.
#[tokio::test(flavor = "multi_thread")]
async fn sixteen_sessions_act_at_once() {
    let deployment = Deployment::start(Kind::Sqlite).await.unwrap();
    deployment.runtime.show(Page::lesson());
    let mut chats = Vec::new();
    for _ in 0..16 {
        let chat = Chat::open(&deployment).await;
        let grant = text(&chat.granted().await, "id");
        chats.push((chat, grant));
    }
    let acting: Vec<_> = chats
        .iter()
        .cloned()
        .map(|(chat, _)| {
            tokio::spawn(async move {
                for _ in 0..4 {
                    chat.covered_click().await;
                }
            })
        })
        .collect();
    for one in acting {
        one.await.unwrap();
    }
    let uses = chats[0].0.events_of("tool.call.authorized").await;
    for (chat, grant) in &chats {
        let used = number(&chat.grant(grant).await, "actions_used");
        let events = uses.iter().filter(|event| event["data"]["grant_id"] == json!(grant)).count();
        assert_eq!((used, events), (4, 4));
    }
    assert_eq!(deployment.runtime.violations(), Vec::<String>::new());
}
