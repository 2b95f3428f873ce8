//! What the owner decides. The same commands as the API's; here the sender is proven by the gate.

use super::gate::{Named, OwnersForm};
use super::page;
use super::sign_in::SignedIn;
use crate::app::App;
use crate::commands::approvals::RevokeGrant;
use crate::http::{Caller, approvals, perform};
use crate::problem::Problem;
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use domain::decide::answer::Answer;
use domain::decide::approval::Resolution;
use domain::id::{ApprovalId, CommandId, TaskGrantId};
use std::str::FromStr;
use uuid::Uuid;

/// Answers a card.
pub(super) async fn resolve(State(app): State<App>, Named(approval): Named, form: OwnersForm) -> Response {
    let owner = form.owner.clone();
    done(&app, &owner, take(&app, &approval, form).await).await
}

async fn take(app: &App, approval: &str, form: OwnersForm) -> Result<(), Problem> {
    let approval: ApprovalId = id(approval)?;
    let mut fields = form.fields;
    let resolution = fields.take("resolution").as_deref().and_then(Resolution::parse);
    let resolution = resolution.ok_or_else(|| Problem::malformed("the form holds no answer that Hallpass knows"))?;
    let answer = Answer { resolution, origin: fields.take("origin"), path_prefix: fields.take("path_prefix") };
    fields.end()?;
    let caller = form.owner.caller();
    let command = command(&caller, resolution.as_str(), approval);
    approvals::take(app, &caller, command, approval, answer).await
}

/// Stops a grant.
pub(super) async fn stop(State(app): State<App>, Named(grant): Named, form: OwnersForm) -> Response {
    let owner = form.owner.clone();
    done(&app, &owner, revoke(&app, &grant, form).await).await
}

async fn revoke(app: &App, grant: &str, form: OwnersForm) -> Result<(), Problem> {
    let grant: TaskGrantId = id(grant)?;
    form.fields.end()?;
    let caller = form.owner.caller();
    let work = RevokeGrant { principal: caller.principal.clone(), grant };
    perform(app, &caller, command(&caller, "stop", grant), &work).await.map(drop)
}

async fn done(app: &App, owner: &SignedIn, result: Result<(), Problem>) -> Response {
    match result {
        // See other: going back or loading again sends no form a second time.
        Ok(()) => Redirect::to("/console").into_response(),
        Err(problem) => page::problem_for(app, owner, &problem).await,
    }
}

/// What is no id names nothing, so it is not found.
fn id<T: FromStr>(text: &str) -> Result<T, Problem> {
    text.parse().map_err(|_| Problem::not_found())
}

/// One command for one session, one decision and one thing: sending the same form twice is the same
/// command, so it counts once (threat J3). A refused command is not recorded and can be sent again.
fn command(caller: &Caller, decision: &str, thing: impl ToString) -> CommandId {
    let name = format!("{}\n{}\n{decision}\n{}", caller.tenant, caller.credential, thing.to_string());
    CommandId::from_uuid(Uuid::new_v5(&Uuid::NAMESPACE_OID, name.as_bytes()))
}
