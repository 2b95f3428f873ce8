//! The vocabulary files as entries: what to look for, what it means and how much it says.

use super::Consequence;
use super::inflect::{every_form, plural};
use std::collections::BTreeMap;

/// What a form means when a text holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// The class, by itself.
    Class(Consequence, &'static str),
    /// A sensitive area, in a path only.
    Area(&'static str),
    /// The first or the second half of a pair, which means the class only with its other half.
    Half {
        /// Number of the pair.
        pair: usize,
        /// Whether it is the second half.
        second: bool,
        /// The class of the pair.
        class: Consequence,
        /// The entry.
        word: &'static str,
    },
}

/// How much an entry says about what an act does, least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    /// A thing: "invoice". It may be what is acted on.
    Thing,
    /// A verb that is a noun too: "upload". It may be what is acted on.
    Either,
    /// A verb and nothing else: "delete".
    Act,
    /// Several words, which say what is done to what: "change" with "password".
    Phrase,
}

/// One form, in lower case, its words separated by single spaces.
pub(super) type Form = (String, Meaning);

/// The files by class.
pub(super) const FILES: [(Consequence, &str); 13] = [
    (Consequence::Payment, include_str!("vocabulary/payment.txt")),
    (Consequence::Currency, include_str!("vocabulary/currency.txt")),
    (Consequence::Purchase, include_str!("vocabulary/purchase.txt")),
    (Consequence::Subscription, include_str!("vocabulary/subscription.txt")),
    (Consequence::MoneyMovement, include_str!("vocabulary/money_movement.txt")),
    (Consequence::Authentication, include_str!("vocabulary/authentication.txt")),
    (Consequence::AccountRecovery, include_str!("vocabulary/account_recovery.txt")),
    (Consequence::AccountChange, include_str!("vocabulary/account_change.txt")),
    (Consequence::Permission, include_str!("vocabulary/permission.txt")),
    (Consequence::Legal, include_str!("vocabulary/legal.txt")),
    (Consequence::Message, include_str!("vocabulary/message.txt")),
    (Consequence::Deletion, include_str!("vocabulary/deletion.txt")),
    (Consequence::FileTransfer, include_str!("vocabulary/file_transfer.txt")),
];
/// Sensitive areas of a site.
pub(super) const AREAS: &str = include_str!("vocabulary/areas.txt");
/// The ten routine words.
pub(super) const ROUTINE: &str = include_str!("vocabulary/routine.txt");

/// What may stand at `~` in a phrase. Such a phrase is also found without it.
const FILLERS: [&str; 12] = ["a", "an", "the", "my", "your", "our", "this", "that", "these", "all", "new", "another"];

/// The lines of a file, without comments and blank ones.
pub(super) fn entries(file: &'static str) -> impl Iterator<Item = &'static str> {
    file.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// Every form of every file with what it means.
pub(super) fn forms() -> Vec<Form> {
    let mut forms = Vec::new();
    let mut pair = 0;
    for (class, file) in FILES {
        let File { alone, pairs } = parsed(file);
        forms.extend(alone.into_iter().flat_map(|line| made(line, |word| Meaning::Class(class, word))));
        for Pair(first, second) in pairs {
            for (half, second) in [(first, false), (second, true)] {
                for member in half {
                    forms.extend(half_forms(member, second).map(|form| (form, Meaning::Half { pair, second, class, word: head(member) })));
                }
            }
            pair += 1;
        }
    }
    forms.extend(entries(AREAS).flat_map(|line| made(line, Meaning::Area)));
    forms
}

/// Every entry with how much it says. Of a pair the first half is the entry.
pub(super) fn ranks() -> Vec<(Consequence, &'static str, Rank)> {
    let mut ranks = Vec::new();
    for (class, file) in FILES {
        let File { alone, pairs } = parsed(file);
        ranks.extend(alone.iter().map(|line| (class, head(line), rank(line))));
        ranks.extend(pairs.iter().flat_map(|Pair(first, _)| first).map(|member| (class, head(member), Rank::Phrase)));
    }
    ranks
}

/// A file read: its entries that stand by themselves, and its pairs.
struct File {
    alone: Vec<&'static str>,
    pairs: Vec<Pair>,
}

/// The words of both halves.
struct Pair(Vec<&'static str>, Vec<&'static str>);

fn parsed(file: &'static str) -> File {
    let shared: BTreeMap<&str, &str> = entries(file).filter(|line| is_shared(line)).filter_map(|line| line.split_once(" = ")).collect();
    let own = || entries(file).filter(|line| !is_shared(line));
    let alone: Vec<&str> = own().filter(|line| !line.contains(" + ")).collect();
    let members = |half: &'static str| -> Vec<&'static str> {
        let parts = half.split(',').map(str::trim);
        parts.flat_map(|part| shared.get(part).copied().unwrap_or(part).split(',')).map(str::trim).collect()
    };
    // What says enough by itself needs no second half, and would be told apart from a pair by nothing.
    let says_enough = |word: &str| alone.iter().any(|line| head(line) == word);
    let halves = own().filter_map(|line| line.split_once(" + "));
    let pairs = halves.map(|(first, second)| {
        let mut first = members(first);
        first.retain(|member| !says_enough(head(member)));
        Pair(first, members(second))
    });
    File { pairs: pairs.collect(), alone }
}

/// Whether a line names words that pairs share.
fn is_shared(line: &str) -> bool {
    line.starts_with('@') && !line.contains(" + ")
}

/// The entry itself, without what follows it on its line.
fn head(line: &str) -> &str {
    line.split(['=', '(']).next().unwrap_or_default().trim()
}

/// The sign that says what kind of word an entry is: `noun`, `exact`, `act`, `both` or `verb`.
fn sign(line: &str) -> &str {
    line.split_once('(').and_then(|(_, rest)| rest.split_once(')')).map_or("", |(sign, _)| sign)
}

fn rank(line: &str) -> Rank {
    match sign(line) {
        "noun" | "exact" => Rank::Thing,
        "both" | "verb" => Rank::Either,
        _ if !head(line).chars().any(char::is_alphanumeric) => Rank::Thing,
        "act" => Rank::Act,
        _ if head(line).contains(' ') => Rank::Phrase,
        _ => Rank::Act,
    }
}

/// The first half of a pair acts, the second is acted on.
fn half_forms(member: &'static str, second: bool) -> impl Iterator<Item = String> {
    let word = head(member);
    let made = match (sign(member), word.contains(' ')) {
        ("exact", _) => vec![word.to_owned()],
        (_, true) => thing_of_words(word),
        (_, false) if second => vec![word.to_owned(), plural(word)],
        _ => every_form(word),
    };
    made.into_iter().chain(irregular(member))
}

/// The forms of an entry that stands by itself.
fn made(line: &'static str, meaning: impl Fn(&'static str) -> Meaning) -> Vec<Form> {
    let word = head(line);
    let forms = match (sign(line), word.split_once(' ')) {
        ("noun", Some(_)) => thing_of_words(word),
        (_, Some((first, rest))) => phrase(first, rest),
        ("exact" | "act", None) => vec![word.to_owned()],
        ("noun", None) => vec![word.to_owned(), plural(word)],
        ("verb", None) => every_form(word).into_iter().filter(|form| *form != plural(word)).collect(),
        _ if !word.chars().any(char::is_alphanumeric) => vec![word.to_owned()],
        _ => every_form(word),
    };
    forms.into_iter().chain(irregular(line)).map(|form| (form, meaning(word))).collect()
}

fn irregular(line: &'static str) -> impl Iterator<Item = String> {
    line.split_once('=').into_iter().flat_map(|(_, forms)| forms.split(',')).map(|form| form.trim().to_owned())
}

fn thing_of_words(words: &str) -> Vec<String> {
    vec![words.replace(' ', ""), words.to_owned(), plural(words)]
}

/// A phrase is inflected at its first word and its last, and is also written as one word. After `~`
/// stand the words that may follow, with or without a filler.
fn phrase(first: &str, rest: &str) -> Vec<String> {
    let (between, ends) = match rest.split_once('~') {
        Some((between, ends)) => (between.trim(), ends.trim()),
        None => ("", rest),
    };
    let spaced = |words: &[&str]| words.iter().filter(|word| !word.is_empty()).copied().collect::<Vec<_>>().join(" ");
    let mut made = Vec::new();
    for end in ends.split(',').map(str::trim) {
        let ending = [end.to_owned(), plural(end)];
        made.push(spaced(&[first, between, end]).replace(' ', ""));
        for end in &ending {
            made.extend(every_form(first).iter().map(|begun| spaced(&[begun, between, end])));
            if rest.contains('~') {
                made.extend(FILLERS.iter().map(|filler| spaced(&[first, between, filler, end])));
            }
        }
    }
    made
}

#[cfg(test)]
mod tests {
    use super::{FILES, File, Form, Meaning, Pair, entries, forms, head, is_shared, parsed, sign};
    use crate::browser::{Action, ElementFacts};
    use crate::classify::{Consequence, classify};
    use std::collections::{BTreeMap, BTreeSet};

    fn names(text: &str, class: Consequence) -> bool {
        let verdict = classify(&Action::Click {}, &ElementFacts { name: text.to_owned(), ..ElementFacts::default() });
        verdict.consequence.is_named() && verdict.matches.iter().any(|found| found.class == class)
    }

    fn fail_with(failures: &[String]) {
        assert!(failures.is_empty(), "{} forms\n{}", failures.len(), failures.join("\n"));
    }

    /// CLS-5: every form of every entry names its class, and the entry itself in the middle of other words too.
    #[test]
    fn every_form_names_its_class() {
        let mut failures = Vec::new();
        for (form, meaning) in forms() {
            let Meaning::Class(class, word) = meaning else { continue };
            let sentence = (form == word).then(|| format!("no, the hund {form} here"));
            let texts = [form].into_iter().chain(sentence);
            failures.extend(texts.filter(|text| !names(text, class)).map(|text| format!("{text:?}: {class:?}")));
        }
        fail_with(&failures);
    }

    /// CLS-5: every word of a half names the class beside a word of the other half, in the order that no phrase has.
    #[test]
    fn every_half_names_its_class_beside_the_other() {
        let mut halves: BTreeMap<(usize, bool), Vec<Form>> = BTreeMap::new();
        for (form, meaning) in forms() {
            if let Meaning::Half { pair, second, .. } = meaning {
                halves.entry((pair, second)).or_default().push((form, meaning));
            }
        }
        let mut failures = Vec::new();
        for (&(pair, second), half) in &halves {
            let others = halves.get(&(pair, !second)).map(Vec::as_slice).unwrap_or_default();
            let Some((other, _)) = others.first() else {
                failures.push(format!("pair {pair} has no other half"));
                continue;
            };
            for (form, meaning) in half {
                let Meaning::Half { class, .. } = meaning else { continue };
                let text = if second { format!("{form} of the hund: {other}") } else { format!("{other} of the hund: {form}") };
                if !names(&text, *class) {
                    failures.push(format!("{text:?}: {class:?}"));
                }
            }
        }
        fail_with(&failures);
    }

    /// CLS-5: no line is dead: known signs, words as they are read, nothing twice, no pair that single words make idle.
    #[test]
    fn the_files_keep_their_format() {
        let mut failures = Vec::new();
        for (class, file) in FILES {
            let File { alone, pairs } = parsed(file);
            let mut seen = BTreeSet::new();
            for line in alone.iter().copied().chain(pairs.iter().flat_map(|Pair(first, second)| first.iter().chain(second).copied())) {
                let plain = head(line)
                    .chars()
                    .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || " ~,".contains(c) || !c.is_ascii() || c == '$');
                if !plain || !["", "noun", "exact", "act", "both", "verb"].contains(&sign(line)) {
                    failures.push(format!("{class:?} {line:?} is not understood"));
                }
            }
            failures.extend(alone.iter().filter(|line| !seen.insert(head(line))).map(|line| format!("{class:?} {line:?} stands twice")));
            let idle = pairs.iter().filter(|Pair(first, second)| first.is_empty() || second.is_empty());
            failures.extend(idle.map(|Pair(_, second)| format!("{class:?}: the pair with {second:?} is idle")));
            let named = entries(file).filter(|line| is_shared(line)).filter_map(|line| line.split_once(" = ")).map(|(name, _)| name);
            let is_used =
                |name: &str| entries(file).any(|line| line.contains(" + ") && line.split([',', '+']).any(|part| part.trim() == name));
            failures.extend(named.filter(|name| !is_used(name)).map(|name| format!("{class:?}: {name} is not used")));
        }
        fail_with(&failures);
    }
}
