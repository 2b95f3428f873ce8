//! Calls to the runtime. Each failure says whether the page may have been touched, since that
//! decides between "refused" and "unknown" (AUT-7).

use domain::browser::{Action, ConsequenceCeiling, Constraint, ElementFacts, Outcome};
use domain::coverage::Reason;
use domain::id::{ProfileId, SessionId, TenantId};
use domain::limits::TYPED_TEXT_CHARACTERS_MAX;
use jiff::Timestamp as Instant;
use reqwest::redirect::Policy;
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::time::Duration;
use thiserror::Error;
use tokio::sync::watch;
use url::Url;

/// Longest wait for an act, an observation or a navigation: the runtime bounds its own work well
/// below this, so a longer silence means that it hangs.
const CALL_SECS_MAX: u64 = 120;
/// Bytes of one answer. The runtime bounds what it reads of a page far below this.
const ANSWER_BYTES_MAX: usize = 16 * 1024 * 1024;
/// Bytes of a code.
const CODE_BYTES_MAX: usize = 64;

/// Where the runtime is, right now.
#[derive(Clone)]
pub struct Endpoint {
    /// The base URL.
    pub url: Url,
    /// The bearer token.
    pub token: String,
}

/// A client that follows a runtime through restarts.
#[derive(Clone)]
pub struct RuntimeClient {
    http: reqwest::Client,
    endpoint: watch::Receiver<Option<Endpoint>>,
}

/// Why a call gave no answer.
#[derive(Debug, Error)]
pub enum RuntimeError {
    /// It could not be reached; certainly nothing was sent to a page.
    #[error("the browser runtime cannot be reached")]
    Unreachable,
    /// The connection broke or timed out after the call was sent; a page may have been touched.
    #[error("the browser runtime did not answer")]
    Interrupted,
    /// It turned the call down before dispatch, with its problem code.
    #[error("the browser runtime turned the call down: {code}")]
    TurnedDown {
        /// The HTTP status.
        status: u16,
        /// The stable code of its problem document.
        code: String,
    },
}

/// What a lease is for.
#[derive(Clone, Debug)]
pub struct NewLease<'a> {
    /// The tenant.
    pub tenant: &'a TenantId,
    /// The session.
    pub session: SessionId,
    /// The profile and its generation, if the session is bound to one.
    pub profile: Option<(ProfileId, u64)>,
    /// Origins that documents may come from.
    pub allowed_origins: &'a [String],
}

/// A page as an observation or an outcome tells it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct ObservedPage {
    /// The origin.
    pub origin: String,
    /// The path, without query and fragment.
    pub path: String,
    /// The title.
    pub title: String,
}

/// The runtime's answer to a navigation, an observation or an act.
#[derive(Clone, Debug, Deserialize)]
pub struct Answered {
    /// How it ended.
    pub outcome: Outcome,
    /// A stable code, empty when it completed without remark.
    #[serde(default, deserialize_with = "known_code")]
    pub code: String,
    /// Server words about what happened.
    #[serde(default)]
    pub detail: String,
    /// Why a grant did not fit the live page.
    #[serde(default, deserialize_with = "known_reasons")]
    pub reasons: Vec<Reason>,
    /// The lease's sequence afterwards.
    pub sequence: u64,
    /// The page afterwards.
    #[serde(default)]
    pub page: Option<ObservedPage>,
    /// What was observed, for the agent.
    #[serde(default)]
    pub observation: Option<Value>,
    /// The facts beside it, never for the agent (RUN-5). Facts that this version does not know are
    /// as good as absent: the runtime may be the newer one (API-5).
    #[serde(default, deserialize_with = "known_facts")]
    pub facts: HashMap<String, ElementFacts>,
}

/// Codes are written to the log and shown, so what is none is not taken for one.
fn known_code<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let code = String::deserialize(deserializer)?;
    Ok(if code.is_empty() || is_code(&code) { code } else { TURNED_DOWN.to_owned() })
}

/// What stands for a code that is none.
pub(crate) const TURNED_DOWN: &str = "tool.browser.turned_down";

pub(crate) fn is_code(code: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'_' | b'.');
    code.starts_with("tool.browser.") && code.len() <= CODE_BYTES_MAX && code.bytes().all(plain)
}

fn known_facts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<HashMap<String, ElementFacts>, D::Error> {
    let facts: HashMap<String, Value> = HashMap::deserialize(deserializer)?;
    Ok(facts.into_iter().filter_map(|(element, facts)| Some((element, serde_json::from_value(facts).ok()?))).collect())
}

/// A refusal stays a refusal when a newer runtime has a newer word for it.
fn known_reasons<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Reason>, D::Error> {
    let reasons: Vec<Value> = Vec::deserialize(deserializer)?;
    Ok(reasons.into_iter().filter_map(|reason| serde_json::from_value(reason).ok()).collect())
}

#[derive(Deserialize)]
struct Leased {
    lease_id: String,
    sequence: u64,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ProblemCode {
    code: String,
}

impl RuntimeClient {
    /// A client for whatever endpoint the channel holds.
    ///
    /// # Errors
    /// When the HTTP client cannot be built.
    pub fn new(endpoint: watch::Receiver<Option<Endpoint>>) -> Result<Self, reqwest::Error> {
        // A redirect would take a call, and with it an act, to whomever the answer names.
        let http = reqwest::Client::builder().no_proxy().redirect(Policy::none()).timeout(Duration::from_secs(CALL_SECS_MAX)).build()?;
        Ok(Self { http, endpoint })
    }

    /// Whether a runtime is there, can be used and says that its self-test passed (RUN-16).
    pub async fn is_ready(&self) -> bool {
        let health = self.health().await.unwrap_or_default();
        health.get("self_test").and_then(Value::as_str) == Some("passed")
    }

    /// Whether what the runtime reads of a page is judged there as it is here. One that names
    /// another version of the classifier would refuse what this process decided, or the reverse.
    pub async fn judges_alike(&self) -> bool {
        let Some(health) = self.health().await else { return false };
        health.get("classifier_version").is_none_or(|version| version.as_str() == Some(domain::classify::version()))
    }

    /// What the runtime says of itself.
    pub async fn health(&self) -> Option<Value> {
        let endpoint = self.endpoint.borrow().clone()?;
        let url = endpoint.url.join("healthz").ok()?;
        let response = self.http.get(url).timeout(Duration::from_secs(2)).bearer_auth(&endpoint.token).send().await.ok()?;
        if !response.status().is_success() {
            return None;
        }
        serde_json::from_slice(&body_of(response).await?).ok()
    }

    /// Opens a lease; gives its id and sequence.
    ///
    /// # Errors
    /// As told by [`RuntimeError`].
    pub async fn open(&self, lease: &NewLease<'_>, ttl_secs: u32) -> Result<(String, u64), RuntimeError> {
        let profile = lease.profile.map(|(id, generation)| json!({"id": id, "generation": generation}));
        let body = json!({
            "tenant": lease.tenant,
            "session": lease.session,
            "profile": profile,
            "allowed_origins": lease.allowed_origins,
            "ttl_seconds": ttl_secs,
        });
        let leased: Leased = self.post("v1/leases", &body).await?;
        Ok((leased.lease_id, leased.sequence))
    }

    /// Closes a lease; a lease that is gone already is fine.
    pub async fn close(&self, lease: &str) {
        let Some(endpoint) = self.endpoint.borrow().clone() else { return };
        let Ok(url) = endpoint.url.join(&format!("v1/leases/{lease}")) else { return };
        let closing = self.http.delete(url).timeout(Duration::from_secs(20)).bearer_auth(&endpoint.token).send();
        if closing.await.is_err() {
            tracing::warn!("a browser lease could not be closed; it ends by itself when its time is over");
        }
    }

    /// Opens a page.
    ///
    /// # Errors
    /// As told by [`RuntimeError`].
    pub async fn navigate(&self, lease: &str, sequence: u64, url: &str) -> Result<Answered, RuntimeError> {
        self.post(&format!("v1/leases/{lease}/navigate"), &json!({"sequence": sequence, "url": url})).await
    }

    /// Looks at the page.
    ///
    /// # Errors
    /// As told by [`RuntimeError`].
    pub async fn observe(&self, lease: &str, sequence: u64) -> Result<Answered, RuntimeError> {
        self.post(&format!("v1/leases/{lease}/observe"), &json!({"sequence": sequence})).await
    }

    /// Acts on the page, within the constraint of a grant or, without one, as approved.
    ///
    /// # Errors
    /// As told by [`RuntimeError`].
    pub async fn act(&self, lease: &str, act: &Act<'_>) -> Result<Answered, RuntimeError> {
        let mut body = json!({"sequence": act.sequence, "revision": act.revision, "action": act.action});
        if let Some(fields) = body.as_object_mut() {
            if let Some(element) = act.element_ref {
                fields.insert("element_ref".to_owned(), json!(element));
            }
            if let Some(constraint) = act.constraint {
                fields.insert("constraint".to_owned(), constraint_fields(constraint));
            }
        }
        self.post(&format!("v1/leases/{lease}/act"), &body).await
    }

    async fn post<T: for<'de> Deserialize<'de>>(&self, path: &str, body: &Value) -> Result<T, RuntimeError> {
        let endpoint = self.endpoint.borrow().clone().ok_or(RuntimeError::Unreachable)?;
        let url = endpoint.url.join(path).map_err(|_| RuntimeError::Unreachable)?;
        let sent = self.http.post(url).bearer_auth(&endpoint.token).json(body).send().await;
        let response = sent.map_err(|error| if error.is_connect() { RuntimeError::Unreachable } else { RuntimeError::Interrupted })?;
        let status = response.status();
        if !status.is_success() {
            let body = body_of(response).await.unwrap_or_default();
            let problem: ProblemCode = serde_json::from_slice(&body).unwrap_or_default();
            let untouched = status.is_client_error();
            return Err(if untouched {
                RuntimeError::TurnedDown { status: status.as_u16(), code: problem.code }
            } else {
                RuntimeError::Interrupted
            });
        }
        let body = body_of(response).await.ok_or(RuntimeError::Interrupted)?;
        serde_json::from_slice(&body).map_err(|_| RuntimeError::Interrupted)
    }
}

/// The body of an answer; `None` when it is too long or breaks off.
async fn body_of(mut response: reqwest::Response) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    while let Some(part) = response.chunk().await.ok()? {
        if body.len() + part.len() > ANSWER_BYTES_MAX {
            return None;
        }
        body.extend_from_slice(&part);
    }
    Some(body)
}

/// One act for the runtime.
#[derive(Clone, Copy, Debug)]
pub struct Act<'a> {
    /// The next sequence of the lease.
    pub sequence: u64,
    /// The observation that named the element.
    pub revision: &'a str,
    /// The element.
    pub element_ref: Option<&'a str>,
    /// What to do.
    pub action: &'a Action,
    /// The bounds of the grant behind it.
    pub constraint: Option<&'a Constraint>,
}

fn constraint_fields(constraint: &Constraint) -> Value {
    let ceiling: ConsequenceCeiling = constraint.kind().ceiling();
    let not_after = Instant::from_microsecond(constraint.not_after().as_micros()).unwrap_or(Instant::UNIX_EPOCH);
    json!({
        "grant_kind": constraint.kind(),
        "origins": [constraint.scope().origin()],
        "path_prefix": constraint.scope().path_prefix(),
        "not_after": not_after.to_string(),
        "consequence_ceiling": ceiling,
        "text_cap": TYPED_TEXT_CHARACTERS_MAX,
    })
}
