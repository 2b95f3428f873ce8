//! The one way in which words that are not ours get onto a page: escaped, set apart, and with
//! everything made visible that would hide, or reorder what stands around it (VIE-2, VIE-5).

use maud::{Markup, html};

/// Ranges of characters that are invisible, reorder text, or look different with every font: the
/// Unicode categories Cc, Cf, Zl, Zp and Co, default-ignorable code points, and blanks that do not
/// look like an ordinary space.
const MARKED: [(char, char); 33] = [
    ('\u{0}', '\u{1f}'),
    ('\u{7f}', '\u{a0}'),
    ('\u{ad}', '\u{ad}'),
    ('\u{34f}', '\u{34f}'),
    ('\u{600}', '\u{605}'),
    ('\u{61c}', '\u{61c}'),
    ('\u{6dd}', '\u{6dd}'),
    ('\u{70f}', '\u{70f}'),
    ('\u{890}', '\u{891}'),
    ('\u{8e2}', '\u{8e2}'),
    ('\u{115f}', '\u{1160}'),
    ('\u{1680}', '\u{1680}'),
    ('\u{17b4}', '\u{17b5}'),
    ('\u{180b}', '\u{180f}'),
    ('\u{2000}', '\u{200f}'),
    ('\u{2028}', '\u{202f}'),
    ('\u{205f}', '\u{206f}'),
    ('\u{2800}', '\u{2800}'),
    ('\u{3000}', '\u{3000}'),
    ('\u{3164}', '\u{3164}'),
    ('\u{e000}', '\u{f8ff}'),
    ('\u{fe00}', '\u{fe0f}'),
    ('\u{feff}', '\u{feff}'),
    ('\u{ffa0}', '\u{ffa0}'),
    ('\u{fff0}', '\u{fffc}'),
    ('\u{110bd}', '\u{110bd}'),
    ('\u{110cd}', '\u{110cd}'),
    ('\u{13430}', '\u{1343f}'),
    ('\u{1bca0}', '\u{1bca3}'),
    ('\u{1d173}', '\u{1d17a}'),
    ('\u{e0000}', '\u{e0fff}'),
    ('\u{f0000}', '\u{ffffd}'),
    ('\u{100000}', '\u{10ffff}'),
];

/// Text that a website or an agent wrote, escaped, with hidden characters shown as `‹U+202E›` and
/// its order kept apart from everything around it.
pub(super) fn visible(text: &str) -> Markup {
    html! {
        bdi dir="ltr" {
            @for piece in pieces(text) {
                @match piece {
                    Piece::Plain(plain) => (plain),
                    Piece::Hidden(character) => span.hidden-character { (format!("‹U+{:04X}›", u32::from(character))) },
                }
            }
        }
    }
}

/// The same in quotation marks inside a box, which the text cannot leave.
pub(super) fn quoted(text: &str) -> Markup {
    html! { span.quoted { "“" (visible(text)) "”" } }
}

enum Piece<'t> {
    Plain(&'t str),
    Hidden(char),
}

fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((at, character)) = rest.char_indices().find(|(_, character)| is_marked(*character)) {
        let (plain, tail) = rest.split_at(at);
        if !plain.is_empty() {
            pieces.push(Piece::Plain(plain));
        }
        pieces.push(Piece::Hidden(character));
        rest = tail.split_at(character.len_utf8()).1;
    }
    if !rest.is_empty() {
        pieces.push(Piece::Plain(rest));
    }
    pieces
}

fn is_marked(character: char) -> bool {
    MARKED.iter().any(|(first, last)| (*first..=*last).contains(&character))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// VIE-5: what hides or reorders is shown by its code point; ordinary text of any script is not
    /// touched.
    #[test]
    fn hidden_characters_are_shown() {
        let shown = |text: &str| visible(text).into_string().replace("<span class=\"hidden-character\">", "").replace("</span>", "");
        let whole = |text: &str| format!("<bdi dir=\"ltr\">{text}</bdi>");
        assert_eq!(shown("a\u{202e}b"), whole("a‹U+202E›b"));
        assert_eq!(shown("de\u{200b}le\u{ad}te\n"), whole("de‹U+200B›le‹U+00AD›te‹U+000A›"));
        assert_eq!(shown("\u{e0041}"), whole("‹U+E0041›"));
        for plain in ["Continue", "Weiter – größer", "לימוד", "学习", "e\u{301}"] {
            assert_eq!(shown(plain), whole(plain));
        }
    }

    /// VIE-2, threat G5: markup in a text is text.
    #[test]
    fn markup_is_inert() {
        let shown = quoted("</bdi></span><script>alert(1)</script>\" onload='x'").into_string();
        assert!(!shown.contains("<script") && shown.matches("</span>").count() == 1);
        assert!(shown.starts_with("<span class=\"quoted\">“<bdi") && shown.ends_with("</bdi>”</span>"));
    }
}
