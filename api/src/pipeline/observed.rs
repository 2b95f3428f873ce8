//! What the worker remembers of the last observation: enough to judge and to describe an act, and
//! to know when it is too old to do either.

use super::call::ActCall;
use crate::runtime::{Answered, ObservedPage};
use domain::browser::ElementFacts;
use domain::view::{ApprovalView, Page};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::{HashMap, HashSet};

/// One observation with the facts beside it.
#[derive(Clone, Debug)]
pub struct Observed {
    revision: String,
    page: ObservedPage,
    listed: HashSet<String>,
    facts: HashMap<String, ElementFacts>,
    /// The runtime that read the facts judges them as this process does.
    judges_alike: bool,
}

/// What an act is aimed at.
#[derive(Clone, Copy, Debug)]
pub enum Aim<'a> {
    /// The page itself: a scroll.
    Page,
    /// An element with its facts.
    Element(&'a ElementFacts),
    /// An element that was listed, but without facts: no coverage, no offer (RUN-5, OFF-7).
    Undescribed,
}

impl<'a> Aim<'a> {
    /// The facts, if there are any.
    #[must_use]
    pub const fn facts(self) -> Option<&'a ElementFacts> {
        match self {
            Self::Element(facts) => Some(facts),
            Self::Page | Self::Undescribed => None,
        }
    }
}

/// Why an act cannot be judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undescribed {
    /// It names another revision than the newest.
    StaleRevision,
    /// The revision has no such element.
    UnknownElement,
}

impl Observed {
    /// Takes what the runtime saw; `None` when the answer holds no observation.
    #[must_use]
    pub fn from_answer(answered: &Answered, judges_alike: bool) -> Option<Self> {
        let observation = answered.observation.as_ref()?;
        let revision = observation.get("revision").and_then(Value::as_str)?.to_owned();
        let page = serde_json::from_value(observation.get("page")?.clone()).ok()?;
        let elements = observation.get("elements").and_then(Value::as_array);
        let refs = elements.into_iter().flatten().filter_map(|element| element.get("ref")?.as_str());
        let listed = refs.map(str::to_owned).collect();
        Some(Self { revision, page, listed, facts: answered.facts.clone(), judges_alike })
    }

    /// The page's URL without query and fragment, which no rule looks at.
    #[must_use]
    pub fn page_url(&self) -> String {
        format!("{}{}", self.page.origin, self.page.path)
    }

    /// Whether a grant may be used on these facts: a runtime that judges otherwise would refuse what
    /// was spent here.
    #[must_use]
    pub const fn may_be_covered(&self) -> bool {
        self.judges_alike
    }

    /// What an act is aimed at.
    ///
    /// # Errors
    /// When the act is too old, or names an element that was not observed.
    pub fn aim(&self, act: &ActCall) -> Result<Aim<'_>, Undescribed> {
        if act.revision != self.revision {
            return Err(Undescribed::StaleRevision);
        }
        let Some(element) = &act.element_ref else { return Ok(Aim::Page) };
        match self.facts.get(element) {
            Some(facts) => Ok(Aim::Element(facts)),
            None if self.listed.contains(element) => Ok(Aim::Undescribed),
            None => Err(Undescribed::UnknownElement),
        }
    }

    /// What a card shows of the act.
    #[must_use]
    pub fn view(&self, act: &ActCall, aim: Aim<'_>) -> ApprovalView {
        let url = self.page_url();
        let mut view = ApprovalView::describe(&act.action, Some(Page { url: &url, title: &self.page.title }), aim.facts());
        view.described &= !matches!(aim, Aim::Undescribed);
        view
    }

    /// Binds an answer to exactly this act on exactly these facts (APR-2). `key` is secret and of
    /// this process, so that a short typed text cannot be guessed from the digest in the log.
    #[must_use]
    pub fn digest(&self, key: &[u8; 32], act: &ActCall, aim: Aim<'_>) -> Vec<u8> {
        let mut hash = Sha256::new();
        hash.update(key);
        let texts = [
            self.revision.as_str(),
            &self.page.origin,
            &self.page.path,
            &self.page.title,
            act.element_ref.as_deref().unwrap_or_default(),
            &serde_json::to_string(&act.action).unwrap_or_default(),
            &serde_json::to_string(&aim.facts()).unwrap_or_default(),
        ];
        for text in texts {
            hash.update(text.len().to_be_bytes());
            hash.update(text.as_bytes());
        }
        hash.finalize().to_vec()
    }
}
