//! Whether this process lives, and whether it can work.

use crate::app::App;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde_json::{Value, json};

/// It lives; what it knows of its parts stands beside.
pub(super) async fn healthz(State(app): State<App>) -> Json<Value> {
    let runtime = app.runtime.health().await;
    Json(json!({
        "status": "ok",
        "version": env!("CARGO_PKG_VERSION"),
        "classifier_version": domain::classify::version(),
        "runtime": runtime.unwrap_or_else(|| json!({"status": "unreachable"})),
    }))
}

/// It can take work: the log answers and a runtime is there.
pub(super) async fn readyz(State(app): State<App>) -> (StatusCode, Json<Value>) {
    let log = app.log.tenants().await.is_ok();
    let runtime = app.runtime.is_ready().await;
    let status = if log && runtime { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    (status, Json(json!({"log": log, "runtime": runtime})))
}
