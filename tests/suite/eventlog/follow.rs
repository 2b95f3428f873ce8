//! Following a log.

use super::places::{Place, in_time, options};
use super::works::{append, assert_contiguous, everything, message, session, tenant, texts};
use eventlog::Options;
use std::time::Duration;
use tokio::task::JoinSet;

/// EVT-2: a follower gets every event once and in order, also those that are appended while it
/// waits; a commit of its own process wakes it, however seldom it looks for itself.
pub(super) async fn a_follower_gets_everything_once_and_in_order(place: &Place) {
    let log = place.open_with(Options { poll_every: Duration::from_secs(3_600), ..options() }).await;
    append(&log, vec![message(session(), "before")]).await;
    let mut follower = log.follow(&tenant(), 0);
    assert_eq!(in_time(follower.next()).await.unwrap().position, 1);
    let following = tokio::spawn(async move {
        let mut seen = Vec::new();
        while seen.len() < 80 {
            seen.push(in_time(follower.next()).await.unwrap());
        }
        assert_eq!(follower.position(), 81);
        seen
    });
    let mut tasks = JoinSet::new();
    for _ in 0..8 {
        let log = log.clone();
        tasks.spawn(async move {
            for _ in 0..5 {
                append(&log, vec![message(session(), "a"), message(session(), "b")]).await;
            }
        });
    }
    while let Some(done) = tasks.join_next().await {
        done.unwrap();
    }
    let mut seen = log.read(&tenant(), 0, 1).await.unwrap();
    seen.extend(following.await.unwrap());
    assert_contiguous(&seen, 81);
}

/// EVT-2: a follower that starts behind a position gets only what follows, and losing a wait loses
/// no event.
pub(super) async fn a_follower_starts_where_it_is_told(place: &Place) {
    let log = place.open().await;
    for text in ["one", "two", "three"] {
        append(&log, vec![message(session(), text)]).await;
    }
    let mut follower = log.follow(&tenant(), 2);
    assert_eq!(texts(&[in_time(follower.next()).await.unwrap()]), ["three"]);
    let given_up = tokio::time::timeout(Duration::from_millis(1), follower.next()).await;
    assert!(given_up.is_err(), "there is no fourth event yet");
    append(&log, vec![message(session(), "four")]).await;
    assert_eq!(texts(&[in_time(follower.next()).await.unwrap()]), ["four"]);
}

async fn turns(count: u32) {
    for _ in 0..count {
        tokio::task::yield_now().await;
    }
}

/// EVT-2: reads and commands that are broken off after any number of steps lose nothing that was
/// recorded, in memory neither, and leave the log in working order.
pub(super) async fn what_is_broken_off_loses_nothing(place: &Place) {
    let (log, tenant) = (place.open().await, tenant());
    append(&log, vec![message(session(), "kept")]).await;
    for count in 0..60 {
        tokio::select! {
            biased;
            read = log.read(&tenant, 0, 10) => assert_eq!(texts(&read.unwrap())[0], "kept"),
            () = turns(count) => {}
        }
        tokio::select! {
            biased;
            _ = append(&log, vec![message(session(), "perhaps")]) => {}
            () = turns(count) => {}
        }
    }
    append(&log, vec![message(session(), "last")]).await;
    let all = everything(&log, &tenant).await;
    assert_contiguous(&all, u64::try_from(all.len()).unwrap());
    let texts = texts(&all);
    assert_eq!((texts.first().unwrap().as_str(), texts.last().unwrap().as_str()), ("kept", "last"));
}
