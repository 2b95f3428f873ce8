//! What the fence knows at one moment, and how each event changes it. No I/O: the watcher sends what
//! comes out of here.

use super::commit::{Commit, judge};
use super::paused::{Navigated, Paused};
use super::rule::{FenceState, Request, RequestKind, Verdict, allow};
use super::{RefusedDocument, Report, Standing};
use domain::scope::SiteScope;
use std::collections::{HashMap, VecDeque};

/// Passed document requests that are remembered until they commit. Loads that never commit (a
/// download, a 204) would otherwise pile up; forgetting one can only trip the tripwire.
const PASSED_MAX: usize = 256;
/// Refused documents that a report lists one by one.
const REFUSED_LISTED_MAX: usize = 64;

/// See the module.
#[derive(Debug)]
pub(super) struct State {
    standing: Standing,
    scope: Option<SiteScope>,
    report: Report,
    passed: HashMap<String, String>,
    passed_order: VecDeque<String>,
}

impl State {
    pub(super) fn new(standing: Standing) -> Self {
        Self { standing, scope: None, report: Report::default(), passed: HashMap::new(), passed_order: VecDeque::new() }
    }

    /// Narrows to a scope; `false` when a granted act runs already.
    pub(super) fn arm(&mut self, scope: SiteScope) -> bool {
        if self.scope.is_some() {
            return false;
        }
        self.scope = Some(scope);
        self.report = Report::default();
        true
    }

    pub(super) fn disarm(&mut self) {
        self.scope = None;
    }

    pub(super) fn take_report(&mut self) -> Report {
        std::mem::take(&mut self.report)
    }

    pub(super) const fn standing(&self) -> &Standing {
        &self.standing
    }

    pub(super) fn window_closed(&mut self) {
        self.report.new_windows = self.report.new_windows.saturating_add(1);
    }

    /// Decides a paused request and remembers what the tripwire needs.
    pub(super) fn decide(&mut self, paused: &Paused<'_>) -> Verdict {
        let verdict = allow(&Request { url: paused.url, kind: paused.kind }, &self.view());
        match (verdict, paused.kind) {
            (Verdict::Pass, RequestKind::Document { .. }) => self.remember(paused),
            (Verdict::Refuse(refusal), RequestKind::Document { main }) if self.report.refused_documents.len() < REFUSED_LISTED_MAX => {
                self.report.refused_documents.push(RefusedDocument { main, refusal });
            }
            (Verdict::Refuse(_), RequestKind::Ping) => {
                self.report.refused_pings = self.report.refused_pings.saturating_add(1);
            }
            _ => {}
        }
        verdict
    }

    /// Checks a commit against what was passed; `false` when nothing accounts for it. One pass
    /// accounts for one commit.
    pub(super) fn committed(&mut self, navigated: &Navigated<'_>, main: bool) -> bool {
        let passed = self.passed.remove(navigated.loader);
        let commit = Commit {
            main,
            url: navigated.url,
            is_error_page: navigated.is_error_page,
            restored: navigated.restored,
            passed: passed.as_deref(),
        };
        let accounted_for = judge(&commit, &self.view());
        self.report.untracked_commit |= !accounted_for;
        accounted_for
    }

    fn remember(&mut self, paused: &Paused<'_>) {
        let Some(id) = paused.network_id else { return };
        // Later hops of one load replace earlier ones: only the last can become the document.
        if self.passed.insert(id.to_owned(), paused.url.to_owned()).is_none() {
            self.passed_order.push_back(id.to_owned());
        }
        if self.passed_order.len() > PASSED_MAX
            && let Some(oldest) = self.passed_order.pop_front()
        {
            self.passed.remove(&oldest);
        }
    }

    fn view(&self) -> FenceState<'_> {
        FenceState { allowed_origins: &self.standing.allowed_origins, scope: self.scope.as_ref() }
    }
}

#[cfg(test)]
mod tests {
    use super::State;
    use crate::fence::Standing;
    use crate::fence::paused::{Navigated, Paused};
    use crate::fence::rule::{RequestKind, Verdict};
    use domain::scope::{HostRule, SiteScope};

    fn state() -> State {
        State::new(Standing { allowed_origins: vec!["https://www.example.com".to_owned()], hosts: HostRule::Public })
    }

    fn request<'a>(url: &'a str, loader: &'a str) -> Paused<'a> {
        Paused { request_id: "1", url, kind: RequestKind::Document { main: true }, network_id: Some(loader) }
    }

    fn document<'a>(url: &'a str, loader: &'a str) -> Navigated<'a> {
        Navigated { frame: "main", loader, url, is_error_page: false, restored: false }
    }

    fn scope() -> SiteScope {
        SiteScope::parse("https://www.example.com/lesson", HostRule::Public).unwrap()
    }

    /// RUN-10: one passed request accounts for one document; the same load cannot appear twice.
    #[test]
    fn a_pass_is_spent_by_its_commit() {
        let url = "https://www.example.com/lesson/1";
        let mut state = state();
        assert!(state.arm(scope()));
        assert_eq!(state.decide(&request(url, "L1")), Verdict::Pass);
        state.committed(&document(url, "L1"), true);
        assert!(state.take_report().is_clean());
        state.committed(&document(url, "L1"), true);
        assert!(state.take_report().untracked_commit);
    }

    /// RUN-10: a load that passed before the act, to a place outside the scope, trips the wire when
    /// it arrives during the act.
    #[test]
    fn an_earlier_pass_outside_the_scope_does_not_count() {
        let mut state = state();
        assert_eq!(state.decide(&request("https://www.example.com/shop", "L1")), Verdict::Pass);
        assert!(state.arm(scope()));
        state.committed(&document("https://www.example.com/shop", "L1"), true);
        assert!(state.take_report().untracked_commit);
    }

    /// RUN-10: arming twice is refused, and after the act the standing rule is back.
    #[test]
    fn arming_is_for_one_act() {
        let mut state = state();
        assert!(state.arm(scope()));
        assert!(!state.arm(scope()));
        let shop = request("https://www.example.com/shop", "L1");
        assert_ne!(state.decide(&shop), Verdict::Pass);
        assert_eq!(state.take_report().refused_documents.len(), 1);
        state.disarm();
        assert_eq!(state.decide(&shop), Verdict::Pass);
        assert!(state.take_report().is_clean());
    }

    /// RUN-15: loads that never commit do not pile up.
    #[test]
    fn passes_are_bounded() {
        let mut state = state();
        for number in 0..2_000 {
            state.decide(&request("https://www.example.com/lesson", &format!("L{number}")));
        }
        assert!(state.passed.len() <= super::PASSED_MAX + 1);
        assert_eq!(state.passed_order.len(), super::PASSED_MAX);
    }
}
