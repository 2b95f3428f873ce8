//! What a text was found to name: classes by themselves, and pairs whose halves stand in one reading.

use super::vocabulary::Meaning;
use super::{Consequence, Reading};

/// The class, the entry, and how the text was read.
pub(super) type Found = (Consequence, &'static str, Reading);

/// A pair by number, and whether it is its second half that was met.
type Side = (usize, bool);

/// The halves of pairs that one reading holds, each with the first entry that was met.
#[derive(Clone, Debug, Default)]
pub(super) struct Halves {
    met: Vec<(Side, (Consequence, &'static str))>,
}

impl Halves {
    /// Notes a meaning: a class is found at once, a half waits for its other half.
    pub(super) fn note(&mut self, meaning: &Meaning, reading: Reading, found: &mut Vec<Found>) {
        match *meaning {
            Meaning::Class(class, word) => add(found, (class, word, reading)),
            Meaning::Half { pair, second, class, word } => {
                if !self.met.iter().any(|(known, _)| *known == (pair, second)) {
                    self.met.push(((pair, second), (class, word)));
                }
            }
            Meaning::Area(_) => {}
        }
    }

    /// Adds the pairs that are whole.
    pub(super) fn close(&self, reading: Reading, found: &mut Vec<Found>) {
        for ((pair, second), (class, word)) in &self.met {
            if !second && self.met.iter().any(|(other, _)| *other == (*pair, true)) {
                add(found, (*class, word, reading));
            }
        }
    }
}

fn add(found: &mut Vec<Found>, new: Found) {
    if !found.iter().any(|(class, word, _)| (*class, *word) == (new.0, new.1)) {
        found.push(new);
    }
}
