//! The product's deciders put together as the shell puts them together: each step decides on folded
//! states, and its events go to the log and to the states at once.

use crate::model::{From, Use};
use crate::words::{id, scope};
use crate::written::{SCOPE, person, use_of};
use domain::decide::answer::{Answer, approve_for_task, resolve_once};
use domain::decide::approval::{Approval, Offer, Resolution};
use domain::decide::authorize::{Deployment, Setting, use_task_grant};
use domain::decide::profile::{Profile, SignInKind};
use domain::decide::run::{Run, RunKind};
use domain::decide::session::{OpenSession, Session, Surface};
use domain::decide::task_grant::{EndReason, TaskGrant};
use domain::decide::{Aggregate, Facts};
use domain::event::*;
use domain::id::*;
use domain::limits::APPROVAL_SECS;
use domain::scope::SiteScope;
use domain::time::Timestamp;
use domain::view::ApprovalView;

/// The states and the log.
pub(crate) struct Machine {
    pub(crate) now: Timestamp,
    pub(crate) flag: bool,
    pub(crate) scope: bool,
    pub(crate) agent: u8,
    pub(crate) policy: u8,
    pub(crate) log: Vec<(Timestamp, Event)>,
    session: Session,
    elsewhere: Session,
    run: Run,
    child: Run,
    run_elsewhere: Run,
    runs: u32,
    profile: Profile,
    sign_ins: u32,
    question: Approval,
    questions: u32,
    grants: Vec<TaskGrant>,
}

fn opened(session: &str) -> Session {
    let (session, principal) = (SessionId::from_uuid(id(session)), person("olga").unwrap());
    let profile = Some(ProfileId::from_uuid(id("p1")));
    let opened = SessionOpened { session, principal, surface: Surface::Chat, profile, schedule: None, allowed_origins: Vec::new() };
    Session::fold(&[Event::SessionOpened(opened)])
}

fn started(run: &str, session: &str, kind: RunKind, parent: Option<&str>) -> Run {
    let (run, session) = (RunId::from_uuid(id(run)), SessionId::from_uuid(id(session)));
    Run::fold(&[Event::RunStarted(RunStarted { run, session, kind, parent: parent.map(|name| RunId::from_uuid(id(name))) })])
}

fn open(session: &Session) -> &OpenSession {
    session.open_for(&person("olga").unwrap()).unwrap()
}

impl Machine {
    pub(crate) fn new(now: Timestamp) -> Self {
        let (profile, principal) = (ProfileId::from_uuid(id("p1")), person("olga").unwrap());
        let created = Event::ProfileCreated(ProfileCreated { profile, principal, name: "lessons".to_owned() });
        let wrote = MessageReceived {
            session: SessionId::from_uuid(id("s2")),
            author: domain::decide::session::Author::Owner,
            text: String::new(),
        };
        Self {
            now,
            flag: true,
            scope: true,
            agent: 0,
            policy: 0,
            log: Vec::new(),
            session: opened("s1"),
            elsewhere: opened("s2").evolve(&Event::MessageReceived(wrote)),
            run: started("r1", "s1", RunKind::Interactive, None),
            child: started("k1", "s1", RunKind::Child, Some("r1")),
            run_elsewhere: started("e1", "s2", RunKind::Interactive, None),
            runs: 1,
            profile: Profile::fold(&[created]),
            sign_ins: 0,
            question: Approval::Unknown,
            questions: 0,
            grants: Vec::new(),
        }
    }

    /// Adds events to the log and to the states that they belong to.
    fn record(&mut self, events: Vec<Event>) {
        for event in events {
            let evolve = |states: &mut Vec<TaskGrant>| {
                for state in states {
                    let own = match &*state {
                        TaskGrant::Active(grant) | TaskGrant::Ended(grant, _) => task_grant_stream(grant.task_grant) == event.stream(),
                        TaskGrant::Unknown | TaskGrant::Quarantined => false,
                    };
                    if own {
                        *state = state.clone().evolve(&event);
                    }
                }
            };
            match event.stream().category {
                Category::Session => self.session = self.session.clone().evolve(&event),
                Category::Profile => self.profile = self.profile.clone().evolve(&event),
                Category::Approval => self.question = self.question.clone().evolve(&event),
                Category::TaskGrant if matches!(event, Event::TaskGrantCreated(_)) => self.grants.push(TaskGrant::fold([&event])),
                Category::TaskGrant => evolve(&mut self.grants),
                Category::Run | Category::ToolCall => {}
            }
            self.log.push((self.now, event));
        }
    }

    fn facts(&self, owner: bool) -> Facts {
        let name = person("olga").unwrap();
        Facts { now: self.now, actor: if owner { Actor::Owner(name) } else { Actor::Agent(name) } }
    }

    fn active(&self) -> Option<&TaskGrant> {
        self.grants.iter().find(|grant| grant.active().is_some())
    }

    fn scopes(&self) -> Vec<SiteScope> {
        if self.scope { vec![scope(SCOPE).unwrap()] } else { Vec::new() }
    }

    /// Decides in the setting of a session and a run.
    fn in_setting<T>(&self, session: &Session, run: &Run, decide: impl FnOnce(&Setting<'_>) -> T) -> T {
        let scopes = self.scopes();
        let deployment = Deployment {
            grants_enabled: self.flag,
            scopes: &scopes,
            agent_version: ["agent-0", "agent-1"][usize::from(self.agent)],
            policy_version: ["policy-0", "policy-1"][usize::from(self.policy)],
        };
        let profile = self.profile.live_for(&person("olga").unwrap()).ok();
        decide(&Setting { run: run.active().unwrap(), session: open(session), profile, deployment })
    }

    pub(crate) fn asks(&mut self) {
        self.questions += 1;
        self.question = Approval::Unknown;
        let session = open(&self.session).session;
        let request = ApprovalRequested {
            approval: ApprovalId::from_uuid(id(&format!("a{}", self.questions))),
            tool_call: ToolCallId::from_uuid(id("c1")),
            run: self.run.active().unwrap().run,
            session,
            view: ApprovalView::default(),
            offer: Some(Offer::of(&scope(SCOPE).unwrap(), self.generation().unwrap_or(0))),
            reasons: Vec::new(),
            digest: Vec::new(),
            expires_at: self.now.plus_seconds(APPROVAL_SECS),
        };
        self.record(vec![Event::ApprovalRequested(request)]);
    }

    pub(crate) fn answers_for_task(&mut self, owner: bool, repeats: bool) -> bool {
        let prefix = if repeats { "/lesson" } else { "/lessons" };
        let answer = Answer {
            resolution: Resolution::ApproveForTask,
            origin: Some("https://www.example.com".to_owned()),
            path_prefix: Some(prefix.to_owned()),
        };
        let grant = TaskGrantId::from_uuid(id(&format!("g{}", self.grants.len() + 1)));
        let decided = self.in_setting(&self.session, &self.run, |setting| {
            approve_for_task(&self.facts(owner), &self.question, &answer, setting, self.active(), grant)
        });
        decided.map(|events| self.record(events)).is_ok()
    }

    pub(crate) fn answers_once(&mut self, yes: bool) -> bool {
        let resolution = if yes { Resolution::ApproveOnce } else { Resolution::Deny };
        resolve_once(&self.facts(true), &self.question, resolution).map(|events| self.record(events)).is_ok()
    }

    pub(crate) fn uses(&mut self, from: From, characters: u32) -> Use {
        let Some(state) = self.active().cloned() else { return Use::NoGrant };
        let Some(grant) = state.active() else { return Use::NoGrant };
        let (session, run) = match from {
            From::Here => (&self.session, &self.run),
            From::Child => (&self.session, &self.child),
            From::Elsewhere => (&self.elsewhere, &self.run_elsewhere),
        };
        let (session_id, run_id) = (open(session).session, run.active().unwrap().run);
        let decided = self.in_setting(session, run, |setting| use_task_grant(&self.facts(false), setting, grant, &[], characters));
        match decided {
            Ok(used) => {
                let call = ToolCallId::from_uuid(id("c1"));
                let spent = use_of(Authority::TaskGrant(grant.task_grant), call, run_id, session_id, used.ordinal, characters);
                let end = if used.is_last { state.end(self.now, EndReason::Exhausted) } else { Vec::new() };
                self.record([Event::ToolCallAuthorized(spent)].into_iter().chain(end).collect());
                Use::Used(used.ordinal, used.actions_remaining, used.characters_remaining)
            }
            Err(not) => {
                self.record(not.ended.map(|reason| state.end(self.now, reason)).unwrap_or_default());
                Use::Asks
            }
        }
    }

    pub(crate) fn ends(&mut self, reason: EndReason) {
        let events = self.active().map(|grant| grant.end(self.now, reason)).unwrap_or_default();
        self.record(events);
    }

    pub(crate) fn sweeps(&mut self) {
        let events = self.grants.iter().flat_map(|grant| grant.sweep(self.now)).collect();
        self.record(events);
    }

    pub(crate) fn begins_sign_in(&mut self, tells_grants: bool) {
        let sign_in = SignInId::from_uuid(id(&format!("n{}", self.sign_ins + 1)));
        if let Ok(events) = self.profile.begin_sign_in(&person("olga").unwrap(), sign_in, SignInKind::Device) {
            self.sign_ins += 1;
            self.record(events);
            if tells_grants {
                self.ends(EndReason::ProfileChanged);
            }
        }
    }

    pub(crate) fn completes_sign_in(&mut self, tells_grants: bool) {
        let sign_in = SignInId::from_uuid(id(&format!("n{}", self.sign_ins)));
        if let Ok(events) = self.profile.complete_sign_in(&person("olga").unwrap(), sign_in) {
            self.record(events);
            if tells_grants {
                self.ends(EndReason::ProfileChanged);
            }
        }
    }

    pub(crate) fn revokes_profile(&mut self, tells_grants: bool) {
        let events = self.profile.revoke(&person("olga").unwrap()).unwrap();
        let is_new = !events.is_empty();
        self.record(events);
        if is_new && tells_grants {
            self.ends(EndReason::ProfileRevoked);
        }
    }

    pub(crate) fn writes(&mut self, owner: bool) {
        let events = open(&self.session).receive(&self.facts(owner), String::new());
        self.record(events);
    }

    pub(crate) fn uses_tool(&mut self, tool: &str) {
        let events = open(&self.session).use_tool(tool);
        self.record(events);
    }

    pub(crate) fn next_run(&mut self) {
        self.runs += 1;
        self.run = started(&format!("r{}", self.runs), "s1", RunKind::Interactive, None);
    }

    /// The generation, while the profile can be used.
    pub(crate) fn generation(&self) -> Option<u64> {
        self.profile.live_for(&person("olga").unwrap()).ok().map(|live| live.generation)
    }

    pub(crate) fn active_count(&self) -> usize {
        self.grants.iter().filter(|grant| grant.active().is_some()).count()
    }

    /// Uses, characters and end of every grant; a quarantined one shows as no grant can be.
    pub(crate) fn grants(&self) -> Vec<(u32, u32, Option<&'static str>)> {
        let shown = |grant: &TaskGrant| match grant {
            TaskGrant::Active(grant) => (grant.actions_used, grant.characters_used, None),
            TaskGrant::Ended(grant, reason) => (grant.actions_used, grant.characters_used, Some(reason.as_str())),
            TaskGrant::Unknown | TaskGrant::Quarantined => (u32::MAX, u32::MAX, None),
        };
        self.grants.iter().map(shown).collect()
    }
}
