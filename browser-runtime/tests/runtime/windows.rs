//! Every way to a new window, from one click: no request of any of them leaves, the page goes on, and
//! the click comes back. Without the fence the same pages do reach the server, so the rows mean
//! something.

use crate::bench::{Bench, Unfenced};
use browser_runtime::selftest::site::Reply;
use browser_runtime::settle::Settled;
use std::time::{Duration, Instant};

/// Longest that a click may take with everything that it sets off.
const CLICK_MAX: Duration = Duration::from_secs(12);

/// What the click does; whether its effect is seen without the fence (a popup blocker may stop it).
const WAYS: [(&str, &str); 25] = [
    ("open", "open('/lesson/out-1')"),
    ("no opener", "open('/lesson/out-2', '_blank', 'noopener')"),
    ("outside", "open('/shop/out-3')"),
    ("one name twice", "open('/lesson/out-4', 'n'); open('/lesson/out-5', 'n')"),
    ("one name later", "open('', 'n'); setTimeout(() => open('/lesson/out-6', 'n'))"),
    ("blank, then moved", "const w = open(); w.location = '/lesson/out-7'"),
    ("blank, then replaced", "const w = open('about:blank'); w.location.replace('/shop/out-8')"),
    (
        "blank, then moved later",
        "const w = open(); setTimeout(() => { w.location = '/lesson/out-9'; }); Promise.resolve().then(() => { w.location = '/lesson/out-10'; })",
    ),
    ("many", "for (let i = 0; i < 5; i++) open('/lesson/out-11-' + i)"),
    ("from a frame", "const f = document.createElement('iframe'); document.body.append(f); f.contentWindow.open('/lesson/out-12')"),
    (
        "a form",
        "const f = document.createElement('form'); f.action = '/lesson/out-13'; f.target = '_blank'; f.method = 'post'; document.body.append(f); f.submit()",
    ),
    (
        "a form to a name",
        "open('', 'n'); const f = document.createElement('form'); f.action = '/shop/out-14'; f.target = 'n'; document.body.append(f); f.submit()",
    ),
    (
        "a script's click on a link",
        "const a = document.createElement('a'); a.href = '/lesson/out-15'; a.target = '_blank'; document.body.append(a); a.click()",
    ),
    ("from pagehide", "addEventListener('pagehide', () => open('/lesson/out-16')); location = '/lesson/2'"),
    (
        "a frame written into it",
        "const w = open(); w.document.write('<iframe src=/lesson/out-17></iframe><iframe src=/shop/out-18></iframe>')",
    ),
    (
        "its own requests",
        "const w = open(); w.navigator.sendBeacon('/shop/out-21'); const a = w.document.createElement('a'); a.href = '#x'; a.ping = '/shop/out-22'; w.document.body.append(a); a.click()",
    ),
    (
        "its own end",
        "const w = open(); const go = () => { w.navigator.sendBeacon('/shop/out-24'); }; for (const type of ['pagehide', 'unload', 'visibilitychange']) w.addEventListener(type, go)",
    ),
    ("a window of a window", "const w = open(); w.open('/lesson/out-26'); w.eval('open(`/lesson/out-27`)')"),
    (
        "script as its address",
        "const w = open('javascript:location.href=`/lesson/out-28`'); w.location = 'javascript:location.href=`/lesson/out-29`'",
    ),
    ("back to its opener", "const w = open(); w.document.write('<script>opener.open(`/lesson/out-30`)<\\/script>')"),
    ("a question in it", "const w = open(); w.alert('x'); w.location = '/lesson/out-31'"),
    (
        "busy",
        "const w = open(); w.document.write('<script>for (const end = performance.now() + 3000; performance.now() < end;);<\\/script>'); w.location = '/lesson/out-32'",
    ),
    (
        "picture in picture",
        "documentPictureInPicture.requestWindow().then((w) => { w.document.body.innerHTML = '<iframe src=/shop/out-33></iframe>'; })",
    ),
    (
        "a worker's window",
        "const b = URL.createObjectURL(new Blob(['fetch(`/lesson/fine`)'])); const w = open(b); w.location = '/lesson/out-34'",
    ),
    (
        "a question before it",
        "const w = open('/lesson/out-35'); addEventListener('beforeunload', (e) => e.preventDefault()); location = '/shop/out-36'",
    ),
];

fn page(path: &str, _: &str) -> Option<Reply> {
    let Some(way) = path.strip_prefix("/lesson/way-").and_then(|way| way.parse::<usize>().ok()) else {
        return Some(Reply::html("<!doctype html><title>Other</title>"));
    };
    let does = WAYS[way].1;
    Some(Reply::html(format!(
        "<!doctype html><title>Way</title><button id=go>Go</button><script>go.onclick = () => {{ document.title = 'clicked'; {does} }};</script>"
    )))
}

/// RUN-10, D4: a new window never loads, however it is opened, and holds nothing up.
#[tokio::test(flavor = "multi_thread")]
async fn no_new_window_ever_loads() {
    let mut bench = Bench::with(page).await;
    let mut faults = Vec::new();
    for (number, (name, _)) in WAYS.iter().enumerate() {
        bench.goto(&format!("/lesson/way-{number}")).await;
        bench.fence.arm(&bench.scope()).await.unwrap();
        let begun = Instant::now();
        let clicked = tokio::time::timeout(CLICK_MAX, bench.click("go")).await;
        let took = begun.elapsed();
        let report = tokio::time::timeout(CLICK_MAX, bench.fence.disarm()).await;
        let left: Vec<String> = bench.site.seen().into_iter().filter(|path| path.contains("/out-")).collect();
        if !left.is_empty() {
            faults.push(format!("{name}: {left:?} left"));
        }
        let alive = !bench.browser.link().is_lost() && report.is_ok();
        let hung = !matches!(clicked, Ok(Settled::Quiet | Settled::DialogOpen));
        if hung || !alive {
            faults.push(format!("{name}: {clicked:?} after {took:?}, {report:?}"));
        }
        if hung || !alive || !left.is_empty() || clicked == Ok(Settled::DialogOpen) || number % 6 == 5 {
            bench.end().await;
            bench = Bench::with(page).await;
        }
    }
    bench.end().await;
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// RUN-10: the same clicks with no fence: the windows do go where they are sent, so that the rows
/// above mean something.
#[tokio::test(flavor = "multi_thread")]
async fn without_the_fence_windows_do_load() {
    let bare = Unfenced::with(page).await;
    bare.trust_all().await;
    let mut faults = Vec::new();
    for number in [0, 1, 5, 9, 10, 12] {
        bare.goto(&format!("/lesson/way-{number}")).await;
        let before = bare.windows_at("/lesson/out-").await;
        assert!(bare.press("go").await);
        let loaded = async { while bare.windows_at("/lesson/out-").await == before {} };
        if tokio::time::timeout(Duration::from_secs(5), loaded).await.is_err() {
            faults.push(WAYS[number].0);
        }
    }
    bare.end().await;
    assert!(faults.is_empty(), "these open no window by themselves: {faults:?}");
}
