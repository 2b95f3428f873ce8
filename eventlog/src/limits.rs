//! The bounds of the log, each with its unit and the reason for it.

/// Bytes of one event's payload. Far above the largest real event (a message at the HTTP body
/// limit), far below what one row of either database can hold.
pub const PAYLOAD_BYTES_MAX: usize = 4 * 1024 * 1024;
/// Runs of one unit of work that keeps losing to other transactions.
pub const PERFORM_ATTEMPTS_MAX: u32 = 5;
/// Milliseconds before the second run; doubled before each further one.
pub const PERFORM_PAUSE_MILLIS: u64 = 10;
/// Attempts to learn what became of a commit whose connection broke. Each may wait as long as a
/// writer waits for others, and somebody waits for the answer.
pub const COMMIT_LOOKUPS_MAX: u32 = 3;
/// Milliseconds before the second such attempt; doubled before each further one.
pub const COMMIT_LOOKUP_PAUSE_MILLIS: u64 = 100;
/// Seconds by which a clock may be behind the newest event: machines that share a log differ by less.
pub const CLOCK_BEHIND_SECS_MAX: i64 = 10;
/// Events that a follower reads at a time.
pub const FOLLOW_BATCH_MAX: u32 = 256;
/// Events of one page of [`crate::Log::read`]; a larger limit is cut to it.
pub const READ_PAGE_MAX: u32 = 4_096;
/// Bytes that SQLite keeps of a journal that grew for once.
pub const SQLITE_JOURNAL_BYTES_MAX: u64 = 64 * 1024 * 1024;
