//! The deterministic policy: what may be done at all, what needs the owner, what never happens.
//! It knows no grant; grants are asked only after it said "ask" (AUT-1).

use super::call::Call;
use domain::scope::has_origin;

/// The policy's version. Grants pin it, so any change of the rules below ends them.
pub const VERSION: &str = "built-in-1";

/// What the policy says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ruling {
    /// Reading: no card.
    Allow,
    /// The owner decides, by a card or a grant.
    RequireApproval,
    /// Never, whatever anybody approved; with the refusal's code.
    Deny(&'static str),
}

/// Rules on a call of a session that is confined to `allowed_origins`.
#[must_use]
pub fn rule(call: &Call, allowed_origins: &[String]) -> Ruling {
    match call {
        Call::Navigate(navigate) if allowed_origins.iter().any(|origin| has_origin(&navigate.url, origin)) => Ruling::Allow,
        Call::Navigate(_) => Ruling::Deny("tool.browser.origin_not_allowed"),
        Call::Observe => Ruling::Allow,
        Call::Act(_) => Ruling::RequireApproval,
        Call::Other(tool) if is_browsers(tool) => Ruling::Deny("tool.not_available"),
        // Not ours to run: the agent runs it, the log keeps that it did.
        Call::Other(_) => Ruling::Allow,
    }
}

/// Whether a name claims to be a tool of the browser. Those are ours to run, so one that does not
/// exist is never told as done.
fn is_browsers(tool: &str) -> bool {
    let name = tool.trim().to_ascii_lowercase();
    name == "browser" || name.starts_with("browser.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// RUN-11, AUT-1: navigation stays on the session's origins; acting always asks.
    #[test]
    fn rules_by_kind_and_origin() {
        let origins = ["https://www.example.com".to_owned()];
        let navigate = |url: &str| rule(&Call::parse("browser.navigate", json!({"url": url})).unwrap(), &origins);
        assert_eq!(navigate("https://www.example.com/lesson?x=1"), Ruling::Allow);
        for elsewhere in
            ["https://www.example.com:8443/", "http://www.example.com/", "https://example.com/", "javascript:1", "about:blank", "not a url"]
        {
            assert_eq!(navigate(elsewhere), Ruling::Deny("tool.browser.origin_not_allowed"), "{elsewhere}");
        }
        let act = json!({"revision": "r", "element_ref": "e", "action": {"kind": "click"}});
        assert_eq!(rule(&Call::parse("browser.act", act).unwrap(), &origins), Ruling::RequireApproval);
    }
}
