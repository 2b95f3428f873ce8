//! Words that say nothing to a reader: keys, tokens, digests and passwords (requirement COV-3).
//!
//! A word is judged by its pieces, because code and formulae run without spaces: what counts is
//! whether some piece mixes letters, capitals and digits as no language and no identifier does.

use super::formula::is_formula;
use super::groups::is_hyphened_code;
use std::collections::BTreeSet;

/// The beginnings of known keys.
const KEY_BEGINNINGS: &str = include_str!("key_beginnings.txt");
/// A piece this long that mixes letters and digits is taken for a key or a token.
const KEY_CHARACTERS_MIN: usize = 16;
/// A piece this long that mixes small letters, capitals and digits is taken for a password.
const PASSWORD_CHARACTERS_MIN: usize = 8;
/// Digits, and changes between letters and digits, from which on a piece is woven of both.
const WOVEN_DIGITS_MIN: usize = 3;
const WOVEN_CHANGES_MIN: usize = 3;
/// A piece this long of at least [`TANGLED_WORDS_MIN`] camel-case words, each two of them on average
/// shorter than [`CAMEL_PAIR_LETTERS`], is no identifier.
const TANGLED_CHARACTERS_MIN: usize = 12;
const TANGLED_WORDS_MIN: usize = 5;
const CAMEL_PAIR_LETTERS: usize = 7;
/// Base64 with its two signs in it (RFC 4648): this long, and a change of case or kind in every
/// [`BASE64_CHANGE_EVERY`] characters.
const BASE64_CHARACTERS_MIN: usize = 32;
const BASE64_CHANGE_EVERY: usize = 4;
/// Pairs of hexadecimal digits between colons: more than a network address has.
const HEX_PAIRS_MIN: usize = 8;
/// Different digits in a hexadecimal one; fewer are somebody crying.
const DIGEST_DISTINCT_MIN: usize = 4;
/// Digits of a short code such as CO2, and of a numbered word.
const CODE_CHARACTERS_MAX: usize = 5;
const NUMBER_DIGITS_MAX: usize = 3;
const ENDING_LETTERS_MAX: usize = 4;
/// Numbers of bits in identifiers such as `Uint8Array`.
const BIT_SIZES: [&str; 9] = ["2", "8", "16", "32", "36", "64", "128", "256", "512"];
/// Signs of a generated password, and signs that only code has.
const PASSWORD_SIGNS: &str = "!#$%&?^~*";
const RARE_SIGNS: &str = "#$%&^";
const CODE_SIGNS: &str = "()[]{};=<>\"";

/// Whether a word without white space could be a key, a token, a digest or a password.
pub(super) fn is_opaque(word: &str) -> bool {
    let word = word
        .trim_matches(|c: char| matches!(c, '"' | '\'' | '`' | '(' | ')' | ',' | ';' | '.' | '!' | '?' | ':' | '\u{201c}'..='\u{201e}'));
    let tokens = || word.split(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_'))).filter(|token| !token.is_empty());
    let pieces = || word.split(|c: char| !c.is_alphanumeric()).filter(|piece| !piece.is_empty());
    begins_like_a_key(word)
        || tokens().any(|token| is_hyphened_code(token) || is_key(token) || is_password(token))
        || pieces().any(|piece| is_woven(piece) || is_tangled(piece) || is_digest(piece))
        || is_signed_password(word)
        || is_base64(word)
        || is_fingerprint(word)
}

fn begins_like_a_key(word: &str) -> bool {
    let belongs = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '+' | '=');
    let starts = word.char_indices().filter(|(at, _)| {
        word.get(..*at).and_then(|before| before.chars().last()).is_none_or(|c| !c.is_alphanumeric() && !matches!(c, '_' | '-' | '.'))
    });
    let mut known = KEY_BEGINNINGS.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(' '));
    let starts: Vec<&str> = starts.filter_map(|(at, _)| word.get(at..)).collect();
    known.any(|(beginning, rest_min)| {
        // A line that cannot be read admits nothing after it.
        let rest_min = rest_min.parse().unwrap_or(0);
        starts
            .iter()
            .filter_map(|start| start.strip_prefix(beginning))
            .any(|rest| rest.chars().take_while(|c| belongs(*c)).count() >= rest_min)
    })
}

/// A long run of letters and digits that is not made of words and numbers between hyphens.
fn is_key(token: &str) -> bool {
    let digits = token.chars().any(char::is_numeric);
    let letters = token.chars().any(char::is_alphabetic);
    token.chars().count() >= KEY_CHARACTERS_MIN && letters && digits && !is_readable(token)
}

fn is_password(token: &str) -> bool {
    is_mixed(token) && !is_readable(token)
}

/// Small letters, capitals and digits together, long enough for a password.
fn is_mixed(text: &str) -> bool {
    let has = |kind: fn(char) -> bool| text.chars().any(kind);
    text.chars().count() >= PASSWORD_CHARACTERS_MIN && has(char::is_lowercase) && has(char::is_uppercase) && has(char::is_numeric)
}

/// Whether every piece between hyphens reads as a word, a number, or both as writing has them.
fn is_readable(token: &str) -> bool {
    token.split(['-', '_']).all(|piece| {
        let letters = piece.trim_matches(|c: char| c.is_numeric());
        let words_only = letters.chars().all(char::is_alphabetic);
        let before = piece.chars().take_while(|c| c.is_numeric()).count();
        let after = if letters.is_empty() { 0 } else { piece.chars().rev().take_while(|c| c.is_numeric()).count() };
        let short_code = piece.chars().count() <= CODE_CHARACTERS_MAX && !piece.chars().any(char::is_lowercase);
        let numbered = words_only && before == 0 && after <= NUMBER_DIGITS_MAX && !(after > 0 && is_mixed(piece));
        let counted = words_only && after == 0 && before <= NUMBER_DIGITS_MAX && letters.chars().count() <= ENDING_LETTERS_MAX;
        short_code || numbered || counted || is_formula(piece) || is_sized_identifier(piece)
    })
}

/// `Uint8Array`, `base64Encode`: a word, a number of bits, and words that each begin with a capital.
fn is_sized_identifier(piece: &str) -> bool {
    let word = piece.trim_start_matches(|c: char| c.is_alphabetic());
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let number = word.get(..word.len() - rest.len()).unwrap_or_default();
    BIT_SIZES.contains(&number)
        && rest.starts_with(|c: char| c.is_uppercase())
        && rest.chars().all(char::is_alphabetic)
        && !is_tangled(rest)
}

fn is_woven(piece: &str) -> bool {
    let digits = piece.chars().filter(|c| c.is_numeric()).count();
    let changes = changes(piece, |c| u8::from(c.is_numeric()));
    piece.chars().count() >= PASSWORD_CHARACTERS_MIN && digits >= WOVEN_DIGITS_MIN && changes >= WOVEN_CHANGES_MIN && !is_formula(piece)
}

/// Many camel-case words of few letters each, as Base64 has them.
fn is_tangled(piece: &str) -> bool {
    let letters: Vec<char> = piece.chars().collect();
    let begins =
        |three: &[char]| matches!(three, [a, b, c] if b.is_uppercase() && (a.is_lowercase() || (a.is_uppercase() && c.is_lowercase())));
    let last = matches!(letters.as_slice(), [.., a, b] if a.is_lowercase() && b.is_uppercase());
    let words = 1 + letters.windows(3).filter(|three| begins(three)).count() + usize::from(last);
    letters.len() >= TANGLED_CHARACTERS_MIN && words >= TANGLED_WORDS_MIN && letters.len() * 2 < words * CAMEL_PAIR_LETTERS
}

fn is_digest(piece: &str) -> bool {
    let distinct: BTreeSet<u8> = piece.bytes().collect();
    piece.len() >= KEY_CHARACTERS_MIN && piece.bytes().all(|c| c.is_ascii_hexdigit()) && distinct.len() >= DIGEST_DISTINCT_MIN
}

/// Mixed characters with signs among them that neither sentences nor code have there; without a digit,
/// with two different ones.
fn is_signed_password(word: &str) -> bool {
    let has = |kind: fn(char) -> bool| word.chars().any(kind);
    let cased = word.chars().count() >= PASSWORD_CHARACTERS_MIN && has(char::is_lowercase) && has(char::is_uppercase);
    let rare = RARE_SIGNS.chars().filter(|sign| word.contains(*sign)).count();
    let signed = (is_mixed(word) && word.contains(|c| PASSWORD_SIGNS.contains(c))) || (cased && rare >= 2);
    signed && !word.contains(|c| CODE_SIGNS.contains(c))
}

fn is_base64(word: &str) -> bool {
    let body = word.trim_end_matches('=');
    let kind = |c: char| if c.is_ascii_digit() { 0 } else { 1 + u8::from(c.is_ascii_uppercase()) };
    let changes: usize = body.split(['+', '/']).map(|piece| changes(piece, kind)).sum();
    let length = body.len();
    length >= BASE64_CHARACTERS_MIN
        && body.bytes().all(|c| c.is_ascii_alphanumeric() || matches!(c, b'+' | b'/'))
        && is_mixed(body)
        && changes * BASE64_CHANGE_EVERY >= length
}

fn is_fingerprint(word: &str) -> bool {
    let pairs = || word.split(':');
    pairs().count() >= HEX_PAIRS_MIN && pairs().all(|pair| pair.len() == 2 && pair.bytes().all(|c| c.is_ascii_hexdigit()))
}

fn changes(text: &str, kind: impl Fn(char) -> u8) -> usize {
    let kinds: Vec<u8> = text.chars().map(kind).collect();
    kinds.windows(2).filter(|two| matches!(two, [a, b] if a != b)).count()
}
