//! When the owner is asked, and what the card shows.

use hallpass_tests::deployment::{Chat, Deployment, Kind, number, text};
use hallpass_tests::scripted_runtime::{Element, Page};
use reqwest::StatusCode;
use serde_json::json;

/// APR-2, APR-5, COV-10: the first act asks; the owner's yes runs exactly that act, without a
/// constraint, and the next one asks again.
pub(super) async fn a_card_runs_exactly_one_act(kind: Kind) {
    let deployment = Deployment::start(kind).await.unwrap();
    deployment.runtime.show(Page::lesson());
    let chat = Chat::open(&deployment).await;
    chat.look().await;
    let (call, approval) = chat.asked("go").await;
    assert_eq!(text(&approval["view"], "action_summary"), "Click a button on www.example.com/lesson/1");
    assert_eq!(text(&approval["view"], "name"), "Continue");
    assert_eq!((text(&approval, "session_id"), text(&approval, "run_id")), (chat.session.clone(), chat.run.clone()));
    assert_eq!(approval["reasons"], json!([]));
    assert!(deployment.runtime.acts().is_empty(), "nothing is sent before the answer");

    let resolved = chat.resolve(&approval, json!({"resolution": "approve_once"})).await.expect(StatusCode::OK);
    assert_eq!((text(&resolved, "status"), text(&resolved, "resolution")), ("approved".to_owned(), "approve_once".to_owned()));
    assert_eq!(text(&chat.finished(&call).await, "outcome"), "completed");
    let acts = deployment.runtime.acts();
    assert_eq!(acts.len(), 1);
    assert_eq!((acts[0].element_ref.as_deref(), &acts[0].action, &acts[0].constraint), (Some("go"), &json!({"kind": "click"}), &None));

    let (_, again) = chat.asked("go").await;
    assert_ne!(text(&again, "id"), text(&approval, "id"));
    assert_eq!(deployment.runtime.acts().len(), 1);
    assert_eq!(deployment.runtime.violations(), Vec::<String>::new());
}

/// OFF-1, OFF-2, OFF-6, OFF-8, GRA-1, GRA-5: the offer names the configured place and the limits;
/// allowing the task runs the act and creates the grant, and what follows runs within its bounds.
pub(super) async fn a_task_permission_covers_what_follows(kind: Kind) {
    let deployment = Deployment::start(kind).await.unwrap();
    deployment.runtime.show(Page::lesson());
    let chat = Chat::open(&deployment).await;
    chat.look().await;
    let (call, approval) = chat.asked("go").await;
    let offer = &approval["offer"];
    assert_eq!((text(offer, "origin"), text(offer, "path_prefix")), ("https://www.example.com".to_owned(), "/lesson".to_owned()));
    assert_eq!((number(offer, "minutes"), number(offer, "actions"), number(offer, "characters")), (30, 200, 4096));
    for part in [
        "Hallpass recognises payments, purchases, account changes and messages by the website's labels",
        "stop this permission at any time",
    ] {
        assert!(text(offer, "text").contains(part), "{offer}");
    }
    let resolved = chat.allow_task(&approval).await.expect(StatusCode::OK);
    assert_eq!((text(&resolved, "status"), text(&resolved, "resolution")), ("approved".to_owned(), "approve_for_task".to_owned()));
    assert_eq!(text(&chat.finished(&call).await, "outcome"), "completed");
    let grant = chat.grant(&text(&resolved, "task_grant_id")).await;
    assert_eq!((text(&grant, "status"), text(&grant, "approval_id")), ("active".to_owned(), text(&approval, "id")));
    // GRA-5: the act on the card counts toward nothing.
    assert_eq!(
        (number(&grant, "actions_used"), number(&grant, "actions_remaining"), number(&grant, "characters_remaining")),
        (0, 200, 4096)
    );
    assert_eq!(
        (text(&grant, "created_at"), text(&grant, "expires_at")),
        ("2026-06-01T12:00:00.000000Z".to_owned(), "2026-06-01T12:30:00.000000Z".to_owned())
    );

    chat.covered_click().await;
    chat.answer("I go on").await;
    let typed = chat.act("answer", json!({"kind": "type", "text": "häuser"})).await.expect(StatusCode::OK);
    assert_eq!(text(&typed, "outcome"), "completed", "{typed}");
    let acts = deployment.runtime.acts();
    let constraint = json!({
        "grant_kind": "browser_task_grant", "origins": ["https://www.example.com"], "path_prefix": "/lesson",
        "not_after": "2026-06-01T12:30:00Z", "consequence_ceiling": "unknown", "text_cap": 256,
    });
    assert_eq!(acts[0].constraint, None, "the act on the card runs as approved");
    assert_eq!((&acts[1].constraint, &acts[2].constraint), (&Some(constraint.clone()), &Some(constraint)));
    let grant = chat.grant(&text(&grant, "id")).await;
    assert_eq!((number(&grant, "actions_used"), number(&grant, "characters_used"), number(&grant, "characters_remaining")), (2, 6, 4090));
    assert_eq!(deployment.runtime.violations(), Vec::<String>::new());
}

/// COV-10, COV-1: an act that the grant does not cover asks and says why; the grant is not spent.
pub(super) async fn a_card_says_why_the_permission_does_not_cover(kind: Kind) {
    let deployment = Deployment::start(kind).await.unwrap();
    deployment.runtime.show(Page::lesson());
    let chat = Chat::open(&deployment).await;
    let grant = chat.granted().await;
    let (call, approval) = chat.asked("pay").await;
    assert_eq!(approval["reasons"], json!(["consequence_named"]));
    assert!(approval["offer"].is_object(), "accepting it would supersede");
    chat.resolve(&approval, json!({"resolution": "deny"})).await.expect(StatusCode::OK);
    assert_eq!(text(&chat.finished(&call).await, "code"), "tool.approval_denied");
    let replied = chat.act("answer", json!({"kind": "type", "text": "me@example.com"})).await;
    assert_eq!(chat.asks(replied).await.1["reasons"], json!(["text_shape"]));
    assert_eq!(number(&chat.grant(&text(&grant, "id")).await, "actions_used"), 0);
}

/// OFF-7, RUN-5: an element without facts is asked about, said to be unknown, and never offered.
pub(super) async fn what_cannot_be_described_is_asked_without_an_offer(kind: Kind) {
    let deployment = Deployment::start(kind).await.unwrap();
    deployment.runtime.show(Page::lesson());
    let chat = Chat::open(&deployment).await;
    let grant = chat.granted().await;
    let (call, approval) = chat.asked("bare").await;
    assert_eq!(
        (&approval["offer"], &approval["view"]["described"], &approval["reasons"]),
        (&json!(null), &json!(false), &json!(["facts_missing"]))
    );
    assert!(text(&approval["view"], "action_summary").contains("cannot describe"), "{approval}");
    chat.resolve(&approval, json!({"resolution": "approve_for_task", "origin": "https://www.example.com", "path_prefix": "/lesson"}))
        .await
        .is_problem(409, "offer_missing");
    chat.resolve(&approval, json!({"resolution": "approve_once"})).await.expect(StatusCode::OK);
    assert_eq!(text(&chat.finished(&call).await, "outcome"), "completed");
    assert_eq!(number(&chat.grant(&text(&grant, "id")).await, "actions_used"), 0);
}

/// COV-9: a credential field is refused without asking; its neighbour asks.
pub(super) async fn credential_fields_are_refused_outright(kind: Kind) {
    let deployment = Deployment::start(kind).await.unwrap();
    deployment.runtime.show(Page::lesson());
    let chat = Chat::open(&deployment).await;
    chat.look().await;
    let refused = chat.act("secret", json!({"kind": "type", "text": "hunter2"})).await.expect(StatusCode::OK);
    assert_eq!((text(&refused, "outcome"), text(&refused, "code")), ("refused".to_owned(), "tool.browser.credential_field".to_owned()));
    let replied = chat.act("answer", json!({"kind": "type", "text": "haus"})).await;
    let (_, approval) = chat.asks(replied).await;
    assert_eq!(text(&approval["view"], "typed_text"), "haus");
    assert!(chat.owner.all("/v1/approvals").await.len() == 1 && deployment.runtime.acts().is_empty());
}

/// VIE-3, VIE-4: a card holds no reference, no revision, no query and no credential.
pub(super) async fn a_card_shows_no_secret(kind: Kind) {
    let deployment = Deployment::start(kind).await.unwrap();
    deployment.runtime.show(Page::default().with(Element::field("x-ref-7", "Your answer")));
    let chat = Chat::open(&deployment).await;
    let seen = chat.done("browser.navigate", json!({"url": "https://www.example.com/lesson/1?token=q-u-e-r-y"})).await;
    assert_eq!(text(&seen, "outcome"), "completed");
    let replied = chat.act("x-ref-7", json!({"kind": "type", "text": "sk_live_4242abcd4242efgh"})).await;
    let (_, approval) = chat.asks(replied).await;
    assert_eq!(text(&approval["view"], "typed_text"), "[REDACTED]");
    let events: Vec<String> = chat.events().await.iter().map(ToString::to_string).collect();
    for secret in ["x-ref-7", "q-u-e-r-y", "sk_live"] {
        assert!(!approval.to_string().contains(secret), "{approval}");
        assert!(!events.iter().any(|event| event.contains(secret)), "{secret} is in the log");
    }
}
