//! The limits of a task grant: uses, characters, time.

use hallpass_tests::deployment::{Chat, Deployment, Kind, number, text};
use hallpass_tests::scripted_runtime::Page;
use reqwest::StatusCode;
use serde_json::json;

async fn start(kind: Kind) -> (Deployment, Chat, String) {
    let deployment = Deployment::start(kind).await.unwrap();
    deployment.runtime.show(Page::lesson());
    let chat = Chat::open(&deployment).await;
    let grant = text(&chat.granted().await, "id");
    (deployment, chat, grant)
}

/// GRA-5, GRA-6, GRA-7, GRA-8: 200 uses run, the 200th ends the grant, the next act asks; ordinals
/// are 1 to 200 and each use is one event.
pub(super) async fn two_hundred_uses_and_no_more(kind: Kind) {
    let (deployment, chat, grant) = start(kind).await;
    for _ in 0..199 {
        chat.covered_click().await;
    }
    let before = chat.grant(&grant).await;
    assert_eq!(
        (text(&before, "status"), number(&before, "actions_used"), number(&before, "actions_remaining")),
        ("active".to_owned(), 199, 1)
    );
    chat.covered_click().await;
    let after = chat.grant(&grant).await;
    assert_eq!(
        (text(&after, "status"), text(&after, "end_reason"), number(&after, "actions_used")),
        ("ended".to_owned(), "exhausted".to_owned(), 200)
    );
    let (_, approval) = chat.asked("go").await;
    assert!(approval["offer"].is_object(), "a new task may be allowed");
    let uses = chat.events_of("tool.call.authorized").await;
    let ordinals: Vec<u64> =
        uses.iter().filter(|use_| use_["data"]["grant_id"] == json!(grant)).map(|use_| number(&use_["data"], "use_ordinal")).collect();
    assert_eq!(ordinals, (1..=200).collect::<Vec<u64>>());
    let ended = chat.events_of("browser.task_grant.ended").await;
    assert_eq!((ended.len(), text(&ended[0]["data"], "reason")), (1, "exhausted".to_owned()));
    assert_eq!(deployment.runtime.acts().iter().filter(|act| act.constraint.is_some()).count(), 200);
}

/// GRA-5, COV-3: 4,096 characters may be typed, in scalar values; one more asks, and what needs no
/// characters still runs.
pub(super) async fn typed_characters_add_up_to_the_cap(kind: Kind) {
    let (_deployment, chat, grant) = start(kind).await;
    let words = "ähm ".repeat(64);
    assert_eq!(words.chars().count(), 256);
    for _ in 0..15 {
        let typed = chat.act("answer", json!({"kind": "type", "text": words})).await.expect(StatusCode::OK);
        assert_eq!(text(&typed, "outcome"), "completed", "{typed}");
    }
    let most = "ähm ".repeat(63) + "ähm";
    let typed = chat.act("answer", json!({"kind": "type", "text": most})).await.expect(StatusCode::OK);
    assert_eq!(text(&typed, "outcome"), "completed", "{typed}");
    let almost = chat.grant(&grant).await;
    assert_eq!((number(&almost, "characters_used"), number(&almost, "characters_remaining")), (4095, 1));
    let (_, approval) = chat.asks(chat.act("answer", json!({"kind": "type", "text": "ab"})).await).await;
    assert_eq!(approval["reasons"], json!(["characters_used_up"]));
    chat.resolve(&approval, json!({"resolution": "deny"})).await.expect(StatusCode::OK);
    let last = chat.act("answer", json!({"kind": "type", "text": "a"})).await.expect(StatusCode::OK);
    assert_eq!(text(&last, "outcome"), "completed", "{last}");
    chat.covered_click().await;
    let full = chat.grant(&grant).await;
    assert_eq!((text(&full, "status"), number(&full, "characters_used"), number(&full, "actions_used")), ("active".to_owned(), 4096, 18));
    let uses = chat.events_of("tool.call.authorized").await;
    let typed: u64 =
        uses.iter().filter(|use_| use_["data"]["grant_id"] == json!(grant)).map(|use_| number(&use_["data"], "typed_characters")).sum();
    assert_eq!(typed, 4096);
}

/// GRA-8, GRA-13: a microsecond before `expires_at` the grant is used, at it it is over, whether or
/// not a sweep has written that down.
pub(super) async fn half_an_hour_to_the_microsecond(kind: Kind) {
    let (deployment, chat, grant) = start(kind).await;
    deployment.clock.set("2026-06-01T12:29:59.999999Z");
    chat.covered_click().await;
    assert_eq!(text(&chat.grant(&grant).await, "status"), "active");
    deployment.clock.set("2026-06-01T12:30:00Z");
    let over = chat.grant(&grant).await;
    assert_eq!((text(&over, "status"), text(&over, "end_reason")), ("ended".to_owned(), "expired".to_owned()));
    let (_, approval) = chat.asked("go").await;
    assert!(approval["offer"].is_object());
    let ended = chat.events_of("browser.task_grant.ended").await;
    assert_eq!((ended.len(), text(&ended[0]["data"], "reason")), (1, "expired".to_owned()));
    assert_eq!(number(&chat.grant(&grant).await, "actions_used"), 1);
}

/// GRA-13: a clock that is set back after the end revives nothing, and one that is set back before
/// the grant's creation does not lengthen it.
pub(super) async fn a_clock_that_jumps_revives_nothing(kind: Kind) {
    let (deployment, chat, grant) = start(kind).await;
    // The log's time never runs backwards: the grant is as old as its newest event.
    deployment.clock.move_by(-5_000_000);
    chat.covered_click().await;
    // A clock that is far behind would stretch the half hour by as much, so the grant is over.
    deployment.clock.set("2026-05-31T12:00:00Z");
    let (call, approval) = chat.asked("go").await;
    assert_eq!((&approval["reasons"], &approval["offer"]), (&json!(["expired"]), &json!(null)));
    chat.resolve(&approval, json!({"resolution": "deny"})).await.expect(StatusCode::OK);
    let _ = chat.finished(&call).await;
    for instant in ["2026-06-02T12:00:00Z", "2026-06-01T12:00:01Z"] {
        deployment.clock.set(instant);
        let (call, approval) = chat.asked("go").await;
        chat.resolve(&approval, json!({"resolution": "deny"})).await.expect(StatusCode::OK);
        let _ = chat.finished(&call).await;
    }
    let over = chat.grant(&grant).await;
    assert_eq!((text(&over, "status"), text(&over, "end_reason")), ("ended".to_owned(), "expired".to_owned()));
    let _ = chat.asked("go").await;
    assert_eq!(number(&chat.grant(&grant).await, "actions_used"), 1);
    let events = chat.events().await;
    assert!(events.windows(2).all(|pair| text(&pair[0], "recorded_at") <= text(&pair[1], "recorded_at")));
}

/// GRA-5, GRA-13: while the clock is far behind the log nobody can say when half an hour is over, so
/// no task is allowed; the card waits and can be allowed once.
pub(super) async fn a_clock_far_behind_starts_no_half_hour(kind: Kind) {
    let deployment = Deployment::start(kind).await.unwrap();
    deployment.runtime.show(Page::lesson());
    let chat = Chat::open(&deployment).await;
    chat.look().await;
    let (call, approval) = chat.asked("go").await;
    assert!(approval["offer"].is_object());
    deployment.clock.move_by(-60_000_000);
    chat.allow_task(&approval).await.is_problem(409, "offer_no_longer_valid");
    chat.resolve(&approval, json!({"resolution": "approve_once"})).await.expect(StatusCode::OK);
    assert_eq!(text(&chat.finished(&call).await, "outcome"), "completed");
    assert!(chat.owner.all("/v1/browser-task-grants").await.is_empty());
    deployment.clock.move_by(60_000_000);
    let _ = chat.granted().await;
    // Nothing is asked for meanwhile, and still it does not come back.
    deployment.clock.move_by(-60_000_000);
    let ended = async { while chat.events_of("browser.task_grant.ended").await.is_empty() {} };
    tokio::time::timeout(std::time::Duration::from_secs(30), ended).await.expect("the sweep ends it");
    assert_eq!(chat.events_of("browser.task_grant.ended").await[0]["data"]["reason"], "expired");
}
