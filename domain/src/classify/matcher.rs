//! The compiled vocabulary: one automaton over every form, built once.

use super::look_alike::LookAlikes;
use super::readings::{Read, readings};
use super::vocabulary::{Meaning, forms};
use super::{Consequence, Reading};
use aho_corasick::{AhoCorasick, AhoCorasickBuilder, AhoCorasickKind};
use std::collections::{BTreeMap, HashSet};
use std::sync::OnceLock;

/// What a text was found to name: the class, the entry, and how it was read.
pub(super) type Found = (Consequence, &'static str, Reading);

/// Everything that texts are compared with.
pub(super) struct Matcher {
    automaton: AhoCorasick,
    meanings: Vec<Vec<Meaning>>,
    looks: LookAlikes,
}

/// The matcher, or `None` when it could not be built: then nothing may be covered.
pub(super) fn matcher() -> Option<&'static Matcher> {
    static BUILT: OnceLock<Option<Matcher>> = OnceLock::new();
    BUILT.get_or_init(Matcher::build).as_ref()
}

impl Matcher {
    fn build() -> Option<Self> {
        let mut by_form: BTreeMap<String, Vec<Meaning>> = BTreeMap::new();
        for (form, meaning) in forms() {
            let meanings = by_form.entry(form).or_default();
            if !meanings.contains(&meaning) {
                meanings.push(meaning);
            }
        }
        let words: HashSet<String> = by_form.keys().flat_map(|form| form.split(' ')).map(str::to_owned).collect();
        let automaton = AhoCorasickBuilder::new()
            .kind(Some(AhoCorasickKind::ContiguousNFA))
            .build(by_form.keys().map(|form| format!(" {form} ")))
            .ok()?;
        Some(Self { automaton, meanings: by_form.into_values().collect(), looks: LookAlikes::new(words) })
    }

    /// Every reading of a text.
    pub(super) fn read(&self, text: &str) -> Vec<Read> {
        readings(text, &self.looks)
    }

    /// What a text names, each class and entry once.
    pub(super) fn search(&self, text: &str) -> Vec<Found> {
        let mut found: Vec<Found> = Vec::new();
        for (reading, words) in self.read(text) {
            self.search_words(&words, reading, &mut found);
        }
        found
    }

    /// Whether a text names a class or a sensitive area.
    pub(super) fn is_sensitive(&self, text: &str) -> bool {
        self.read(text).iter().any(|(reading, words)| {
            let area = self.meanings_in(words).any(|meaning| matches!(meaning, Meaning::Area(_)));
            let mut found = Vec::new();
            self.search_words(words, *reading, &mut found);
            area || !found.is_empty()
        })
    }

    fn meanings_in<'a>(&'a self, words: &'a str) -> impl Iterator<Item = &'a Meaning> {
        self.automaton.find_overlapping_iter(words).filter_map(|hit| self.meanings.get(hit.pattern().as_usize())).flatten()
    }

    fn search_words(&self, words: &str, reading: Reading, found: &mut Vec<Found>) {
        let mut add = |class, word| {
            if !found.iter().any(|(known, entry, _)| (*known, *entry) == (class, word)) {
                found.push((class, word, reading));
            }
        };
        let mut halves: BTreeMap<(usize, bool), (Consequence, &'static str)> = BTreeMap::new();
        for meaning in self.meanings_in(words) {
            match *meaning {
                Meaning::Class(class, word) => add(class, word),
                Meaning::Half { pair, second, class, word } => {
                    halves.entry((pair, second)).or_insert((class, word));
                }
                Meaning::Area(_) => {}
            }
        }
        for ((pair, second), (class, word)) in &halves {
            if !second && halves.contains_key(&(*pair, true)) {
                add(*class, word);
            }
        }
    }
}
