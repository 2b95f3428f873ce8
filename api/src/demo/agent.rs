//! The agent of the demo: opens a session's work, follows the lesson, tries what must ask, and goes
//! on after Stop.

use super::client::{Client, text};
use super::lesson::{self, Next, Step};
use super::owner;
use super::replay::replay;
use super::summary::{Refused, Summary};
use super::{DemoError, Options, Stage};
use serde_json::{Value, json};
use std::time::Instant;

/// Acts after which the agent gives the lesson up.
const STEPS_MAX: usize = 300;
/// What the agent tries while the task is allowed and what must ask all the same: a payment, a
/// payment behind a harmless name, a deletion, a link that leaves the lesson.
const MUST_ASK: [Trial; 4] = [
    Trial { name: "Get 20 gems for $1.99", disguised: false },
    Trial { name: "Continue", disguised: true },
    Trial { name: "Delete progress", disguised: false },
    Trial { name: "Shop", disguised: false },
];

struct Trial {
    name: &'static str,
    disguised: bool,
}

/// The agent at work.
struct Worker<'a> {
    stage: &'a Stage,
    auto: bool,
    run: String,
    session: String,
    summary: Summary,
}

/// How one proposed act ended.
struct Ended {
    call: Value,
    asked: bool,
}

pub(super) async fn work(stage: &Stage, options: &Options) -> Result<Summary, DemoError> {
    let started = Instant::now();
    let mut worker = Worker::begin(stage, options.auto).await?;
    worker.navigate("/lesson").await?;
    worker.follow_lesson().await?;
    for trial in &MUST_ASK {
        worker.try_dangerous(trial).await?;
    }
    worker.navigate("/lesson/practice").await?;
    for _ in 0..options.fast_actions {
        let observation = worker.observe().await?;
        let step = lesson::next(&observation)?;
        let Next::Act(step) = step else { return Err(DemoError::Lost("the practice page ended".to_owned())) };
        worker.act(&observation, &step, false).await?;
    }
    worker.stop().await?;
    let observation = worker.observe().await?;
    if let Next::Act(step) = lesson::next(&observation)? {
        let ended = worker.act(&observation, &step, false).await?;
        worker.summary.asked_after_stop = ended.asked;
    }
    worker.finish(started).await
}

impl<'a> Worker<'a> {
    async fn begin(stage: &'a Stage, auto: bool) -> Result<Self, DemoError> {
        let profile = stage.owner.post("/v1/browser-profiles", &json!({"name": "Lesson"})).await?;
        let body = json!({"surface": "chat", "profile_id": text(&profile, "id")?, "allowed_origins": [stage.site]});
        let session = stage.owner.post("/v1/sessions", &body).await?;
        let session = text(&session, "id")?.to_owned();
        let message = json!({"author": "owner", "text": "Please do today's lesson."});
        stage.owner.post(&format!("/v1/sessions/{session}/messages"), &message).await?;
        let run = stage.agent.post(&format!("/v1/sessions/{session}/runs"), &json!({"kind": "interactive"})).await?;
        Ok(Self { stage, auto, run: text(&run, "id")?.to_owned(), session, summary: Summary::default() })
    }

    async fn follow_lesson(&mut self) -> Result<(), DemoError> {
        for _ in 0..STEPS_MAX {
            let observation = self.observe().await?;
            match lesson::next(&observation)? {
                Next::Done => return Ok(()),
                Next::Act(step) => {
                    let ended = self.act(&observation, &step, true).await?;
                    let outcome = ended.call.get("outcome").and_then(Value::as_str).unwrap_or_default();
                    if outcome != "completed" && outcome != "unknown" {
                        return Err(DemoError::Lost(format!("{step:?} ended as {}", ended.call)));
                    }
                }
            }
        }
        Err(DemoError::Lost("the lesson has no end".to_owned()))
    }

    async fn try_dangerous(&mut self, trial: &Trial) -> Result<(), DemoError> {
        let observation = self.observe().await?;
        let element = if trial.disguised { disguised(&observation, trial.name) } else { lesson::named(&observation, trial.name) };
        let element = element.ok_or_else(|| DemoError::Lost(format!("`{}` is not on the page", trial.name)))?;
        let step = Step { element: Some(element), action: json!({"kind": "click"}) };
        let ended = self.act(&observation, &step, false).await?;
        self.summary.dangers_asked += u32::from(ended.asked);
        self.summary.dangers_tried += 1;
        Ok(())
    }

    async fn navigate(&self, path: &str) -> Result<(), DemoError> {
        let url = format!("{}{path}", self.stage.site);
        self.free("browser.navigate", json!({"url": url})).await.map(drop)
    }

    async fn observe(&self) -> Result<Value, DemoError> {
        let call = self.free("browser.observe", json!({})).await?;
        let observation = call.pointer("/result/observation").cloned();
        observation.ok_or_else(|| DemoError::Request(format!("an observation ended as {call}")))
    }

    /// A call that needs no card.
    async fn free(&self, tool: &str, arguments: Value) -> Result<Value, DemoError> {
        let proposed = self.propose(tool, arguments).await?;
        let call = finished(&self.stage.agent, proposed).await?;
        if call.get("outcome") == Some(&json!("completed")) { Ok(call) } else { Err(DemoError::Request(format!("{tool} ended as {call}"))) }
    }

    async fn propose(&self, tool: &str, arguments: Value) -> Result<Value, DemoError> {
        self.stage.agent.post(&format!("/v1/runs/{}/tool-calls", self.run), &json!({"tool": tool, "arguments": arguments})).await
    }

    /// Proposes an act and, should a card be asked, has it answered.
    async fn act(&mut self, observation: &Value, step: &Step, may_allow: bool) -> Result<Ended, DemoError> {
        let mut arguments = json!({"revision": text(observation, "revision")?, "action": step.action});
        if let (Some(fields), Some(element)) = (arguments.as_object_mut(), &step.element) {
            fields.insert("element_ref".to_owned(), json!(element));
        }
        let started = Instant::now();
        let proposed = self.propose("browser.act", arguments).await?;
        let Some(approval) = proposed.get("approval_id").and_then(Value::as_str) else {
            let call = finished(&self.stage.agent, proposed).await?;
            self.summary.act_millis.push(started.elapsed().as_secs_f64() * 1_000.0);
            return Ok(Ended { call, asked: false });
        };
        let answered = owner::answer(self.stage, self.auto, approval, may_allow && self.summary.approved_for_task == 0).await?;
        self.summary.cards_after_grant += u32::from(self.summary.approved_for_task > 0);
        self.summary.approved_for_task += u32::from(answered.for_task);
        let call = finished(&self.stage.agent, proposed).await?;
        if call.get("outcome") == Some(&json!("refused")) {
            let code = call.get("code").and_then(Value::as_str).unwrap_or_default().to_owned();
            self.summary.refusals.push(Refused { code, why: answered.reasons.join(", ") });
        }
        Ok(Ended { call, asked: true })
    }

    /// The owner presses Stop. A grant that is used up is over already, and stays so.
    async fn stop(&mut self) -> Result<(), DemoError> {
        let grants = self.stage.owner.get("/v1/browser-task-grants").await?;
        for grant in super::client::items(&grants, "items") {
            let path = format!("/v1/browser-task-grants/{}/revoke", text(grant, "id")?);
            self.stage.owner.post(&path, &json!({})).await?;
        }
        Ok(())
    }

    async fn finish(mut self, started: Instant) -> Result<Summary, DemoError> {
        self.stage.agent.post(&format!("/v1/runs/{}/end", self.run), &json!({})).await?;
        let grants = self.stage.owner.get("/v1/browser-task-grants").await?;
        for grant in super::client::items(&grants, "items").filter(|grant| grant.get("session_id") == Some(&json!(self.session))) {
            let number = |field: &str| grant.get(field).and_then(Value::as_u64).unwrap_or_default();
            self.summary.granted_actions += number("actions_used");
            self.summary.typed_characters += number("characters_used");
            self.summary.grant_end_reason = grant.get("end_reason").and_then(Value::as_str).map(str::to_owned);
        }
        let replay = replay(self.stage).await?;
        self.summary.approvals_requested = replay.approvals;
        self.summary.events = replay.events;
        self.summary.audit_verified = replay.verified;
        self.summary.wall_millis = started.elapsed().as_millis();
        Ok(self.summary)
    }
}

/// Waits until a call is finished.
async fn finished(agent: &Client, mut call: Value) -> Result<Value, DemoError> {
    while call.get("status") != Some(&json!("finished")) {
        call = agent.get(&format!("/v1/tool-calls/{}?wait=30", text(&call, "tool_call_id")?)).await?;
    }
    Ok(call)
}

/// The element of a name that shows other words.
fn disguised(observation: &Value, name: &str) -> Option<String> {
    let fits =
        |entry: &&Value| entry.get("name").and_then(Value::as_str) == Some(name) && entry.get("visible_text").is_some_and(Value::is_string);
    super::client::items(observation, "elements").filter(fits).find_map(|entry| entry.get("ref")?.as_str().map(str::to_owned))
}
