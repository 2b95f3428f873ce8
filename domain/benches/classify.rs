//! What one verdict costs, beside one plain pass of an Aho-Corasick automaton over the same bytes
//! with the same forms, in the same run: a machine's speed and its other work touch both alike.

#![allow(clippy::print_stdout, clippy::expect_used, reason = "a bench prints its row, and fails by panicking")]

use aho_corasick::AhoCorasick;
use domain::browser::{Action, ElementFacts};
use domain::classify::{classify, forms};
use std::hint::black_box;
use std::time::{Duration, Instant};

const WORDS: &str = include_str!("words.txt");
/// Characters of a typical label, shortest and longest.
const LABEL_CHARACTERS: std::ops::RangeInclusive<usize> = 5..=60;
/// Characters of the longest text that the runtime reads from one label source.
const LONG_CHARACTERS: usize = 1_024;
/// Passes over the labels. The fastest counts: everything slower was the machine's other work.
const PASSES: usize = 15;
/// Verdicts on long texts of which the percentiles are told.
const LONG_VERDICTS: usize = 2_000;

/// What is written in a long text over and over, by what it asks of the readings.
const LONG_TEXTS: [(&str, &str); 8] = [
    ("prose", "Choose the answer you heard, then read the short story again in your own words. "),
    ("spaced", "d e l e t e "),
    ("cyrillic", "\u{440}\u{430}\u{443}\u{43c}\u{435}\u{43d}\u{442} \u{434}\u{435}\u{43b} "),
    ("sigmas", "\u{3a3}\u{39e}\u{3a3}\u{3a9}\u{3a3}"),
    ("digits", "1l0O5s"),
    ("bars", "|!1|"),
    ("turned", "\u{1dd}\u{287}\u{1dd}l\u{1dd}p "),
    ("overrides", "\u{202e}yaP\u{202c} \u{5d0}\u{200b}-"),
];

fn main() {
    let begun = Instant::now();
    black_box(verdict(&element("Continue")));
    let first = begun.elapsed();
    let labels = labels();
    let elements: Vec<ElementFacts> = labels.iter().map(|label| element(label)).collect();
    let plain = AhoCorasick::builder().build(forms()).expect("an automaton over the forms");
    let (mut ours, mut pass) = (Duration::MAX, Duration::MAX);
    for _ in 0..PASSES {
        ours = ours.min(timed(|| elements.iter().filter(|element| verdict(element)).count()));
        pass = pass.min(timed(|| labels.iter().map(|label| plain.find_overlapping_iter(label).count()).sum()));
    }
    let count = labels.len();
    let per_second = |time: Duration| u128::try_from(count).unwrap_or_default() * 1_000_000_000 / time.as_nanos().max(1);
    let tenths = ours.as_nanos() * 10 / pass.as_nanos().max(1);
    println!(
        "classify: {count} labels, {} labels/s on one core; {}.{} times a plain pass ({} labels/s)",
        per_second(ours),
        tenths / 10,
        tenths % 10,
        per_second(pass)
    );
    println!("classify: first verdict {} ms; {} forms", first.as_millis(), forms().len());
    for (name, unit) in LONG_TEXTS {
        let text: String = unit.chars().cycle().take(LONG_CHARACTERS).collect();
        let (p50, p99) = percentiles(&element(&text));
        println!("classify: {LONG_CHARACTERS} characters, {name}: p50 {} µs, p99 {} µs", p50.as_micros(), p99.as_micros());
    }
}

fn element(name: &str) -> ElementFacts {
    ElementFacts { name: name.to_owned(), ..ElementFacts::default() }
}

fn verdict(element: &ElementFacts) -> bool {
    classify(&Action::Click {}, element).consequence.is_named()
}

fn timed(work: impl FnOnce() -> usize) -> Duration {
    let begun = Instant::now();
    black_box(work());
    begun.elapsed()
}

fn percentiles(element: &ElementFacts) -> (Duration, Duration) {
    let mut times: Vec<Duration> = (0..LONG_VERDICTS).map(|_| timed(|| usize::from(verdict(element)))).collect();
    times.sort_unstable();
    let at = |percent: usize| times.get(LONG_VERDICTS * percent / 100).copied().unwrap_or_default();
    (at(50), at(99))
}

/// Every beginning with every thing, ends by turns.
fn labels() -> Vec<String> {
    let section = |name: &str| -> Vec<&str> {
        let from = WORDS.split_once(&format!("[{name}]\n")).map_or("", |(_, from)| from);
        let until = from.find("\n[").unwrap_or(from.len());
        from.get(..until).unwrap_or_default().lines().collect()
    };
    let (things, ends) = (section("things"), section("ends"));
    let pairs = section("beginnings").into_iter().flat_map(|begun| things.iter().map(move |thing| (begun, thing)));
    let pairs = pairs.filter(|(begun, thing)| !begun.is_empty() && !thing.is_empty());
    let labels = pairs.zip(ends.iter().cycle()).map(|((begun, thing), end)| format!("{begun} {thing}{end}"));
    labels.filter(|label| LABEL_CHARACTERS.contains(&label.chars().count())).collect()
}
