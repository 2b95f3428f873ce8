//! Certificates that nobody signed: refused, except under the development switch and then from
//! loopback hosts alone (SCP-6).

use domain::scope::HostRule;
use url::{Host, Url};

/// Whether a certificate that failed its checks is taken for this URL.
#[must_use]
pub fn accept(url: &str, hosts: HostRule) -> bool {
    if hosts != HostRule::PublicOrLoopback {
        return false;
    }
    let Ok(url) = Url::parse(url) else { return false };
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        // Chromium resolves these names to loopback itself, whatever the network says (RFC 6761).
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::accept;
    use domain::scope::HostRule::{Public, PublicOrLoopback};

    /// SCP-6: only with the switch, and only on this machine.
    #[test]
    fn only_loopback_and_only_with_the_switch() {
        for url in ["https://127.0.0.1:8443/lesson", "https://[::1]/", "https://localhost:1/", "wss://127.0.0.1/socket"] {
            assert!(accept(url, PublicOrLoopback), "{url}");
            assert!(!accept(url, Public), "{url}");
        }
        for url in [
            "https://127.0.0.1.evil.example/",
            "https://localhost.evil.example/",
            "https://10.0.0.1/",
            "https://evil.example/?127.0.0.1",
            "",
        ] {
            assert!(!accept(url, PublicOrLoopback), "{url}");
        }
    }
}
