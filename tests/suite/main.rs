//! The one integration test binary.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test fails by panicking"
)]

mod console;
mod demo;
mod eventlog;
mod http;
mod lute;
mod pipeline;
mod rebuild;
mod serve;
mod tidy;
