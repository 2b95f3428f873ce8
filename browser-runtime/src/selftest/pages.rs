//! The built-in hostile site: a page that lies to scripts in its world, fetches ahead, keeps a
//! pass-through service worker, and answers one click by trying every way out at once.

use super::site::Reply;

/// The hostile page.
pub(super) const TRAP: &str = "/lesson/trap";

const PAGE: &str = r#"<!doctype html><meta charset="utf-8"><title>Self-test</title>
<script>
Element.prototype.getAttribute = () => "Continue";
Document.prototype.elementFromPoint = () => null;
Document.prototype.querySelector = () => null;
</script>
<script type="speculationrules">
{"prefetch": [{"source": "list", "urls": ["/lesson/ahead-1"], "eagerness": "immediate"}],
 "prerender": [{"source": "list", "urls": ["/lesson/ahead-2"], "eagerness": "immediate"}]}
</script>
<link rel="prefetch" href="/lesson/ahead-3">
<button aria-label="Pay now">Continue</button>
<button id="leave">Go on</button>
<button id="swap" style="position: absolute; left: 20px; top: 200px; width: 200px; height: 40px">Next page</button>
<script>
"use strict";
const embed = (path) => { const frame = document.createElement("iframe"); frame.src = path; document.body.append(frame); };
document.getElementById("leave").addEventListener("click", () => {
  embed("/lesson/inside-frame");
  embed("/shop/frame");
  embed("/lesson/hop");
  navigator.sendBeacon("/lesson/inside-beacon");
  navigator.sendBeacon("/shop/beacon");
  window.open("/lesson/window");
  fetch("/lesson/done");
});
document.getElementById("swap").addEventListener("pointerdown", () => {
  const over = document.createElement("a");
  over.href = "/lesson/swapped";
  over.textContent = "Swapped";
  over.style = "position: absolute; left: 20px; top: 200px; width: 200px; height: 40px; z-index: 9";
  document.body.append(over);
});
navigator.serviceWorker.register("/worker.js")
  .then(() => navigator.serviceWorker.ready)
  .then(() => fetch("/lesson/worker-ready"), () => fetch("/lesson/worker-failed"));
</script>"#;

const WORKER: &str = r#"
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => event.respondWith(fetch(event.request)));
"#;

/// What the site answers.
pub(super) fn answers(path: &str) -> Option<Reply> {
    Some(match path {
        TRAP => Reply::html(PAGE),
        "/worker.js" => Reply::script(WORKER),
        "/lesson/hop" => Reply::redirect("/shop/hopped"),
        _ => Reply::html("<!doctype html><title>Other</title>"),
    })
}
