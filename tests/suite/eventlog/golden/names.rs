//! The names that stored events use. Each that was ever written is read for ever.

use super::samples::samples;
use eventlog::codec::{decode, encode};
use std::collections::BTreeSet;

const REASONS: [&str; 27] = [
    "consequence_named",
    "consequence_not_routine",
    "page_outside_origin",
    "page_outside_prefix",
    "page_sensitive",
    "target_outside_origin",
    "target_outside_prefix",
    "target_sensitive",
    "download",
    "field_not_covered",
    "kind_mismatch",
    "disabled",
    "unnamed",
    "truncated",
    "facts_missing",
    "text_too_long",
    "text_shape",
    "options",
    "key_not_covered",
    "turn_not_browser_only",
    "expired",
    "actions_used_up",
    "characters_used_up",
    "grant_ended",
    "not_applicable",
    "focus_not_held",
    "element_changed",
];

const CONSEQUENCES: [&str; 15] = [
    "payment",
    "currency",
    "purchase",
    "subscription",
    "money_movement",
    "authentication",
    "account_recovery",
    "account_change",
    "permission",
    "legal",
    "message",
    "deletion",
    "file_transfer",
    "routine",
    "unknown",
];

/// A vocabulary: the sample that holds a name of it, that name, and all the names.
const OTHERS: [(&str, &str, &[&str]); 7] = [
    ("session.opened", "chat", &["chat", "inbound", "device", "schedule"]),
    ("message.received", "owner", &["owner", "agent"]),
    ("run.started", "child", &["interactive", "scheduled", "child"]),
    ("tool.call.finished", "refused", &["completed", "refused", "failed", "unknown"]),
    ("approval.resolved", "approve_for_task", &["approve_once", "approve_for_task", "deny"]),
    (
        "browser.task_grant.ended",
        "superseded",
        &[
            "expired",
            "exhausted",
            "revoked",
            "superseded",
            "profile_changed",
            "profile_revoked",
            "policy_changed",
            "agent_changed",
            "scope_removed",
        ],
    ),
    ("browser.profile.sign_in_began", "device", &["remote", "device"]),
];

/// The sample of a file's name, encoded, with the length-prefixed `old` name replaced by `new`.
fn renamed(sample: &str, old: &str, new: &str) -> (&'static str, Vec<u8>) {
    let (_, event) = samples().into_iter().find(|(name, _)| *name == sample).unwrap();
    let frozen = encode(&event).payload;
    let text = |name: &str| [&[u8::try_from(name.len()).unwrap()], name.as_bytes()].concat();
    let old = text(old);
    let at: Vec<usize> = (0..frozen.len()).filter(|&index| frozen[index..].starts_with(&old)).collect();
    assert_eq!(at.len(), 1, "{sample} holds the name once");
    (event.type_name(), [&frozen[..at[0]], &text(new), &frozen[at[0] + old.len()..]].concat())
}

fn assert_kept(sample: &str, old: &str, name: &str) {
    let (type_name, payload) = renamed(sample, old, name);
    let event = decode(type_name, 1, &payload).unwrap_or_else(|error| panic!("{sample} {name}: {error}"));
    assert_eq!(encode(&event).payload, payload, "{sample} {name}");
}

/// The names that a vocabulary of the core has today, from the body of its `as_str`.
fn names_in(source: &str) -> BTreeSet<&str> {
    let (_, names) = source.split_once("fn as_str(self)").expect("the vocabulary names its values");
    let (names, _) = names.split_once("\n    }\n").expect("the function ends");
    names.split('"').skip(1).step_by(2).collect()
}

/// COV-10, EVT-5: every reason that was ever recorded is read and written alike, and so is every
/// one that the core can give today.
#[test]
fn reasons_keep_their_names() {
    let today = names_in(include_str!("../../../../domain/src/coverage/reason.rs"));
    assert!(today.len() >= REASONS.len());
    for name in today.into_iter().chain(REASONS) {
        assert_kept("approval.requested", "expired", name);
    }
}

/// CLS-1, EVT-5: as for reasons, every consequence.
#[test]
fn consequences_keep_their_names() {
    let today = names_in(include_str!("../../../../domain/src/classify.rs"));
    assert_eq!(today, CONSEQUENCES.into_iter().collect());
    for name in CONSEQUENCES {
        assert_kept("tool.call.authorized", "unknown", name);
    }
}

/// EVT-5: every other vocabulary keeps its names.
#[test]
fn other_vocabularies_keep_their_names() {
    for (sample, old, names) in OTHERS {
        for name in names {
            assert_kept(sample, old, name);
        }
    }
}
