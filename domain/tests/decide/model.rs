//! The model: the rules of task grants once more, in plain numbers and apart from the product's code.
//! It knows nothing of events, folds or facts, so the two agree only where both say what was meant.

/// Half an hour in microseconds.
const BOX: i64 = 30 * 60 * 1_000_000;
/// A quarter of an hour in microseconds: how long a question waits.
const WAIT: i64 = 15 * 60 * 1_000_000;

/// A grant as the model knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Grant {
    pub(crate) from: i64,
    pub(crate) uses: u32,
    pub(crate) characters: u32,
    pub(crate) ended: Option<&'static str>,
    generation: u64,
    agent: u8,
    policy: u8,
}

/// The one question that can be answered.
#[derive(Clone, Debug)]
struct Question {
    until: i64,
    generation: u64,
    run: u32,
    open: bool,
}

/// What came of a use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// Which one it was, and what is left of actions and characters.
    Used(u32, u32, u32),
    /// The owner is asked.
    Asks,
    /// There is no grant.
    NoGrant,
}

/// Where a use comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum From {
    /// The session's interactive run.
    Here,
    /// A delegated run of the session.
    Child,
    /// Another session with the same profile.
    Elsewhere,
}

/// One session, one profile, and everything that was allowed.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    pub(crate) now: i64,
    pub(crate) flag: bool,
    pub(crate) scope: bool,
    pub(crate) agent: u8,
    pub(crate) policy: u8,
    pub(crate) generation: u64,
    pub(crate) grants: Vec<Grant>,
    profile_alive: bool,
    signing_in: bool,
    owner_wrote: bool,
    browser_only: bool,
    run: u32,
    question: Option<Question>,
}

impl Model {
    pub(crate) fn new(now: i64) -> Self {
        Self {
            now,
            flag: true,
            scope: true,
            agent: 0,
            policy: 0,
            generation: 1,
            grants: Vec::new(),
            profile_alive: true,
            signing_in: false,
            owner_wrote: false,
            browser_only: true,
            run: 1,
            question: None,
        }
    }

    /// Ends whatever is active; a grant whose time was over before expired.
    pub(crate) fn end(&mut self, why: &'static str) {
        let now = self.now;
        if let Some(grant) = self.active() {
            grant.ended = Some(if now >= grant.from + BOX { "expired" } else { why });
        }
    }

    pub(crate) fn sweep(&mut self) {
        let now = self.now;
        if self.active().is_some_and(|grant| now >= grant.from + BOX) {
            self.end("expired");
        }
    }

    fn active(&mut self) -> Option<&mut Grant> {
        self.grants.iter_mut().find(|grant| grant.ended.is_none())
    }

    pub(crate) fn owner_writes(&mut self) {
        self.owner_wrote = true;
        self.browser_only = true;
    }

    pub(crate) fn leaves_browser(&mut self) {
        self.browser_only = false;
    }

    pub(crate) fn next_run(&mut self) {
        self.run += 1;
    }

    pub(crate) fn begins_sign_in(&mut self, tells_grants: bool) {
        if self.profile_alive {
            self.generation += 1;
            self.signing_in = true;
            if tells_grants {
                self.end("profile_changed");
            }
        }
    }

    pub(crate) fn completes_sign_in(&mut self, tells_grants: bool) {
        if self.profile_alive && self.signing_in {
            self.generation += 1;
            self.signing_in = false;
            if tells_grants {
                self.end("profile_changed");
            }
        }
    }

    pub(crate) fn revokes_profile(&mut self, tells_grants: bool) {
        if self.profile_alive {
            self.profile_alive = false;
            if tells_grants {
                self.end("profile_revoked");
            }
        }
    }

    pub(crate) fn asks(&mut self) {
        self.question = Some(Question { until: self.now + WAIT, generation: self.generation, run: self.run, open: true });
    }

    /// Allow once or deny: whether it was taken.
    pub(crate) fn answers_once(&mut self) -> bool {
        let now = self.now;
        match &mut self.question {
            Some(question) if question.open && now < question.until => {
                question.open = false;
                true
            }
            _ => false,
        }
    }

    /// Allow for this task: whether it was taken.
    pub(crate) fn answers_for_task(&mut self, owner: bool, repeats: bool) -> bool {
        let Some(question) = &self.question else { return false };
        let waits = question.open && self.now < question.until;
        let stands = self.flag && self.scope && self.owner_wrote && self.profile_alive && !self.signing_in;
        if !owner || !repeats || !waits || !stands || question.generation != self.generation || question.run != self.run {
            return false;
        }
        self.question = None;
        self.end("superseded");
        let (from, generation, agent, policy) = (self.now, self.generation, self.agent, self.policy);
        self.grants.push(Grant { from, uses: 0, characters: 0, ended: None, generation, agent, policy });
        true
    }

    /// One act that a page's coverage would admit.
    pub(crate) fn uses(&mut self, from: From, characters: u32) -> Use {
        let state = self.clone();
        let Some(grant) = self.active() else { return Use::NoGrant };
        if from == From::Elsewhere {
            return Use::Asks;
        }
        let changed = [
            (state.now >= grant.from + BOX, "expired"),
            (!state.profile_alive, "profile_revoked"),
            (state.generation != grant.generation, "profile_changed"),
            (!state.flag || !state.scope, "scope_removed"),
            (state.policy != grant.policy, "policy_changed"),
            (state.agent != grant.agent, "agent_changed"),
        ];
        if let Some((_, why)) = changed.into_iter().find(|(is_so, _)| *is_so) {
            grant.ended = Some(why);
            return Use::Asks;
        }
        let place = from == From::Here && state.owner_wrote && state.browser_only && state.now >= grant.from;
        if !place || u64::from(grant.characters) + u64::from(characters) > 4_096 {
            return Use::Asks;
        }
        grant.uses += 1;
        grant.characters += characters;
        if grant.uses == 200 {
            grant.ended = Some("exhausted");
        }
        Use::Used(grant.uses, 200 - grant.uses, 4_096 - grant.characters)
    }
}
