//! What every request passes before its body is read: the host, the token, the right, the method.

use hallpass_tests::deployment::{Chat, Client, Deployment, Kind, send};
use reqwest::{Method, StatusCode};
use serde_json::json;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// Sends a head and no body, and gives the first line of the answer.
async fn first_line(address: SocketAddr, head: &str) -> String {
    let asking = async {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        let mut buffer = [0; 1024];
        while !answer.contains(&b'\n') {
            let read = stream.read(&mut buffer).await.unwrap();
            assert!(read > 0, "no answer to {head}");
            answer.extend_from_slice(&buffer[..read]);
        }
        String::from_utf8_lossy(&answer).lines().next().unwrap().to_owned()
    };
    tokio::time::timeout(Duration::from_secs(10), asking).await.expect("an answer before any body")
}

/// RUN-1, threat G8: a request without a valid token is answered before its body is asked for, and
/// so is one without the right.
#[tokio::test(flavor = "multi_thread")]
async fn tokens_come_before_bodies() {
    let deployment = Deployment::start(Kind::Sqlite).await.unwrap();
    let address = deployment.owner.address();
    let (id, revoked) = deployment.token_of("acme", "ada", "session.write").await;
    let _ = revoked.post("/v1/sessions", json!({"surface": "chat"})).await.expect(StatusCode::CREATED);
    let gone = deployment.running().inside(async move |app| api::tokens::revoke(&app.log, id).await).await.unwrap();
    assert!(gone);
    let auditor = deployment.token("audit.read").await;
    let truncated = &deployment.owner.token()[..deployment.owner.token().len() - 1];
    let cases = [
        (String::new(), "401"),
        ("Authorization: Bearer nonsense\r\n".to_owned(), "401"),
        ("Authorization: Bearer \r\n".to_owned(), "401"),
        (format!("Authorization: Bearer {truncated}\r\n"), "401"),
        (format!("Authorization: bEARER {}\r\n", auditor.token()), "403"),
        (format!("Authorization: bearer{}\r\n", deployment.owner.token()), "401"),
        (format!("Authorization: Basic {}\r\n", deployment.owner.token()), "401"),
        (format!("Authorization: Bearer {}\r\n", revoked.token()), "401"),
        (format!("Authorization: Bearer {0}\r\nAuthorization: Bearer {0}\r\n", deployment.owner.token()), "401"),
        (format!("Authorization: Bearer {}\r\n", auditor.token()), "403"),
    ];
    for (credentials, status) in cases {
        let head = format!(
            "POST /v1/sessions HTTP/1.1\r\nHost: {address}\r\n{credentials}Content-Type: application/json\r\nContent-Length: 60000\r\n\r\n"
        );
        assert!(first_line(address, &head).await.starts_with(&format!("HTTP/1.1 {status} ")), "{credentials}");
    }
    let refused = Client::new(address, "nonsense").get("/v1/approvals").await;
    refused.is_problem(401, "unauthorized");
    assert_eq!(refused.headers["www-authenticate"], "Bearer");
    let query = send(reqwest::Client::new().get(format!("http://{address}/v1/approvals?access_token={}", deployment.owner.token()))).await;
    query.is_problem(401, "unauthorized");
}

/// Threat G4: a request that was addressed to another name is refused before anything is routed.
#[tokio::test(flavor = "multi_thread")]
async fn unknown_hosts_are_refused() {
    let deployment = Deployment::start(Kind::Sqlite).await.unwrap();
    let address = deployment.owner.address();
    let port = address.port();
    let token = deployment.owner.token();
    let ask = async |target: &str, hosts: &str| {
        first_line(address, &format!("GET {target} HTTP/1.1\r\n{hosts}Authorization: Bearer {token}\r\n\r\n")).await
    };
    for host in [format!("127.0.0.1:{port}"), format!("localhost:{port}"), format!("LOCALHOST:{port}")] {
        assert_eq!(ask("/v1/approvals", &format!("Host: {host}\r\n")).await, "HTTP/1.1 200 OK", "{host}");
    }
    for host in [
        "evil.example".to_owned(),
        format!("evil.example:{port}"),
        "127.0.0.1".to_owned(),
        format!("127.0.0.1:{}", port ^ 1),
        format!("127.0.0.1:{port}.evil.example"),
        format!("user@127.0.0.1:{port}"),
        String::new(),
    ] {
        for target in ["/v1/approvals", "/healthz", "/nowhere"] {
            assert!(ask(target, &format!("Host: {host}\r\n")).await.starts_with("HTTP/1.1 421 "), "{host} {target}");
        }
    }
    let own = format!("Host: 127.0.0.1:{port}\r\n");
    assert!(ask("/v1/approvals", &format!("{own}Host: evil.example\r\n")).await.starts_with("HTTP/1.1 4"));
    assert!(ask("http://evil.example/v1/approvals", &own).await.starts_with("HTTP/1.1 421 "));
    assert_eq!(ask(&format!("http://127.0.0.1:{port}/v1/approvals"), &own).await, "HTTP/1.1 200 OK");
    let missing = first_line(address, &format!("GET /v1/approvals HTTP/1.0\r\nAuthorization: Bearer {token}\r\n\r\n")).await;
    assert!(missing.contains(" 4"), "{missing}");
}

/// Threat G1: routes are exact in path and method; no variant of either reaches a handler.
#[tokio::test(flavor = "multi_thread")]
async fn paths_and_methods_are_exact() {
    let deployment = Deployment::start(Kind::Sqlite).await.unwrap();
    let chat = Chat::open(&deployment).await;
    for path in [
        "/v1",
        "/v2/approvals",
        "/v1/approvals/",
        "//v1/approvals",
        "/v1//approvals",
        "/V1/approvals",
        "/v1/Approvals",
        "/v1/approvals%2f",
        "/v1/%61pprovals/x/resolve/y",
        "/v1/sessions/x/nothing",
    ] {
        chat.owner.get(path).await.is_problem(404, "not_found");
    }
    for method in [Method::PUT, Method::PATCH, Method::DELETE, Method::POST, Method::OPTIONS, Method::TRACE] {
        let replied = send(chat.owner.request(method.clone(), "/v1/approvals")).await;
        replied.is_problem(405, "method_not_allowed");
        assert_eq!(replied.headers["allow"], "GET, HEAD", "{method}");
    }
    let path = format!("/v1/sessions/{}", chat.session);
    let overridden = chat.owner.request(Method::GET, &path).header("X-HTTP-Method-Override", "DELETE");
    let _ = send(overridden).await.expect(StatusCode::OK);
    let head = send(chat.owner.request(Method::HEAD, &path)).await;
    assert_eq!((head.status, head.text.as_str()), (200, ""));
    send(Client::new(chat.owner.address(), "").request(Method::OPTIONS, "/v1/approvals").header("Origin", "https://evil.example"))
        .await
        .is_problem(401, "unauthorized");
}

/// Threat G11, G12: answers may not be stored, guessed or read across origins, and errors name no
/// inner part.
#[tokio::test(flavor = "multi_thread")]
async fn answers_are_private() {
    let deployment = Deployment::start(Kind::Sqlite).await.unwrap();
    let chat = Chat::open(&deployment).await;
    let own = chat.owner.get(&format!("/v1/sessions/{}", chat.session)).await;
    let refused = [
        chat.owner.get("/v1/approvals/x").await,
        Client::new(chat.owner.address(), "x").get("/v1/approvals").await,
        chat.owner.get("/v1/approvals?x").await,
    ];
    for replied in refused.iter().chain([&own]) {
        assert_eq!(
            (&replied.headers["cache-control"], &replied.headers["x-content-type-options"]),
            (&"no-store".parse().unwrap(), &"nosniff".parse().unwrap())
        );
        assert!(!replied.headers.contains_key("access-control-allow-origin"));
    }
    for replied in refused {
        assert!(replied.body["detail"].as_str().is_some_and(|detail| !detail.is_empty()), "{}", replied.text);
        assert_eq!(replied.body["type"], format!("urn:hallpass:problem:{}", replied.body["code"].as_str().unwrap()));
        for inner in ["SELECT", "sqlx", ".rs", "panicked", "hallpass_owner"] {
            assert!(!replied.text.contains(inner), "{}", replied.text);
        }
    }
}
