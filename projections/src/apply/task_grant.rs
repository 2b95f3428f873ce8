//! Task grants and their counters. INVARIANT (exactly counted): `actions_used` moves by one, and
//! only from the value before the event's ordinal, in the transaction that appends the use.

use super::Target;
use domain::event::{Authority, TaskGrantCreated, TaskGrantEnded, ToolCallAuthorized};
use eventlog::{StoreError, values};

pub(super) async fn created(target: &mut Target<'_, '_>, e: &TaskGrantCreated) -> Result<(), StoreError> {
    let pins = &e.pins;
    let values = values![
        target.tenant(),
        e.task_grant.to_string(),
        pins.principal.as_str(),
        pins.session.to_string(),
        pins.profile.to_string(),
        pins.profile_generation,
        &pins.agent_version,
        &pins.policy_version,
        pins.scope.origin(),
        pins.scope.path_prefix(),
        pins.approval.to_string(),
        pins.created_at.as_micros(),
        pins.expires_at.as_micros(),
        target.recorded.position,
    ];
    target
        .one(
            "INSERT INTO task_grants (tenant, task_grant_id, principal, session_id, profile_id, profile_generation, agent_version,
                                      policy_version, origin, path_prefix, approval_id, status, actions_used, characters_used,
                                      created_at, expires_at, position)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'active', 0, 0, $12, $13, $14)",
            values,
        )
        .await
}

/// Counts a use; uses of another authority touch no grant.
pub(super) async fn used(target: &mut Target<'_, '_>, e: &ToolCallAuthorized) -> Result<(), StoreError> {
    let Authority::TaskGrant(grant) = e.authority else { return Ok(()) };
    let values = values![e.typed_characters, target.tenant(), grant.to_string(), e.use_ordinal,];
    target
        .one(
            "UPDATE task_grants SET actions_used = actions_used + 1, characters_used = characters_used + $1
             WHERE tenant = $2 AND task_grant_id = $3 AND status = 'active' AND actions_used = $4 - 1",
            values,
        )
        .await
}

pub(super) async fn ended(target: &mut Target<'_, '_>, e: &TaskGrantEnded) -> Result<(), StoreError> {
    let values = values![e.reason.as_str(), target.at(), target.tenant(), e.task_grant.to_string()];
    target
        .one(
            "UPDATE task_grants SET status = 'ended', end_reason = $1, ended_at = $2
             WHERE tenant = $3 AND task_grant_id = $4 AND status = 'active'",
            values,
        )
        .await
}
