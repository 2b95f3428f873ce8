//! Applies each event to the read models, inside the transaction that appends it. Every statement
//! says how many rows it must touch; any other number aborts the whole command.

mod approval;
mod profile;
mod session;
mod task_grant;
mod tool_call;

use async_trait::async_trait;
use domain::event::{Event, Recorded};
use domain::id::TenantId;
use eventlog::{Conn, Inline, StoreError, Value};

/// The inline read models.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadModels;

/// Where an event is applied.
pub(crate) struct Target<'a, 'c> {
    conn: &'a mut Conn<'c>,
    tenant: &'a TenantId,
    recorded: &'a Recorded,
}

impl Target<'_, '_> {
    /// Runs a statement that must touch exactly one row.
    async fn one(&mut self, sql: &'static str, values: &[Value]) -> Result<(), StoreError> {
        let touched = self.conn.execute(sql, values).await?;
        if touched == 1 {
            return Ok(());
        }
        let (kind, position) = (self.recorded.event.type_name(), self.recorded.position);
        Err(failed(format!("`{kind}` at position {position} touched {touched} rows instead of one")))
    }

    /// Runs a statement that may touch any number of rows.
    async fn any(&mut self, sql: &'static str, values: &[Value]) -> Result<(), StoreError> {
        self.conn.execute(sql, values).await.map(drop)
    }

    fn tenant(&self) -> &str {
        self.tenant.as_str()
    }

    fn at(&self) -> i64 {
        self.recorded.recorded_at.as_micros()
    }
}

/// A read model that cannot follow the log.
pub(crate) const fn failed(reason: String) -> StoreError {
    StoreError::Projection { projection: "read models", reason }
}

#[async_trait]
impl Inline for ReadModels {
    async fn apply(&self, conn: &mut Conn<'_>, tenant: &TenantId, recorded: &Recorded) -> Result<(), StoreError> {
        let mut target = Target { conn, tenant, recorded };
        match &recorded.event {
            Event::SessionOpened(e) => session::opened(&mut target, e).await,
            Event::SessionDeleted(e) => session::deleted(&mut target, e).await,
            // Who wrote last is judged from the session's own stream; no list shows messages.
            Event::MessageReceived(_) | Event::TurnLeftBrowser(_) => Ok(()),
            Event::RunStarted(e) => session::run_started(&mut target, e).await,
            Event::RunEnded(e) => session::run_ended(&mut target, e).await,
            Event::ToolCallRequested(e) => tool_call::requested(&mut target, e).await,
            Event::ToolCallAuthorized(e) => {
                task_grant::used(&mut target, e).await?;
                tool_call::authorized(&mut target, e).await
            }
            Event::ToolCallDispatched(e) => tool_call::dispatched(&mut target, e).await,
            Event::ToolCallFinished(e) => tool_call::finished(&mut target, e).await,
            Event::ApprovalRequested(e) => approval::requested(&mut target, e).await,
            Event::ApprovalResolved(e) => approval::resolved(&mut target, e).await,
            Event::ApprovalLapsed(e) => approval::closed(&mut target, e.approval, "lapsed").await,
            Event::ApprovalCancelled(e) => approval::closed(&mut target, e.approval, "cancelled").await,
            // Kept in the log alone: it changed nothing.
            Event::ApprovalAnsweredLate(_) => Ok(()),
            Event::TaskGrantCreated(e) => task_grant::created(&mut target, e).await,
            Event::TaskGrantEnded(e) => task_grant::ended(&mut target, e).await,
            Event::ProfileCreated(e) => profile::created(&mut target, e).await,
            Event::SignInBegan(e) => profile::sign_in_began(&mut target, e).await,
            Event::SignInReady(e) => profile::sign_in_ready(&mut target, e).await,
            Event::ProfileRevoked(e) => profile::closed(&mut target, e.profile, "revoked").await,
            Event::ProfileDeleted(e) => profile::closed(&mut target, e.profile, "deleted").await,
        }
    }
}
