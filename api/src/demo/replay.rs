//! An auditor's replay: folds the events as the API tells them, knowing nothing of the read models,
//! and compares with what the API says the state is.

use super::client::{Client, items, text};
use super::{DemoError, Stage};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// What a replay found.
pub(super) struct Replay {
    /// How many events the log holds.
    pub(super) events: u64,
    /// How many approvals were asked for.
    pub(super) approvals: u64,
    /// Whether positions have no gap and the folded state equals the told one.
    pub(super) verified: bool,
}

#[derive(Default)]
struct State {
    approvals: BTreeMap<String, &'static str>,
    grants: BTreeMap<String, Grant>,
}

#[derive(Default, PartialEq, Eq)]
struct Grant {
    actions: u64,
    characters: u64,
    end: Option<String>,
}

/// Reads the whole log and compares.
pub(super) async fn replay(stage: &Stage) -> Result<Replay, DemoError> {
    let mut state = State::default();
    let mut last = 0;
    let mut verified = true;
    loop {
        let part = stage.owner.get(&format!("/v1/audit/events?after={last}&limit=500")).await?;
        let before = last;
        for event in items(&part, "items") {
            let position = event.get("position").and_then(Value::as_u64).unwrap_or_default();
            verified &= position == last + 1;
            last = position;
            state.apply(text(event, "type")?, event.get("data").unwrap_or(&Value::Null));
        }
        if last == before {
            break;
        }
    }
    verified &= state.grants == told_grants(&stage.owner).await? && state.approvals == told_approvals(&stage.owner).await?;
    Ok(Replay { events: last, approvals: state.approvals.len() as u64, verified })
}

impl State {
    fn apply(&mut self, kind: &str, data: &Value) {
        let id = |field: &str| data.get(field).and_then(Value::as_str).unwrap_or_default().to_owned();
        let number = |field: &str| data.get(field).and_then(Value::as_u64).unwrap_or_default();
        match kind {
            "approval.requested" => drop(self.approvals.insert(id("approval_id"), "pending")),
            "approval.resolved" => {
                let denied = data.get("resolution") == Some(&json!("deny"));
                self.approvals.insert(id("approval_id"), if denied { "denied" } else { "approved" });
            }
            "approval.lapsed" => drop(self.approvals.insert(id("approval_id"), "lapsed")),
            "approval.cancelled" => drop(self.approvals.insert(id("approval_id"), "cancelled")),
            "browser.task_grant.created" => drop(self.grants.insert(id("grant_id"), Grant::default())),
            "browser.task_grant.ended" => self.grants.entry(id("grant_id")).or_default().end = Some(id("reason")),
            "tool.call.authorized" if data.get("authorization_kind") == Some(&json!("browser_task_grant")) => {
                let grant = self.grants.entry(id("grant_id")).or_default();
                grant.actions += 1;
                grant.characters += number("typed_characters");
            }
            _ => {}
        }
    }
}

async fn told_grants(owner: &Client) -> Result<BTreeMap<String, Grant>, DemoError> {
    let mut told = BTreeMap::new();
    for row in &all(owner, "/v1/browser-task-grants").await? {
        let number = |field: &str| row.get(field).and_then(Value::as_u64).unwrap_or_default();
        let end = row.get("end_reason").and_then(Value::as_str).map(str::to_owned);
        told.insert(text(row, "id")?.to_owned(), Grant { actions: number("actions_used"), characters: number("characters_used"), end });
    }
    Ok(told)
}

async fn told_approvals(owner: &Client) -> Result<BTreeMap<String, &'static str>, DemoError> {
    let known = ["pending", "approved", "denied", "lapsed", "cancelled"];
    let mut told = BTreeMap::new();
    for row in &all(owner, "/v1/approvals").await? {
        let status = text(row, "status")?;
        let status = known.into_iter().find(|known| *known == status);
        let status = status.ok_or_else(|| DemoError::Request("an approval has an unknown status".to_owned()))?;
        told.insert(text(row, "id")?.to_owned(), status);
    }
    Ok(told)
}

/// Every row of a list, part by part.
async fn all(owner: &Client, path: &str) -> Result<Vec<Value>, DemoError> {
    let mut rows = Vec::new();
    let mut next = path.to_owned();
    loop {
        let part = owner.get(&next).await?;
        rows.extend(items(&part, "items").cloned());
        match part.get("next_cursor").and_then(Value::as_str) {
            Some(cursor) => next = format!("{path}?cursor={cursor}"),
            None => return Ok(rows),
        }
    }
}
