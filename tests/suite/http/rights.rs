//! Every route for every scope, from the table, and the census of the routes.

use super::matrix::{Row, rows};
use api::http::rights::RIGHTS;
use api::scopes::Scope;
use hallpass_tests::deployment::{Client, Deployment, Kind};
use std::collections::BTreeSet;
use uuid::Uuid;

/// An id that names nothing.
fn nobody() -> String {
    Uuid::now_v7().to_string()
}

/// API-2, OFF-4: each route lets in exactly the scopes of its row, one by one.
#[tokio::test(flavor = "multi_thread")]
async fn each_route_takes_exactly_its_scopes() {
    let deployment = Deployment::start(Kind::Sqlite).await.unwrap();
    for scope in Scope::ALL {
        let client = deployment.token(scope.as_str()).await;
        for row in rows() {
            let allowed = row.scopes.iter().any(|wanted| wanted == scope.as_str());
            let replied = row.call(&client, &nobody(), &nobody()).await;
            if allowed {
                assert!(!matches!(replied.status, 401 | 403 | 405 | 500..), "{} with {}: {}", row.name(), scope.as_str(), replied.text);
            } else {
                replied.is_problem(403, "scope_missing");
            }
        }
    }
}

/// OFF-3: an agent's token, with every scope that an agent may hold, passes only where the table
/// says so; an owner's token with every scope passes wherever no agent is needed.
#[tokio::test(flavor = "multi_thread")]
async fn agents_never_pass_owner_routes() {
    let deployment = Deployment::start(Kind::Sqlite).await.unwrap();
    let agent = deployment.token("session.write,tool.call,artifact.read,artifact.write").await;
    for row in rows() {
        let replied = row.call(&agent, &nobody(), &nobody()).await;
        match row.agent.as_str() {
            "refuse" => assert_eq!(replied.status, 403, "{}: {}", row.name(), replied.text),
            _ => assert!(!matches!(replied.status, 401 | 403 | 405 | 500..), "{}: {}", row.name(), replied.text),
        }
        let replied = row.call(&deployment.owner, &nobody(), &nobody()).await;
        let needs_agent = row.scopes == ["tool.call"];
        assert_eq!(replied.status == 403, needs_agent, "{}: {}", row.name(), replied.text);
    }
}

async fn is_mounted(row: &Row, nobody_at_all: &Client) -> bool {
    // Without a token a mounted route says 401, and a path that is no route 404.
    match row.call(nobody_at_all, &nobody(), &nobody()).await.status {
        401 => true,
        404 => false,
        other => panic!("{} answered {other} without a token", row.name()),
    }
}

/// API-1, API-4: the routes are exactly those of the table; without the flag, exactly those without
/// the task grants.
#[tokio::test(flavor = "multi_thread")]
async fn census_of_the_routes() {
    let table: BTreeSet<String> = rows().iter().map(Row::name).collect();
    let judged: BTreeSet<String> = RIGHTS.iter().map(|(method, route, _)| format!("{method} {route}")).collect();
    assert_eq!(table, judged, "the table and the gate know the same routes");
    assert_eq!(rows().len(), table.len(), "no row twice");

    let source = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../api/src/http.rs"));
    let written: BTreeSet<&str> =
        source.split(".route(").skip(1).filter_map(|rest| rest.split('"').nth(1)).filter(|route| route.starts_with("/v1/")).collect();
    let listed: BTreeSet<String> = rows().into_iter().map(|row| row.route).collect();
    assert_eq!(written, listed.iter().map(String::as_str).collect(), "every route that is mounted has a row");

    let on = Deployment::start(Kind::Sqlite).await.unwrap();
    let off = Deployment::start_as(Kind::Sqlite, false, &[]).await.unwrap();
    for row in rows() {
        assert!(is_mounted(&row, &Client::new(on.owner.address(), "none")).await, "{}", row.name());
        let without_flag = is_mounted(&row, &Client::new(off.owner.address(), "none")).await;
        assert_eq!(without_flag, !row.route.starts_with("/v1/browser-task-grants"), "{}", row.name());
    }
    for open in ["/healthz", "/readyz"] {
        assert_eq!(Client::new(on.owner.address(), "none").get(open).await.status, 200, "{open}");
    }
    on.owner.post("/v1/browser-task-grants", serde_json::json!({})).await.is_problem(405, "method_not_allowed");
    off.owner.get("/v1/browser-task-grants").await.is_problem(404, "not_found");
}
