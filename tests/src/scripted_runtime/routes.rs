//! The routes of a scripted runtime.

use super::Shared;
use super::script::{Lease, Reply, SentAct};
use axum::body::{Body, Bytes};
use axum::extract::{Path, Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get, post};
use axum::{Json, Router};
use domain::browser::{Action, ConsequenceCeiling, Constraint, GrantKind};
use domain::time::Timestamp;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::sync::Arc;
use uuid::Uuid;

type Runtime = State<Arc<Shared>>;

pub(super) fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/v1/leases", post(open))
        .route("/v1/leases/{id}", delete(close))
        .route("/v1/leases/{id}/navigate", post(navigate))
        .route("/v1/leases/{id}/observe", post(observe))
        .route("/v1/leases/{id}/act", post(act))
        .layer(middleware::from_fn_with_state(shared.clone(), admit))
        .route("/healthz", get(health))
        .with_state(shared)
}

async fn health(State(shared): Runtime) -> Json<Value> {
    let usual = || json!({"status": "ok", "browser": "scripted", "browser_version": "0", "self_test": "passed"});
    Json(shared.script().health.clone().unwrap_or_else(usual))
}

async fn admit(State(shared): Runtime, request: Request, next: Next) -> Response {
    let wanted = format!("Bearer {}", shared.token);
    let proven = request.headers().get(header::AUTHORIZATION).is_some_and(|value| value.as_bytes() == wanted.as_bytes());
    if !proven {
        shared.script().violation("a request without the token".to_owned());
        return problem(401, "tool.browser.unauthorized");
    }
    next.run(request).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "the fields are read to prove that exactly these are sent")]
struct Open {
    tenant: String,
    session: Uuid,
    profile: Option<ProfileOfLease>,
    allowed_origins: Vec<String>,
    ttl_seconds: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "as above")]
struct ProfileOfLease {
    id: Uuid,
    generation: u64,
}

async fn open(State(shared): Runtime, body: Bytes) -> Response {
    let Some(_) = read::<Open>(&shared, &body) else { return problem(400, "tool.browser.malformed") };
    let id = Uuid::now_v7().to_string();
    let mut script = shared.script();
    script.opened.push(serde_json::from_slice(&body).unwrap_or_default());
    script.leases.insert(id.clone(), Lease::default());
    (StatusCode::CREATED, Json(json!({"lease_id": id, "sequence": 0, "expires_at": "2100-01-01T00:00:00Z"}))).into_response()
}

async fn close(State(shared): Runtime, Path(id): Path<String>) -> Response {
    let known = shared.script().leases.remove(&id).is_some();
    shared.seen.send_modify(|seen| *seen += 1);
    if known { StatusCode::NO_CONTENT.into_response() } else { problem(404, "tool.browser.lease_unknown") }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Navigate {
    sequence: u64,
    url: String,
}

async fn navigate(State(shared): Runtime, Path(id): Path<String>, body: Bytes) -> Response {
    let Some(call) = read::<Navigate>(&shared, &body) else { return problem(400, "tool.browser.malformed") };
    if !call.url.starts_with("https://") {
        shared.script().violation(format!("a navigation to {}", call.url));
    }
    answer(&shared, &id, call.sequence, false, false).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Observe {
    sequence: u64,
}

async fn observe(State(shared): Runtime, Path(id): Path<String>, body: Bytes) -> Response {
    let Some(call) = read::<Observe>(&shared, &body) else { return problem(400, "tool.browser.malformed") };
    answer(&shared, &id, call.sequence, true, false).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Act {
    sequence: u64,
    revision: String,
    #[serde(default)]
    element_ref: Option<String>,
    action: Value,
    #[serde(default)]
    constraint: Option<Value>,
}

async fn act(State(shared): Runtime, Path(id): Path<String>, body: Bytes) -> Response {
    let Some(call) = read::<Act>(&shared, &body) else { return problem(400, "tool.browser.malformed") };
    if let Err(error) = serde_json::from_value::<Action>(call.action.clone()) {
        shared.script().violation(format!("an act that is none: {error}"));
        return problem(400, "tool.browser.malformed");
    }
    if let Some(error) = call.constraint.clone().and_then(|constraint| check(constraint).err()) {
        shared.script().violation(format!("a malformed constraint: {error}"));
        return problem(400, "tool.browser.malformed_constraint");
    }
    let constrained = call.constraint.is_some();
    let fresh = {
        let mut script = shared.script();
        let fresh = script.leases.get(&id).is_none_or(|lease| lease.revision.as_ref() == Some(&call.revision));
        script.acts.push(SentAct {
            lease: id.clone(),
            sequence: call.sequence,
            revision: call.revision,
            element_ref: call.element_ref,
            action: call.action,
            constraint: call.constraint,
        });
        fresh
    };
    shared.seen.send_modify(|seen| *seen += 1);
    if !fresh {
        shared.script().replies.push_front(Reply::Refused("tool.browser.stale_revision"));
    }
    answer(&shared, &id, call.sequence, false, constrained).await
}

/// The fields of a constraint, each of which must be what a grant of its kind gives (RUN-3).
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Constrained {
    grant_kind: GrantKind,
    origins: Vec<String>,
    path_prefix: String,
    not_after: jiff::Timestamp,
    consequence_ceiling: ConsequenceCeiling,
    text_cap: u32,
}

fn check(constraint: Value) -> Result<(), String> {
    let fields: Constrained = serde_json::from_value(constraint).map_err(|error| error.to_string())?;
    let not_after = Timestamp::from_micros(fields.not_after.as_microsecond());
    let made =
        Constraint::new(fields.grant_kind, &fields.origins, &fields.path_prefix, not_after, fields.consequence_ceiling, fields.text_cap);
    made.map(drop).map_err(|error| format!("{error:?}"))
}

/// Gives the next reply of the script, keeping sequence and revision as the real runtime does.
async fn answer(shared: &Arc<Shared>, id: &str, sequence: u64, observing: bool, constrained: bool) -> Response {
    let reply = {
        let mut script = shared.script();
        let Some(last) = script.leases.get(id).map(|lease| lease.sequence) else { return problem(404, "tool.browser.lease_unknown") };
        if sequence != last + 1 {
            script.violation(format!("sequence {sequence} after {last}"));
            return problem(409, "tool.browser.sequence_conflict");
        }
        script.calls += 1;
        script.next()
    };
    shared.seen.send_modify(|seen| *seen += 1);
    let (outcome, code, reasons) = match reply {
        Reply::Completed => ("completed", "", Vec::new()),
        Reply::Refused(code) => ("refused", code, Vec::new()),
        Reply::NotApplicable(reasons) => ("refused", "tool.browser.grant_not_applicable", reasons),
        Reply::Unknown => ("unknown", "tool.browser.outcome_unknown", Vec::new()),
        Reply::Failed => ("failed", "tool.browser.failed", Vec::new()),
        Reply::LeaseGone => {
            shared.script().leases.remove(id);
            return problem(404, "tool.browser.lease_unknown");
        }
        Reply::Hang => {
            let mut released = shared.released.subscribe();
            let _ = released.changed().await;
            ("completed", "", Vec::new())
        }
        Reply::Broken => return broken(),
        Reply::Status(status, code) => return problem(status, code),
        Reply::Elsewhere(address) => return (StatusCode::TEMPORARY_REDIRECT, [(header::LOCATION, address)]).into_response(),
        Reply::Long(bytes) => {
            shared.script().leases.entry(id.to_owned()).or_default().sequence = sequence;
            return Json(json!({"outcome": "completed", "detail": "x".repeat(bytes), "sequence": sequence})).into_response();
        }
        Reply::Nonsense => return (StatusCode::OK, "{\"outcome\":\"excellent\"}").into_response(),
    };
    settle(shared, id, (outcome, code, &reasons), observing, constrained)
}

fn settle(shared: &Arc<Shared>, id: &str, (outcome, code, reasons): (&str, &str, &[&str]), observing: bool, constrained: bool) -> Response {
    let mut script = shared.script();
    script.revisions += 1;
    let revision = format!("r{}", script.revisions);
    let page = script.page.clone();
    let Some(lease) = script.leases.get_mut(id) else { return problem(404, "tool.browser.lease_unknown") };
    let refused = outcome == "refused";
    if !refused {
        lease.sequence += 1;
    }
    if !refused || constrained {
        lease.revision = None;
    }
    let mut body = json!({"outcome": outcome, "code": code, "detail": "as scripted", "reasons": reasons, "sequence": lease.sequence, "page": page.place()});
    if observing && outcome == "completed" {
        lease.revision = Some(revision.clone());
        if let Some(fields) = body.as_object_mut() {
            fields.insert("observation".to_owned(), page.observation(&revision));
            fields.insert("facts".to_owned(), page.facts());
        }
    }
    Json(body).into_response()
}

/// Headers that promise an answer, and then a broken connection.
fn broken() -> Response {
    let failing = futures_util::stream::iter([Ok(Bytes::from_static(b"{\"outcome\":")), Err(std::io::Error::other("broken on purpose"))]);
    Response::new(Body::from_stream(failing))
}

fn read<T: DeserializeOwned>(shared: &Arc<Shared>, body: &Bytes) -> Option<T> {
    match serde_json::from_slice(body) {
        Ok(call) => Some(call),
        Err(error) => {
            shared.script().violation(format!("a malformed body: {error}"));
            None
        }
    }
}

fn problem(status: u16, code: &str) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    (status, Json(json!({"type": "about:blank", "status": status.as_u16(), "code": code}))).into_response()
}
