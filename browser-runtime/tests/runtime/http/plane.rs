//! A runtime's routes on a free port, a caller that speaks HTTP/1.1 byte by byte, and a site whose
//! page does what the test tells it.

use browser_runtime::config::Token;
use browser_runtime::http::{ControlPlane, router};
use browser_runtime::lease::quarters;
use browser_runtime::lease::registry::{Place, Registry};
use browser_runtime::selftest::site::{Reply, Site};
use domain::scope::HostRule;
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

pub(crate) const TOKEN: &str = "test-token-0123456789abcdef0123456789";
/// Longest wait for a fact that must come.
pub(crate) const LIMIT: Duration = Duration::from_secs(30);

/// The answer to one request.
#[derive(Debug)]
pub(crate) struct Answered {
    pub(crate) status: u16,
    pub(crate) text: String,
    pub(crate) body: Value,
}

impl Answered {
    pub(crate) fn says(&self, key: &str) -> &str {
        self.body[key].as_str().unwrap_or_default()
    }

    /// Outcome and code of a command's answer.
    pub(crate) fn told(&self) -> (&str, &str) {
        assert_eq!(self.status, 200, "{}", self.text);
        (self.says("outcome"), self.says("code").strip_prefix("tool.browser.").unwrap_or_default())
    }
}

/// A control plane without `hallpass-runtime`'s start around it.
pub(crate) struct Plane {
    address: SocketAddr,
    pub(crate) registry: Arc<Registry>,
    state: TempDir,
    serving: JoinHandle<()>,
}

impl Plane {
    pub(crate) async fn start() -> Self {
        // What the runtime says of itself stands in the output of a test that fails.
        let _ = tracing_subscriber::fmt().with_test_writer().try_init();
        drop(tracing_subscriber::fmt().with_env_filter(tracing_subscriber::EnvFilter::from_default_env()).with_test_writer().try_init());
        let state = tempfile::tempdir().unwrap();
        quarters::prepare(state.path()).unwrap();
        let program = |name: &str, usual: &str| PathBuf::from(std::env::var(name).unwrap_or_else(|_| usual.to_owned()));
        let registry = Registry::new(Place {
            chromium: program("CHROMIUM", "/usr/bin/chromium"),
            chromedriver: program("CHROMEDRIVER", "/usr/bin/chromedriver"),
            state_dir: state.path().to_owned(),
            hosts: HostRule::PublicOrLoopback,
        });
        let plane = ControlPlane { token: Token::new(TOKEN), registry: registry.clone(), browser_version: "1".to_owned() };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let serving = tokio::spawn(async move { axum::serve(listener, router(plane)).await.unwrap() });
        Self { address, registry, state, serving }
    }

    pub(crate) async fn end(self) {
        self.registry.shut_down().await;
        self.serving.abort();
    }

    /// Sends exactly these bytes and reads until the other side closes, or its answer is whole.
    pub(crate) async fn bytes(&self, request: &[u8]) -> Answered {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        // A side that has answered may have stopped listening before all was sent.
        drop(stream.write_all(request).await);
        let mut all = Vec::new();
        drop(tokio::time::timeout(LIMIT * 4, stream.read_to_end(&mut all)).await.expect("the connection was not closed"));
        let text = String::from_utf8(all).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {text:?}"));
        let status = head.split_whitespace().nth(1).unwrap().parse().unwrap();
        Answered { status, body: serde_json::from_str(body).unwrap_or(Value::Null), text: text.clone() }
    }

    pub(crate) async fn send(&self, method: &str, path: &str, body: &str) -> Answered {
        let length = body.len();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: runtime\r\nAuthorization: Bearer {TOKEN}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        );
        self.bytes(head.as_bytes()).await
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> Answered {
        self.send("POST", path, &body.to_string()).await
    }

    pub(crate) async fn lease(&self, terms: Value) -> Lease<'_> {
        let opened = self.post("/v1/leases", terms).await;
        assert_eq!(opened.status, 201, "{}", opened.text);
        assert_eq!(opened.body["sequence"], 0);
        let id = opened.says("lease_id").to_owned();
        let record = std::fs::read(self.state.path().join("leases").join(format!("{id}.json"))).unwrap();
        let record: Value = serde_json::from_slice(&record).unwrap();
        let scratch = PathBuf::from(record["scratch_dir"].as_str().unwrap());
        Lease { plane: self, id, scratch }
    }
}

/// An open lease.
pub(crate) struct Lease<'a> {
    plane: &'a Plane,
    pub(crate) id: String,
    pub(crate) scratch: PathBuf,
}

impl Lease<'_> {
    pub(crate) async fn command(&self, verb: &str, body: Value) -> Answered {
        self.plane.post(&format!("/v1/leases/{}/{verb}", self.id), body).await
    }

    pub(crate) async fn navigate(&self, sequence: u64, url: &str) -> Answered {
        self.command("navigate", json!({ "sequence": sequence, "url": url })).await
    }

    pub(crate) async fn observe(&self, sequence: u64) -> Answered {
        let answer = self.command("observe", json!({ "sequence": sequence })).await;
        assert_eq!(answer.told(), ("completed", "completed"), "{}", answer.text);
        answer
    }

    pub(crate) async fn delete(&self) -> u16 {
        self.plane.send("DELETE", &format!("/v1/leases/{}", self.id), "").await.status
    }

    /// Process ids of everything that runs for this lease.
    pub(crate) fn processes(&self) -> Vec<u32> {
        processes_of(&self.scratch)
    }
}

/// Programs whose command line or environment names this directory.
pub(crate) fn processes_of(dir: &Path) -> Vec<u32> {
    let needle = dir.to_str().unwrap();
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()));
    let names = |pid: u32, file: &str| {
        std::fs::read(format!("/proc/{pid}/{file}")).is_ok_and(|text| String::from_utf8_lossy(&text).contains(needle))
    };
    pids.filter(|pid| *pid != std::process::id() && (names(*pid, "cmdline") || names(*pid, "environ"))).collect()
}

/// Waits for a condition that nothing tells, looking again every few milliseconds.
pub(crate) async fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let watch = async {
        let mut tick = tokio::time::interval(Duration::from_millis(20));
        while !holds() {
            tick.tick().await;
        }
    };
    assert!(tokio::time::timeout(LIMIT, watch).await.is_ok(), "{what} did not come about");
}

/// A site whose page runs what the test orders.
pub(crate) struct Stage {
    pub(crate) site: Site,
    pub(crate) stranger: Site,
    orders: Arc<Mutex<Vec<String>>>,
}

const STAGEHAND: &str = r#"<script>
(async () => {
  // Orders that an earlier document of this page obeyed are done.
  let next = Number(await (await fetch("/lesson/obeyed")).text());
  for (;;) {
    const order = await (await fetch(`/lesson/order-${next}`).catch(() => new Response(""))).text();
    if (order !== "") { next += 1; (0, eval)(order); fetch(`/lesson/obeyed-${next}`); }
    await new Promise((go) => setTimeout(go, 200));
  }
})();
</script>"#;

impl Stage {
    /// A stage whose `/lesson/1` shows `html`; `STRANGER` in it stands for the other origin.
    pub(crate) async fn set(html: &'static str) -> Self {
        let stranger = Site::start(Arc::new(|_| Some(Reply::html("stranger")))).await.unwrap();
        let other = stranger.origin();
        let orders = Arc::new(Mutex::new(Vec::<String>::new()));
        let told = orders.clone();
        let done = Mutex::new(0_usize);
        let answers = move |path: &str| {
            Some(match path {
                "/lesson/1" => Reply::html(format!("<!doctype html><title>One</title>{}{STAGEHAND}", html.replace("STRANGER", &other))),
                "/lesson/obeyed" => Reply::script(done.lock().unwrap().to_string()),
                "/lesson/away" => Reply::redirect(&format!("{other}/redirected")),
                _ if path.starts_with("/lesson/obeyed-") => {
                    *done.lock().unwrap() += 1;
                    Reply::script("")
                }
                _ => match path.strip_prefix("/lesson/order-") {
                    Some(number) => Reply::script(told.lock().unwrap().get(number.parse::<usize>().unwrap()).cloned().unwrap_or_default()),
                    None => Reply::html("<!doctype html><title>Other</title><p>Other page</p>"),
                },
            })
        };
        Self { site: Site::start(Arc::new(answers)).await.unwrap(), stranger, orders }
    }

    pub(crate) fn url(&self) -> String {
        format!("{}/lesson/1", self.site.origin())
    }

    pub(crate) fn terms(&self) -> Value {
        json!({
            "tenant": "acme", "session": "00000000-0000-7000-8000-000000000001", "allowed_origins": [self.site.origin()], "ttl_seconds": 600,
        })
    }

    pub(crate) fn constraint(&self) -> Value {
        json!({
            "grant_kind": "browser_task_grant", "origins": [self.site.origin()], "path_prefix": "/lesson",
            "not_after": "2099-01-01T00:00:00Z", "consequence_ceiling": "unknown", "text_cap": 256,
        })
    }

    /// Has the page run `script`, and waits until it has.
    pub(crate) async fn order(&self, script: &str) {
        let number = {
            let mut orders = self.orders.lock().unwrap();
            orders.push(script.to_owned());
            orders.len()
        };
        assert!(self.site.was_asked(&format!("/lesson/obeyed-{number}"), LIMIT).await, "the page did not obey");
    }
}

/// The reference of the element called `name`.
pub(crate) fn reference(observed: &Answered, name: &str) -> String {
    let elements = observed.body["observation"]["elements"].as_array().unwrap();
    let found = elements.iter().find(|element| element["name"] == name && !element["ref"].is_null());
    found.unwrap_or_else(|| panic!("no element {name:?} in {}", observed.text))["ref"].as_str().unwrap().to_owned()
}

/// The body of a click on the element called `name`.
pub(crate) fn click(sequence: u64, observed: &Answered, name: &str) -> Value {
    json!({
        "sequence": sequence, "revision": observed.body["observation"]["revision"], "element_ref": reference(observed, name),
        "action": { "kind": "click" },
    })
}

/// The same with one more member.
pub(crate) fn with(mut body: Value, key: &str, value: Value) -> Value {
    body[key] = value;
    body
}
