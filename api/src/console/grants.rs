//! Task permissions: the banner of those that run, with a Stop for each, and the list of those that
//! ended.

use super::page::form_token;
use super::quote::visible;
use super::sign_in::SignedIn;
use super::{when, words};
use crate::http::Caller;
use crate::problem::Problem;
use domain::time::Timestamp;
use eventlog::Conn;
use maud::{Markup, html};
use projections::{GrantRow, Page};

/// Grants that a page looks at, newest first. A session has one running grant at most, so running
/// ones drop out of these only for an owner with as many sessions at work.
const GRANTS_SHOWN: u32 = 200;
/// Ended grants that the list shows.
const ENDED_SHOWN: usize = 20;

/// The newest grants of an owner.
///
/// # Errors
/// When the store fails.
pub(super) async fn newest(conn: &mut Conn<'_>, caller: &Caller) -> Result<Vec<GrantRow>, Problem> {
    let page = Page { before: u64::MAX, limit: GRANTS_SHOWN };
    Ok(projections::grants::list(conn, &caller.tenant, &caller.principal, page).await?)
}

/// The banner: one strip for each grant that runs. It is always there and keeps its place, so that
/// a beginning or ending permission moves nothing under the cursor.
pub(super) fn banner(owner: &SignedIn, rows: &[GrantRow], now: Timestamp) -> Markup {
    let live: Vec<&GrantRow> = rows.iter().filter(|row| row.is_live(now)).collect();
    html! {
        aside.banner #running data-region="running" aria-label="Running permissions" {
            @if live.is_empty() {
                p.nothing data-key="none" { "No permission is running." }
            }
            @for row in live { (strip(owner, row, now)) }
        }
    }
}

/// What stands there when the log cannot be read: no banner would look like no permission.
pub(super) fn unreadable_banner() -> Markup {
    html! {
        aside.banner #running aria-label="Running permissions" {
            p { "Running permissions cannot be read right now. They may still be in use." }
        }
    }
}

fn strip(owner: &SignedIn, row: &GrantRow, now: Timestamp) -> Markup {
    html! {
        section.strip data-key=(row.task_grant) {
            h2 { "Task permission is running" }
            p.place { code { (visible(&row.origin)) wbr; (visible(&row.path_prefix)) } }
            ul.rest {
                li { strong data-live="minutes" { (when::remaining(now, row.expires_at)) } " left" }
                li { strong data-live="actions" { (row.actions_remaining()) } " actions left" }
                li { strong data-live="characters" { (row.characters_remaining()) } " characters left" }
            }
            form method="post" action={ "/console/grants/" (row.task_grant) "/stop" } {
                (form_token(owner))
                button.stop type="submit" { "Stop" }
            }
        }
    }
}

/// The grants that are over, newest first.
pub(super) fn ended(rows: &[GrantRow], now: Timestamp) -> Markup {
    html! {
        section #ended data-region="ended" {
            h2 { "Ended permissions" }
            @let ended: Vec<&GrantRow> = rows.iter().filter(|row| !row.is_live(now)).take(ENDED_SHOWN).collect();
            @if ended.is_empty() { p { "None yet." } }
            ul.plain-list {
                @for row in ended {
                    li {
                        code { (visible(&row.origin)) (visible(&row.path_prefix)) }
                        " from " (when::moment(row.created_at)) ". "
                        (row.actions_used) " actions and " (row.characters_used) " characters were used. "
                        // One whose time is over has expired, whether or not anybody wrote it down.
                        span.end-reason { (words::end_reason(row.end_reason.as_deref().unwrap_or("expired"))) }
                    }
                }
            }
        }
    }
}
