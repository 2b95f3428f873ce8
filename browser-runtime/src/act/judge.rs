//! The question whether the act may be done, asked of the live page: once before anything moves and
//! again at the last look before the input.

use super::result::{Refusal, code};
use super::watch::Watch;
use super::{Request, not_applicable};
use crate::facts::LiveFacts;
use crate::page::{Answer, Location, Page, World};
use domain::browser::{Action, Constraint, ElementFacts, FieldKind};
use domain::coverage::Reason;
use domain::permit::{LiveAct, NoPermit, Permit};
use domain::time::Timestamp;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// One act, its element, and what stands behind it.
#[derive(Debug)]
pub(crate) struct Judge {
    world: World,
    revision: String,
    element_ref: Option<String>,
    observed: Option<ElementFacts>,
    action: Action,
    constraint: Option<Constraint>,
    now: fn() -> Timestamp,
}

/// The live page at one look.
pub(crate) struct Look {
    pub(crate) url: String,
    pub(crate) element: Option<LiveFacts>,
}

impl From<LiveFacts> for Look {
    fn from(live: LiveFacts) -> Self {
        Self { url: live.url.clone(), element: Some(live) }
    }
}

impl Judge {
    pub(super) fn new(page: &Page, world: World, request: &Request<'_>, now: fn() -> Timestamp) -> Self {
        let observed = page.observed().zip(request.element_ref).and_then(|(observed, name)| observed.facts.get(name).cloned());
        Self {
            world,
            revision: request.revision.to_owned(),
            element_ref: request.element_ref.map(str::to_owned),
            observed,
            action: request.action.clone(),
            constraint: request.constraint.cloned(),
            now,
        }
    }

    pub(crate) const fn world(&self) -> &World {
        &self.world
    }

    fn which(&self, more: Value) -> Value {
        let mut which = json!({ "revision": self.revision, "ref": self.element_ref });
        if let (Some(which), Value::Object(more)) = (which.as_object_mut(), more) {
            which.extend(more);
        }
        which
    }

    /// Asks the page script about the element, with more fields beside its reference.
    pub(crate) async fn ask<T: DeserializeOwned>(&self, watch: &mut Watch, name: &str, more: Value) -> Result<T, Refusal> {
        given(watch.ask(self.world.call(name, self.which(more))).await?)
    }

    /// Reads the live page.
    pub(crate) async fn look(&self, watch: &mut Watch) -> Result<Look, Refusal> {
        let Some(reference) = &self.element_ref else {
            let place: Location = watch.ask(self.world.call("place", json!({}))).await?;
            return Ok(Look { url: place.url, element: None });
        };
        given(watch.ask(self.world.read(&self.revision, reference)).await?).map(|live: LiveFacts| live.into())
    }

    /// Gives leave for exactly what the page shows at this look.
    pub(crate) fn permit(&self, look: &Look) -> Result<Permit, Refusal> {
        let element = look.element.as_ref().map(|live| &live.facts);
        let live = LiveAct { action: &self.action, page_url: &look.url, element };
        let permit = Permit::check(&live, self.constraint.as_ref(), (self.now)()).map_err(|denied| match denied {
            NoPermit::RefusedOutright => Refusal::of(code::FIELD_REFUSED),
            NoPermit::NotApplicable(reasons) => Refusal { code: code::GRANT_NOT_APPLICABLE, reasons, detail: None },
        })?;
        self.compare_with_observed(look)?;
        if let Some(facts) = element {
            self.refuse_what_no_act_may_touch(facts)?;
        }
        Ok(permit)
    }

    /// The permission, spent. A time box that ended since the look gives nothing.
    pub(crate) fn spend(&self, permit: Permit) -> Result<Action, Refusal> {
        permit.spend((self.now)()).ok_or_else(|| not_applicable(Reason::Expired))
    }

    /// The refusal for focus that the element does not hold: a grant's own reason under a grant.
    pub(crate) fn focus_not_held(&self) -> Refusal {
        if self.constraint.is_some() { not_applicable(Reason::FocusNotHeld) } else { Refusal::of(code::FOCUS_NOT_HELD) }
    }

    /// What was approved, by a person or by a grant's use, is what the observation said. An element
    /// that reads otherwise now is another one, even when it would be covered as well.
    fn compare_with_observed(&self, look: &Look) -> Result<(), Refusal> {
        let Some(live) = &look.element else { return Ok(()) };
        match (&self.observed, &self.constraint) {
            (Some(observed), _) if live.agrees_with(observed) => Ok(()),
            // Hovering and focusing may add a description; coverage has judged it with everything else.
            (Some(observed), _) if only_describes_more(&live.seen, observed) => Ok(()),
            (Some(_), Some(_)) => Err(not_applicable(Reason::ElementChanged)),
            (Some(_), None) => Err(Refusal::of(code::ELEMENT_CHANGED)),
            (None, Some(_)) => Err(not_applicable(Reason::FactsMissing)),
            (None, None) => Ok(()),
        }
    }

    fn refuse_what_no_act_may_touch(&self, facts: &ElementFacts) -> Result<(), Refusal> {
        if facts.disabled && self.action.kind() != domain::browser::ActionKind::Scroll {
            return Err(Refusal::of(code::DISABLED));
        }
        match (&self.action, facts.field_kind) {
            (Action::Type { .. }, FieldKind::Editable) => Err(Refusal::of(code::EDITABLE_NOT_SUPPORTED)),
            // A click would open the browser's own list or file chooser, where no guard reaches.
            (Action::Click {}, FieldKind::Select | FieldKind::File) if self.constraint.is_some() => {
                Err(not_applicable(Reason::KindMismatch))
            }
            (Action::Click {}, FieldKind::Select | FieldKind::File) => Err(Refusal::of(code::NOT_CLICKABLE)),
            _ => Ok(()),
        }
    }
}

fn given<T>(answer: Answer<T>) -> Result<T, Refusal> {
    match answer {
        Answer::Given(given) => Ok(given),
        Answer::Refused { refused, cover } => Err(Refusal::named(&refused, cover.as_deref())),
    }
}

/// Whether `live` differs from `observed` only by added descriptions (`title` sources).
fn only_describes_more(live: &ElementFacts, observed: &ElementFacts) -> bool {
    let mut same = live.clone();
    same.labels.title.clone_from(&observed.labels.title);
    same == *observed && observed.labels.title.iter().all(|text| live.labels.title.contains(text))
}

#[cfg(test)]
mod tests {
    use super::only_describes_more;
    use domain::browser::{ElementFacts, Labels};

    fn named(name: &str, titles: &[&str]) -> ElementFacts {
        let title = titles.iter().map(|title| (*title).to_owned()).collect();
        ElementFacts { name: name.to_owned(), labels: Labels { title, ..Labels::default() }, ..ElementFacts::default() }
    }

    /// RUN-4: a tooltip that hovering shows is no other element; a new name, or a description taken
    /// away, is.
    #[test]
    fn only_an_added_description_leaves_an_element_what_it_was() {
        let observed = named("Next", &["first"]);
        assert!(only_describes_more(&named("Next", &["first", "second"]), &observed));
        assert!(!only_describes_more(&named("Next", &["second"]), &observed));
        assert!(!only_describes_more(&named("Pay", &["first"]), &observed));
    }
}
