//! The house rules that a compiler does not hold: which crate may know which, the shape of files,
//! and papers that name only what is there.
#![allow(clippy::panic, clippy::indexing_slicing, clippy::string_slice, reason = "a test fails by panicking")]

mod arrows;
mod papers;
mod shape;
mod tree;

/// Fails with every complaint, one a line, so that one run tells all.
fn none(complaints: &[String]) {
    assert!(complaints.is_empty(), "{} complaints:\n{}", complaints.len(), complaints.join("\n"));
}
