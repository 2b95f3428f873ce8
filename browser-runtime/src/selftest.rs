//! The start-up self-test.

pub mod site;
