//! The facts that travel beside an observation, keyed by reference. They never enter the result that
//! a model sees (requirement RUN-5).

use domain::browser::ElementFacts;
use serde::Deserialize;
use std::collections::BTreeMap;

/// The facts of an observation's elements. A reference without facts means no coverage.
pub type Facts = BTreeMap<String, ElementFacts>;

/// One element as the live page has it at the moment of the read.
#[derive(Clone, Debug, Deserialize)]
pub struct LiveFacts {
    /// Every label source up to the live bound ([`domain::limits::LIVE_LABEL_CHARACTERS_MAX`]).
    pub facts: ElementFacts,
    /// The same, cut as an observation cuts them, to compare with what was observed.
    pub seen: ElementFacts,
    /// The document's URL.
    pub url: String,
}

impl LiveFacts {
    /// Whether the element still is what an observation said of it.
    #[must_use]
    pub fn agrees_with(&self, observed: &ElementFacts) -> bool {
        self.seen == *observed
    }
}
