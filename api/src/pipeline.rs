//! The worker pipeline: policy, then the owner's authority, then dispatch, then the outcome. Data
//! flows one way; no step calls the one before it.

pub mod authorizer;
pub mod call;
pub mod dispatch;
pub mod observed;
pub mod policy;
pub mod recovery;
pub mod session_worker;
pub mod sessions;
