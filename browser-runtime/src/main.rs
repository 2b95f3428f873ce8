//! The `hallpass-runtime` binary.
fn main() {}
