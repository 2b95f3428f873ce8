//! Commands: versions, positions, all or nothing, once.

use super::places::{Place, in_time, options};
use super::works::{
    Append, Expecting, Then, append, assert_contiguous, command, everything, message, open_session, opened, owner, perform, session,
    tenant, texts,
};
use domain::decide::Refusal;
use domain::decide::session::Session;
use domain::event::session_stream;
use domain::id::{SessionId, TenantId};
use domain::time::Timestamp;
use eventlog::limits::{PAYLOAD_BYTES_MAX, PERFORM_ATTEMPTS_MAX};
use eventlog::{Clock, Options, Performed, StoreError, Unit, Work, WorkError, async_trait};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU32, Ordering};
use tokio::sync::Notify;
use tokio::task::JoinSet;

/// EVT-2: an append with a version that is not the stream's is refused with both versions.
pub(super) async fn a_stale_version_is_a_typed_conflict(place: &Place) {
    let log = place.open().await;
    let (session, stream) = open_session(&log).await;
    let late = Expecting { stream, version: 0, events: vec![message(session, "late")] };
    let error = perform(&log, &late).await.unwrap_err();
    assert!(
        matches!(error, WorkError::Store(StoreError::VersionConflict { stream: found, expected: 0, actual: 1 }) if found == stream),
        "{error:?}"
    );
    let early = Expecting { stream, version: 2, events: vec![message(session, "early")] };
    let error = perform(&log, &early).await.unwrap_err();
    assert!(matches!(error, WorkError::Store(StoreError::VersionConflict { expected: 2, actual: 1, .. })), "{error:?}");
    let right = Expecting { stream, version: 1, events: vec![message(session, "right")] };
    assert_eq!(perform(&log, &right).await.unwrap().first_position(), 2);
    assert_eq!(texts(&everything(&log, &tenant()).await), ["right"]);

    let elsewhere = Expecting { stream, version: 2, events: vec![message(super::works::session(), "elsewhere")] };
    let error = perform(&log, &elsewhere).await.unwrap_err();
    assert!(matches!(error, WorkError::Store(StoreError::WrongStream { named, .. }) if named == stream), "{error:?}");
}

struct Blind(SessionId);

#[async_trait]
impl Work for Blind {
    type Output = ();

    async fn run(&self, unit: &mut Unit<'_>) -> Result<(), WorkError> {
        unit.append(vec![message(self.0, "blind")]).await?;
        Ok(())
    }
}

/// EVT-2: nobody appends to a history that they have not read.
pub(super) async fn a_stream_that_was_not_looked_at_must_be_new(place: &Place) {
    let log = place.open().await;
    let (session, _) = open_session(&log).await;
    let error = perform(&log, &Blind(session)).await.unwrap_err();
    assert!(matches!(error, WorkError::Store(StoreError::VersionConflict { expected: 0, actual: 1, .. })), "{error:?}");
    assert_eq!(log.head(&tenant()).await.unwrap(), 1);
}

/// EVT-2: what sixteen tasks append at once has positions without gaps, and every answer names the
/// place where its events are.
pub(super) async fn positions_are_contiguous_under_concurrent_tasks(place: &Place) {
    let log = place.open().await;
    let mut tasks = JoinSet::new();
    for task in 0..16 {
        let log = log.clone();
        tasks.spawn(async move {
            let (session, _) = open_session(&log).await;
            for round in 0..10 {
                let text = format!("{task}/{round}");
                let done = perform(&log, &Append::of(vec![message(session, &text), message(session, &text)])).await.unwrap();
                let found = log.read(&tenant(), done.first_position() - 1, 2).await.unwrap();
                assert_eq!(texts(&found), [text.clone(), text]);
                assert_eq!(found, done.output().unwrap());
            }
        });
    }
    while let Some(done) = tasks.join_next().await {
        done.unwrap();
    }
    let all = everything(&log, &tenant()).await;
    assert_contiguous(&all, 16 * 21);
    assert!(all.is_sorted_by_key(|recorded| recorded.recorded_at));
    assert_eq!(log.head(&tenant()).await.unwrap(), 16 * 21);
}

/// EVT-2: refused work leaves no event, no head, no command: it may be sent again and succeed.
pub(super) async fn a_refusal_leaves_nothing(place: &Place) {
    let log = place.open().await;
    let id = command();
    let session = session();
    let refused = Append::of(vec![opened(session), message(session, "no")]).then(Then::Refuse);
    let error = log.perform(&tenant(), &owner(), id, &refused).await.unwrap_err();
    assert!(matches!(error, WorkError::Refused(Refusal::RunEnded)), "{error:?}");
    assert_eq!(refused.runs.load(Ordering::Relaxed), 1, "a refusal is an answer and is not tried again");
    assert_eq!(log.tenants().await.unwrap(), []);
    assert_eq!(everything(&log, &tenant()).await, []);
    let done = log.perform(&tenant(), &owner(), id, &Append::of(vec![opened(session)])).await.unwrap();
    assert_eq!((done.first_position(), done.count()), (1, 1));
}

/// EVT-2: units that fail between units that succeed leave no hole behind.
pub(super) async fn a_failure_leaves_no_hole(place: &Place) {
    let log = place.open().await;
    let (session, stream) = open_session(&log).await;
    for round in 0..5 {
        let failing = Append::of(vec![message(session, "lost"), message(session, "lost")]).then(Then::Fail);
        let error = perform(&log, &failing).await.unwrap_err();
        assert!(matches!(error, WorkError::Store(StoreError::Projection { .. })), "{error:?}");
        append(&log, vec![message(session, &round.to_string())]).await;
    }
    let all = everything(&log, &tenant()).await;
    assert_contiguous(&all, 6);
    assert_eq!(texts(&all), ["0", "1", "2", "3", "4"]);
    let versions: Vec<u64> = log.read_stream(&tenant(), stream, 0, 100).await.unwrap().iter().map(|event| event.version).collect();
    assert_eq!(versions, [1, 2, 3, 4, 5, 6]);
}

/// EVT-2, API-3: a command id takes effect once; sent again it is answered from the record and the
/// work is not run, even when it did nothing the first time.
pub(super) async fn a_command_takes_effect_once(place: &Place) {
    let log = place.open().await;
    let session = session();
    let work = Append::of(vec![opened(session), message(session, "once")]);
    let id = command();
    let first = log.perform(&tenant(), &owner(), id, &work).await.unwrap();
    assert!(matches!(first, Performed::Done { first_position: 1, count: 2, .. }));
    let again = log.perform(&tenant(), &owner(), id, &work).await.unwrap();
    assert!(matches!(again, Performed::Already { first_position: 1, count: 2 }));
    assert_eq!(work.runs.load(Ordering::Relaxed), 1);

    let nothing = Append::of(Vec::new());
    let id = command();
    let first = log.perform(&tenant(), &owner(), id, &nothing).await.unwrap();
    assert_eq!((first.first_position(), first.count()), (3, 0));
    let again = log.perform(&tenant(), &owner(), id, &nothing).await.unwrap();
    assert!(matches!(again, Performed::Already { first_position: 3, count: 0 }));
    assert_contiguous(&everything(&log, &tenant()).await, 2);
}

struct Swallowing(SessionId, SessionId);

#[async_trait]
impl Work for Swallowing {
    type Output = ();

    async fn run(&self, unit: &mut Unit<'_>) -> Result<(), WorkError> {
        unit.append(vec![opened(self.0)]).await?;
        assert!(unit.append(vec![message(self.1, "unseen")]).await.is_err(), "the other session exists");
        Ok(())
    }
}

/// EVT-2: half of a decision is never recorded, even by work that ignores an error.
pub(super) async fn an_error_that_work_swallows_still_undoes_it(place: &Place) {
    let log = place.open().await;
    let (existing, _) = open_session(&log).await;
    let error = perform(&log, &Swallowing(session(), existing)).await.unwrap_err();
    assert!(matches!(error, WorkError::Store(StoreError::Broken)), "{error:?}");
    assert_contiguous(&everything(&log, &tenant()).await, 1);
}

struct Twice(SessionId);

#[async_trait]
impl Work for Twice {
    type Output = (Session, u64);

    async fn run(&self, unit: &mut Unit<'_>) -> Result<Self::Output, WorkError> {
        let stream = session_stream(self.0);
        assert_eq!(unit.load::<Session>(stream).await?, Session::Unknown);
        unit.append(vec![opened(self.0)]).await?;
        unit.append(vec![message(self.0, "hello")]).await?;
        Ok((unit.load(stream).await?, unit.version(stream).await?))
    }
}

/// EVT-1: state is folded from the log, including what the same unit appended before.
pub(super) async fn work_sees_what_it_appended(place: &Place) {
    let log = place.open().await;
    let (state, version) = perform(&log, &Twice(session())).await.unwrap().output().unwrap();
    assert!(matches!(state, Session::Open(open) if open.owner_wrote_last));
    assert_eq!(version, 2);
}

/// Gives way to somebody else as often as it is told, then appends.
struct GivingWay {
    times: u32,
    runs: AtomicU32,
}

#[async_trait]
impl Work for GivingWay {
    type Output = ();

    async fn run(&self, unit: &mut Unit<'_>) -> Result<(), WorkError> {
        unit.append(vec![message(session(), "at last")]).await?;
        if self.runs.fetch_add(1, Ordering::Relaxed) < self.times {
            return Err(StoreError::GaveWay("to a test".to_owned()).into());
        }
        Ok(())
    }
}

/// EVT-2: work that loses to another transaction is run again from the start, a bounded number of
/// times, and only the run that succeeds is recorded.
pub(super) async fn work_that_gives_way_is_run_again(place: &Place) {
    let log = place.open().await;
    let once_less = GivingWay { times: PERFORM_ATTEMPTS_MAX - 1, runs: AtomicU32::new(0) };
    assert_eq!(perform(&log, &once_less).await.unwrap().count(), 1);
    assert_eq!(once_less.runs.load(Ordering::Relaxed), PERFORM_ATTEMPTS_MAX);
    let always = GivingWay { times: u32::MAX, runs: AtomicU32::new(0) };
    let error = perform(&log, &always).await.unwrap_err();
    assert!(matches!(error, WorkError::Store(StoreError::GaveWay(_))), "{error:?}");
    assert_eq!(always.runs.load(Ordering::Relaxed), PERFORM_ATTEMPTS_MAX);
    assert_eq!(texts(&everything(&log, &tenant()).await), ["at last"]);
}

/// Appends, says so, and never ends.
struct Endless(Notify);

#[async_trait]
impl Work for Endless {
    type Output = ();

    async fn run(&self, unit: &mut Unit<'_>) -> Result<(), WorkError> {
        unit.append(vec![message(session(), "unfinished")]).await?;
        self.0.notify_one();
        std::future::pending().await
    }
}

/// EVT-2: a caller that goes away in the middle of a command takes the command back, and the
/// connection serves the next one.
pub(super) async fn a_dropped_command_leaves_nothing(place: &Place) {
    let log = place.open_with(Options { writers_max: 1, ..options() }).await;
    for round in 1..=3 {
        let endless = Endless(Notify::new());
        tokio::select! {
            _ = perform(&log, &endless) => panic!("it never ends"),
            () = in_time(endless.0.notified()) => {}
        }
        append(&log, vec![message(session(), &round.to_string())]).await;
    }
    let all = everything(&log, &tenant()).await;
    assert_eq!(texts(&all), ["1", "2", "3"]);
    assert_contiguous(&all, 3);
}

/// EVT-2: positions are per tenant, each from 1, and no tenant reads another's events.
pub(super) async fn tenants_have_logs_of_their_own(place: &Place) {
    let log = place.open().await;
    let [one, two]: [TenantId; 2] = ["one".parse().unwrap(), "two".parse().unwrap()];
    let session = session();
    for tenant in [&one, &two, &one] {
        let text = tenant.as_str();
        log.perform(tenant, &owner(), command(), &Append::of(vec![message(session, text)])).await.unwrap();
    }
    assert_eq!(log.tenants().await.unwrap(), [one.clone(), two.clone()]);
    assert_eq!(texts(&everything(&log, &one).await), ["one", "one"]);
    assert_eq!(texts(&everything(&log, &two).await), ["two"]);
    assert_contiguous(&everything(&log, &one).await, 2);
    assert_eq!(log.read_stream(&two, session_stream(session), 0, 10).await.unwrap().len(), 1);
}

struct SetClock(AtomicI64);

impl Clock for SetClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_micros(self.0.load(Ordering::Relaxed))
    }
}

struct TellTime;

#[async_trait]
impl Work for TellTime {
    type Output = Timestamp;

    async fn run(&self, unit: &mut Unit<'_>) -> Result<Timestamp, WorkError> {
        assert_eq!(unit.facts().now, unit.now());
        assert_eq!(unit.facts().actor, owner());
        Ok(unit.now())
    }
}

/// GRA-13, EVT-2: with a clock that is set back, the time of the log stands still: `recorded_at`
/// never decreases, and no grant becomes younger.
pub(super) async fn time_never_runs_backwards(place: &Place) {
    let clock = Arc::new(SetClock(AtomicI64::new(1_000)));
    let log = place.open_with(Options { clock: clock.clone(), ..options() }).await;
    for reading in [1_000, 3_000, 2_000, 500, 3_001] {
        clock.0.store(reading, Ordering::Relaxed);
        append(&log, vec![message(session(), &reading.to_string())]).await;
    }
    let times: Vec<i64> = everything(&log, &tenant()).await.iter().map(|event| event.recorded_at.as_micros()).collect();
    assert_eq!(times, [1_000, 3_000, 3_000, 3_000, 3_001]);
    clock.0.store(7, Ordering::Relaxed);
    assert_eq!(perform(&log, &TellTime).await.unwrap().output(), Some(Timestamp::from_micros(3_001)));
}

/// EVT-2: an event above the published size is refused in its own words and leaves nothing; the
/// largest one that fits is kept.
pub(super) async fn size_is_checked_before_anything_is_written(place: &Place) {
    let log = place.open().await;
    let session = session();
    // One tag and one length byte each for the session and the author, whose name has five letters;
    // one tag and four length bytes for the text.
    let around = (2 + 16) + (2 + 5) + (1 + 4);
    let fitting = message(session, &"x".repeat(PAYLOAD_BYTES_MAX - around));
    assert_eq!(eventlog::codec::encode(&fitting).payload.len(), PAYLOAD_BYTES_MAX);
    let larger = message(session, &"x".repeat(PAYLOAD_BYTES_MAX - around + 1));
    let error = perform(&log, &Append::of(vec![opened(session), larger])).await.unwrap_err();
    assert!(matches!(error, WorkError::Store(StoreError::TooLarge { bytes }) if bytes == PAYLOAD_BYTES_MAX + 1), "{error:?}");
    assert_eq!(log.head(&tenant()).await.unwrap(), 0);
    append(&log, vec![fitting.clone()]).await;
    assert_eq!(everything(&log, &tenant()).await[0].event, fitting);
}
