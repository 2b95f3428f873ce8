//! What happens inside the page, on real Chromium: facts, guards and acts.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that cannot go on fails at once")]

mod cases;
mod facts;
mod guard;
mod lab;
mod plain;
mod site;
