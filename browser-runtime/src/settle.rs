//! Waiting until a page has come to rest after input, for a bounded time, and telling if it did not.

use crate::fence::Fence;
use std::time::Duration;
use tokio::time::Instant;

/// The page must have been quiet for this long. Two frames: a handler's own next step (a timer of
/// zero, a frame callback) has begun by then.
const QUIET: Duration = Duration::from_millis(32);
/// A request older than this is how a page listens, not what it waits for.
const PATIENCE_MS: u64 = 1_000;

/// How the wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settled {
    /// Nothing loads any more.
    Quiet,
    /// The limit came first; the page is still busy.
    RanOut,
    /// The page asks something in a dialog.
    DialogOpen,
    /// The browser is gone.
    Lost,
}

/// Waits until no frame loads and no request that began at `since` or later is under way.
pub async fn settle(fence: &Fence, since: Instant, limit: Duration) -> Settled {
    let mut activity = fence.activity();
    let deadline = Instant::now() + limit;
    loop {
        let (dialog, quiet) = {
            let now = activity.borrow_and_update();
            (now.dialog_is_open(), now.is_quiet(since, PATIENCE_MS))
        };
        if dialog {
            return Settled::DialogOpen;
        }
        if Instant::now() >= deadline {
            return Settled::RanOut;
        }
        // While busy, what ends the wait is a change, or a request growing old.
        let pause = if quiet { QUIET } else { Duration::from_millis(PATIENCE_MS) };
        let wake = deadline.min(Instant::now() + pause);
        match tokio::time::timeout_at(wake, activity.changed()).await {
            Ok(Ok(())) => {}
            Ok(Err(_)) => return Settled::Lost,
            Err(_) if quiet && wake < deadline => return Settled::Quiet,
            Err(_) => {}
        }
    }
}
