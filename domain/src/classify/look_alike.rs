//! Words written with characters that look like Latin letters (requirement CLS-6).
//!
//! One character may resemble several letters, so a word is compared with the vocabulary position
//! by position, each position a set of letters. That reads every mixture without listing them.

use super::segment::Word;
use rustc_hash::FxHashMap;

const TABLE: &str = include_str!("look_alikes.txt");
/// Longest word compared, in characters. No vocabulary word is longer.
const WORD_CHARACTERS_MAX: usize = 32;
/// Two letters that look like one.
const PAIRS: [(char, char, char); 3] = [('r', 'n', 'm'), ('v', 'v', 'w'), ('c', 'l', 'd')];
/// Stands between the ways to read one word. No bare text has a control character.
pub(super) const OR: char = '\u{1f}';
const OR_TEXT: &str = "\u{1f}";

/// The letters that a character can be read as, one bit each, `a` lowest.
type Letters = u32;

/// The look-alike table and the vocabulary's words by length.
pub(super) struct LookAlikes {
    letters: FxHashMap<char, Letters>,
    /// The same for the characters of ASCII, which are most.
    ascii: [Letters; 128],
    /// In order, so that those that begin alike stand together.
    by_length: Vec<Vec<String>>,
}

impl LookAlikes {
    /// Prepares the words that texts are compared with.
    pub(super) fn new(words: Vec<String>) -> Self {
        let mut letters: FxHashMap<char, Letters> = FxHashMap::default();
        let lines = TABLE.lines().filter(|line| !line.starts_with('#'));
        for (letter, looks) in lines.filter_map(|line| line.split_once(':')) {
            let bit = letter.chars().next().map_or(0, latin);
            for look in looks.chars().filter(|c| !c.is_whitespace()) {
                *letters.entry(look).or_default() |= bit;
            }
        }
        let mut by_length: Vec<Vec<String>> = vec![Vec::new(); WORD_CHARACTERS_MAX + 1];
        for word in words.into_iter().filter(|word| word.chars().all(|c| latin(c) != 0)) {
            if let Some(alike) = by_length.get_mut(word.len()) {
                alike.push(word);
            }
        }
        by_length.iter_mut().for_each(|words| words.sort_unstable());
        let ascii =
            std::array::from_fn(|code| u8::try_from(code).ok().and_then(|code| letters.get(&char::from(code))).copied().unwrap_or(0));
        Self { letters, ascii, by_length }
    }

    /// Whether a character of no word can be read as a letter.
    pub(super) fn is_letter(&self, c: char) -> bool {
        self.looks(c) != 0
    }

    /// The words, each disguised one replaced by all vocabulary words that it looks like, with [`OR`]
    /// between them; `None` when nothing is disguised as a vocabulary word.
    pub(super) fn read(&self, words: &[Word]) -> Option<Vec<String>> {
        let mut disguised = false;
        let read = words.iter().map(|word| {
            let ways = self.ways(word);
            if ways.is_empty() {
                return word.iter().flat_map(|c| c.to_lowercase()).collect();
            }
            disguised = true;
            ways.join(OR_TEXT)
        });
        let read = read.collect();
        disguised.then_some(read)
    }

    /// Whether a word is disguised as another one of the vocabulary, which is meant.
    pub(super) fn is_like_another(&self, word: &[char], is_meant: impl Fn(&str) -> bool) -> bool {
        if is_plainly_spelt(word) {
            return false;
        }
        let is_itself = |way: &str| way.chars().eq(word.iter().map(char::to_ascii_lowercase));
        self.ways(word).iter().any(|way| !is_itself(way) && is_meant(way))
    }

    fn ways(&self, word: &[char]) -> Vec<&str> {
        let mut ways = Vec::new();
        if word.len() > WORD_CHARACTERS_MAX || !self.is_disguised(word) {
            return ways;
        }
        let pairs = word.windows(2).filter(|two| self.pair(two) != 0).count();
        for length in word.len().saturating_sub(pairs)..=word.len() {
            if let Some(alike) = self.by_length.get(length) {
                self.walk(alike, length, word, 0, &mut ways);
            }
        }
        ways
    }

    /// Goes on from `alike`, words of one length which all begin as what was read so far, with the
    /// `rest` of the characters, the next of which is the letter `at`.
    fn walk<'l>(&'l self, alike: &'l [String], length: usize, rest: &[char], at: usize, ways: &mut Vec<&'l str>) {
        let Some((c, behind)) = rest.split_first() else {
            return if at == length {
                ways.extend(alike.iter().map(String::as_str))
            };
        };
        self.follow(alike, length, self.letters_of(*c), behind, at, ways);
        let pair = self.pair(rest);
        if let Some(behind) = rest.get(2..)
            && pair != 0
        {
            self.follow(alike, length, pair, behind, at, ways);
        }
    }

    fn follow<'l>(&'l self, alike: &'l [String], length: usize, mut letters: Letters, behind: &[char], at: usize, ways: &mut Vec<&'l str>) {
        while letters != 0 {
            let letter = b'a' + u8::try_from(letters.trailing_zeros()).unwrap_or_default();
            letters &= letters - 1;
            let from = alike.partition_point(|word| word.as_bytes().get(at).is_some_and(|own| *own < letter));
            let rest = alike.get(from..).unwrap_or_default();
            let until = rest.partition_point(|word| word.as_bytes().get(at) == Some(&letter));
            if until > 0 {
                self.walk(rest.get(..until).unwrap_or_default(), length, behind, at + 1, ways);
            }
        }
    }

    /// The letter that the first two characters look like together.
    fn pair(&self, characters: &[char]) -> Letters {
        let [first, second, ..] = characters else { return 0 };
        let both = |a, b| self.letters_of(*first) & latin(a) != 0 && self.letters_of(*second) & latin(b) != 0;
        PAIRS.iter().filter(|(a, b, _)| both(*a, *b)).fold(0, |all, (_, _, letter)| all | latin(*letter))
    }

    /// A capital I beside a small letter counts: it is drawn like a small l.
    fn is_disguised(&self, word: &[char]) -> bool {
        let letters = word.iter().any(|c| c.is_alphabetic());
        let looks = word.iter().any(|c| self.is_letter(*c));
        let capital =
            word.windows(2).any(|pair| matches!(pair, [a, 'I'] if a.is_lowercase()) || matches!(pair, ['I', b] if b.is_lowercase()));
        letters && (looks || capital || word.windows(2).any(|two| self.pair(two) != 0))
    }

    fn looks(&self, c: char) -> Letters {
        if let Some(letters) = usize::try_from(u32::from(c)).ok().and_then(|code| self.ascii.get(code)) {
            return *letters;
        }
        // A capital may stand in the table as its small letter only.
        c.to_lowercase().chain([c, large_cherokee(c)]).filter_map(|c| self.letters.get(&c)).fold(0, |all, letters| all | letters)
    }

    fn letters_of(&self, c: char) -> Letters {
        let own = latin(c.to_ascii_lowercase());
        let capital = if c == 'I' { latin('l') } else { 0 };
        own | capital | self.looks(c)
    }
}

/// Whether characters are letters of ASCII none of which looks like another, alone or with the next.
pub(super) fn is_plainly_spelt(characters: &[char]) -> bool {
    characters.iter().all(|c| c.is_ascii_alphabetic() && *c != 'I') && !characters.windows(2).any(is_pair)
}

/// Whether two plain letters look like one: [`LookAlikes::pair`] for letters of ASCII.
fn is_pair(two: &[char]) -> bool {
    matches!(two, ['r' | 'R', 'n' | 'N'] | ['v' | 'V', 'v' | 'V'] | ['c' | 'C', 'l' | 'L'])
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
