//! The whole lesson, end to end in real Chromium, as `hallpass demo` plays it.

use hallpass_tests::binaries::binary;
use serde_json::Value;
use std::process::Command;

fn play(arguments: &[&str], database: Option<&str>) -> Value {
    let mut command = Command::new(binary("hallpass"));
    command.arg("demo").args(["--auto", "--json"]).args(arguments);
    match database {
        Some(url) => command.env("HALLPASS_DATABASE_URL", url),
        None => command.env_remove("HALLPASS_DATABASE_URL"),
    };
    let output = command.output().expect("the demo starts");
    let printed = String::from_utf8_lossy(&output.stdout);
    let summary: Value = serde_json::from_str(printed.trim())
        .unwrap_or_else(|error| panic!("no summary ({error}): {printed}\n{}", String::from_utf8_lossy(&output.stderr)));
    assert!(output.status.success(), "{summary}\n{}", String::from_utf8_lossy(&output.stderr));
    summary
}

fn number(summary: &Value, field: &str) -> u64 {
    summary[field].as_u64().unwrap_or_else(|| panic!("`{field}` of {summary}"))
}

fn reasons(summary: &Value) -> Vec<&str> {
    summary["refusals"].as_array().expect("a list").iter().map(|refusal| refusal["why"].as_str().expect("a text")).collect()
}

/// GRA-5, COV-1, COV-10, OFF-2, EVT-1: one card, then the lesson runs; money, deletion, leaving and
/// the act after Stop ask with their reason; the replay of the log equals the state.
#[test]
fn a_lesson_takes_one_card() {
    let summary = play(&[], None);
    assert_eq!(number(&summary, "approved_for_task"), 1);
    assert!(number(&summary, "granted_actions") >= 40, "{summary}");
    assert!(number(&summary, "typed_characters") > 0, "{summary}");
    // The card that allowed the task, the four that must ask, and the one after Stop.
    assert_eq!(number(&summary, "approvals_requested"), 6, "{summary}");
    let whys = reasons(&summary);
    assert_eq!(whys.iter().filter(|why| why.contains("consequence_named")).count(), 3, "{summary}");
    assert!(whys.iter().any(|why| why.contains("target_outside_prefix")), "{summary}");
    assert_eq!(whys.last(), Some(&"grant_ended"), "{summary}");
    assert_eq!(summary["grant_end_reason"], "revoked");
    assert_eq!(summary["audit_verified"], true);
}

/// GRA-5, GRA-7, GRA-8: the 201st act asks, and the grant is over.
#[test]
fn the_two_hundred_and_first_act_asks() {
    let summary = play(&["--fast-actions", "160"], None);
    assert_eq!(number(&summary, "granted_actions"), 200, "{summary}");
    assert_eq!(summary["grant_end_reason"], "exhausted");
    assert!(reasons(&summary).contains(&"actions_used_up"), "{summary}");
    assert_eq!(summary["audit_verified"], true);
}

/// EVT-2: the same on PostgreSQL.
#[tokio::test]
async fn a_lesson_on_postgresql() {
    let database = hallpass_tests::postgres::fresh_database().await.expect("a private PostgreSQL");
    let summary = tokio::task::spawn_blocking(move || play(&[], Some(&database))).await.expect("the demo ran");
    assert!(number(&summary, "granted_actions") >= 40, "{summary}");
    assert_eq!(summary["grant_end_reason"], "revoked");
    assert_eq!(summary["audit_verified"], true);
}
