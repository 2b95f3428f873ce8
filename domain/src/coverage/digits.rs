//! Digits in a row, plain or with something between them: numbers of cards, accounts, phones and
//! one-time codes, in any script (requirement COV-3).

/// Digits in a row that are too many.
const RUN: usize = 4;
/// Digits with at most [`TIGHT_GAP`] separators between each two that are too many: a one-time code
/// in two halves, a phone number.
const TIGHT_RUN: usize = 6;
/// Digits with up to [`LOOSE_GAP`] separators between each two, which subtractions have as well.
const LOOSE_RUN: usize = 9;
/// Digits of the shortest payment card number (ISO/IEC 7812), with any one character between.
const CARD_RUN: usize = 12;
/// Separators between the groups of a number: a space, or a closed bracket and a space.
const TIGHT_GAP: usize = 2;
/// Separators of a number that is written wide: a hyphen between spaces.
const LOOSE_GAP: usize = 3;

/// Whether a bare text holds a number that is never typed under a grant.
pub(super) fn holds_number(plain: &str) -> bool {
    longest(plain, |_, _| false) >= RUN
        || longest(plain, |gap, c| gap < TIGHT_GAP && is_separator(c)) >= TIGHT_RUN
        || longest(plain, |gap, c| gap < LOOSE_GAP && is_separator(c)) >= LOOSE_RUN
        || is_card_like(plain)
}

/// Whether a bare text holds as many digits as a payment card number has, however they are set.
pub(super) fn is_card_like(plain: &str) -> bool {
    longest(plain, |gap, c| gap == 0 && !c.is_alphanumeric()) >= CARD_RUN
        || longest(plain, |gap, c| gap < LOOSE_GAP && is_separator(c)) >= CARD_RUN
}

/// What stands between the groups of a number.
pub(super) fn is_separator(c: char) -> bool {
    (c.is_whitespace() && !c.is_control())
        || matches!(c, '-' | '.' | '/' | '_' | '(' | ')' | '\u{b7}' | '\u{2010}'..='\u{2015}' | '\u{2022}' | '\u{2027}' | '\u{2044}')
        || matches!(c, '\u{2212}' | '\u{2215}' | '\u{2219}' | '\u{22c5}' | '\u{30fb}' | '\u{3002}')
}

/// The most digits in a row, in any script, looking through what `between` admits: it is told how many
/// characters lie between the last digit and this one.
fn longest(text: &str, between: impl Fn(usize, char) -> bool) -> usize {
    let (mut longest, mut run, mut gap) = (0, 0, 0);
    for c in text.chars() {
        if c.is_numeric() {
            run += 1;
            gap = 0;
            longest = longest.max(run);
        } else if run > 0 && between(gap, c) {
            gap += 1;
        } else {
            (run, gap) = (0, 0);
        }
    }
    longest
}
