//! Questions to the read models. Each names its tenant first, and its principal where a person
//! asks, so that a foreign row and a missing one look the same (API-2).

pub mod approvals;
pub mod grants;
pub mod profiles;
pub mod runs;
pub mod sessions;
pub mod tool_calls;

/// A part of a list: rows before `before` (a position; newest first), at most `limit`.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    /// Only rows whose position is below this.
    pub before: u64,
    /// Rows at most.
    pub limit: u32,
}

impl Page {
    const fn values(self) -> (u64, u32) {
        (self.before, self.limit)
    }
}
