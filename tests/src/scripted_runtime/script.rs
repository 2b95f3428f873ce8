//! What a scripted runtime remembers and is told to say.

use super::page::Page;
use serde_json::Value;
use std::collections::{HashMap, VecDeque};

/// How one call is answered.
#[derive(Clone, Debug)]
pub enum Reply {
    /// It completed.
    Completed,
    /// It was refused before dispatch, with this code.
    Refused(&'static str),
    /// The grant does not fit the live page, for these reasons.
    NotApplicable(Vec<&'static str>),
    /// It may have had effect.
    Unknown,
    /// It had none.
    Failed,
    /// The lease is gone.
    LeaseGone,
    /// Nothing, until the test releases it; then it completed.
    Hang,
    /// The connection breaks before the answer is whole.
    Broken,
    /// Another status with a problem code.
    Status(u16, &'static str),
    /// A body that is no answer.
    Nonsense,
    /// The same call, please, at another address.
    Elsewhere(String),
    /// An answer with so many bytes of detail.
    Long(usize),
}

/// One act as it was sent.
#[derive(Clone, Debug, PartialEq)]
pub struct SentAct {
    /// The lease.
    pub lease: String,
    /// The sequence.
    pub sequence: u64,
    /// The revision.
    pub revision: String,
    /// The element.
    pub element_ref: Option<String>,
    /// The action as JSON.
    pub action: Value,
    /// The constraint as JSON.
    pub constraint: Option<Value>,
}

/// One lease.
#[derive(Debug, Default)]
pub(crate) struct Lease {
    /// The last applied sequence.
    pub(crate) sequence: u64,
    /// The revision that may be acted on.
    pub(crate) revision: Option<String>,
}

/// Everything that a scripted runtime knows.
#[derive(Debug, Default)]
pub(crate) struct Script {
    pub(crate) page: Page,
    pub(crate) replies: VecDeque<Reply>,
    pub(crate) acts: Vec<SentAct>,
    pub(crate) violations: Vec<String>,
    pub(crate) opened: Vec<Value>,
    pub(crate) leases: HashMap<String, Lease>,
    pub(crate) revisions: u64,
    /// Navigations, observations and acts that came in.
    pub(crate) calls: u64,
    /// What the health check says instead of the usual.
    pub(crate) health: Option<Value>,
}

impl Script {
    /// The next reply.
    pub(crate) fn next(&mut self) -> Reply {
        self.replies.pop_front().unwrap_or(Reply::Completed)
    }

    /// Keeps what broke a rule.
    pub(crate) fn violation(&mut self, what: String) {
        self.violations.push(what);
    }
}
