//! Characters that change what a terminal shows without being seen: controls (escape sequences begin with one) and marks that reorder
//! text. Messages quote files and arguments, so these characters are written as escapes.

use std::borrow::Cow;

/// True if a character must not reach a terminal or a document as it is: control characters but for line feed and tab, and
/// characters that set the direction of text or end a line unseen.
pub fn is_deceptive(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        c => c.is_control(),
    }
}

/// The text with `\u{1b}` in the place of each deceptive character.
pub fn escape(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_deceptive) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if is_deceptive(c) {
            out.extend(c.escape_unicode());
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// The text with a visible character of the same number of bytes in the place of each deceptive one, so that offsets stay right.
/// ASCII controls stay: the renderer of snippets has symbols for them.
pub fn mask(text: String) -> String {
    let is_masked = |c: char| !c.is_ascii() && is_deceptive(c);
    if !text.chars().any(is_masked) {
        return text;
    }
    let masked = |c: char| match c {
        c if !is_masked(c) => c,
        c if c.len_utf8() == 2 => '\u{bf}',
        _ => char::REPLACEMENT_CHARACTER,
    };
    text.chars().map(masked).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_escaped() {
        assert_eq!(escape("plain é text\n\tof two lines"), "plain é text\n\tof two lines");
        assert_eq!(escape("a\u{1b}[31mb\u{9b}c\rd\0"), "a\\u{1b}[31mb\\u{9b}c\\u{d}d\\u{0}");
        assert_eq!(escape("a\u{202e}b\u{2066}\u{200f}\u{61c}\u{2028}"), "a\\u{202e}b\\u{2066}\\u{200f}\\u{61c}\\u{2028}");
    }

    #[test]
    fn masks_keep_offsets() {
        let text = "a\u{9b}b\u{202e}c\u{61c}d";
        let masked = mask(text.to_owned());
        assert_eq!(masked, "a\u{bf}b\u{fffd}c\u{bf}d");
        assert_eq!(masked.len(), text.len());
    }
}
