//! The built programs, beside the test that runs: `make test` builds them first.

#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use std::path::PathBuf;

/// The path of a built binary.
///
/// # Panics
/// When it is not built.
#[must_use]
pub fn binary(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("a test knows where it is");
    let folder = test.parent().and_then(|deps| deps.parent()).expect("a test lies in target/PROFILE/deps");
    let path = folder.join(name);
    assert!(
        path.is_file(),
        "{} is missing; run `make test`, or `cargo build -p hallpass-api -p hallpass-browser-runtime` first",
        path.display()
    );
    path
}
