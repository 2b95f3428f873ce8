//! What the agent did, session by session, newest first.

use super::quote::{quoted, visible};
use super::{when, words};
use crate::http::Caller;
use crate::problem::Problem;
use domain::view::ApprovalView;
use eventlog::Conn;
use maud::{Markup, html};
use projections::{Page, SessionRow, ToolCallRow};

/// Sessions that the page shows.
const SESSIONS_SHOWN: u32 = 4;
/// Rows of each.
const ROWS_SHOWN: u32 = 50;

/// The newest sessions with their newest rows.
pub(super) type Activity = Vec<(SessionRow, Vec<ToolCallRow>)>;

/// Reads them.
///
/// # Errors
/// When the store fails.
pub(super) async fn newest(conn: &mut Conn<'_>, caller: &Caller) -> Result<Activity, Problem> {
    let mut activity = Vec::new();
    for session in projections::sessions::newest(conn, &caller.tenant, &caller.principal, SESSIONS_SHOWN).await? {
        let page = Page { before: u64::MAX, limit: ROWS_SHOWN };
        let rows = projections::tool_calls::of_session(conn, &caller.tenant, &caller.principal, session.session, page).await?;
        activity.push((session, rows));
    }
    Ok(activity)
}

/// The list.
pub(super) fn list(activity: &Activity) -> Markup {
    html! {
        section #activity data-region="activity" {
            h2 { "Activity" }
            @if activity.is_empty() { p { "No session is open." } }
            @for (session, rows) in activity {
                h3 { "Session of " (when::moment(session.opened_at)) }
                @if rows.is_empty() { p { "Nothing happened yet." } }
                ol.activity reversed {
                    @for row in rows { (entry(row)) }
                }
            }
        }
    }
}

fn entry(row: &ToolCallRow) -> Markup {
    html! {
        li {
            (when::moment(row.requested_at)) " "
            span.label { (words::standing(row)) } " "
            span.what { (what(row)) } " · "
            span.outcome { (words::outcome(row.outcome.as_deref())) } ". "
            @if let Some(code) = row.code.as_deref().filter(|code| !code.is_empty()) {
                @match words::call_code(code) {
                    Some(sentence) => { (sentence) " " },
                    None => { code { (visible(code)) } " " },
                }
            }
            @for reason in &row.reasons { (words::reason(*reason)) " " }
        }
    }
}

/// What was clicked or typed: our summary, then the words of others in quotation marks.
fn what(row: &ToolCallRow) -> Markup {
    html! {
        @match row.view.as_ref() {
            Some(view) => { (visible(&view.action_summary)) (details(view)) },
            None => @match row.tool.as_str() {
                "browser.observe" => "Look at the page",
                "browser.navigate" => "Open a page",
                "browser.act" => "Act on the page",
                tool => { "Use the tool " (quoted(tool)) }
            },
        }
    }
}

fn details(view: &ApprovalView) -> Markup {
    html! {
        @if !view.name.is_empty() { ", on the website " (quoted(&view.name)) }
        @if !view.typed_text.is_empty() { ", typed " (quoted(&view.typed_text)) }
        @for option in &view.options { ", chosen " (quoted(option)) }
        @if !view.key.is_empty() { ", key " kbd { (visible(&view.key)) } }
    }
}
