//! JSON bodies into the core's types.
#![no_main]

#[path = "../harness/bodies.rs"]
mod harness;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| harness::check(bytes));
