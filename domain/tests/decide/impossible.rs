//! Histories that make no sense: any events in any order on one stream. No fold panics, quarantine is
//! for good, and in quarantine every rule refuses.

use crate::vocabulary::EVERY_EVENT;
use crate::words::{id, time};
use crate::written::{events, person};
use domain::browser::Outcome;
use domain::decide::answer::resolve_once;
use domain::decide::approval::{Approval, Resolution};
use domain::decide::profile::{Profile, SignInKind};
use domain::decide::run::Run;
use domain::decide::session::Session;
use domain::decide::task_grant::{EndReason, TaskGrant};
use domain::decide::tool_call::ToolCall;
use domain::decide::{Aggregate, Facts, Refusal};
use domain::event::{Actor, Event};
use domain::id::{SignInId, TaskGrantId};
use proptest::prelude::*;

/// Events of two of everything, so that the wrong id is among them.
fn any_event() -> impl Strategy<Value = Event> {
    let others = [
        "MessageReceived author=agent",
        "MessageReceived session=s2",
        "RunStarted run=r2 kind=child parent=r1",
        "RunEnded run=r2",
        "ToolCallAuthorized by=approval:a1",
        "ToolCallAuthorized by=standing:t1",
        "ToolCallAuthorized by=grant:g2",
        "ToolCallAuthorized ordinal=2",
        "ToolCallAuthorized chars=4294967295",
        "ToolCallFinished call=c2 outcome=unknown",
        "ApprovalResolved approval=a2",
        "ApprovalResolved resolution=approve_for_task",
        "ApprovalResolved resolution=deny",
        "TaskGrantEnded grant=g2",
        "SignInBegan sign_in=n2",
        "SignInReady sign_in=n2",
        "SignInBegan profile=p2",
    ];
    let lines: Vec<&str> = EVERY_EVENT.into_iter().chain(others).collect();
    prop::sample::select(lines).prop_map(|line| events(line).unwrap().remove(0))
}

/// Folds a history; once quarantined, it must stay so.
fn fold<A: Aggregate + Clone + PartialEq>(history: &[Event], quarantined: &A) -> A {
    history.iter().fold(A::initial(), |state, event| {
        let was = state == *quarantined;
        let next = state.evolve(event);
        assert!(!was || next == *quarantined, "quarantine ended with {event:?}");
        next
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    /// The fold is total and quarantine is final, for every aggregate.
    #[test]
    fn any_history_folds(history in prop::collection::vec(any_event(), 0..24)) {
        fold(&history, &Session::Quarantined);
        fold(&history, &Run::Quarantined);
        fold(&history, &ToolCall::Quarantined);
        fold(&history, &Approval::Quarantined);
        fold(&history, &TaskGrant::Quarantined);
        fold(&history, &Profile::Quarantined);
    }

    /// One event of another stream is enough to quarantine whatever is in use.
    #[test]
    fn a_foreign_event_quarantines(event in any_event()) {
        let begun = |line: &str| events(line).unwrap().remove(0);
        let foreign = |own: &Event| own.stream() != event.stream();
        for first in ["SessionOpened", "RunStarted", "ToolCallRequested", "ApprovalRequested", "TaskGrantCreated", "ProfileCreated"].map(begun) {
            if !foreign(&first) {
                continue;
            }
            let both = [first.clone(), event.clone()];
            let caught = match first {
                Event::SessionOpened(_) => Session::fold(&both) == Session::Quarantined,
                Event::RunStarted(_) => Run::fold(&both) == Run::Quarantined,
                Event::ToolCallRequested(_) => ToolCall::fold(&both) == ToolCall::Quarantined,
                Event::ApprovalRequested(_) => Approval::fold(&both) == Approval::Quarantined,
                Event::TaskGrantCreated(_) => TaskGrant::fold(&both) == TaskGrant::Quarantined,
                _ => Profile::fold(&both) == Profile::Quarantined,
            };
            prop_assert!(caught, "{both:?}");
        }
    }
}

/// In quarantine nothing is decided but "no".
#[test]
fn quarantine_refuses_everything() {
    let (now, olga) = (time("10:00").unwrap(), person("olga").unwrap());
    let facts = Facts { now, actor: Actor::Owner(olga.clone()) };
    let no = Err(Refusal::Quarantined);
    assert_eq!(Session::Quarantined.open_for(&olga).map(drop), Err(Refusal::Quarantined));
    assert_eq!(Run::Quarantined.active().map(drop), Err(Refusal::Quarantined));
    assert_eq!(Run::Quarantined.end(), no);
    assert_eq!(ToolCall::Quarantined.dispatch(), no);
    assert_eq!(ToolCall::Quarantined.finish(Outcome::Refused, String::new(), Vec::new()), no);
    for resolution in Resolution::ALL {
        assert_eq!(resolve_once(&facts, &Approval::Quarantined, *resolution), no);
        assert_eq!(Approval::Quarantined.resolve(now, *resolution, Some(TaskGrantId::from_uuid(id("g1")))), no);
        assert!(Approval::Quarantined.late_answer(now, *resolution).is_empty());
    }
    assert!(Approval::Quarantined.lapse(now).is_empty() && Approval::Quarantined.cancel().is_empty());
    assert!(!Approval::Quarantined.is_approved());
    assert!(TaskGrant::Quarantined.active().is_none());
    assert!(EndReason::ALL.iter().all(|reason| TaskGrant::Quarantined.end(now, *reason).is_empty()));
    assert!(TaskGrant::Quarantined.sweep(now).is_empty());
    let sign_in = SignInId::from_uuid(id("n1"));
    assert_eq!(Profile::Quarantined.begin_sign_in(&olga, sign_in, SignInKind::Remote), no);
    assert_eq!(Profile::Quarantined.complete_sign_in(&olga, sign_in), no);
    assert_eq!(Profile::Quarantined.revoke(&olga), no);
    assert_eq!(Profile::Quarantined.delete(&olga), no);
}
