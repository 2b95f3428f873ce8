//! All the ways in which a text can be read. Each only adds matches.

use super::Reading;
use super::letters::{Invisible, bare, has_invisible};
use super::look_alike::{LookAlikes, OR};
use super::segment::{self, Word};
use std::collections::BTreeSet;

/// Whether a word says no more than whose or which. Such words are left out of one reading, so that
/// phrases match through them.
#[rustfmt::skip]
pub(super) fn is_filler(word: &str) -> bool {
    matches!(
        word,
        "a" | "an" | "the" | "my" | "your" | "our" | "his" | "her" | "their" | "its" | "this" | "that" | "these" | "those" | "all"
            | "selected" | "current" | "some" | "any" | "please" | "just" | "now" | "me" | "us" | "him" | "it" | "them"
    )
}

/// One way to read a text: lower-case words, each between spaces, symbols after them.
pub(super) type Read = (Reading, String);

/// Every reading of a text, without repetition of the same words in the same way.
pub(super) fn readings(text: &str, looks: &LookAlikes) -> Vec<Read> {
    let mut reads = Reads { looks, found: Vec::with_capacity(4) };
    reads.add_order(text, None);
    for order in super::order::displayed(text) {
        reads.add_order(&order, Some(Reading::Displayed));
    }
    reads.found
}

struct Reads<'a> {
    looks: &'a LookAlikes,
    found: Vec<Read>,
}

impl Reads<'_> {
    fn add_order(&mut self, text: &str, reading: Option<Reading>) {
        self.add_characters(&bare(text, Invisible::Dropped), reading);
        if has_invisible(text) {
            self.add_characters(&bare(text, Invisible::Space), reading);
        }
    }

    fn add_characters(&mut self, characters: &[char], reading: Option<Reading>) {
        let looks = self.looks;
        let like_letters = |c| looks.is_letter(c);
        let cut = segment::plain(characters, |_| false);
        self.add(&cut.words, &cut.symbols, reading.unwrap_or(Reading::Written));
        if let Some(parts) = segment::identifiers(&cut.words) {
            self.add(&parts, &cut.symbols, reading.unwrap_or(Reading::Written));
        }
        self.add_look_alikes(&segment::plain(characters, like_letters).words, reading.unwrap_or(Reading::LookAlike));
        if let Some(words) = segment::begun_by(characters, like_letters) {
            self.add_look_alikes(&words, reading.unwrap_or(Reading::LookAlike));
        }
        for words in segment::joined(characters, like_letters) {
            self.add(&words, &BTreeSet::new(), reading.unwrap_or(Reading::Joined));
            self.add_look_alikes(&words, reading.unwrap_or(Reading::Joined));
        }
    }

    fn add_look_alikes(&mut self, words: &[Word], reading: Reading) {
        if let Some(read) = self.looks.read(words) {
            self.push(reading, &read, &BTreeSet::new());
        }
    }

    fn add(&mut self, words: &[Word], symbols: &BTreeSet<char>, reading: Reading) {
        let lower: Vec<String> = words.iter().map(|word| word.iter().flat_map(|c| c.to_lowercase()).collect()).collect();
        self.push(reading, &lower, symbols);
    }

    fn push(&mut self, reading: Reading, words: &[String], symbols: &BTreeSet<char>) {
        let whole = between_spaces(words.iter(), symbols);
        let short = between_spaces(words.iter().filter(|word| !word.split(OR).any(is_filler)), &BTreeSet::new());
        for text in [whole, short] {
            if text.len() > 1 && !self.found.iter().any(|(_, known)| *known == text) {
                self.found.push((reading, text));
            }
        }
    }
}

/// ` word word $ `: every word and symbol has a space on either side.
pub(super) fn between_spaces<'a>(words: impl Iterator<Item = &'a String>, symbols: &BTreeSet<char>) -> String {
    let mut text = String::from(" ");
    for word in words {
        text.push_str(word);
        text.push(' ');
    }
    for symbol in symbols {
        text.push(*symbol);
        text.push(' ');
    }
    text
}
