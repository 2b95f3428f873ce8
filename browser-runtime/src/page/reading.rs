//! Observing the page, and reading one element of an observation again.

use super::closed_roots;
use super::{PageError, World};
use crate::devtools::Link;
use crate::facts::{Facts, LiveFacts};
use crate::observation::{Observation, Page as Place};
use serde::Deserialize;
use serde_json::json;

/// Bytes of chance in a revision's name.
const REVISION_BYTES: usize = 16;
/// Characters of it that start each reference.
const PREFIX_CHARACTERS: usize = 8;

/// The one page of a lease, with its newest observation.
#[derive(Debug)]
pub struct Page {
    link: Link,
    session: String,
    observed: Option<Observed>,
}

/// The newest observation, bound to its document. References mean nothing outside of it.
#[derive(Debug)]
pub struct Observed {
    /// Its revision.
    pub revision: String,
    /// The facts that were given beside it.
    pub facts: Facts,
    world: World,
}

/// An answer of the page script: what was asked for, or why not.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Answer<T> {
    /// Our own word for the reason.
    Refused {
        refused: String,
        #[serde(default)]
        cover: Option<String>,
    },
    /// What was asked for.
    Given(T),
}

#[derive(Deserialize)]
struct Pass {
    observation: Observation,
    facts: Facts,
}

#[derive(Deserialize)]
pub(crate) struct Location {
    pub(crate) url: String,
    #[serde(flatten)]
    pub(crate) place: Place,
}

impl Page {
    /// The page behind a DevTools session on which [`super::install`] ran.
    #[must_use]
    pub fn new(link: Link, session: &str) -> Self {
        Self { link, session: session.to_owned(), observed: None }
    }

    /// Observes the page. Every earlier reference is void from now on, whatever the result.
    ///
    /// # Errors
    /// See [`PageError`].
    pub async fn observe(&mut self) -> Result<(Observation, Facts), PageError> {
        self.observed = None;
        let world = self.enter().await?;
        let complete = closed_roots::adopt_all(&world).await?;
        let revision = random_name()?;
        let prefix: String = revision.chars().take(PREFIX_CHARACTERS).chain(std::iter::once('-')).collect();
        let mut pass: Pass = world.call("observe", json!({ "revision": revision, "prefix": prefix })).await?;
        if !complete {
            pass.observation.omitted.push("closed_roots".to_owned());
        }
        self.observed = Some(Observed { revision, facts: pass.facts.clone(), world });
        Ok((pass.observation, pass.facts))
    }

    /// Where the page is now: its full URL, and what of it an agent may see.
    ///
    /// # Errors
    /// See [`PageError`].
    pub async fn place(&self) -> Result<(String, Place), PageError> {
        let location: Location = self.enter().await?.call("place", json!({})).await?;
        Ok((location.url, location.place))
    }

    /// Makes every reference void, here and in the page.
    pub fn forget(&mut self) {
        self.observed = None;
    }

    /// The newest observation, if its references still mean something.
    #[must_use]
    pub const fn observed(&self) -> Option<&Observed> {
        self.observed.as_ref()
    }

    pub(crate) async fn enter(&self) -> Result<World, PageError> {
        World::enter(&self.link, &self.session).await
    }

    pub(crate) const fn link(&self) -> &Link {
        &self.link
    }

    pub(crate) fn session(&self) -> &str {
        &self.session
    }

    /// The world of the observation `revision`, if the document is still the same.
    pub(crate) async fn world_of(&self, revision: &str) -> Result<Option<World>, PageError> {
        let Some(observed) = self.observed.as_ref().filter(|observed| observed.revision == revision) else {
            return Ok(None);
        };
        let now = self.enter().await?;
        Ok(now.is_same(&observed.world).then_some(now))
    }
}

impl World {
    /// Reads one element again, through closed roots as they are now.
    pub(crate) async fn read(&self, revision: &str, reference: &str) -> Result<Answer<LiveFacts>, PageError> {
        let complete = closed_roots::adopt_below(self, revision, reference).await?;
        let mut answer: Answer<LiveFacts> = self.call("read", json!({ "revision": revision, "ref": reference })).await?;
        if let Answer::Given(live) = &mut answer {
            // What could not be looked into makes the element unreadable as a whole.
            live.facts.truncated |= !complete;
        }
        Ok(answer)
    }
}

/// A name that cannot be guessed, in hexadecimal digits.
fn random_name() -> Result<String, PageError> {
    let mut bytes = [0_u8; REVISION_BYTES];
    getrandom::fill(&mut bytes).map_err(|_| PageError::Unreadable)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
