//! The `hallpass` binary.
fn main() {}
