//! Approvals and the owner's answers.

use super::body::JsonBody;
use super::query::{StrictPath, StrictQuery, id, page};
use super::{Answer, Caller, perform, shapes};
use crate::app::App;
use crate::commands::approvals::{Answered, ResolveApproval};
use crate::problem::Problem;
use crate::scopes::Scope;
use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json};
use domain::decide::Refusal;
use domain::decide::answer::Answer as OwnersAnswer;
use domain::decide::approval::{ApprovalStatus, Resolution};
use domain::id::{ApprovalId, CommandId};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ListQuery {
    #[serde(default)]
    status: Option<ApprovalStatus>,
    #[serde(default)]
    cursor: Option<String>,
    #[serde(default)]
    limit: Option<u32>,
}

pub(super) async fn list(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    StrictQuery(query): StrictQuery<ListQuery>,
) -> Answer {
    let page = page(query.cursor.as_deref(), query.limit)?;
    let mut reader = app.log.reader().await?;
    let rows = projections::approvals::list(&mut reader.connection(), &caller.tenant, &caller.principal, query.status, page).await?;
    Ok((StatusCode::OK, Json(shapes::list(&rows, page, |row| row.position, shapes::approval))))
}

pub(super) async fn show(State(app): State<App>, Extension(caller): Extension<Caller>, StrictPath(approval): StrictPath<String>) -> Answer {
    answer(&app, &caller, id(&approval)?).await
}

async fn answer(app: &App, caller: &Caller, approval: ApprovalId) -> Answer {
    let mut reader = app.log.reader().await?;
    let row = projections::approvals::find(&mut reader.connection(), &caller.tenant, &caller.principal, approval).await?;
    let row = row.ok_or_else(Problem::not_found)?;
    Ok((StatusCode::OK, Json(shapes::approval(&row))))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ResolveBody {
    resolution: Resolution,
    #[serde(default)]
    origin: Option<String>,
    #[serde(default)]
    path_prefix: Option<String>,
}

pub(super) async fn resolve(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Extension(command): Extension<CommandId>,
    StrictPath(approval): StrictPath<String>,
    JsonBody(body): JsonBody<ResolveBody>,
) -> Answer {
    let approval: ApprovalId = id(&approval)?;
    let given = OwnersAnswer { resolution: body.resolution, origin: body.origin, path_prefix: body.path_prefix };
    take(&app, &caller, command, approval, given).await?;
    answer(&app, &caller, approval).await
}

/// Takes an owner's answer; the console and the API both come here.
///
/// # Errors
/// As the problem that the owner is shown. Unless the answer was taken or the approval is closed,
/// it is still pending (OFF-5).
pub(crate) async fn take(
    app: &App,
    caller: &Caller,
    command: CommandId,
    approval: ApprovalId,
    answer: OwnersAnswer,
) -> Result<(), Problem> {
    let for_task = answer.resolution == Resolution::ApproveForTask;
    // OFF-4: allowing a task takes both rights.
    if for_task && !caller.may(Scope::BrowserGrantWrite) {
        return Err(Problem::scope_missing(Scope::BrowserGrantWrite.as_str()));
    }
    if !for_task && (answer.origin.is_some() || answer.path_prefix.is_some()) {
        return Err(Problem::malformed("`origin` and `path_prefix` belong to `approve_for_task` only"));
    }
    let resolve = ResolveApproval { command, principal: caller.principal.clone(), approval, answer, grants: app.grants.clone() };
    match perform(app, caller, command, &resolve).await? {
        Some(Answered::TooLate(refusal)) => Err(refusal.into()),
        Some(Answered::Taken) => Ok(()),
        None => taken_before(app, caller, approval).await,
    }
}

/// What became of an answer that was given before and is sent again: a late one stays late.
async fn taken_before(app: &App, caller: &Caller, approval: ApprovalId) -> Result<(), Problem> {
    let mut reader = app.log.reader().await?;
    let row = projections::approvals::find(&mut reader.connection(), &caller.tenant, &caller.principal, approval).await?;
    match row.ok_or_else(Problem::not_found)?.status {
        ApprovalStatus::Lapsed => Err(Refusal::ApprovalLapsed.into()),
        ApprovalStatus::Cancelled => Err(Refusal::ApprovalCancelled.into()),
        ApprovalStatus::Pending | ApprovalStatus::Approved | ApprovalStatus::Denied => Ok(()),
    }
}
