//! The second DevTools connection, beside ChromeDriver's own: flat sessions over one WebSocket.
//!
//! ChromeDriver tells where the browser listens (`goog:chromeOptions.debuggerAddress`). Everything
//! that must not be steered by a page goes over this link: facts, guards and the fence.
//!
//! INVARIANT (fail closed): once the socket ends, or an event could not be kept, every pending and
//! every later call fails and [`Link::is_lost`] is true. There is no reconnecting, because events
//! that happened in between would be unknown.

mod socket;

use serde_json::Value;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{broadcast, mpsc, oneshot, watch};

/// Longest wait for one answer. A healthy browser answers in milliseconds; a renderer that is busy
/// for this long is treated as gone.
pub const CALL_SECS_MAX: u64 = 10;
/// Events that one subscriber may be behind before the link is given up.
const EVENTS_BEHIND_MAX: usize = 16_384;
/// Messages that may wait for the socket.
const OUTBOX_MAX: usize = 1_024;

/// One event of a target, or of the browser when `session` is `None`.
#[derive(Clone, Debug)]
pub struct Event {
    /// The flat session that it belongs to.
    pub session: Option<Arc<str>>,
    /// `Domain.event`.
    pub method: Arc<str>,
    /// The parameters as the protocol defines them.
    pub params: Arc<Value>,
}

/// Why a call gave no answer.
#[derive(Clone, Debug, thiserror::Error)]
pub enum LinkError {
    /// The connection is gone, and with it the lease.
    #[error("the DevTools connection is lost")]
    Lost,
    /// No answer came in time. What the call did is not known.
    #[error("no answer to `{0}` in time")]
    TimedOut(String),
    /// The browser refused the call: the target is gone, or the parameters do not fit.
    #[error("the browser refused `{method}`")]
    Refused {
        /// The method called.
        method: String,
        /// The browser's words. They may name a page's URL: never for the agent or the log.
        message: String,
    },
}

type Answer = Result<Value, LinkError>;

/// The connection. Cheap to clone; all clones share one socket.
#[derive(Clone, Debug)]
pub struct Link {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    outbox: mpsc::Sender<String>,
    pending: Mutex<HashMap<u64, Pending>>,
    events: broadcast::Sender<Event>,
    next_id: AtomicU64,
    lost: AtomicBool,
    ended: watch::Sender<bool>,
}

#[derive(Debug)]
struct Pending {
    method: String,
    answer: oneshot::Sender<Answer>,
}

impl Link {
    /// Connects to the browser endpoint `ws://127.0.0.1:<port><path>`.
    ///
    /// # Errors
    /// [`LinkError::Lost`] when the browser does not take the connection.
    pub async fn connect(port: u16, path: &str) -> Result<Self, LinkError> {
        let (outbox, outgoing) = mpsc::channel(OUTBOX_MAX);
        let (events, _) = broadcast::channel(EVENTS_BEHIND_MAX);
        let (ended, _) = watch::channel(false);
        let shared = Arc::new(Shared {
            outbox,
            pending: Mutex::new(HashMap::new()),
            events,
            next_id: AtomicU64::new(1),
            lost: AtomicBool::new(false),
            ended,
        });
        let link = Self { shared };
        socket::open(port, path, link.clone(), outgoing).await?;
        Ok(link)
    }

    /// Calls `method` on a session, or on the browser, and waits at most [`CALL_SECS_MAX`].
    ///
    /// # Errors
    /// See [`LinkError`].
    pub async fn call(&self, session: Option<&str>, method: &str, params: Value) -> Answer {
        self.call_within(session, method, params, Duration::from_secs(CALL_SECS_MAX)).await
    }

    /// As [`Link::call`], with a limit of its own.
    ///
    /// # Errors
    /// See [`LinkError`].
    pub async fn call_within(&self, session: Option<&str>, method: &str, params: Value, limit: Duration) -> Answer {
        let (answer, wait) = oneshot::channel();
        let id = self.enlist(method, answer)?;
        let wait_for_answer = async {
            let message = message(id, session, method, &params);
            self.shared.outbox.send(message).await.map_err(|_| LinkError::Lost)?;
            wait.await.unwrap_or(Err(LinkError::Lost))
        };
        let Ok(result) = tokio::time::timeout(limit, wait_for_answer).await else {
            self.pending().remove(&id);
            return Err(LinkError::TimedOut(method.to_owned()));
        };
        result
    }

    /// Sends `method` without waiting for its answer: for whoever must answer events at once.
    ///
    /// # Errors
    /// [`LinkError::Lost`], also when the socket does not keep up, which ends the link.
    pub fn cast(&self, session: Option<&str>, method: &str, params: &Value) -> Result<(), LinkError> {
        if self.is_lost() {
            return Err(LinkError::Lost);
        }
        let id = self.shared.next_id.fetch_add(1, Ordering::Relaxed);
        self.shared.outbox.try_send(message(id, session, method, params)).map_err(|_| {
            self.give_up();
            LinkError::Lost
        })
    }

    /// Every event from now on. A receiver that falls behind must call [`Link::give_up`]: what it
    /// missed may be what it was there to stop.
    #[must_use]
    pub fn subscribe(&self) -> broadcast::Receiver<Event> {
        self.shared.events.subscribe()
    }

    /// Whether the connection has ended.
    #[must_use]
    pub fn is_lost(&self) -> bool {
        self.shared.lost.load(Ordering::Acquire)
    }

    /// Returns once the connection has ended.
    pub async fn lost(&self) {
        let mut ended = self.shared.ended.subscribe();
        // The sender lives in `self`, so the only end of this wait is the value itself.
        drop(ended.wait_for(|over| *over).await);
    }

    /// Ends the link for everybody: all pending and later calls fail.
    pub fn give_up(&self) {
        self.shared.lost.store(true, Ordering::Release);
        self.shared.ended.send_replace(true);
        let pending: Vec<Pending> = self.pending().drain().map(|(_, pending)| pending).collect();
        for call in pending {
            drop(call.answer.send(Err(LinkError::Lost)));
        }
    }

    fn enlist(&self, method: &str, answer: oneshot::Sender<Answer>) -> Result<u64, LinkError> {
        let id = self.shared.next_id.fetch_add(1, Ordering::Relaxed);
        let mut pending = self.pending();
        // Checked under the lock that `give_up` takes after it set the flag: no call can slip in
        // behind the last sweep and wait for nothing.
        if self.is_lost() {
            return Err(LinkError::Lost);
        }
        pending.insert(id, Pending { method: method.to_owned(), answer });
        Ok(id)
    }

    fn pending(&self) -> MutexGuard<'_, HashMap<u64, Pending>> {
        self.shared.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes one message from the socket.
    fn take(&self, text: &str) {
        let Ok(mut message) = serde_json::from_str::<Value>(text) else {
            return self.give_up();
        };
        if let Some(id) = message.get("id").and_then(Value::as_u64) {
            let Some(call) = self.pending().remove(&id) else { return };
            let answer = match message.get("error") {
                Some(error) => Err(LinkError::Refused {
                    method: call.method,
                    message: error.get("message").and_then(Value::as_str).unwrap_or("no reason given").to_owned(),
                }),
                None => Ok(message.get_mut("result").map_or(Value::Null, Value::take)),
            };
            drop(call.answer.send(answer));
        } else if let Some(method) = message.get("method").and_then(Value::as_str).map(Arc::from) {
            let session = message.get("sessionId").and_then(Value::as_str).map(Arc::from);
            let params = Arc::new(message.get_mut("params").map_or(Value::Null, Value::take));
            // No receiver is no fault: nobody listens yet.
            drop(self.shared.events.send(Event { session, method, params }));
        }
    }
}

fn message(id: u64, session: Option<&str>, method: &str, params: &Value) -> String {
    let mut message = serde_json::json!({ "id": id, "method": method, "params": params });
    if let (Some(session), Some(fields)) = (session, message.as_object_mut()) {
        fields.insert("sessionId".to_owned(), Value::from(session));
    }
    message.to_string()
}
