//! The vocabulary files as entries: what to look for and what it means.

use super::Consequence;
use super::inflect::{every_form, plural};

/// What a form means when a text holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// The class, by itself.
    Class(Consequence, &'static str),
    /// A sensitive area, in a path only.
    Area(&'static str),
    /// The first or the second half of a pair, which means the class only with its other half.
    Half {
        /// Number of the pair.
        pair: usize,
        /// Whether it is the second half.
        second: bool,
        /// The class of the pair.
        class: Consequence,
        /// The entry.
        word: &'static str,
    },
}

/// One form, in lower case, its words separated by single spaces.
pub(super) type Form = (String, Meaning);

/// The files by class.
pub(super) const FILES: [(Consequence, &str); 13] = [
    (Consequence::Payment, include_str!("vocabulary/payment.txt")),
    (Consequence::Currency, include_str!("vocabulary/currency.txt")),
    (Consequence::Purchase, include_str!("vocabulary/purchase.txt")),
    (Consequence::Subscription, include_str!("vocabulary/subscription.txt")),
    (Consequence::MoneyMovement, include_str!("vocabulary/money_movement.txt")),
    (Consequence::Authentication, include_str!("vocabulary/authentication.txt")),
    (Consequence::AccountRecovery, include_str!("vocabulary/account_recovery.txt")),
    (Consequence::AccountChange, include_str!("vocabulary/account_change.txt")),
    (Consequence::Permission, include_str!("vocabulary/permission.txt")),
    (Consequence::Legal, include_str!("vocabulary/legal.txt")),
    (Consequence::Message, include_str!("vocabulary/message.txt")),
    (Consequence::Deletion, include_str!("vocabulary/deletion.txt")),
    (Consequence::FileTransfer, include_str!("vocabulary/file_transfer.txt")),
];
/// Sensitive areas of a site.
pub(super) const AREAS: &str = include_str!("vocabulary/areas.txt");
/// The ten routine words.
pub(super) const ROUTINE: &str = include_str!("vocabulary/routine.txt");

/// The entries of a file, without comments and blank lines.
pub(super) fn entries(file: &'static str) -> impl Iterator<Item = &'static str> {
    file.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// Every form of every file with what it means.
pub(super) fn forms() -> Vec<Form> {
    let mut forms = Vec::new();
    let mut pair = 0;
    for (class, file) in FILES {
        for entry in entries(file) {
            if let Some((first, second)) = entry.split_once(" + ") {
                for (half, is_second) in [(first, false), (second, true)] {
                    let meaning = |word| Meaning::Half { pair, second: is_second, class, word };
                    forms.extend(half.split(',').map(str::trim).flat_map(|word| forms_of(word, meaning(word))));
                }
                pair += 1;
            } else {
                forms.extend(forms_of(entry, Meaning::Class(class, head(entry))));
            }
        }
    }
    forms.extend(entries(AREAS).flat_map(|entry| forms_of(entry, Meaning::Area(head(entry)))));
    forms
}

/// The entry itself, without what follows it on its line.
fn head(entry: &str) -> &str {
    entry.split(['=', '(']).next().unwrap_or_default().trim()
}

fn forms_of(entry: &str, meaning: Meaning) -> Vec<Form> {
    let word = head(entry);
    let mut made = match word.split_once(' ') {
        Some((first, rest)) => phrase(first, rest),
        None if entry.ends_with("(exact)") || !word.chars().any(char::is_alphanumeric) => vec![word.to_owned()],
        None if entry.ends_with("(noun)") => vec![word.to_owned(), plural(word)],
        None => every_form(word),
    };
    if let Some((_, irregular)) = entry.split_once('=') {
        made.extend(irregular.split(',').map(|form| form.trim().to_owned()));
    }
    made.into_iter().map(|form| (form, meaning)).collect()
}

/// A phrase is inflected at its first word and its last, and is also written as one word.
fn phrase(first: &str, rest: &str) -> Vec<String> {
    let mut made = vec![format!("{first}{}", rest.replace(' ', ""))];
    for begun in every_form(first) {
        made.push(format!("{begun} {rest}"));
        made.push(format!("{begun} {}", plural(rest)));
    }
    made
}
