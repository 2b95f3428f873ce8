//! Randomness from the operating system, for secrets and ids.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use uuid::Uuid;

/// 32 random bytes as 43 URL-safe characters.
#[must_use]
pub fn random_token() -> String {
    URL_SAFE_NO_PAD.encode(random_bytes())
}

/// 32 random bytes.
#[must_use]
pub fn random_bytes() -> [u8; 32] {
    let mut bytes = [0u8; 32];
    if getrandom::fill(&mut bytes).is_err() {
        // No secret can be made without randomness; nothing may go on with a guessable one.
        std::process::abort();
    }
    bytes
}

/// A fresh time-ordered id.
#[must_use]
pub fn new_uuid() -> Uuid {
    Uuid::now_v7()
}
