//! The common case, read without detour: a text in which nothing calls for another reading than its
//! words, the words without fillers, and two or all of them written as one.
//!
//! Whatever is not surely such a text is left to [`super::readings`], which knows every reading. The
//! two agree on plain texts; a test compares them.

use super::letters::is_itself;
use super::look_alike::{LookAlikes, is_plainly_spelt};
use super::order::reorders;
use super::readings::is_filler;
use super::segment::{HIDDEN_WORD_LETTERS, TORN_PIECE_LETTERS_MAX, is_apostrophe, is_hyphen, is_joint};
use std::ops::Range;
use unicode_normalization::char::{decompose_compatible, is_combining_mark};

/// A text without causes for other readings.
#[derive(Debug, Default)]
pub(super) struct Plain {
    /// The letters and digits of all words, run together, in lower case and as they stand.
    lower: String,
    cased: Vec<char>,
    words: Vec<Range<usize>>,
    /// Symbols that stand beside the words.
    symbols: Vec<char>,
    is_blank: bool,
}

/// What a character is to the reading of a plain text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// An ASCII letter or digit, after accents are dropped.
    Inside(char),
    Apostrophe,
    Space,
    /// A hyphen, which may join words even before white space.
    Hyphen,
    /// What may join two letters.
    Joint,
    /// What looks like a letter.
    Sign,
    Bracket,
    Other,
}

impl Plain {
    /// The plain text that this text is; `None` when it may have other readings.
    pub(super) fn of(text: &str, looks: &LookAlikes, means: impl Fn(&str) -> bool) -> Option<Self> {
        let mut plain = Self {
            is_blank: text.trim().is_empty(),
            lower: String::with_capacity(text.len()),
            cased: Vec::with_capacity(text.len()),
            words: Vec::with_capacity(8),
            ..Self::default()
        };
        let mut rest = text.chars().peekable();
        let (mut begin, mut after_inside) = (0, false);
        while let Some(c) = rest.next() {
            let kind = kind(c, looks)?;
            if let Kind::Inside(letter) = kind {
                plain.push(letter, begin)?;
                after_inside = true;
                continue;
            }
            let next = rest.peek().map(|next| self::kind(*next, looks)).map_or(Some(None), |kind| kind.map(Some))?;
            let calls = match kind {
                Kind::Sign => matches!(next, Some(Kind::Inside(_) | Kind::Sign)) || (after_inside && is_joint(c) && !is_end(next)),
                Kind::Hyphen => after_inside && next.is_some() && !plain.joins_digits(next),
                Kind::Joint => after_inside && !is_end(next) && !plain.joins_digits(next),
                // Where text runs from right to left, brackets before all letters change places with
                // what follows them (UAX #9, rule N0).
                Kind::Bracket => after_inside && !is_end(next) || !plain.cased.iter().any(char::is_ascii_alphabetic),
                _ => false,
            };
            if calls {
                return None;
            }
            if c == '$' || !(c.is_ascii() || matches!(c, '\u{2026}' | '\u{a0}')) {
                plain.symbols.push(c);
            }
            after_inside = false;
            if kind != Kind::Apostrophe {
                plain.end_word(begin);
                begin = plain.lower.len();
            }
        }
        plain.end_word(begin);
        (!plain.calls_for_more(looks, means)).then_some(plain)
    }

    fn push(&mut self, letter: char, begin: usize) -> Option<()> {
        if let Some(before) = self.cased.get(begin..).and_then(<[char]>::last) {
            let camel = before.is_ascii_lowercase() && letter.is_ascii_uppercase();
            if camel || before.is_ascii_digit() != letter.is_ascii_digit() {
                return None;
            }
            let run = self.cased.get(self.cased.len().saturating_sub(2).max(begin)..).unwrap_or_default();
            if run.len() == 2 && run.iter().all(|c| c.eq_ignore_ascii_case(&letter)) {
                return None;
            }
        }
        self.cased.push(letter);
        self.lower.push(letter.to_ascii_lowercase());
        Some(())
    }

    /// No form has a word of digits, so digits may be joined or not.
    fn joins_digits(&self, next: Option<Kind>) -> bool {
        let after_digit = self.cased.last().is_some_and(char::is_ascii_digit);
        after_digit && matches!(next, Some(Kind::Inside(next)) if next.is_ascii_digit())
    }

    fn end_word(&mut self, begin: usize) {
        if self.lower.len() > begin {
            self.words.push(begin..self.lower.len());
        }
    }

    /// What shows only when the words are known: spaced-out letters, words that look like others, and
    /// joined words that look like one that means something by itself.
    fn calls_for_more(&self, looks: &LookAlikes, means: impl Fn(&str) -> bool) -> bool {
        let spaced_out = self.words.windows(3).any(|three| three.iter().all(|word| word.len() == 1));
        if spaced_out || is_plainly_spelt(&self.cased) {
            return spaced_out;
        }
        let like = |range: Range<usize>, is_meant: &dyn Fn(&str) -> bool| {
            self.cased.get(range).is_some_and(|word| looks.is_like_another(word, is_meant))
        };
        self.words.iter().any(|word| like(word.clone(), &|_| true)) || self.torn().chain(self.whole()).any(|joined| like(joined, &means))
    }

    /// The words in order.
    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        self.words.iter().filter_map(|range| self.lower.get(range.clone()))
    }

    /// The symbols beside the words.
    pub(super) fn symbols(&self) -> &[char] {
        &self.symbols
    }

    /// Whether it shows nothing: neither words nor signs.
    pub(super) const fn is_blank(&self) -> bool {
        self.is_blank
    }

    /// Whether some word is a filler.
    pub(super) fn has_filler(&self) -> bool {
        self.words().any(is_filler)
    }

    /// What the words are when some are written as one: each two of which one is short, and all.
    pub(super) fn joined(&self) -> impl Iterator<Item = &str> {
        self.torn().filter_map(|range| self.lower.get(range))
    }

    /// All words as one, when that could be a word.
    pub(super) fn as_one(&self) -> Option<&str> {
        self.whole().and_then(|range| self.lower.get(range))
    }

    fn torn(&self) -> impl Iterator<Item = Range<usize>> {
        self.words.windows(2).filter_map(|two| {
            let [first, second] = two else { return None };
            let pair = first.start..second.end;
            let short = first.len() <= TORN_PIECE_LETTERS_MAX || second.len() <= TORN_PIECE_LETTERS_MAX;
            (short && HIDDEN_WORD_LETTERS.contains(&pair.len())).then_some(pair)
        })
    }

    fn whole(&self) -> Option<Range<usize>> {
        (self.words.len() > 1 && HIDDEN_WORD_LETTERS.contains(&self.lower.len())).then_some(0..self.lower.len())
    }
}

fn is_end(next: Option<Kind>) -> bool {
    matches!(next, None | Some(Kind::Space))
}

/// The kind of a character; `None` for one that may mean more than this file knows.
fn kind(c: char, looks: &LookAlikes) -> Option<Kind> {
    Some(match c {
        _ if c.is_ascii_alphanumeric() => Kind::Inside(c),
        ' ' | '\n' | '\r' | '\u{c}' | '\u{a0}' => Kind::Space,
        '\'' | '`' | '\u{2019}' | '\u{2018}' => Kind::Apostrophe,
        '(' | ')' | '[' | ']' | '{' | '}' => Kind::Bracket,
        _ if c.is_ascii_control() => return None,
        _ if c.is_ascii() && looks.is_letter(c) => Kind::Sign,
        '-' | '\u{2013}' | '\u{2014}' => Kind::Hyphen,
        '\u{2026}' => Kind::Joint,
        _ if c.is_ascii() && is_hyphen(c) => Kind::Hyphen,
        _ if c.is_ascii() && is_joint(c) => Kind::Joint,
        _ if c.is_ascii() => Kind::Other,
        '\u{201c}' | '\u{201d}' => Kind::Other,
        _ if looks.is_letter(c) => return None,
        '\u{c0}'..='\u{17f}' => return accented(c),
        _ => return is_plain_symbol(c).then_some(Kind::Other),
    })
}

/// A letter with marks, as the letter.
fn accented(c: char) -> Option<Kind> {
    let mut letter = None;
    let mut only = true;
    decompose_compatible(c, |part| {
        if part.is_ascii_alphabetic() && letter.is_none() {
            letter = Some(part);
        } else {
            only &= is_combining_mark(part);
        }
    });
    letter.filter(|_| only).map(Kind::Inside)
}

/// Whether a character is a symbol and nothing else: it is seen, stands for itself, and leaves the order
/// as it is.
fn is_plain_symbol(c: char) -> bool {
    let mut itself = true;
    decompose_compatible(c, |part| itself &= part == c);
    let is_symbol = !c.is_alphanumeric() && !c.is_whitespace() && !is_combining_mark(c);
    is_symbol && itself && is_itself(c) && !reorders(c) && !is_hyphen(c) && !is_joint(c) && !is_apostrophe(c)
}
