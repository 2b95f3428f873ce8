//! The tripwire: whether a document that appeared is accounted for by a request that passed.
//!
//! Documents can appear with no request at all: a move through the history that is served from
//! memory, a `javascript:` document. A fence on requests is silent there, so the commits are watched too.

use super::rule::FenceState;
use domain::scope::{Place, has_origin};

/// One document that a frame now shows.
#[derive(Clone, Copy, Debug)]
pub struct Commit<'a> {
    /// It is the page itself.
    pub main: bool,
    /// Its URL.
    pub url: &'a str,
    /// The browser's own error page stands in for it.
    pub is_error_page: bool,
    /// It came back from the back/forward cache.
    pub restored: bool,
    /// The URL of the last hop that the fence passed for this very load, if one did.
    pub passed: Option<&'a str>,
}

/// The pages that a browser may show first, all of them its own.
const FIRST_PAGES: [&str; 3] = ["chrome://newtab/", "chrome://new-tab-page/", "chrome://new-tab-page-third-party/"];

/// Whether the commit is one that the rule could have stopped, and did not.
#[must_use]
pub fn judge(commit: &Commit<'_>, state: &FenceState<'_>) -> bool {
    if commit.is_error_page {
        return true;
    }
    let Some(scope) = state.scope else {
        return stays_on_origins(commit, state);
    };
    if commit.restored {
        return false;
    }
    // An empty frame, or one made of its creator's markup, brings in no document from anywhere. The
    // page itself becoming blank is another matter: then the page that was approved is gone.
    if !commit.main && matches!(commit.url, "about:blank" | "about:srcdoc") {
        return true;
    }
    let inside = |url: &str| scope.place(url) == Place::Inside;
    commit.passed.is_some_and(inside) && inside(commit.url)
}

fn stays_on_origins(commit: &Commit<'_>, state: &FenceState<'_>) -> bool {
    // `data:,` is the empty document that ChromeDriver starts a browser with; it may still be on its
    // way when the fence goes up.
    let blank = matches!(commit.url.split(['#', '?']).next(), Some("about:blank" | "about:srcdoc" | "data:,"));
    let own_bytes = !commit.main && commit.url.starts_with("data:");
    // The browser's own first page commits late on a busy machine (measured: in most starts at a load
    // of ten on two cores). No page can lead there: Chromium lets no website open `chrome:` addresses.
    let first_page = commit.main && FIRST_PAGES.contains(&commit.url);
    first_page || blank || own_bytes || state.allowed_origins.iter().any(|origin| has_origin(commit.url, origin))
}

#[cfg(test)]
mod tests {
    use super::{Commit, judge};
    use crate::fence::rule::FenceState;
    use domain::scope::{HostRule, SiteScope};

    const INSIDE: &str = "https://www.example.com/lesson/2";
    const OUTSIDE: &str = "https://www.example.com/shop";

    fn plain(url: &str) -> Commit<'_> {
        Commit { main: true, url, is_error_page: false, restored: false, passed: Some(url) }
    }

    fn judged(armed: bool, commit: Commit<'_>) -> bool {
        let scope = SiteScope::parse("https://www.example.com/lesson", HostRule::Public).unwrap();
        let allowed = ["https://www.example.com".to_owned()];
        judge(&commit, &FenceState { allowed_origins: &allowed, scope: armed.then_some(&scope) })
    }

    /// RUN-10: during a granted act a document needs a passed request, inside the scope.
    #[test]
    fn an_armed_tripwire_wants_a_passed_request() {
        assert!(judged(true, plain(INSIDE)));
        assert!(!judged(true, Commit { passed: None, ..plain(INSIDE) }));
        assert!(!judged(true, plain(OUTSIDE)));
        assert!(!judged(true, Commit { passed: Some(OUTSIDE), ..plain(INSIDE) }));
        assert!(!judged(true, Commit { restored: true, ..plain(INSIDE) }));
        assert!(judged(true, Commit { is_error_page: true, passed: None, ..plain("chrome-error://chromewebdata/") }));
    }

    /// RUN-10: empty frames are no documents from anywhere; an emptied page is not the approved one.
    #[test]
    fn an_empty_frame_is_no_load() {
        for url in ["about:blank", "about:srcdoc"] {
            assert!(judged(true, Commit { main: false, passed: None, ..plain(url) }));
            assert!(!judged(true, Commit { passed: None, ..plain(url) }));
        }
        assert!(!judged(true, Commit { main: false, passed: None, ..plain("data:text/html,x") }));
    }

    /// RUN-11: with nothing armed only the origin counts, however the document came.
    #[test]
    fn a_resting_tripwire_watches_origins() {
        assert!(judged(false, Commit { passed: None, restored: true, ..plain(OUTSIDE) }));
        assert!(judged(false, Commit { passed: None, ..plain("about:blank") }));
        assert!(judged(false, Commit { passed: None, ..plain("data:,") }));
        assert!(judged(false, Commit { passed: None, ..plain("chrome://new-tab-page-third-party/") }));
        assert!(!judged(true, Commit { passed: None, ..plain("chrome://new-tab-page-third-party/") }));
        assert!(!judged(false, Commit { main: false, passed: None, ..plain("chrome://newtab/") }));
        assert!(!judged(false, Commit { passed: None, ..plain("chrome://settings/") }));
        assert!(!judged(false, Commit { passed: None, ..plain("https://evil.example/") }));
        assert!(!judged(false, Commit { passed: None, ..plain("data:text/html,x") }));
    }
}
