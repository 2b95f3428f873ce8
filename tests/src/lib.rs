//! Shared test support.

pub mod deployment;
pub mod lute;
pub mod postgres;
pub mod scripted_runtime;
