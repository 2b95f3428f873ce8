//! What a restart has to settle: calls that were sent and never heard of again are unknown, calls
//! that never were sent are refused, and cards that still wait keep waiting (AUT-7, APR-4).

use super::sessions::{Job, SessionKey, Sessions};
use crate::commands::calls::{FinishCall, RefuseUnsent};
use crate::random::new_uuid;
use domain::browser::Outcome;
use domain::event::Actor;
use domain::id::{CommandId, TenantId};
use eventlog::{Log, WorkError};
use projections::ToolCallRow;

/// The code of a call that a restart ended.
const INTERRUPTED: &str = "tool.interrupted";

/// Settles every unfinished call of every tenant.
///
/// # Errors
/// When the store fails.
pub async fn settle(log: &Log, sessions: &Sessions) -> Result<(), WorkError> {
    for tenant in log.tenants().await? {
        let unfinished = projections::tool_calls::unfinished(&mut log.reader().await?.connection(), &tenant).await?;
        for call in unfinished {
            settle_call(log, sessions, &tenant, &call).await?;
        }
    }
    Ok(())
}

async fn settle_call(log: &Log, sessions: &Sessions, tenant: &TenantId, call: &ToolCallRow) -> Result<(), WorkError> {
    let waiting = projections::approvals::of_call(&mut log.reader().await?.connection(), tenant, call.tool_call).await?;
    if call.status == "requested" && waiting.is_some() {
        let key = SessionKey { tenant: tenant.clone(), principal: call.principal.clone(), session: call.session };
        if let Ok(place) = sessions.reserve(&key) {
            place.fill(Job { tool_call: call.tool_call, run: call.run, call: None, in_browser_turn: false });
            return Ok(());
        }
    }
    let (command, code) = (CommandId::from_uuid(new_uuid()), INTERRUPTED.to_owned());
    if call.status == "dispatched" {
        let finish = FinishCall { tool_call: call.tool_call, outcome: Outcome::Unknown, code, reasons: Vec::new() };
        log.perform(tenant, &Actor::System, command, &finish).await?;
    } else {
        // Another node may send it at this moment; then it is not refused.
        log.perform(tenant, &Actor::System, command, &RefuseUnsent { tool_call: call.tool_call, code }).await?;
    }
    Ok(())
}
