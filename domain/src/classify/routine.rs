//! The ten routine words (requirement CLS-9).

use super::Reading;
use super::matcher::Matcher;
use super::vocabulary::{ROUTINE, entries};

/// The routine word that a text is, in every way in which it can be read; `None` when it is none.
pub(super) fn word(matcher: &Matcher, text: &str) -> Option<&'static str> {
    if let Some(plain) = matcher.plain(text) {
        let alone = !plain.has_filler() && !plain.has_dollar && !plain.has_symbol;
        return entries(ROUTINE).find(|entry| alone && plain.words().eq(entry.split(' ')));
    }
    let reads = matcher.read(text);
    let (_, written) = reads.iter().find(|(reading, _)| *reading == Reading::Written)?;
    let same_everywhere = reads.iter().all(|(reading, words)| *reading == Reading::Joined || words == written);
    entries(ROUTINE).find(|entry| same_everywhere && written.trim() == *entry)
}
