//! What pages and people write comes back byte for byte.

use super::places::{Place, in_time};
use super::works::{append, everything, message, session, tenant, texts};

/// Texts that some store or other has lost: NUL, C1 controls, four-byte characters, right-to-left
/// with overrides, unnormalised accents, a byte-order mark, a replacement character, line ends.
const TEXTS: [&str; 12] = [
    "",
    "\0",
    "before\0after",
    "\u{80}\u{9f}\u{7f}",
    "\u{1F9D1}\u{200D}\u{1F680} \u{10FFFF}",
    "\u{5E9}\u{5DC}\u{5D5}\u{5DD} \u{202E}123\u{202C}",
    "e\u{301} \u{e9}",
    "\u{FEFF}bom",
    "\u{FFFD}",
    "\r\n\t",
    r"\u0000 \x00 \ud800",
    "'; DROP TABLE events; --",
];

/// EVT-5: every text is stored as it is, and its neighbours in the unit with it.
pub(super) async fn every_character_comes_back(place: &Place) {
    let log = place.open().await;
    let session = session();
    append(&log, TEXTS.iter().map(|text| message(session, text)).collect()).await;
    assert_eq!(texts(&everything(&log, &tenant()).await), TEXTS);
}

/// EVT-2: a large event is stored whole and wakes whoever follows.
pub(super) async fn a_megabyte_is_stored_and_wakes_followers(place: &Place) {
    let log = place.open().await;
    let mut follower = log.follow(&tenant(), 0);
    let waiting = tokio::spawn(async move { in_time(follower.next()).await.unwrap() });
    let large = "\u{1F9D1}".repeat(256 * 1024);
    append(&log, vec![message(session(), &large)]).await;
    assert_eq!(texts(&[waiting.await.unwrap()]), [large]);
}
