//! The place of the program that an instruction refers to, and its position in the text.

use isa_engine::{Codec, Word};
use std::ops::Range;

/// The distance by which a word is moved to find the target in its text.
const MOVE: u64 = 1 << 20;

/// Finds targets. Whether a form can have one is determined once.
#[derive(Clone, Default)]
pub struct Targets {
    forms: Vec<Option<bool>>,
    moved: Vec<u8>,
}

impl Targets {
    /// The position of a target in the text of a word, and its address; `text` is the text at `address`.
    ///
    /// A target is the part of the text that changes with the address of the word.
    pub fn find(
        &mut self,
        codec: &mut dyn Codec,
        form: usize,
        word: Word,
        address: u64,
        text: &[u8],
    ) -> Option<(Range<usize>, u64)> {
        if !self.is_in(codec, form) {
            return None;
        }
        let Self { moved, .. } = self;
        moved.clear();
        codec.print(form, word, address.wrapping_add(MOVE), moved);
        let (place, moved_place) = changed(text, moved)?;
        let here = std::str::from_utf8(&text[place.clone()]).ok()?;
        let there = std::str::from_utf8(&moved[moved_place]).ok()?;
        let target = [16, 10].into_iter().find_map(|radix| {
            let value = |text: &str| u64::from_str_radix(text.strip_prefix("0x").unwrap_or(text), radix).ok();
            value(here).filter(|here| value(there) == Some(here.wrapping_add(MOVE)))
        })?;
        Some((place, target))
    }

    /// True if a form can have a target.
    pub fn is_in(&mut self, codec: &dyn Codec, form: usize) -> bool {
        if self.forms.len() <= form {
            self.forms.resize(form + 1, None);
        }
        *self.forms[form].get_or_insert_with(|| codec.has_target(form))
    }
}

/// The difference between two texts: the range of words and numbers that differ, in each of them.
pub(super) fn changed(one: &[u8], other: &[u8]) -> Option<(Range<usize>, Range<usize>)> {
    if one == other {
        return None;
    }
    let before = same(one.iter().zip(other));
    let rest = one.len().min(other.len()) - before;
    let after = same(one.iter().rev().zip(other.iter().rev())).min(rest);
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
    let start = before - one[..before].iter().rev().take_while(|byte| is_part(byte)).count();
    let end = |text: &[u8]| {
        let end = text.len() - after;
        end + text[end..].iter().take_while(|byte| is_part(byte)).count()
    };
    Some((start..end(one), start..end(other)))
}

/// The number of equal pairs before the first unequal one.
fn same<'t>(pairs: impl Iterator<Item = (&'t u8, &'t u8)>) -> usize {
    pairs.take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::changed;

    /// A target can be the beginning of the one to which it is moved.
    #[test]
    fn numbers_that_differ() {
        let find = |one: &str, other: &str| {
            let (one_at, other_at) = changed(one.as_bytes(), other.as_bytes())?;
            Some((one[one_at].to_owned(), other[other_at].to_owned()))
        };
        let both = |one: &str, other: &str| Some((one.to_owned(), other.to_owned()));
        assert_eq!(find("j 0x100", "j 0x100100"), both("0x100", "0x100100"));
        assert_eq!(find("bnez a0,0x10", "bnez a0,0x100010"), both("0x10", "0x100010"));
        assert_eq!(find("b 0x1fc, a", "b 0x1001fc, a"), both("0x1fc", "0x1001fc"));
        assert_eq!(find("nop", "nop"), None);
    }
}
