//! Commands that only look: the state that a history folds to, in a few words. With `broken=yes`
//! the fold takes every event of the case, as if a broken log had put them all on one stream.

use crate::commands::Came;
use crate::log::Log;
use crate::words::Words;
use crate::written::*;
use domain::decide::Aggregate;
use domain::decide::approval::Approval;
use domain::decide::profile::Profile;
use domain::decide::run::Run;
use domain::decide::session::Session;
use domain::decide::task_grant::TaskGrant;
use domain::decide::tool_call::ToolCall;
use domain::event::*;

/// Shows one state.
pub(crate) fn show(w: &Words, log: &Log) -> Result<Came, String> {
    let broken = w.or("broken", "no") == "yes";
    Ok(Came::Says(
        match w.name.as_str() {
            "ShowSession" => session_text(&load(log, broken, session_stream(session(w)))),
            "ShowRun" => run_text(&load(log, broken, run_stream(run(w)))),
            "ShowCall" => call_text(&load(log, broken, tool_call_stream(call(w)))),
            "ShowApproval" => approval_text(&load(log, broken, approval_stream(approval(w)))),
            "ShowGrant" => grant_text(&load(log, broken, task_grant_stream(grant(w)))),
            "ShowProfile" => profile_text(&load(log, broken, profile_stream(profile(w)))),
            other => return Err(format!("nothing is shown by `{other}`")),
        },
        Vec::new(),
    ))
}

fn load<A: Aggregate>(log: &Log, broken: bool, stream: StreamId) -> A {
    if broken { log.load_all() } else { log.load(stream) }
}

fn session_text(session: &Session) -> String {
    match session {
        Session::Unknown => "unknown".to_owned(),
        Session::Open(open) => {
            format!("open owner_wrote_last={} browser_only={}", open.owner_wrote_last, open.turn_is_browser_only)
        }
        Session::Deleted(_) => "deleted".to_owned(),
        Session::Quarantined => "quarantined".to_owned(),
    }
}

fn run_text(run: &Run) -> String {
    match run {
        Run::Unknown => "unknown".to_owned(),
        Run::Active(run) => format!("active top_level={}", run.is_interactive_top_level()),
        Run::Ended(_) => "ended".to_owned(),
        Run::Quarantined => "quarantined".to_owned(),
    }
}

fn call_text(call: &ToolCall) -> String {
    match call {
        ToolCall::Unknown => "unknown".to_owned(),
        ToolCall::Requested(_) => "requested".to_owned(),
        ToolCall::Dispatched(_) => "dispatched".to_owned(),
        ToolCall::Finished(_, outcome) => format!("finished {}", outcome.as_str()),
        ToolCall::Quarantined => "quarantined".to_owned(),
    }
}

fn approval_text(approval: &Approval) -> String {
    match approval {
        Approval::Unknown => "unknown".to_owned(),
        Approval::Pending(_) => "pending".to_owned(),
        Approval::Closed(_, status) => status.as_str().to_owned(),
        Approval::Quarantined => "quarantined".to_owned(),
    }
}

fn grant_text(grant: &TaskGrant) -> String {
    match grant {
        TaskGrant::Unknown => "unknown".to_owned(),
        TaskGrant::Active(grant) => format!("active actions={} characters={}", grant.actions_used, grant.characters_used),
        TaskGrant::Ended(_, reason) => format!("ended {}", reason.as_str()),
        TaskGrant::Quarantined => "quarantined".to_owned(),
    }
}

fn profile_text(profile: &Profile) -> String {
    match profile {
        Profile::Unknown => "unknown".to_owned(),
        Profile::Live(live) => format!("live generation={} signing_in={}", live.generation, live.signing_in.is_some()),
        Profile::Revoked(_) => "revoked".to_owned(),
        Profile::Deleted(_) => "deleted".to_owned(),
        Profile::Quarantined => "quarantined".to_owned(),
    }
}
