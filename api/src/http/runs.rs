//! Runs.

use super::body::JsonBody;
use super::query::{StrictPath, id};
use super::{Answer, Caller, perform, shapes};
use crate::app::App;
use crate::commands::runs::{EndRun, StartRun};
use crate::problem::Problem;
use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json};
use domain::decide::run::RunKind;
use domain::id::{CommandId, RunId};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StartBody {
    kind: RunKind,
    #[serde(default)]
    parent_run_id: Option<RunId>,
}

pub(super) async fn start(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Extension(command): Extension<CommandId>,
    StrictPath(session): StrictPath<String>,
    JsonBody(body): JsonBody<StartBody>,
) -> Answer {
    let start =
        StartRun { command, principal: caller.principal.clone(), session: id(&session)?, kind: body.kind, parent: body.parent_run_id };
    perform(&app, &caller, command, &start).await?;
    answer(&app, &caller, start.run_id(), StatusCode::CREATED).await
}

pub(super) async fn end(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Extension(command): Extension<CommandId>,
    StrictPath(run): StrictPath<String>,
) -> Answer {
    let run: RunId = id(&run)?;
    perform(&app, &caller, command, &EndRun { principal: caller.principal.clone(), run }).await?;
    answer(&app, &caller, run, StatusCode::OK).await
}

async fn answer(app: &App, caller: &Caller, run: RunId, status: StatusCode) -> Answer {
    let mut reader = app.log.reader().await?;
    let row = projections::runs::find(&mut reader.connection(), &caller.tenant, &caller.principal, run).await?;
    let row = row.ok_or_else(Problem::not_found)?;
    Ok((status, Json(shapes::run(&row))))
}
