//! Scope entries and URLs. An input is an entry on the first line, and a URL on each other.

use domain::scope::{HostRule, Place, SiteScope, has_origin, parse_origin};
use url::Url;

/// Checks one input.
pub(crate) fn check(bytes: &[u8]) {
    let input = String::from_utf8_lossy(bytes);
    let mut lines = input.split('\n');
    let fixed = SiteScope::parse("https://www.example.com/lesson", HostRule::Public).expect("a scope");
    let entry = lines.next().unwrap_or_default();
    let configured = SiteScope::parse(entry, HostRule::PublicOrLoopback);
    match (&configured, SiteScope::parse(entry, HostRule::Public)) {
        (Ok(loose), Ok(strict)) => assert_eq!(loose, &strict, "one entry, one scope"),
        (Err(_), Ok(_)) => panic!("the switch only admits: {entry:?}"),
        _ => {}
    }
    let scopes: Vec<SiteScope> = configured.into_iter().chain([fixed]).collect();
    for scope in &scopes {
        is_itself(scope);
        lines.clone().chain([entry]).for_each(|url| lies_right(scope, url));
    }
    let _ = parse_origin(entry, HostRule::Public);
}

fn is_itself(scope: &SiteScope) {
    let (origin, prefix) = (scope.origin(), scope.path_prefix());
    let written = scope.to_string();
    assert_eq!(SiteScope::parse(&written, HostRule::PublicOrLoopback).as_ref(), Ok(scope), "written and read");
    assert_eq!(SiteScope::from_parts(origin, &prefix).as_ref(), Ok(scope), "taken apart and put together");
    assert_eq!(parse_origin(origin, HostRule::PublicOrLoopback).as_deref(), Ok(origin), "its origin is one");
    assert!(has_origin(&written, origin), "it lies on its origin");
    assert_eq!(scope.place(&written), Place::Inside, "it lies inside itself");
    assert_eq!(scope.place(&format!("{written}/3?q=/admin#x")), Place::Inside, "what lies below lies inside");
    for outside in
        [format!("{written}s"), format!("{origin}/"), format!("{written}%2f..%2fadmin"), format!("{written}/../{}", &prefix[1..])]
    {
        assert_eq!(scope.place(&outside), Place::OutsidePrefix, "{outside:?}");
    }
    for elsewhere in [written.replacen("https:", "http:", 1), written.replacen("https://", "https://x", 1), format!("blob:{written}")] {
        // A host of brackets takes no letter before it, and is then no host.
        assert_eq!(scope.place(&elsewhere), Place::OtherOrigin, "{elsewhere:?}");
    }
}

fn lies_right(scope: &SiteScope, url: &str) {
    let place = scope.place(url);
    let parsed = Url::parse(url);
    let there = parsed.as_ref().is_ok_and(|parsed| {
        let bare = parsed.username().is_empty() && parsed.password().is_none();
        parsed.scheme() == "https" && bare && parsed.origin().ascii_serialization() == scope.origin()
    });
    assert!(there || place == Place::OtherOrigin, "on another origin and {place:?}");
    if !matches!(place, Place::Inside | Place::Sensitive) {
        return;
    }
    let parsed = parsed.expect("what lies inside is a URL");
    let path = parsed.path();
    let below = path == scope.path_prefix() || path.starts_with(&format!("{}/", scope.path_prefix()));
    assert!(below, "{path:?} does not lie below {:?}", scope.path_prefix());
    let lower = path.to_ascii_lowercase();
    assert!(!["%2f", "%5c", "%2e", "%25", "%00", "\\", ";", "//"].iter().any(|trick| lower.contains(trick)), "{path:?} reads in two ways");
    assert!(has_origin(url, scope.origin()), "inside, and on the origin");
    assert_eq!(scope.place(parsed.as_str()), place, "as the browser writes it");
}
