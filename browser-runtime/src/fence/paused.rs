//! Reading what the browser tells about a paused request and a committed document.

use super::rule::RequestKind;
use serde_json::Value;

/// A request that waits for its answer (`Fetch.requestPaused`).
#[derive(Clone, Copy, Debug)]
pub(super) struct Paused<'a> {
    pub(super) request_id: &'a str,
    pub(super) url: &'a str,
    pub(super) kind: RequestKind,
    /// For a document this equals the loader id of the load that it is for.
    pub(super) network_id: Option<&'a str>,
}

/// A frame's new document (`Page.frameNavigated`).
#[derive(Clone, Copy, Debug)]
pub(super) struct Navigated<'a> {
    pub(super) frame: &'a str,
    pub(super) loader: &'a str,
    pub(super) url: &'a str,
    pub(super) is_error_page: bool,
    pub(super) restored: bool,
}

/// The text at a path of keys.
pub(super) fn text<'a>(value: &'a Value, path: &[&str]) -> Option<&'a str> {
    path.iter().try_fold(value, |value, key| value.get(key)).and_then(Value::as_str)
}

/// Reads a paused request. Every kind that is not known to be a mere resource of a page counts as
/// what it could be at worst.
pub(super) fn paused<'a>(params: &'a Value, main_frame: &str) -> Option<Paused<'a>> {
    let kind = match text(params, &["resourceType"]) {
        Some("Document") | None => RequestKind::Document { main: text(params, &["frameId"]) == Some(main_frame) },
        Some("Ping") => RequestKind::Ping,
        Some("Prefetch") => RequestKind::Prefetch,
        // A `<link rel=prefetch>` is told as any other resource, but for this header, which no
        // script can set or take away (Fetch standard, "forbidden request-header").
        Some(_) if is_ahead(params) => RequestKind::Prefetch,
        Some(_) => RequestKind::Resource,
    };
    Some(Paused {
        request_id: text(params, &["requestId"])?,
        url: text(params, &["request", "url"]).unwrap_or_default(),
        kind,
        network_id: text(params, &["networkId"]),
    })
}

fn is_ahead(params: &Value) -> bool {
    let headers = params.pointer("/request/headers").and_then(Value::as_object);
    headers.into_iter().flatten().any(|(name, value)| {
        let purpose = name.eq_ignore_ascii_case("sec-purpose") || name.eq_ignore_ascii_case("purpose");
        purpose && value.as_str().is_none_or(|value| value.to_ascii_lowercase().contains("prefetch"))
    })
}

/// Reads a commit.
pub(super) fn navigated(params: &Value) -> Option<Navigated<'_>> {
    let url = text(params, &["frame", "url"])?;
    Some(Navigated {
        frame: text(params, &["frame", "id"])?,
        loader: text(params, &["frame", "loaderId"])?,
        url,
        is_error_page: text(params, &["frame", "unreachableUrl"]).is_some(),
        restored: text(params, &["type"]) == Some("BackForwardCacheRestore"),
    })
}

#[cfg(test)]
mod tests {
    use super::{navigated, paused};
    use crate::fence::rule::RequestKind;
    use serde_json::json;

    /// RUN-10: a kind that the browser leaves out is the worst that it could be.
    #[test]
    fn an_unnamed_kind_is_a_document() {
        let event = |kind: Option<&str>| json!({ "requestId": "r", "request": { "url": "https://a.example/" }, "frameId": "main", "resourceType": kind, "networkId": "n" });
        let kind = |name: Option<&str>| paused(&event(name), "main").unwrap().kind;
        assert_eq!(kind(Some("Document")), RequestKind::Document { main: true });
        assert_eq!(kind(None), RequestKind::Document { main: true });
        assert_eq!(kind(Some("Ping")), RequestKind::Ping);
        assert_eq!(kind(Some("Script")), RequestKind::Resource);
        assert_eq!(paused(&event(Some("Document")), "other").unwrap().kind, RequestKind::Document { main: false });
        assert!(paused(&json!({ "request": {} }), "main").is_none());
    }

    /// RUN-14: what is fetched ahead is known by its header, however it is named.
    #[test]
    fn a_prefetch_is_known_by_its_purpose() {
        let event = |headers: serde_json::Value| json!({ "requestId": "r", "request": { "url": "https://a.example/", "headers": headers }, "resourceType": "Other" });
        let kind = |headers| paused(&event(headers), "main").unwrap().kind;
        assert_eq!(kind(json!({ "Sec-Purpose": "prefetch;prerender" })), RequestKind::Prefetch);
        assert_eq!(kind(json!({ "sec-purpose": "Prefetch" })), RequestKind::Prefetch);
        assert_eq!(kind(json!({ "Accept": "text/html" })), RequestKind::Resource);
    }

    /// RUN-10: an error page is known by the URL that could not be reached, not by its own URL.
    #[test]
    fn an_error_page_tells_what_was_unreachable() {
        let plain = json!({ "frame": { "id": "f", "loaderId": "l", "url": "chrome-error://chromewebdata/" }, "type": "Navigation" });
        assert!(!navigated(&plain).unwrap().is_error_page);
        let error = json!({ "frame": { "id": "f", "loaderId": "l", "url": "chrome-error://chromewebdata/", "unreachableUrl": "https://a.example/" } });
        assert!(navigated(&error).unwrap().is_error_page);
        let restored = json!({ "frame": { "id": "f", "loaderId": "l", "url": "https://a.example/" }, "type": "BackForwardCacheRestore" });
        assert!(navigated(&restored).unwrap().restored);
    }
}
