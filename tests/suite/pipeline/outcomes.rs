//! How acts end, and what that leaves behind (AUT-7).

use hallpass_tests::deployment::{Chat, Deployment, Kind, number, text};
use hallpass_tests::scripted_runtime::{Page, Reply};
use reqwest::StatusCode;
use serde_json::json;

async fn start(kind: Kind) -> (Deployment, Chat, String) {
    let deployment = Deployment::start(kind).await.unwrap();
    deployment.runtime.show(Page::lesson());
    let chat = Chat::open(&deployment).await;
    let grant = text(&chat.granted().await, "id");
    (deployment, chat, grant)
}

async fn click(chat: &Chat, revision: &str) -> serde_json::Value {
    chat.done("browser.act", json!({"revision": revision, "element_ref": "go", "action": {"kind": "click"}})).await
}

/// AUT-7, GRA-6: an unknown outcome is told as unknown, is not tried again, and its use stays spent.
pub(super) async fn an_unknown_outcome_stays_and_the_use_is_spent(kind: Kind) {
    let (deployment, chat, grant) = start(kind).await;
    let seen = chat.observe().await;
    deployment.runtime.reply(Reply::Unknown);
    let call = click(&chat, &seen.revision).await;
    assert_eq!((text(&call, "outcome"), text(&call, "code")), ("unknown".to_owned(), "tool.browser.outcome_unknown".to_owned()));
    assert_eq!(click(&chat, &seen.revision).await["code"], "tool.browser.stale_revision", "the page may have changed");
    assert_eq!((deployment.runtime.acts().len(), number(&chat.grant(&grant).await, "actions_used")), (2, 1));
    chat.covered_click().await;
    assert_eq!(number(&chat.grant(&grant).await, "actions_used"), 2);
}

/// AUT-7: when the answer breaks off, or is none, nobody knows whether the act had effect.
pub(super) async fn a_broken_connection_is_unknown(kind: Kind) {
    let (deployment, chat, grant) = start(kind).await;
    for (uses, reply) in [Reply::Broken, Reply::Status(500, "oops"), Reply::Nonsense].into_iter().enumerate() {
        let seen = chat.look().await;
        deployment.runtime.reply(reply);
        let call = click(&chat, &seen.revision).await;
        assert_eq!((text(&call, "outcome"), text(&call, "code")), ("unknown".to_owned(), "tool.browser.runtime_interrupted".to_owned()));
        assert_eq!(click(&chat, &seen.revision).await["code"], "tool.browser.stale_revision");
        assert_eq!(number(&chat.grant(&grant).await, "actions_used"), uses as u64 + 1);
        assert_eq!(deployment.runtime.acts().len(), uses + 2);
    }
    assert_eq!(deployment.runtime.violations(), Vec::<String>::new());
}

/// AUT-7: a runtime that is not there certainly did nothing.
pub(super) async fn a_runtime_that_is_gone_refuses(kind: Kind) {
    let deployment = Deployment::start(kind).await.unwrap();
    let chat = Chat::open(&deployment).await;
    let gone = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", gone.local_addr().unwrap()).parse().unwrap();
    drop(gone);
    let mut deployment = deployment;
    deployment.settings.runtime = Some(api::settings::RemoteRuntime { url, token: "t".to_owned() });
    deployment.restart().await.unwrap();
    let chat = Chat { owner: deployment.owner.clone(), agent: deployment.agent.clone(), ..chat };
    let call = chat.done("browser.navigate", json!({"url": "https://www.example.com/lesson"})).await;
    assert_eq!((text(&call, "outcome"), text(&call, "code")), ("refused".to_owned(), "tool.browser.runtime_unavailable".to_owned()));
    let ready = chat.owner.get("/readyz").await;
    assert_eq!((ready.status, &ready.body), (503, &json!({"log": true, "runtime": false})));
}

/// RUN-4, COV-10: the runtime sees that the live page does not fit: the refusal and its reasons are
/// told, the observation is void, the lease and its sequence go on.
pub(super) async fn a_grant_that_does_not_fit_discards_the_observation(kind: Kind) {
    let (deployment, chat, grant) = start(kind).await;
    let seen = chat.observe().await;
    deployment.runtime.reply(Reply::NotApplicable(vec!["consequence_named", "element_changed"]));
    let call = click(&chat, &seen.revision).await;
    assert_eq!((text(&call, "outcome"), text(&call, "code")), ("refused".to_owned(), "tool.browser.grant_not_applicable".to_owned()));
    assert_eq!(call["reasons"], json!(["consequence_named", "element_changed"]));
    assert_eq!(click(&chat, &seen.revision).await["code"], "tool.browser.stale_revision");
    chat.covered_click().await;
    assert_eq!((number(&chat.grant(&grant).await, "actions_used"), deployment.runtime.leases()), (2, 1));
    assert_eq!(deployment.runtime.violations(), Vec::<String>::new());
}

/// AUT-7: a failed act had no effect and says so; a refused one leaves the observation standing
/// only when it was not sent under a grant.
pub(super) async fn a_failed_act_says_so(kind: Kind) {
    let (deployment, chat, _) = start(kind).await;
    let seen = chat.observe().await;
    deployment.runtime.reply(Reply::Failed);
    let call = click(&chat, &seen.revision).await;
    assert_eq!((text(&call, "outcome"), text(&call, "code")), ("failed".to_owned(), "tool.browser.failed".to_owned()));
    assert_eq!(click(&chat, &seen.revision).await["code"], "tool.browser.stale_revision");

    let seen = chat.observe().await;
    let pay = json!({"revision": seen.revision, "element_ref": "pay", "action": {"kind": "click"}});
    let (call, approval) = chat.asks(chat.propose("browser.act", pay).await).await;
    deployment.runtime.reply(Reply::Refused("tool.browser.covered_by_another"));
    chat.resolve(&approval, json!({"resolution": "approve_once"})).await.expect(StatusCode::OK);
    assert_eq!(text(&chat.finished(&call).await, "code"), "tool.browser.covered_by_another");
    assert_eq!(text(&click(&chat, &seen.revision).await, "outcome"), "completed");
}

/// RUN-7: an act on another revision than the newest, or before any, is refused and not asked about.
pub(super) async fn stale_revisions_are_refused(kind: Kind) {
    let deployment = Deployment::start(kind).await.unwrap();
    deployment.runtime.show(Page::lesson());
    let chat = Chat::open(&deployment).await;
    assert_eq!(click(&chat, "r1").await["code"], "tool.browser.stale_revision");
    let older = chat.look().await;
    let newer = chat.observe().await;
    assert_eq!(click(&chat, &older.revision).await["code"], "tool.browser.stale_revision");
    let unknown = json!({"revision": newer.revision, "element_ref": "nowhere", "action": {"kind": "click"}});
    assert_eq!(chat.done("browser.act", unknown).await["code"], "tool.browser.unknown_element");
    let scroll = json!({"revision": older.revision, "action": {"kind": "scroll", "dy": 300}});
    assert_eq!(chat.done("browser.act", scroll).await["code"], "tool.browser.stale_revision");
    assert!(chat.owner.all("/v1/approvals").await.is_empty());
    let good = json!({"revision": newer.revision, "element_ref": "go", "action": {"kind": "click"}});
    let _ = chat.asks(chat.propose("browser.act", good).await).await;
    assert!(deployment.runtime.acts().is_empty());
}

/// AUT-7: a lease that ended by itself refuses the act that found it so; navigating opens a new one.
pub(super) async fn a_lease_that_is_gone_is_opened_anew(kind: Kind) {
    let (deployment, chat, grant) = start(kind).await;
    let seen = chat.observe().await;
    deployment.runtime.reply(Reply::LeaseGone);
    let call = click(&chat, &seen.revision).await;
    assert_eq!((text(&call, "outcome"), text(&call, "code")), ("refused".to_owned(), "tool.browser.lease_gone".to_owned()));
    assert_eq!(number(&chat.grant(&grant).await, "actions_used"), 1, "a use is never given back");
    deployment.runtime.reply(Reply::LeaseGone);
    chat.look().await;
    chat.covered_click().await;
    assert_eq!(deployment.runtime.leases(), 1);
    assert_eq!(deployment.runtime.violations(), Vec::<String>::new());
}

/// API-5, RUN-5: facts of a newer runtime that this worker does not know are as good as absent: it
/// still observes, and asks instead of covering.
pub(super) async fn newer_facts_are_ignored(kind: Kind) {
    let (deployment, chat, grant) = start(kind).await;
    let mut page = Page::lesson();
    page.elements[0].facts.as_mut().unwrap()["from_the_future"] = json!(true);
    deployment.runtime.show(page);
    let (call, approval) = chat.asked("go").await;
    assert_eq!((&approval["reasons"], &approval["offer"]), (&json!(["facts_missing"]), &json!(null)));
    chat.resolve(&approval, json!({"resolution": "deny"})).await.expect(StatusCode::OK);
    let _ = chat.finished(&call).await;
    // The neighbour's facts are understood.
    let typed = chat.act("answer", json!({"kind": "type", "text": "haus"})).await.expect(StatusCode::OK);
    assert_eq!(text(&typed, "outcome"), "completed");
    assert_eq!(number(&chat.grant(&grant).await, "actions_used"), 1);
}
