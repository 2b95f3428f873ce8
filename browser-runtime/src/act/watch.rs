//! What happens while input is under way: what the guard tells, and whether a dialog opens, which
//! stops the page's own thread until somebody answers.

use super::result::{ActResult, Effect, Refusal, code};
use crate::devtools::{Event, Link};
use crate::input::InputError;
use crate::page::{BINDING, Page, PageError, World};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};

/// Longest wait for the driver to confirm input. One command types at most 64 characters.
const INPUT_SECS_MAX: u64 = 15;
/// Event types that may be named in a detail: the guard's own list, never a page's word.
const NAMED_EVENTS: [&str; 12] = [
    "pointerdown",
    "pointerup",
    "mousedown",
    "mouseup",
    "click",
    "dblclick",
    "keydown",
    "keypress",
    "beforeinput",
    "input",
    "contextmenu",
    "auxclick",
];

/// Listens to one page session from before the input until the end of the act.
#[derive(Debug)]
pub(crate) struct Watch {
    link: Link,
    session: String,
    events: Receiver<Event>,
    act: u64,
    seen: Seen,
    dialog: Option<Dialog>,
    answered: bool,
}

/// A dialog that opened during the act, and the session by which it can be answered.
#[derive(Clone, Debug)]
struct Dialog {
    kind: &'static str,
    session: Option<Arc<str>>,
}

/// What the guard told.
#[derive(Debug, Default)]
struct Seen {
    passed: Vec<String>,
    stopped: Option<Stopped>,
}

#[derive(Clone, Debug, Deserialize)]
struct Stopped {
    event: String,
    why: String,
}

#[derive(Deserialize)]
struct Told {
    act: u64,
    passed: Option<String>,
    stopped: Option<Stopped>,
}

#[derive(Deserialize)]
struct GuardReport {
    armed: bool,
    stopped: Option<Stopped>,
    #[serde(default)]
    passed: Vec<String>,
}

/// Everything known once the act is over.
#[derive(Debug)]
pub(crate) struct Finished {
    seen: Seen,
    dialog: Option<&'static str>,
}

impl Watch {
    pub(super) fn start(page: &Page) -> Self {
        let mut number = [0_u8; 4];
        // Two acts never overlap, so a number that repeats could mix nothing up either.
        let act = getrandom::fill(&mut number).map_or(0, |()| u64::from(u32::from_le_bytes(number)));
        let link = page.link().clone();
        Self {
            events: link.subscribe(),
            link,
            session: page.session().to_owned(),
            act,
            seen: Seen::default(),
            dialog: None,
            answered: false,
        }
    }

    /// Tells this act from earlier ones in what the guard says.
    pub(crate) const fn act(&self) -> u64 {
        self.act
    }

    /// Waits for input to be confirmed, but no longer than until a dialog opens. `false` when it was
    /// not confirmed.
    pub(crate) async fn input(&mut self, sending: impl Future<Output = Result<(), InputError>>) -> bool {
        let limit = tokio::time::sleep(Duration::from_secs(INPUT_SECS_MAX));
        tokio::pin!(limit, sending);
        loop {
            tokio::select! {
                biased;
                confirmed = &mut sending => return confirmed.is_ok(),
                event = self.events.recv() => match event {
                    Ok(event) => self.take(&event),
                    Err(RecvError::Lagged(_)) => self.link.give_up(),
                    Err(RecvError::Closed) => return false,
                },
                () = &mut limit => return false,
            }
            if self.dialog.is_some() {
                return true;
            }
        }
    }

    /// Waits for an answer of the page script, but no longer than until a dialog opens: then the
    /// page's thread gives none until somebody answers it.
    pub(crate) async fn ask<T>(&mut self, asking: impl Future<Output = Result<T, PageError>>) -> Result<T, Refusal> {
        tokio::pin!(asking);
        loop {
            if self.dialog_opened() {
                return Err(Refusal::of(code::DIALOG_OPENED));
            }
            tokio::select! {
                biased;
                answer = &mut asking => return answer.map_err(Refusal::from),
                event = self.events.recv() => match event {
                    Ok(event) => self.take(&event),
                    Err(RecvError::Lagged(_)) => self.link.give_up(),
                    Err(RecvError::Closed) => return Err(Refusal::of(code::PAGE_UNREADABLE)),
                },
            }
        }
    }

    /// Whether a dialog has opened; then the page's thread answers nothing.
    pub(crate) fn dialog_opened(&mut self) -> bool {
        self.drain();
        self.dialog.is_some()
    }

    /// Ends the guard's watch and gathers what it saw. A document that is gone has told before.
    pub(super) async fn finish(&mut self, world: &World) -> Finished {
        if !self.dialog_opened()
            && let Ok(report) = world.call::<GuardReport>("disarm", json!({})).await
            && report.armed
        {
            self.seen = Seen { passed: report.passed, stopped: report.stopped };
        }
        self.drain();
        Finished { seen: std::mem::take(&mut self.seen), dialog: self.dialog.as_ref().map(|dialog| dialog.kind) }
    }

    /// Dismisses the dialog that the act opened, once it is on record: a question is declined, and a
    /// page that asks whether to leave is stayed on. Nothing is ever accepted.
    /// `true` when there was one.
    pub(super) async fn answer_dialog(&mut self) -> bool {
        self.drain();
        let Some(dialog) = self.dialog.as_ref().filter(|_| !self.answered) else { return false };
        self.answered = true;
        drop(self.link.call(dialog.session.as_deref(), "Page.handleJavaScriptDialog", json!({ "accept": false })).await);
        true
    }

    fn drain(&mut self) {
        loop {
            match self.events.try_recv() {
                Ok(event) => self.take(&event),
                // What was missed may be what the guard stopped.
                Err(TryRecvError::Lagged(_)) => self.link.give_up(),
                Err(TryRecvError::Empty | TryRecvError::Closed) => return,
            }
        }
    }

    fn take(&mut self, event: &Event) {
        match &*event.method {
            // A browser shows one dialog at a time, and a lease has one page: whichever session tells.
            "Page.javascriptDialogOpening" if self.dialog.is_none() => {
                self.dialog = Some(Dialog { kind: dialog_kind(&event.params), session: event.session.clone() });
            }
            "Runtime.bindingCalled" if event.session.as_deref() == Some(self.session.as_str()) => self.hear(&event.params),
            _ => {}
        }
    }

    fn hear(&mut self, params: &Value) {
        if params.get("name").and_then(Value::as_str) != Some(BINDING) {
            return;
        }
        let payload = params.get("payload").and_then(Value::as_str).unwrap_or_default();
        let Ok(told) = serde_json::from_str::<Told>(payload) else { return };
        if told.act == self.act {
            self.seen.passed.extend(told.passed);
            self.seen.stopped = self.seen.stopped.take().or(told.stopped);
        }
    }
}

fn dialog_kind(params: &Value) -> &'static str {
    match params.get("type").and_then(Value::as_str) {
        Some("alert") => "alert",
        Some("confirm") => "confirm",
        Some("prompt") => "prompt",
        Some("beforeunload") => "beforeunload",
        _ => "dialog",
    }
}

impl Finished {
    /// The outcome of input that was sent. Whatever is not known to have gone well is unknown.
    pub(super) fn judge(self, effect: Effect, settled: bool) -> ActResult {
        let took = |expected: &[&str]| expected.is_empty() || self.seen.passed.iter().any(|seen| expected.contains(&seen.as_str()));
        let result = if let Some(stopped) = &self.seen.stopped {
            ActResult::unknown(code::GUARD_STOPPED).with_detail(&stopped.words())
        } else if let Some(kind) = self.dialog {
            ActResult::unknown(code::DIALOG_OPENED).with_detail(kind)
        } else if effect.unconfirmed {
            ActResult::unknown(code::INPUT_UNCONFIRMED)
        } else if !took(effect.expected) {
            // A press without its click: the page drew what was pressed anew, or took it away.
            ActResult::unknown(if took(&["pointerdown", "mousedown"]) { code::CLICK_UNSEEN } else { code::GUARD_BLIND })
        } else if let Some(missed) = effect.missed {
            ActResult::unknown(missed)
        } else {
            ActResult::completed()
        };
        if settled || self.dialog.is_some() { result } else { result.with_detail("the page was still busy") }
    }
}

impl Stopped {
    fn words(&self) -> String {
        let event = NAMED_EVENTS.iter().find(|name| **name == self.event).copied().unwrap_or("input");
        let why = if self.why == "changed" { "the element had changed" } else { "it was aimed elsewhere" };
        format!("{event} stopped: {why}")
    }
}
