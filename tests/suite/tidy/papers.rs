//! Papers that name things: requirements and their tests, event types, decisions.

use super::{none, tree};
use std::collections::BTreeMap;

const REQUIREMENTS: &str = "tests/data/tidy/requirement_ids.txt";
const COVERAGE: &str = "docs/coverage.md";
/// What stands in place of a test while a requirement is open, with the work that will close it.
const OPEN: &str = "not yet: ";

/// The rows of a Markdown table of two columns, by the first, if that looks like an id.
fn rows(text: &str) -> BTreeMap<&str, Vec<&str>> {
    let mut rows: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for line in text.lines() {
        let cells: Vec<&str> = line.trim().trim_matches('|').split('|').map(str::trim).collect();
        if let [id, proof] = cells.as_slice()
            && line.starts_with('|')
            && is_id(id)
        {
            rows.entry(id).or_default().push(proof);
        }
    }
    rows
}

fn is_id(text: &str) -> bool {
    text.split_once('-').is_some_and(|(group, number)| {
        !group.is_empty()
            && group.bytes().all(|byte| byte.is_ascii_uppercase())
            && !number.is_empty()
            && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// What is wrong with one proof: `path/of/file.rs::name_of_test`, or a table of cases by its path.
/// Either must name the id itself.
fn fault(id: &str, proof: &str) -> Option<String> {
    let proof = proof.trim().trim_matches('`');
    let (path, test) = proof.split_once("::").map_or((proof, None), |(path, test)| (path, Some(test)));
    let Ok(text) = std::fs::read_to_string(tree::root().join(path)) else { return Some(format!("{id}: there is no {path}")) };
    if let Some(test) = test {
        let name = test.rsplit("::").next().unwrap_or(test);
        if !text.contains(&format!("fn {name}(")) {
            return Some(format!("{id}: {path} has no test `{name}`"));
        }
    } else if path.ends_with(".rs") {
        return Some(format!("{id}: name a test of {path}"));
    }
    let named = text.match_indices(id).any(|(at, _)| !text[at + id.len()..].starts_with(|c: char| c.is_ascii_digit()));
    (!named).then(|| format!("{id}: {path} does not name it"))
}

#[test]
fn the_coverage_map_is_whole_and_true() {
    let list = tree::read(REQUIREMENTS);
    let map = tree::read(COVERAGE);
    let rows = rows(&map);
    let ids: Vec<&str> = list.lines().filter(|line| is_id(line)).collect();
    assert!(ids.len() >= 100, "only {} requirements were read", ids.len());
    let mut complaints = Vec::new();
    for id in &ids {
        match rows.get(id).map(Vec::as_slice) {
            None => complaints.push(format!("{id} has no row")),
            Some([proofs]) if proofs.starts_with(OPEN) && proofs.len() > OPEN.len() => {}
            Some([proofs]) => complaints.extend(proofs.split(';').filter_map(|proof| fault(id, proof))),
            Some(_) => complaints.push(format!("{id} has more than one row")),
        }
    }
    complaints.extend(rows.keys().filter(|id| !ids.contains(id)).map(|id| format!("{id} is no requirement")));
    none(&complaints);
}

#[test]
fn the_map_is_read_as_it_is_written() {
    let text = "| id | proof |\n|---|---|\n| ABC-1 | `a::b`; c |\n|ABC-2|not yet: x|\n";
    let rows = rows(text);
    assert_eq!(rows.len(), 2);
    assert_eq!(rows["ABC-1"], ["`a::b`; c"]);
    assert!(fault("RUN-1", "tests/suite/tidy/arrows.rs::the_runtime_reaches_no_database").is_none());
    assert!(fault("RUN-1", "tests/suite/tidy/arrows.rs::no_such_test").is_some());
    assert!(fault("RUN-1", "tests/no_such_file.txt").is_some());
    assert!(fault("RUN-19", "tests/suite/tidy/arrows.rs::the_runtime_reaches_no_database").is_some());
}

#[test]
fn every_event_is_in_the_catalogue() {
    let source = tree::read("domain/src/event.rs");
    let catalogue = tree::read("docs/EVENTS.md");
    let names: Vec<&str> = source.lines().filter_map(|line| line.trim().strip_prefix("Self::")).filter_map(event_name).collect();
    assert!(names.len() >= 20, "only {} event types were read", names.len());
    let missing = names.iter().filter(|name| !catalogue.contains(&format!("`{name}`")));
    none(&missing.map(|name| format!("docs/EVENTS.md does not tell of `{name}`")).collect::<Vec<_>>());
}

/// `SessionOpened(_) => "session.opened",` names `session.opened`.
fn event_name(arm: &str) -> Option<&str> {
    let name = arm.split_once("=> \"")?.1.split('"').next()?;
    name.contains('.').then_some(name)
}

#[test]
fn decisions_are_numbered_and_listed() {
    let list = tree::read("docs/decisions/README.md");
    let files = tree::files();
    let decisions: Vec<&str> =
        files.iter().filter_map(|file| file.path.strip_prefix("docs/decisions/")).filter(|name| *name != "README.md").collect();
    assert!(!decisions.is_empty(), "no decision was found");
    let mut complaints: Vec<String> = decisions
        .iter()
        .filter(|name| !list.contains(**name))
        .map(|name| format!("docs/decisions/README.md does not list {name}"))
        .collect();
    for (at, name) in decisions.iter().enumerate() {
        if !name.starts_with(&format!("{:04}-", at + 1)) {
            complaints.push(format!("{name} is not the number {}", at + 1));
        }
    }
    none(&complaints);
}
