//! A tool call: requested, perhaps dispatched, finished once.

use super::{Aggregate, Refusal};
use crate::browser::Outcome;
use crate::coverage::Reason;
use crate::event::{Event, ToolCallDispatched, ToolCallFinished, tool_call_stream};
use crate::id::{RunId, SessionId, ToolCallId};

/// The tools that a grant-covered turn may use (COV-4).
pub const BROWSER_TURN_TOOLS: [&str; 3] = ["browser.navigate", "browser.observe", "browser.act"];

/// Whether using `tool` keeps the turn open to grants. `browser.upload` is the browser's too, but
/// it hands a file to a site, so the owner looks again after it.
#[must_use]
pub fn is_turn_safe(tool: &str) -> bool {
    BROWSER_TURN_TOOLS.contains(&tool)
}

/// The stages of a tool call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToolCall {
    /// It was never requested.
    Unknown,
    /// It was requested and not sent yet.
    Requested(RequestedCall),
    /// The intent to send it is durable; whether it was sent is known only once it finishes.
    Dispatched(RequestedCall),
    /// It is over.
    Finished(RequestedCall, Outcome),
    /// Its history does not make sense.
    Quarantined,
}

/// What is true of every tool call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestedCall {
    /// The call.
    pub tool_call: ToolCallId,
    /// Its run.
    pub run: RunId,
    /// Its session.
    pub session: SessionId,
    /// The tool.
    pub tool: String,
}

impl Aggregate for ToolCall {
    fn initial() -> Self {
        Self::Unknown
    }

    fn evolve(self, event: &Event) -> Self {
        if let Self::Requested(call) | Self::Dispatched(call) = &self
            && event.stream() != tool_call_stream(call.tool_call)
        {
            return Self::Quarantined;
        }
        match (self, event) {
            (Self::Unknown, Event::ToolCallRequested(e)) => {
                Self::Requested(RequestedCall { tool_call: e.tool_call, run: e.run, session: e.session, tool: e.tool.clone() })
            }
            (Self::Requested(call), Event::ToolCallDispatched(_)) => Self::Dispatched(call),
            // A standing grant's use stands on this stream; it changes no stage.
            (Self::Requested(call), Event::ToolCallAuthorized(_)) => Self::Requested(call),
            (Self::Requested(call) | Self::Dispatched(call), Event::ToolCallFinished(e)) => Self::Finished(call, e.outcome),
            _ => Self::Quarantined,
        }
    }
}

impl ToolCall {
    /// The call, if it still waits to be sent.
    ///
    /// # Errors
    /// When it is missing, sent or over: a call is sent at most once (AUT-7).
    pub const fn requested(&self) -> Result<&RequestedCall, Refusal> {
        match self {
            Self::Requested(call) => Ok(call),
            Self::Unknown => Err(Refusal::NotFound),
            Self::Quarantined => Err(Refusal::Quarantined),
            Self::Dispatched(_) | Self::Finished(..) => Err(Refusal::ToolCallStage),
        }
    }

    /// Records the intent to send it.
    ///
    /// # Errors
    /// As for [`ToolCall::requested`].
    pub fn dispatch(&self) -> Result<Vec<Event>, Refusal> {
        let call = self.requested()?;
        Ok(vec![Event::ToolCallDispatched(ToolCallDispatched { tool_call: call.tool_call })])
    }

    /// Records the end; a call that is over stays as it ended.
    ///
    /// # Errors
    /// When it never was requested.
    pub fn finish(&self, outcome: Outcome, code: String, reasons: Vec<Reason>) -> Result<Vec<Event>, Refusal> {
        match self {
            Self::Requested(call) | Self::Dispatched(call) => {
                Ok(vec![Event::ToolCallFinished(ToolCallFinished { tool_call: call.tool_call, outcome, code, reasons })])
            }
            Self::Finished(..) => Ok(Vec::new()),
            Self::Unknown => Err(Refusal::NotFound),
            Self::Quarantined => Err(Refusal::Quarantined),
        }
    }
}
