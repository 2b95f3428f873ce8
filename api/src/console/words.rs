//! What codes mean, in the owner's words. Everything here is ours; nothing quotes a website.

use domain::browser::Outcome;
use domain::coverage::Reason;
use domain::decide::task_grant::EndReason;
use projections::ToolCallRow;

/// The label of an activity row, by what stood behind the act.
#[must_use]
pub fn authorization(kind: Option<&str>) -> &'static str {
    match kind {
        Some("browser_task_grant") => "Allowed by task permission",
        Some("approval") => "Approved by you",
        Some("browser_standing_grant") => "Allowed by standing permission",
        Some(_) => "Allowed",
        None => "No permission needed",
    }
}

/// The label of an activity row in the console, which also tells what has no permission yet, or got
/// none.
#[must_use]
pub fn standing(row: &ToolCallRow) -> &'static str {
    let acts = row.tool == "browser.act" || row.action.is_some();
    match (row.authorization_kind.as_deref(), acts, row.outcome.as_deref()) {
        (None, true, None) => "Waiting",
        (None, true, Some(_)) => "Not allowed",
        (kind, _, _) => authorization(kind),
    }
}

/// Why a task permission does not cover an act (COV-10).
#[must_use]
pub const fn reason(reason: Reason) -> &'static str {
    match reason {
        Reason::ConsequenceNamed => {
            "The website's labels name something that always asks: a payment, a purchase, an account change, a message or the like."
        }
        Reason::ConsequenceNotRoutine => {
            "The standing permission covers routine steps only, and the website's labels do not say that this is one."
        }
        Reason::PageOutsideOrigin => "The page is on another website than the permission.",
        Reason::PageOutsidePrefix => "The page is outside the part of the website that the permission covers.",
        Reason::PageSensitive => "The page's address names a sensitive area.",
        Reason::TargetOutsideOrigin => "This leads to another website.",
        Reason::TargetOutsidePrefix => "This leads out of the part of the website that the permission covers.",
        Reason::TargetSensitive => "This leads to a sensitive area of the website.",
        Reason::Download => "This downloads a file.",
        Reason::FieldNotCovered => "No permission covers this kind of field.",
        Reason::KindMismatch => "The action does not fit this kind of element.",
        Reason::Disabled => "The website marks this element as switched off.",
        Reason::Unnamed => "The website gives this element no name.",
        Reason::Truncated => "A label is too long to be read whole.",
        Reason::FactsMissing => "Hallpass could not read enough about this element.",
        Reason::TextTooLong => "The text is too long to be typed under a permission.",
        Reason::TextShape => "The text looks like an address, a link, a number or a secret.",
        Reason::Options => "The list has too many options, or none that fits.",
        Reason::KeyNotCovered => "No permission covers this key on this element.",
        Reason::TurnNotBrowserOnly => "The agent has used another tool since your last message.",
        Reason::Expired => "The permission's time is over.",
        Reason::ActionsUsedUp => "The permission's actions are used up.",
        Reason::CharactersUsedUp => "The permission has too few characters left for this text.",
        Reason::GrantEnded => "The permission has ended.",
        Reason::NotApplicable => "The permission is for another session, profile or setting.",
        Reason::FocusNotHeld => "The element did not keep the keyboard focus.",
        Reason::ElementChanged => "The element is no longer the one that was looked at.",
    }
}

/// Why a card asks although no permission was tried.
pub const NOTHING_RUNS: &str = "No task permission was running, so Hallpass asks for each action.";

/// Why a task permission ended (GRA-8).
#[must_use]
pub fn end_reason(code: &str) -> &'static str {
    match EndReason::parse(code) {
        Some(EndReason::Expired) => "Its time is over.",
        Some(EndReason::Exhausted) => "Its actions are used up.",
        Some(EndReason::Revoked) => "You stopped it.",
        Some(EndReason::Superseded) => "A newer permission took its place.",
        Some(EndReason::ProfileChanged) => "Someone signed in on its browser profile.",
        Some(EndReason::ProfileRevoked) => "Its browser profile was removed.",
        Some(EndReason::PolicyChanged) => "The rules of Hallpass changed.",
        Some(EndReason::AgentChanged) => "The agent changed.",
        Some(EndReason::ScopeRemoved) => "Its place is no longer configured.",
        None => "It ended.",
    }
}

/// How a call ended.
#[must_use]
pub fn outcome(name: Option<&str>) -> &'static str {
    let known = [Outcome::Completed, Outcome::Refused, Outcome::Failed, Outcome::Unknown];
    match name.map(|name| known.into_iter().find(|outcome| outcome.as_str() == name)) {
        None => "Not finished",
        Some(Some(Outcome::Completed)) => "Done",
        Some(Some(Outcome::Refused)) => "Refused, nothing was done",
        Some(Some(Outcome::Failed)) => "Failed, nothing was done",
        Some(Some(Outcome::Unknown) | None) => "Not known: it may or may not have been done",
    }
}

/// What a code of a call says beyond its outcome; `None` when we have no words for it.
#[must_use]
pub fn call_code(code: &str) -> Option<&'static str> {
    Some(match code {
        "tool.approval_denied" => "You said no.",
        "tool.approval_lapsed" => "Nobody answered in time.",
        "tool.approval_cancelled" => "The question was withdrawn with its run.",
        "tool.browser.grant_not_applicable" => "The page was no longer one that the permission covers.",
        "tool.browser.stale_revision" => "The page had changed since the agent looked at it.",
        "tool.browser.unknown_element" => "The element was not on the page that the agent looked at.",
        "tool.browser.credential_field" => "Hallpass never types passwords or one-time codes.",
        "tool.browser.origin_not_allowed" => "The website is not one that this session may open.",
        "tool.browser.lease_gone" => "The browser had been closed.",
        "tool.browser.profile_gone" => "The browser profile was removed.",
        "tool.browser.runtime_unavailable" => "The browser could not be reached.",
        "tool.browser.runtime_interrupted" => "The connection to the browser broke.",
        "tool.not_available" => "There is no such tool here.",
        "tool.recorded" => "It was noted; Hallpass does not run it.",
        "tool.interrupted" => "Hallpass was restarted meanwhile.",
        "tool.session_deleted" => "The session was deleted.",
        "tool.storage_unavailable" => "The log could not be written.",
        _ => return None,
    })
}

/// What went wrong with an answer, by the code of its problem; `None` when the problem's own
/// sentence says it as well.
#[must_use]
pub fn problem(code: &str) -> Option<&'static str> {
    Some(match code {
        "not_found" => "There is no such page, question or permission.",
        "not_signed_in" => {
            "You are not signed in. Open the sign-in link that `hallpass serve` prints when it starts; each link works once."
        }
        "sign_in_link_invalid" => "This sign-in link was used already, or is too old. Restart `hallpass serve` for a new one.",
        "approval_already_resolved" => "This question was answered already. The first answer stands.",
        "approval_lapsed" => "Your answer came too late. It was noted and changed nothing; the agent has to ask again.",
        "approval_cancelled" => "The question was withdrawn before your answer, which changed nothing.",
        "offer_missing" => "There is no task permission on offer here. The question is still open: allow the action once, or deny it.",
        "offer_differs" => "The answer does not repeat what was offered, so nothing was allowed. The question is still open.",
        "offer_no_longer_valid" => {
            "The offer no longer stands, so nothing was allowed. The question is still open, and “Allow once” still works."
        }
        "task_grants_disabled" => {
            "Task permissions are switched off, so nothing was allowed. The question is still open, and “Allow once” still works."
        }
        _ => return None,
    })
}
