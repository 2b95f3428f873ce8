//! UAX #9: the order in which a text is displayed, by `BidiCharacterTest.txt` and `BidiTest.txt`.

use super::super::order::displayed;
use super::{Tally, characters, consequence, data_lines, file};
use unicode_bidi::{BidiClass, bidi_class};

/// A character of each class that `BidiTest.txt` names.
const SAMPLES: [(&str, char); 23] = [
    ("L", 'a'),
    ("R", '\u{5d0}'),
    ("AL", '\u{627}'),
    ("EN", '1'),
    ("ES", '-'),
    ("ET", '$'),
    ("AN", '\u{660}'),
    ("CS", ','),
    ("NSM", '\u{300}'),
    ("BN", '\u{ad}'),
    ("B", '\u{2029}'),
    ("S", '\t'),
    ("WS", ' '),
    ("ON", '!'),
    ("LRE", '\u{202a}'),
    ("RLE", '\u{202b}'),
    ("PDF", '\u{202c}'),
    ("LRO", '\u{202d}'),
    ("RLO", '\u{202e}'),
    ("LRI", '\u{2066}'),
    ("RLI", '\u{2067}'),
    ("FSI", '\u{2068}'),
    ("PDI", '\u{2069}'),
];
/// A word that names a consequence, of a length with many divisors.
const ACTING: &str = "delete";

/// Characters that rule X9 removes have no place in the expected order.
fn is_removed(c: char) -> bool {
    use BidiClass::{BN, LRE, LRO, PDF, RLE, RLO};
    matches!(bidi_class(c), LRE | RLE | LRO | RLO | PDF | BN)
}

fn without_removed(text: &str) -> String {
    text.chars().filter(|c| !is_removed(*c)).collect()
}

fn in_places(text: &[char], places: &str) -> String {
    places.split_whitespace().map(|place| text[place.parse::<usize>().expect("a place")]).collect()
}

/// Whether the classifier reads the expected order. A text without any character that reorders is
/// read as written only: in a right-to-left surrounding brackets, tabs and first digits may change the
/// order of its words, and each word stays whole.
fn is_read(text: &str, orders: &[String], expected: &str) -> bool {
    let visible = without_removed(text);
    let read = visible == expected || orders.iter().any(|order| without_removed(order) == expected);
    read || (orders.is_empty() && words(&visible) == words(expected))
}

/// The runs of letters, sorted.
fn words(text: &str) -> Vec<&str> {
    let runs = text.split(|c| bidi_class(c) != BidiClass::L).filter(|run| !run.is_empty());
    let mut words: Vec<&str> = runs.collect();
    words.sort_unstable();
    words
}

/// One line of `BidiTest.txt`, with what the lines above it say of it.
struct ClassCase<'a> {
    at: usize,
    text: Vec<char>,
    levels: &'a str,
    places: &'a str,
}

fn class_cases(text: &str) -> impl Iterator<Item = ClassCase<'_>> {
    let (mut levels, mut places) = ("", "");
    data_lines(text).filter_map(move |(at, line)| {
        levels = line.strip_prefix("@Levels:").unwrap_or(levels);
        places = line.strip_prefix("@Reorder:").unwrap_or(places);
        let (classes, _) = line.split_once(';')?;
        let sample = |class| SAMPLES.iter().find(|(name, _)| *name == class).expect("a class").1;
        Some(ClassCase { at, text: classes.split_whitespace().map(sample).collect(), levels, places })
    })
}

/// CLS-6: what is displayed is among what is read, for each text of the standard's test.
#[test]
fn texts_are_read_as_displayed() {
    let mut tally = Tally::default();
    for (at, line) in data_lines(&file("BidiCharacterTest.txt")) {
        let fields: Vec<&str> = line.split(';').collect();
        let text = characters(fields[0]);
        let expected = in_places(&text.chars().collect::<Vec<_>>(), fields[4]);
        let orders = displayed(&text);
        tally.compare(is_read(&text, &orders, &expected), || format!("line {at}: {text:?} {orders:?} {expected:?}"));
    }
    tally.close(91_000);
}

/// CLS-6: as above, for each sequence of classes up to the length that the standard tests.
#[test]
fn classes_are_read_as_displayed() {
    let mut tally = Tally::default();
    for case in class_cases(&file("BidiTest.txt")) {
        let expected = in_places(&case.text, case.places);
        let text: String = case.text.into_iter().collect();
        let orders = displayed(&text);
        tally.compare(is_read(&text, &orders, &expected), || format!("line {}: {text:?} {orders:?} {expected:?}", case.at));
    }
    tally.close(490_000);
}

/// A label that is displayed as [`ACTING`] where the expected order shows the letters side by side:
/// each letter becomes an equal part of the word, written backwards where its level is odd. Letters
/// have one class, so a part has the level and the place of the letter that it replaces.
fn spelling(text: &[char], levels: &[&str], places: &[usize]) -> Option<String> {
    let is_letter = |place: &usize| bidi_class(text[*place]) == BidiClass::L;
    let letters: Vec<usize> = places.iter().copied().filter(is_letter).collect();
    if letters.is_empty() || !ACTING.len().is_multiple_of(letters.len()) {
        return None;
    }
    let together = places.windows(letters.len()).any(|side_by_side| side_by_side == letters);
    let alone = text.iter().all(|c| bidi_class(*c) == BidiClass::L || !c.is_alphanumeric());
    let part = ACTING.len() / letters.len();
    let spell = |(at, c): (usize, &char)| -> String {
        let Some(number) = letters.iter().position(|letter| *letter == at) else { return c.to_string() };
        let letters = &ACTING[number * part..][..part];
        let odd = levels[at].parse::<u8>().expect("a level") % 2 == 1;
        if odd { letters.chars().rev().collect() } else { letters.to_owned() }
    };
    (together && alone).then(|| text.iter().enumerate().map(spell).collect())
}

/// CLS-6: letters that are displayed as an acting word name its consequence, whatever their order in
/// the text.
#[test]
fn displayed_words_are_named() {
    let mut tally = Tally::default();
    let mut reordered = 0;
    for case in class_cases(&file("BidiTest.txt")) {
        let levels: Vec<&str> = case.levels.split_whitespace().collect();
        let places: Vec<usize> = case.places.split_whitespace().map(|place| place.parse().expect("a place")).collect();
        let Some(label) = spelling(&case.text, &levels, &places) else { continue };
        reordered += usize::from(!without_removed(&label).contains(ACTING));
        tally.compare(consequence(&label).is_named(), || format!("line {}: {label:?}", case.at));
    }
    assert!(reordered > 1_000, "only {reordered} texts were reordered");
    tally.close(2_000);
}
