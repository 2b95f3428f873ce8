//! The ten routine words (requirement CLS-9).

use super::Reading;
use super::matcher::Text;
use super::vocabulary::{ROUTINE, entries};
use std::sync::OnceLock;

/// The routine word that a text is, in every way in which it can be read; `None` when it is none.
pub(super) fn word(text: &Text<'_>) -> Option<&'static str> {
    static WORDS: OnceLock<Vec<&'static str>> = OnceLock::new();
    let mut words = WORDS.get_or_init(|| entries(ROUTINE).collect()).iter().copied();
    match text {
        Text::Plain(plain) => {
            let alone = !plain.has_filler() && plain.symbols().is_empty();
            words.find(|entry| alone && plain.words().eq(entry.split(' ')))
        }
        Text::Other { reads, .. } => {
            let (_, written) = reads.iter().find(|(reading, _)| *reading == Reading::Written)?;
            let same_everywhere = reads.iter().all(|(reading, words)| *reading == Reading::Joined || words == written);
            words.find(|entry| same_everywhere && written.trim() == *entry)
        }
    }
}
