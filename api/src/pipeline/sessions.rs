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
/// Bytes of JSON that they may hold together: a page may be long, and memory is everybody's.
const RESULTS_BYTES_MAX: usize = 64 * 1024 * 1024;

/// One call for a session's worker.
#[derive(Debug)]
pub struct Job {
    /// The call's id.
    pub tool_call: ToolCallId,
    /// Its run.
    pub run: RunId,
    /// What is asked; `None` for a call whose arguments a restart lost.
    pub call: Option<Call>,
    /// Whether the turn had used the browser only when the call was proposed (COV-4).
    pub in_browser_turn: bool,
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
        let queue = queues
            .entry(key.clone())
            .or_insert_with(|| session_worker::start(self.context.clone(), key.clone(), SESSION_QUEUE_MAX, self.stopping.subscribe()));
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
    values: HashMap<ToolCallId, (Value, usize)>,
    bytes: usize,
}

impl Results {
    /// Keeps a result.
    pub fn keep(&self, call: ToolCallId, value: Value) {
        self.keep_within(call, value, RESULTS_BYTES_MAX);
    }

    fn keep_within(&self, call: ToolCallId, value: Value, bytes_max: usize) {
        let bytes = value.to_string().len();
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.bytes += bytes;
        match kept.values.insert(call, (value, bytes)) {
            Some((_, before)) => kept.bytes -= before,
            None => kept.order.push_back(call),
        }
        // The newest is kept in any case: somebody is about to ask for it.
        while kept.order.len() > 1 && (kept.order.len() > RESULTS_MAX || kept.bytes > bytes_max) {
            let oldest = kept.order.pop_front().and_then(|oldest| kept.values.remove(&oldest));
            kept.bytes -= oldest.map_or(0, |(_, bytes)| bytes);
        }
    }

    /// The result of a call, if it is still kept.
    #[must_use]
    pub fn of(&self, call: ToolCallId) -> Option<Value> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).values.get(&call).map(|(value, _)| value.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(number: u128) -> ToolCallId {
        ToolCallId::from_uuid(uuid::Uuid::from_u128(number))
    }

    /// Threat G9: results are bounded by number and by size, the oldest going first; the newest stays.
    #[test]
    fn results_are_bounded() {
        let results = Results::default();
        for number in 0..=RESULTS_MAX as u128 {
            results.keep(call(number), Value::Null);
        }
        assert!(results.of(call(0)).is_none() && results.of(call(1)).is_some());
        let long = Value::String("x".repeat(92));
        let keep = |number| results.keep_within(call(number), long.clone(), 100);
        keep(1_000);
        assert!(results.of(call(RESULTS_MAX as u128)).is_some_and(|value| value.is_null()), "there is room beside it");
        keep(1_000);
        keep(1_001);
        assert!(results.of(call(1_000)).is_none() && results.of(call(1_001)).is_some());
        assert_eq!(results.0.lock().unwrap().order.len(), 1);
    }
}
