//! Several processes on one database, as two logs that share nothing else.

use super::places::{Place, in_time};
use super::works::{Append, append, assert_contiguous, command, everything, message, open_session, owner, perform, session, tenant, texts};
use eventlog::{Log, Performed, StoreError, WorkError, values};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

const TASKS: u64 = 8;
const ROUNDS: u64 = 10;

fn spawn_writers(tasks: &mut JoinSet<()>, log: &Log) {
    for _ in 0..TASKS {
        let log = log.clone();
        tasks.spawn(async move {
            for _ in 0..ROUNDS {
                append(&log, vec![message(session(), "x")]).await;
            }
        });
    }
}

async fn finish(mut tasks: JoinSet<()>) {
    while let Some(done) = in_time(tasks.join_next()).await {
        done.unwrap();
    }
}

/// EVT-2: two processes with eight writers each hand out one sequence without gaps, and no writer
/// is told that the database is locked.
pub(super) async fn two_logs_share_one_sequence(place: &Place) {
    let (one, two) = (place.open().await, place.open().await);
    let mut tasks = JoinSet::new();
    spawn_writers(&mut tasks, &one);
    spawn_writers(&mut tasks, &two);
    finish(tasks).await;
    let all = everything(&one, &tenant()).await;
    assert_contiguous(&all, 2 * TASKS * ROUNDS);
    assert_eq!(all, everything(&two, &tenant()).await);
}

/// EVT-2: a reader that reads on from its last position while two processes write sees every event
/// exactly once: commit order is position order.
pub(super) async fn a_reader_never_skips_or_repeats(place: &Place) {
    let (one, two, reading) = (place.open().await, place.open().await, place.open().await);
    let mut tasks = JoinSet::new();
    spawn_writers(&mut tasks, &one);
    spawn_writers(&mut tasks, &two);
    let reader = tokio::spawn(async move {
        let mut seen = Vec::new();
        while seen.len() < usize::try_from(2 * TASKS * ROUNDS).unwrap() {
            let after = seen.last().copied().unwrap_or(0);
            let page = reading.read(&tenant(), after, 7).await.unwrap();
            seen.extend(page.iter().map(|event| event.position));
            tokio::task::yield_now().await;
        }
        seen
    });
    finish(tasks).await;
    let seen = in_time(reader).await.unwrap();
    assert_eq!(seen, (1..=2 * TASKS * ROUNDS).collect::<Vec<_>>());
}

/// EVT-2: a follower hears of what another process commits.
pub(super) async fn a_follower_hears_of_another_process(place: &Place) {
    let (here, there) = (place.open().await, place.open().await);
    let mut follower = here.follow(&tenant(), 0);
    let waiting = tokio::spawn(async move { in_time(follower.next()).await.unwrap() });
    append(&there, vec![message(session(), "from there")]).await;
    assert_eq!(texts(&[waiting.await.unwrap()]), ["from there"]);
}

/// EVT-2, API-3: one command that is sent to two processes at once takes effect once, and both
/// answers name the same place.
pub(super) async fn one_command_in_two_processes_takes_effect_once(place: &Place) {
    let logs = [place.open().await, place.open().await];
    let (session, _) = open_session(&logs[0]).await;
    for round in 0..10 {
        let (id, work) = (command(), Arc::new(Append::of(vec![message(session, &round.to_string())])));
        let mut tasks = JoinSet::new();
        for log in logs.iter().cycle().take(6) {
            let (log, work) = (log.clone(), Arc::clone(&work));
            tasks.spawn(async move { log.perform(&tenant(), &owner(), id, &*work).await.unwrap() });
        }
        let answers = tasks.join_all().await;
        let done = answers.iter().filter(|answer| matches!(answer, Performed::Done { .. })).count();
        assert_eq!(done, 1);
        assert!(answers.iter().all(|answer| (answer.first_position(), answer.count()) == (round + 2, 1)));
    }
    assert_contiguous(&everything(&logs[1], &tenant()).await, 11);
}

/// A database that another process keeps locked is a typed error, in about the time that was asked
/// for, and works again afterwards.
pub(super) async fn a_locked_database_is_a_typed_error(place: &Place) {
    let (holder, log) = (place.open().await, place.open_impatient().await);
    let (session, _) = open_session(&holder).await;
    let mut held = holder.begin().await.unwrap();
    held.connection().execute("UPDATE log_head SET position = position WHERE tenant = $1", values!["acme"]).await.unwrap();
    let started = Instant::now();
    let error = perform(&log, &Append::of(vec![message(session, "waits")])).await.unwrap_err();
    assert!(matches!(error, WorkError::Store(StoreError::Busy(_))), "{error:?}");
    assert!(started.elapsed() >= Duration::from_millis(150) && started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
    held.rollback().await.unwrap();
    append(&log, vec![message(session, "goes on")]).await;
    assert_eq!(texts(&everything(&log, &tenant()).await), ["goes on"]);
}

/// EVT-2: on PostgreSQL a foreign transaction that stays open delays neither writers nor readers.
#[tokio::test(flavor = "multi_thread")]
async fn a_foreign_open_transaction_delays_nobody() {
    let place = Place::postgres().await;
    let (foreign, log) = (place.open().await, place.open_impatient().await);
    let mut open = foreign.begin().await.unwrap();
    open.connection().execute("CREATE TABLE unrelated (id BIGINT)", &[]).await.unwrap();
    append(&log, vec![message(session(), "not delayed")]).await;
    assert_eq!(texts(&everything(&log, &tenant()).await), ["not delayed"]);
    open.rollback().await.unwrap();
}
