//! Performs a caller's command.

use super::Caller;
use crate::app::App;
use crate::problem::Problem;
use domain::id::CommandId;
use eventlog::{Performed, Work, WorkError};

impl From<WorkError> for Problem {
    fn from(error: WorkError) -> Self {
        match error {
            WorkError::Refused(refusal) => refusal.into(),
            WorkError::Store(error) => error.into(),
        }
    }
}

/// Performs a command under its id; `None` when it was performed before.
pub(crate) async fn perform<W: Work>(app: &App, caller: &Caller, command: CommandId, work: &W) -> Result<Option<W::Output>, Problem> {
    match app.log.perform(&caller.tenant, &caller.actor(), command, work).await? {
        Performed::Done { output, .. } => Ok(Some(output)),
        Performed::Already { .. } => Ok(None),
    }
}
