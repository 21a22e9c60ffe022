//! Instructions in the notation of other tools.

use isa_engine::{Codec, ReadError, Statement, Symbols};
use std::ops::Range;

/// The instruction of a text, also in the notation of other tools: control codes in front (`[B------:R-:W-:Y:S05] NOP`), labels
/// in back quotes (`` BRA `(.L_1) ``).
pub fn read(codec: &mut dyn Codec, text: &str, address: u64, symbols: Symbols<'_>) -> Result<Statement, ReadError> {
    codec.read(text, address, symbols).or_else(|error| {
        let Some(other) = rearranged(text) else { return Err(error) };
        let usual: String = other.iter().map(|(_, c)| *c).collect();
        codec.read(&usual, address, symbols).map_err(|ReadError { at, message }| {
            let before = usual.get(..at).map_or(other.len(), |before| before.chars().count());
            ReadError { at: other.get(before).map_or(text.len(), |(at, _)| *at), message }
        })
    })
}

/// A text of another tool in our order, each character with its place; `None` if it is not in that notation.
fn rearranged(text: &str) -> Option<Vec<(usize, char)>> {
    let front = if text.starts_with('[') { text.find(']')? + 1 } else { 0 };
    if front == 0 && !text.contains("`(") {
        return None;
    }
    let (mut all, mut is_label) = (Vec::new(), false);
    for (at, c) in text.char_indices().filter(|(at, _)| *at >= front).skip_while(|(_, c)| c.is_whitespace()) {
        match c {
            '`' if text[at..].starts_with("`(") => is_label = true,
            '(' if is_label && text[..at].ends_with('`') => {}
            ')' if is_label => is_label = false,
            c => all.push((at, c)),
        }
    }
    if front > 0 {
        all.push((front, ' '));
        all.extend(text[..front].char_indices());
    }
    Some(all)
}

/// The word or the character at the place of an error.
pub fn word_at(text: &str, at: usize) -> Range<usize> {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let rest = &text[at..];
    let word = rest.find(|c: char| !c.is_alphanumeric() && !"_.".contains(c)).unwrap_or(rest.len());
    at..at + word.max(rest.chars().next().map_or(0, char::len_utf8))
}
