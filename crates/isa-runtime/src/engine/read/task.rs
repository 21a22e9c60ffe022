//! A text that is being read: the places of blanks, and the tokens at a place.

use super::pass::Pass;
use super::statement::Symbols;

/// The text to be read, and the pass.
#[derive(Clone, Copy)]
pub(super) struct Task<'x> {
    pub(super) text: &'x str,
    pub(super) bytes: &'x [u8],
    /// The last eight bytes, the last one highest.
    pub(super) last: u64,
    pub(super) address: u64,
    pub(super) symbols: Symbols<'x>,
    pub(super) pass: Pass,
    /// True if failures are noted.
    pub(super) notes: bool,
    /// True if the text may continue after the end of the template.
    pub(super) prefix: bool,
}

/// The bytes that are characters of words.
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
    /// Reads exactly.
    pub(super) fn exact(text: &'x str, address: u64, symbols: Symbols<'x>) -> Self {
        let last = text.bytes().rev().take(8).fold((0, 64), |(last, at), c| (last | u64::from(c) << (at - 8), at - 8)).0;
        Self { text, bytes: text.as_bytes(), last, address, symbols, pass: Pass::Exact, notes: false, prefix: false }
    }

    /// The end of the blanks at a place.
    #[inline]
    pub(super) fn blanks(&self, at: usize) -> usize {
        if self.pass.is_exact() {
            return at;
        }
        at + self.bytes.get(at..).unwrap_or(&[]).iter().take_while(|b| matches!(b, b' ' | b'\t')).count()
    }

    /// The place where a token may begin: after blanks, if they follow one of `, [ ( +`.
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

    /// The next eight bytes, the first one lowest; zeros after the end.
    #[inline(always)]
    fn window(&self, at: usize) -> u64 {
        match self.bytes.get(at..).and_then(|rest| rest.first_chunk()) {
            Some(next) => u64::from_le_bytes(*next),
            None => {
                let missing = (at + 8).saturating_sub(self.bytes.len()) as u32;
                self.last.checked_shr(8 * missing).unwrap_or(0)
            }
        }
    }

    /// True if a literal is at this place.
    #[inline(always)]
    pub(super) fn stands(&self, literal: &Literal<'_>, at: usize) -> bool {
        (self.window(at) ^ literal.head) & literal.mask == 0 && (literal.is_short || self.rest(at).starts_with(literal.text))
    }

    /// True if the first word of a literal is at this place; true if it does not begin with a word.
    #[inline]
    pub(super) fn word_stands(&self, literal: &Literal<'_>, at: usize) -> bool {
        let word = literal.text.iter().take_while(|c| is_word(**c)).count();
        word == 0 || self.rest(self.token(at)).starts_with(&literal.text[..word])
    }

    /// True if a token with these first characters can begin here.
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

/// Characters that a text can have, and their first eight bytes as one number.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Literal<'t> {
    pub(super) text: &'t [u8],
    head: u64,
    mask: u64,
    /// The number contains all characters.
    is_short: bool,
}

/// The gap between a text and the additions of `--full`.
pub(super) const GAP: Literal<'static> = Literal { text: b" ", head: b' ' as u64, mask: 0xff, is_short: true };

/// No characters.
pub(super) const NOTHING: Literal<'static> = Literal { text: b"", head: 0, mask: 0, is_short: true };

impl<'t> Literal<'t> {
    pub(super) fn new(text: &'t [u8]) -> Self {
        let head = text.iter().rev().skip(text.len().saturating_sub(8)).fold(0, |head, c| head << 8 | u64::from(*c));
        let mask = u64::MAX.checked_shr(64 - 8 * text.len().min(8) as u32).unwrap_or(0);
        // Damaged tables can contain zeros, and zeros also follow the end of a text.
        Self { text, head, mask, is_short: text.len() <= 8 && !text.contains(&0) }
    }

    pub(super) fn len(&self) -> usize {
        self.text.len()
    }
}
