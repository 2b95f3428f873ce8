//! A runtime that is not as it should be: the control plane takes nothing from it on trust.

use hallpass_tests::deployment::{Chat, Deployment, Kind, number, text};
use hallpass_tests::scripted_runtime::{Page, Reply};
use reqwest::StatusCode;
use serde_json::{Value, json};
use tokio::net::TcpListener;

async fn start(kind: Kind) -> (Deployment, Chat) {
    let deployment = Deployment::start(kind).await.unwrap();
    deployment.runtime.show(Page::lesson());
    let chat = Chat::open(&deployment).await;
    (deployment, chat)
}

fn ended(call: &Value) -> (String, String) {
    (text(call, "outcome"), text(call, "code"))
}

/// RUN-1: a call goes to the configured runtime and to nobody whom it names.
pub(super) async fn a_redirect_is_not_followed(kind: Kind) {
    let (deployment, chat) = start(kind).await;
    let canary = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let elsewhere = format!("http://{}/v1/leases", canary.local_addr().unwrap());
    let _ = chat.granted().await;
    let seen = chat.observe().await;
    deployment.runtime.reply(Reply::Elsewhere(elsewhere));
    let call = chat.done("browser.act", json!({"revision": seen.revision, "element_ref": "go", "action": {"kind": "click"}})).await;
    assert_eq!(ended(&call), ("unknown".to_owned(), "tool.browser.runtime_interrupted".to_owned()));
    let canary = canary.into_std().unwrap();
    assert_eq!(canary.accept().unwrap_err().kind(), std::io::ErrorKind::WouldBlock, "nobody came");
}

/// Threat G9: an answer of any length is read to a limit only; what it was is not known then.
pub(super) async fn an_answer_has_a_limit(kind: Kind) {
    let (deployment, chat) = start(kind).await;
    for (bytes, outcome) in [(1_000_000, "completed"), (32 * 1024 * 1024, "unknown")] {
        let url = json!({"url": "https://www.example.com/lesson"});
        deployment.runtime.reply(Reply::Long(bytes));
        assert_eq!(text(&chat.done("browser.navigate", url).await, "outcome"), outcome, "{bytes}");
    }
}

/// EVT-1, threat H5: a code that is none is not recorded, and does not keep a call from its end.
pub(super) async fn codes_are_codes(kind: Kind) {
    let (deployment, chat) = start(kind).await;
    let observe = async |reply| {
        deployment.runtime.reply(reply);
        ended(&chat.done("browser.observe", json!({})).await)
    };
    let refused = |code: &str| ("refused".to_owned(), code.to_owned());
    assert_eq!(observe(Reply::Refused("tool.browser.too_large")).await, refused("tool.browser.too_large"));
    for odd in ["tool.browser.a\0b", "tool.browser.<b>", "tool.approval_denied", "tool.browser.x\nx"] {
        assert_eq!(observe(Reply::Refused(odd)).await, refused("tool.browser.turned_down"), "{odd:?}");
        assert_eq!(observe(Reply::Status(400, odd)).await, refused("tool.browser.turned_down"), "{odd:?}");
    }
}

/// CLS-2, AUT-6: facts that another classifier would judge differently cover nothing.
pub(super) async fn another_classifier_covers_nothing(kind: Kind) {
    let (deployment, chat) = start(kind).await;
    let grant = text(&chat.granted().await, "id");
    let health = |version: &str| json!({"status": "ok", "self_test": "passed", "classifier_version": version});
    for (version, covered) in [("0123456789abcdef", false), (domain::classify::version(), true)] {
        deployment.runtime.say_health(health(version));
        // The next lease is opened by a runtime that may be another one.
        deployment.runtime.reply(Reply::LeaseGone);
        let _ = chat.done("browser.observe", json!({})).await;
        let _ = chat.look().await;
        if covered {
            chat.covered_click().await;
        } else {
            let (call, approval) = chat.asked("go").await;
            assert_eq!(approval["reasons"], json!(["facts_missing"]));
            chat.resolve(&approval, json!({"resolution": "deny"})).await.expect(StatusCode::OK);
            let _ = chat.finished(&call).await;
        }
    }
    assert_eq!(number(&chat.grant(&grant).await, "actions_used"), 1);
}

/// RUN-16: a runtime whose self-test did not pass is none.
pub(super) async fn a_failed_self_test_is_not_ready(kind: Kind) {
    let (deployment, chat) = start(kind).await;
    assert_eq!(chat.owner.get("/readyz").await.status, 200);
    for health in [json!({"status": "ok", "self_test": "failed"}), json!({"status": "ok"}), json!([])] {
        deployment.runtime.say_health(health.clone());
        let ready = chat.owner.get("/readyz").await;
        assert_eq!((ready.status, &ready.body), (503, &json!({"log": true, "runtime": false})), "{health}");
    }
}
