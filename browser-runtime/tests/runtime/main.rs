//! Tests of the runtime's own parts on real Chromium and over its HTTP routes.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on fails at once"
)]

mod bench;
mod fence;
mod http;
mod start;
mod windows;
