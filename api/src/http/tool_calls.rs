//! Tool calls: proposed by an agent, waited for, and read back as activity.

use super::body::JsonBody;
use super::idempotency::NotKept;
use super::query::{StrictPath, StrictQuery, id, page};
use super::{Answer, Caller, perform, shapes};
use crate::app::App;
use crate::commands::calls::RequestCall;
use crate::commands::derived_uuid;
use crate::pipeline::call::Call;
use crate::pipeline::sessions::{Job, SessionKey};
use crate::problem::Problem;
use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json};
use domain::browser::ActionKind;
use domain::decide::approval::ApprovalStatus;
use domain::id::{CommandId, RunId, SessionId, ToolCallId};
use projections::ToolCallRow;
use serde::Deserialize;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::Instant;

/// A proposal answers at the latest after this; the agent then asks for the call.
const PROPOSE_SECS: u64 = 25;
/// Longest wait that a reader may ask for.
const WAIT_SECS_MAX: u64 = 60;
/// How often a waiting reader looks even when nothing woke it: another node may have written.
const LOOK_AGAIN: Duration = Duration::from_millis(500);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ProposeBody {
    tool: String,
    #[serde(default = "no_arguments")]
    arguments: Value,
}

fn no_arguments() -> Value {
    json!({})
}

pub(super) async fn propose(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Extension(command): Extension<CommandId>,
    StrictPath(run): StrictPath<String>,
    JsonBody(body): JsonBody<ProposeBody>,
) -> Result<(Extension<NotKept>, (StatusCode, Json<Value>)), Problem> {
    let run: RunId = id(&run)?;
    let call = Call::parse(&body.tool, body.arguments).map_err(|error| Problem::malformed(error.to_string()))?;
    let tool_call = ToolCallId::from_uuid(derived_uuid(command, "tool_call"));
    let session = session_of(&app, &caller, run).await?;
    // The place comes first: a call that is recorded is also run.
    let place = app.sessions.reserve(&SessionKey { tenant: caller.tenant.clone(), principal: caller.principal.clone(), session });
    let place = place.map_err(|_| Problem::busy("session_queue_full", "16 calls of this session are waiting; try again later", 1))?;
    let request = RequestCall { principal: caller.principal.clone(), run, tool_call, tool: call.tool().to_owned(), action: action(&call) };
    // On its own: when the sender hangs up after the call was recorded, it is still run.
    let recording = tokio::spawn({
        let (app, caller) = (app.clone(), caller.clone());
        async move {
            if let Some(session) = perform(&app, &caller, command, &request).await? {
                place.fill(Job { tool_call, run, call: Some(call), in_browser_turn: session.turn_is_browser_only });
            }
            Ok(())
        }
    });
    recording.await.unwrap_or_else(|_| Err(Problem::internal()))?;
    let until = Until::FinishedOrAsking;
    // Said again from the call itself: what a page showed is not written down with the answer.
    let told = answer(&app, &caller, tool_call, Duration::from_secs(PROPOSE_SECS), until).await?;
    Ok((Extension(NotKept), told))
}

async fn session_of(app: &App, caller: &Caller, run: RunId) -> Result<SessionId, Problem> {
    let mut reader = app.log.reader().await?;
    let row = projections::runs::find(&mut reader.connection(), &caller.tenant, &caller.principal, run).await?;
    row.map(|row| row.session).ok_or_else(Problem::not_found)
}

fn action(call: &Call) -> Option<&'static str> {
    let Call::Act(act) = call else { return None };
    Some(match act.action.kind() {
        ActionKind::Click => "click",
        ActionKind::Type => "type",
        ActionKind::Press => "press",
        ActionKind::Select => "select",
        ActionKind::Check => "check",
        ActionKind::Scroll => "scroll",
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ShowQuery {
    #[serde(default)]
    wait: Option<u64>,
}

pub(super) async fn show(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    StrictPath(call): StrictPath<String>,
    StrictQuery(query): StrictQuery<ShowQuery>,
) -> Answer {
    let wait = query.wait.unwrap_or_default();
    if wait > WAIT_SECS_MAX {
        return Err(Problem::malformed("`wait` is at most 60 seconds"));
    }
    answer(&app, &caller, id(&call)?, Duration::from_secs(wait), Until::Finished).await
}

/// What a reader waits for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Until {
    Finished,
    FinishedOrAsking,
}

async fn answer(app: &App, caller: &Caller, call: ToolCallId, wait: Duration, until: Until) -> Answer {
    let deadline = Instant::now() + wait;
    let (mut head, mut stopping) = (app.log.commits(), app.stopping.clone());
    loop {
        head.mark_unchanged();
        let (row, asking) = look(app, caller, call).await?;
        let finished = row.status == "finished";
        let enough = finished || (asking.is_some() && until == Until::FinishedOrAsking);
        if enough || Instant::now() >= deadline || *app.stopping.borrow() {
            let status = if finished { StatusCode::OK } else { StatusCode::ACCEPTED };
            // A reader is told the state of an existing call, whatever it is.
            let status = if until == Until::Finished { StatusCode::OK } else { status };
            return Ok((status, Json(shape(app, &row, asking))));
        }
        let rest = deadline.saturating_duration_since(Instant::now()).min(LOOK_AGAIN);
        tokio::select! {
            _ = tokio::time::timeout(rest, head.changed()) => {}
            _ = stopping.wait_for(|stopping| *stopping) => {}
        }
    }
}

async fn look(app: &App, caller: &Caller, call: ToolCallId) -> Result<(ToolCallRow, Option<domain::id::ApprovalId>), Problem> {
    let mut reader = app.log.reader().await?;
    let mut conn = reader.connection();
    let row = projections::tool_calls::find(&mut conn, &caller.tenant, &caller.principal, call).await?;
    let row = row.ok_or_else(Problem::not_found)?;
    if row.status == "finished" {
        return Ok((row, None));
    }
    let Some(approval) = projections::approvals::of_call(&mut conn, &caller.tenant, call).await? else { return Ok((row, None)) };
    let pending = projections::approvals::find(&mut conn, &caller.tenant, &caller.principal, approval).await?;
    let asking = pending.filter(|row| row.status == ApprovalStatus::Pending).map(|row| row.approval);
    Ok((row, asking))
}

fn shape(app: &App, row: &ToolCallRow, asking: Option<domain::id::ApprovalId>) -> Value {
    let status = match (row.status.as_str(), asking) {
        ("finished", _) => "finished",
        (_, Some(_)) => "awaiting_approval",
        _ => "running",
    };
    let mut shape = json!({"id": row.tool_call, "tool_call_id": row.tool_call, "tool": row.tool, "status": status});
    let Some(fields) = shape.as_object_mut() else { return shape };
    let mut put = |name: &str, value: Value| drop(fields.insert(name.to_owned(), value));
    if let Some(approval) = asking {
        put("approval_id", json!(approval));
    }
    if let Some(outcome) = &row.outcome {
        put("outcome", json!(outcome));
    }
    if let Some(code) = row.code.as_deref().filter(|code| !code.is_empty()) {
        put("code", json!(code));
    }
    if !row.reasons.is_empty() {
        put("reasons", json!(row.reasons));
    }
    if let Some(result) = app.results.of(row.tool_call).filter(|_| row.status == "finished") {
        put("result", result);
    }
    shape
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ActivityQuery {
    #[serde(default)]
    cursor: Option<String>,
    #[serde(default)]
    limit: Option<u32>,
}

pub(super) async fn activity(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    StrictPath(session): StrictPath<String>,
    StrictQuery(query): StrictQuery<ActivityQuery>,
) -> Answer {
    let session: SessionId = id(&session)?;
    let page = page(query.cursor.as_deref(), query.limit)?;
    let mut reader = app.log.reader().await?;
    let mut conn = reader.connection();
    let found = projections::sessions::find(&mut conn, &caller.tenant, &caller.principal, session).await?;
    found.ok_or_else(Problem::not_found)?;
    let rows = projections::tool_calls::of_session(&mut conn, &caller.tenant, &caller.principal, session, page).await?;
    Ok((StatusCode::OK, Json(shapes::list(&rows, page, |row| row.position, shapes::activity))))
}
