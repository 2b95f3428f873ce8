//! The shapes of text that is never typed under a grant (requirement COV-3).

use super::credential;
use super::{address, digits};
use crate::classify::bare_text;

/// Whether typed text has a shape that no grant covers. A line feed is a plain character only where
/// the field has lines: elsewhere it submits, as a tab moves on.
pub(super) fn is_refused(text: &str, has_lines: bool) -> bool {
    let plain = bare_text(text).to_lowercase();
    address::is_address(text, &plain)
        || text.chars().any(|c| is_key_code(c) || (c.is_control() && !(c == '\n' && has_lines)))
        || digits::holds_number(&plain)
        || credential::looks_like_credential(text)
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
    let joint = |c: &char| c.is_whitespace() || digits::is_separator(*c);
    let first = plain.chars().find(|c| !joint(c));
    first.is_some_and(is_telling) || plain.chars().take_while(|c| !c.is_whitespace()).any(is_telling)
}

/// Characters without which hardly a refused shape can be written.
fn is_telling(c: char) -> bool {
    c.is_numeric() || matches!(c, '@' | ':' | '/' | '.' | '=' | '\u{3002}' | '\u{2024}') || is_key_code(c)
}

/// Private-use characters: WebDriver presses the keys that they stand for (section 17.4.2), Enter
/// among them, and no lesson is written in them.
fn is_key_code(c: char) -> bool {
    matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}')
}
