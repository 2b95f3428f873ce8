//! Random histories of one session: grants, questions, sign-ins, other tools, changing settings and a
//! clock that goes both ways, each step compared with the model, and the whole log judged at the end.

use crate::machine::Machine;
use crate::model::{From, Model, Use};
use domain::decide::task_grant::EndReason;
use domain::event::{Authority, Event};
use domain::id::TaskGrantId;
use domain::time::Timestamp;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// One step.
#[derive(Clone, Debug)]
enum Step {
    Clock(i64),
    Ask,
    AllowForTask { owner: bool, repeats: bool },
    AllowOnce,
    Deny,
    Use { from: From, characters: u32, times: u32 },
    Stop,
    Sweep,
    BeginSignIn { tells_grants: bool },
    CompleteSignIn { tells_grants: bool },
    RevokeProfile { tells_grants: bool },
    OwnerWrites,
    AgentWrites,
    OtherTool,
    NextRun,
    Flag(bool),
    Scope(bool),
    Agent(u8),
    Policy(u8),
}

fn step() -> impl Strategy<Value = Step> {
    let from = prop_oneof![12 => Just(From::Here), 1 => Just(From::Child), 1 => Just(From::Elsewhere)];
    let characters = prop_oneof![2 => Just(0_u32), 2 => 1..=256_u32, 1 => Just(256_u32)];
    let seconds = prop_oneof![6 => 0..=240_i64, 2 => 240..=1_860_i64, 1 => -1_200..=-1_i64, 1 => Just(1_800_i64)];
    prop_oneof![
        10 => seconds.prop_map(|seconds| Step::Clock(seconds * 1_000_000)),
        6 => Just(Step::Ask),
        10 => (prop::bool::weighted(0.9), prop::bool::weighted(0.9)).prop_map(|(owner, repeats)| Step::AllowForTask { owner, repeats }),
        1 => Just(Step::AllowOnce),
        1 => Just(Step::Deny),
        24 => (from, characters, 1..=70_u32).prop_map(|(from, characters, times)| Step::Use { from, characters, times }),
        1 => Just(Step::Stop),
        1 => Just(Step::Sweep),
        1 => any::<bool>().prop_map(|tells_grants| Step::BeginSignIn { tells_grants }),
        3 => any::<bool>().prop_map(|tells_grants| Step::CompleteSignIn { tells_grants }),
        1 => prop::bool::weighted(0.5).prop_map(|tells_grants| Step::RevokeProfile { tells_grants }),
        6 => Just(Step::OwnerWrites),
        1 => Just(Step::AgentWrites),
        1 => Just(Step::OtherTool),
        1 => Just(Step::NextRun),
        2 => prop::bool::weighted(0.7).prop_map(Step::Flag),
        2 => prop::bool::weighted(0.7).prop_map(Step::Scope),
        1 => (0..2_u8).prop_map(Step::Agent),
        1 => (0..2_u8).prop_map(Step::Policy),
    ]
}

/// Does one step on both; says where they differ.
fn both(machine: &mut Machine, model: &mut Model, step: &Step) -> Result<(), TestCaseError> {
    match *step {
        Step::Clock(by) => {
            model.now += by;
            machine.now = Timestamp::from_micros(model.now);
        }
        Step::Ask => (machine.asks(), model.asks()).1,
        Step::AllowForTask { owner, repeats } => {
            prop_assert_eq!(machine.answers_for_task(owner, repeats), model.answers_for_task(owner, repeats));
        }
        Step::AllowOnce => prop_assert_eq!(machine.answers_once(true), model.answers_once()),
        Step::Deny => prop_assert_eq!(machine.answers_once(false), model.answers_once()),
        Step::Use { from, characters, times } => {
            for _ in 0..times {
                let (came, meant) = (machine.uses(from, characters), model.uses(from, characters));
                prop_assert_eq!(came, meant);
                if !matches!(came, Use::Used(..)) {
                    break;
                }
            }
        }
        Step::Stop => (machine.ends(EndReason::Revoked), model.end("revoked")).1,
        Step::Sweep => (machine.sweeps(), model.sweep()).1,
        Step::BeginSignIn { tells_grants } => (machine.begins_sign_in(tells_grants), model.begins_sign_in(tells_grants)).1,
        Step::CompleteSignIn { tells_grants } => (machine.completes_sign_in(tells_grants), model.completes_sign_in(tells_grants)).1,
        Step::RevokeProfile { tells_grants } => (machine.revokes_profile(tells_grants), model.revokes_profile(tells_grants)).1,
        Step::OwnerWrites => (machine.writes(true), model.owner_writes()).1,
        Step::AgentWrites => machine.writes(false),
        Step::OtherTool => (machine.uses_tool("mail.read"), model.leaves_browser()).1,
        Step::NextRun => (machine.next_run(), model.next_run()).1,
        Step::Flag(on) => (machine.flag, model.flag) = (on, on),
        Step::Scope(on) => (machine.scope, model.scope) = (on, on),
        Step::Agent(version) => (machine.agent, model.agent) = (version, version),
        Step::Policy(version) => (machine.policy, model.policy) = (version, version),
    }
    let meant: Vec<_> = model.grants.iter().map(|grant| (grant.uses, grant.characters, grant.ended)).collect();
    prop_assert_eq!(machine.grants(), meant);
    prop_assert!(machine.active_count() <= 1, "GRA-4: more than one active grant");
    prop_assert!(machine.generation().is_none_or(|generation| generation == model.generation));
    Ok(())
}

/// What a log says of one grant.
#[derive(Default)]
struct Life {
    created: Option<Timestamp>,
    uses: u32,
    characters: u32,
    ended: Option<EndReason>,
}

/// Judges the log alone, without model or fold: GRA-4 to GRA-8, OFF-2.
fn judge(log: &[(Timestamp, Event)]) -> Result<BTreeSet<&'static str>, TestCaseError> {
    let mut lives: BTreeMap<TaskGrantId, Life> = BTreeMap::new();
    let (mut promised, mut reached) = (BTreeSet::new(), BTreeSet::new());
    for (at, event) in log {
        match event {
            Event::ApprovalResolved(e) => {
                prop_assert_eq!(e.resolution.as_str() == "approve_for_task", e.task_grant.is_some());
                promised.extend(e.task_grant);
            }
            Event::TaskGrantCreated(e) => {
                prop_assert!(promised.remove(&e.task_grant), "OFF-3: a grant that no answer made");
                prop_assert!(lives.values().all(|life| life.ended.is_some()), "GRA-4: created beside an active one");
                lives.entry(e.task_grant).or_default().created = Some(*at);
            }
            Event::ToolCallAuthorized(e) => {
                let Authority::TaskGrant(grant) = e.authority else { continue };
                let life = lives.get_mut(&grant).ok_or(TestCaseError::fail("a use of no grant"))?;
                life.uses += 1;
                life.characters += e.typed_characters;
                let from = life.created.ok_or(TestCaseError::fail("a use before the creation"))?;
                prop_assert!(life.ended.is_none(), "GRA-8: a use after the end");
                prop_assert!(life.uses <= 200 && life.characters <= 4_096, "GRA-5: beyond the caps");
                prop_assert_eq!(e.use_ordinal, life.uses, "GRA-7: the ordinal is the count");
                prop_assert!(from <= *at && *at < from.plus_seconds(1_800), "GRA-13: a use outside the time box");
                if life.characters == 4_096 {
                    reached.insert("every character");
                }
            }
            Event::TaskGrantEnded(e) => {
                let life = lives.get_mut(&e.task_grant).ok_or(TestCaseError::fail("an end of no grant"))?;
                prop_assert!(life.ended.is_none(), "GRA-8: ended twice");
                prop_assert!(e.reason != EndReason::Exhausted || life.uses == 200);
                life.ended = Some(e.reason);
                reached.insert(e.reason.as_str());
            }
            _ => {}
        }
    }
    prop_assert!(promised.is_empty(), "OFF-2: an answer without its grant");
    Ok(reached)
}

fn play(steps: &[Step]) -> Result<BTreeSet<&'static str>, TestCaseError> {
    let start = 36_000_000_000;
    let (mut machine, mut model) = (Machine::new(Timestamp::from_micros(start)), Model::new(start));
    for step in [Step::OwnerWrites, Step::Ask, Step::AllowForTask { owner: true, repeats: true }].iter().chain(steps) {
        both(&mut machine, &mut model, step)?;
    }
    judge(&machine.log)
}

/// GRA-4 to GRA-8, GRA-11, GRA-13, OFF-2, OFF-3, OFF-5: whatever happens in whatever order, the product
/// and the model agree at every step, and the log keeps its promises.
#[test]
fn random_histories_agree_with_the_model() {
    let config = Config { cases: 256, failure_persistence: None, ..Config::default() };
    let outcome = TestRunner::new(config).run(&prop::collection::vec(step(), 1..80), |steps| play(&steps).map(drop));
    outcome.unwrap_or_else(|failure| panic!("{failure}"));
}

/// The random histories are worth something: a fixed set of them meets every way in which a grant can
/// end, and the last character.
#[test]
fn histories_reach_every_end() {
    let config = Config { cases: 256, failure_persistence: None, ..Config::default() };
    let rng = proptest::test_runner::TestRng::deterministic_rng(config.rng_algorithm);
    let reached = RefCell::new(BTreeSet::new());
    let outcome = TestRunner::new_with_rng(config, rng).run(&prop::collection::vec(step(), 1..80), |steps| {
        reached.borrow_mut().extend(play(&steps)?);
        Ok(())
    });
    outcome.unwrap_or_else(|failure| panic!("{failure}"));
    let meant: BTreeSet<&str> = EndReason::ALL.iter().map(|reason| reason.as_str()).chain(["every character"]).collect();
    assert_eq!(reached.into_inner(), meant);
}
