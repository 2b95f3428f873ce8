//! The rule of the fence: one pure function from a request and what holds to a verdict.

use domain::scope::{HostRule, Place, SiteScope, has_origin, parse_origin};
use url::Url;

/// One paused request.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// Its URL, one hop of a redirect chain at a time.
    pub url: &'a str,
    /// What it is for.
    pub kind: RequestKind,
}

/// What a request is for, as far as the rule tells requests apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestKind {
    /// A document: the page's own or a frame's.
    Document {
        /// The page's own.
        main: bool,
    },
    /// A hyperlink-auditing ping or a beacon (HTML standard, "hyperlink auditing").
    Ping,
    /// A document or resource fetched ahead of its use.
    Prefetch,
    /// Anything else that a page loads.
    Resource,
}

/// What holds at the moment.
#[derive(Clone, Copy, Debug)]
pub struct FenceState<'a> {
    /// The lease's origins.
    pub allowed_origins: &'a [String],
    /// The scope of the granted act that runs, if one does.
    pub scope: Option<&'a SiteScope>,
}

/// What becomes of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It goes on.
    Pass,
    /// It fails before it is sent.
    Refuse(Refusal),
}

/// Why a request is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Refusal {
    /// A document from an origin that the lease does not allow.
    OriginNotAllowed,
    /// During a granted act: another origin.
    OtherOrigin,
    /// During a granted act: outside the prefix.
    OutsidePrefix,
    /// During a granted act: a sensitive path segment.
    Sensitive,
    /// A resource from this machine or a private network.
    PrivateHost,
    /// A scheme that no page needs here.
    Scheme,
    /// Fetched ahead of use.
    Prefetch,
}

/// Decides one request. Whatever cannot be read is refused.
#[must_use]
pub fn allow(request: &Request<'_>, state: &FenceState<'_>) -> Verdict {
    let refusal = match request.kind {
        RequestKind::Document { main } => refuse_document(request.url, main, state),
        RequestKind::Ping => state.scope.and_then(|scope| refuse_place(scope, request.url)).or_else(|| refuse_resource(request.url, state)),
        RequestKind::Prefetch => Some(Refusal::Prefetch),
        RequestKind::Resource => refuse_resource(request.url, state),
    };
    refusal.map_or(Verdict::Pass, Verdict::Refuse)
}

fn refuse_document(url: &str, main: bool, state: &FenceState<'_>) -> Option<Refusal> {
    if let Some(scope) = state.scope {
        return refuse_place(scope, url).or_else(|| refuse_origin(url, state));
    }
    // A frame made of its creator's own bytes brings no other origin in.
    let own_bytes = !main && Url::parse(url).is_ok_and(|url| url.scheme() == "data");
    if own_bytes { None } else { refuse_origin(url, state) }
}

fn refuse_origin(url: &str, state: &FenceState<'_>) -> Option<Refusal> {
    let allowed = state.allowed_origins.iter().any(|origin| has_origin(url, origin));
    (!allowed).then_some(Refusal::OriginNotAllowed)
}

fn refuse_place(scope: &SiteScope, url: &str) -> Option<Refusal> {
    match scope.place(url) {
        Place::Inside => None,
        Place::OtherOrigin => Some(Refusal::OtherOrigin),
        Place::OutsidePrefix => Some(Refusal::OutsidePrefix),
        Place::Sensitive => Some(Refusal::Sensitive),
    }
}

/// Real sites load from anywhere public. Hosts named by address or by a local name are refused
/// here; a public name that resolves to a private address is a matter of the network below.
fn refuse_resource(url: &str, state: &FenceState<'_>) -> Option<Refusal> {
    let Ok(parsed) = Url::parse(url) else { return Some(Refusal::Scheme) };
    match parsed.scheme() {
        "data" | "blob" => None,
        "http" | "https" => {
            let listed = state.allowed_origins.iter().any(|origin| has_origin(url, origin));
            let public = parsed.host_str().is_some_and(|host| parse_origin(&format!("https://{host}"), HostRule::Public).is_ok());
            (!listed && !public).then_some(Refusal::PrivateHost)
        }
        _ => Some(Refusal::Scheme),
    }
}

#[cfg(test)]
mod tests {
    use super::{FenceState, Refusal, Request, RequestKind, Verdict, allow};
    use domain::scope::{HostRule, SiteScope};

    const MAIN: RequestKind = RequestKind::Document { main: true };
    const SUB: RequestKind = RequestKind::Document { main: false };

    fn check(armed: bool, kind: RequestKind, rows: &[(&str, Option<Refusal>)]) {
        let scope = SiteScope::parse("https://127.0.0.1:8443/lesson", HostRule::PublicOrLoopback).unwrap();
        let allowed = ["https://127.0.0.1:8443".to_owned(), "https://www.example.com".to_owned()];
        let state = FenceState { allowed_origins: &allowed, scope: armed.then_some(&scope) };
        for (url, expected) in rows {
            let wanted = expected.map_or(Verdict::Pass, Verdict::Refuse);
            assert_eq!(allow(&Request { url, kind }, &state), wanted, "armed={armed} {kind:?} {url}");
        }
    }

    /// RUN-10: while a granted act runs, documents of any frame stay inside origin and prefix.
    #[test]
    fn an_armed_fence_keeps_documents_inside_the_scope() {
        use Refusal::{OtherOrigin, OutsidePrefix, Sensitive};
        let rows = [
            ("https://127.0.0.1:8443/lesson", None),
            ("https://127.0.0.1:8443/lesson/3?next=1", None),
            ("https://127.0.0.1:8443/lessons", Some(OutsidePrefix)),
            ("https://127.0.0.1:8443/", Some(OutsidePrefix)),
            ("https://127.0.0.1:8443/lesson/../shop", Some(OutsidePrefix)),
            ("https://127.0.0.1:8443/lesson/%2e%2e/shop", Some(OutsidePrefix)),
            ("https://127.0.0.1:8443/lesson/settings", Some(Sensitive)),
            ("https://127.0.0.1:8444/lesson", Some(OtherOrigin)),
            ("http://127.0.0.1:8443/lesson", Some(OtherOrigin)),
            ("https://www.example.com/lesson", Some(OtherOrigin)),
            ("data:text/html,x", Some(OtherOrigin)),
            ("about:blank", Some(OtherOrigin)),
            ("not a url", Some(OtherOrigin)),
        ];
        check(true, MAIN, &rows);
        check(true, SUB, &rows);
    }

    /// RUN-11: the origin guard holds when nothing is armed.
    #[test]
    fn documents_stay_on_the_allowed_origins_at_all_times() {
        use Refusal::OriginNotAllowed;
        let rows = [
            ("https://127.0.0.1:8443/lesson", None),
            ("https://127.0.0.1:8443/shop", None),
            ("https://www.example.com/anything", None),
            ("https://example.com/", Some(OriginNotAllowed)),
            ("http://www.example.com/", Some(OriginNotAllowed)),
            ("https://www.example.com:444/", Some(OriginNotAllowed)),
            ("https://www.example.com.evil.test/", Some(OriginNotAllowed)),
            ("file:///etc/passwd", Some(OriginNotAllowed)),
            ("chrome://settings", Some(OriginNotAllowed)),
            ("", Some(OriginNotAllowed)),
        ];
        check(false, MAIN, &rows);
        check(false, SUB, &rows);
        check(false, SUB, &[("data:text/html,x", None)]);
        check(false, MAIN, &[("data:text/html,x", Some(OriginNotAllowed))]);
    }

    /// RUN-10: pings are held like documents while armed, and like any resource otherwise.
    #[test]
    fn pings_follow_the_scope_while_armed() {
        let inside = "https://127.0.0.1:8443/lesson/tick";
        check(true, RequestKind::Ping, &[(inside, None), ("https://cdn.example.net/tick", Some(Refusal::OtherOrigin))]);
        check(true, RequestKind::Ping, &[("https://127.0.0.1:8443/shop", Some(Refusal::OutsidePrefix))]);
        check(false, RequestKind::Ping, &[(inside, None), ("https://cdn.example.net/tick", None)]);
    }

    /// RUN-14: nothing is fetched ahead, wherever it would come from.
    #[test]
    fn prefetch_is_always_refused() {
        for armed in [true, false] {
            check(armed, RequestKind::Prefetch, &[("https://127.0.0.1:8443/lesson", Some(Refusal::Prefetch))]);
        }
    }

    /// RUN-11: a page may load from public hosts, never from this machine or a private network.
    #[test]
    fn resources_come_from_public_hosts_or_the_lease_itself() {
        use Refusal::{PrivateHost, Scheme};
        let rows = [
            ("https://cdn.example.net/a.js", None),
            ("data:image/png;base64,x", None),
            ("https://127.0.0.1:8443/a.js", None),
            ("https://127.0.0.1:8090/healthz", Some(PrivateHost)),
            ("http://127.0.0.1:8443/a.js", Some(PrivateHost)),
            ("http://localhost:9222/json", Some(PrivateHost)),
            ("http://169.254.169.254/latest/meta-data", Some(PrivateHost)),
            ("http://10.0.0.1/", Some(PrivateHost)),
            ("http://[::1]:8090/", Some(PrivateHost)),
            ("http://0x7f000001/", Some(PrivateHost)),
            ("http://router/", Some(PrivateHost)),
            ("file:///etc/passwd", Some(Scheme)),
        ];
        check(false, RequestKind::Resource, &rows);
        check(true, RequestKind::Resource, &rows);
    }
}
