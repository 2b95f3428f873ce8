//! The shapes of text that is never typed under a grant (requirement COV-3).

use crate::classify::bare_text;

/// Digits in a row that are too many.
const DIGIT_RUN: usize = 4;
/// Digits in a row, with spaces, hyphens, dots or slashes between them, that are a number of a
/// card, an account, a phone or a one-time code.
const SEPARATED_DIGIT_RUN: usize = 6;
/// The separated digits of the shortest payment card number (ISO/IEC 7812).
const CARD_DIGITS_MIN: usize = 12;
/// A word this long that mixes letters and digits is taken for a key or a token.
const KEY_CHARACTERS_MIN: usize = 16;
/// A word this long that mixes small letters, capitals and digits is taken for a password.
const PASSWORD_CHARACTERS_MIN: usize = 8;
/// How known keys and tokens begin, in lower case.
const KEY_BEGINNINGS: [&str; 17] = [
    "sk_live",
    "sk_test",
    "pk_live",
    "rk_live",
    "sk-",
    "ghp_",
    "gho_",
    "ghs_",
    "github_pat_",
    "glpat-",
    "xoxb-",
    "xoxp-",
    "akia",
    "aiza",
    "ya29.",
    "eyj",
    "age-secret-key-",
];
/// What introduces a secret, in lower case.
const SECRET_NAMES: [&str; 10] = ["password", "passwd", "passphrase", "secret", "token", "api key", "apikey", "access key", "pin", "otp"];

/// Whether typed text has a shape that no grant covers. A line feed is a plain character only where
/// the field has lines: elsewhere it submits, as a tab moves on.
pub(super) fn is_refused(text: &str, has_lines: bool) -> bool {
    let plain = bare_text(text).to_lowercase();
    let address = [text, plain.as_str()].iter().any(|text| {
        let lower = text.to_lowercase();
        lower.contains('@') || lower.contains("://") || lower.contains("www.")
    });
    address
        || text.chars().any(|c| is_key_code(c) || (c.is_control() && !(c == '\n' && has_lines)))
        || longest_digits(&plain, |_| false) >= DIGIT_RUN
        || longest_digits(&plain, is_separator) >= SEPARATED_DIGIT_RUN
        || looks_like_credential(text)
}

/// Whether a key could be one of several that together type what [`is_refused`] names: nobody sees
/// the whole of a text that comes key by key, so its telling characters are refused one by one.
pub(super) fn is_refused_key(key: &str) -> bool {
    let mut characters = key.chars();
    let (Some(character), None) = (characters.next(), characters.next()) else { return false };
    let plain = bare_text(key);
    is_telling(character) || plain.chars().any(is_telling)
}

/// Whether added text could complete what [`is_refused`] names: what the field holds already is not
/// known, so up to its first word's end it is judged like text that comes key by key.
pub(super) fn may_complete(added: &str) -> bool {
    let plain = bare_text(added);
    let joint = |c: &char| c.is_whitespace() || is_separator(*c);
    let first = plain.chars().find(|c| !joint(c));
    first.is_some_and(is_telling) || plain.chars().take_while(|c| !c.is_whitespace()).any(is_telling)
}

/// Characters without which no refused shape can be written.
fn is_telling(c: char) -> bool {
    c.is_numeric() || matches!(c, '@' | ':' | '/' | '.' | '=') || is_key_code(c)
}

/// Private-use characters: WebDriver presses the keys that they stand for (section 17.4.2), Enter
/// among them, and no lesson is written in them.
fn is_key_code(c: char) -> bool {
    matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}')
}

/// Whether a text has the shape of a credential: shown redacted on cards (VIE-4), never typed
/// under a grant (COV-3).
pub(super) fn looks_like_credential(text: &str) -> bool {
    let plain = bare_text(text);
    let lower = plain.to_lowercase();
    lower.contains("-----begin")
        || introduces_secret(&lower)
        || longest_digits(&lower, is_separator) >= CARD_DIGITS_MIN
        || plain.split_whitespace().any(is_key_like)
}

fn introduces_secret(lower: &str) -> bool {
    let named = SECRET_NAMES.iter().any(|name| {
        lower.match_indices(name).any(|(at, _)| {
            let starts_word = lower.get(..at).and_then(|before| before.chars().last()).is_none_or(|c| !c.is_alphanumeric());
            let after = lower.get(at + name.len()..).unwrap_or_default().trim_start();
            let value = after.strip_prefix([':', '=']).map(str::trim).unwrap_or_default();
            starts_word && !value.is_empty()
        })
    });
    named
        || lower
            .split_whitespace()
            .zip(lower.split_whitespace().skip(1))
            .any(|(first, second)| matches!(first, "bearer" | "basic") && second.len() >= KEY_CHARACTERS_MIN)
}

fn is_key_like(word: &str) -> bool {
    let word = word.trim_matches(|c: char| matches!(c, '"' | '\'' | '(' | ')' | ',' | ';'));
    let length = word.chars().count();
    let has = |kind: fn(&char) -> bool| word.chars().any(|c| kind(&c));
    let digits = word.chars().filter(char::is_ascii_digit).count();
    let letters = has(|c| c.is_alphabetic());
    let lower = word.to_lowercase();
    let known = KEY_BEGINNINGS.iter().any(|start| lower.starts_with(start) && length >= start.len() + 8);
    let key = length >= KEY_CHARACTERS_MIN && letters && digits >= 2;
    let mixed = has(|c| c.is_ascii_lowercase()) && has(|c| c.is_ascii_uppercase()) && digits >= 1;
    let password = length >= PASSWORD_CHARACTERS_MIN && mixed;
    let tangled = length >= KEY_CHARACTERS_MIN && case_changes(word) >= 6;
    (known && digits > 0) || key || password || tangled
}

/// Capitals that follow small letters, and small letters that follow capitals, inside a word: many
/// in Base64, few in any language.
fn case_changes(word: &str) -> usize {
    let characters: Vec<char> = word.chars().collect();
    let changes = |a: char, b: char| (a.is_lowercase() && b.is_uppercase()) || (a.is_uppercase() && b.is_lowercase());
    characters.windows(2).filter(|pair| matches!(pair, [a, b] if changes(*a, *b))).count()
}

fn is_separator(c: char) -> bool {
    c == ' ' || matches!(c, '-' | '.' | '/' | '_' | '(' | ')' | '\u{a0}' | '\u{2010}'..='\u{2015}' | '\u{2009}' | '\u{202f}')
}

/// The most digits in a row, in any script, looking through what `between` admits.
fn longest_digits(text: &str, between: impl Fn(char) -> bool) -> usize {
    let (mut longest, mut run) = (0, 0);
    for c in text.chars() {
        if c.is_numeric() {
            run += 1;
            longest = longest.max(run);
        } else if !between(c) {
            run = 0;
        }
    }
    longest
}
