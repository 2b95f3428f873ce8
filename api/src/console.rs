//! The owner console: a few pages that this program writes itself, for answering cards and stopping
//! grants (UI-1). They work without script; the script only keeps the page fresh.
//!
//! The console has a gate of its own: a cookie from a one-time sign-in link instead of a bearer
//! token, and for everything that changes something a proof that one of these pages sent it.

mod activity;
mod answers;
mod assets;
mod card;
mod form;
mod gate;
mod grants;
mod headers;
mod overview;
mod page;
mod quote;
pub mod sign_in;
mod sign_in_pages;
mod when;
pub mod words;

use crate::app::App;
use crate::problem::Problem;
use axum::Router;
use axum::http::StatusCode;
use axum::middleware;
use axum::response::{Redirect, Response};
use axum::routing::{any, get, post};

/// The console's routes. They answer with pages, never with JSON, and take no bearer token.
pub fn router(app: App) -> Router<App> {
    Router::new()
        .route("/", get(to_overview))
        .route("/console", get(overview::page))
        .route("/console/", get(to_overview))
        .route("/console/part", get(overview::part))
        .route("/console/sign-in/{secret}", get(sign_in_pages::ask).post(sign_in_pages::accept))
        .route("/console/sign-out", post(sign_in_pages::sign_out))
        .route("/console/approvals/{id}/resolve", post(answers::resolve))
        .route("/console/grants/{id}/stop", post(answers::stop))
        .route("/console/style.css", get(assets::style))
        .route("/console/icon.svg", get(assets::icon))
        .route("/console/script.js", get(assets::script))
        .route("/console/{*rest}", any(no_page))
        .method_not_allowed_fallback(wrong_method)
        .layer(middleware::map_response(headers::secure))
        .with_state(app)
}

async fn to_overview() -> Redirect {
    Redirect::to("/console")
}

async fn no_page() -> Response {
    page::problem(None, &Problem::not_found())
}

async fn wrong_method() -> Response {
    page::problem(None, &Problem::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", "this page does not take this method"))
}
