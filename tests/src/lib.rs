//! Shared test support.

pub mod postgres;
