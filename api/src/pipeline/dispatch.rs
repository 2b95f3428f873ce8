//! The session's browser: its lease at the runtime, what was last observed on it, and how an
//! answer or a failure of the runtime reads as an outcome.

use super::observed::Observed;
use crate::runtime::client::{Act, TURNED_DOWN, is_code};
use crate::runtime::{Answered, NewLease, RuntimeClient, RuntimeError};
use domain::browser::Outcome;
use domain::coverage::Reason;
use serde_json::{Value, json};

/// The runtime's code for an act without a remark.
const COMPLETED: &str = "tool.browser.completed";
/// Life of a lease in seconds. A worker that is idle closes it much earlier.
const LEASE_SECS: u32 = 3_600;

/// How a call ended, for the log and for the agent.
#[derive(Clone, Debug)]
pub struct Ending {
    /// How it ended.
    pub outcome: Outcome,
    /// A stable code, empty when it completed without remark.
    pub code: String,
    /// Why a grant did not fit the live page.
    pub reasons: Vec<Reason>,
    /// What the agent gets.
    pub result: Option<Value>,
}

impl Ending {
    /// It was refused before anything was sent.
    #[must_use]
    pub fn refused(code: &str) -> Self {
        Self { outcome: Outcome::Refused, code: code.to_owned(), reasons: Vec::new(), result: None }
    }
}

/// The browser of one session.
pub struct SessionBrowser {
    runtime: RuntimeClient,
    lease: Option<Lease>,
    observed: Option<Observed>,
}

struct Lease {
    id: String,
    sequence: u64,
    generation: Option<u64>,
    /// Its runtime classifies as this process does.
    judges_alike: bool,
}

impl SessionBrowser {
    /// No lease yet.
    #[must_use]
    pub const fn new(runtime: RuntimeClient) -> Self {
        Self { runtime, lease: None, observed: None }
    }

    /// What was last observed, while nothing may have changed the page since.
    #[must_use]
    pub const fn observed(&self) -> Option<&Observed> {
        self.observed.as_ref()
    }

    /// Opens a page, opening the browser first if needed. A lease that ended by itself is replaced
    /// once: the runtime said that nothing was sent.
    pub async fn navigate(&mut self, lease: &NewLease<'_>, url: &str) -> Ending {
        self.observed = None;
        for _ in 0..2 {
            let (id, sequence) = match self.lease(lease).await {
                Ok(lease) => lease,
                Err(error) => return without_browser(&error),
            };
            match self.runtime.navigate(&id, sequence, url).await {
                Ok(answered) => return self.ended(answered),
                Err(RuntimeError::TurnedDown { status: 404, .. }) => self.lease = None,
                Err(error) => return self.failed(&error).await,
            }
        }
        Ending::refused("tool.browser.lease_gone")
    }

    /// Looks at the page.
    pub async fn observe(&mut self, lease: &NewLease<'_>) -> Ending {
        self.observed = None;
        let (id, sequence) = match self.lease(lease).await {
            Ok(lease) => lease,
            Err(error) => return without_browser(&error),
        };
        match self.runtime.observe(&id, sequence).await {
            Ok(answered) => {
                let judges_alike = self.lease.as_ref().is_some_and(|lease| lease.judges_alike);
                self.observed = Observed::from_answer(&answered, judges_alike);
                self.ended(answered)
            }
            Err(error) => self.failed(&error).await,
        }
    }

    /// Acts on what was observed. The observation is void afterwards, unless the act was refused
    /// for a reason that leaves the page as it was.
    pub async fn act(&mut self, act: Act<'_>) -> Ending {
        let Some(lease) = &self.lease else { return Ending::refused("tool.browser.stale_revision") };
        let act = Act { sequence: lease.sequence.saturating_add(1), ..act };
        let (id, constrained) = (lease.id.clone(), act.constraint.is_some());
        match self.runtime.act(&id, &act).await {
            Ok(answered) => {
                let untouched = answered.outcome == Outcome::Refused && !constrained;
                if !untouched {
                    self.observed = None;
                }
                self.ended(answered)
            }
            Err(error) => self.failed(&error).await,
        }
    }

    /// Closes the lease.
    pub async fn close(&mut self) {
        self.observed = None;
        if let Some(lease) = self.lease.take() {
            self.runtime.close(&lease.id).await;
        }
    }

    /// The lease and its next sequence. One for another generation of the profile is closed first:
    /// its browser holds the account from before the sign-in.
    async fn lease(&mut self, wanted: &NewLease<'_>) -> Result<(String, u64), RuntimeError> {
        let generation = wanted.profile.map(|(_, generation)| generation);
        if self.lease.as_ref().is_some_and(|lease| lease.generation != generation) {
            self.close().await;
        }
        if let Some(lease) = &self.lease {
            return Ok((lease.id.clone(), lease.sequence.saturating_add(1)));
        }
        let (id, sequence) = self.runtime.open(wanted, LEASE_SECS).await?;
        let judges_alike = self.runtime.judges_alike().await;
        if !judges_alike {
            tracing::warn!("the browser runtime classifies otherwise than this process, so no task permission covers anything there");
        }
        self.lease = Some(Lease { id: id.clone(), sequence, generation, judges_alike });
        Ok((id, sequence.saturating_add(1)))
    }

    fn ended(&mut self, answered: Answered) -> Ending {
        if let Some(lease) = &mut self.lease {
            lease.sequence = answered.sequence;
        }
        let mut result = json!({"detail": answered.detail});
        if let (Some(fields), Some(observation)) = (result.as_object_mut(), answered.observation) {
            fields.insert("observation".to_owned(), observation);
        } else if let (Some(fields), Some(page)) = (result.as_object_mut(), answered.page) {
            fields.insert("page".to_owned(), json!({"origin": page.origin, "path": page.path, "title": page.title}));
        }
        // "Completed, completed" tells nobody anything: only a remark is kept.
        let code = if answered.code == COMPLETED { String::new() } else { answered.code };
        Ending { outcome: answered.outcome, code, reasons: answered.reasons, result: Some(result) }
    }

    /// A failure of the runtime. Whatever it was, the lease is not trusted any more.
    async fn failed(&mut self, error: &RuntimeError) -> Ending {
        tracing::warn!(%error, "a call to the browser runtime failed");
        self.close().await;
        match error {
            RuntimeError::Unreachable => Ending::refused("tool.browser.runtime_unavailable"),
            RuntimeError::Interrupted => Ending { outcome: Outcome::Unknown, ..Ending::refused("tool.browser.runtime_interrupted") },
            RuntimeError::TurnedDown { status: 404, .. } => Ending::refused("tool.browser.lease_gone"),
            RuntimeError::TurnedDown { code, .. } if is_code(code) => Ending::refused(code),
            RuntimeError::TurnedDown { .. } => Ending::refused(TURNED_DOWN),
        }
    }
}

/// No lease was given, so there was no page that anything could have been sent to, however the call
/// for the lease ended.
fn without_browser(error: &RuntimeError) -> Ending {
    tracing::warn!(%error, "the browser runtime gave no browser");
    match error {
        RuntimeError::TurnedDown { code, .. } if code.starts_with("tool.browser.") => Ending::refused(code),
        _ => Ending::refused("tool.browser.runtime_unavailable"),
    }
}
