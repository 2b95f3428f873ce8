//! The closed vocabularies: their exact names, and that no other name is taken for one of them.

use crate::written::events;
use domain::browser::Outcome;
use domain::coverage::Reason;
use domain::decide::approval::{ApprovalStatus, Resolution};
use domain::decide::authorize::reason_of_end;
use domain::decide::task_grant::EndReason;
use domain::event::{Category, Event};
use std::collections::BTreeSet;

/// Each event once, in the words of the tables.
pub(crate) const EVERY_EVENT: [&str; 22] = [
    "SessionOpened",
    "MessageReceived",
    "TurnLeftBrowser",
    "SessionDeleted",
    "RunStarted",
    "RunEnded",
    "ToolCallRequested",
    "ToolCallAuthorized",
    "ToolCallDispatched",
    "ToolCallFinished",
    "ApprovalRequested",
    "ApprovalResolved",
    "ApprovalLapsed",
    "ApprovalCancelled",
    "ApprovalAnsweredLate",
    "TaskGrantCreated",
    "TaskGrantEnded",
    "ProfileCreated",
    "SignInBegan",
    "SignInReady",
    "ProfileRevoked",
    "ProfileDeleted",
];

/// APR-1: three answers, both approvals lead to approved, and an unknown value is none of them.
#[test]
fn answers_are_three_and_unknown_ones_are_refused() {
    let names: Vec<&str> = Resolution::ALL.iter().map(|resolution| resolution.as_str()).collect();
    assert_eq!(names, ["approve_once", "approve_for_task", "deny"]);
    for unknown in
        ["", "approve", "approved", "Approve_Once", "approve_once ", "approve-once", "approve_for_session", "allow", "denied", "null"]
    {
        assert_eq!(Resolution::parse(unknown), None, "{unknown:?}");
        assert!(serde_json::from_value::<Resolution>(unknown.into()).is_err(), "{unknown:?}");
    }
    for resolution in Resolution::ALL {
        assert_eq!(Resolution::parse(resolution.as_str()), Some(*resolution));
        assert_eq!(serde_json::from_value::<Resolution>(resolution.as_str().into()).unwrap(), *resolution);
    }
    assert_eq!(Resolution::ApproveOnce.status(), ApprovalStatus::Approved);
    assert_eq!(Resolution::ApproveForTask.status(), ApprovalStatus::Approved);
    assert_eq!(Resolution::Deny.status(), ApprovalStatus::Denied);
}

/// GRA-8: the nine reasons by their names.
#[test]
fn a_grant_ends_for_one_of_nine_reasons() {
    let names: BTreeSet<&str> = EndReason::ALL.iter().map(|reason| reason.as_str()).collect();
    let meant = "expired exhausted revoked superseded profile_changed profile_revoked policy_changed agent_changed scope_removed";
    assert_eq!(names, meant.split(' ').collect());
    assert!(EndReason::ALL.iter().all(|reason| EndReason::parse(reason.as_str()) == Some(*reason)));
    assert_eq!(EndReason::parse("finished"), None);
}

/// COV-10: the card's word for a grant that is over tells time and actions from all that ended it early.
#[test]
fn a_card_says_why_a_grant_is_over() {
    for end in EndReason::ALL {
        let meant = match end.as_str() {
            "expired" => Reason::Expired,
            "exhausted" => Reason::ActionsUsedUp,
            _ => Reason::GrantEnded,
        };
        assert_eq!(reason_of_end(*end), meant);
    }
}

/// AUT-7: the four outcomes by their names, the same in the log and on the wire.
#[test]
fn an_outcome_is_one_of_four() {
    for (outcome, name) in
        [(Outcome::Completed, "completed"), (Outcome::Refused, "refused"), (Outcome::Failed, "failed"), (Outcome::Unknown, "unknown")]
    {
        assert_eq!(outcome.as_str(), name);
        assert_eq!(serde_json::to_value(outcome).unwrap(), name);
    }
}

/// EVT-1: every event has a type of its own, and stands on the stream of the aggregate that folds it.
#[test]
fn each_event_has_its_type_and_its_stream() {
    let all: Vec<Event> = EVERY_EVENT.iter().flat_map(|line| events(line).unwrap()).collect();
    let types: BTreeSet<&str> = all.iter().map(Event::type_name).collect();
    assert_eq!(types.len(), EVERY_EVENT.len());
    for name in ["approval.resolved", "browser.task_grant.created", "browser.task_grant.ended", "tool.call.authorized"] {
        assert!(types.contains(name), "the decision names `{name}`");
    }
    let categories: BTreeSet<&str> = Category::ALL.iter().map(|category| category.as_str()).collect();
    assert_eq!(categories.len(), Category::ALL.len());
    assert!(Category::ALL.iter().all(|category| all.iter().any(|event| event.stream().category == *category)));
}

/// AUT-5: a use stands with the authority that was spent; a standing grant has no stream of its own.
#[test]
fn a_use_stands_on_the_stream_of_its_authority() {
    for (line, category, kind) in [
        ("ToolCallAuthorized by=approval:a1", Category::Approval, "approval"),
        ("ToolCallAuthorized by=grant:g1", Category::TaskGrant, "browser_task_grant"),
        ("ToolCallAuthorized by=standing:t1", Category::ToolCall, "browser_standing_grant"),
    ] {
        let [event] = &events(line).unwrap()[..] else { panic!("one event") };
        let Event::ToolCallAuthorized(used) = event else { panic!("a use") };
        assert_eq!((event.stream().category, used.authority.kind()), (category, kind));
    }
}
