//! Codes that are written in groups: recovery codes, device codes, seed phrases (requirement COV-3).

use super::formula::is_formula;

/// Characters of one group of a code, all groups alike.
const GROUP_CHARACTERS: std::ops::RangeInclusive<usize> = 4..=8;
/// Groups between spaces that make a code, and how many of so few must mix letters and digits.
const SPACED_GROUPS_MIN: usize = 3;
const SPACED_MIXED_MIN: usize = 2;
/// Groups of capitals alone that make a code.
const CAPITAL_GROUPS_MIN: usize = 3;
/// Words of a seed phrase, and letters of each (BIP-39, English list).
const SEED_WORDS: [usize; 5] = [12, 15, 18, 21, 24];
const SEED_WORD_LETTERS: std::ops::RangeInclusive<usize> = 3..=8;
/// Words that sentences have and the list has not. A lesson's sentence of just as many short words has
/// one of them, or a shorter or a longer word.
const SENTENCE_WORDS: [&str; 30] = [
    "the", "and", "for", "are", "was", "were", "has", "had", "his", "her", "our", "their", "but", "not", "from", "der", "die", "das",
    "und", "ist", "ein", "eine", "les", "des", "est", "que", "los", "las", "una", "por",
];

/// Whether a word is a code in groups between hyphens.
pub(super) fn is_hyphened_code(word: &str) -> bool {
    let groups: Vec<&str> = word.split('-').collect();
    let Some(first) = groups.first() else { return false };
    if groups.len() < 2 || !groups.iter().all(|group| is_group(group) && group.len() == first.len()) {
        return false;
    }
    let capitals = groups.iter().all(|group| group.chars().all(|c| c.is_ascii_uppercase()));
    // Device codes leave vowels out, so that they spell no word (RFC 8628, section 6.1).
    let voiceless = capitals && !word.contains(['A', 'E', 'I', 'O', 'U', 'Y']);
    groups.iter().any(|group| is_mixed(group)) || voiceless || (capitals && groups.len() >= CAPITAL_GROUPS_MIN)
}

/// Whether a text holds a code in groups between spaces.
pub(super) fn is_spaced_code(plain: &str) -> bool {
    let words: Vec<&str> = plain.split_whitespace().collect();
    let alike = |a: &&str, b: &&str| is_group(a) && is_group(b) && a.len() == b.len();
    words.chunk_by(alike).any(|run| {
        let mixed = run.iter().filter(|group| is_mixed(group)).count();
        (run.len() >= SPACED_GROUPS_MIN && mixed >= SPACED_MIXED_MIN) || (run.len() > SPACED_GROUPS_MIN && mixed > 0)
    })
}

/// Whether a text in small letters is as many short words as a seed phrase has, and no sentence.
pub(super) fn is_seed_phrase(lower: &str) -> bool {
    let words: Vec<&str> = lower.split_whitespace().collect();
    let short = |word: &&str| word.bytes().all(|c| c.is_ascii_lowercase()) && SEED_WORD_LETTERS.contains(&word.len());
    SEED_WORDS.contains(&words.len()) && words.iter().all(short) && !words.iter().any(|word| SENTENCE_WORDS.contains(word))
}

fn is_group(text: &str) -> bool {
    GROUP_CHARACTERS.contains(&text.len()) && text.bytes().all(|c| c.is_ascii_alphanumeric())
}

/// Letters and digits together, but no number with its unit or ending, and no formula.
fn is_mixed(group: &str) -> bool {
    let letters = group.trim_start_matches(|c: char| c.is_ascii_digit());
    let unit = letters.len() <= 2 && letters.bytes().all(|c| c.is_ascii_alphabetic());
    let digits = group.bytes().any(|c| c.is_ascii_digit());
    digits && group.bytes().any(|c| c.is_ascii_alphabetic()) && !unit && !is_formula(group)
}
