//! Refuses requests that were addressed to another name: a page that rebinds its own name to this
//! machine reaches the port, but cannot choose the `Host` header (threat G4).

use crate::app::App;
use crate::problem::Problem;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::SocketAddr;

/// The port that clients leave out.
const HTTP_PORT: u16 = 80;

/// The `Host` values of a listen address and of the names that an operator added.
#[must_use]
pub fn allowed_hosts(listen: SocketAddr, named: &[String]) -> Vec<String> {
    let port = listen.port();
    let mut hosts = vec![listen.to_string()];
    if listen.ip().is_loopback() {
        hosts.extend([format!("localhost:{port}"), format!("127.0.0.1:{port}"), format!("[::1]:{port}")]);
    }
    if port == HTTP_PORT {
        let bare: Vec<String> = hosts.iter().filter_map(|host| host.strip_suffix(":80")).map(str::to_owned).collect();
        hosts.extend(bare);
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
        return Problem::new(
            StatusCode::MISDIRECTED_REQUEST,
            "host_unknown",
            "this server does not answer to the name in the Host header; set HALLPASS_ALLOWED_HOSTS",
        )
        .into_response();
    }
    next.run(request).await
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Threat G4: clients leave the port of the scheme out (RFC 9110, section 7.2), and no other.
    #[test]
    fn the_port_of_http_may_be_left_out() {
        let hosts = |listen: &str| allowed_hosts(listen.parse().unwrap(), &["console.example.com".to_owned()]);
        for name in ["127.0.0.1", "localhost", "[::1]", "127.0.0.1:80", "console.example.com"] {
            assert!(hosts("127.0.0.1:80").contains(&name.to_owned()), "{name}");
        }
        assert!(!hosts("127.0.0.1:8080").contains(&"localhost".to_owned()));
        assert!(hosts("192.0.2.1:80").contains(&"192.0.2.1".to_owned()) && !hosts("192.0.2.1:80").contains(&"localhost".to_owned()));
    }
}
