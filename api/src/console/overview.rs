//! The overview: what waits for the owner, what runs, what happened.

use super::activity::{self, Activity};
use super::gate::{Visitor, Watcher};
use super::page::{self, Frame};
use super::sign_in::SignedIn;
use super::{card, grants};
use crate::app::App;
use crate::problem::Problem;
use axum::extract::State;
use axum::response::Response;
use domain::decide::approval::ApprovalStatus;
use domain::time::Timestamp;
use maud::{Markup, html};
use projections::{ApprovalRow, GrantRow, Page};

/// Cards of one page.
const CARDS_SHOWN: u32 = 200;

/// Everything that the page shows, as of one moment.
struct Overview {
    now: Timestamp,
    cards: Vec<ApprovalRow>,
    grants: Vec<GrantRow>,
    activity: Activity,
}

impl Overview {
    async fn read(app: &App, owner: &SignedIn) -> Result<Self, Problem> {
        let caller = owner.caller();
        let now = app.log.now();
        let mut reader = app.log.reader().await?;
        let mut conn = reader.connection();
        let page = Page { before: u64::MAX, limit: CARDS_SHOWN };
        let mut cards =
            projections::approvals::list(&mut conn, &caller.tenant, &caller.principal, Some(ApprovalStatus::Pending), page).await?;
        // Past its time it has lapsed, whether or not anybody wrote that down.
        cards.retain(|row| now < row.expires_at);
        // Oldest first: a new card comes last and moves none.
        cards.reverse();
        let grants = grants::newest(&mut conn, &caller).await?;
        let activity = activity::newest(&mut conn, &caller).await?;
        Ok(Self { now, cards, grants, activity })
    }

    fn banner(&self, owner: &SignedIn) -> Markup {
        grants::banner(owner, &self.grants, self.now)
    }

    fn main(&self, owner: &SignedIn) -> Markup {
        html! {
            h1 { "Overview" }
            // The script says here what changed, for those who do not see it.
            p.visually-hidden #news role="status" {}
            section #cards data-region="cards" {
                h2 { "Waiting for you" }
                @if self.cards.is_empty() { p.nothing data-key="none" { "Nothing waits for you." } }
                @for row in &self.cards { (card::card(owner, row, self.now)) }
            }
            (activity::list(&self.activity))
            (grants::ended(&self.grants, self.now))
        }
    }
}

/// The page.
pub(super) async fn page(Visitor(owner): Visitor, State(app): State<App>) -> Response {
    match Overview::read(&app, &owner).await {
        Ok(overview) => {
            let frame = Frame { owner: &owner, banner: overview.banner(&owner) };
            page::answer(page::whole("Overview", Some(&frame), &overview.main(&owner)))
        }
        Err(problem) => page::problem_for(&app, &owner, &problem).await,
    }
}

/// The changing parts of the page, for the script.
pub(super) async fn part(Watcher(owner): Watcher, State(app): State<App>) -> Response {
    match Overview::read(&app, &owner).await {
        Ok(overview) => page::answer(html! { (overview.banner(&owner)) (overview.main(&owner)) }),
        Err(problem) => page::problem(None, &problem),
    }
}
