//! Characters that change how the text around them is shown, or that are not shown at all.

use std::borrow::Cow;

/// The text, with such characters written as `\u{202e}`: compilers refuse them in comments, and readers cannot see them. Tabs and
/// ends of lines stay.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let shown = |c: char| if is_hidden(c) { c.escape_unicode().to_string() } else { c.to_string() };
    Cow::Owned(text.chars().map(shown).collect())
}

fn is_hidden(c: char) -> bool {
    match c {
        '\t' | '\n' => false,
        // Marks of direction, embeddings, overrides and isolates.
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        // Separators of lines and paragraphs, and what has no width.
        '\u{2028}' | '\u{2029}' | '\u{200b}' | '\u{2060}' | '\u{feff}' => true,
        _ => c.is_control(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_seen_is_written_out() {
        assert_eq!(visible("a \u{202e} b\tc\u{0}\r"), "a \\u{202e} b\tc\\u{0}\\u{d}");
        assert!(matches!(visible("naïve → ok\n"), Cow::Borrowed(_)));
    }
}
