//! The table format: prose in `#` lines on top, then cases of `given`, `when` and `then` lines.
//! A line that starts with white space continues the section above it.

use std::path::{Path, PathBuf};

/// One case with the place it was read from.
pub(crate) struct Case {
    pub(crate) file: PathBuf,
    pub(crate) line: usize,
    pub(crate) name: String,
    pub(crate) given: Vec<String>,
    pub(crate) when: Vec<String>,
    pub(crate) then: Vec<String>,
}

/// Where the tables are.
pub(crate) fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data").join(name)
}

/// Runs every case of a folder through `run`, which says what differs, and fails with all of it.
pub(crate) fn check(name: &str, run: impl Fn(&Case) -> Result<(), String>) {
    let wanted = std::env::var("HALLPASS_CASE").ok();
    let cases = read_folder(&folder(name));
    assert!(!cases.is_empty(), "no cases under {name}");
    let mut failures = Vec::new();
    for case in &cases {
        if wanted.as_ref().is_some_and(|wanted| !case.name.contains(wanted.as_str())) {
            continue;
        }
        if let Err(difference) = run(case) {
            failures.push(format!("{}:{}: {}\n{difference}", case.file.display(), case.line, case.name));
        }
    }
    assert!(failures.is_empty(), "{} of {} cases differ\n\n{}\n", failures.len(), cases.len(), failures.join("\n\n"));
}

/// Reads every table of a folder, in the order of the file names.
pub(crate) fn read_folder(folder: &Path) -> Vec<Case> {
    let listing = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = listing.map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "txt"));
    files.sort();
    files.iter().flat_map(|file| read_file(file)).collect()
}

fn read_file(file: &Path) -> Vec<Case> {
    let text = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    parse(file, &text).unwrap_or_else(|(line, why)| panic!("{}:{line}: {why}", file.display()))
}

/// Parses a table; an error names the line.
pub(crate) fn parse(file: &Path, text: &str) -> Result<Vec<Case>, (usize, String)> {
    if !text.starts_with("# ") {
        return Err((1, "a table starts with prose that says why it exists".to_owned()));
    }
    let mut cases: Vec<Case> = Vec::new();
    let mut section = "";
    for (index, raw) in text.lines().enumerate() {
        let line = index + 1;
        if raw.trim().is_empty() || raw.starts_with('#') {
            continue;
        }
        if let Some(name) = raw.strip_prefix("case:") {
            let name = name.trim().to_owned();
            if cases.iter().any(|case| case.name == name) {
                return Err((line, format!("the case `{name}` stands twice")));
            }
            section = "";
            cases.push(Case { file: file.to_owned(), line, name, given: Vec::new(), when: Vec::new(), then: Vec::new() });
            continue;
        }
        let words = if raw.starts_with(char::is_whitespace) {
            raw.trim()
        } else {
            let (head, rest) = raw.split_once(' ').unwrap_or((raw, ""));
            section = head;
            rest.trim()
        };
        let Some(case) = cases.last_mut() else { return Err((line, "a line before the first case".to_owned())) };
        match section {
            "given" if case.when.is_empty() && case.then.is_empty() => case.given.push(words.to_owned()),
            "when" if case.then.is_empty() => case.when.push(words.to_owned()),
            "then" => case.then.push(words.to_owned()),
            _ => return Err((line, format!("`{section}` does not belong here"))),
        }
    }
    match cases.iter().find(|case| case.when.is_empty() || case.then.is_empty()) {
        Some(case) => Err((case.line, "a case needs `when` and `then`".to_owned())),
        None => Ok(cases),
    }
}

/// The runner is a test subject too: what it cannot read, it refuses with the line.
#[test]
fn a_table_that_is_not_one_is_refused_with_its_line() {
    let line_of = |text: &str| parse(Path::new("t"), text).err().map(|(line, _)| line);
    assert_eq!(line_of("case: no prose\nwhen x\nthen y\n"), Some(1));
    assert_eq!(line_of("# prose\n\ncase: a\nwhen x\n"), Some(3));
    assert_eq!(line_of("# prose\ncase: a\nthen y\nwhen x\n"), Some(4));
    assert_eq!(line_of("# prose\ncase: a\nwhen x\nthen y\ncase: a\nwhen x\nthen y\n"), Some(5));
    assert_eq!(line_of("# prose\nwhen x\n"), Some(2));
    assert_eq!(line_of("# prose\ncase: a\nwhen x\nthen y\n"), None);
}
