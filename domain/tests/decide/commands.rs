//! Commands as tables write them: `owner @10:05 RevokeProfile profile=p1`. Where the product's shell
//! would join several rules (spend a grant, then end it), the table's command joins them the same way.

use crate::log::Log;
use crate::words::{Words, codes, halves, id, list, outcome, reason, scope, time};
use crate::written::*;
use domain::decide::answer::{Answer, approve_for_task, resolve_once};
use domain::decide::approval::{Approval, Resolution};
use domain::decide::authorize::{Deployment, Setting, may_use, scope_of_page, use_task_grant};
use domain::decide::profile::{Profile, SignInKind};
use domain::decide::run::{Run, RunKind};
use domain::decide::session::Session;
use domain::decide::task_grant::{EndReason, TaskGrant};
use domain::decide::tool_call::ToolCall;
use domain::decide::{Facts, Refusal};
use domain::event::*;
use domain::id::{PrincipalId, ProfileId, RunId, TaskGrantId};
use domain::scope::SiteScope;

/// What came of a command.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Came {
    /// These events, perhaps none.
    Events(Vec<Event>),
    /// No, for this reason.
    Refused(String),
    /// An answer that is no event, and the events that the shell would add to it.
    Says(String, Vec<Event>),
}

impl From<Result<Vec<Event>, Refusal>> for Came {
    fn from(result: Result<Vec<Event>, Refusal>) -> Self {
        result.map_or_else(|refusal| Self::Refused(refusal.code().to_owned()), Self::Events)
    }
}

/// Runs one command on the log. The caller adds its events.
pub(crate) fn run_line(line: &str, log: &Log) -> Result<Came, String> {
    let mut parts = line.splitn(3, ' ');
    let (actor, at, rest) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""), parts.next().unwrap_or(""));
    let now = time(at.strip_prefix('@').ok_or(format!("`{at}` is no @time"))?)?;
    let facts = Facts { now, actor: who(actor)? };
    let words = Words::of(rest.trim())?;
    let came = match words.name.as_str() {
        name if name.starts_with("Show") => crate::shown::show(&words, log)?,
        "UseGrant" => use_grant(&facts, &words, log)?,
        "MayOffer" => may_offer(&words, log)?,
        "AnswerForTask" => answer_for_task(&facts, &words, log)?,
        _ => simple(&facts, &words, log)?,
    };
    words.all_asked()?;
    Ok(came)
}

fn who(text: &str) -> Result<Actor, String> {
    let (kind, name) = text.split_once(':').unwrap_or((text, "olga"));
    match kind {
        "owner" => Ok(Actor::Owner(person(name)?)),
        "agent" => Ok(Actor::Agent(person(name)?)),
        "system" => Ok(Actor::System),
        _ => Err(format!("`{text}` is nobody")),
    }
}

/// The principal that the actor's token is for; Hallpass itself acts for the owner.
fn principal(facts: &Facts) -> Result<PrincipalId, String> {
    match &facts.actor {
        Actor::Owner(name) | Actor::Agent(name) => Ok(name.clone()),
        Actor::System => person("olga"),
    }
}

fn simple(facts: &Facts, w: &Words, log: &Log) -> Result<Came, String> {
    let by = principal(facts)?;
    Ok(match w.name.as_str() {
        "ReceiveMessage" | "UseTool" | "DeleteSession" => {
            let (text, tool) = (w.or("text", "go_on").to_owned(), w.or("tool", "browser.act"));
            let state: Session = log.load(session_stream(session(w)));
            let open = match state.open_for(&by) {
                Ok(open) => open,
                Err(refusal) => return Ok(Came::Refused(refusal.code().to_owned())),
            };
            Came::Events(match w.name.as_str() {
                "ReceiveMessage" => open.receive(facts, text),
                "UseTool" => open.use_tool(tool),
                _ => open.delete(),
            })
        }
        // The same without the shell's check of whose session it is.
        "ReceiveUnchecked" => match log.load(session_stream(session(w))) {
            Session::Open(open) => Came::Events(open.receive(facts, w.or("text", "go_on").to_owned())),
            state => Came::Refused(format!("{state:?}")),
        },
        "StartRun" => {
            let (run, session, kind) = (run(w), session(w), word(w, "kind", "interactive", RunKind::parse)?);
            let parent: Option<Run> = w.get("parent").map(|name| log.load(run_stream(RunId::from_uuid(id(name)))));
            match parent.as_ref().map(Run::active) {
                Some(Err(refusal)) => Came::Refused(refusal.code().to_owned()),
                Some(Ok(parent)) => Run::start(run, session, kind, Some(parent)).into(),
                None => Run::start(run, session, kind, None).into(),
            }
        }
        "EndRun" => log.load::<Run>(run_stream(run(w))).end().into(),
        "DispatchCall" => log.load::<ToolCall>(tool_call_stream(call(w))).dispatch().into(),
        "FinishCall" => {
            let reasons = list(w.or("reasons", "-")).into_iter().map(reason).collect::<Result<_, _>>()?;
            let state: ToolCall = log.load(tool_call_stream(call(w)));
            state.finish(outcome(w.or("outcome", "completed"))?, w.or("code", "").to_owned(), reasons).into()
        }
        "BeginSignIn" => {
            let kind = word(w, "kind", "remote", SignInKind::parse)?;
            log.load::<Profile>(profile_stream(profile(w))).begin_sign_in(&by, sign_in(w), kind).into()
        }
        "CompleteSignIn" => log.load::<Profile>(profile_stream(profile(w))).complete_sign_in(&by, sign_in(w)).into(),
        "RevokeProfile" => log.load::<Profile>(profile_stream(profile(w))).revoke(&by).into(),
        "DeleteProfile" => log.load::<Profile>(profile_stream(profile(w))).delete(&by).into(),
        _ => return authority(facts, w, log),
    })
}

fn authority(facts: &Facts, w: &Words, log: &Log) -> Result<Came, String> {
    let question = || log.load::<Approval>(approval_stream(approval(w)));
    let permission = || log.load::<TaskGrant>(task_grant_stream(grant(w)));
    let resolution = || word(w, "resolution", "approve_once", Resolution::parse);
    Ok(match w.name.as_str() {
        "AnswerOnce" => resolve_once(facts, &question(), resolution()?).into(),
        "Resolve" => {
            let made = w.get("grant").map(|name| TaskGrantId::from_uuid(id(name)));
            question().resolve(facts.now, resolution()?, made).into()
        }
        "AnswerLate" => Came::Events(question().late_answer(facts.now, resolution()?)),
        "LapseApproval" => Came::Events(question().lapse(facts.now)),
        "CancelApproval" => Came::Events(question().cancel()),
        "EndGrant" => Came::Events(permission().end(facts.now, word(w, "reason", "revoked", EndReason::parse)?)),
        "SweepGrant" => Came::Events(permission().sweep(facts.now)),
        other => return Err(format!("no command is called `{other}`")),
    })
}

/// Runs `then` in the setting that the line describes, or says why there is none.
fn in_setting(w: &Words, log: &Log, then: impl FnOnce(&Setting<'_>) -> Came) -> Result<Came, String> {
    let scopes: Vec<SiteScope> = list(w.or("scopes", SCOPE)).into_iter().map(scope).collect::<Result<_, _>>()?;
    let state: Session = log.load(session_stream(session(w)));
    let open = match &state {
        Session::Open(open) => open,
        Session::Deleted(owner) => return Ok(Came::Refused(state.open_for(owner).unwrap_err().code().to_owned())),
        _ => return Ok(Came::Refused(state.open_for(&person("olga")?).unwrap_err().code().to_owned())),
    };
    let state: Run = log.load(run_stream(run(w)));
    let run = match state.active() {
        Ok(run) => run,
        Err(refusal) => return Ok(Came::Refused(refusal.code().to_owned())),
    };
    let state: Option<Profile> = open.profile.map(|profile| log.load(profile_stream(profile)));
    // A shell with a fault: the profile is not the one that the session is bound to.
    let lent: Option<Profile> = w.get("lent").map(|name| log.load(profile_stream(ProfileId::from_uuid(id(name)))));
    let profile = match &lent {
        Some(Profile::Live(live)) => Some(live),
        _ => state.as_ref().and_then(|state| state.live_for(&open.principal).ok()),
    };
    Ok(then(&Setting {
        run,
        session: open,
        profile,
        deployment: Deployment {
            grants_enabled: w.or("flag", "on") == "on",
            scopes: &scopes,
            agent_version: w.or("agent", "agent-1"),
            policy_version: w.or("policy", "policy-1"),
        },
    }))
}

/// The use, its event and the end that follows, as the worker joins them in one transaction.
fn use_grant(facts: &Facts, w: &Words, log: &Log) -> Result<Came, String> {
    let characters = w.number("chars", 0)?;
    let coverage: Vec<_> = list(w.or("coverage", "-")).into_iter().map(reason).collect::<Result<_, _>>()?;
    let (grant_id, call_id) = (grant(w), call(w));
    let state: TaskGrant = log.load(task_grant_stream(grant_id));
    in_setting(w, log, |setting| {
        let Some(active) = state.active() else { return Came::Refused("no active grant".to_owned()) };
        match use_task_grant(facts, setting, active, &coverage, characters) {
            Ok(used) => {
                let spent =
                    use_of(Authority::TaskGrant(grant_id), call_id, setting.run.run, setting.session.session, used.ordinal, characters);
                let mut events = vec![Event::ToolCallAuthorized(spent)];
                if used.is_last {
                    events.extend(state.end(facts.now, EndReason::Exhausted));
                }
                let last = if used.is_last { ", the last" } else { "" };
                let left = format!("{} actions and {} characters left", used.actions_remaining, used.characters_remaining);
                Came::Says(format!("use {}{last}; {left}", used.ordinal), events)
            }
            Err(not) => {
                let events = not.ended.map(|reason| state.end(facts.now, reason)).unwrap_or_default();
                let ends = not.ended.map(|reason| format!("; ends {}", reason.as_str())).unwrap_or_default();
                Came::Says(format!("asks: {}{ends}", codes(&not.reasons)), events)
            }
        }
    })
}

fn may_offer(w: &Words, log: &Log) -> Result<Came, String> {
    let page = w.or("page", "https://www.example.com/lesson/3");
    in_setting(w, log, |setting| {
        let offered = scope_of_page(&setting.deployment, page).filter(|_| may_use(setting));
        Came::Says(offered.map_or_else(|| "no offer".to_owned(), |scope| format!("offer {scope}")), Vec::new())
    })
}

fn answer_for_task(facts: &Facts, w: &Words, log: &Log) -> Result<Came, String> {
    let question: Approval = log.load(approval_stream(approval(w)));
    let active: Option<TaskGrant> = w.get("active").map(|name| log.load(task_grant_stream(TaskGrantId::from_uuid(id(name)))));
    let new_grant = TaskGrantId::from_uuid(id(w.or("new", "g1")));
    let (origin, prefix) = match w.or("repeats", SCOPE) {
        "-" => (None, None),
        "origin-only" => (Some("https://www.example.com"), None),
        "prefix-only" => (None, Some("/lesson")),
        text => halves(text).map(|(origin, prefix)| (Some(origin), Some(prefix)))?,
    };
    let answer = Answer {
        resolution: word(w, "resolution", "approve_for_task", Resolution::parse)?,
        origin: origin.map(str::to_owned),
        path_prefix: prefix.map(str::to_owned),
    };
    in_setting(w, log, |setting| approve_for_task(facts, &question, &answer, setting, active.as_ref(), new_grant).into())
}
