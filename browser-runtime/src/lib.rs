//! The isolated browser runtime: it drives real Chromium for one lease at a time and can only refuse.
//!
//! It knows no database and no owner. The control plane tells it what was approved or granted; it
//! reads the live page in a world that the page cannot reach, runs the same classifier and coverage
//! rules again, and keeps a fence around every load while it acts.

pub mod act;
pub mod config;
pub mod devtools;
pub mod driver;
pub mod facts;
pub mod fence;
pub mod http;
pub mod input;
pub mod lease;
pub mod observation;
pub mod page;
pub mod problem;
pub mod selftest;
pub mod serve;
pub mod settle;
