//! Which hosts are public (requirements SCP-2 and SCP-6).

use url::{Host, Url};

/// Which hosts a scope may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostRule {
    /// Public hosts only.
    Public,
    /// Public hosts and loopback ones: the development switch (SCP-6).
    PublicOrLoopback,
}

pub(super) fn host_allowed(url: &Url, hosts: HostRule) -> bool {
    let loopback_admitted = hosts == HostRule::PublicOrLoopback;
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback() && loopback_admitted || is_public_v4(address),
        Some(Host::Ipv6(address)) => match address.to_ipv4_mapped() {
            Some(mapped) => is_public_v4(mapped),
            None => address.is_loopback() && loopback_admitted || is_public_v6(address),
        },
        Some(Host::Domain(name)) => {
            if name == "localhost" || name.ends_with(".localhost") {
                return loopback_admitted;
            }
            let whole = name.contains('.') && !name.split('.').any(str::is_empty);
            whole && !PRIVATE_SUFFIXES.iter().any(|suffix| name.ends_with(suffix))
        }
        None => false,
    }
}

/// Ends of names that only private networks resolve (RFC 6762 and appendix G, RFC 8375, ICANN's
/// reservation of `internal`), and that the public name system never does (RFC 6761, RFC 7686, RFC
/// 9476). Names for tests and documents (RFC 2606) stay: they lead only where their operator made them.
const PRIVATE_SUFFIXES: [&str; 12] =
    [".local", ".localdomain", ".internal", ".home.arpa", ".lan", ".intranet", ".corp", ".home", ".private", ".invalid", ".onion", ".alt"];
/// Azure's platform address: public by its range, but the metadata of the machine that asks.
const PLATFORM_METADATA: [u8; 4] = [168, 63, 129, 16];

/// Whether an IPv4 address is globally reachable (the special-purpose registry of RFC 6890, and
/// what was added to it since).
#[must_use]
pub fn is_public_v4(address: std::net::Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let special = address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_broadcast()
        || address.is_documentation()
        || address.is_unspecified()
        || address.is_multicast()
        || a == 0
        || (a == 100 && (64..128).contains(&b))
        || (a == 192 && b == 0 && c == 0)
        || (a == 192 && b == 88 && c == 99)
        || (a == 198 && (b == 18 || b == 19))
        || a >= 240
        || address.octets() == PLATFORM_METADATA;
    !special
}

/// Whether an IPv6 address is globally reachable: inside 2000::/3 and outside the documentation,
/// benchmarking and transition ranges, which can carry a private IPv4 address.
#[must_use]
pub fn is_public_v6(address: std::net::Ipv6Addr) -> bool {
    let [first, second, ..] = address.segments();
    let global = first & 0xe000 == 0x2000;
    let special = (first == 0x2001 && (second < 0x0200 || second == 0x0db8)) || first == 0x2002 || (first == 0x3fff && second < 0x1000);
    global && !special
}
