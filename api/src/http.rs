//! The HTTP API: a gate that every request passes, and one handler a route behind it.

pub(crate) mod approvals;
mod audit;
mod body;
mod caller;
mod event_json;
mod events;
mod gate;
mod grants;
mod health;
mod hosts;
mod idempotency;
mod perform;
mod profiles;
mod query;
pub mod rights;
mod runs;
mod sessions;
mod shapes;
mod tool_calls;
mod unique_keys;

pub use caller::Caller;
pub use hosts::allowed_hosts;
pub(crate) use perform::perform;

use crate::app::App;
use crate::problem::Problem;
use axum::http::StatusCode;
use axum::middleware;
use axum::routing::{get, post};
use axum::{Json, Router};

/// Bytes of a request body on every route of this version.
pub const BODY_BYTES_MAX: usize = 64 * 1024;

/// The whole application: API, console, health.
pub fn router(app: App) -> Router {
    let mut api = Router::new()
        .route("/v1/sessions", post(sessions::open))
        .route("/v1/sessions/{id}", get(sessions::show).delete(sessions::delete))
        .route("/v1/sessions/{id}/messages", post(sessions::receive))
        .route("/v1/sessions/{id}/runs", post(runs::start))
        .route("/v1/sessions/{id}/activity", get(tool_calls::activity))
        .route("/v1/sessions/{id}/events", get(events::stream))
        .route("/v1/runs/{id}/end", post(runs::end))
        .route("/v1/runs/{id}/tool-calls", post(tool_calls::propose))
        .route("/v1/tool-calls/{id}", get(tool_calls::show))
        .route("/v1/approvals", get(approvals::list))
        .route("/v1/approvals/{id}", get(approvals::show))
        .route("/v1/approvals/{id}/resolve", post(approvals::resolve))
        .route("/v1/browser-profiles", post(profiles::create))
        .route("/v1/browser-profiles/{id}", get(profiles::show).delete(profiles::delete))
        .route("/v1/browser-profiles/{id}/sign-ins", post(profiles::begin_sign_in))
        .route("/v1/browser-profiles/{id}/sign-ins/{sign_in}/ready", post(profiles::complete_sign_in))
        .route("/v1/browser-profiles/{id}/revoke", post(profiles::revoke))
        .route("/v1/audit/events", get(audit::events));
    if app.grants.enabled {
        // API-1, API-4: without the flag these routes do not exist.
        api = api
            .route("/v1/browser-task-grants", get(grants::list))
            .route("/v1/browser-task-grants/{id}", get(grants::show))
            .route("/v1/browser-task-grants/{id}/revoke", post(grants::revoke));
    }
    let api = api.method_not_allowed_fallback(method_not_allowed).layer(middleware::from_fn_with_state(app.clone(), gate::pass));
    let open = Router::new().route("/healthz", get(health::healthz)).route("/readyz", get(health::readyz));
    Router::new()
        .merge(api)
        .merge(open)
        .merge(crate::console::router(app.clone()))
        .fallback(no_route)
        .layer(middleware::from_fn_with_state(app.clone(), hosts::check))
        .with_state(app)
}

async fn no_route() -> Problem {
    Problem::not_found()
}

async fn method_not_allowed() -> Problem {
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", "this route does not take this method")
}

/// A JSON answer with its status.
pub(crate) type Answer = Result<(StatusCode, Json<serde_json::Value>), Problem>;
