//! What the runtime reads and prepares inside the page, in an isolated world that page script cannot
//! reach (requirement RUN-12).
//!
//! The scripts are installed for every document before the page's own first script. Their answers
//! are JSON texts written in that world.

mod closed_roots;
mod reading;

pub(crate) use reading::{Answer, Location};
pub use reading::{Observed, Page};

use crate::devtools::{Link, LinkError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::time::Duration;

/// The isolated world's name. Asking for a world of this name gives the one where our script ran.
const WORLD: &str = "hallpass";
/// How the guard tells at once what it saw, since its document may be gone before it is asked.
pub(crate) const BINDING: &str = "hallpassTell";
/// Longest wait for one answer of our script, whose own bounds are 1.5 seconds.
const ANSWER_SECS_MAX: u64 = 5;

const SOURCE: &str = concat!(
    "(() => {\n\"use strict\";\nif (Object.hasOwn(globalThis, \"hallpass\")) return;\n",
    include_str!("page/dom.js"),
    include_str!("page/text.js"),
    include_str!("page/targets.js"),
    include_str!("page/facts.js"),
    include_str!("page/labels.js"),
    include_str!("page/observe.js"),
    include_str!("page/guard.js"),
    include_str!("page/act.js"),
    include_str!("page/world.js"),
    "\n})();"
);

/// Why the page gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum PageError {
    /// The link failed, or the page did not answer in time.
    #[error("the page cannot be reached")]
    Link(#[from] LinkError),
    /// The document does not have our script: it was not there before the page was.
    #[error("the document has no guard")]
    NoWorld,
    /// The document was replaced while it was asked.
    #[error("the document is gone")]
    Gone,
    /// Our script gave no usable answer.
    #[error("the page gave no readable answer")]
    Unreadable,
}

/// The calls that install the scripts, in order.
fn installation() -> [(&'static str, Value); 2] {
    [
        ("Page.enable", json!({})),
        ("Page.addScriptToEvaluateOnNewDocument", json!({ "source": SOURCE, "worldName": WORLD, "runImmediately": true })),
    ]
}

/// Installs facts and guard on a page or frame session, for the present document and all later ones.
///
/// # Errors
/// When the session is gone; nothing may be acted on there then.
pub async fn install(link: &Link, session: &str) -> Result<(), LinkError> {
    for (method, params) in installation() {
        link.call(Some(session), method, params).await?;
    }
    Ok(())
}

/// As [`install`], without waiting: for a target that is paused at its start and answers only once
/// it runs. The calls are taken in order, before it is resumed.
///
/// # Errors
/// [`LinkError::Lost`].
pub fn install_ahead(link: &Link, session: &str) -> Result<(), LinkError> {
    for (method, params) in installation() {
        link.cast(Some(session), method, &params)?;
    }
    Ok(())
}

/// The isolated world of the main document, as it is now. It dies with the document.
#[derive(Clone, Debug)]
pub(crate) struct World {
    link: Link,
    session: String,
    /// The document: a new loader means a new one.
    pub(crate) loader: String,
    context: i64,
}

impl World {
    /// Enters the main document's world.
    pub(crate) async fn enter(link: &Link, session: &str) -> Result<Self, PageError> {
        let tree = link.call(Some(session), "Page.getFrameTree", json!({})).await?;
        let text = |key: &str| tree.pointer(&format!("/frameTree/frame/{key}")).and_then(Value::as_str).map(str::to_owned);
        let (frame, loader) = text("id").zip(text("loaderId")).ok_or(PageError::Unreadable)?;
        let wanted = json!({ "frameId": frame, "worldName": WORLD, "grantUniveralAccess": false });
        let made = link.call(Some(session), "Page.createIsolatedWorld", wanted).await.map_err(gone)?;
        let context = made.get("executionContextId").and_then(Value::as_i64).ok_or(PageError::Unreadable)?;
        Ok(Self { link: link.clone(), session: session.to_owned(), loader, context })
    }

    /// Whether both are the same world of the same document.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.loader == other.loader && self.context == other.context && self.session == other.session
    }

    /// Calls one of our functions and reads its JSON answer.
    pub(crate) async fn call<T: DeserializeOwned>(&self, name: &str, argument: impl Serialize) -> Result<T, PageError> {
        let argument = serde_json::to_value(argument).map_err(|_| PageError::Unreadable)?;
        let function = "function (name, argument) { return Object.hasOwn(globalThis, 'hallpass') ? hallpass.call(name, argument) : null; }";
        let params = json!({
            "functionDeclaration": function, "executionContextId": self.context, "returnByValue": true,
            "arguments": [{ "value": name }, { "value": argument }],
        });
        let answer = self.function(params).await?;
        match answer.get("value") {
            Some(Value::String(text)) => serde_json::from_str(text).map_err(|error| {
                // The error tells a line and a kind, never the text.
                tracing::warn!(call = name, line = error.line(), column = error.column(), kind = ?error.classify(), "an answer of the page script did not fit");
                PageError::Unreadable
            }),
            Some(Value::Null) => Err(PageError::NoWorld),
            _ => Err(PageError::Unreadable),
        }
    }

    /// Gives the guard of this document its way to tell. Asked for anew in each document: a binding
    /// for all later ones would need the Runtime domain's events, which a page can flood.
    pub(crate) async fn open_binding(&self) -> Result<(), PageError> {
        let params = json!({ "name": BINDING, "executionContextName": WORLD });
        self.link.call(Some(&self.session), "Runtime.addBinding", params).await.map(drop).map_err(gone)
    }

    async fn function(&self, params: Value) -> Result<Value, PageError> {
        let limit = Duration::from_secs(ANSWER_SECS_MAX);
        let mut answer = self.link.call_within(Some(&self.session), "Runtime.callFunctionOn", params, limit).await.map_err(gone)?;
        if answer.get("exceptionDetails").is_some() {
            tracing::warn!("the page script failed");
            return Err(PageError::Unreadable);
        }
        Ok(answer.get_mut("result").map_or(Value::Null, Value::take))
    }
}

/// A refusal by the browser means that the document, and its world, are gone.
fn gone(error: LinkError) -> PageError {
    match error {
        LinkError::Refused { .. } => PageError::Gone,
        other => PageError::Link(other),
    }
}
