//! The one classifier: what an act on an element would do, judged over every label of it.
//!
//! Deny-biased. Any source whose any reading matches gives the named consequence; extra readings
//! only add matches. Pure and total: the worker, the runtime, the card and `hallpass classify` all
//! call [`classify`].

#[cfg(test)]
mod conformity;
mod found;
mod inflect;
mod letters;
mod lexicon;
mod look_alike;
mod matcher;
mod order;
pub(crate) mod percent;
mod plain;
mod readings;
mod routine;
mod segment;
mod version;
mod vocabulary;
mod weigh;

pub use version::version;

use crate::browser::{Action, ElementFacts, FieldKind, Source};
use crate::coverage::options_chosen;
use matcher::{Matcher, Text, matcher};
use percent::decoded;
use serde::{Deserialize, Serialize};

/// Matches that a verdict tells. The consequence is the most severe of all, told or not.
const MATCHES_MAX: usize = 64;
/// Segments of one target that are judged; a target with more is refused by its place.
const SEGMENTS_MAX: usize = 256;

/// What an act would do. The order is from most to least severe: of several matches the first wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Consequence {
    /// Paying.
    Payment,
    /// Money or in-app currency is named.
    Currency,
    /// Buying.
    Purchase,
    /// Subscriptions and trials.
    Subscription,
    /// Moving money.
    MoneyMovement,
    /// Signing in and out.
    Authentication,
    /// Recovering an account.
    AccountRecovery,
    /// Changing an account or its settings.
    AccountChange,
    /// Granting permissions.
    Permission,
    /// Accepting terms.
    Legal,
    /// Messages, posts, publication.
    Message,
    /// Deleting.
    Deletion,
    /// Uploading and downloading.
    FileTransfer,
    /// Every label source reads as the same routine word.
    Routine,
    /// Nothing matched.
    Unknown,
}

/// One match of the vocabulary.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Match {
    /// Where the text came from.
    pub source: Source,
    /// The class that matched.
    pub class: Consequence,
    /// The vocabulary entry.
    pub word: &'static str,
    /// How the text was read.
    pub reading: Reading,
}

/// How a text was read when it matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reading {
    /// As written.
    Written,
    /// In the order in which it is displayed.
    Displayed,
    /// With look-alike letters read as the Latin letters they resemble.
    LookAlike,
    /// With what separates its letters left out.
    Joined,
}

/// What the classifier found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The one consequence.
    pub consequence: Consequence,
    /// Everything that fired.
    pub matches: Vec<Match>,
}

impl Consequence {
    /// The name on the wire and in the log.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Payment => "payment",
            Self::Currency => "currency",
            Self::Purchase => "purchase",
            Self::Subscription => "subscription",
            Self::MoneyMovement => "money_movement",
            Self::Authentication => "authentication",
            Self::AccountRecovery => "account_recovery",
            Self::AccountChange => "account_change",
            Self::Permission => "permission",
            Self::Legal => "legal",
            Self::Message => "message",
            Self::Deletion => "deletion",
            Self::FileTransfer => "file_transfer",
            Self::Routine => "routine",
            Self::Unknown => "unknown",
        }
    }

    /// Whether it is one of the named consequences, which no grant covers.
    #[must_use]
    pub const fn is_named(self) -> bool {
        !matches!(self, Self::Routine | Self::Unknown)
    }
}

/// Classifies an act on an element over every label source (requirements CLS-1 to CLS-9).
#[must_use]
pub fn classify(action: &Action, element: &ElementFacts) -> Verdict {
    let mut judged = Judged { matcher: matcher(), worst: Consequence::Unknown, matches: Vec::new(), routine: Shared::None };
    each_text(action, element, |source, text| judged.name(source, text));
    for (source, text) in element.labels.assembled() {
        judged.read(source, &text);
    }
    for target in &element.targets {
        segments(target).take(SEGMENTS_MAX).for_each(|segment| judged.read(Source::Target, &decoded(segment)));
    }
    for (source, class, word) in by_kind(element) {
        judged.worst = judged.worst.min(class);
        judged.add(Match { source, class, word, reading: Reading::Written });
    }
    if judged.worst == Consequence::Unknown && is_routine(action, element, judged.routine) {
        judged.worst = Consequence::Routine;
    }
    Verdict { consequence: judged.worst, matches: judged.matches }
}

/// The routine word that all names so far share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shared {
    /// There was no name yet.
    None,
    Word(&'static str),
    /// They differ, or one is no routine word.
    No,
}

struct Judged<'a> {
    matcher: &'a Matcher,
    worst: Consequence,
    matches: Vec<Match>,
    routine: Shared,
}

impl Judged<'_> {
    /// Reads a text that names the act.
    fn name(&mut self, source: Source, text: &str) {
        let text = self.matcher.text(text);
        self.take(source, &text);
        if self.routine == Shared::No || text.is_blank() {
            return;
        }
        self.routine = match (routine::word(&text), self.routine) {
            // The element's own name comes first. Without one there is nothing for the others to agree with.
            (Some(word), Shared::None) if source == Source::Name => Shared::Word(word),
            (Some(word), Shared::Word(known)) if word == known => Shared::Word(word),
            _ => Shared::No,
        };
    }

    fn read(&mut self, source: Source, text: &str) {
        self.take(source, &self.matcher.text(text));
    }

    fn take(&mut self, source: Source, text: &Text<'_>) {
        let found = self.matcher.search(text);
        if let Some(class) = weigh::weightiest(found.iter().map(|(class, word, _)| (*class, *word))) {
            self.worst = self.worst.min(class);
        }
        for (class, word, reading) in found {
            self.add(Match { source, class, word, reading });
        }
    }

    fn add(&mut self, found: Match) {
        if self.matches.len() < MATCHES_MAX && !self.matches.contains(&found) {
            self.matches.push(found);
        }
    }
}

/// Every text that names what the act would do: the element's, its dialog's, and the options that a
/// selection could choose, with what the agent calls them.
fn each_text(action: &Action, element: &ElementFacts, mut tell: impl FnMut(Source, &str)) {
    tell(Source::Name, &element.name);
    element.labels.iter().for_each(|(source, text)| tell(source, text));
    element.dialog_name.iter().for_each(|name| tell(Source::DialogName, name));
    if let Action::Select { values, labels } = action {
        values.iter().chain(labels).for_each(|named| tell(Source::Option, named));
        for option in options_chosen(action, &element.options).unwrap_or_default() {
            let named = [&option.label, &option.value, &option.text, &option.name, &option.title, &option.group];
            named.into_iter().for_each(|text| tell(Source::Option, text));
        }
    }
}

/// What the element is by kind, whatever it is called.
fn by_kind(element: &ElementFacts) -> impl Iterator<Item = (Source, Consequence, &'static str)> {
    let field = match element.field_kind {
        FieldKind::Password => Some((Source::FieldKind, Consequence::Authentication, "password")),
        FieldKind::OneTimeCode => Some((Source::FieldKind, Consequence::Authentication, "one_time_code")),
        FieldKind::Payment => Some((Source::FieldKind, Consequence::Payment, "payment")),
        FieldKind::Identity => Some((Source::FieldKind, Consequence::AccountChange, "identity")),
        FieldKind::File => Some((Source::FieldKind, Consequence::FileTransfer, "file")),
        _ => None,
    };
    let download = element.download.then_some((Source::Target, Consequence::FileTransfer, "download"));
    field.into_iter().chain(download)
}

/// Clicks and activating keys on what every text calls by the same routine word, and a scroll of
/// the page itself, which nothing names.
fn is_routine(action: &Action, element: &ElementFacts, shared: Shared) -> bool {
    let is_named = shared != Shared::None;
    match action {
        Action::Scroll { .. } if !is_named => return true,
        Action::Click {} | Action::Scroll { .. } => {}
        Action::Press { key } if matches!(key.as_str(), "Enter" | " " | "Space") => {}
        _ => return false,
    }
    element.field_kind == FieldKind::None && matches!(shared, Shared::Word(_))
}

/// Whether a path segment matches the vocabulary or names an administrative, authentication,
/// pricing or messaging area (requirement CLS-8).
#[must_use]
pub fn is_sensitive_segment(segment: &str) -> bool {
    matcher().is_sensitive(segment) || matcher().is_sensitive(&decoded(segment))
}

/// The path segments of a target, and those of a fragment that is a path itself: a site of one page
/// goes to `#/account/delete` as another goes to `/account/delete`. Where no path can be made out there
/// is nothing to judge: such a target lies outside every origin.
fn segments(target: &str) -> impl Iterator<Item = &str> {
    let (before, fragment) = target.split_once('#').unwrap_or((target, ""));
    let path = before.split('?').next().unwrap_or_default().splitn(4, '/').nth(3).unwrap_or_default();
    let inner = fragment.strip_prefix('!').unwrap_or(fragment);
    let inner = if inner.starts_with('/') { inner.split('?').next().unwrap_or_default() } else { "" };
    path.split('/').chain(inner.split('/')).filter(|segment| !segment.is_empty())
}

/// Every form that the vocabulary looks for, each once, in order: lower case, words apart by one space.
#[must_use]
pub fn forms() -> Vec<String> {
    let forms: std::collections::BTreeSet<String> = vocabulary::forms().into_iter().map(|(form, _)| form).collect();
    forms.into_iter().collect()
}

/// A text as it is read: compatibility forms decomposed, accents and invisible characters dropped.
pub(crate) fn bare_text(text: &str) -> String {
    letters::bare(text, letters::Invisible::Dropped).into_iter().collect()
}
