//! The files of this project, as text.

use std::path::{Path, PathBuf};

/// Folders that hold what this project's people write.
const FOLDERS: [&str; 11] =
    [".ci", "api", "browser-runtime", "docs", "domain", "eventlog", "migrations", "projections", "scripts", "tests", "Cargo.toml"];
/// Folders inside those that they do not.
const FOREIGN: [&str; 4] = ["target", "node_modules", ".venv", "peers"];

/// One file.
pub(super) struct File {
    /// Relative to the root, with `/`.
    pub(super) path: String,
    /// Its content.
    pub(super) text: String,
}

impl File {
    /// Whether the name ends in one of these.
    pub(super) fn ends_in(&self, endings: &[&str]) -> bool {
        endings.iter().any(|ending| self.path.ends_with(ending))
    }
}

/// The root of the workspace.
pub(super) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Reads a file that must be there.
pub(super) fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Every file that is text, in order of path.
pub(super) fn files() -> Vec<File> {
    let mut found = Vec::new();
    for folder in FOLDERS {
        collect(&root().join(folder), folder, &mut found);
    }
    found.sort_by(|one, other| one.path.cmp(&other.path));
    found
}

fn collect(place: &Path, path: &str, found: &mut Vec<File>) {
    if let Ok(entries) = std::fs::read_dir(place) {
        for entry in entries.filter_map(Result::ok) {
            let name = entry.file_name().to_string_lossy().into_owned();
            if !FOREIGN.contains(&name.as_str()) {
                collect(&entry.path(), &format!("{path}/{name}"), found);
            }
        }
    } else if let Ok(text) = std::fs::read_to_string(place) {
        found.push(File { path: path.to_owned(), text });
    }
}
