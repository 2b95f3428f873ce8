//! The one integration test binary.

mod eventlog;
