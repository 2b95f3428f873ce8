//! What is read of a request, and when: the token before the body, and bodies of exactly one shape.

use super::plane::{Plane, TOKEN};
use serde_json::{Value, json};

const LEASE: &str = "00000000-0000-7000-8000-00000000dead";

/// RUN-1: without the token not one byte of the body is waited for, on any route, and nothing about
/// the routes is told.
#[tokio::test]
async fn the_token_is_proven_before_the_body_is_read() {
    let plane = Plane::start().await;
    let almost = TOKEN.strip_suffix('9').unwrap();
    let headers = [
        String::new(),
        format!("Authorization: Bearer {almost}\r\n"),
        format!("Authorization: Bearer {TOKEN}x\r\n"),
        format!("Authorization: Basic {TOKEN}\r\n"),
        format!("Authorization: {TOKEN}\r\n"),
        "Authorization: Bearer \r\n".to_owned(),
        format!("Authorization: Bearer wrong\r\nAuthorization: Bearer {TOKEN}\r\n"),
    ];
    let routes = [
        "POST /v1/leases".to_owned(),
        format!("POST /v1/leases/{LEASE}/act"),
        format!("DELETE /v1/leases/{LEASE}"),
        "POST /nowhere".to_owned(),
        "PUT /v1/leases".to_owned(),
    ];
    for header in &headers {
        for route in &routes {
            for expect in ["", "Expect: 100-continue\r\n"] {
                // A body is announced and never sent: whoever waits for it gives no answer.
                let request = format!(
                    "{route} HTTP/1.1\r\nHost: runtime\r\n{header}{expect}Content-Type: application/json\r\nContent-Length: 70000\r\n\r\n"
                );
                let answer = plane.bytes(request.as_bytes()).await;
                assert_eq!(answer.status, 401, "{route} {header:?}: {}", answer.text);
                assert!(answer.text.starts_with("HTTP/1.1 401"), "{}", answer.text);
                assert_eq!(answer.says("code"), "tool.browser.unauthorized");
                assert!(!answer.text.contains(almost), "{}", answer.text);
            }
        }
    }
    let known = plane.send("POST", "/nowhere", "{}").await;
    assert_eq!((known.status, known.says("code")), (404, "tool.browser.no_route"));
    assert_eq!(plane.send("PUT", "/v1/leases", "{}").await.status, 405);
    plane.end().await;
}

fn terms() -> Value {
    // No lease may last no time: a body that is read whole gives 400 for this, with its own words.
    json!({ "tenant": "acme", "session": LEASE, "allowed_origins": ["https://127.0.0.1:1"], "ttl_seconds": 0 })
}

/// RUN-1: a body of 64 KiB is read, one byte more is 413, told or counted.
#[tokio::test]
async fn bodies_end_at_64_kib() {
    let plane = Plane::start().await;
    let padded = |bytes: usize| {
        let body = terms().to_string();
        let blanks = " ".repeat(bytes - body.len());
        body + &blanks
    };
    let chunked = |bytes: usize| {
        let body = padded(bytes);
        let head = format!(
            "POST /v1/leases HTTP/1.1\r\nHost: runtime\r\nAuthorization: Bearer {TOKEN}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
        );
        format!("{head}{:x}\r\n{body}\r\n0\r\n\r\n", body.len())
    };
    let fits = plane.send("POST", "/v1/leases", &padded(65_536)).await;
    assert_eq!(fits.status, 400, "{}", fits.text);
    assert!(fits.says("detail").contains("ttl_seconds"), "{}", fits.text);
    assert_eq!(plane.send("POST", "/v1/leases", &padded(65_537)).await.status, 413);
    let fits = plane.bytes(chunked(65_536).as_bytes()).await;
    assert!(fits.says("detail").contains("ttl_seconds"), "{}", fits.text);
    assert_eq!(plane.bytes(chunked(65_537).as_bytes()).await.status, 413);
    plane.end().await;
}

/// RUN-1, RUN-2: whatever is not exactly the shape is 400 before a lease is even looked for, and the
/// problem repeats nothing of what came in.
#[tokio::test]
async fn anything_but_the_shape_is_refused() {
    let plane = Plane::start().await;
    let act = |action: &str| format!(r#"{{"sequence":1,"revision":"r","element_ref":"e","action":{action}}}"#);
    let rows: Vec<(&str, String)> = vec![
        ("observe", r#"{"sequence":1,"marker":1}"#.to_owned()),
        ("observe", r#"{"sequence":1,"sequence":2}"#.to_owned()),
        ("observe", r#"{"sequence":1"#.to_owned()),
        ("observe", r#"{"sequence":1} x"#.to_owned()),
        ("observe", r#"{"sequence":-1}"#.to_owned()),
        ("observe", r#"{"sequence":1.5}"#.to_owned()),
        ("observe", r#"{"sequence":18446744073709551616}"#.to_owned()),
        ("observe", r#"{"sequence":"1"}"#.to_owned()),
        ("observe", r#"{"sequence":null}"#.to_owned()),
        ("observe", "[1]".to_owned()),
        ("observe", "{}".to_owned()),
        ("observe", String::new()),
        ("observe", "[".repeat(60_000)),
        ("navigate", r#"[1,"https://marker.example/"]"#.to_owned()),
        ("navigate", r#"{"sequence":1,"url":"https://marker.example/","url":"https://b.example/"}"#.to_owned()),
        ("act", act(r#"{"kind":"marker"}"#)),
        ("act", act(r#"{"kind":"Click"}"#)),
        ("act", act(r#"{"kind":"click","kind":"click"}"#)),
        ("act", act(r#"{"kind":"click","marker":1}"#)),
        ("act", act(r#"{"kind":"type","text":"a","text":"marker"}"#)),
        ("act", act(r#"{"kind":"type","text":"a","mode":"marker"}"#)),
        ("act", act(r#"{"kind":"type"}"#)),
        ("act", act(r#"{"kind":"press","key":"Enterr"}"#)),
        ("act", act(r#"{"kind":"check"}"#)),
        ("act", act(r#"{"kind":"scroll"}"#)),
        ("act", act(r#"{"kind":"select"}"#)),
        ("act", act(r#"["click"]"#)),
        ("act", act(r#"["type","marker"]"#)),
        ("act", act("null")),
        ("act", r#"{"sequence":1,"revision":"r","action":{"kind":"click"}}"#.to_owned()),
        ("act", r#"{"sequence":1,"revision":"r","element_ref":"e","action":{"kind":"click"},"constraint":null}"#.to_owned()),
        ("act", r#"{"sequence":1,"revision":"r","element_ref":"e","action":{"kind":"click"},"constraints":{}}"#.to_owned()),
        ("act", format!(r#"{{"sequence":1,"revision":"{}","element_ref":"e","action":{{"kind":"click"}}}}"#, "r".repeat(129))),
    ];
    for (verb, body) in rows {
        let answer = plane.send("POST", &format!("/v1/leases/{LEASE}/{verb}"), &body).await;
        assert_eq!(answer.status, 400, "{verb} {body:.80}: {}", answer.text);
        assert!(!answer.text.contains("marker") && !answer.text.contains("Enterr"), "{}", answer.text);
    }
    let kinds = ["{\"kind\":\"click\"}", r#"{"kind":"type","text":"a","mode":"append"}"#, r#"{"kind":"scroll","dy":3}"#];
    for whole in kinds {
        let answer = plane.send("POST", &format!("/v1/leases/{LEASE}/act"), &act(whole)).await;
        assert_eq!((answer.status, answer.says("code")), (404, "tool.browser.unknown_lease"), "{whole}");
    }
    plane.end().await;
}

/// RUN-2: terms that no lease can have.
#[tokio::test]
async fn terms_are_checked() {
    let plane = Plane::start().await;
    let good = super::plane::with(terms(), "ttl_seconds", json!(60));
    let rows = [
        ("tenant", json!("")),
        ("tenant", json!("../other")),
        ("tenant", json!(null)),
        ("session", json!("x")),
        ("allowed_origins", json!([])),
        ("allowed_origins", json!(["http://127.0.0.1:1"])),
        ("allowed_origins", json!(["https://10.0.0.1"])),
        ("allowed_origins", json!(["https://127.0.0.1:1/path"])),
        ("allowed_origins", json!(["https://user@127.0.0.1:1"])),
        ("allowed_origins", json!("https://127.0.0.1:1")),
        ("allowed_origins", json!(vec!["https://127.0.0.1:1"; 65])),
        ("ttl_seconds", json!(0)),
        ("ttl_seconds", json!(86_401)),
        ("ttl_seconds", json!(-1)),
        ("profile", json!({ "id": "x", "generation": 1 })),
        ("profile", json!({ "id": LEASE })),
        ("profile", json!({ "id": LEASE, "generation": 1, "path": "/" })),
        ("profile", json!([LEASE, 1])),
        ("more", json!(1)),
    ];
    for (key, value) in rows {
        let answer = plane.post("/v1/leases", super::plane::with(good.clone(), key, value.clone())).await;
        assert_eq!(answer.status, 400, "{key} {value}: {}", answer.text);
    }
    assert_eq!(plane.registry.count(), 0);
    plane.end().await;
}

/// RUN-3: the grant's kind fixes ceiling and text cap; fields that disagree, are unknown, or name no
/// one scope are refused. Both honest constraints pass, up to the lease that is not there.
#[tokio::test]
async fn constraints_that_disagree_are_malformed() {
    let plane = Plane::start().await;
    let path = format!("/v1/leases/{LEASE}/act");
    let body = |constraint: &Value| json!({ "sequence": 1, "revision": "r", "element_ref": "e", "action": { "kind": "click" }, "constraint": constraint });
    let task = json!({
        "grant_kind": "browser_task_grant", "origins": ["https://www.example.com"], "path_prefix": "/lesson",
        "not_after": "2099-01-01T00:00:00Z", "consequence_ceiling": "unknown", "text_cap": 256,
    });
    let standing = super::plane::with(
        super::plane::with(task.clone(), "grant_kind", json!("browser_standing_grant")),
        "consequence_ceiling",
        json!("routine"),
    );
    for good in [&task, &standing] {
        let answer = plane.post(&path, body(good)).await;
        assert_eq!((answer.status, answer.says("code")), (404, "tool.browser.unknown_lease"), "{good}: {}", answer.text);
    }
    let rows = [
        ("consequence_ceiling", json!("routine")),
        ("consequence_ceiling", json!("purchase")),
        ("grant_kind", json!("browser_standing_grant")),
        ("grant_kind", json!("approval")),
        ("text_cap", json!(255)),
        ("text_cap", json!(257)),
        ("text_cap", json!(0)),
        ("text_cap", json!(-1)),
        ("text_cap", json!("256")),
        ("origins", json!([])),
        ("origins", json!(["https://www.example.com", "https://b.example"])),
        ("origins", json!(["https://www.example.com", "https://www.example.com"])),
        ("origins", json!(["http://www.example.com"])),
        ("origins", json!(["https://www.example.com/lesson"])),
        ("origins", json!("https://www.example.com")),
        ("path_prefix", json!("/")),
        ("path_prefix", json!("")),
        ("path_prefix", json!("lesson")),
        ("path_prefix", json!("/lesson/../shop")),
        ("path_prefix", json!("/lesson%2fx")),
        ("path_prefix", json!("/account")),
        ("path_prefix", json!("/lesson?x")),
        ("not_after", json!("tomorrow")),
        ("not_after", json!(0)),
        ("not_after", json!("2099-01-01T00:00:00")),
        ("expires_at", json!("2099-01-01T00:00:00Z")),
    ];
    for (key, value) in rows {
        let constraint = super::plane::with(task.clone(), key, value);
        let answer = plane.post(&path, body(&constraint)).await;
        assert_eq!(answer.status, 400, "{constraint}: {}", answer.text);
    }
    for missing in ["grant_kind", "origins", "path_prefix", "not_after", "consequence_ceiling", "text_cap"] {
        let mut constraint = task.clone();
        constraint.as_object_mut().unwrap().remove(missing);
        assert_eq!(plane.post(&path, body(&constraint)).await.status, 400, "without {missing}");
    }
    let as_list = json!(["browser_task_grant", ["https://www.example.com"], "/lesson", "2099-01-01T00:00:00Z", "unknown", 256]);
    assert_eq!(plane.post(&path, body(&as_list)).await.status, 400);
    plane.end().await;
}
