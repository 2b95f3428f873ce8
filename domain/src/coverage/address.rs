//! Addresses and links, which no grant types: `@`, `://` and `www.` in any dress, an address in
//! words, and a host with a path (requirement COV-3).
//!
//! A bare host name is not among them: a forgotten space after a full stop writes one.

/// The shortest last label of a host name, in letters.
const LAST_LABEL_LETTERS_MIN: usize = 2;
/// Words beside ` at ` and ` dot ` that make an address of them.
const AT_WORDS: [&str; 6] = ["[at]", "(at)", "{at}", "<at>", "[@]", "(a)"];

/// Whether a text, given as written and bare in small letters, holds an address or a link.
pub(super) fn is_address(written: &str, plain: &str) -> bool {
    let folded: String = plain.chars().map(folded).collect();
    let holds = |part: &str| written.contains(part) || folded.contains(part);
    holds("@") || holds("://") || holds("www.") || is_spelled_out(&folded) || folded.split_whitespace().any(is_host_and_path)
}

/// Full stops of other scripts, which browsers take for dots in a host (UTS #46), and letters that
/// look like a w.
fn folded(c: char) -> char {
    match c {
        '\u{3002}' | '\u{2024}' | '\u{fe52}' | '\u{ff0e}' | '\u{ff61}' => '.',
        '\u{51d}' | '\u{461}' | '\u{3c9}' | '\u{1d21}' | '\u{561}' | '\u{26f}' => 'w',
        other => other,
    }
}

/// `name [at] host`, and `name at host dot end`.
fn is_spelled_out(text: &str) -> bool {
    if AT_WORDS.iter().any(|at| text.contains(at)) {
        return true;
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    words.windows(4).any(|four| {
        matches!(four, [at, host, dot, end] if *at == "at" && *dot == "dot" && is_label(host) && is_last_label(end.trim_end_matches('.')))
    })
}

fn is_host_and_path(word: &str) -> bool {
    let word = word.trim_start_matches(|c: char| !c.is_alphanumeric());
    let Some((host, path)) = word.split_once('/') else { return false };
    let Some((rest, last)) = host.rsplit_once('.') else { return false };
    let begins_like_one = path.chars().next().is_none_or(|c| c.is_alphabetic() || matches!(c, '?' | '#' | '~' | '_'));
    begins_like_one && is_last_label(last) && rest.split('.').all(is_label)
}

fn is_label(label: &str) -> bool {
    !label.is_empty() && label.chars().all(|c| c.is_alphanumeric() || c == '-')
}

fn is_last_label(label: &str) -> bool {
    label.chars().count() >= LAST_LABEL_LETTERS_MIN && label.chars().all(char::is_alphabetic)
}
