//! What a stop, a crash and an impatient client leave behind.

use hallpass_tests::deployment::{Chat, Deployment, Kind, number, text};
use hallpass_tests::scripted_runtime::{Page, Reply};
use reqwest::StatusCode;
use serde_json::{Value, json};
use std::time::Duration;

async fn start(kind: Kind) -> (Deployment, Chat) {
    let deployment = Deployment::start(kind).await.unwrap();
    deployment.runtime.show(Page::lesson());
    let chat = Chat::open(&deployment).await;
    chat.look().await;
    (deployment, chat)
}

fn again(deployment: &Deployment, chat: &Chat) -> Chat {
    Chat { owner: deployment.owner.clone(), agent: deployment.agent.clone(), ..chat.clone() }
}

async fn card_survives(deployment: &Deployment, chat: &Chat, call: &str, approval: &Value) {
    let pending = chat.owner.all("/v1/approvals?status=pending").await;
    assert_eq!(pending, std::slice::from_ref(approval), "the card is the same one, word for word");
    let waiting = chat.agent.get(&format!("/v1/tool-calls/{call}")).await.expect(StatusCode::OK);
    assert_eq!(text(&waiting, "status"), "awaiting_approval");
    chat.resolve(approval, json!({"resolution": "approve_once"})).await.expect(StatusCode::OK);
    let call = chat.finished(call).await;
    assert_eq!((text(&call, "outcome"), text(&call, "code")), ("refused".to_owned(), "tool.browser.stale_revision".to_owned()));
    assert!(deployment.runtime.acts().is_empty(), "the page that was shown is gone, so nothing is sent");
    chat.look().await;
    let _ = chat.asked("go").await;
}

/// APR-4: a card survives a stop; its answer continues the call, which is refused as stale because
/// the page is gone.
pub(super) async fn a_pending_card_survives(kind: Kind) {
    let (mut deployment, chat) = start(kind).await;
    let (call, approval) = chat.asked("go").await;
    deployment.restart().await.unwrap();
    card_survives(&deployment, &again(&deployment, &chat), &call, &approval).await;
}

/// APR-4: and a crash.
pub(super) async fn a_pending_card_survives_a_crash(kind: Kind) {
    let (mut deployment, chat) = start(kind).await;
    let (call, approval) = chat.asked("go").await;
    deployment.crash().await.unwrap();
    card_survives(&deployment, &again(&deployment, &chat), &call, &approval).await;
}

/// AUT-7, GRA-6: a crash while an act is being sent leaves it unknown, its use spent, and nothing is
/// sent again.
pub(super) async fn a_crash_in_the_middle_is_unknown(kind: Kind) {
    let (mut deployment, chat) = start(kind).await;
    let (call, approval) = chat.asked("go").await;
    let grant = text(&chat.allow_task(&approval).await.expect(StatusCode::OK), "task_grant_id");
    let _ = chat.finished(&call).await;
    let seen = chat.observe().await;
    deployment.runtime.reply(Reply::Hang);
    let acting = tokio::spawn({
        let chat = chat.clone();
        let act = json!({"revision": seen.revision, "element_ref": "go", "action": {"kind": "click"}});
        async move {
            chat.agent
                .request(reqwest::Method::POST, &format!("/v1/runs/{}/tool-calls", chat.run))
                .json(&json!({"tool": "browser.act", "arguments": act}))
                .send()
                .await
        }
    });
    deployment.runtime.until(|runtime| runtime.acts().len() == 2).await.unwrap();
    deployment.crash().await.unwrap();
    deployment.runtime.release();
    drop(acting.await);
    let chat = again(&deployment, &chat);
    let activity = chat.owner.all(&format!("/v1/sessions/{}/activity", chat.session)).await;
    assert_eq!((text(&activity[0], "outcome"), text(&activity[0], "code")), ("unknown".to_owned(), "tool.interrupted".to_owned()));
    assert_eq!((number(&chat.grant(&grant).await, "actions_used"), deployment.runtime.acts().len()), (1, 2));
    chat.look().await;
    chat.covered_click().await;
    assert_eq!((number(&chat.grant(&grant).await, "actions_used"), deployment.runtime.acts().len()), (2, 3));
}

/// RUN-2: an orderly stop closes the browsers, also while a card waits.
pub(super) async fn a_stop_leaves_no_lease(kind: Kind) {
    let (mut deployment, chat) = start(kind).await;
    let _ = chat.asked("go").await;
    assert_eq!(deployment.runtime.leases(), 1);
    deployment.restart().await.unwrap();
    assert_eq!(deployment.runtime.leases(), 0);
}

/// AUT-7: a proposal that was taken is brought to its end, also when whoever sent it hangs up.
pub(super) async fn a_proposal_whose_sender_left_is_run(kind: Kind) {
    let (_deployment, chat) = start(kind).await;
    let path = format!("/v1/runs/{}/tool-calls", chat.run);
    let propose = || chat.agent.request(reqwest::Method::POST, &path).json(&json!({"tool": "browser.observe", "arguments": {}}));
    for moment in 0..60 {
        // Hung up at some moment between the request's arrival and its answer.
        let _ = tokio::time::timeout(Duration::from_micros(500 * moment), propose().send()).await;
    }
    let settled = async {
        loop {
            let activity = chat.owner.all(&format!("/v1/sessions/{}/activity", chat.session)).await;
            if activity.iter().all(|call| text(call, "status") == "finished") {
                return;
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(20), settled).await.expect("every call that was taken ends");
}
