//! The shape of files: a word on top, not too long, nothing unfinished.

use super::none;
use super::tree::{self, File};

/// Lines of a source file. What is longer holds more than one idea.
const FILE_LINES_MAX: usize = 400;
/// Lines of a function, its signature and braces included.
const FUNCTION_LINES_MAX: usize = 60;
/// Files that are still longer. The list may only shrink.
const LONG_FILES: &str = "tests/data/tidy/long_files.txt";
const SOURCES: [&str; 7] = [".rs", ".js", ".css", ".html", ".sql", ".proto", ".py"];

/// Written in two parts, so that this file does not name them itself.
const UNFINISHED: [(&str, &str); 6] =
    [("to", "do!("), ("unimple", "mented!("), ("#[ig", "nore"), ("TO", "DO"), ("FIX", "ME"), ("db", "g!(")];

#[test]
fn every_module_says_what_it_is() {
    let files = tree::files();
    let rust = files.iter().filter(|file| file.ends_in(&[".rs"]));
    let silent = rust.filter(|file| !file.text.starts_with("//!"));
    none(&silent.map(|file| format!("{} does not start with a module doc", file.path)).collect::<Vec<_>>());
}

#[test]
fn files_are_short() {
    let list = tree::read(LONG_FILES);
    let listed: Vec<&str> = list.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    let files = tree::files();
    let long: Vec<&File> = files.iter().filter(|file| file.ends_in(&SOURCES) && file.text.lines().count() > FILE_LINES_MAX).collect();
    let mut complaints: Vec<String> = Vec::new();
    for file in &long {
        if !listed.contains(&file.path.as_str()) {
            complaints.push(format!("{} has {} lines, more than {FILE_LINES_MAX}", file.path, file.text.lines().count()));
        }
    }
    for path in listed {
        if !long.iter().any(|file| file.path == path) {
            complaints.push(format!("{path} is no longer long: strike it from {LONG_FILES}"));
        }
    }
    none(&complaints);
}

/// The name and length of each function, by the layout that rustfmt gives: a function ends at the
/// first closing brace that stands as far in as its signature starts.
fn functions(text: &str) -> Vec<(String, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (start, line) in lines.iter().enumerate() {
        let Some(name) = function_name(line.trim_start()) else { continue };
        let indent = &line[..line.len() - line.trim_start().len()];
        let end = lines[start..].iter().position(|line| line.strip_prefix(indent) == Some("}"));
        let one_line = line.ends_with('}') || line.ends_with(';');
        if let (Some(end), false) = (end, one_line) {
            found.push((name, end + 1));
        }
    }
    found
}

fn function_name(line: &str) -> Option<String> {
    let (before, after) = line.split_once("fn ")?;
    let modifiers = before
        .split_whitespace()
        .all(|word| word.starts_with("pub") || ["async", "const", "in", "extern"].contains(&word) || word.ends_with(')'));
    let name: String = after.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    (modifiers && !name.is_empty()).then_some(name)
}

#[test]
fn functions_are_short() {
    let mut complaints = Vec::new();
    for file in tree::files().iter().filter(|file| file.ends_in(&[".rs"])) {
        for (name, length) in functions(&file.text) {
            if length > FUNCTION_LINES_MAX {
                complaints.push(format!("{}: `{name}` has {length} lines, more than {FUNCTION_LINES_MAX}", file.path));
            }
        }
    }
    none(&complaints);
}

#[test]
fn functions_are_measured_as_they_stand() {
    let text = "fn one() {\n    two();\n}\n\nimpl X {\n    pub(super) async fn three(\n        a: u8,\n    ) -> u8 {\n        if a > 1 {\n        }\n        a\n    }\n    fn four(&self);\n    fn five() {}\n}\n";
    assert_eq!(functions(text), [("one".to_owned(), 3), ("three".to_owned(), 7)]);
}

#[test]
fn nothing_is_left_unfinished() {
    let mut complaints = Vec::new();
    for file in tree::files().iter().filter(|file| file.ends_in(&SOURCES)) {
        for (number, line) in file.text.lines().enumerate() {
            let marks = UNFINISHED.iter().map(|(one, other)| format!("{one}{other}"));
            complaints.extend(marks.filter(|mark| line.contains(mark)).map(|mark| format!("{}:{}: {mark}", file.path, number + 1)));
        }
    }
    none(&complaints);
}

#[test]
fn both_databases_migrate_alike() {
    let names = |database: &str| -> Vec<String> {
        let folder = format!("migrations/{database}/");
        tree::files().iter().filter_map(|file| file.path.strip_prefix(&folder).map(ToOwned::to_owned)).collect()
    };
    let sqlite = names("sqlite");
    assert!(!sqlite.is_empty(), "no migration was found");
    assert_eq!(sqlite, names("postgres"));
    for (at, name) in sqlite.iter().enumerate() {
        assert!(name.starts_with(&format!("{:04}_", at + 1)), "{name} is not the number {}", at + 1);
    }
}

/// Names that nobody can own (RFC 2606, RFC 6761), this machine, and the namespaces of the standards.
fn is_no_site(host: &str) -> bool {
    let reserved = ["example", "test", "invalid", "localhost", "example.com", "example.net", "example.org", "www.w3.org"];
    let number = host.chars().all(|c| c.is_ascii_hexdigit() || matches!(c, '.' | 'x' | ':' | '[' | ']'));
    let placeholder = host.is_empty() || host.contains(['{', '}']) || !host.contains('.');
    number || placeholder || reserved.iter().any(|name| host == *name || host.ends_with(&format!(".{name}")))
}

/// SCP-5: no source outside the tests holds the address of a real site.
#[test]
fn the_code_names_no_site() {
    let mut complaints = Vec::new();
    for file in tree::files().iter().filter(|file| file.path.contains("/src/") && !file.path.starts_with("tests/")) {
        for scheme in ["https://", "http://", "wss://"] {
            for (at, _) in file.text.match_indices(scheme) {
                let rest = &file.text[at + scheme.len()..];
                let host = rest.split(|c: char| !c.is_ascii_alphanumeric() && !"-.{}[]".contains(c)).next().unwrap_or_default();
                if !is_no_site(host.trim_end_matches('.')) {
                    complaints.push(format!("{} names {host}", file.path));
                }
            }
        }
    }
    none(&complaints);
    assert!(is_no_site("www.example.com") && !is_no_site("www.example.com.real.org") && !is_no_site("real.org"));
}
