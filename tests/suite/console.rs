//! The owner console: its security rules over HTTP, what it shows, and one walk through it in a real
//! browser.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod by_hand;
mod chrome;
mod fixture;
mod forms;
mod shown;
mod signing_in;
