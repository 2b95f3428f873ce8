//! From bare characters to words, cut in the ways in which a text can be read.

use std::collections::BTreeSet;

/// A word as its characters, in the case in which they stand.
pub(super) type Word = Vec<char>;

/// Words of a text and the symbols beside them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Words {
    /// The words in order.
    pub(super) words: Vec<Word>,
    /// Symbols that could mean something: no ASCII punctuation but `$`.
    pub(super) symbols: BTreeSet<char>,
}

/// Letters of a spaced-out run that are searched for words, at most.
const SPACED_RUN_LETTERS_MAX: usize = 256;
/// A word hidden in a spaced-out run, shortest and longest, in letters.
pub(super) const HIDDEN_WORD_LETTERS: std::ops::RangeInclusive<usize> = 3..=14;

/// The shorter piece of a word torn in two, in letters.
pub(super) const TORN_PIECE_LETTERS_MAX: usize = 2;

/// Cuts at everything that is neither letter nor digit; apostrophes stay inside words. What
/// `also_inside` admits between two characters of a word stays inside too.
pub(super) fn plain(text: &[char], also_inside: impl Fn(char) -> bool) -> Words {
    let mut cut = Words::default();
    let mut word = Word::new();
    let mut rest = text.iter().copied().peekable();
    while let Some(c) = rest.next() {
        let mut inside = || rest.peek().is_some_and(|next| next.is_alphanumeric() || also_inside(*next));
        if c.is_alphanumeric() || (!word.is_empty() && also_inside(c) && inside()) {
            word.push(c);
        } else if !is_apostrophe(c) && !word.is_empty() {
            cut.words.push(std::mem::take(&mut word));
        }
        let speaks = !c.is_alphanumeric() && !c.is_whitespace() && (!c.is_ascii() || c == '$');
        if speaks {
            cut.symbols.insert(c);
        }
    }
    if !word.is_empty() {
        cut.words.push(word);
    }
    cut
}

/// As [`plain`], with signs that look like letters also as the first character of a word. `None` when
/// no word begins with one.
pub(super) fn begun_by(text: &[char], also_inside: impl Fn(char) -> bool) -> Option<Vec<Word>> {
    let mut words: Vec<Word> = vec![Word::new()];
    let mut begun = false;
    let mut rest = text.iter().copied().peekable();
    while let Some(c) = rest.next() {
        let open = words.last().is_some_and(|word| !word.is_empty());
        let before_letter = rest.peek().is_some_and(|next| next.is_alphanumeric());
        let inside =
            c.is_alphanumeric() || (also_inside(c) && (before_letter || (open && rest.peek().is_some_and(|next| also_inside(*next)))));
        if inside {
            begun |= !open && !c.is_alphanumeric();
            words.last_mut()?.push(c);
        } else if !is_apostrophe(c) && open {
            words.push(Word::new());
        }
    }
    words.retain(|word| !word.is_empty());
    begun.then_some(words)
}

/// Cuts also where small letters meet capitals and letters meet digits, as in identifiers.
/// `None` when that changes nothing.
pub(super) fn identifiers(words: &[Word]) -> Option<Vec<Word>> {
    let meets = |a: char, b: char| (a.is_lowercase() && b.is_uppercase()) || (a.is_numeric() != b.is_numeric());
    if !words.iter().any(|word| word.windows(2).any(|pair| matches!(pair, [a, b] if meets(*a, *b)))) {
        return None;
    }
    Some(words.iter().flat_map(|word| word.chunk_by(|a, b| !meets(*a, *b)).map(<[char]>::to_vec)).collect())
}

/// Leaves out what separates letters inside a word: hyphens, dots and their like with the white
/// space of a line break, and the spaces of spaced-out letters. One answer for each way to join.
pub(super) fn joined(text: &[char], also_inside: impl Fn(char) -> bool + Copy) -> Vec<Vec<Word>> {
    let mut ways = Vec::new();
    let tight: Vec<char> = without_joints(text);
    if tight.len() != text.len() {
        ways.push(plain(&tight, also_inside).words);
    }
    let words = plain(text, also_inside).words;
    if words.windows(3).any(|three| three.iter().all(|word| word.len() == 1)) {
        ways.push(spaced_out(&words));
    }
    if let Some(short) = shortened(&words) {
        ways.push(short);
    }
    if words.windows(2).any(|two| two.iter().any(|word| word.len() <= TORN_PIECE_LETTERS_MAX)) {
        ways.push(torn(&words));
    }
    let letters: usize = words.iter().map(Vec::len).sum();
    if words.len() > 1 && HIDDEN_WORD_LETTERS.contains(&letters) {
        ways.push(vec![words.concat()]);
    }
    ways
}

fn without_joints(text: &[char]) -> Vec<char> {
    let mut tight: Vec<char> = Vec::with_capacity(text.len());
    let mut rest = text.iter().copied().peekable();
    while let Some(c) = rest.next() {
        let after_letter = tight.last().is_some_and(|last| last.is_alphanumeric());
        if !(is_joint(c) && after_letter) {
            tight.push(c);
            continue;
        }
        while is_hyphen(c) && rest.next_if(|next| next.is_whitespace()).is_some() {}
    }
    tight
}

fn spaced_out(words: &[Word]) -> Vec<Word> {
    let mut joined = Vec::with_capacity(words.len());
    for run in words.chunk_by(|a, b| (a.len() == 1) == (b.len() == 1)) {
        if run.len() < 3 || run.first().is_none_or(|word| word.len() != 1) {
            joined.extend(run.iter().cloned());
            continue;
        }
        let letters: Word = run.concat();
        let searched = letters.get(..letters.len().min(SPACED_RUN_LETTERS_MAX)).unwrap_or_default();
        for length in HIDDEN_WORD_LETTERS {
            joined.extend(searched.windows(length).filter(|part| part.len() < letters.len()).map(<[char]>::to_vec));
        }
        joined.push(letters);
    }
    joined
}

/// The words with letters that stand three times or more in a row written once; `None` when there
/// are none. No English word is written so.
fn shortened(words: &[Word]) -> Option<Vec<Word>> {
    let same = |a: &char, b: &char| a.to_lowercase().eq(b.to_lowercase());
    let drawn_out = |word: &Word| word.chunk_by(same).any(|run| run.len() > 2);
    if !words.iter().any(drawn_out) {
        return None;
    }
    let once = |word: &Word| word.chunk_by(same).flat_map(|run| run.iter().take(if run.len() > 2 { 1 } else { 2 })).copied().collect();
    Some(words.iter().map(once).collect())
}

/// The words, and each two neighbours of which one is short as one word: a word torn in two.
fn torn(words: &[Word]) -> Vec<Word> {
    let mut found = words.to_vec();
    for pair in words.windows(2) {
        let whole = pair.concat();
        let short = pair.iter().any(|word| word.len() <= TORN_PIECE_LETTERS_MAX);
        if short && HIDDEN_WORD_LETTERS.contains(&whole.len()) {
            found.push(Word::new());
            found.push(whole);
        }
    }
    found
}

pub(super) fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '\u{2019}' | '\u{2bc}' | '\u{2018}' | '`' | '\u{b4}')
}

pub(super) fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{2e3a}'..='\u{2e3b}' | '\u{58a}' | '\u{5be}' | '\u{30fb}')
}

pub(super) fn is_joint(c: char) -> bool {
    // Brackets too: a letter in brackets is what a parenthesised letter decomposes into.
    is_hyphen(c)
        || matches!(
            c,
            '(' | ')'
                | '['
                | ']'
                | '{'
                | '}'
                | '.'
                | '_'
                | '*'
                | '|'
                | '/'
                | '\\'
                | '~'
                | '+'
                | '='
                | ':'
                | ','
                | '\u{b7}'
                | '\u{2022}'
                | '\u{2027}'
                | '\u{2043}'
        )
}
