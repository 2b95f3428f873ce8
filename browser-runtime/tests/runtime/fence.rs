//! The fence on real Chromium, seen from the servers on both sides (rows 4 to 7 of the measurements).
//! Each way out has a neighbour that stays inside and must work.

use crate::bench::{Bench, Unfenced};
use browser_runtime::selftest::site::Reply;
use std::time::Duration;

/// Longest wait for a request that must come.
const LIMIT: Duration = Duration::from_secs(10);

/// What a click does with a path; each is tried with a path outside the prefix and one inside.
const WAYS: [(&str, &str); 17] = [
    ("location", "location = PATH"),
    ("replace", "location.replace(PATH)"),
    ("link", "const a = document.createElement('a'); a.href = PATH; document.body.append(a); a.click()"),
    ("form", "const f = document.createElement('form'); f.action = PATH; f.method = 'post'; document.body.append(f); f.submit()"),
    (
        "meta refresh",
        "const m = document.createElement('meta'); m.httpEquiv = 'refresh'; m.content = '0;url=' + PATH; document.head.append(m)",
    ),
    ("frame", "const f = document.createElement('iframe'); f.src = PATH; document.body.append(f)"),
    ("frame moved later", "const f = document.createElement('iframe'); document.body.append(f); f.contentWindow.location = PATH"),
    (
        "frame in a written frame",
        "const f = document.createElement('iframe'); f.srcdoc = `<iframe src='${PATH}'></iframe>`; document.body.append(f)",
    ),
    ("object", "const o = document.createElement('object'); o.data = PATH; o.type = 'text/html'; document.body.append(o)"),
    ("embed", "const e = document.createElement('embed'); e.src = PATH; e.type = 'text/html'; document.body.append(e)"),
    ("beacon", "navigator.sendBeacon(PATH)"),
    ("ping", "const a = document.createElement('a'); a.href = '#x'; a.ping = PATH; document.body.append(a); a.click()"),
    ("beacon at the end", "addEventListener('pagehide', () => navigator.sendBeacon(PATH)); location = '/lesson/next'"),
    ("beacon when hidden", "addEventListener('visibilitychange', () => navigator.sendBeacon(PATH)); location = '/lesson/next-alone'"),
    ("redirect", "location = '/lesson/hop?' + PATH"),
    (
        "script's address",
        "const f = document.createElement('iframe'); f.src = `javascript:location.href='${PATH}'`; document.body.append(f)",
    ),
    ("navigation interface", "navigation.navigate(PATH)"),
];

/// A beacon of a page that goes away may be lost with it, fence or not.
fn may_be_lost(name: &str) -> bool {
    name.starts_with("beacon ")
}

fn page(path: &str, _: &str) -> Option<Reply> {
    if let Some(to) = path.strip_prefix("/lesson/hop?") {
        return Some(Reply::redirect(to));
    }
    if path == "/lesson/next-alone" {
        let mut alone = Reply::html("<!doctype html><title>Alone</title>");
        alone.headers.push_str("Cross-Origin-Opener-Policy: same-origin\r\n");
        return Some(alone);
    }
    let Some((way, to)) = path.strip_prefix("/lesson/way-").and_then(|way| way.split_once('?')) else {
        return Some(Reply::html("<!doctype html><title>Other</title>"));
    };
    let does = WAYS[way.parse::<usize>().unwrap()].1;
    Some(Reply::html(format!(
        "<!doctype html><title>Way</title><button id=go>Go</button><script>const PATH = '{to}'; go.onclick = () => {{ {does} }};</script>"
    )))
}

/// RUN-10, C5, D3, D5: during a granted act no document and no ping leaves the prefix, by whatever
/// way; the same way inside it is taken.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_leaves_the_prefix_and_everything_inside_works() {
    let mut bench = Bench::with(page).await;
    let mut faults = Vec::new();
    for (number, (name, _)) in WAYS.iter().enumerate() {
        for (to, passes) in [(format!("/shop/out-{number}"), false), (format!("/lesson/in-{number}"), true)] {
            bench.goto(&format!("/lesson/way-{number}?{to}")).await;
            bench.fence.arm(&bench.scope()).await.unwrap();
            let settled = bench.click("go").await;
            if passes && !may_be_lost(name) && !bench.site.was_asked(&to, LIMIT).await {
                faults.push(format!("{name}: {to} was not reached ({settled:?})"));
            }
            if !passes && !may_be_lost(name) && !bench.refused_something(LIMIT).await {
                faults.push(format!("{name}: nothing was refused"));
            }
            let report = bench.fence.disarm().await;
            if !passes && bench.site.count(&to) > 0 {
                faults.push(format!("{name}: {to} was reached"));
            }
            if report.is_breach() {
                faults.push(format!("{name}: {to} breached: {report:?}"));
                bench.end().await;
                bench = Bench::with(page).await;
            }
        }
    }
    bench.end().await;
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The same clicks with no fence reach what lies outside, so that the rows above mean something.
#[tokio::test(flavor = "multi_thread")]
async fn without_the_fence_every_way_leads_outside() {
    let bare = Unfenced::with(page).await;
    bare.trust_all().await;
    let mut faults = Vec::new();
    for (number, (name, _)) in WAYS.iter().enumerate() {
        bare.goto(&format!("/lesson/way-{number}?/shop/out-{number}")).await;
        bare.press("go").await;
        if !may_be_lost(name) && !bare.site.was_asked(&format!("/shop/out-{number}"), LIMIT).await {
            faults.push(*name);
        }
    }
    bare.end().await;
    assert!(faults.is_empty(), "these ways lead nowhere by themselves: {faults:?}");
}
