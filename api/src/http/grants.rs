//! Task grants: read and stopped. Nothing here creates one (OFF-3).

use super::query::{StrictPath, StrictQuery, id, page};
use super::{Answer, Caller, perform, shapes};
use crate::app::App;
use crate::commands::approvals::RevokeGrant;
use crate::problem::Problem;
use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json};
use domain::id::{CommandId, TaskGrantId};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ListQuery {
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
    let now = app.log.now();
    let mut reader = app.log.reader().await?;
    let rows = projections::grants::list(&mut reader.connection(), &caller.tenant, &caller.principal, page).await?;
    Ok((StatusCode::OK, Json(shapes::list(&rows, page, |row| row.position, |row| shapes::grant(row, now)))))
}

pub(super) async fn show(State(app): State<App>, Extension(caller): Extension<Caller>, StrictPath(grant): StrictPath<String>) -> Answer {
    answer(&app, &caller, id(&grant)?).await
}

async fn answer(app: &App, caller: &Caller, grant: TaskGrantId) -> Answer {
    let mut reader = app.log.reader().await?;
    let row = projections::grants::find(&mut reader.connection(), &caller.tenant, &caller.principal, grant).await?;
    let row = row.ok_or_else(Problem::not_found)?;
    Ok((StatusCode::OK, Json(shapes::grant(&row, app.log.now()))))
}

pub(super) async fn revoke(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Extension(command): Extension<CommandId>,
    StrictPath(grant): StrictPath<String>,
) -> Answer {
    let grant: TaskGrantId = id(&grant)?;
    perform(&app, &caller, command, &RevokeGrant { principal: caller.principal.clone(), grant }).await?;
    answer(&app, &caller, grant).await
}
