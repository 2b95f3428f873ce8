//! A session's events as they happen (API-6). `id` is the position in the tenant's log, so a reader
//! that lost its connection goes on where it was.

use super::query::{StrictPath, id};
use super::{Caller, event_json};
use crate::app::App;
use crate::problem::Problem;
use axum::Extension;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Sse;
use axum::response::sse::{Event as SseEvent, KeepAlive};
use domain::event::{Event, Recorded};
use domain::id::{ApprovalId, SessionId, TaskGrantId, ToolCallId};
use eventlog::StoreError;
use futures_util::Stream;
use std::convert::Infallible;
use std::time::Duration;
use tokio::sync::mpsc;

/// Events that wait for a slow reader; one that falls further behind is let go and comes back with
/// its last position.
const WAITING_MAX: usize = 256;
/// Events read at once.
const BATCH: u32 = 200;
/// How often the log is looked at even when nothing woke the stream.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

pub(super) async fn stream(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    StrictPath(session): StrictPath<String>,
    headers: HeaderMap,
) -> Result<Sse<impl Stream<Item = Result<SseEvent, Infallible>>>, Problem> {
    let session: SessionId = id(&session)?;
    let mut reader = app.log.reader().await?;
    let found = projections::sessions::find(&mut reader.connection(), &caller.tenant, &caller.principal, session).await?;
    found.ok_or_else(Problem::not_found)?;
    drop(reader);
    let head = app.log.head(&caller.tenant).await?;
    let after = match headers.get("last-event-id") {
        Some(position) => {
            position.to_str().ok().and_then(|p| p.parse().ok()).ok_or_else(|| Problem::malformed("`Last-Event-ID` must be a position"))?
        }
        None => head,
    };
    // This log has no such position: it is another log's, and what comes until there would be missed.
    if after > head {
        return Err(Problem::not_found());
    }
    let (send, events) = mpsc::channel(WAITING_MAX);
    tokio::spawn(async move {
        if let Err(error) = follow(&app, &caller, session, after, &send).await {
            tracing::warn!(%error, "a live stream ended");
        }
    });
    let stream = futures_util::stream::unfold(events, |mut events| async move { events.recv().await.map(|event| (Ok(event), events)) });
    Ok(Sse::new(stream).keep_alive(KeepAlive::default()))
}

/// Sends what belongs to the session until the reader goes, or its credential is revoked.
async fn follow(app: &App, caller: &Caller, session: SessionId, mut after: u64, send: &mpsc::Sender<SseEvent>) -> Result<(), StoreError> {
    let (mut head, mut stopping) = (app.log.commits(), app.stopping.clone());
    while !send.is_closed() && caller.still_stands(app).await? {
        head.mark_unchanged();
        let events = app.log.read(&caller.tenant, after, BATCH).await?;
        for recorded in &events {
            after = recorded.position;
            if session_of(app, caller, recorded).await? != Some(session) {
                continue;
            }
            let text = event_json::recorded(recorded).to_string();
            let event = SseEvent::default().id(after.to_string()).event(recorded.event.type_name()).data(text);
            if send.try_send(event).is_err() {
                return Ok(());
            }
        }
        if events.is_empty() {
            tokio::select! {
                () = send.closed() => return Ok(()),
                _ = stopping.wait_for(|stopping| *stopping) => return Ok(()),
                _ = tokio::time::timeout(LOOK_AGAIN, head.changed()) => {}
            }
        }
    }
    Ok(())
}

/// The session of an event. Those that do not name one are looked up by what they name.
async fn session_of(app: &App, caller: &Caller, recorded: &Recorded) -> Result<Option<SessionId>, StoreError> {
    match &recorded.event {
        Event::SessionOpened(e) => Ok(Some(e.session)),
        Event::MessageReceived(e) => Ok(Some(e.session)),
        Event::TurnLeftBrowser(e) => Ok(Some(e.session)),
        Event::SessionDeleted(e) => Ok(Some(e.session)),
        Event::RunStarted(e) => Ok(Some(e.session)),
        Event::ToolCallRequested(e) => Ok(Some(e.session)),
        Event::ApprovalRequested(e) => Ok(Some(e.session)),
        Event::TaskGrantCreated(e) => Ok(Some(e.pins.session)),
        Event::ToolCallAuthorized(e) => Ok(Some(e.session)),
        Event::RunEnded(e) => of_run(app, caller, e.run).await,
        Event::ToolCallDispatched(e) => of_call(app, caller, e.tool_call).await,
        Event::ToolCallFinished(e) => of_call(app, caller, e.tool_call).await,
        Event::ApprovalResolved(e) => of_approval(app, caller, e.approval).await,
        Event::ApprovalLapsed(e) => of_approval(app, caller, e.approval).await,
        Event::ApprovalCancelled(e) => of_approval(app, caller, e.approval).await,
        Event::ApprovalAnsweredLate(e) => of_approval(app, caller, e.approval).await,
        Event::TaskGrantEnded(e) => of_grant(app, caller, e.task_grant).await,
        Event::ProfileCreated(_) | Event::SignInBegan(_) | Event::SignInReady(_) | Event::ProfileRevoked(_) | Event::ProfileDeleted(_) => {
            Ok(None)
        }
    }
}

async fn of_run(app: &App, caller: &Caller, run: domain::id::RunId) -> Result<Option<SessionId>, StoreError> {
    let mut reader = app.log.reader().await?;
    Ok(projections::runs::find(&mut reader.connection(), &caller.tenant, &caller.principal, run).await?.map(|row| row.session))
}

async fn of_call(app: &App, caller: &Caller, call: ToolCallId) -> Result<Option<SessionId>, StoreError> {
    let mut reader = app.log.reader().await?;
    Ok(projections::tool_calls::find(&mut reader.connection(), &caller.tenant, &caller.principal, call).await?.map(|row| row.session))
}

async fn of_approval(app: &App, caller: &Caller, approval: ApprovalId) -> Result<Option<SessionId>, StoreError> {
    let mut reader = app.log.reader().await?;
    Ok(projections::approvals::find(&mut reader.connection(), &caller.tenant, &caller.principal, approval).await?.map(|row| row.session))
}

async fn of_grant(app: &App, caller: &Caller, grant: TaskGrantId) -> Result<Option<SessionId>, StoreError> {
    let mut reader = app.log.reader().await?;
    Ok(projections::grants::find(&mut reader.connection(), &caller.tenant, &caller.principal, grant).await?.map(|row| row.session))
}
