//! From a text to its bare characters: compatibility forms decomposed, accents and invisible
//! characters dropped (requirement CLS-6).

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// What takes the place of a character that shows nothing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Invisible {
    /// Nothing: it sits inside a word.
    Dropped,
    /// A space: it keeps two words apart.
    Space,
}

/// The bare characters of a text (Unicode NFKD, UAX #15, without marks).
pub(super) fn bare(text: &str, invisible: Invisible) -> Vec<char> {
    if text.is_ascii() {
        return text.chars().filter_map(|c| visible(c, invisible)).collect();
    }
    text.chars()
        .filter_map(|c| visible(enclosed(c), invisible))
        .nfkd()
        .filter(|c| !is_combining_mark(*c))
        .filter_map(|c| visible(c, invisible))
        .collect()
}

/// Whether a text has characters that show nothing.
pub(super) fn has_invisible(text: &str) -> bool {
    text.chars().any(is_invisible)
}

/// Whether a character is seen and stands for no other.
pub(super) fn is_itself(c: char) -> bool {
    enclosed(c) == c && visible(c, Invisible::Space) == Some(c)
}

fn visible(c: char, invisible: Invisible) -> Option<char> {
    match (is_invisible(c), invisible) {
        (false, _) if c == '\u{2800}' => Some(' '),
        (false, _) => Some(c),
        (true, Invisible::Dropped) => None,
        (true, Invisible::Space) => Some(' '),
    }
}

/// Control, format and other default-ignorable characters (UCD property
/// `Default_Ignorable_Code_Point`, with general categories Cc and Cf).
fn is_invisible(c: char) -> bool {
    if c.is_control() {
        return !c.is_whitespace();
    }
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}' | '\u{890}'..='\u{891}' | '\u{8e2}'
        | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{110bd}' | '\u{110cd}' | '\u{13430}'..='\u{1343f}'
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Enclosed letters that have no compatibility decomposition: negative circled, negative squared
/// and regional indicator letters.
fn enclosed(c: char) -> char {
    let first = match u32::from(c) {
        0x1_F150..=0x1_F169 => 0x1_F150,
        0x1_F170..=0x1_F189 => 0x1_F170,
        0x1_F1E6..=0x1_F1FF => 0x1_F1E6,
        _ => return c,
    };
    char::from_u32(u32::from('a') + (u32::from(c) - first)).unwrap_or(c)
}
