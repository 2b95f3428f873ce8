//! One chat: a profile, a session, a run, and what an agent and an owner do in it.

use super::Deployment;
use super::client::{Client, Replied};
use reqwest::StatusCode;
use serde_json::{Value, json};

/// One chat. Its clients can be exchanged to act as somebody else.
#[derive(Clone, Debug)]
pub struct Chat {
    /// The owner.
    pub owner: Client,
    /// The agent.
    pub agent: Client,
    /// The profile.
    pub profile: String,
    /// The session.
    pub session: String,
    /// The run.
    pub run: String,
}

/// What an observation gave the agent.
#[derive(Clone, Debug)]
pub struct Observation {
    /// The revision.
    pub revision: String,
    /// The whole result.
    pub result: Value,
}

impl Chat {
    /// Opens a chat: profile, session, the owner's first message, an interactive run.
    pub async fn open(deployment: &Deployment) -> Self {
        let owner = deployment.owner.clone();
        let profile = owner.post("/v1/browser-profiles", json!({"name": "Main"})).await.expect(StatusCode::CREATED);
        let profile = text(&profile, "id");
        Self::open_with(deployment, json!({"surface": "chat", "profile_id": profile})).await
    }

    /// Opens a chat with this session; its profile is the one that the body names, or none.
    pub async fn open_with(deployment: &Deployment, session: Value) -> Self {
        let (owner, agent) = (deployment.owner.clone(), deployment.agent.clone());
        let profile = session.get("profile_id").and_then(Value::as_str).unwrap_or_default().to_owned();
        let session = owner.post("/v1/sessions", session).await.expect(StatusCode::CREATED);
        let mut chat = Self { owner, agent, profile, session: text(&session, "id"), run: String::new() };
        chat.say("Do the lesson, please").await;
        chat.start_run().await;
        chat
    }

    /// The owner writes.
    pub async fn say(&self, words: &str) {
        let path = format!("/v1/sessions/{}/messages", self.session);
        let _ = self.owner.post(&path, json!({"author": "owner", "text": words})).await.expect(StatusCode::CREATED);
    }

    /// The agent writes.
    pub async fn answer(&self, words: &str) {
        let path = format!("/v1/sessions/{}/messages", self.session);
        let _ = self.agent.post(&path, json!({"author": "agent", "text": words})).await.expect(StatusCode::CREATED);
    }

    /// The agent starts another interactive run and goes on in it.
    pub async fn start_run(&mut self) {
        self.run = self.started(json!({"kind": "interactive"})).await;
    }

    /// The agent starts a run.
    pub async fn started(&self, run: Value) -> String {
        text(&self.agent.post(&format!("/v1/sessions/{}/runs", self.session), run).await.expect(StatusCode::CREATED), "id")
    }

    /// The agent proposes a call.
    pub async fn propose(&self, tool: &str, arguments: Value) -> Replied {
        self.agent.post(&format!("/v1/runs/{}/tool-calls", self.run), json!({"tool": tool, "arguments": arguments})).await
    }

    /// The agent proposes a call that ends without a card.
    pub async fn done(&self, tool: &str, arguments: Value) -> Value {
        self.propose(tool, arguments).await.expect(StatusCode::OK)
    }

    /// The agent opens the lesson and looks at it.
    pub async fn look(&self) -> Observation {
        let opened = self.done("browser.navigate", json!({"url": "https://www.example.com/lesson/1"})).await;
        assert_eq!(text(&opened, "outcome"), "completed", "{opened}");
        self.observe().await
    }

    /// The agent looks at the page.
    pub async fn observe(&self) -> Observation {
        let seen = self.done("browser.observe", json!({})).await;
        let revision = seen.pointer("/result/observation/revision").and_then(Value::as_str);
        Observation { revision: revision.unwrap_or_else(|| panic_with(&seen)).to_owned(), result: seen }
    }

    /// The agent acts on an element that it has just observed.
    pub async fn act(&self, element: &str, action: Value) -> Replied {
        let revision = self.observe().await.revision;
        self.propose("browser.act", json!({"revision": revision, "element_ref": element, "action": action})).await
    }

    /// The agent clicks on an element that it has just observed.
    pub async fn click(&self, element: &str) -> Replied {
        self.act(element, json!({"kind": "click"})).await
    }

    /// The agent clicks, and the owner must be asked: the call and the approval.
    pub async fn asked(&self, element: &str) -> (String, Value) {
        self.asks(self.click(element).await).await
    }

    /// A proposal for which the owner must be asked: the call and the approval.
    pub async fn asks(&self, replied: Replied) -> (String, Value) {
        let waiting = replied.expect(StatusCode::ACCEPTED);
        assert_eq!(text(&waiting, "status"), "awaiting_approval", "{waiting}");
        let approval = self.owner.get(&format!("/v1/approvals/{}", text(&waiting, "approval_id"))).await.expect(StatusCode::OK);
        assert_eq!((text(&approval, "status"), text(&approval, "tool_call_id")), ("pending".to_owned(), text(&waiting, "tool_call_id")));
        (text(&waiting, "tool_call_id"), approval)
    }

    /// The owner answers.
    pub async fn resolve(&self, approval: &Value, answer: Value) -> Replied {
        self.owner.post(&format!("/v1/approvals/{}/resolve", text(approval, "id")), answer).await
    }

    /// The owner allows the offered task.
    pub async fn allow_task(&self, approval: &Value) -> Replied {
        let offer = approval.get("offer").filter(|offer| offer.is_object()).unwrap_or_else(|| panic_with(approval));
        let answer = json!({"resolution": "approve_for_task", "origin": text(offer, "origin"), "path_prefix": text(offer, "path_prefix")});
        self.resolve(approval, answer).await
    }

    /// The end of a call.
    pub async fn finished(&self, call: &str) -> Value {
        let call = self.agent.get(&format!("/v1/tool-calls/{call}?wait=30")).await.expect(StatusCode::OK);
        assert_eq!(text(&call, "status"), "finished", "{call}");
        call
    }

    /// Looks at the lesson, clicks, and has the owner allow the task: the grant as it then is.
    pub async fn granted(&self) -> Value {
        self.look().await;
        let (call, approval) = self.asked("go").await;
        let resolved = self.allow_task(&approval).await.expect(StatusCode::OK);
        assert_eq!(text(&self.finished(&call).await, "outcome"), "completed");
        self.grant(&text(&resolved, "task_grant_id")).await
    }

    /// A grant.
    pub async fn grant(&self, id: &str) -> Value {
        self.owner.get(&format!("/v1/browser-task-grants/{id}")).await.expect(StatusCode::OK)
    }

    /// A covered click: it must end without a card.
    pub async fn covered_click(&self) -> Value {
        let done = self.click("go").await.expect(StatusCode::OK);
        assert_eq!(text(&done, "outcome"), "completed", "{done}");
        done
    }

    /// Every event of the tenant, oldest first.
    pub async fn events(&self) -> Vec<Value> {
        self.owner.all("/v1/audit/events?limit=1000").await
    }

    /// Every event of one type.
    pub async fn events_of(&self, kind: &str) -> Vec<Value> {
        self.events().await.into_iter().filter(|event| text(event, "type") == kind).collect()
    }
}

/// A text field of an answer.
///
/// # Panics
/// When it is missing or no text.
#[track_caller]
#[must_use]
pub fn text(value: &Value, field: &str) -> String {
    value.get(field).and_then(Value::as_str).unwrap_or_else(|| panic_with(value)).to_owned()
}

/// A number of an answer.
///
/// # Panics
/// When it is missing or no number.
#[track_caller]
#[must_use]
pub fn number(value: &Value, field: &str) -> u64 {
    value.get(field).and_then(Value::as_u64).unwrap_or_else(|| panic_with(value))
}

#[track_caller]
#[expect(clippy::panic, reason = "a test fails by panicking")]
fn panic_with<T>(value: &Value) -> T {
    panic!("not what was expected: {value}")
}
