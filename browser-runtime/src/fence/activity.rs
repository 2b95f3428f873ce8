//! What the page is busy with, for telling when it has settled.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use tokio::time::Instant;

/// Requests that are followed at once. A page with more is busy by any measure.
const REQUESTS_MAX: usize = 512;

/// Frames that load, requests on their way, and whether a dialog holds everything up.
#[derive(Clone, Debug, Default)]
pub struct Activity {
    loading_frames: HashSet<String>,
    requests: HashMap<(Arc<str>, String), Instant>,
    dialogs: u32,
}

impl Activity {
    /// Whether no frame loads, and no request is under way that began at `since` or later and is not
    /// older than `patience` (in milliseconds): a request that stays open is how pages listen.
    #[must_use]
    pub fn is_quiet(&self, since: Instant, patience_ms: u64) -> bool {
        let now = Instant::now();
        let young = |begun: &Instant| *begun >= since && now.duration_since(*begun).as_millis() < u128::from(patience_ms);
        self.loading_frames.is_empty() && !self.requests.values().any(young)
    }

    /// Whether the page asks something and waits for an answer.
    #[must_use]
    pub const fn dialog_is_open(&self) -> bool {
        self.dialogs > 0
    }

    pub(super) fn frame_loads(&mut self, frame: &str) {
        self.loading_frames.insert(frame.to_owned());
    }

    pub(super) fn frame_rests(&mut self, frame: &str) {
        self.loading_frames.remove(frame);
    }

    pub(super) fn request_begins(&mut self, session: Arc<str>, request: &str) {
        if self.requests.len() < REQUESTS_MAX {
            self.requests.insert((session, request.to_owned()), Instant::now());
        }
    }

    pub(super) fn request_ends(&mut self, session: Arc<str>, request: &str) {
        self.requests.remove(&(session, request.to_owned()));
    }

    pub(super) fn session_ends(&mut self, session: &str) {
        self.requests.retain(|(of, _), _| &**of != session);
    }

    pub(super) fn dialog_opens(&mut self) {
        self.dialogs = self.dialogs.saturating_add(1);
    }

    pub(super) fn dialog_closes(&mut self) {
        self.dialogs = self.dialogs.saturating_sub(1);
    }
}
