//! What a text names, in any of its readings.

use super::Reading;
use super::found::{Found, Halves};
use super::lexicon::{Lexicon, Path};
use super::look_alike::{LookAlikes, OR};
use super::plain::Plain;
use super::readings::{Read, is_filler, readings};
use super::vocabulary::{Meaning, forms};
use std::sync::OnceLock;

/// Everything that texts are compared with.
pub(super) struct Matcher {
    lexicon: Lexicon,
    looks: LookAlikes,
}

/// A text in the ways in which it is read.
pub(super) enum Text<'t> {
    /// It has no other readings than a plain text has.
    Plain(Plain),
    /// It has.
    Other {
        /// As it was written.
        written: &'t str,
        /// Every reading.
        reads: Vec<Read>,
    },
}

impl Text<'_> {
    /// Whether it shows nothing.
    pub(super) fn is_blank(&self) -> bool {
        match self {
            Self::Plain(plain) => plain.is_blank(),
            Self::Other { written, .. } => written.trim().is_empty(),
        }
    }
}

/// The matcher, built once.
pub(super) fn matcher() -> &'static Matcher {
    static BUILT: OnceLock<Matcher> = OnceLock::new();
    BUILT.get_or_init(Matcher::build)
}

impl Matcher {
    fn build() -> Self {
        let lexicon = Lexicon::new(forms());
        let looks = LookAlikes::new(lexicon.words().map(str::to_owned).collect());
        Self { lexicon, looks }
    }

    /// A text, ready to be compared.
    pub(super) fn text<'t>(&self, text: &'t str) -> Text<'t> {
        Plain::of(text, &self.looks, |word| !self.lexicon.alone(word).is_empty())
            .map_or_else(|| Text::Other { written: text, reads: readings(text, &self.looks) }, Text::Plain)
    }

    /// What a text names, each class and entry once.
    pub(super) fn search(&self, text: &Text<'_>) -> Vec<Found> {
        match text {
            Text::Plain(plain) => self.search_plain(plain),
            Text::Other { reads, .. } => self.search_all(reads),
        }
    }

    fn search_all(&self, reads: &[Read]) -> Vec<Found> {
        let mut found = Vec::new();
        for (reading, words) in reads {
            let mut halves = Halves::default();
            self.each_meaning(words.split(' ').skip(1), |meaning| halves.note(meaning, *reading, &mut found));
            halves.close(*reading, &mut found);
        }
        found
    }

    fn search_plain(&self, plain: &Plain) -> Vec<Found> {
        let mut found = Vec::new();
        let (mut written, mut short) = (Halves::default(), Halves::default());
        let (mut all, mut others) = (Path::default(), Path::default());
        let has_filler = plain.has_filler();
        for word in plain.words() {
            let number = self.lexicon.number(word);
            self.lexicon.step(&mut all, number.into_iter(), |meaning| written.note(meaning, Reading::Written, &mut found));
            if has_filler && !is_filler(word) {
                self.lexicon.step(&mut others, number.into_iter(), |meaning| short.note(meaning, Reading::Written, &mut found));
            }
        }
        for symbol in plain.symbols() {
            let meanings = self.lexicon.alone(symbol.encode_utf8(&mut [0; 4]));
            meanings.iter().for_each(|meaning| written.note(meaning, Reading::Written, &mut found));
        }
        written.close(Reading::Written, &mut found);
        short.close(Reading::Written, &mut found);
        // A word that was torn in two stands beside the others, so it may be the half of a pair.
        let mut torn = false;
        for meaning in plain.joined().flat_map(|word| self.lexicon.alone(word)) {
            torn = true;
            written.note(meaning, Reading::Joined, &mut found);
            short.note(meaning, Reading::Joined, &mut found);
        }
        if torn {
            written.close(Reading::Joined, &mut found);
            short.close(Reading::Joined, &mut found);
        }
        if let Some(word) = plain.as_one() {
            let mut halves = Halves::default();
            self.lexicon.alone(word).iter().for_each(|meaning| halves.note(meaning, Reading::Joined, &mut found));
            halves.close(Reading::Joined, &mut found);
        }
        found
    }

    /// Whether a text names a class or a sensitive area.
    pub(super) fn is_sensitive(&self, text: &str) -> bool {
        let names_area = |words: &str| {
            let mut area = false;
            self.each_meaning(words.split(' ').skip(1), |meaning| area |= matches!(meaning, Meaning::Area(_)));
            area
        };
        let reads = readings(text, &self.looks);
        !self.search_all(&reads).is_empty() || reads.iter().any(|(_, words)| names_area(words))
    }

    fn each_meaning<'l, 't>(&'l self, words: impl Iterator<Item = &'t str>, mut tell: impl FnMut(&'l Meaning)) {
        let mut path = Path::default();
        words.for_each(|word| self.lexicon.step(&mut path, word.split(OR).filter_map(|way| self.lexicon.number(way)), &mut tell));
    }
}

#[cfg(test)]
mod tests {
    use super::{Text, matcher, readings};
    use crate::classify::vocabulary::forms;
    use proptest::prelude::*;
    use proptest::sample::select;
    use std::collections::BTreeSet;

    /// Pieces of which texts are made: forms of the vocabulary, words of no class, and everything that
    /// may stand between them.
    fn piece() -> impl Strategy<Value = String> {
        let forms: Vec<String> = forms().into_iter().map(|(form, _)| form).collect();
        let words = [
            "the",
            "my",
            "Lesson",
            "I",
            "It",
            "a",
            "to",
            "de",
            "lete",
            "4",
            "12",
            "x",
            "café",
            "résumé",
            "don",
            "t",
            "OK",
            "Iog",
            "Next",
            "try again",
        ];
        let between = [
            " ", " ", " ", "  ", ".", ", ", "…", "-", " – ", "'", "’", "!", "?", "|", "$", ":", "/", "\n", "(", ")", "1", "0", "“", "”",
            "*", "#", "&", "@", "→", "💳", "✉", "[", "]", "’s", "1–10", "3.5", "—",
        ];
        prop_oneof![
            4 => select(forms),
            4 => select(words.to_vec()).prop_map(str::to_owned),
            6 => select(between.to_vec()).prop_map(str::to_owned),
            1 => "[a-zA-Z0-9]{1,6}",
            1 => any::<char>().prop_map(String::from),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4_000, ..ProptestConfig::default() })]

        /// CLS-6: the short way finds in a plain text exactly what every reading of it finds.
        #[test]
        fn plain_texts_are_read_as_every_other(pieces in prop::collection::vec(piece(), 0..8), gaps in prop::bool::ANY, upper in 0_u8..4) {
            let text = pieces.join(if gaps { " " } else { "" });
            let text = match upper {
                0 => text.to_uppercase(),
                1 => text.split(' ').map(|word| {
                    let mut letters = word.chars();
                    letters.next().map(|first| first.to_uppercase().chain(letters).collect::<String>()).unwrap_or_default()
                }).collect::<Vec<_>>().join(" "),
                _ => text,
            };
            if let Text::Plain(plain) = matcher().text(&text) {
                let short: BTreeSet<_> = matcher().search_plain(&plain).into_iter().map(|(class, word, _)| (class, word)).collect();
                let whole: BTreeSet<_> = matcher().search_all(&readings(&text, &matcher().looks)).into_iter().map(|(class, word, _)| (class, word)).collect();
                prop_assert_eq!(short, whole, "{:?}", text);
            }
        }
    }

    /// The test above tests something: most labels are plain.
    #[test]
    fn ordinary_labels_are_plain() {
        for label in ["Continue", "Delete my account…", "Start the next lesson", "Check your answer.", "Café", "Don’t save", "Show 12 more"]
        {
            assert!(matches!(matcher().text(label), Text::Plain(_)), "{label}");
        }
        for label in ["P a y", "re-send", "1og out", "Paaay", "userId", "(out) log", "P\u{430}y", "se\u{ad}nd", "Iog out"] {
            assert!(matches!(matcher().text(label), Text::Other { .. }), "{label}");
        }
    }
}
