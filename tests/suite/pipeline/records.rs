//! What the log, the activity and the live stream tell.

use hallpass_tests::deployment::{Chat, Deployment, Kind, number, text};
use hallpass_tests::scripted_runtime::Page;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use std::time::Duration;

async fn start(kind: Kind) -> (Deployment, Chat) {
    let deployment = Deployment::start(kind).await.unwrap();
    deployment.runtime.show(Page::lesson());
    let chat = Chat::open(&deployment).await;
    (deployment, chat)
}

fn types(events: &[Value]) -> Vec<String> {
    events.iter().map(|event| text(event, "type")).collect()
}

/// EVT-1, EVT-2, AUT-5: approval, grant, use and end are events with every field that was promised;
/// positions have no gaps, versions are counted by stream, and pages of the log join without seams.
pub(super) async fn every_step_is_an_event(kind: Kind) {
    let (_deployment, chat) = start(kind).await;
    let grant = chat.granted().await;
    let id = text(&grant, "id");
    let used = chat.act("answer", json!({"kind": "type", "text": "haus"})).await.expect(StatusCode::OK);
    chat.owner.order(&format!("/v1/browser-task-grants/{id}/revoke")).await.expect(StatusCode::OK);
    let events = chat.events().await;
    let positions: Vec<u64> = events.iter().map(|event| number(event, "position")).collect();
    assert_eq!(positions, (1..=events.len() as u64).collect::<Vec<u64>>());
    let of = |kind: &str| events.iter().filter(|event| text(event, "type") == kind).collect::<Vec<_>>();

    let requested = of("approval.requested")[0];
    let resolved = of("approval.resolved")[0];
    assert_eq!(
        (text(&resolved["data"], "resolution"), text(&resolved["data"], "task_grant_id")),
        ("approve_for_task".to_owned(), id.clone())
    );
    assert_eq!(resolved["data"]["approval_id"], requested["data"]["approval_id"]);
    assert_eq!(resolved["actor"], json!({"kind": "owner", "principal": "ada"}));
    let created = of("browser.task_grant.created")[0];
    assert_eq!(number(created, "position"), number(resolved, "position") + 1, "one step");
    assert_eq!(created["recorded_at"], resolved["recorded_at"]);
    let data = &created["data"];
    assert_eq!(
        (text(data, "grant_id"), text(data, "session_id"), text(data, "profile_id")),
        (id.clone(), chat.session.clone(), chat.profile.clone())
    );
    assert_eq!(
        (text(data, "origin"), text(data, "path_prefix"), number(data, "actions_max")),
        ("https://www.example.com".to_owned(), "/lesson".to_owned(), 200)
    );
    assert_eq!(
        (number(data, "profile_generation"), text(data, "agent_version"), text(data, "principal")),
        (1, "1".to_owned(), "ada".to_owned())
    );
    assert!(!text(data, "policy_version").is_empty() && data["approval_id"] == requested["data"]["approval_id"]);

    let uses = of("tool.call.authorized");
    assert_eq!((text(&uses[0]["data"], "authorization_kind"), &uses[0]["data"]["grant_id"]), ("approval".to_owned(), &json!(null)));
    let data = &uses[1]["data"];
    assert_eq!(
        (text(data, "authorization_kind"), text(data, "grant_id"), number(data, "use_ordinal")),
        ("browser_task_grant".to_owned(), id.clone(), 1)
    );
    assert_eq!((number(data, "typed_characters"), number(data, "actions_remaining"), number(data, "characters_remaining")), (4, 199, 4092));
    assert_eq!((data["tool_call_id"].clone(), text(&data["view"], "typed_text")), (used["tool_call_id"].clone(), "haus".to_owned()));
    let ended = of("browser.task_grant.ended")[0];
    assert_eq!((text(&ended["data"], "grant_id"), text(&ended["data"], "reason")), (id.clone(), "revoked".to_owned()));

    let stream: Vec<(String, u64)> = events
        .iter()
        .filter(|event| text(event, "stream") == text(created, "stream"))
        .map(|event| (text(event, "type"), number(event, "version")))
        .collect();
    let wanted = [("browser.task_grant.created", 1), ("tool.call.authorized", 2), ("browser.task_grant.ended", 3)];
    assert_eq!(stream, wanted.map(|(kind, version)| (kind.to_owned(), version)));

    the_log_is_read_in_parts(&chat, &events).await;
}

async fn the_log_is_read_in_parts(chat: &Chat, events: &[Value]) {
    for limit in [1, 7] {
        assert_eq!(chat.owner.all(&format!("/v1/audit/events?limit={limit}")).await, events);
    }
    let rest = chat.owner.get("/v1/audit/events?after=3&limit=2").await.expect(StatusCode::OK);
    assert_eq!(rest["items"].as_array().unwrap(), &events[3..5]);
    let head = chat.owner.get(&format!("/v1/audit/events?after={}", events.len())).await.expect(StatusCode::OK);
    assert_eq!(head, json!({"items": [], "next_cursor": null}));
}

/// UI-1, AUT-5: the activity names what was done, by whose authority, and how it ended.
pub(super) async fn activity_tells_what_was_allowed_and_how(kind: Kind) {
    let (_deployment, chat) = start(kind).await;
    let _ = chat.granted().await;
    chat.covered_click().await;
    let activity = chat.owner.all(&format!("/v1/sessions/{}/activity?limit=2", chat.session)).await;
    let acts: Vec<&Value> = activity.iter().filter(|row| text(row, "tool") == "browser.act").collect();
    assert_eq!((activity.len(), acts.len()), (6, 2));
    assert_eq!((text(acts[0], "label"), number(acts[0], "use_ordinal")), ("Allowed by task permission".to_owned(), 1));
    assert_eq!((text(acts[0], "authorization_kind"), text(acts[0], "outcome")), ("browser_task_grant".to_owned(), "completed".to_owned()));
    assert_eq!((text(&acts[0]["view"], "name"), text(&acts[0]["view"], "action")), ("Continue".to_owned(), "click".to_owned()));
    assert_eq!(text(acts[1], "authorization_kind"), "approval");
    assert_ne!(text(acts[1], "label"), text(acts[0], "label"));
    assert!(activity.windows(2).all(|pair| text(&pair[0], "requested_at") >= text(&pair[1], "requested_at")), "newest first");
}

/// Reads events of a live stream until there are as many as wanted.
async fn read_stream(chat: &Chat, last: Option<u64>, wanted: usize, during: impl Future<Output = ()>) -> Vec<(u64, String, Value)> {
    let mut request = chat.owner.request(Method::GET, &format!("/v1/sessions/{}/events", chat.session));
    if let Some(last) = last {
        request = request.header("Last-Event-ID", last.to_string());
    }
    let mut response = request.send().await.unwrap();
    assert_eq!((response.status(), response.headers()["content-type"].to_str().unwrap()), (StatusCode::OK, "text/event-stream"));
    during.await;
    let mut text = String::new();
    let reading = async {
        while text.matches("\n\n").count() < wanted {
            text.push_str(std::str::from_utf8(&response.chunk().await.unwrap().expect("more events")).unwrap());
        }
    };
    tokio::time::timeout(Duration::from_secs(20), reading).await.expect("the events in time");
    text.split("\n\n").filter(|block| block.contains("id:")).map(event).collect()
}

fn event(block: &str) -> (u64, String, Value) {
    let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name)).unwrap().trim().to_owned();
    (field("id:").parse().unwrap(), field("event:"), serde_json::from_str(&field("data:")).unwrap())
}

/// API-6, EVT-2: the stream tells a session's events and no other's, and goes on behind
/// `Last-Event-ID` without a gap and without repeating.
pub(super) async fn a_live_stream_resumes(kind: Kind) {
    let (deployment, chat) = start(kind).await;
    let other = Chat::open(&deployment).await;
    let live = read_stream(&chat, None, 2, async {
        other.say("elsewhere").await;
        chat.say("line\nbreak\r\nid: 1\n\ndata: forged").await;
        chat.answer("here").await;
    })
    .await;
    assert_eq!(live.iter().map(|(_, kind, _)| kind.as_str()).collect::<Vec<_>>(), ["message.received", "message.received"]);
    assert_eq!(text(&live[0].2["data"], "text"), "line\nbreak\r\nid: 1\n\ndata: forged");
    assert!(live.iter().all(|(id, kind, event)| number(event, "position") == *id && text(event, "type") == *kind));

    let _ = chat.granted().await;
    chat.agent.order(&format!("/v1/runs/{}/end", chat.run)).await.expect(StatusCode::OK);
    let profiles_and_others = |event: &&Value| {
        !text(event, "type").starts_with("browser.profile")
            && !event.to_string().contains(&other.session)
            && !event.to_string().contains(&other.run)
    };
    let all = chat.events().await;
    let mine: Vec<&Value> = all.iter().filter(profiles_and_others).collect();
    let whole = read_stream(&chat, Some(0), mine.len(), async {}).await;
    assert_eq!(whole.iter().map(|(_, _, event)| event).collect::<Vec<_>>(), mine);
    let middle = whole[4].0;
    let rest = read_stream(&chat, Some(middle), mine.len() - 5, async {}).await;
    assert_eq!(rest, whole[5..]);
    assert!(types(&all).contains(&"browser.task_grant.created".to_owned()));
    let path = format!("/v1/sessions/{}/events", chat.session);
    for nonsense in ["x", "-1", "1.5", ""] {
        let refused = chat.owner.request(Method::GET, &path).header("Last-Event-ID", nonsense).send().await.unwrap();
        assert_eq!(refused.status(), StatusCode::BAD_REQUEST, "{nonsense}");
    }
    // Threat G7: a position that this log does not have yet is another log's.
    let head = all.last().map(|event| number(event, "position")).unwrap();
    for (position, status) in [(head, StatusCode::OK), (head + 1_000, StatusCode::NOT_FOUND), (u64::MAX, StatusCode::NOT_FOUND)] {
        let told = chat.owner.request(Method::GET, &path).header("Last-Event-ID", position.to_string()).send().await.unwrap();
        assert_eq!(told.status(), status, "{position}");
    }
}

/// RUN-5: the facts beside an observation reach neither the agent nor the log.
pub(super) async fn facts_stay_with_the_worker(kind: Kind) {
    let (deployment, chat) = start(kind).await;
    let mut page = Page::lesson();
    page.elements[0].facts.as_mut().unwrap()["labels"]["title"] = json!(["only-in-the-facts"]);
    deployment.runtime.show(page);
    let seen = chat.look().await;
    assert_eq!(seen.result["result"]["observation"]["elements"][0]["ref"], "go");
    assert!(!seen.result.to_string().contains("facts"), "{}", seen.result);
    let _ = chat.asked("go").await;
    for event in chat.events().await {
        assert!(!event.to_string().contains("only-in-the-facts"), "{event}");
    }
}

/// API-6, threat G7: when its token is revoked a stream ends; one of another token goes on.
pub(super) async fn a_stream_ends_with_its_token(kind: Kind) {
    let (deployment, chat) = start(kind).await;
    let (id, reader) = deployment.token_of("acme", "ada", "activity.read").await;
    let path = format!("/v1/sessions/{}/events", chat.session);
    let mut ends = reader.request(Method::GET, &path).send().await.unwrap();
    let mut goes_on = chat.owner.request(Method::GET, &path).send().await.unwrap();
    assert_eq!((ends.status(), goes_on.status()), (StatusCode::OK, StatusCode::OK));
    assert!(deployment.running().inside(async move |app| api::tokens::revoke(&app.log, id).await).await.unwrap());
    let ended = async { while ends.chunk().await.unwrap().is_some() {} };
    tokio::time::timeout(Duration::from_secs(10), ended).await.expect("the end of the stream");
    reader.get(&path).await.is_problem(401, "unauthorized");
    chat.say("Still there?").await;
    let told = tokio::time::timeout(Duration::from_secs(10), goes_on.chunk()).await.expect("an event").unwrap().unwrap();
    assert!(std::str::from_utf8(&told).unwrap().contains("Still there?"));
}

/// API-2: a list is read on from where its page ended, without a gap and without repeating.
pub(super) async fn lists_are_read_page_by_page(kind: Kind) {
    let (_deployment, chat) = start(kind).await;
    for _ in 0..3 {
        let grant = text(&chat.granted().await, "id");
        chat.owner.order(&format!("/v1/browser-task-grants/{grant}/revoke")).await.expect(StatusCode::OK);
    }
    let _ = chat.asked("pay").await;
    for (list, length) in
        [("/v1/approvals", 4), ("/v1/approvals?status=approved", 3), ("/v1/approvals?status=pending", 1), ("/v1/browser-task-grants", 3)]
    {
        let whole = chat.owner.all(list).await;
        let join = if list.contains('?') { '&' } else { '?' };
        assert_eq!(whole.len(), length, "{list}");
        for limit in [1, 2] {
            assert_eq!(chat.owner.all(&format!("{list}{join}limit={limit}")).await, whole, "{list}");
        }
        assert!(whole.windows(2).all(|pair| text(&pair[0], "created_at") >= text(&pair[1], "created_at")));
    }
}
