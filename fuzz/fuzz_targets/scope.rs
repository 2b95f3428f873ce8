//! Scope entries and URLs.
#![no_main]

#[path = "../harness/scope.rs"]
mod harness;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| harness::check(bytes));
