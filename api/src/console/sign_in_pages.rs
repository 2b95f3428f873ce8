//! Signing in by a one-time link, and out again.

use super::gate::{self, Named, OwnersForm};
use super::page;
use crate::app::App;
use crate::problem::Problem;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use maud::html;

/// The page behind a link. It only asks: programs that look at links, such as previews in a chat,
/// do not use it up. It says nothing about whether the link is good.
pub(super) async fn ask() -> Response {
    let main = html! {
        h1 { "Sign in" }
        p { "This link signs this browser in as the owner. It works once." }
        // Without an action it is sent to the page's own address, which ends in the secret.
        form method="post" { button type="submit" { "Sign in" } }
    };
    page::answer(page::whole("Sign in", None, &main))
}

/// Uses the link. Knowing its secret is the proof here; the check of the sender keeps another page
/// from signing this browser in as somebody else.
pub(super) async fn accept(State(app): State<App>, Named(secret): Named, headers: HeaderMap) -> Response {
    if let Err(problem) = gate::same_origin(&headers) {
        return page::problem(None, &problem);
    }
    match app.console.accept(&secret, gate::cookie(&headers)) {
        Some(session) => ([(header::SET_COOKIE, gate::set_cookie(&headers, Some(&session)))], Redirect::to("/console")).into_response(),
        None => page::problem(None, &Problem::new(StatusCode::FORBIDDEN, "sign_in_link_invalid", "the sign-in link is not valid")),
    }
}

/// Ends the session.
pub(super) async fn sign_out(State(app): State<App>, headers: HeaderMap, form: OwnersForm) -> Response {
    if let Err(problem) = form.fields.end() {
        return page::problem_for(&app, &form.owner, &problem).await;
    }
    if let Some(secret) = gate::cookie(&headers) {
        app.console.end(secret);
    }
    ([(header::SET_COOKIE, gate::set_cookie(&headers, None))], Redirect::to("/console")).into_response()
}
