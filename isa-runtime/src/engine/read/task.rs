//! A text that is being read: where blanks may stand, and what begins there.

use super::pass::Pass;
use super::statement::Labels;

/// What is to be read, and how.
#[derive(Clone, Copy)]
pub(super) struct Task<'x> {
    pub(super) text: &'x str,
    pub(super) bytes: &'x [u8],
    pub(super) address: u64,
    pub(super) labels: Labels<'x>,
    pub(super) pass: Pass,
    /// Whether what fails is noted.
    pub(super) notes: bool,
    /// Whether the text may go on where the template ends.
    pub(super) prefix: bool,
}

/// Which bytes are characters of words.
pub(super) const WORD: [bool; 256] = {
    let mut is_word = [false; 256];
    let mut c = 0;
    while c < 128 {
        is_word[c] = (c as u8).is_ascii_alphanumeric() || c as u8 == b'_';
        c += 1;
    }
    is_word
};

#[inline(always)]
pub(super) fn is_word(c: u8) -> bool {
    WORD[usize::from(c)]
}

impl<'x> Task<'x> {
    /// To the letter.
    pub(super) fn exact(text: &'x str, address: u64, labels: Labels<'x>) -> Self {
        Self { text, bytes: text.as_bytes(), address, labels, pass: Pass::Exact, notes: false, prefix: false }
    }

    /// Where what follows blanks begins.
    #[inline]
    pub(super) fn blanks(&self, at: usize) -> usize {
        if self.pass.is_exact() {
            return at;
        }
        at + self.bytes.get(at..).unwrap_or(&[]).iter().take_while(|b| matches!(b, b' ' | b'\t')).count()
    }

    /// Where a token may begin: after blanks, if they stand after one of `, [ ( +`.
    #[inline]
    pub(super) fn token(&self, at: usize) -> usize {
        match at.checked_sub(1).and_then(|before| self.bytes.get(before)) {
            None | Some(b',' | b'[' | b'(' | b'+') => self.blanks(at),
            Some(_) => at,
        }
    }

    #[inline]
    pub(super) fn rest(&self, at: usize) -> &[u8] {
        self.bytes.get(at..).unwrap_or(&[])
    }

    /// Where the text of a value can begin: after blanks, if it begins with punctuation.
    #[inline]
    pub(super) fn mark(&self, text: &[u8], at: usize) -> usize {
        if text.first().is_none_or(|c| is_word(*c)) { at } else { self.blanks(at) }
    }

    /// Whether what can begin with these characters can stand here.
    #[inline]
    pub(super) fn can_begin(&self, initials: u128, at: usize) -> bool {
        let is_in = |at: usize| {
            let c = self.bytes.get(at).map_or(0, |c| (*c).min(127));
            let half = if c < 64 { initials as u64 } else { (initials >> 64) as u64 };
            half >> (c & 63) & 1 != 0
        };
        is_in(at) || (!self.pass.is_exact() && is_in(self.blanks(at)))
    }
}

/// Whether a text begins with another. Most that are asked for are a few bytes long, and differ in the first.
#[inline(always)]
pub(super) fn begins(text: &[u8], with: &[u8]) -> bool {
    text.len() >= with.len() && text.iter().zip(with).all(|(a, b)| a == b)
}
