//! Who may use a grant, and where (GRA-2, GRA-3, COV-4).

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

/// GRA-2: the grant belongs to the session, so it goes on in its next run.
pub(super) async fn a_permission_continues_in_the_next_run(kind: Kind) {
    let (_deployment, mut chat, grant) = start(kind).await;
    chat.covered_click().await;
    chat.agent.order(&format!("/v1/runs/{}/end", chat.run)).await.expect(StatusCode::OK);
    chat.start_run().await;
    chat.covered_click().await;
    assert_eq!(number(&chat.grant(&grant).await, "actions_used"), 2);
}

/// GRA-3: scheduled and child runs, and sessions of other surfaces, schedules or without a message
/// of the owner, neither use a grant nor are offered one; the interactive run beside them does.
pub(super) async fn other_runs_and_sessions_do_not_use_it(kind: Kind) {
    let (deployment, chat, grant) = start(kind).await;
    let runs = [json!({"kind": "scheduled"}), json!({"kind": "child", "parent_run_id": chat.run})];
    for run in runs {
        let other = Chat { run: chat.started(run.clone()).await, ..chat.clone() };
        let (call, approval) = other.asked("go").await;
        assert_eq!((&approval["reasons"], &approval["offer"]), (&json!(["not_applicable"]), &json!(null)), "{run}");
        chat.resolve(&approval, json!({"resolution": "deny"})).await.expect(StatusCode::OK);
        let _ = chat.finished(&call).await;
    }
    chat.covered_click().await;
    assert_eq!(number(&chat.grant(&grant).await, "actions_used"), 1);
    let child_of_nobody = json!({"kind": "child"});
    chat.agent.post(&format!("/v1/sessions/{}/runs", chat.session), child_of_nobody).await.is_problem(409, "run_parent_invalid");

    let profile = &chat.profile;
    let sessions = [
        json!({"surface": "inbound", "profile_id": profile}),
        json!({"surface": "device", "profile_id": profile}),
        json!({"surface": "schedule", "profile_id": profile}),
        json!({"surface": "chat", "profile_id": profile, "schedule_id": "every-morning"}),
        json!({"surface": "chat"}),
    ];
    for session in sessions {
        let other = Chat::open_with(&deployment, session.clone()).await;
        other.look().await;
        let (_, approval) = other.asked("go").await;
        assert_eq!((&approval["offer"], &approval["reasons"]), (&json!(null), &json!([])), "{session}");
    }
    let other = Chat::open_with(&deployment, json!({"surface": "chat", "profile_id": profile})).await;
    other.look().await;
    let (_, approval) = other.asked("go").await;
    assert!(approval["offer"].is_object(), "a chat of its own may be allowed, and does not use this grant");
    assert_eq!(number(&chat.grant(&grant).await, "actions_used"), 1);
}

/// COV-4: after another tool the grant rests until the owner's next message; the agent's words do
/// not wake it.
pub(super) async fn another_tool_closes_the_turn(kind: Kind) {
    let (_deployment, chat, grant) = start(kind).await;
    chat.covered_click().await;
    let recorded = chat.done("mail.read", json!({"folder": "in"})).await;
    assert_eq!((text(&recorded, "outcome"), text(&recorded, "code")), ("completed".to_owned(), "tool.recorded".to_owned()));
    for _ in 0..2 {
        let (call, approval) = chat.asked("go").await;
        assert_eq!(approval["reasons"], json!(["turn_not_browser_only"]));
        chat.resolve(&approval, json!({"resolution": "deny"})).await.expect(StatusCode::OK);
        let _ = chat.finished(&call).await;
        chat.answer("May I go on?").await;
    }
    chat.say("Yes, go on").await;
    chat.covered_click().await;
    assert_eq!(number(&chat.grant(&grant).await, "actions_used"), 2);
}

/// H1, UPL-6: a tool of the browser that this version does not have is refused, never told as done;
/// asking for it closes the turn all the same.
pub(super) async fn an_unknown_browser_tool_does_nothing(kind: Kind) {
    let (_deployment, chat, _) = start(kind).await;
    for tool in ["browser.upload", "browser.Act", "Browser.act", "browser.act ", "browser"] {
        let call = chat.done(tool, json!({"revision": "r"})).await;
        assert_eq!((text(&call, "outcome"), text(&call, "code")), ("refused".to_owned(), "tool.not_available".to_owned()), "{tool}");
    }
    let sent = chat.events_of("tool.call.dispatched").await;
    assert!(sent.iter().all(|event| text(event, "type") == "tool.call.dispatched"));
    assert_eq!(chat.asked("go").await.1["reasons"], json!(["turn_not_browser_only"]));
}

/// COV-4: what was proposed in a turn that had used another tool is asked about, also when the owner
/// has written before its place in the queue comes.
pub(super) async fn a_queued_act_belongs_to_its_turn(kind: Kind) {
    let (deployment, chat, grant) = start(kind).await;
    let _ = chat.done("mail.read", json!({})).await;
    let seen = chat.observe().await;
    let act = json!({"revision": seen.revision, "element_ref": "go", "action": {"kind": "click"}});
    let (first, asked) = chat.asks(chat.propose("browser.act", act.clone()).await).await;
    let before = chat.events_of("tool.call.requested").await.len();
    let queued = tokio::spawn({
        let (chat, act) = (chat.clone(), act.clone());
        async move { chat.propose("browser.act", act).await }
    });
    let queue = async { while chat.events_of("tool.call.requested").await.len() == before {} };
    tokio::time::timeout(std::time::Duration::from_secs(20), queue).await.expect("the second act is recorded");
    chat.say("Go on").await;
    chat.resolve(&asked, json!({"resolution": "deny"})).await.expect(StatusCode::OK);
    let _ = chat.finished(&first).await;
    let (second, asked) = chat.asks(queued.await.unwrap()).await;
    assert_eq!(asked["reasons"], json!(["turn_not_browser_only"]));
    chat.resolve(&asked, json!({"resolution": "deny"})).await.expect(StatusCode::OK);
    let _ = chat.finished(&second).await;
    let acts = deployment.runtime.acts().len();
    chat.covered_click().await;
    assert_eq!((number(&chat.grant(&grant).await, "actions_used"), deployment.runtime.acts().len()), (1, acts + 1));
}

/// AUT-8, COV-4: a wrapped call is judged, counted and recorded as what it wraps.
pub(super) async fn a_wrapped_call_is_unwrapped(kind: Kind) {
    let (deployment, chat, grant) = start(kind).await;
    let revision = chat.observe().await.revision;
    let act = json!({"revision": revision, "element_ref": "go", "action": {"kind": "click"}});
    let done = chat.done("tool.call", json!({"tool": "browser.act", "arguments": act})).await;
    assert_eq!((text(&done, "outcome"), text(&done, "tool")), ("completed".to_owned(), "browser.act".to_owned()));
    assert_eq!(number(&chat.grant(&grant).await, "actions_used"), 1);
    assert!(deployment.runtime.acts()[1].constraint.is_some());
    // A wrapped other tool closes the turn as it would unwrapped.
    let _ = chat.done("tool.call", json!({"tool": "mail.read", "arguments": {}})).await;
    assert_eq!(chat.asked("go").await.1["reasons"], json!(["turn_not_browser_only"]));
}

/// OFF-6, COV-5: outside the configured place, or in a sensitive part of it, a card is shown without
/// an offer and the grant is not used.
pub(super) async fn pages_outside_are_asked_without_an_offer(kind: Kind) {
    let (deployment, chat, grant) = start(kind).await;
    let pages = [
        (Page { path: "/lessons/1".to_owned(), ..Page::lesson() }, "page_outside_prefix"),
        (Page { path: "/".to_owned(), ..Page::lesson() }, "page_outside_prefix"),
        (Page { path: "/lesson%2f..%2fadmin".to_owned(), ..Page::lesson() }, "page_outside_prefix"),
        (Page { path: "/lesson/checkout".to_owned(), ..Page::lesson() }, "page_sensitive"),
        (Page { origin: "https://www.example.com:8443".to_owned(), ..Page::lesson() }, "page_outside_origin"),
        (Page { origin: "https://example.com".to_owned(), ..Page::lesson() }, "page_outside_origin"),
        (Page { origin: "null".to_owned(), ..Page::lesson() }, "page_outside_origin"),
    ];
    for (page, reason) in pages {
        deployment.runtime.show(page);
        let (call, approval) = chat.asked("go").await;
        assert_eq!((&approval["reasons"], &approval["offer"]), (&json!([reason]), &json!(null)));
        chat.resolve(&approval, json!({"resolution": "deny"})).await.expect(StatusCode::OK);
        let _ = chat.finished(&call).await;
    }
    deployment.runtime.show(Page { path: "/lesson".to_owned(), ..Page::lesson() });
    chat.covered_click().await;
    assert_eq!(number(&chat.grant(&grant).await, "actions_used"), 1);
}

/// RUN-11, AUT-1: without a card an agent opens pages of the session's origins, and nothing else
/// with or without one; the origins are the configured ones unless the owner names others.
pub(super) async fn navigation_stays_on_the_allowed_origins(kind: Kind) {
    let deployment = Deployment::start(kind).await.unwrap();
    let chat = Chat::open(&deployment).await;
    let named = json!({"surface": "chat", "allowed_origins": ["https://shop.example.org:8443"]});
    let other = Chat::open_with(&deployment, named).await;
    let (own, others) = ("https://www.example.com/anything?q#f", "https://shop.example.org:8443/");
    let elsewhere = [
        "http://www.example.com/",
        "https://www.example.com:444/",
        "https://example.com/",
        "https://www.example.com.evil.example/",
        "javascript:alert(1)",
        "about:blank",
        "file:///etc/passwd",
        "",
        "lesson/1",
    ];
    for (chat, allowed, refused) in [(&chat, own, others), (&other, others, own)] {
        let before = deployment.runtime.calls();
        for url in elsewhere.iter().chain([&refused]) {
            let call = chat.done("browser.navigate", json!({"url": url})).await;
            assert_eq!(
                (text(&call, "outcome"), text(&call, "code")),
                ("refused".to_owned(), "tool.browser.origin_not_allowed".to_owned()),
                "{url}"
            );
        }
        assert_eq!(deployment.runtime.calls(), before);
        assert_eq!(text(&chat.done("browser.navigate", json!({"url": allowed})).await, "outcome"), "completed");
    }
    let leases = deployment.runtime.opened();
    let origins: Vec<_> = leases.iter().map(|lease| &lease["allowed_origins"]).collect();
    assert_eq!(origins, [&json!(["https://www.example.com"]), &json!(["https://shop.example.org:8443"])]);
}
