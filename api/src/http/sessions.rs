//! Sessions and their messages.

use super::body::JsonBody;
use super::query::{StrictPath, id};
use super::{Answer, Caller, perform, shapes};
use crate::app::App;
use crate::commands::sessions::{DeleteSession, OpenSession, ReceiveMessage};
use crate::pipeline::sessions::SessionKey;
use crate::problem::Problem;
use crate::scopes::Holder;
use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json};
use domain::decide::session::{Author, Surface};
use domain::id::{CommandId, ProfileId, SessionId};
use domain::scope::parse_origin;
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeSet;

/// Origins that one session may have.
const ORIGINS_MAX: usize = 16;
/// Bytes of one message.
const MESSAGE_BYTES_MAX: usize = 16 * 1024;
/// Bytes of a schedule's name.
const SCHEDULE_BYTES_MAX: usize = 128;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OpenBody {
    #[serde(default)]
    profile_id: Option<ProfileId>,
    surface: Surface,
    #[serde(default)]
    schedule_id: Option<String>,
    #[serde(default)]
    allowed_origins: Option<Vec<String>>,
}

pub(super) async fn open(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Extension(command): Extension<CommandId>,
    JsonBody(body): JsonBody<OpenBody>,
) -> Answer {
    if caller.holder == Holder::Agent && (body.profile_id.is_some() || body.allowed_origins.is_some()) {
        return Err(Problem::new(StatusCode::FORBIDDEN, "owner_only", "only an owner's token may bind a profile or name allowed origins"));
    }
    let fits = |schedule: &String| (1..=SCHEDULE_BYTES_MAX).contains(&schedule.len()) && !schedule.chars().any(char::is_control);
    if body.schedule_id.as_ref().is_some_and(|schedule| !fits(schedule)) {
        return Err(Problem::malformed("`schedule_id` must be 1 to 128 bytes without control characters"));
    }
    let open = OpenSession {
        command,
        principal: caller.principal.clone(),
        surface: body.surface,
        profile: body.profile_id,
        schedule: body.schedule_id,
        allowed_origins: allowed_origins(&app, body.allowed_origins)?,
    };
    perform(&app, &caller, command, &open).await?;
    answer(&app, &caller, open.session(), StatusCode::CREATED).await
}

fn allowed_origins(app: &App, named: Option<Vec<String>>) -> Result<Vec<String>, Problem> {
    let Some(named) = named else {
        let origins: BTreeSet<&str> = app.grants.scopes.iter().map(|scope| scope.origin()).collect();
        return Ok(origins.into_iter().map(str::to_owned).collect());
    };
    if named.len() > ORIGINS_MAX {
        return Err(Problem::malformed("`allowed_origins` may name at most 16 origins"));
    }
    let read = |origin: &String| {
        parse_origin(origin, app.host_rule).map_err(|error| Problem::malformed(format!("`allowed_origins`: `{origin}` {error}")))
    };
    named.iter().map(read).collect()
}

pub(super) async fn show(State(app): State<App>, Extension(caller): Extension<Caller>, StrictPath(session): StrictPath<String>) -> Answer {
    answer(&app, &caller, id(&session)?, StatusCode::OK).await
}

async fn answer(app: &App, caller: &Caller, session: SessionId, status: StatusCode) -> Answer {
    let mut reader = app.log.reader().await?;
    let row = projections::sessions::find(&mut reader.connection(), &caller.tenant, &caller.principal, session).await?;
    let row = row.ok_or_else(Problem::not_found)?;
    Ok((status, Json(shapes::session(&row))))
}

pub(super) async fn delete(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Extension(command): Extension<CommandId>,
    StrictPath(session): StrictPath<String>,
) -> Answer {
    let session: SessionId = id(&session)?;
    if caller.holder == Holder::Agent {
        return Err(Problem::new(StatusCode::FORBIDDEN, "owner_only", "only an owner's token may delete a session"));
    }
    perform(&app, &caller, command, &DeleteSession { principal: caller.principal.clone(), session }).await?;
    app.sessions.forget(&SessionKey { tenant: caller.tenant.clone(), principal: caller.principal.clone(), session });
    Ok((StatusCode::OK, Json(json!({"id": session, "status": "deleted"}))))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MessageBody {
    author: Author,
    text: String,
}

pub(super) async fn receive(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Extension(command): Extension<CommandId>,
    StrictPath(session): StrictPath<String>,
    JsonBody(body): JsonBody<MessageBody>,
) -> Answer {
    let session: SessionId = id(&session)?;
    let proven = match caller.holder {
        Holder::Owner => Author::Owner,
        Holder::Agent => Author::Agent,
    };
    // The token says who wrote it; a body that claims otherwise is an error, not a wish.
    if body.author != proven {
        return Err(Problem::new(
            StatusCode::FORBIDDEN,
            "author_not_proven",
            "the `author` of a message must be the holder of the token that sends it",
        ));
    }
    if body.text.len() > MESSAGE_BYTES_MAX {
        return Err(Problem::malformed("`text` may hold at most 16 KiB"));
    }
    perform(&app, &caller, command, &ReceiveMessage { principal: caller.principal.clone(), session, text: body.text }).await?;
    Ok((StatusCode::CREATED, Json(json!({"id": command, "session_id": session, "author": proven}))))
}
