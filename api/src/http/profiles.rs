//! Browser profiles and their sign-ins.

use super::body::JsonBody;
use super::query::{StrictPath, id};
use super::{Answer, Caller, perform, shapes};
use crate::app::App;
use crate::commands::derived_uuid;
use crate::commands::profiles::{ChangeProfile, CreateProfile, ProfileStep};
use crate::problem::Problem;
use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json};
use domain::decide::profile::SignInKind;
use domain::id::{CommandId, ProfileId, SignInId};
use serde::Deserialize;
use serde_json::json;

/// Characters of a profile's name.
const NAME_CHARACTERS_MAX: usize = 100;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CreateBody {
    name: String,
}

pub(super) async fn create(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Extension(command): Extension<CommandId>,
    JsonBody(body): JsonBody<CreateBody>,
) -> Answer {
    let length = body.name.trim().chars().count();
    if length == 0 || length > NAME_CHARACTERS_MAX || body.name.chars().any(char::is_control) {
        return Err(Problem::malformed("`name` must be 1 to 100 characters, none of them a control character"));
    }
    let create = CreateProfile { command, principal: caller.principal.clone(), name: body.name };
    perform(&app, &caller, command, &create).await?;
    answer(&app, &caller, create.profile(), StatusCode::CREATED).await
}

pub(super) async fn show(State(app): State<App>, Extension(caller): Extension<Caller>, StrictPath(profile): StrictPath<String>) -> Answer {
    answer(&app, &caller, id(&profile)?, StatusCode::OK).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SignInBody {
    kind: SignInKind,
}

pub(super) async fn begin_sign_in(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Extension(command): Extension<CommandId>,
    StrictPath(profile): StrictPath<String>,
    JsonBody(body): JsonBody<SignInBody>,
) -> Answer {
    let profile: ProfileId = id(&profile)?;
    let sign_in = SignInId::from_uuid(derived_uuid(command, "sign_in"));
    change(&app, &caller, command, profile, ProfileStep::BeginSignIn(sign_in, body.kind)).await?;
    Ok((StatusCode::CREATED, Json(json!({"id": sign_in, "profile_id": profile, "kind": body.kind, "status": "begun"}))))
}

pub(super) async fn complete_sign_in(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Extension(command): Extension<CommandId>,
    StrictPath((profile, sign_in)): StrictPath<(String, String)>,
) -> Answer {
    let (profile, sign_in): (ProfileId, SignInId) = (id(&profile)?, id(&sign_in)?);
    change(&app, &caller, command, profile, ProfileStep::CompleteSignIn(sign_in)).await?;
    Ok((StatusCode::OK, Json(json!({"id": sign_in, "profile_id": profile, "status": "ready"}))))
}

pub(super) async fn revoke(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Extension(command): Extension<CommandId>,
    StrictPath(profile): StrictPath<String>,
) -> Answer {
    let profile: ProfileId = id(&profile)?;
    change(&app, &caller, command, profile, ProfileStep::Revoke).await?;
    answer(&app, &caller, profile, StatusCode::OK).await
}

pub(super) async fn delete(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Extension(command): Extension<CommandId>,
    StrictPath(profile): StrictPath<String>,
) -> Answer {
    let profile: ProfileId = id(&profile)?;
    change(&app, &caller, command, profile, ProfileStep::Delete).await?;
    Ok((StatusCode::OK, Json(json!({"id": profile, "status": "deleted"}))))
}

async fn change(app: &App, caller: &Caller, command: CommandId, profile: ProfileId, step: ProfileStep) -> Result<(), Problem> {
    perform(app, caller, command, &ChangeProfile { principal: caller.principal.clone(), profile, step }).await.map(drop)
}

async fn answer(app: &App, caller: &Caller, profile: ProfileId, status: StatusCode) -> Answer {
    let mut reader = app.log.reader().await?;
    let row = projections::profiles::find(&mut reader.connection(), &caller.tenant, &caller.principal, profile).await?;
    let row = row.ok_or_else(Problem::not_found)?;
    Ok((status, Json(shapes::profile(&row))))
}
