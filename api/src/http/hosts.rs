//! Refuses requests that were addressed to another name: a page that rebinds its own name to this
//! machine reaches the port, but cannot choose the `Host` header (threat G4).

use crate::app::App;
use crate::problem::Problem;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::SocketAddr;

/// The `Host` values of a listen address and of the names that an operator added.
#[must_use]
pub fn allowed_hosts(listen: SocketAddr, named: &[String]) -> Vec<String> {
    let port = listen.port();
    let mut hosts = vec![listen.to_string()];
    if listen.ip().is_loopback() {
        hosts.extend([format!("localhost:{port}"), format!("127.0.0.1:{port}"), format!("[::1]:{port}")]);
    }
    for name in named {
        hosts.extend([name.clone(), format!("{name}:{port}")]);
    }
    hosts
}

/// The middleware; outermost, so that nothing is routed before it.
pub(super) async fn check(State(app): State<App>, request: Request, next: Next) -> Response {
    let mut named = request.headers().get_all(header::HOST).iter();
    let host = named.next().and_then(|host| host.to_str().ok()).map(str::to_ascii_lowercase);
    let known = host.is_some_and(|host| app.hosts.contains(&host)) && named.next().is_none();
    // An absolute-form target must not name yet another host.
    let target = request.uri().authority().map(|authority| authority.as_str().to_ascii_lowercase());
    if !known || target.is_some_and(|target| !app.hosts.contains(&target)) {
        return Problem::new(StatusCode::MISDIRECTED_REQUEST, "host_unknown", "this server does not answer to the name in the Host header; set HALLPASS_ALLOWED_HOSTS").into_response();
    }
    next.run(request).await
}
