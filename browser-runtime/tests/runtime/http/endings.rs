//! Leases that end in the middle of an act: the browser dies, the driver dies, the owner ends it.

use super::plane::{Lease, Plane, Stage, click, processes_of, until};
use rustix::process::{Pid, Signal, kill_process};
use std::time::{Duration, Instant};

/// The handler tells that it was reached and never comes back.
const PAGE: &str = r#"<button onclick="fetch('/lesson/reached', { keepalive: true }); const asked = new XMLHttpRequest(); asked.open('GET', '/lesson/held', false); asked.send(); for (;;);">Go on</button>"#;
/// Longest that an act may take, whatever the page does: every part of it has a limit of its own.
const ACT_MAX: Duration = Duration::from_secs(60);

fn kill_first(lease: &Lease<'_>, is: impl Fn(&str) -> bool) {
    let line = |pid: &u32| std::fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let found = lease.processes().into_iter().find(|pid| is(&line(pid))).expect("no such program runs");
    kill_process(Pid::from_raw(i32::try_from(found).unwrap()).unwrap(), Signal::KILL).unwrap();
}

/// RUN-2, K3: the browser or the driver dies, or the lease is deleted, while a click is on its way:
/// the outcome is unknown, the lease is gone, and so is every program of it.
#[tokio::test]
async fn an_end_in_the_middle_of_an_act_is_unknown() {
    let (plane, stage) = (Plane::start().await, Stage::set(PAGE).await);
    for way in ["browser", "driver", "deleted"] {
        let lease = plane.lease(stage.terms()).await;
        assert_eq!(lease.navigate(1, &stage.url()).await.told().0, "completed");
        let observed = lease.observe(2).await;
        let before = stage.site.count("/lesson/held");
        let act = lease.command("act", click(3, &observed, "Go on"));
        let end = async {
            until("the click", || stage.site.count("/lesson/held") > before).await;
            match way {
                "browser" => {
                    kill_first(&lease, |line| line.contains("/chromium") && !line.contains("--type=") && !line.contains("crashpad"))
                }
                "driver" => kill_first(&lease, |line| line.contains("chromedriver")),
                _ => assert_eq!(lease.delete().await, 204),
            }
        };
        let (answer, ()) = tokio::join!(act, end);
        let (outcome, code) = answer.told();
        assert_eq!(outcome, "unknown", "{way}: {}", answer.text);
        if way == "deleted" {
            assert_eq!(code, "lease_ended");
        }
        until("the end of the lease", || plane.registry.count() == 0).await;
        until("the end of its programs", || processes_of(&lease.scratch).is_empty()).await;
        assert!(!lease.scratch.exists(), "{way}");
        assert_eq!(lease.command("observe", serde_json::json!({ "sequence": 4 })).await.status, 404, "{way}");
    }
    plane.end().await;
}

/// RUN-15: a handler that never comes back ends the act within its limit, as unknown.
#[tokio::test]
async fn a_page_that_hangs_cannot_hold_the_act() {
    let (plane, stage) = (Plane::start().await, Stage::set(PAGE).await);
    let lease = plane.lease(stage.terms()).await;
    assert_eq!(lease.navigate(1, &stage.url()).await.told().0, "completed");
    let observed = lease.observe(2).await;
    let begun = Instant::now();
    let answer = lease.command("act", super::plane::with(click(3, &observed, "Go on"), "constraint", stage.constraint())).await;
    assert_eq!(answer.told().0, "unknown", "{}", answer.text);
    assert!(begun.elapsed() < ACT_MAX, "it took {:?}", begun.elapsed());
    plane.end().await;
}
