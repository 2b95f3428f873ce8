//! The Unicode standard's own test data against what the classifier reads (requirement CLS-6).
//!
//! The files come with Debian's package `unicode-data`. Elsewhere, `UNICODE_DATA` names a folder with
//! the files of the Unicode Character Database, version 15 or newer.
#![allow(clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice, reason = "a test fails by panicking")]

mod letters;
mod order;

use super::{Consequence, classify};
use crate::browser::{Action, ElementFacts};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Differences that a failing test prints; the rest is only counted.
const SHOWN_MAX: usize = 20;

fn folder() -> PathBuf {
    std::env::var_os("UNICODE_DATA").map_or_else(|| PathBuf::from("/usr/share/unicode"), PathBuf::from)
}

/// The text of a file of the database, as Debian packs it. Without it there is nothing to test, so
/// that is a failure.
fn file(name: &str) -> String {
    let plain = folder().join(name);
    let packed = folder().join(format!("{name}.bz2"));
    if plain.exists() || !packed.exists() {
        let missing = |error| panic!("{}: {error}; `scripts/setup test` installs Debian's unicode-data", plain.display());
        return std::fs::read_to_string(&plain).unwrap_or_else(missing);
    }
    unpacked(&packed)
}

fn unpacked(packed: &Path) -> String {
    let output = Command::new("bzip2").arg("-dc").arg(packed).output();
    let output = output.unwrap_or_else(|error| panic!("bzip2: {error}; `scripts/setup test` installs it"));
    assert!(output.status.success(), "bzip2 cannot read {}", packed.display());
    String::from_utf8(output.stdout).expect("text")
}

/// Data lines with their numbers, without comments.
fn data_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let numbered = text.lines().enumerate().map(|(at, line)| (at + 1, line.split('#').next().unwrap_or_default().trim()));
    numbered.filter(|(_, line)| !line.is_empty())
}

/// `0061 0062` is `ab`.
fn characters(numbers: &str) -> String {
    let character = |hex| u32::from_str_radix(hex, 16).ok().and_then(char::from_u32).expect("a character number");
    numbers.split_whitespace().map(character).collect()
}

fn consequence(text: &str) -> Consequence {
    classify(&Action::Click {}, &ElementFacts { name: text.to_owned(), ..ElementFacts::default() }).consequence
}

/// Differences found, and how much was compared.
#[derive(Default)]
struct Tally {
    compared: usize,
    different: Vec<String>,
}

impl Tally {
    fn compare(&mut self, same: bool, difference: impl FnOnce() -> String) {
        self.compared += 1;
        if !same {
            self.different.push(difference());
        }
    }

    /// Fails on any difference, and when less was compared than the data is known to hold.
    fn close(self, at_least: usize) {
        let shown: Vec<&str> = self.different.iter().take(SHOWN_MAX).map(String::as_str).collect();
        assert!(shown.is_empty(), "{} of {} differ\n{}", self.different.len(), self.compared, shown.join("\n"));
        assert!(self.compared >= at_least, "only {} compared, expected {at_least}", self.compared);
        println!("{} compared", self.compared);
    }
}
