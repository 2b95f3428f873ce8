//! Forms of the vocabulary in the letters of other scripts.

use domain::browser::{Action, ElementFacts};
use domain::classify::{Consequence, classify, forms};
use std::collections::{BTreeMap, BTreeSet};

const SCRIPTS: &str = include_str!("../data/readings/scripts.txt");
/// Of all forms every so-manyth is tried; another remainder of the division for each script.
const EVERY: usize = 12;

fn scripts() -> BTreeMap<&'static str, BTreeMap<char, char>> {
    let mut scripts: BTreeMap<&str, BTreeMap<char, char>> = BTreeMap::new();
    let mut name = "";
    for line in SCRIPTS.lines().filter(|line| !line.starts_with('#')) {
        if let Some(section) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            name = section;
        } else {
            let mut letters = line.chars().filter(|c| *c != ' ');
            scripts.entry(name).or_default().insert(letters.next().expect("a letter"), letters.next().expect("what stands for it"));
        }
    }
    scripts
}

fn named(text: &str) -> BTreeSet<Consequence> {
    let element = ElementFacts { name: text.to_owned(), ..ElementFacts::default() };
    classify(&Action::Click {}, &element).matches.iter().map(|found| found.class).collect()
}

/// The text with every letter disguised that can be, and with each one alone.
fn disguises(form: &str, script: &BTreeMap<char, char>) -> BTreeSet<String> {
    let letters: Vec<char> = form.chars().collect();
    let mut disguises = BTreeSet::from([form.chars().map(|c| *script.get(&c).unwrap_or(&c)).collect::<String>()]);
    for (at, c) in letters.iter().enumerate() {
        if let Some(other) = script.get(c) {
            let mut one = letters.clone();
            one[at] = *other;
            disguises.insert(one.into_iter().collect());
        }
    }
    disguises.remove(form);
    disguises
}

/// CLS-6: a form of the vocabulary names what it names in the letters of every script too.
#[test]
fn forms_are_read_in_every_script() {
    let scripts = scripts();
    assert_eq!(scripts.len(), 12);
    let forms = forms();
    let (mut tried, mut missed) = (0, Vec::new());
    for (number, (script, letters)) in scripts.iter().enumerate() {
        for form in forms.iter().skip(number).step_by(EVERY).filter(|form| form.chars().all(|c| c.is_ascii_lowercase() || c == ' ')) {
            let plain = named(form);
            for disguised in disguises(form, letters) {
                tried += 1;
                let read = named(&disguised);
                if !plain.is_subset(&read) {
                    missed.push(format!("{script}: {form} as {disguised}: {plain:?} became {read:?}"));
                }
            }
        }
    }
    assert!(tried > 10_000, "only {tried} tried");
    assert!(missed.is_empty(), "{} of {tried} missed:\n{}", missed.len(), missed.iter().take(40).cloned().collect::<Vec<_>>().join("\n"));
}
