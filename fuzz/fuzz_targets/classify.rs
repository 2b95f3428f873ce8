//! Labels, acts and targets through the classifier and the coverage rules.
#![no_main]

#[path = "../harness/classify.rs"]
mod harness;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| harness::check(bytes));
