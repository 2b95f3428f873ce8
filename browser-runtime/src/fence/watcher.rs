//! The fence's task: reads every event, answers every paused request at once, and attaches to every
//! target before it runs.
//!
//! INVARIANT (no window runs): a page target other than the lease's own waits for the debugger until
//! it is closed. It is never resumed, so not even its first navigation starts.
//! INVARIANT (answer at once): nothing here waits for the browser, since an unanswered request holds
//! back that session's other answers. Set-up that must wait runs in its own task.

use super::activity::Activity;
use super::certificate;
use super::paused::{navigated, paused, text};
use super::rule::Verdict;
use super::state::State;
use super::{Control, FenceError, Standing};
use crate::devtools::{Event, Link, LinkError};
use crate::driver::Browser;
use crate::page;
use domain::scope::HostRule;
use serde_json::{Value, json};
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};
use tokio::sync::{broadcast, mpsc, watch};

/// How often, and with what pause between, a page that is no active one yet is asked again: 5 seconds.
const ACTIVE_ATTEMPTS_MAX: u32 = 50;
const ACTIVE_PAUSE: Duration = Duration::from_millis(100);
/// Windows that one lease may leave behind. A page that opens more than this is no page to work on.
const EMPTY_WINDOWS_MAX: usize = 16;

struct Watcher {
    link: Link,
    state: State,
    main_target: String,
    main_session: Option<Arc<str>>,
    reader_session: String,
    /// Sessions of windows that stay empty: nothing of theirs passes.
    empty_windows: HashSet<String>,
    activity: watch::Sender<Activity>,
    breached: Arc<AtomicBool>,
}

/// What the task tells while it runs.
pub(super) struct Told {
    pub(super) activity: watch::Sender<Activity>,
    pub(super) breached: Arc<AtomicBool>,
}

/// Attaches to the browser and its one page, and starts the task.
pub(super) async fn start(browser: &Browser, standing: Standing, control: mpsc::Receiver<Control>, told: Told) -> Result<(), FenceError> {
    let link = browser.link().clone();
    let events = link.subscribe();
    let hosts = standing.hosts;
    let mut watcher = Watcher {
        link: link.clone(),
        state: State::new(standing),
        main_target: browser.page_target().to_owned(),
        main_session: None,
        reader_session: browser.page_session().to_owned(),
        empty_windows: HashSet::new(),
        activity: told.activity,
        breached: told.breached,
    };
    // A session of the fence's own on the page that already runs, still blank.
    let attached = link.call(None, "Target.attachToTarget", json!({ "targetId": watcher.main_target, "flatten": true })).await?;
    let session: Arc<str> = text(&attached, &["sessionId"]).ok_or(LinkError::Lost)?.into();
    watcher.main_session = Some(session.clone());
    tokio::spawn(watcher.run(events, control));
    set_up(&link, &session, hosts).await?;
    // A page without the window's focus gets its focus events late, with the first key; a new window
    // would take that focus away, and the guard could not see what focusing does before it types.
    call_on_active_page(&link, &session, "Emulation.setFocusEmulationEnabled", json!({ "enabled": true })).await?;
    link.call(None, "Target.setAutoAttach", auto_attach(true)).await?;
    Ok(())
}

/// Tabs are excluded because they only wrap the page targets that are attached anyway.
fn auto_attach(whole_browser: bool) -> Value {
    let filter = if whole_browser {
        json!([{ "type": "tab", "exclude": true }, { "type": "browser", "exclude": true }, {}])
    } else {
        json!([{ "type": "tab", "exclude": true }, {}])
    };
    json!({ "autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true, "filter": filter })
}

/// Everything that a page or frame target needs before it runs. In this order: what stops requests
/// first.
async fn set_up(link: &Link, session: &str, hosts: HostRule) -> Result<(), LinkError> {
    let calls = [
        ("Fetch.enable", json!({ "patterns": [{ "urlPattern": "*", "requestStage": "Request" }] })),
        ("Network.enable", json!({ "maxTotalBufferSize": 0, "maxResourceBufferSize": 0 })),
        ("Network.setBypassServiceWorker", json!({ "bypass": true })),
        ("Page.enable", json!({})),
        ("Inspector.enable", json!({})),
        ("Target.setAutoAttach", auto_attach(false)),
    ];
    for (method, params) in calls {
        call_on_active_page(link, session, method, params).await?;
    }
    if hosts == HostRule::PublicOrLoopback {
        call_on_active_page(link, session, "Security.enable", json!({})).await?;
        call_on_active_page(link, session, "Security.setOverrideCertificateErrors", json!({ "override": true })).await?;
    }
    link.call(Some(session), "Runtime.runIfWaitingForDebugger", json!({})).await.map(drop)
}

/// Asks once more while the browser is just exchanging the page's blank first document for another
/// (measured on a busy machine: "Not attached to an active page", for less than a second).
async fn call_on_active_page(link: &Link, session: &str, method: &str, params: Value) -> Result<(), LinkError> {
    let mut attempt = 1;
    loop {
        match link.call(Some(session), method, params.clone()).await {
            Err(LinkError::Refused { message, .. })
                if attempt < ACTIVE_ATTEMPTS_MAX && message.contains("Not attached to an active page") =>
            {
                attempt += 1;
                tokio::time::sleep(ACTIVE_PAUSE).await;
            }
            answer => return answer.map(drop),
        }
    }
}

impl Watcher {
    async fn run(mut self, mut events: broadcast::Receiver<Event>, mut control: mpsc::Receiver<Control>) {
        loop {
            tokio::select! {
                biased;
                () = self.link.lost() => break,
                event = events.recv() => match event {
                    Ok(event) => self.take(&event),
                    Err(RecvError::Lagged(_) | RecvError::Closed) => break,
                },
                order = control.recv() => {
                    let Some(order) = order else { break };
                    if !self.drain(&mut events) {
                        break;
                    }
                    self.obey(order);
                }
            }
        }
        // Also when the lease lets go of the fence: a browser without a fence may do nothing more.
        self.link.give_up();
    }

    /// Takes what was told before the order, so that each event is judged by the rule of its time.
    fn drain(&mut self, events: &mut broadcast::Receiver<Event>) -> bool {
        loop {
            match events.try_recv() {
                Ok(event) => self.take(&event),
                Err(TryRecvError::Empty) => return true,
                Err(TryRecvError::Lagged(_) | TryRecvError::Closed) => return false,
            }
        }
    }

    fn obey(&mut self, order: Control) {
        match order {
            Control::Arm { scope, done } => {
                let armed = self.state.arm(scope);
                drop(done.send(if armed { Ok(()) } else { Err(FenceError::Armed) }));
            }
            Control::Report { disarm, done } => {
                if disarm {
                    self.state.disarm();
                }
                drop(done.send(self.state.take_report()));
            }
        }
    }

    fn take(&mut self, event: &Event) {
        let params = &*event.params;
        let Some(session) = &event.session else {
            return match &*event.method {
                "Target.attachedToTarget" => self.attached(None, params),
                "Target.detachedFromTarget" => self.detached(params),
                _ => {}
            };
        };
        match &*event.method {
            "Fetch.requestPaused" => self.answer(session, params),
            "Target.attachedToTarget" => self.attached(Some(session), params),
            "Target.detachedFromTarget" => self.detached(params),
            "Page.javascriptDialogOpening" if self.empty_windows.contains(&**session) => {
                self.cast(Some(session), "Page.handleJavaScriptDialog", json!({ "accept": false }));
            }
            "Page.frameNavigated" if self.empty_windows.contains(&**session) => {}
            // The reader's own session on the page tells each document once more; one is enough.
            "Page.frameNavigated" if **session == *self.reader_session => {}
            "Page.frameNavigated" => self.committed(params),
            "Security.certificateError" => self.certificate(session, params),
            "Inspector.targetCrashed" if self.is_main(session) => self.link.give_up(),
            method => self.note(session, method, params),
        }
    }

    fn attached(&mut self, parent: Option<&str>, params: &Value) {
        let Some(session) = text(params, &["sessionId"]).map(str::to_owned) else { return };
        // What belongs to an empty window waits for ever.
        if parent.is_some_and(|parent| self.empty_windows.contains(parent)) {
            return;
        }
        let target = text(params, &["targetInfo", "targetId"]).unwrap_or_default();
        match text(params, &["targetInfo", "type"]).unwrap_or_default() {
            // The lease's own page has its session already; this second one only lets it go on.
            "page" if target == self.main_target => self.cast(Some(&session), "Runtime.runIfWaitingForDebugger", json!({})),
            "page" => self.keep_window_empty(&session),
            "iframe" => self.set_up_later(session),
            "worker" | "shared_worker" | "service_worker" => self.let_worker_run(&session),
            // Whatever else wants to run here is no part of reading and acting on a page.
            _ => {}
        }
    }

    /// A new window. It goes on, with every request of its refused from the very first, and it stays,
    /// empty. Left paused, it would hold the script of an opener that shares its program, and the
    /// whole act with it (measured: 30 seconds, until the driver gave up). Closed, paused or not, it
    /// would end the session that refuses, and let go what is held at that moment (measured: 2 of 36
    /// first navigations were then sent). One window too many is left paused, and ends the lease.
    fn keep_window_empty(&mut self, session: &str) {
        self.state.window_closed();
        if self.empty_windows.len() >= EMPTY_WINDOWS_MAX {
            return self.link.give_up();
        }
        self.empty_windows.insert(session.to_owned());
        let fetch = json!({ "patterns": [{ "urlPattern": "*", "requestStage": "Request" }] });
        self.cast(Some(session), "Fetch.enable", fetch);
        self.cast(Some(session), "Network.enable", json!({}));
        self.cast(Some(session), "Network.setBypassServiceWorker", json!({ "bypass": true }));
        self.cast(Some(session), "Target.setAutoAttach", auto_attach(false));
        // A question asked in it holds its opener too: so this session hears of it, and declines.
        self.cast(Some(session), "Page.enable", json!({}));
        self.cast(Some(session), "Runtime.runIfWaitingForDebugger", json!({}));
    }

    /// A frame in another program. When set-up fails it stays paused, which loads nothing.
    fn set_up_later(&self, session: String) {
        let link = self.link.clone();
        let hosts = self.state.standing().hosts;
        tokio::spawn(async move {
            // Facts and guard first: the frame's own script must not run before them.
            if page::install_ahead(&link, &session).is_err() || set_up(&link, &session, hosts).await.is_err() {
                tracing::debug!("a frame was left paused because it could not be fenced");
            }
        });
    }

    /// Workers load no documents, but their requests obey the rule too, and so do workers of theirs.
    fn let_worker_run(&self, session: &str) {
        let fetch = json!({ "patterns": [{ "urlPattern": "*", "requestStage": "Request" }] });
        self.cast(Some(session), "Fetch.enable", fetch);
        self.cast(Some(session), "Target.setAutoAttach", auto_attach(false));
        self.cast(Some(session), "Runtime.runIfWaitingForDebugger", json!({}));
    }

    fn detached(&mut self, params: &Value) {
        let Some(session) = text(params, &["sessionId"]) else { return };
        if self.is_main(session) {
            return self.link.give_up();
        }
        self.activity.send_modify(|activity| activity.session_ends(session));
    }

    fn answer(&mut self, session: &Arc<str>, params: &Value) {
        let Some(paused) = paused(params, &self.main_target) else { return self.link.give_up() };
        let request_id = paused.request_id;
        if self.empty_windows.contains(&**session) {
            let refusal = json!({ "requestId": request_id, "errorReason": "BlockedByClient" });
            return self.cast(Some(session), "Fetch.failRequest", refusal);
        }
        match self.state.decide(&paused) {
            Verdict::Pass => self.cast(Some(session), "Fetch.continueRequest", json!({ "requestId": request_id })),
            Verdict::Refuse(_) => {
                let refusal = json!({ "requestId": request_id, "errorReason": "BlockedByClient" });
                self.cast(Some(session), "Fetch.failRequest", refusal);
            }
        }
    }

    fn committed(&mut self, params: &Value) {
        let Some(document) = navigated(params) else { return self.link.give_up() };
        let main = document.frame == self.main_target;
        if !self.state.committed(&document, main) {
            // The scheme alone: the rest of a URL is the page's, and may hold a secret.
            let scheme = document.url.split(':').next().unwrap_or_default();
            tracing::warn!(main, scheme, restored = document.restored, "a document appeared that the fence had not passed");
            self.breached.store(true, Ordering::Release);
        }
    }

    fn certificate(&self, session: &str, params: &Value) {
        let url = text(params, &["requestURL"]).unwrap_or_default();
        let action = if certificate::accept(url, self.state.standing().hosts) { "continue" } else { "cancel" };
        let event_id = params.get("eventId").cloned().unwrap_or(Value::Null);
        self.cast(Some(session), "Security.handleCertificateError", json!({ "eventId": event_id, "action": action }));
    }

    /// Keeps [`Activity`] up to date; only sessions of the fence have these domains enabled by it.
    fn note(&self, session: &Arc<str>, method: &str, params: &Value) {
        let frame = text(params, &["frameId"]).unwrap_or_default();
        let request = text(params, &["requestId"]).unwrap_or_default();
        match method {
            "Page.frameStartedLoading" | "Page.frameStartedNavigating" => self.activity.send_modify(|a| a.frame_loads(frame)),
            "Page.frameStoppedLoading" => self.activity.send_modify(|a| a.frame_rests(frame)),
            "Page.frameDetached" if text(params, &["reason"]) != Some("swap") => self.activity.send_modify(|a| a.frame_rests(frame)),
            "Page.javascriptDialogOpening" if self.is_main(session) => self.activity.send_modify(Activity::dialog_opens),
            "Page.javascriptDialogClosed" if self.is_main(session) => self.activity.send_modify(Activity::dialog_closes),
            "Network.requestWillBeSent" if matches!(text(params, &["type"]), Some("Script" | "XHR" | "Fetch" | "Stylesheet")) => {
                self.activity.send_modify(|a| a.request_begins(session.clone(), request));
            }
            "Network.loadingFinished" | "Network.loadingFailed" => self.activity.send_modify(|a| a.request_ends(session.clone(), request)),
            _ => {}
        }
    }

    fn is_main(&self, session: &str) -> bool {
        self.main_session.as_deref() == Some(session)
    }

    fn cast(&self, session: Option<&str>, method: &str, params: Value) {
        // A lost link has ended the lease already.
        drop(self.link.cast(session, method, &params));
    }
}
