//! Which scope each route needs, as one table. A route without a row is refused to everybody.

use crate::scopes::Scope;
use axum::http::Method;

/// One row: the method, the route, and the scopes of which the token needs any one.
pub type Right = (Method, &'static str, &'static [Scope]);

/// Every route of the API. Task-grant rows stand here also while the routes are not mounted.
pub const RIGHTS: [Right; 23] = [
    (Method::POST, "/v1/sessions", &[Scope::SessionWrite]),
    (Method::GET, "/v1/sessions/{id}", &[Scope::SessionWrite, Scope::ActivityRead]),
    (Method::DELETE, "/v1/sessions/{id}", &[Scope::SessionWrite]),
    (Method::POST, "/v1/sessions/{id}/messages", &[Scope::SessionWrite]),
    (Method::POST, "/v1/sessions/{id}/runs", &[Scope::SessionWrite]),
    (Method::GET, "/v1/sessions/{id}/activity", &[Scope::ActivityRead]),
    (Method::GET, "/v1/sessions/{id}/events", &[Scope::ActivityRead]),
    (Method::POST, "/v1/runs/{id}/end", &[Scope::SessionWrite]),
    (Method::POST, "/v1/runs/{id}/tool-calls", &[Scope::ToolCall]),
    (Method::GET, "/v1/tool-calls/{id}", &[Scope::ToolCall, Scope::ActivityRead]),
    (Method::GET, "/v1/approvals", &[Scope::ApprovalRead]),
    (Method::GET, "/v1/approvals/{id}", &[Scope::ApprovalRead]),
    (Method::POST, "/v1/approvals/{id}/resolve", &[Scope::ApprovalResolve]),
    (Method::GET, "/v1/browser-task-grants", &[Scope::BrowserGrantRead]),
    (Method::GET, "/v1/browser-task-grants/{id}", &[Scope::BrowserGrantRead]),
    (Method::POST, "/v1/browser-task-grants/{id}/revoke", &[Scope::BrowserGrantWrite]),
    (Method::POST, "/v1/browser-profiles", &[Scope::BrowserProfileWrite]),
    (Method::GET, "/v1/browser-profiles/{id}", &[Scope::BrowserProfileWrite]),
    (Method::DELETE, "/v1/browser-profiles/{id}", &[Scope::BrowserProfileWrite]),
    (Method::POST, "/v1/browser-profiles/{id}/sign-ins", &[Scope::BrowserProfileWrite]),
    (Method::POST, "/v1/browser-profiles/{id}/sign-ins/{sign_in}/ready", &[Scope::BrowserProfileWrite]),
    (Method::POST, "/v1/browser-profiles/{id}/revoke", &[Scope::BrowserProfileWrite]),
    (Method::GET, "/v1/audit/events", &[Scope::AuditRead]),
];

/// The scopes of a route; `None` for a route without a row.
#[must_use]
pub fn needed(method: &Method, route: &str) -> Option<&'static [Scope]> {
    // HEAD is GET without a body, with the same rights.
    let method = if method == Method::HEAD { &Method::GET } else { method };
    RIGHTS.iter().find(|(m, r, _)| m == method && *r == route).map(|(_, _, scopes)| *scopes)
}

/// The methods of a route, for the `Allow` header (RFC 9110, 15.5.6).
#[must_use]
pub fn methods(route: &str) -> String {
    let mut methods: Vec<&str> = RIGHTS.iter().filter(|(_, r, _)| *r == route).map(|(method, _, _)| method.as_str()).collect();
    if methods.contains(&"GET") {
        methods.push("HEAD");
    }
    methods.join(", ")
}
