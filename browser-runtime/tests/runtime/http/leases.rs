//! Leases and their sequence, on real Chromium.

use super::plane::{LIMIT, Plane, Stage, click, processes_of, reference, until, with};
use serde_json::json;

const PAGE: &str =
    r#"<button onclick="fetch('/lesson/went')">Go on</button><a href="STRANGER/x">Away</a><a href="/lesson/2">Next page</a>"#;

/// RUN-2: an applied sequence is 409 whatever comes with it, a gap is 409, a malformed constraint is
/// 400, and none of them presses anything; a refusal leaves the sequence free.
#[tokio::test]
async fn the_sequence_is_strict() {
    let (plane, stage) = (Plane::start().await, Stage::set(PAGE).await);
    let lease = plane.lease(stage.terms()).await;
    assert_eq!(lease.navigate(1, &stage.url()).await.told(), ("completed", "completed"));
    let observed = lease.observe(2).await;
    let act = click(3, &observed, "Go on");
    for sequence in [0, 1, 2, 4, u64::MAX] {
        let code = if sequence < 3 { "tool.browser.sequence_applied" } else { "tool.browser.sequence_gap" };
        for body in [act.clone(), with(act.clone(), "constraint", stage.constraint())] {
            let answer = lease.command("act", with(body, "sequence", json!(sequence))).await;
            assert_eq!((answer.status, answer.says("code"), &answer.body["sequence"]), (409, code, &json!(2)), "{}", answer.text);
        }
        assert_eq!(lease.navigate(sequence, "https://127.0.0.1:1/").await.status, 409);
        assert_eq!(lease.command("observe", json!({ "sequence": sequence })).await.status, 409);
    }
    let bad = with(stage.constraint(), "text_cap", json!(1));
    assert_eq!(lease.command("act", with(act.clone(), "constraint", bad)).await.status, 400);
    let refused = lease.navigate(3, &format!("{}/x", stage.stranger.origin())).await;
    assert_eq!(refused.told(), ("refused", "origin_not_allowed"));
    assert_eq!(refused.body["sequence"], 2);
    assert_eq!(stage.site.count("/lesson/went"), 0, "something was dispatched");

    let done = lease.command("act", act.clone()).await;
    assert_eq!(done.told(), ("completed", "completed"), "{}", done.text);
    assert_eq!(done.body["sequence"], 3);
    assert!(stage.site.was_asked("/lesson/went", LIMIT).await);
    for body in [act.clone(), with(act.clone(), "constraint", stage.constraint())] {
        assert_eq!(lease.command("act", body).await.status, 409);
    }
    // The act may have had effect, so its own revision is void now.
    assert_eq!(lease.command("act", with(act, "sequence", json!(4))).await.told(), ("refused", "stale_revision"));
    assert_eq!(stage.site.count("/lesson/went"), 1, "a replay was dispatched");
    plane.end().await;
}

/// RUN-11: documents stay on the lease's origins, with no grant behind the act: by address, by
/// redirect, by link. The link that stays works.
#[tokio::test]
async fn documents_stay_on_the_allowed_origins() {
    let (plane, stage) = (Plane::start().await, Stage::set(PAGE).await);
    let lease = plane.lease(stage.terms()).await;
    let origin = stage.site.origin();
    for url in
        [stage.stranger.origin(), "about:blank".to_owned(), "javascript:0".to_owned(), "file:///etc/passwd".to_owned(), "x".to_owned()]
    {
        assert_eq!(lease.navigate(1, &url).await.told(), ("refused", "origin_not_allowed"), "{url}");
    }
    assert_eq!(lease.navigate(1, &format!("{origin}/lesson/away")).await.told(), ("failed", "navigation_refused"));
    assert_eq!(lease.navigate(2, &stage.url()).await.told(), ("completed", "completed"));
    let away = lease.command("act", click(4, &lease.observe(3).await, "Away")).await;
    assert_eq!(away.told(), ("unknown", "fence_refused"));
    assert!(stage.stranger.seen().is_empty(), "{:?}", stage.stranger.seen());

    assert_eq!(lease.navigate(5, &stage.url()).await.told(), ("completed", "completed"));
    let next = lease.command("act", click(7, &lease.observe(6).await, "Next page")).await;
    assert_eq!(next.told(), ("completed", "completed"));
    assert_eq!(next.body["page"]["path"], "/lesson/2");
    plane.end().await;
}

/// RUN-2: a navigation that completed has its document in place: what is observed next is never the
/// page before, however busy that one was.
#[tokio::test]
async fn a_completed_navigation_shows_its_page() {
    let (plane, stage) = (Plane::start().await, Stage::set(PAGE).await);
    let lease = plane.lease(stage.terms()).await;
    assert_eq!(lease.navigate(1, &stage.url()).await.told(), ("completed", "completed"));
    for round in 1..5 {
        stage.order("setTimeout(() => { for (const end = performance.now() + 400; performance.now() < end;); })").await;
        let there = lease.navigate(2 * round, &format!("{}/lesson/2", stage.site.origin())).await;
        assert_eq!((there.told().0, &there.body["page"]["path"]), ("completed", &json!("/lesson/2")), "{}", there.text);
        let back = lease.navigate(2 * round + 1, &stage.url()).await;
        assert_eq!((back.told().0, &back.body["page"]["path"]), ("completed", &json!("/lesson/1")), "{}", back.text);
    }
    plane.end().await;
}

/// RUN-2: a site that takes the connection and never answers gives no completed navigation.
#[tokio::test]
async fn a_site_that_never_answers_is_not_reached() {
    let (plane, stage) = (Plane::start().await, Stage::set(PAGE).await);
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let origin = format!("https://{}", silent.local_addr().unwrap());
    let lease = plane.lease(with(stage.terms(), "allowed_origins", json!([origin]))).await;
    let answer = lease.navigate(1, &format!("{origin}/")).await;
    assert_eq!(answer.told(), ("unknown", "navigation_unconfirmed"), "{}", answer.text);
    plane.end().await;
}

/// RUN-7: a reference of an older revision, of another lease or of nowhere presses nothing.
#[tokio::test]
async fn references_belong_to_one_revision_of_one_lease() {
    let (plane, stage) = (Plane::start().await, Stage::set(PAGE).await);
    let (lease, other) = (plane.lease(stage.terms()).await, plane.lease(stage.terms()).await);
    for lease in [&lease, &other] {
        assert_eq!(lease.navigate(1, &stage.url()).await.told().0, "completed");
    }
    let (old, foreign) = (lease.observe(2).await, other.observe(2).await);
    lease.observe(3).await;
    assert_eq!(lease.command("act", click(4, &old, "Go on")).await.told(), ("refused", "stale_revision"));
    lease.observe(4).await;
    assert_eq!(lease.command("act", click(5, &foreign, "Go on")).await.told(), ("refused", "stale_revision"));
    for (sequence, source) in [(5, &old), (6, &foreign)] {
        let newest = lease.observe(sequence).await;
        let mixed = with(click(sequence + 1, &newest, "Go on"), "element_ref", json!(reference(source, "Go on")));
        assert_eq!(lease.command("act", mixed).await.told(), ("refused", "stale_element"));
    }
    assert_eq!(stage.site.count("/lesson/went"), 0);
    plane.end().await;
}

/// RUN-2: unknown, deleted and expired leases are 404 alike; a profile is one lease's at a time; and
/// with a lease go its browser, its driver and its directory.
#[tokio::test]
async fn a_lease_that_ends_leaves_nothing() {
    let (plane, stage) = (Plane::start().await, Stage::set(PAGE).await);
    for id in ["00000000-0000-7000-8000-00000000dead", "x", "..%2f..", "%00"] {
        let answer = plane.post(&format!("/v1/leases/{id}/observe"), json!({ "sequence": 1 })).await;
        assert_eq!((answer.status, answer.says("code")), (404, "tool.browser.unknown_lease"), "{id}: {}", answer.text);
        assert_eq!(plane.send("DELETE", &format!("/v1/leases/{id}"), "").await.status, 404);
    }
    let profile = json!({ "id": "00000000-0000-7000-8000-0000000000aa", "generation": 1 });
    let lease = plane.lease(with(stage.terms(), "profile", profile.clone())).await;
    let again = plane.post("/v1/leases", with(with(stage.terms(), "profile", profile.clone()), "ttl_seconds", json!(60))).await;
    assert_eq!((again.status, again.says("code")), (409, "tool.browser.profile_in_use"));
    assert!(!lease.processes().is_empty());
    assert_eq!(lease.delete().await, 204);
    assert!(!lease.scratch.exists());
    until("the end of its programs", || lease.processes().is_empty()).await;
    assert_eq!(lease.delete().await, 404);
    assert_eq!(lease.command("observe", json!({ "sequence": 1 })).await.status, 404);

    let brief = plane.lease(with(with(stage.terms(), "profile", profile), "ttl_seconds", json!(1))).await;
    until("the expiry", || plane.registry.count() == 0).await;
    until("the end of its programs", || processes_of(&brief.scratch).is_empty()).await;
    assert!(!brief.scratch.exists());
    let expired = brief.command("observe", json!({ "sequence": 1 })).await;
    assert_eq!((expired.status, expired.says("code")), (404, "tool.browser.unknown_lease"));
    plane.end().await;
}
