//! Runs the tables of `tests/data/decide`, one test a folder.

use crate::commands::{Came, run_line};
use crate::log::Log;
use crate::table::{Case, check, folder, read_folder};
use crate::written::events;
use domain::decide::task_grant::EndReason;
use std::collections::BTreeMap;

fn run(case: &Case) -> Result<(), String> {
    let mut log = Log::default();
    for line in &case.given {
        log.extend(events(line)?);
    }
    let mut came = None;
    for line in &case.when {
        let this = run_line(line, &log)?;
        if let Came::Events(events) | Came::Says(_, events) = &this {
            log.extend(events.iter().cloned());
        }
        came = Some(this);
    }
    let came = came.ok_or("no command")?;
    let expected = expected(&case.then, &came)?;
    if expected == came { Ok(()) } else { Err(difference(&expected, &came)) }
}

/// What the case expects. `says:` alone leaves the shell's events to other rows; events that are
/// written under it must be exactly those.
fn expected(then: &[String], came: &Came) -> Result<Came, String> {
    let written = |lines: &[String]| lines.iter().map(|line| events(line)).collect::<Result<Vec<_>, _>>().map(|all| all.concat());
    match then {
        [line] if line == "nothing" => Ok(Came::Events(Vec::new())),
        [line] if line.starts_with("refused:") => Ok(Came::Refused(after_colon(line))),
        [line] if line.starts_with("says:") => {
            let same = if let Came::Says(_, events) = came { events.clone() } else { Vec::new() };
            Ok(Came::Says(after_colon(line), same))
        }
        [line, rest @ ..] if line.starts_with("says:") => Ok(Came::Says(after_colon(line), written(rest)?)),
        lines => Ok(Came::Events(written(lines)?)),
    }
}

fn after_colon(line: &str) -> String {
    line.split_once(':').map_or("", |(_, text)| text).trim().to_owned()
}

fn difference(expected: &Came, came: &Came) -> String {
    let lines = |came: &Came| match came {
        Came::Events(events) if events.is_empty() => vec!["nothing".to_owned()],
        Came::Events(events) => events.iter().map(|event| format!("{event:?}")).collect(),
        Came::Refused(code) => vec![format!("refused: {code}")],
        Came::Says(text, events) => [format!("says: {text}")].into_iter().chain(events.iter().map(|event| format!("{event:?}"))).collect(),
    };
    let (expected, came) = (lines(expected), lines(came));
    let missing = expected.iter().filter(|line| !came.contains(line)).map(|line| format!("  - {line}"));
    let added = came.iter().filter(|line| !expected.contains(line)).map(|line| format!("  + {line}"));
    let marked: Vec<String> = missing.chain(added).collect();
    if marked.is_empty() { format!("  the order differs: {came:?}") } else { marked.join("\n") }
}

/// GRA-3, COV-4: whose words count, and what a turn may hold.
#[test]
fn sessions() {
    check("decide/session", run);
}

/// GRA-3: which runs are interactive and at the top.
#[test]
fn runs() {
    check("decide/run", run);
}

/// AUT-7: a call is sent at most once and ends at most once.
#[test]
fn tool_calls() {
    check("decide/tool_call", run);
}

/// GRA-11: sign-ins advance the generation.
#[test]
fn profiles() {
    check("decide/profile", run);
}

/// APR-1, APR-3, APR-5: one question, one answer.
#[test]
fn approvals() {
    check("decide/approval", run);
}

/// GRA-4 to GRA-8, GRA-13: the life of a grant.
#[test]
fn grants() {
    check("decide/grant", run);
}

/// GRA-1 to GRA-3, GRA-5, GRA-8, GRA-10, GRA-11, SCP-4, COV-4, COV-10: what a use needs.
#[test]
fn uses() {
    check("decide/authorize", run);
}

/// OFF-1 to OFF-6, API-4: what "Allow for this task" does.
#[test]
fn answers() {
    check("decide/answer", run);
}

/// Every refusal has a neighbour that is allowed, so that no table passes by refusing all.
#[test]
fn each_table_holds_both_a_yes_and_a_no() {
    let mut files: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let entries = std::fs::read_dir(folder("decide")).unwrap().map(|entry| entry.unwrap().path());
    for theme in entries.filter(|path| path.is_dir()) {
        for case in read_folder(&theme) {
            let first = case.then.first().map_or("", String::as_str);
            let no =
                ["refused:", "says: asks", "says: no offer", "says: quarantined", "nothing"].iter().any(|start| first.starts_with(start));
            let counts = files.entry(case.file.display().to_string()).or_default();
            if no { counts.1 += 1 } else { counts.0 += 1 }
        }
    }
    for (file, (yes, no)) in files {
        assert!(yes > 0 && no > 0, "{file} has {yes} cases that say yes and {no} that say no");
    }
}

/// GRA-8: each of the nine reasons is the recorded end of some case.
#[test]
fn each_end_reason_has_a_row() {
    let cases: Vec<Case> =
        ["decide/grant", "decide/authorize", "decide/answer"].iter().flat_map(|name| read_folder(&folder(name))).collect();
    for reason in EndReason::ALL {
        let row = format!("TaskGrantEnded reason={}", reason.as_str());
        assert!(cases.iter().any(|case| case.then.contains(&row)), "no case ends with `{row}`");
    }
    assert_eq!(EndReason::ALL.len(), 9);
}

/// A case to paste and step through in a debugger.
#[test]
fn one_case_by_hand() {
    let text = "# Smoke test.\n\ncase: by hand\ngiven  TaskGrantCreated\nwhen   owner @10:29:59.999999 EndGrant\nthen   TaskGrantEnded reason=revoked\n";
    for case in crate::table::parse(std::path::Path::new("by hand"), text).unwrap() {
        run(&case).unwrap();
    }
}
