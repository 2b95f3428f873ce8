//! UAX #15: spellings that Unicode holds for the same, by `NormalizationTest.txt`.

use super::super::letters::{Invisible, bare};
use super::{Consequence, Tally, characters, consequence, data_lines, file};

/// Words that name a consequence. Together they have every letter that a decomposition gives.
const ACTING: [&str; 13] =
    ["pay", "buy", "delete", "checkout", "unsubscribe", "transfer", "message", "authorize", "renew", "approve", "robux", "jpy", "cheque"];

/// The five spellings of each line of the standard's test: as written, NFC, NFD, NFKC, NFKD.
fn spellings(text: &str) -> impl Iterator<Item = (usize, [String; 5])> {
    data_lines(text).filter_map(|(at, line)| {
        let spelt: Vec<String> = line.split(';').take(5).map(|field| field.trim()).map(characters_of).collect::<Option<_>>()?;
        Some((at, spelt.try_into().ok()?))
    })
}

/// `None` for the heading of a part.
fn characters_of(field: &str) -> Option<String> {
    (!field.starts_with('@')).then(|| characters(field))
}

/// CLS-6: all compatibility spellings of a text have the same bare characters.
#[test]
fn spellings_have_the_same_bare_characters() {
    let mut tally = Tally::default();
    for (at, spelt) in spellings(&file("NormalizationTest.txt")) {
        for invisible in [Invisible::Dropped, Invisible::Space] {
            let bare_of = spelt.each_ref().map(|text| bare(text, invisible));
            tally.compare(bare_of.iter().all(|characters| *characters == bare_of[4]), || format!("line {at}: {bare_of:?}"));
        }
    }
    tally.close(38_000);
}

/// CLS-6: all compatibility spellings of a text have the same consequence, alone and inside a label.
#[test]
fn spellings_have_the_same_consequence() {
    let mut tally = Tally::default();
    for (at, spelt) in spellings(&file("NormalizationTest.txt")) {
        for (before, after) in [("", ""), ("de", "lete"), ("go ", " 5")] {
            let of = |text: &String| consequence(&format!("{before}{text}{after}"));
            let mut distinct: Vec<&String> = spelt.iter().collect();
            distinct.sort_unstable();
            distinct.dedup();
            let found: Vec<Consequence> = distinct.iter().map(|text| of(text)).collect();
            tally.compare(found.iter().all(|one| *one == found[0]), || format!("line {at}: {before:?} {distinct:?} {found:?}"));
        }
    }
    tally.close(57_000);
}

/// CLS-6: an acting word with one letter written as any compatibility spelling of it is still named.
#[test]
fn compatibility_letters_disguise_nothing() {
    let mut tally = Tally::default();
    for word in ACTING {
        assert!(consequence(word).is_named(), "{word} names nothing");
    }
    for (at, spelt) in spellings(&file("NormalizationTest.txt")) {
        let [letter] = bare(&spelt[4], Invisible::Dropped)[..] else { continue };
        let letter = letter.to_ascii_lowercase();
        for word in ACTING.iter().filter(|word| word.contains(letter)) {
            for text in [&spelt[0], &spelt[2], &spelt[4]] {
                let disguised = word.replacen(letter, text, 1);
                tally.compare(consequence(&disguised).is_named(), || format!("line {at}: {disguised:?}"));
            }
        }
    }
    tally.close(1_000);
}
