//! What came of the demo.

use domain::limits::GRANT_ACTIONS_MAX;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Granted acts without which the demo shows nothing.
const GRANTED_ACTIONS_MIN: u64 = 40;

/// One act that was refused.
pub(super) struct Refused {
    /// The tool call's code.
    pub(super) code: String,
    /// Why the card asked.
    pub(super) why: String,
}

/// See the fields.
#[derive(Default)]
pub(super) struct Summary {
    /// Cards in all.
    pub(super) approvals_requested: u64,
    /// Cards answered with "allow for this task".
    pub(super) approved_for_task: u32,
    /// Acts that ran without a card.
    pub(super) granted_actions: u64,
    /// Cards after the task was allowed.
    pub(super) cards_after_grant: u32,
    /// Characters typed without a card.
    pub(super) typed_characters: u64,
    /// Acts that were refused.
    pub(super) refusals: Vec<Refused>,
    /// Why the grant ended.
    pub(super) grant_end_reason: Option<String>,
    /// Events in the log.
    pub(super) events: u64,
    /// The replay equals what the API tells.
    pub(super) audit_verified: bool,
    /// Milliseconds of the whole.
    pub(super) wall_millis: u128,
    /// Milliseconds of each granted act, from proposal to end.
    pub(super) act_millis: Vec<f64>,
    /// Dangerous acts that were tried, and those for which a card was shown.
    pub(super) dangers_tried: u32,
    pub(super) dangers_asked: u32,
    /// The act after Stop was asked for.
    pub(super) asked_after_stop: bool,
}

impl Summary {
    /// Whether the demo showed what it is for.
    pub(super) fn holds(&self) -> bool {
        self.approved_for_task == 1
            && (GRANTED_ACTIONS_MIN..=u64::from(GRANT_ACTIONS_MAX)).contains(&self.granted_actions)
            && self.dangers_asked == self.dangers_tried
            && self.asked_after_stop
            && self.audit_verified
    }

    pub(super) fn json(&self) -> Value {
        let refusals: Vec<Value> = self.refusals.iter().map(|refused| json!({"code": refused.code, "why": refused.why})).collect();
        json!({
            "approvals_requested": self.approvals_requested,
            "approved_for_task": self.approved_for_task,
            "granted_actions": self.granted_actions,
            "cards_after_grant": self.cards_after_grant,
            "typed_characters": self.typed_characters,
            "refusals": refusals,
            "grant_end_reason": self.grant_end_reason,
            "events": self.events,
            "audit_verified": self.audit_verified,
            "wall_ms": self.wall_millis,
            "act_ms_p50": self.act_millis(0.50),
            "act_ms_p99": self.act_millis(0.99),
        })
    }

    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        let _ = writeln!(text, "{} cards, {} answered with \"Allow for this task\"", self.approvals_requested, self.approved_for_task);
        let _ = writeln!(text, "{} actions ran without a card and typed {} characters", self.granted_actions, self.typed_characters);
        for refused in &self.refusals {
            let _ = writeln!(text, "refused: {} ({})", refused.code, refused.why);
        }
        let _ = writeln!(text, "the permission ended: {}", self.grant_end_reason.as_deref().unwrap_or("not at all"));
        let verdict = if self.audit_verified { "equals" } else { "DIFFERS FROM" };
        let _ = writeln!(text, "{} events; the replay {verdict} the state", self.events);
        let _ = writeln!(text, "{} ms in all, one act {:.0} ms (median)", self.wall_millis, self.act_millis(0.50));
        text
    }

    /// The nearest-rank percentile.
    fn act_millis(&self, part: f64) -> f64 {
        let mut sorted = self.act_millis.clone();
        sorted.sort_by(f64::total_cmp);
        let rank = (part * sorted.len() as f64).ceil().max(1.0) as usize;
        let millis = sorted.get(rank.saturating_sub(1)).copied().unwrap_or_default();
        (millis * 10.0).round() / 10.0
    }
}
