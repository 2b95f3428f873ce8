//! Shared test support.

pub mod binaries;
pub mod deployment;
pub mod lute;
pub mod postgres;
pub mod scripted_runtime;
pub mod served;
