//! Typed text.
#![no_main]

#[path = "../harness/typed.rs"]
mod harness;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| harness::check(bytes));
