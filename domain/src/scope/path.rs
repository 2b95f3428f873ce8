//! Paths that servers may read in two ways: refused, not normalised (requirement SCP-3).

use super::ScopeError;
use crate::classify::percent;
use unicode_normalization::UnicodeNormalization;

/// The one segment of a path without its first slash.
pub(super) fn plain_single_segment(path: &str) -> Result<&str, ScopeError> {
    let segment = path.strip_suffix('/').unwrap_or(path);
    if segment.is_empty() || segment.contains('/') {
        return Err(ScopeError::SegmentCount);
    }
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '~');
    if !segment.chars().all(plain) || segment.chars().all(|c| c == '.') {
        return Err(ScopeError::AmbiguousPath);
    }
    Ok(segment)
}

/// Encoded slash, backslash, dot, percent or control characters, bytes that are no text, raw
/// backslashes, path parameters, dot segments and empty segments between others: each may mean
/// another path to some server.
pub(super) fn ambiguous_path(written: &str, parsed_path: &str) -> bool {
    let path_end = written.find(['?', '#']).unwrap_or(written.len());
    let before_query = written.get(..path_end).unwrap_or_default();
    let dots = before_query.split('/').any(|segment| segment == "." || segment == "..");
    dots || parsed_path.contains("//") || has_trick(before_query) || has_trick(parsed_path)
}

fn has_trick(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let encoded = ["%2f", "%5c", "%2e", "%25", "%3b"].iter().any(|trick| lower.contains(trick));
    let (bytes, well_formed) = percent::decoded_once(text);
    let tricky = String::from_utf8(bytes).map_or(true, |plain| plain.chars().any(char::is_control) || becomes_another(&plain));
    encoded || !well_formed || tricky || text.contains(['\\', ';'])
}

/// Whether a server that folds compatibility forms (Unicode NFKC) would find a separator that was not
/// there, or one that trims blanks a dot segment.
fn becomes_another(plain: &str) -> bool {
    let separators = |text: &str| text.chars().filter(|c| matches!(c, '/' | '\\' | '%' | ';' | '?' | '#')).count();
    let folded: String = plain.nfkc().collect();
    let dots = |segment: &str| segment.contains('.') && segment.chars().all(|c| c == '.' || c.is_whitespace());
    separators(&folded) > separators(plain) || folded.split('/').any(dots)
}
