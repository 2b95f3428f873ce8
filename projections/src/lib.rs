//! Read models. The ones that carry authority change in the same transaction as their events, so
//! a counter and the event that moved it can never part (design decision 5); all can be rebuilt
//! from the log alone.

mod apply;
mod json;
mod read;
mod rebuild;

pub use apply::ReadModels;
pub use read::Page;
pub use read::approvals::{self, ApprovalRow};
pub use read::grants::{self, GrantRow};
pub use read::profiles::{self, ProfileRow};
pub use read::runs::{self, RunRow};
pub use read::sessions::{self, SessionRow};
pub use read::tool_calls::{self, ToolCallRow};
pub use rebuild::{digest, rebuild};
