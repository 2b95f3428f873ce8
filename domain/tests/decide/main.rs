//! Tests of the deciders: tables of given, when and then under `tests/data/decide`, the card's
//! table under `tests/data/view`, and random histories against an independent model.
//!
//! `HALLPASS_CASE="part of a case's name"` runs only the cases whose name holds it.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "the whole crate is tests; a table that cannot be read or a state that cannot be is a failed test"
)]

mod cards;
mod commands;
mod histories;
mod impossible;
mod log;
mod machine;
mod model;
mod permits;
mod shown;
mod table;
mod tables;
mod vocabulary;
mod words;
mod written;
