//! Which crate may know which, read from the manifests.

use super::{none, tree};

/// Each crate of the workspace, with the crates of the workspace that it may name.
const INSIDE: [(&str, &[&str]); 5] = [
    ("domain", &[]),
    ("eventlog", &["domain"]),
    ("projections", &["domain", "eventlog"]),
    ("api", &["domain", "eventlog", "projections"]),
    ("browser-runtime", &["domain"]),
];
/// The outside crates of the pure core: tables of Unicode, URLs, a digest, a matcher, shapes. None
/// does input or output, reads a clock or draws a random number.
const DOMAIN_MAY: [&str; 7] = ["rustc-hash", "serde", "sha2", "unicode-bidi", "unicode-normalization", "url", "uuid"];
/// Crates by which a program could reach a database.
const DATABASES: [&str; 7] = ["sqlx", "rusqlite", "libsqlite3-sys", "tokio-postgres", "postgres", "diesel", "sea-orm"];

/// The names in the dependency sections of a manifest: for building, running, or (with `tests`) testing.
fn dependencies(manifest: &str, tests: bool) -> Vec<String> {
    let mut names = Vec::new();
    let mut counts = false;
    for line in manifest.lines().map(str::trim) {
        if let Some(section) = line.strip_prefix('[') {
            let section = section.trim_end_matches(']');
            counts = section.ends_with("dependencies") && (tests || !section.ends_with("dev-dependencies"));
            // `[dependencies.name]` is one dependency with a section of its own.
            if let Some((kind, name)) = section.rsplit_once("dependencies.")
                && (tests || !kind.ends_with("dev-"))
            {
                names.push(name.to_owned());
            }
        } else if counts && !line.is_empty() && !line.starts_with('#') {
            let name = line.split(['.', '=', ' ']).next().unwrap_or_default();
            names.push(name.trim_matches('"').to_owned());
        }
    }
    names
}

#[test]
fn crates_point_inwards_only() {
    let mut complaints = Vec::new();
    for (name, may) in INSIDE {
        for dependency in dependencies(&tree::read(&format!("{name}/Cargo.toml")), false) {
            let inside = INSIDE.iter().any(|(other, _)| *other == dependency);
            if inside && !may.contains(&dependency.as_str()) {
                complaints.push(format!("{name} must not know {dependency}"));
            }
        }
    }
    none(&complaints);
}

#[test]
fn the_core_takes_few_crates_from_outside() {
    let names = dependencies(&tree::read("domain/Cargo.toml"), false);
    assert!(!names.is_empty(), "no dependency was read");
    let strange = names.iter().filter(|name| !DOMAIN_MAY.contains(&name.as_str()));
    none(&strange.map(|name| format!("domain takes {name}; add it to the list with a decision record, or do without")).collect::<Vec<_>>());
}

/// RUN-1: the runtime has no database, not even in its tests.
#[test]
fn the_runtime_reaches_no_database() {
    let names = dependencies(&tree::read("browser-runtime/Cargo.toml"), true);
    let forbidden = |name: &&String| DATABASES.contains(&name.as_str()) || ["eventlog", "projections", "api"].contains(&name.as_str());
    none(&names.iter().filter(forbidden).map(|name| format!("browser-runtime names {name}")).collect::<Vec<_>>());
}

#[test]
fn manifests_are_read_as_cargo_reads_them() {
    let manifest = "[package]\nname = \"x\"\n[dependencies]\n# why\na.workspace = true\nb = { version = \"1\" }\n\"c\" = \"1\"\n[dependencies.d]\nversion = \"1\"\n[dev-dependencies]\ne = \"1\"\n[target.'cfg(unix)'.dependencies]\nf = \"1\"\n[[test]]\nname = \"t\"\n";
    assert_eq!(dependencies(manifest, false), ["a", "b", "c", "d", "f"]);
    assert_eq!(dependencies(manifest, true), ["a", "b", "c", "d", "e", "f"]);
}
