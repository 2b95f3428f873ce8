//! The owner console: its security rules over HTTP, what it shows, and one walk through it in a real
//! browser.

mod by_hand;
mod chrome;
mod fixture;
mod forms;
mod shown;
mod signing_in;
