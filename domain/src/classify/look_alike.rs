//! Words written with characters that look like Latin letters (requirement CLS-6).
//!
//! One character may resemble several letters, so a word is compared with the vocabulary position
//! by position, each position a set of letters. That reads every mixture without listing them.

use super::segment::Word;
use std::collections::{HashMap, HashSet};

const TABLE: &str = include_str!("look_alikes.txt");
/// Longest word compared, in characters. No vocabulary word is longer.
const WORD_CHARACTERS_MAX: usize = 32;
/// Ways to read one word that are kept.
const WAYS_MAX: usize = 8;

/// The letters that a character can be read as, one bit each, `a` lowest.
type Letters = u32;

/// The look-alike table and the vocabulary's words by length.
pub(super) struct LookAlikes {
    letters: HashMap<char, Letters>,
    by_length: HashMap<usize, Vec<Spelling>>,
}

struct Spelling {
    word: String,
    letters: Vec<Letters>,
}

/// The text of the table, for the classifier's version.
pub(super) const fn table() -> &'static str {
    TABLE
}

impl LookAlikes {
    /// Prepares the words that texts are compared with.
    pub(super) fn new(words: HashSet<String>) -> Self {
        let mut letters: HashMap<char, Letters> = HashMap::new();
        let lines = TABLE.lines().filter(|line| !line.starts_with('#'));
        for (letter, looks) in lines.filter_map(|line| line.split_once(':')) {
            let bit = letter.chars().next().map_or(0, latin);
            for look in looks.chars().filter(|c| !c.is_whitespace()) {
                *letters.entry(look).or_default() |= bit;
            }
        }
        let mut by_length: HashMap<usize, Vec<Spelling>> = HashMap::new();
        for word in words {
            let spelt: Vec<Letters> = word.chars().map(latin).collect();
            if spelt.iter().all(|set| *set != 0) && spelt.len() <= WORD_CHARACTERS_MAX {
                by_length.entry(spelt.len()).or_default().push(Spelling { word, letters: spelt });
            }
        }
        by_length.values_mut().for_each(|spellings| spellings.sort_by(|a, b| a.word.cmp(&b.word)));
        Self { letters, by_length }
    }

    /// Whether a character of no word can be read as a letter.
    pub(super) fn is_letter(&self, c: char) -> bool {
        self.looks(c) != 0
    }

    /// The words with each disguised one replaced by the vocabulary word that it looks like, one
    /// answer for each way; none when nothing is disguised as a vocabulary word.
    pub(super) fn read(&self, words: &[Word]) -> Vec<Vec<String>> {
        let found: Vec<Vec<&str>> = words.iter().map(|word| self.ways(word)).collect();
        let most = found.iter().map(Vec::len).max().unwrap_or(0).min(WAYS_MAX);
        (0..most)
            .map(|way| {
                let pick = |(word, ways): (&Word, &Vec<&str>)| match ways.get(way).or(ways.last()) {
                    Some(read) => (*read).to_owned(),
                    None => word.iter().flat_map(|c| c.to_lowercase()).collect(),
                };
                words.iter().zip(&found).map(pick).collect()
            })
            .collect()
    }

    /// Whether a word is disguised as one of the vocabulary.
    pub(super) fn has_way(&self, word: &[char]) -> bool {
        !self.ways(word).is_empty()
    }

    fn ways(&self, word: &[char]) -> Vec<&str> {
        if word.len() > WORD_CHARACTERS_MAX || !self.is_disguised(word) {
            return Vec::new();
        }
        let sets: Vec<Letters> = word.iter().map(|c| self.letters_of(*c)).collect();
        let Some(spellings) = self.by_length.get(&word.len()) else { return Vec::new() };
        let fits = |spelling: &&Spelling| spelling.letters.iter().zip(&sets).all(|(letter, set)| letter & set != 0);
        spellings.iter().filter(fits).map(|spelling| spelling.word.as_str()).collect()
    }

    /// A capital I beside a small letter counts: it is drawn like a small l.
    fn is_disguised(&self, word: &[char]) -> bool {
        let letters = word.iter().any(|c| c.is_alphabetic());
        let looks = word.iter().any(|c| self.is_letter(*c));
        let capital =
            word.windows(2).any(|pair| matches!(pair, [a, 'I'] if a.is_lowercase()) || matches!(pair, ['I', b] if b.is_lowercase()));
        letters && (looks || capital)
    }

    fn looks(&self, c: char) -> Letters {
        [c, large_cherokee(c)].iter().filter_map(|c| self.letters.get(c)).fold(0, |all, letters| all | letters)
    }

    fn letters_of(&self, c: char) -> Letters {
        let own = latin(c.to_ascii_lowercase());
        let capital = if c == 'I' { latin('l') } else { 0 };
        own | capital | self.looks(c)
    }
}

/// Small Cherokee letters are drawn as their capitals, only smaller, so the table lists those.
fn large_cherokee(c: char) -> char {
    match u32::from(c) {
        small @ 0xAB70..=0xABBF => char::from_u32(small - 0xAB70 + 0x13A0).unwrap_or(c),
        _ => c,
    }
}

fn latin(c: char) -> Letters {
    if c.is_ascii_lowercase() { 1 << (u32::from(c) - u32::from('a')) } else { 0 }
}
