//! Words of a text, as messages quote them.

use core::ops::Range;

/// True if a word has this character.
pub fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The word that begins at a place, with the mark before it, or else the character.
pub fn word_at(text: &str, at: usize) -> Range<usize> {
    let rest = text.get(at..).unwrap_or("");
    let Some(first) = rest.chars().next() else { return at..at };
    let mark = usize::from(".@$%-".contains(first));
    let word = rest.chars().skip(mark).take_while(|c| is_word(*c)).count();
    at..at + (mark + word).max(first.len_utf8())
}

/// The start of the word that ends at a place, with the mark before it.
pub fn word_before(text: &str, at: usize) -> usize {
    let begin = text.get(..at).unwrap_or("").trim_end_matches(is_word);
    if begin.ends_with(['.', '@', '$', '%']) { begin.len() - 1 } else { begin.len() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_their_marks() {
        assert_eq!((word_at("a .b1,", 2), word_at("é1", 0), word_at("a", 1)), (2..5, 0..2, 1..1));
        assert_eq!((word_at("a", 9), word_before("a", 9)), (9..9, 0));
        assert_eq!((word_before("a .b1", 5), word_before("a b1", 4), word_before("a ", 2)), (2, 2, 2));
    }
}
