//! The owner of `--auto`: allows the task on the first card that offers it, and nothing else.

use super::client::{Client, text};
use super::{DemoError, Stage};
use serde_json::{Value, json};
use std::time::Duration;

/// What became of a card.
pub(super) struct Answered {
    /// The answer was "allow for this task".
    pub(super) for_task: bool,
    /// Why the card asked, in the codes of the coverage rules.
    pub(super) reasons: Vec<String>,
}

/// Answers a card, or, without `--auto`, waits until a person did.
pub(super) async fn answer(stage: &Stage, auto: bool, approval: &str, may_allow: bool) -> Result<Answered, DemoError> {
    let path = format!("/v1/approvals/{approval}");
    let card = stage.owner.get(&path).await?;
    let reasons = card.get("reasons").and_then(Value::as_array).into_iter().flatten();
    let reasons = reasons.filter_map(Value::as_str).map(str::to_owned).collect();
    let card = if auto { resolve(&stage.owner, &path, &card, may_allow).await? } else { wait(&stage.owner, &path, card).await? };
    Ok(Answered { for_task: card.get("resolution") == Some(&json!("approve_for_task")), reasons })
}

async fn resolve(owner: &Client, path: &str, card: &Value, may_allow: bool) -> Result<Value, DemoError> {
    let body = match card.get("offer").filter(|offer| may_allow && !offer.is_null()) {
        Some(offer) => json!({
            "resolution": "approve_for_task",
            "origin": text(offer, "origin")?,
            "path_prefix": text(offer, "path_prefix")?,
        }),
        None => json!({"resolution": "deny"}),
    };
    owner.post(&format!("{path}/resolve"), &body).await
}

async fn wait(owner: &Client, path: &str, mut card: Value) -> Result<Value, DemoError> {
    while card.get("status") == Some(&json!("pending")) {
        tokio::time::sleep(Duration::from_millis(500)).await;
        card = owner.get(path).await?;
    }
    Ok(card)
}
