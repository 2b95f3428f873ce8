//! The tables of the classifier, the coverage rules and the scopes, and the laws that no table can
//! list. Rows are edited by people only; a failure names file, line and both verdicts.

#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod classify;
mod coverage;
mod coverage_laws;
mod disguise;
mod laws;
mod rows;
mod scope;
mod scope_laws;
mod typed;
