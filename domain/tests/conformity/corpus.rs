//! What fuzzing has kept, through the same assertions (`fuzz/harness`).

#[path = "../../../fuzz/harness/mod.rs"]
mod harness;

use std::path::Path;

/// Runs every kept input of a target, and says which one failed.
fn replay(target: &str, check: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus").join(target);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    assert!(paths.len() >= 20, "only {} inputs in {}", paths.len(), folder.display());
    let mut failed = Vec::new();
    for path in &paths {
        let input = std::fs::read(path).expect("an input");
        if std::panic::catch_unwind(|| check(&input)).is_err() {
            failed.push(path.display().to_string());
        }
    }
    assert!(failed.is_empty(), "{} of {} inputs fail:\n{}", failed.len(), paths.len(), failed.join("\n"));
}

/// CLS-2, CLS-7, CLS-10: labels, acts and targets.
#[test]
fn kept_labels_hold() {
    replay("classify", harness::classify::check);
}

/// SCP-2, SCP-3: entries and URLs.
#[test]
fn kept_scopes_hold() {
    replay("scope", harness::scope::check);
}

/// COV-3, VIE-4: typed texts.
#[test]
fn kept_texts_hold() {
    replay("typed", harness::typed::check);
}

/// RUN-3, RUN-5: bodies.
#[test]
fn kept_bodies_hold() {
    replay("bodies", harness::bodies::check);
}
