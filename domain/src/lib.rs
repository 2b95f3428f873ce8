//! The pure core of Hallpass: what is asked, what it would do, who allowed it, and what follows.
//!
//! Nothing here reads a clock, a socket, a file or a database. Facts come in as values and decisions
//! go out as values, so every rule can be tested by a table and replayed from the log.

pub mod browser;
pub mod classify;
pub mod coverage;
pub mod decide;
pub mod event;
pub mod id;
pub mod limits;
pub mod permit;
pub mod scope;
pub mod time;
pub mod view;
