//! The HTTP API: who may do what, what is refused and how, and repeated commands.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test fails by panicking"
)]

mod bodies;
mod gate;
mod matrix;
mod queue;
mod repeats;
mod rights;
mod storage;
mod strangers;
