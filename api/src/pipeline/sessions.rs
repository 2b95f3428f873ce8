//! The workers of all sessions: one each, started when a session is first used, with a short queue.

use super::call::Call;
use super::session_worker::{self, WorkerContext};
use domain::id::{PrincipalId, RunId, SessionId, TenantId, ToolCallId};
use domain::limits::SESSION_QUEUE_MAX;
use serde_json::Value;
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{mpsc, watch};

/// Results that are kept for agents to fetch. The oldest go first; an agent that comes later than
/// that observes again.
const RESULTS_MAX: usize = 512;

/// One call for a session's worker.
#[derive(Debug)]
pub struct Job {
    /// The call's id.
    pub tool_call: ToolCallId,
    /// Its run.
    pub run: RunId,
    /// What is asked; `None` for a call whose arguments a restart lost.
    pub call: Option<Call>,
}

/// A place in a session's queue, taken before anything is recorded.
pub struct Place(mpsc::OwnedPermit<Job>);

impl Place {
    /// Puts a job into the place.
    pub fn fill(self, job: Job) {
        drop(self.0.send(job));
    }
}

/// The queue is full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueueFull;

/// Whose session it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SessionKey {
    /// The tenant.
    pub tenant: TenantId,
    /// The principal.
    pub principal: PrincipalId,
    /// The session.
    pub session: SessionId,
}

/// All workers of this process.
#[derive(Clone)]
pub struct Sessions {
    context: WorkerContext,
    queues: Arc<Mutex<HashMap<SessionKey, mpsc::Sender<Job>>>>,
    stopping: Arc<watch::Sender<bool>>,
}

impl Sessions {
    /// No workers yet.
    #[must_use]
    pub fn new(context: WorkerContext) -> Self {
        Self { context, queues: Arc::default(), stopping: Arc::new(watch::Sender::new(false)) }
    }

    /// Takes a place in a session's queue.
    ///
    /// # Errors
    /// When as many calls wait as may, or the process is stopping.
    pub fn reserve(&self, key: &SessionKey) -> Result<Place, QueueFull> {
        let mut queues = self.queues.lock().unwrap_or_else(PoisonError::into_inner);
        if *self.stopping.borrow() {
            return Err(QueueFull);
        }
        queues.retain(|_, queue| !queue.is_closed());
        let queue = queues.entry(key.clone()).or_insert_with(|| {
            session_worker::start(self.context.clone(), key.clone(), SESSION_QUEUE_MAX, self.stopping.subscribe())
        });
        queue.clone().try_reserve_owned().map(Place).map_err(|_| QueueFull)
    }

    /// Lets every worker end: a call that is being sent comes to its end, one that waits for its
    /// owner keeps waiting in the log, and every lease is closed. Ends when all have ended.
    pub async fn stop(&self) {
        {
            let mut queues = self.queues.lock().unwrap_or_else(PoisonError::into_inner);
            queues.clear();
            self.stopping.send_replace(true);
        }
        // Each worker holds a receiver until it has closed its lease.
        self.stopping.closed().await;
    }

    /// Lets a session's worker go: its lease is closed once the running call ended.
    pub fn forget(&self, key: &SessionKey) {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner).remove(key);
    }
}

/// Results of finished calls, in memory only: page content is no part of the log.
#[derive(Clone, Default)]
pub struct Results(Arc<Mutex<Kept>>);

#[derive(Default)]
struct Kept {
    order: VecDeque<ToolCallId>,
    values: HashMap<ToolCallId, Value>,
}

impl Results {
    /// Keeps a result.
    pub fn keep(&self, call: ToolCallId, value: Value) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.values.insert(call, value).is_none() {
            kept.order.push_back(call);
        }
        while kept.order.len() > RESULTS_MAX {
            if let Some(oldest) = kept.order.pop_front() {
                kept.values.remove(&oldest);
            }
        }
    }

    /// The result of a call, if it is still kept.
    #[must_use]
    pub fn of(&self, call: ToolCallId) -> Option<Value> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).values.get(&call).cloned()
    }
}
