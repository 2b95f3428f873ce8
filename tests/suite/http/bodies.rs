//! Bodies and queries that are refused, each beside one that is taken.

use hallpass_tests::deployment::{Chat, Client, Deployment, Kind, Replied, send};
use hallpass_tests::scripted_runtime::Page;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use uuid::Uuid;

async fn post(client: &Client, path: &str, kind: Option<&str>, body: impl Into<reqwest::Body>) -> Replied {
    let request = client.request(Method::POST, path).body(body);
    send(match kind {
        Some(kind) => request.header("Content-Type", kind),
        None => request,
    })
    .await
}

/// Threat F5: malformed, unknown, repeated and missing fields and wrong types are refused.
#[tokio::test(flavor = "multi_thread")]
async fn bodies_are_read_strictly() {
    let deployment = Deployment::start(Kind::Sqlite).await.unwrap();
    let owner = &deployment.owner;
    let send = async |body: &'static str| post(owner, "/v1/browser-profiles", Some("application/json"), body).await;
    for good in [r#"{"name":"Main"}"#, " {\"name\" : \"Ma\\u0069n\"}\n"] {
        let _ = send(good).await.expect(StatusCode::CREATED);
    }
    let bad = [
        "",
        "null",
        "[]",
        "{}",
        "{",
        r#"{"name":"Main""#,
        r#"{"name":"Main"} {}"#,
        r#"{"name":"Main","nane":1}"#,
        r#"{"name":"Main","name":"Main"}"#,
        r#"{"name":"Main","n\u0061me":"Other"}"#,
        r#"{"name":1}"#,
        r#"{"name":null}"#,
        r#"{"name":["Main"]}"#,
        r#"{"Name":"Main"}"#,
        r#"{"name":""}"#,
        r#"{"name":"  "}"#,
        "{\"name\":\"a\nb\"}",
        "{'name':'Main'}",
        r#"{"name":"\ud800"}"#,
        "\u{feff}{\"name\":\"Main\"}",
        r#"["Main"]"#,
    ];
    for bad in bad {
        send(bad).await.is_problem(400, "malformed_request");
    }
    post(owner, "/v1/browser-profiles", Some("application/json"), b"{\"name\":\"\xff\"}".to_vec())
        .await
        .is_problem(400, "malformed_request");
    let deep = format!("{{\"name\":{}1{}}}", "[".repeat(5_000), "]".repeat(5_000));
    post(owner, "/v1/browser-profiles", Some("application/json"), deep).await.is_problem(400, "malformed_request");
    let long = "x".repeat(101);
    owner.post("/v1/browser-profiles", json!({"name": long})).await.is_problem(400, "malformed_request");
    let _ = owner.post("/v1/browser-profiles", json!({"name": &long[1..]})).await.expect(StatusCode::CREATED);
}

/// Threat G1: only JSON is JSON.
#[tokio::test(flavor = "multi_thread")]
async fn other_content_types_are_refused() {
    let deployment = Deployment::start(Kind::Sqlite).await.unwrap();
    let send = async |kind| post(&deployment.owner, "/v1/browser-profiles", kind, r#"{"name":"Main"}"#).await;
    for kind in ["application/json", "application/json; charset=utf-8", "Application/JSON"] {
        let _ = send(Some(kind)).await.expect(StatusCode::CREATED);
    }
    for kind in [
        None,
        Some("text/plain"),
        Some("application/x-www-form-urlencoded"),
        Some("text/json"),
        Some("application/jsonp"),
        Some("application/json, text/plain"),
    ] {
        send(kind).await.is_problem(415, "body_not_json");
    }
}

/// RUN-1, threat G9: 64 KiB are read, one byte more is not.
#[tokio::test(flavor = "multi_thread")]
async fn a_body_has_a_limit() {
    let deployment = Deployment::start(Kind::Sqlite).await.unwrap();
    let body = |bytes: usize| {
        let object = r#"{"name":"Main"}"#;
        object.to_owned() + &" ".repeat(bytes - object.len())
    };
    let send = async |bytes| post(&deployment.owner, "/v1/browser-profiles", Some("application/json"), body(bytes)).await;
    let _ = send(64 * 1024).await.expect(StatusCode::CREATED);
    send(64 * 1024 + 1).await.is_problem(413, "body_too_large");
    // Nothing says beforehand how long a body in chunks is.
    let address = deployment.owner.address();
    let mut stream = TcpStream::connect(address).await.unwrap();
    let head = format!(
        "POST /v1/browser-profiles HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
        deployment.owner.token()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    for _ in 0..17 {
        stream.write_all(format!("1000\r\n{:4096}\r\n", "").as_bytes()).await.unwrap();
    }
    let mut answer = [0; 12];
    stream.read_exact(&mut answer).await.unwrap();
    assert_eq!(&answer, b"HTTP/1.1 413");
}

/// APR-1, threat F5: values outside a vocabulary or a bound are refused on every route that has one.
#[tokio::test(flavor = "multi_thread")]
async fn values_outside_a_vocabulary_are_refused() {
    let deployment = Deployment::start(Kind::Sqlite).await.unwrap();
    deployment.runtime.show(Page::lesson());
    let chat = Chat::open(&deployment).await;
    let (sessions, session) = ("/v1/sessions".to_owned(), format!("/v1/sessions/{}", chat.session));
    let cases = [
        (&sessions, json!({"surface": "Chat"})),
        (&sessions, json!({"surface": "phone"})),
        (&sessions, json!({})),
        (&sessions, json!({"surface": {"chat": null}})),
        (&format!("{session}/runs"), json!({"kind": {"interactive": null}})),
        (&sessions, json!({"surface": "chat", "schedule_id": ""})),
        (&sessions, json!({"surface": "chat", "schedule_id": "x".repeat(129)})),
        (&sessions, json!({"surface": "chat", "profile_id": "no-id"})),
        (&sessions, json!({"surface": "chat", "allowed_origins": ["http://www.example.com"]})),
        (&sessions, json!({"surface": "chat", "allowed_origins": ["https://127.0.0.1"]})),
        (&sessions, json!({"surface": "chat", "allowed_origins": ["https://localhost"]})),
        (&sessions, json!({"surface": "chat", "allowed_origins": ["https://www.example.com/path"]})),
        (&sessions, json!({"surface": "chat", "allowed_origins": ["*"]})),
        (&sessions, json!({"surface": "chat", "allowed_origins": vec!["https://www.example.com"; 17]})),
        (&format!("{session}/runs"), json!({"kind": "INTERACTIVE"})),
        (&format!("{session}/runs"), json!({"kind": "interactive", "parent_run_id": 7})),
        (&format!("{session}/messages"), json!({"author": "system", "text": "x"})),
        (&format!("{session}/messages"), json!({"author": "owner"})),
        (&format!("{session}/messages"), json!({"author": "owner", "text": "x".repeat(16 * 1024 + 1)})),
        (&format!("/v1/browser-profiles/{}/sign-ins", chat.profile), json!({"kind": "phone"})),
    ];
    for (path, body) in cases {
        let replied = chat.owner.post(path, body.clone()).await;
        assert_eq!((replied.status, &replied.body["code"]), (400, &json!("malformed_request")), "{path} {body}: {}", replied.text);
    }
    let good = json!({"surface": "chat", "allowed_origins": ["https://www.example.com:8443"]});
    let good = chat.owner.post(&sessions, good).await.expect(StatusCode::CREATED);
    assert_eq!(good["allowed_origins"], json!(["https://www.example.com:8443"]));
}

fn acting(action: &Value) -> Value {
    json!({"tool": "browser.act", "arguments": {"revision": "r", "element_ref": "e", "action": action}})
}

/// Proposals that no tool takes.
fn malformed_proposals() -> Vec<Value> {
    let click = json!({"kind": "click"});
    let act = |action: Value| acting(&action);
    let mut tower = json!({"tool": "browser.observe", "arguments": {}});
    for _ in 0..5 {
        tower = json!({"tool": "tool.call", "arguments": tower});
    }
    vec![
        json!({}),
        json!({"tool": ""}),
        json!({"tool": "x".repeat(129)}),
        json!({"tool": "a\nb"}),
        tower,
        json!({"tool": "browser.navigate"}),
        json!({"tool": "browser.navigate", "arguments": {"url": 1}}),
        json!({"tool": "browser.navigate", "arguments": {"url": format!("https://www.example.com/{}", "x".repeat(8192))}}),
        json!({"tool": "browser.observe", "arguments": {"all": true}}),
        json!({"tool": "browser.observe", "arguments": []}),
        json!({"tool": "tool.call", "arguments": {"tool": "browser.observe"}}),
        json!({"tool": "browser.act", "arguments": ["r", "e", click]}),
        json!({"tool": "browser.act", "arguments": {"element_ref": "e", "action": click}}),
        json!({"tool": "browser.act", "arguments": {"revision": "r", "action": click}}),
        json!({"tool": "browser.act", "arguments": {"revision": "r", "element_ref": "e", "action": click, "constraint": {}}}),
        act(json!({"kind": "click", "force": true})),
        act(json!({"kind": "Click"})),
        act(json!({"kind": "hover"})),
        act(json!({})),
        act(json!("click")),
        act(json!(["click"])),
        act(json!({"kind": "type"})),
        act(json!({"kind": "type", "text": 5})),
        act(json!({"kind": "type", "text": "x".repeat(16_385)})),
        act(json!({"kind": "type", "text": "x", "mode": "insert"})),
        act(json!({"kind": "type", "text": "x", "mode": {"append": null}})),
        act(json!({"kind": "press", "key": "Ctrl+V"})),
        act(json!({"kind": "press", "key": ""})),
        act(json!({"kind": "press", "key": "\u{e007}"})),
        act(json!({"kind": "type", "text": "hund\u{e007}"})),
        act(json!({"kind": "select", "values": []})),
        act(json!({"kind": "select", "values": ["a"], "labels": ["b"]})),
        act(json!({"kind": "select", "values": vec!["a"; 65]})),
        act(json!({"kind": "select", "labels": ["a".repeat(513)]})),
        act(json!({"kind": "check", "checked": "yes"})),
        act(json!({"kind": "scroll", "dx": 0, "dy": 0})),
        act(json!({"kind": "scroll", "dy": 10_001})),
        act(json!({"kind": "scroll", "dy": 1.5})),
        act(json!({"kind": "scroll", "dy": -3_000_000_000_i64})),
        act(json!({"kind": "scroll", "dy": "300"})),
    ]
}

/// Threat F5: what an agent proposes is read as strictly, at any depth.
#[tokio::test(flavor = "multi_thread")]
async fn proposals_are_read_strictly() {
    let deployment = Deployment::start(Kind::Sqlite).await.unwrap();
    let chat = Chat::open(&deployment).await;
    let path = format!("/v1/runs/{}/tool-calls", chat.run);
    for body in malformed_proposals() {
        let replied = chat.agent.post(&path, body.clone()).await;
        assert_eq!((replied.status, &replied.body["code"]), (400, &json!("malformed_request")), "{body}: {}", replied.text);
    }
    for twice in [
        r#"{"tool":"browser.navigate","arguments":{"url":"https://www.example.com/","url":"https://www.example.com/x"}}"#,
        r#"{"tool":"browser.act","arguments":{"revision":"r","element_ref":"e","action":{"kind":"click","kind":"scroll"}}}"#,
        r#"{"tool":"mail.read","arguments":{"deep":[{"a":1,"a":2}]}}"#,
    ] {
        post(&chat.agent, &path, Some("application/json"), twice).await.is_problem(400, "malformed_request");
    }
    assert!(chat.owner.all(&format!("/v1/sessions/{}/activity", chat.session)).await.is_empty(), "nothing of it was taken");
    let taken = chat.agent.post(&path, acting(&json!({"kind": "click"}))).await.expect(StatusCode::OK);
    assert_eq!(taken["code"], "tool.browser.stale_revision");
}

/// Queries know their parameters and bounds; ids that are none name nothing.
#[tokio::test(flavor = "multi_thread")]
async fn queries_and_ids_are_read_strictly() {
    let deployment = Deployment::start(Kind::Sqlite).await.unwrap();
    let chat = Chat::open(&deployment).await;
    let activity = format!("/v1/sessions/{}/activity", chat.session);
    for good in [
        "/v1/approvals?status=pending&limit=200",
        "/v1/approvals?cursor=5",
        "/v1/audit/events?after=0&limit=1000",
        &format!("{activity}?limit=1"),
    ] {
        let _ = chat.owner.get(good).await.expect(StatusCode::OK);
    }
    let bad = [
        "/v1/approvals?status=open",
        "/v1/approvals?status=",
        "/v1/approvals?state=pending",
        "/v1/approvals?limit=0",
        "/v1/approvals?limit=201",
        "/v1/approvals?limit=-1",
        "/v1/approvals?limit=1e1",
        "/v1/approvals?cursor=x",
        "/v1/approvals?status=pending&status=denied",
        "/v1/audit/events?limit=1001",
        "/v1/audit/events?after=-1",
        "/v1/audit/events?after=1&cursor=1",
        "/v1/audit/events?after=99999999999999999999",
        "/v1/browser-task-grants?limit=0",
    ];
    for bad in bad {
        chat.owner.get(bad).await.is_problem(400, "malformed_request");
    }
    let call = format!("/v1/tool-calls/{}", Uuid::now_v7());
    chat.owner.get(&format!("{call}?wait=61")).await.is_problem(400, "malformed_request");
    chat.owner.get(&format!("{call}?wait=60")).await.is_problem(404, "not_found");
    for id in ["x", "0", "..", "%2e%2e", "%00", "00000000-0000-0000-0000-000000000000", "%F0%9F%92%B3", "'%20OR%201=1--"] {
        chat.owner.get(&format!("/v1/approvals/{id}")).await.is_problem(404, "not_found");
    }
}

/// Threat G11: characters that no database or terminal takes as text are refused, on both databases.
#[tokio::test(flavor = "multi_thread")]
async fn names_are_printable() {
    for kind in [Kind::Sqlite, Kind::Postgres] {
        let deployment = Deployment::start(kind).await.unwrap();
        let owner = &deployment.owner;
        for bad in ["a\0b", "a\u{1b}[31m", "a\nb", "\u{7f}"] {
            owner.post("/v1/browser-profiles", json!({"name": bad})).await.is_problem(400, "malformed_request");
            owner.post("/v1/sessions", json!({"surface": "schedule", "schedule_id": bad})).await.is_problem(400, "malformed_request");
        }
        for good in ["Ünit – 3", "\u{202e}x", "📚"] {
            let _ = owner.post("/v1/browser-profiles", json!({"name": good})).await.expect(StatusCode::CREATED);
            let _ = owner.post("/v1/sessions", json!({"surface": "schedule", "schedule_id": good})).await.expect(StatusCode::CREATED);
        }
        let chat = Chat::open(&deployment).await;
        chat.say("a\0b").await;
        assert_eq!(chat.events_of("message.received").await.last().unwrap()["data"]["text"], "a\0b");
    }
}

/// Every error is a problem document, also for a path that is no text.
#[tokio::test(flavor = "multi_thread")]
async fn paths_that_are_no_text_name_nothing() {
    let deployment = Deployment::start(Kind::Sqlite).await.unwrap();
    let owner = &deployment.owner;
    for path in [
        "/v1/approvals/%ff",
        "/v1/sessions/%c3%28",
        "/v1/sessions/%ff/activity",
        "/v1/sessions/%ff/events",
        "/v1/tool-calls/%ff?wait=1",
        "/v1/browser-task-grants/%ff",
        "/v1/browser-profiles/%ff",
    ] {
        owner.get(path).await.is_problem(404, "not_found");
    }
    for path in ["/v1/browser-task-grants/%ff/revoke", "/v1/browser-profiles/%ff/sign-ins/%ff/ready", "/v1/runs/%ff/end"] {
        owner.order(path).await.is_problem(404, "not_found");
    }
    owner.post("/v1/approvals/%ff/resolve", json!({"resolution": "deny"})).await.is_problem(404, "not_found");
}
