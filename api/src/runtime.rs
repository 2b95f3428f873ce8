//! The isolated runtime as the control plane sees it: started and watched, or found elsewhere, and
//! asked over HTTP. It can refuse; it can never allow.

pub mod client;
pub mod supervisor;

pub use client::{Answered, NewLease, ObservedPage, RuntimeClient, RuntimeError};
pub use supervisor::Supervisor;
