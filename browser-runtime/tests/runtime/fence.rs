//! The fence on real Chromium, seen from the servers on both sides (rows 4 to 7 of the measurements).

use crate::bench::Bench;
use browser_runtime::selftest::site::Reply;

fn lesson(path: &str, stranger: &str) -> Option<Reply> {
    let body = match path {
        "/lesson/1" => format!(
            r#"<!doctype html><title>One</title><a id="next" href="/lesson/2">Next</a>
            <a id="shop" href="/shop">Shop</a> <a id="away" href="{stranger}/x">Away</a>
            <a id="window" target="_blank" href="/lesson/window">Window</a>"#
        ),
        "/lesson/2" => "<!doctype html><title>Two</title>".to_owned(),
        "/shop" => "<!doctype html><title>Shop</title>".to_owned(),
        _ => return None,
    };
    Some(Reply::html(body))
}

/// RUN-10: links inside the scope work; one out of it, and a new window, never reach the server.
#[tokio::test(flavor = "multi_thread")]
async fn links_stay_inside_the_scope() {
    let bench = Bench::with(lesson).await;
    let t = std::time::Instant::now();
    println!("{:?}", bench.goto("/lesson/1").await);
    println!("goto {:?}", t.elapsed());
    println!("{:?}", bench.fence.take_report().await);
    bench.fence.arm(&bench.scope()).await.unwrap();
    let t = std::time::Instant::now();
    println!("{:?}", bench.click("window").await);
    println!("click {:?}", t.elapsed());
    println!("{:?}", bench.fence.disarm().await);
    bench.fence.arm(&bench.scope()).await.unwrap();
    let t = std::time::Instant::now();
    println!("{:?}", bench.click("shop").await);
    println!("click {:?}", t.elapsed());
    println!("{:?} {}", bench.fence.disarm().await, bench.path().await);
    println!("{:?}", bench.site.seen());
    println!("{:?}", bench.stranger.seen());
    bench.goto("/lesson/1").await;
    bench.fence.arm(&bench.scope()).await.unwrap();
    println!("{:?}", bench.click("next").await);
    println!("{:?} {}", bench.fence.disarm().await, bench.path().await);
    let t = std::time::Instant::now();
    bench.end().await;
    println!("close {:?}", t.elapsed());
}
