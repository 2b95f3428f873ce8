//! Every bound of the product in one place, each with its unit and the reason for it.

/// Life of a task grant in seconds, from the resolution that created it (ADR-0129, decision 4).
pub const GRANT_SECS: i64 = 30 * 60;
/// Actions that one task grant may authorize (ADR-0129, decision 4).
pub const GRANT_ACTIONS_MAX: u32 = 200;
/// Unicode scalar values that one task grant may type in total (ADR-0129, decision 4).
pub const GRANT_CHARACTERS_MAX: u32 = 4_096;
/// Unicode scalar values in one granted `type` action (ADR-0129, decision 6).
pub const TYPED_TEXT_CHARACTERS_MAX: u32 = 256;
/// A label source longer than this many scalar values is not carried whole in the facts, so no
/// grant covers its element (ADR-0129, decision 6).
pub const LABEL_CHARACTERS_MAX: usize = 256;
/// Scalar values of one label source that the runtime reads on the live page (ADR-0129, decision 7).
pub const LIVE_LABEL_CHARACTERS_MAX: usize = 1_024;
/// Options in a select; more is refused (requirement CLS-4).
pub const SELECT_OPTIONS_MAX: usize = 4_096;
/// Options that one selection could choose; more is refused (requirement CLS-4).
pub const SELECT_CHOOSABLE_MAX: usize = 64;
/// Characters of typed text that an approval view shows before it cuts and adds a digest (VIE-4).
pub const VIEW_TEXT_CHARACTERS_MAX: usize = 512;
/// Seconds that an approval waits for its owner before it lapses (APR-3).
pub const APPROVAL_SECS: i64 = 15 * 60;
/// Scalar values of text in any single `type` action, approved ones included.
pub const ACTION_TEXT_CHARACTERS_MAX: usize = 16_384;
/// Distance of one scroll in CSS pixels, either axis, either way.
pub const SCROLL_PIXELS_MAX: i32 = 10_000;
/// Bytes of a URL that any rule looks at; longer ones are refused. Chromium itself stops at 2 MiB,
/// no honest link comes near this.
pub const URL_BYTES_MAX: usize = 8_192;
/// Calls of one session that may wait behind the running one.
pub const SESSION_QUEUE_MAX: usize = 16;
