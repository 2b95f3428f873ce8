//! The control plane's routes. Whoever calls proves the token before one byte of the body is read.

pub mod body;
pub mod wire;

use crate::config::Token;
use crate::lease::registry::{Registry, Unavailable};
use crate::lease::{Answer, Command};
use crate::problem::Problem;
use axum::extract::{Path, Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get, post};
use axum::{Json, Router};
use body::JsonBody;
use domain::id::LeaseId;
use serde_json::json;
use std::sync::Arc;

/// What the routes share.
#[derive(Clone, Debug)]
pub struct ControlPlane {
    /// The token of the control plane.
    pub token: Token,
    /// The leases.
    pub registry: Arc<Registry>,
    /// The browser's version, as the self-test found it.
    pub browser_version: String,
}

/// The router. Only `/healthz` answers without a token.
pub fn router(plane: ControlPlane) -> Router {
    let leases = Router::new()
        .route("/v1/leases", post(open))
        .route("/v1/leases/{id}", delete(close))
        .route("/v1/leases/{id}/navigate", post(navigate))
        .route("/v1/leases/{id}/observe", post(observe))
        .route("/v1/leases/{id}/act", post(act))
        .fallback(no_route)
        .method_not_allowed_fallback(no_method)
        .layer(middleware::from_fn_with_state(plane.clone(), authenticate));
    Router::new().route("/healthz", get(health)).merge(leases).with_state(plane)
}

async fn authenticate(State(plane): State<ControlPlane>, request: Request, next: Next) -> Response {
    let header = request.headers().get(header::AUTHORIZATION).map(|value| value.as_bytes());
    let bearer = header.and_then(|value| value.strip_prefix(b"Bearer "));
    if bearer.is_some_and(|guess| plane.token.is(guess)) {
        return next.run(request).await;
    }
    let problem = Problem::new(StatusCode::UNAUTHORIZED, "tool.browser.unauthorized", "a valid bearer token is required");
    // The connection ends, so that the body is not read even to skip it.
    ([(header::WWW_AUTHENTICATE, "Bearer"), (header::CONNECTION, "close")], problem).into_response()
}

async fn health(State(plane): State<ControlPlane>) -> Response {
    Json(json!({
        "status": "ok",
        "browser": "chromium",
        "browser_version": plane.browser_version,
        "self_test": "passed",
        "classifier_version": domain::classify::version(),
        "leases": plane.registry.count(),
    }))
    .into_response()
}

async fn open(State(plane): State<ControlPlane>, JsonBody(wanted): JsonBody<wire::NewLease>) -> Result<Response, Problem> {
    let terms = wanted.into_terms(plane.registry.hosts())?;
    let opened = plane.registry.open(terms).await.map_err(unavailable)?;
    let body = json!({ "lease_id": opened.id, "sequence": 0, "expires_at": wire::instant(opened.expires_at) });
    Ok((StatusCode::CREATED, Json(body)).into_response())
}

async fn close(State(plane): State<ControlPlane>, Path(id): Path<String>) -> Result<StatusCode, Problem> {
    if plane.registry.close(lease_id(&id)?).await { Ok(StatusCode::NO_CONTENT) } else { Err(unknown_lease()) }
}

async fn navigate(
    State(plane): State<ControlPlane>,
    Path(id): Path<String>,
    JsonBody(body): JsonBody<wire::Navigate>,
) -> Result<Json<Answer>, Problem> {
    run(&plane, &id, body.sequence, Command::Navigate { url: body.url }).await
}

async fn observe(
    State(plane): State<ControlPlane>,
    Path(id): Path<String>,
    JsonBody(body): JsonBody<wire::Observe>,
) -> Result<Json<Answer>, Problem> {
    run(&plane, &id, body.sequence, Command::Observe).await
}

async fn act(
    State(plane): State<ControlPlane>,
    Path(id): Path<String>,
    JsonBody(body): JsonBody<wire::Act>,
) -> Result<Json<Answer>, Problem> {
    let (sequence, order) = body.into_order()?;
    run(&plane, &id, sequence, Command::Act(order)).await
}

async fn run(plane: &ControlPlane, id: &str, sequence: u64, command: Command) -> Result<Json<Answer>, Problem> {
    plane.registry.run(lease_id(id)?, sequence, command).await.map(Json).map_err(unavailable)
}

async fn no_route() -> Problem {
    Problem::new(StatusCode::NOT_FOUND, "tool.browser.no_route", "there is no such route")
}

async fn no_method() -> Problem {
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, "tool.browser.no_method", "the route does not take this method")
}

fn lease_id(text: &str) -> Result<LeaseId, Problem> {
    text.parse().map_err(|_| unknown_lease())
}

fn unknown_lease() -> Problem {
    Problem::new(StatusCode::NOT_FOUND, "tool.browser.unknown_lease", "there is no such lease, or it has ended")
}

fn unavailable(why: Unavailable) -> Problem {
    match why {
        Unavailable::UnknownLease => unknown_lease(),
        Unavailable::SequenceApplied { last } => {
            let detail = "this sequence was applied already; nothing was done";
            Problem::new(StatusCode::CONFLICT, "tool.browser.sequence_applied", detail).at_sequence(last)
        }
        Unavailable::SequenceGap { last } => {
            let detail = "the sequence must be the lease's last one plus one; nothing was done";
            Problem::new(StatusCode::CONFLICT, "tool.browser.sequence_gap", detail).at_sequence(last)
        }
        Unavailable::ProfileInUse => {
            Problem::new(StatusCode::CONFLICT, "tool.browser.profile_in_use", "another lease works on this profile; end it first")
        }
        Unavailable::QueueFull => {
            Problem::new(StatusCode::TOO_MANY_REQUESTS, "tool.browser.queue_full", "too many calls wait for this lease; try again later")
        }
        Unavailable::NoRoom => Problem::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "tool.browser.no_room",
            "as many browsers run as this runtime allows; end a lease first",
        ),
        Unavailable::BrowserDidNotStart => Problem::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "tool.browser.browser_did_not_start",
            "no browser could be started; the runtime's log says why",
        ),
    }
}
