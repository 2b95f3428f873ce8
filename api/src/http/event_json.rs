//! Events as JSON, for auditors and live readers: every field of the log, by its own name.

use super::shapes::instant;
use domain::event::{Actor, Authority, Event, Recorded, StreamId, TaskGrantCreated, ToolCallAuthorized};
use serde_json::{Value, json};

/// One recorded event.
pub(crate) fn recorded(recorded: &Recorded) -> Value {
    json!({
        "id": recorded.position.to_string(),
        "position": recorded.position,
        "type": recorded.event.type_name(),
        "recorded_at": instant(recorded.recorded_at),
        "stream": stream(recorded.stream),
        "version": recorded.version,
        "actor": actor(&recorded.actor),
        "data": data(&recorded.event),
    })
}

fn stream(stream: StreamId) -> String {
    format!("{}/{}", stream.category.as_str(), stream.id)
}

fn actor(actor: &Actor) -> Value {
    match actor {
        Actor::Owner(principal) => json!({"kind": "owner", "principal": principal}),
        Actor::Agent(principal) => json!({"kind": "agent", "principal": principal}),
        Actor::System => json!({"kind": "system"}),
    }
}

fn data(event: &Event) -> Value {
    match event {
        Event::SessionOpened(e) => json!({
            "session_id": e.session, "principal": e.principal, "surface": e.surface, "profile_id": e.profile,
            "schedule_id": e.schedule, "allowed_origins": e.allowed_origins,
        }),
        Event::MessageReceived(e) => json!({"session_id": e.session, "author": e.author, "text": e.text}),
        Event::TurnLeftBrowser(e) => json!({"session_id": e.session, "tool": e.tool}),
        Event::SessionDeleted(e) => json!({"session_id": e.session}),
        Event::RunStarted(e) => json!({"run_id": e.run, "session_id": e.session, "kind": e.kind, "parent_run_id": e.parent}),
        Event::RunEnded(e) => json!({"run_id": e.run}),
        Event::ToolCallRequested(e) => json!({
            "tool_call_id": e.tool_call, "run_id": e.run, "session_id": e.session, "tool": e.tool, "action": e.action,
        }),
        Event::ToolCallAuthorized(e) => authorized(e),
        Event::ToolCallDispatched(e) => json!({"tool_call_id": e.tool_call}),
        Event::ToolCallFinished(e) => json!({
            "tool_call_id": e.tool_call, "outcome": e.outcome, "code": e.code, "reasons": e.reasons,
        }),
        Event::ApprovalRequested(e) => json!({
            "approval_id": e.approval, "tool_call_id": e.tool_call, "run_id": e.run, "session_id": e.session, "view": e.view,
            "offer": e.offer, "reasons": e.reasons, "digest": crate::tokens::hex(&e.digest), "expires_at": instant(e.expires_at),
        }),
        Event::ApprovalResolved(e) => json!({"approval_id": e.approval, "resolution": e.resolution, "task_grant_id": e.task_grant}),
        Event::ApprovalLapsed(e) => json!({"approval_id": e.approval}),
        Event::ApprovalCancelled(e) => json!({"approval_id": e.approval}),
        Event::ApprovalAnsweredLate(e) => json!({"approval_id": e.approval, "resolution": e.resolution}),
        Event::TaskGrantCreated(e) => created(e),
        Event::TaskGrantEnded(e) => json!({"grant_id": e.task_grant, "reason": e.reason}),
        Event::ProfileCreated(e) => json!({"profile_id": e.profile, "principal": e.principal, "name": e.name}),
        Event::SignInBegan(e) => json!({"profile_id": e.profile, "sign_in_id": e.sign_in, "kind": e.kind}),
        Event::SignInReady(e) => json!({"profile_id": e.profile, "sign_in_id": e.sign_in}),
        Event::ProfileRevoked(e) => json!({"profile_id": e.profile}),
        Event::ProfileDeleted(e) => json!({"profile_id": e.profile}),
    }
}

fn authorized(e: &ToolCallAuthorized) -> Value {
    let authority = match e.authority {
        Authority::Approval(approval) => json!({"approval_id": approval}),
        Authority::TaskGrant(grant) => json!({"grant_id": grant}),
        Authority::StandingGrant(grant) => json!({"grant_id": grant}),
    };
    let mut data = json!({
        "tool_call_id": e.tool_call,
        "run_id": e.run,
        "session_id": e.session,
        "authorization_kind": e.authority.kind(),
        "grant_id": null,
        "use_ordinal": e.use_ordinal,
        "actions_remaining": e.actions_remaining,
        "characters_remaining": e.characters_remaining,
        "typed_characters": e.typed_characters,
        "view": e.view,
        "consequence": e.consequence,
        "classifier_version": e.classifier_version,
    });
    if let (Some(data), Value::Object(authority)) = (data.as_object_mut(), authority) {
        data.extend(authority);
    }
    data
}

fn created(e: &TaskGrantCreated) -> Value {
    let pins = &e.pins;
    json!({
        "grant_id": e.task_grant,
        "approval_id": pins.approval,
        "principal": pins.principal,
        "session_id": pins.session,
        "profile_id": pins.profile,
        "profile_generation": pins.profile_generation,
        "agent_version": pins.agent_version,
        "policy_version": pins.policy_version,
        "origin": pins.scope.origin(),
        "path_prefix": pins.scope.path_prefix(),
        "created_at": instant(pins.created_at),
        "expires_at": instant(pins.expires_at),
        "actions_max": pins.actions_max,
    })
}
