//! The order in which a text is displayed (UAX #9).

use unicode_bidi::data_source::BidiDataSource as _;
use unicode_bidi::{BidiClass, BidiInfo, HardcodedBidiData, Level, bidi_class};

/// The displayed orders of a text that differ from the written one: for a left-to-right and for a
/// right-to-left surrounding, since an element's text does not say which it stands in.
pub(super) fn displayed(text: &str) -> Vec<String> {
    if !text.chars().any(reorders) {
        return Vec::new();
    }
    let mut orders: Vec<String> = Vec::with_capacity(2);
    for base in [Level::ltr(), Level::rtl()] {
        let order = in_order(text, base);
        if order != text && !orders.contains(&order) {
            orders.push(order);
        }
    }
    orders
}

fn in_order(text: &str, base: Level) -> String {
    let bidi = BidiInfo::new(text, Some(base));
    let mut shown = String::with_capacity(text.len());
    for paragraph in &bidi.paragraphs {
        shown.push_str(&bidi.reorder_line(paragraph, paragraph.range.clone()));
    }
    shown
}

/// Whether a character changes the order of others. Brackets (rule N0) and separators of segments
/// (rule L1) do so between Latin words too, where text runs from right to left.
pub(super) fn reorders(c: char) -> bool {
    use BidiClass::{AL, AN, FSI, LRE, LRI, LRO, PDF, PDI, R, RLE, RLI, RLO, S};
    let by_class = || matches!(bidi_class(c), AL | AN | FSI | LRE | LRI | LRO | PDF | PDI | R | RLE | RLI | RLO | S);
    !c.is_ascii_alphanumeric() && (by_class() || HardcodedBidiData.bidi_matched_opening_bracket(c).is_some())
}
