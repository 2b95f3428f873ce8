//! How an act ended: an outcome, a stable code, reasons and a detail in our own words. Never a word
//! of the page.

use crate::fence::Report;
use domain::browser::Outcome;
use domain::coverage::Reason;
use serde::Serialize;

/// The end of one act.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ActResult {
    /// Completed, refused, failed or unknown.
    pub outcome: Outcome,
    /// One of [`code`].
    pub code: &'static str,
    /// Why a grant does not cover the act; empty for every other code.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<Reason>,
    /// More about it, in fixed words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// The codes of an act's result.
pub mod code {
    /// It was done.
    pub const COMPLETED: &str = "tool.browser.completed";
    /// The action is not one that can be taken.
    pub const MALFORMED: &str = "tool.browser.malformed_action";
    /// The grant does not cover the live act; `reasons` say why.
    pub const GRANT_NOT_APPLICABLE: &str = "tool.browser.grant_not_applicable";
    /// The observation is not the newest, or its document is gone.
    pub const STALE_REVISION: &str = "tool.browser.stale_revision";
    /// The element is no longer in the document.
    pub const STALE_ELEMENT: &str = "tool.browser.stale_element";
    /// The element is no longer what was observed.
    pub const ELEMENT_CHANGED: &str = "tool.browser.element_changed";
    /// A credential or one-time-code field: never touched.
    pub const FIELD_REFUSED: &str = "tool.browser.field_refused";
    /// The element is disabled.
    pub const DISABLED: &str = "tool.browser.disabled";
    /// The element has no box in the view.
    pub const NOT_VISIBLE: &str = "tool.browser.not_visible";
    /// Something else lies over the point to press.
    pub const COVERED: &str = "tool.browser.covered";
    /// The pointer did not arrive where it was sent.
    pub const POINTER_UNSEEN: &str = "tool.browser.pointer_unseen";
    /// The guard is not there, or was taken away.
    pub const GUARD_BLIND: &str = "tool.browser.guard_blind";
    /// The guard stopped input that was aimed elsewhere.
    pub const GUARD_STOPPED: &str = "tool.browser.guard_stopped";
    /// The element does not hold the focus once focused.
    pub const FOCUS_NOT_HELD: &str = "tool.browser.focus_not_held";
    /// An editable region: text there is not supported yet.
    pub const EDITABLE_NOT_SUPPORTED: &str = "tool.browser.editable_not_supported";
    /// Not a field that takes text.
    pub const NOT_TYPABLE: &str = "tool.browser.not_typable";
    /// The text holds a character that would be a key of its own.
    pub const TEXT_NOT_TYPABLE: &str = "tool.browser.text_not_typable";
    /// The field is read-only.
    pub const READ_ONLY: &str = "tool.browser.read_only";
    /// The field does not hold what was typed.
    pub const TEXT_NOT_KEPT: &str = "tool.browser.text_not_kept";
    /// No native select.
    pub const NOT_A_SELECT: &str = "tool.browser.not_a_select";
    /// The selection names no option that can be chosen.
    pub const NO_SUCH_OPTION: &str = "tool.browser.no_such_option";
    /// The select does not hold what was chosen.
    pub const SELECTION_NOT_KEPT: &str = "tool.browser.selection_not_kept";
    /// No native check box or radio, or a radio to be cleared.
    pub const NOT_CHECKABLE: &str = "tool.browser.not_checkable";
    /// The check box is not as asked for.
    pub const CHECK_NOT_KEPT: &str = "tool.browser.check_not_kept";
    /// A click there would open a chooser of the browser itself.
    pub const NOT_CLICKABLE: &str = "tool.browser.not_clickable";
    /// The page shows a dialog, which nobody answers.
    pub const DIALOG_OPEN: &str = "tool.browser.dialog_open";
    /// The act opened a dialog.
    pub const DIALOG_OPENED: &str = "tool.browser.dialog_opened";
    /// The fence refused the page's own document, or saw one that it had not passed.
    pub const FENCE_REFUSED: &str = "tool.browser.fence_refused";
    /// The press was taken, but no click followed.
    pub const CLICK_UNSEEN: &str = "tool.browser.click_unseen";
    /// The fence does not stand.
    pub const FENCE_DOWN: &str = "tool.browser.fence_down";
    /// The driver did not confirm the input.
    pub const INPUT_UNCONFIRMED: &str = "tool.browser.input_unconfirmed";
    /// The page gave no answer that can be read.
    pub const PAGE_UNREADABLE: &str = "tool.browser.page_unreadable";
}

/// A refusal before anything was sent.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    pub(crate) code: &'static str,
    pub(crate) reasons: Vec<Reason>,
    pub(crate) detail: Option<String>,
}

/// What is known of input once it was sent, apart from what the guard saw.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effect {
    /// The events of which the guard must have passed at least one; empty when the page was changed
    /// without input.
    pub(crate) expected: &'static [&'static str],
    /// What the read-back missed.
    pub(crate) missed: Option<&'static str>,
    /// The driver did not confirm.
    pub(crate) unconfirmed: bool,
}

impl Effect {
    /// Input that showed no fault by itself.
    pub(crate) const fn of(expected: &'static [&'static str]) -> Self {
        Self { expected, missed: None, unconfirmed: false }
    }
}

impl Refusal {
    pub(crate) const fn of(code: &'static str) -> Self {
        Self { code, reasons: Vec::new(), detail: None }
    }

    /// The refusal that the page script gave, by its own word.
    pub(crate) fn named(word: &str, cover: Option<&str>) -> Self {
        let code = match word {
            "stale_revision" => code::STALE_REVISION,
            "stale_element" => code::STALE_ELEMENT,
            "element_changed" => code::ELEMENT_CHANGED,
            "not_visible" | "outside_view" => code::NOT_VISIBLE,
            "covered" => code::COVERED,
            "pointer_unseen" => code::POINTER_UNSEEN,
            "guard_blind" => code::GUARD_BLIND,
            "focus_not_held" => code::FOCUS_NOT_HELD,
            "not_typable" => code::NOT_TYPABLE,
            "read_only" => code::READ_ONLY,
            "not_a_select" => code::NOT_A_SELECT,
            "no_such_option" | "option_disabled" | "one_option_only" => code::NO_SUCH_OPTION,
            _ => code::PAGE_UNREADABLE,
        };
        // The role comes from our fixed list.
        Self { code, reasons: Vec::new(), detail: cover.map(|role| format!("covered by: {role}")) }
    }
}

impl From<Refusal> for ActResult {
    fn from(refusal: Refusal) -> Self {
        Self { outcome: Outcome::Refused, code: refusal.code, reasons: refusal.reasons, detail: refusal.detail }
    }
}

impl ActResult {
    pub(crate) const fn completed() -> Self {
        Self { outcome: Outcome::Completed, code: code::COMPLETED, reasons: Vec::new(), detail: None }
    }

    pub(crate) const fn unknown(code: &'static str) -> Self {
        Self { outcome: Outcome::Unknown, code, reasons: Vec::new(), detail: None }
    }

    pub(crate) fn with_detail(mut self, more: &str) -> Self {
        self.detail = Some(match self.detail.take() {
            Some(before) => format!("{before}; {more}"),
            None => more.to_owned(),
        });
        self
    }

    /// What the fence saw decides over what the page seemed to do: a refused page document leaves
    /// the error page, and a document that no request accounts for is unknown in every respect.
    pub(crate) fn after_fence(self, report: &Report) -> Self {
        let main_refused = report.refused_documents.iter().any(|document| document.main);
        let uncertain = main_refused || report.is_breach();
        let mut result = if uncertain { Self::unknown(code::FENCE_REFUSED) } else { self };
        if main_refused {
            result = result.with_detail("the page's next document was refused");
        }
        if report.untracked_commit {
            result = result.with_detail("a document appeared that the fence had not passed");
        }
        if report.lost {
            result = result.with_detail("the fence could not tell what it saw");
        }
        if report.refused_documents.iter().any(|document| !document.main) {
            result = result.with_detail("a frame's document was refused");
        }
        if report.refused_pings > 0 {
            result = result.with_detail("a ping was refused");
        }
        if report.new_windows > 0 {
            result = result.with_detail("a new window was closed");
        }
        result
    }

    /// Whether the references of the observation are void now: after everything that may have had
    /// an effect, and after a refusal by the coverage rules (RUN-4).
    #[must_use]
    pub fn voids_observation(&self) -> bool {
        self.outcome != Outcome::Refused || matches!(self.code, code::GRANT_NOT_APPLICABLE | code::STALE_REVISION | code::ELEMENT_CHANGED)
    }
}

#[cfg(test)]
mod tests {
    use super::{ActResult, code};
    use crate::fence::Report;
    use domain::browser::Outcome;

    /// RUN-10: a document that nobody passed makes even a seemingly completed act unknown; a closed
    /// window is told, and changes nothing else.
    #[test]
    fn the_fence_has_the_last_word() {
        let breached = ActResult::completed().after_fence(&Report { untracked_commit: true, ..Report::default() });
        assert_eq!((breached.outcome, breached.code), (Outcome::Unknown, code::FENCE_REFUSED));
        let window = ActResult::completed().after_fence(&Report { new_windows: 1, ..Report::default() });
        assert_eq!((window.outcome, window.detail.as_deref()), (Outcome::Completed, Some("a new window was closed")));
        assert_eq!(ActResult::completed().after_fence(&Report::default()), ActResult::completed());
    }
}
