//! The events that were frozen, each with the name of its file.

use domain::browser::Outcome;
use domain::classify::Consequence;
use domain::coverage::Reason;
use domain::decide::approval::{Offer, Resolution};
use domain::decide::profile::SignInKind;
use domain::decide::run::RunKind;
use domain::decide::session::{Author, Surface};
use domain::decide::task_grant::{EndReason, Pins};
use domain::event::{
    ApprovalAnsweredLate, ApprovalCancelled, ApprovalLapsed, ApprovalRequested, ApprovalResolved, Authority, Event, MessageReceived,
    ProfileCreated, ProfileDeleted, ProfileRevoked, RunEnded, RunStarted, SessionDeleted, SessionOpened, SignInBegan, SignInReady,
    TaskGrantCreated, TaskGrantEnded, ToolCallAuthorized, ToolCallDispatched, ToolCallFinished, ToolCallRequested, TurnLeftBrowser,
};
use domain::id::{ApprovalId, ProfileId, RunId, SessionId, SignInId, StandingGrantId, TaskGrantId, ToolCallId};
use domain::scope::SiteScope;
use domain::time::Timestamp;
use domain::view::ApprovalView;
use uuid::Uuid;

/// 2026-07-01T08:30:00Z.
const MORNING: i64 = 1_782_894_600_000_000;

const SESSION: SessionId = SessionId::from_uuid(Uuid::from_u128(0x0198_0000_0000_7000_8000_0000_0000_0001));
const RUN: RunId = RunId::from_uuid(Uuid::from_u128(0x0198_0000_0000_7000_8000_0000_0000_0002));
const TOOL_CALL: ToolCallId = ToolCallId::from_uuid(Uuid::from_u128(0x0198_0000_0000_7000_8000_0000_0000_0003));
const APPROVAL: ApprovalId = ApprovalId::from_uuid(Uuid::from_u128(0x0198_0000_0000_7000_8000_0000_0000_0004));
const TASK_GRANT: TaskGrantId = TaskGrantId::from_uuid(Uuid::from_u128(0x0198_0000_0000_7000_8000_0000_0000_0005));
const STANDING_GRANT: StandingGrantId = StandingGrantId::from_uuid(Uuid::from_u128(0x0198_0000_0000_7000_8000_0000_0000_0006));
const PROFILE: ProfileId = ProfileId::from_uuid(Uuid::from_u128(0x0198_0000_0000_7000_8000_0000_0000_0007));
const SIGN_IN: SignInId = SignInId::from_uuid(Uuid::from_u128(0x0198_0000_0000_7000_8000_0000_0000_0008));
const PARENT: RunId = RunId::from_uuid(Uuid::from_u128(0x0198_0000_0000_7000_8000_0000_0000_0009));

pub(super) fn samples() -> Vec<(&'static str, Event)> {
    let mut all = sessions_and_runs();
    all.extend(tool_calls());
    all.extend(approvals());
    all.extend(grants_and_profiles());
    all
}

fn sessions_and_runs() -> Vec<(&'static str, Event)> {
    let opened = SessionOpened {
        session: SESSION,
        principal: "alice@example.com".parse().unwrap(),
        surface: Surface::Chat,
        profile: Some(PROFILE),
        schedule: Some("every morning".to_owned()),
        allowed_origins: vec!["https://www.example.com".to_owned(), "https://learn.example.org:8443".to_owned()],
    };
    let bare = SessionOpened { surface: Surface::Inbound, profile: None, schedule: None, allowed_origins: Vec::new(), ..opened.clone() };
    let text = "do the lesson\0 \u{5E9}\u{5DC}\u{5D5}\u{5DD} \u{1F680}".to_owned();
    vec![
        ("session.opened", Event::SessionOpened(opened)),
        ("session.opened.bare", Event::SessionOpened(bare)),
        ("message.received", Event::MessageReceived(MessageReceived { session: SESSION, author: Author::Owner, text })),
        ("session.turn_left_browser", Event::TurnLeftBrowser(TurnLeftBrowser { session: SESSION, tool: "files.read".to_owned() })),
        ("session.deleted", Event::SessionDeleted(SessionDeleted { session: SESSION })),
        ("run.started", Event::RunStarted(RunStarted { run: RUN, session: SESSION, kind: RunKind::Child, parent: Some(PARENT) })),
        ("run.started.bare", Event::RunStarted(RunStarted { run: RUN, session: SESSION, kind: RunKind::Interactive, parent: None })),
        ("run.ended", Event::RunEnded(RunEnded { run: RUN })),
    ]
}

fn view() -> ApprovalView {
    ApprovalView {
        action_summary: "Type into a text field on www.example.com/lesson/3".to_owned(),
        action: "type".to_owned(),
        role: "textbox".to_owned(),
        name: "Write in German".to_owned(),
        visible_text: "Schreibe".to_owned(),
        dialog_name: "Lesson 3".to_owned(),
        origin: "https://www.example.com".to_owned(),
        path: "/lesson/3".to_owned(),
        title: "Basics".to_owned(),
        key: "Enter".to_owned(),
        scroll: Some((-120, 640)),
        options: vec!["der".to_owned(), "die".to_owned()],
        checked: Some(false),
        typed_text: "Der Apfel ist gr\u{fc}n".to_owned(),
        typed_text_cut: true,
        typed_text_digest: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08".to_owned(),
        described: true,
    }
}

fn authorized(authority: Authority) -> ToolCallAuthorized {
    ToolCallAuthorized {
        tool_call: TOOL_CALL,
        run: RUN,
        session: SESSION,
        authority,
        use_ordinal: 200,
        actions_remaining: 0,
        characters_remaining: 3_000,
        typed_characters: 19,
        view: view(),
        consequence: Consequence::Unknown,
        classifier_version: "c0ffee".to_owned(),
    }
}

fn tool_calls() -> Vec<(&'static str, Event)> {
    let requested = ToolCallRequested {
        tool_call: TOOL_CALL,
        run: RUN,
        session: SESSION,
        tool: "browser.act".to_owned(),
        action: Some("type".to_owned()),
    };
    let bare = ToolCallRequested { tool: "browser.observe".to_owned(), action: None, ..requested.clone() };
    let by_approval = ToolCallAuthorized {
        use_ordinal: 0,
        characters_remaining: 0,
        typed_characters: 0,
        view: ApprovalView::default(),
        consequence: Consequence::MoneyMovement,
        ..authorized(Authority::Approval(APPROVAL))
    };
    let finished = ToolCallFinished {
        tool_call: TOOL_CALL,
        outcome: Outcome::Refused,
        code: "tool.browser.grant_not_applicable".to_owned(),
        reasons: vec![Reason::PageOutsidePrefix, Reason::ElementChanged],
    };
    let completed = ToolCallFinished { outcome: Outcome::Completed, code: String::new(), reasons: Vec::new(), ..finished.clone() };
    vec![
        ("tool.call.requested", Event::ToolCallRequested(requested)),
        ("tool.call.requested.bare", Event::ToolCallRequested(bare)),
        ("tool.call.authorized", Event::ToolCallAuthorized(authorized(Authority::TaskGrant(TASK_GRANT)))),
        ("tool.call.authorized.approval", Event::ToolCallAuthorized(by_approval)),
        ("tool.call.authorized.standing_grant", Event::ToolCallAuthorized(authorized(Authority::StandingGrant(STANDING_GRANT)))),
        ("tool.call.dispatched", Event::ToolCallDispatched(ToolCallDispatched { tool_call: TOOL_CALL })),
        ("tool.call.finished", Event::ToolCallFinished(finished)),
        ("tool.call.finished.completed", Event::ToolCallFinished(completed)),
    ]
}

fn approvals() -> Vec<(&'static str, Event)> {
    let requested = ApprovalRequested {
        approval: APPROVAL,
        tool_call: TOOL_CALL,
        run: RUN,
        session: SESSION,
        view: view(),
        offer: Some(Offer { origin: "https://www.example.com".to_owned(), path_prefix: "/lesson".to_owned(), profile_generation: 3 }),
        reasons: vec![Reason::Expired],
        digest: (0..32).collect(),
        expires_at: Timestamp::from_micros(MORNING + 900_000_000),
    };
    let bare = ApprovalRequested { offer: None, reasons: Vec::new(), ..requested.clone() };
    let resolved = ApprovalResolved { approval: APPROVAL, resolution: Resolution::ApproveForTask, task_grant: Some(TASK_GRANT) };
    let denied = ApprovalResolved { resolution: Resolution::Deny, task_grant: None, ..resolved.clone() };
    let late = ApprovalAnsweredLate { approval: APPROVAL, resolution: Resolution::ApproveOnce };
    vec![
        ("approval.requested", Event::ApprovalRequested(requested)),
        ("approval.requested.bare", Event::ApprovalRequested(bare)),
        ("approval.resolved", Event::ApprovalResolved(resolved)),
        ("approval.resolved.denied", Event::ApprovalResolved(denied)),
        ("approval.lapsed", Event::ApprovalLapsed(ApprovalLapsed { approval: APPROVAL })),
        ("approval.cancelled", Event::ApprovalCancelled(ApprovalCancelled { approval: APPROVAL })),
        ("approval.answered_late", Event::ApprovalAnsweredLate(late)),
    ]
}

fn grants_and_profiles() -> Vec<(&'static str, Event)> {
    let pins = Pins {
        principal: "alice@example.com".parse().unwrap(),
        session: SESSION,
        profile: PROFILE,
        profile_generation: 3,
        agent_version: "agent-7".to_owned(),
        policy_version: "policy-2".to_owned(),
        scope: SiteScope::from_parts("https://www.example.com", "/lesson").unwrap(),
        created_at: Timestamp::from_micros(MORNING),
        expires_at: Timestamp::from_micros(MORNING + 1_800_000_000),
        actions_max: 200,
        approval: APPROVAL,
    };
    let created = ProfileCreated { profile: PROFILE, principal: "alice@example.com".parse().unwrap(), name: "Learning".to_owned() };
    let began = SignInBegan { profile: PROFILE, sign_in: SIGN_IN, kind: SignInKind::Device };
    vec![
        ("browser.task_grant.created", Event::TaskGrantCreated(TaskGrantCreated { task_grant: TASK_GRANT, pins })),
        ("browser.task_grant.ended", Event::TaskGrantEnded(TaskGrantEnded { task_grant: TASK_GRANT, reason: EndReason::Superseded })),
        ("browser.profile.created", Event::ProfileCreated(created)),
        ("browser.profile.sign_in_began", Event::SignInBegan(began)),
        ("browser.profile.sign_in_ready", Event::SignInReady(SignInReady { profile: PROFILE, sign_in: SIGN_IN })),
        ("browser.profile.revoked", Event::ProfileRevoked(ProfileRevoked { profile: PROFILE })),
        ("browser.profile.deleted", Event::ProfileDeleted(ProfileDeleted { profile: PROFILE })),
    ]
}
