//! The fence on real Chromium, seen from the servers on both sides (rows 4 to 7 of the measurements).
//! Each way out has a neighbour that stays inside and must work.

use crate::bench::Bench;
use browser_runtime::selftest::site::Reply;
use std::time::Instant;

fn lesson(path: &str, stranger: &str) -> Option<Reply> {
    let body = match path {
        "/lesson/1" => format!(
            r#"<!doctype html><title>One</title>
            <p><a id="blank" target="_blank" href="/lesson/window">Window</a>
            <p><button id="open" onclick="window.open('/lesson/window')">Open</button>
            <p><button id="open-outside" onclick="window.open('/shop')">Open</button>
            <p><button id="open-blank" onclick="const w = window.open('about:blank'); if (w) w.location = '/shop'">Open</button>
            <p><button id="beacon" onclick="navigator.sendBeacon('/shop/beacon')">Beacon</button>
            <p><button id="frame" onclick="const f = document.createElement('iframe'); f.src = '/shop/frame'; document.body.append(f)">Frame</button>
            <p><a id="away" href="{stranger}/x">Away</a>
            "#
        ),
        _ => "<!doctype html><title>Other</title>".to_owned(),
    };
    Some(Reply::html(body))
}

/// RUN-10: probe.
#[tokio::test(flavor = "multi_thread")]
async fn links_stay_inside_the_scope() {
    let bench = Bench::with(lesson).await;
    for id in ["blank", "frame", "beacon", "open", "open-outside", "open-blank"] {
        bench.goto("/lesson/1").await;
        bench.fence.arm(&bench.scope()).await.unwrap();
        let t = Instant::now();
        let settled = bench.click(id).await;
        println!("{id}: {settled:?} {:?} {:?} {:?}", t.elapsed(), bench.fence.disarm().await, bench.site.seen());
    }
    bench.end().await;
}
