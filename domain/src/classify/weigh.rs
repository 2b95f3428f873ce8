//! Which of several matches is the one consequence of a text.
//!
//! Every named consequence is refused alike, so this decides only what the owner is told. A text that
//! says what is done to what ("change password") outranks a verb, a verb outranks a verb that may be a
//! noun ("delete the upload"), and that one a thing ("delete the invoice"). Among equals the most severe
//! class wins, and so it does between texts: no label softens what another one says.

use super::Consequence;
use super::vocabulary::{Rank, ranks};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::sync::OnceLock;

/// The consequence that a text names, of the classes and entries that it was found to hold; the order in
/// which they come does not matter.
pub(super) fn weightiest(found: impl Iterator<Item = (Consequence, &'static str)>) -> Option<Consequence> {
    // Recovery names what it gets back ("forgot" with "password"), so it says more than the means of signing in.
    let recovers = |class| class == Consequence::AccountRecovery;
    found.max_by_key(|(class, word)| (rank(*class, word), recovers(*class), Reverse(*class))).map(|(class, _)| class)
}

fn rank(class: Consequence, word: &'static str) -> Rank {
    static RANKS: OnceLock<FxHashMap<(Consequence, &str), Rank>> = OnceLock::new();
    let ranks = RANKS.get_or_init(|| {
        let mut known = FxHashMap::default();
        for (class, word, rank) in ranks() {
            known.entry((class, word)).and_modify(|first: &mut Rank| *first = rank.max(*first)).or_insert(rank);
        }
        known
    });
    ranks.get(&(class, word)).copied().unwrap_or(Rank::Thing)
}

#[cfg(test)]
mod tests {
    use super::weightiest;
    use crate::classify::Consequence::{self, AccountChange, Authentication, Currency, Deletion, Message, Payment, Purchase};

    /// CLS-2: what is done outranks what it is done to; equals are told by severity, in any order.
    #[test]
    fn the_acting_word_outranks_its_object() {
        let cases: [(&[(Consequence, &str)], Consequence); 5] = [
            (&[(Payment, "payment"), (Deletion, "delete")], Deletion),
            (&[(Message, "post"), (Deletion, "delete")], Deletion),
            (&[(Authentication, "password"), (AccountChange, "change")], AccountChange),
            (&[(Currency, "$"), (Purchase, "buy")], Purchase),
            (&[(Message, "send"), (Deletion, "delete")], Message),
        ];
        for (found, class) in cases {
            assert_eq!(weightiest(found.iter().copied()), Some(class), "{found:?}");
            assert_eq!(weightiest(found.iter().rev().copied()), Some(class), "{found:?} the other way round");
        }
        assert_eq!(weightiest([].into_iter()), None);
    }
}
