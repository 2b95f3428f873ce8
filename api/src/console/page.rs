//! The frame of every page: head, title, banner of what is running, and one main part.

use super::sign_in::SignedIn;
use super::{grants, words};
use crate::app::App;
use crate::problem::Problem;
use axum::http::header::{self, HeaderValue};
use axum::response::{Html, IntoResponse, Response};
use maud::{DOCTYPE, Markup, html};
use projections::GrantRow;

/// Whose page it is, and what runs for them.
pub(super) struct Frame<'a> {
    /// The owner.
    pub owner: &'a SignedIn,
    /// The banner.
    pub banner: Markup,
}

/// A whole page. Titles are ours alone, so that no website can speak in a tab's name.
pub(super) fn whole(title: &str, frame: Option<&Frame<'_>>, main: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="robots" content="noindex, nofollow";
                title { (title) " · Hallpass" }
                link rel="stylesheet" href="/console/style.css";
                link rel="icon" href="/console/icon.svg" type="image/svg+xml";
                script src="/console/script.js" defer {}
            }
            body {
                header.top {
                    p.product { a href="/console" { "Hallpass" } }
                    @if let Some(frame) = frame {
                        form method="post" action="/console/sign-out" {
                            (form_token(frame.owner))
                            button.plain type="submit" { "Sign out" }
                        }
                    }
                }
                @if let Some(frame) = frame { (frame.banner) }
                main #main { (main) }
            }
        }
    }
}

/// Markup as an answer.
pub(super) fn answer(markup: Markup) -> Response {
    Html(markup.into_string()).into_response()
}

/// The hidden field that proves that a form is ours.
pub(super) fn form_token(owner: &SignedIn) -> Markup {
    html! { input type="hidden" name="form_token" value=(owner.form_token()); }
}

/// A page that says what went wrong and leads back.
pub(super) fn problem(frame: Option<&Frame<'_>>, problem: &Problem) -> Response {
    let document = problem.document();
    let own_sentence = document.get("detail").and_then(|detail| detail.as_str()).unwrap_or_default();
    let sentence = words::problem(problem.code()).unwrap_or(own_sentence);
    let main = html! {
        h1 { @if problem.code() == "not_signed_in" { "Please sign in" } @else { "That did not work" } }
        p.problem role="alert" { (sentence) }
        @if problem.code() != "not_signed_in" {
            p { a.button href="/console" { "Back to the overview" } }
        }
    };
    let mut response = (problem.status(), answer(whole("Problem", frame, &main))).into_response();
    if let Some(seconds) = problem.clone().into_response().headers().get(header::RETRY_AFTER) {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::clone(seconds));
    }
    response
}

/// The same for an owner who is signed in, with the banner, which belongs on every page.
pub(super) async fn problem_for(app: &App, owner: &SignedIn, what: &Problem) -> Response {
    let banner = match live_grants(app, owner).await {
        Ok(rows) => grants::banner(owner, &rows, app.log.now()),
        Err(_) => grants::unreadable_banner(),
    };
    problem(Some(&Frame { owner, banner }), what)
}

async fn live_grants(app: &App, owner: &SignedIn) -> Result<Vec<GrantRow>, Problem> {
    let mut reader = app.log.reader().await?;
    grants::newest(&mut reader.connection(), &owner.caller()).await
}
