//! A runtime without a browser: it speaks the runtime's control plane word for word, shows a page
//! that the test wrote, keeps every act that it was sent, and answers as it was told to.
//!
//! It is strict where the real one is: the bearer token, the sequence, the revision, the fields of
//! a constraint. What breaks a rule is turned down and kept as a violation.

mod page;
mod routes;
mod script;

pub use page::{Element, Page};
pub use script::{Reply, SentAct};

use api::settings::RemoteRuntime;
use script::Script;
use serde_json::Value;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use uuid::Uuid;

/// Longest wait of a test for something that the control plane has to do.
const PATIENCE: Duration = Duration::from_secs(30);

/// The running server. It ends when it is dropped.
#[derive(Debug)]
pub struct ScriptedRuntime {
    address: SocketAddr,
    shared: Arc<Shared>,
    serving: JoinHandle<()>,
}

/// What the routes and the test share.
#[derive(Debug)]
pub(crate) struct Shared {
    token: String,
    script: Mutex<Script>,
    /// Counts requests, so that a test can wait for one.
    seen: watch::Sender<u64>,
    /// Hanging requests go on once this is higher than when they came.
    released: watch::Sender<u64>,
}

impl Shared {
    pub(crate) fn script(&self) -> MutexGuard<'_, Script> {
        self.script.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ScriptedRuntime {
    /// Starts one that shows an empty page.
    ///
    /// # Errors
    /// When no port can be had.
    pub async fn start() -> std::io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            token: Uuid::now_v7().simple().to_string(),
            script: Mutex::default(),
            seen: watch::Sender::new(0),
            released: watch::Sender::new(0),
        });
        let router = routes::router(shared.clone());
        let serving = tokio::spawn(async move { drop(axum::serve(listener, router).await) });
        Ok(Self { address, shared, serving })
    }

    /// As the control plane's settings name it.
    ///
    /// # Panics
    /// Never: an address makes a URL.
    #[must_use]
    pub fn remote(&self) -> RemoteRuntime {
        let url = format!("http://{}", self.address);
        #[expect(clippy::expect_used, reason = "a socket address always makes a URL")]
        let url = url.parse().expect("a URL");
        RemoteRuntime { url, token: self.shared.token.clone() }
    }

    /// Shows another page: the next observation sees it.
    pub fn show(&self, page: Page) {
        self.shared.script().page = page;
    }

    /// Answers the next navigation, observation or act so; several are used in order, and after
    /// them everything completes.
    pub fn reply(&self, reply: Reply) {
        self.shared.script().replies.push_back(reply);
    }

    /// Says this of its health from now on.
    pub fn say_health(&self, health: Value) {
        self.shared.script().health = Some(health);
    }

    /// Every act that was sent, in order, whatever was answered.
    #[must_use]
    pub fn acts(&self) -> Vec<SentAct> {
        self.shared.script().acts.clone()
    }

    /// What the control plane did against the rules of the protocol.
    #[must_use]
    pub fn violations(&self) -> Vec<String> {
        self.shared.script().violations.clone()
    }

    /// Bodies of the leases that were opened, in order.
    #[must_use]
    pub fn opened(&self) -> Vec<Value> {
        self.shared.script().opened.clone()
    }

    /// How many navigations, observations and acts came in.
    #[must_use]
    pub fn calls(&self) -> u64 {
        self.shared.script().calls
    }

    /// How many leases are open.
    #[must_use]
    pub fn leases(&self) -> usize {
        self.shared.script().leases.len()
    }

    /// Lets every hanging request go on.
    pub fn release(&self) {
        self.shared.released.send_modify(|times| *times += 1);
    }

    /// Waits until something is true of this runtime.
    ///
    /// # Errors
    /// When it does not become true in time.
    pub async fn until(&self, wanted: impl Fn(&Self) -> bool) -> Result<(), String> {
        let mut seen = self.shared.seen.subscribe();
        let waiting = async {
            while !wanted(self) {
                seen.mark_unchanged();
                if wanted(self) || seen.changed().await.is_err() {
                    return;
                }
            }
        };
        tokio::time::timeout(PATIENCE, waiting).await.map_err(|_| format!("the runtime saw only {:?}", self.acts()))
    }
}

impl Drop for ScriptedRuntime {
    fn drop(&mut self) {
        self.serving.abort();
    }
}
