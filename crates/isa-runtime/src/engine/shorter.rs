//! Shorter words with the same effect as longer ones.

use super::Bits;
use super::tables::{Common, NO_FIELD, Shorter, Tables};

impl<'a> Common<'a> {
    /// The ways to shorten words of a form, the shortest words first.
    pub(super) fn ways(&self, form: u16) -> impl Iterator<Item = Shorter> + use<'a> {
        let ways = self.shorter;
        let (mut first, mut end) = (0, ways.len());
        while first < end {
            let middle = first.midpoint(end);
            match ways.get(middle) {
                Some(way) if way.long < form => first = middle + 1,
                _ => end = middle,
            }
        }
        (first..ways.len()).map_while(move |at| ways.get(at)).take_while(move |way| way.long == form)
    }
}

impl<W: Bits> Tables<'_, W> {
    /// The shorter word with the effect of a longer one, if it can hold the longer word's fields.
    pub(super) fn shortened(&self, way: &Shorter, word: W) -> Option<W> {
        let short = self.form(way.short)?;
        let (mut made, mut known) = (short.default, W::zero());
        for held in self.held.slice(way.held).iter() {
            let field = self.fields.get(held.field.into())?;
            let raw = self.raw(&field, word);
            if held.from == NO_FIELD {
                (raw == held.value).then_some(())?;
                continue;
            }
            let own = self.fields.get(held.from.into())?;
            let bits = self.same_bits((&field, raw), &own)?;
            let mask = self.with_raw(&own, W::zero(), u128::MAX);
            let with = self.with_raw(&own, made, bits);
            // One field of the shorter word can correspond to several of the longer one.
            if self.raw(&own, with) != bits || (with ^ made) & mask & known != W::zero() {
                return None;
            }
            (made, known) = (with, known | mask);
        }
        (self.find_form(made, short.length.into()) == Some(way.short)).then_some(made)
    }
}
