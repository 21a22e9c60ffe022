//! Conversions between bits of a word and operands.

use super::{Decoded, Illegal, Isa};
use crate::engine::Bits;
use crate::error::OutOfRange;
use crate::number::{Displacement, Float, Number};
pub use crate::value::Step;
use crate::value::{number_bits, word_bits};
use crate::word::wide_ones as ones;
use core::marker::PhantomData;

/// The place of a field in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    hi: u8,
    lo: u8,
    /// It is one range in one limb, and its bits are the number.
    is_plain: bool,
    /// The steps from its bits to those of its number.
    steps: &'static [Step],
    /// The parts below the first one, for a field in several parts.
    rest: &'static [(u8, u8)],
}

/// A field from bit `hi` to bit `lo`.
pub const fn at(hi: u8, lo: u8) -> Place {
    Place { hi, lo, is_plain: hi >= lo && (hi ^ lo) & 0xc0 == 0, steps: &[], rest: &[] }
}

/// A field in several parts, the high one first.
pub const fn split(hi: u8, lo: u8, rest: &'static [(u8, u8)]) -> Place {
    Place { hi, lo, is_plain: false, steps: &[], rest }
}

#[inline(always)]
const fn width(hi: u8, lo: u8) -> u32 {
    hi.wrapping_sub(lo) as u32 + 1
}

/// The place without bits.
pub const NOWHERE: Place = at(0, 1);

impl Place {
    /// The same field, with these steps from its bits to those of its number.
    pub const fn with(self, steps: &'static [Step]) -> Self {
        Self { steps, is_plain: self.is_plain && steps.is_empty(), ..self }
    }

    /// The number of its bits.
    #[inline(always)]
    fn width(&self) -> u32 {
        let first = width(self.hi, self.lo) & 0xff;
        if self.rest.is_empty() { first } else { self.rest.iter().fold(first, |sum, (hi, lo)| sum + width(*hi, *lo)) }
    }

    /// The bits of the field, as they are in the value.
    #[inline(always)]
    fn get<W: Bits>(&self, word: W) -> u128 {
        if self.is_plain {
            return (word.limb_from(self.lo) & (u64::MAX >> (63 - (self.hi - self.lo)))).into();
        }
        let part = |hi: u8, lo: u8| word.wide_from_bit(lo) & ones(width(hi, lo) & 0xff);
        let mut raw = part(self.hi, self.lo);
        for (hi, lo) in self.rest {
            raw = raw.checked_shl(width(*hi, *lo)).unwrap_or(0) | part(*hi, *lo);
        }
        if self.steps.is_empty() { raw } else { number_bits(self.steps, raw, self.width()) }
    }

    /// The bits of the word that are the field's.
    #[inline(always)]
    fn mask<W: Bits>(&self) -> W {
        let part = |hi: u8, lo: u8| W::at_bit(ones(width(hi, lo) & 0xff), lo);
        let first = part(self.hi, self.lo);
        if self.rest.is_empty() { first } else { self.rest.iter().fold(first, |mask, (hi, lo)| mask | part(*hi, *lo)) }
    }

    /// The word with the field set to a value.
    #[inline(always)]
    fn set<W: Bits>(&self, word: W, raw: u128) -> Result<W, OutOfRange> {
        // Most fields are one short range in one limb, and constant where this is compiled.
        if self.is_plain {
            let all = u64::MAX >> (63 - (self.hi - self.lo));
            return match raw <= all.into() {
                true => Ok(word.with_bits(self.lo, all, raw as u64)),
                false => Err(too_large(raw, all.into())),
            };
        }
        self.set_parts(word, raw)
    }

    #[inline(never)]
    fn set_parts<W: Bits>(&self, word: W, raw: u128) -> Result<W, OutOfRange> {
        let all = ones(self.width());
        if raw > all {
            return Err(too_large(raw, all));
        }
        let mut raw = if self.steps.is_empty() { raw } else { word_bits(self.steps, raw, self.width()) };
        let mut out = word & !self.mask::<W>();
        for (hi, lo) in self.rest.iter().rev().copied().chain([(self.hi, self.lo)]) {
            out = out | W::at_bit(raw & ones(width(hi, lo) & 0xff), lo);
            raw = raw.checked_shr(width(hi, lo)).unwrap_or(0);
        }
        Ok(out)
    }
}

#[cold]
fn too_large(raw: u128, all: u128) -> OutOfRange {
    let [value, max] = [raw, all].map(|n| i128::try_from(n).unwrap_or(i128::MAX));
    OutOfRange { value, min: 0, max, step: 1 }
}

/// The common description of an instruction's types: its forms and its members.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// The first form.
    pub first: u16,
    /// The number of forms.
    pub count: u16,
    /// The form of each combination of alternatives, relative to the first; [`NO_FORM`] if there is none.
    pub picks: &'static [u16],
    /// The members.
    pub members: &'static [Placed],
}

/// There is no form with these alternatives.
pub const NO_FORM: u16 = u16::MAX;

/// The number of forms of an instruction, given the form of each combination.
pub const fn forms(picks: &[u16]) -> u16 {
    let (mut count, mut at) = (0, 0);
    while at < picks.len() {
        if picks[at] != NO_FORM && picks[at] >= count {
            count = picks[at] + 1;
        }
        at += 1;
    }
    count
}

impl Kind {
    /// The form of a combination of alternatives, relative to the first one.
    #[inline(always)]
    pub(super) fn form(&self, pick: u32) -> Option<u16> {
        self.picks.get(pick as usize).copied().filter(|form| *form != NO_FORM)
    }

    /// True if an instruction is of this kind.
    #[inline(always)]
    pub fn has<I: Isa>(&self, insn: Decoded<I>) -> bool {
        insn.form.wrapping_sub(self.first) < self.count
    }
}

/// A member and its place.
#[derive(Clone, Copy, Debug)]
pub struct Placed {
    /// Its name.
    pub name: &'static str,
    /// The cases: the alternative, and the places of its fields.
    pub cases: &'static [(u16, &'static [Place])],
    /// The case of each form of the instruction; empty if one case applies to all.
    pub of: &'static [u16],
    /// The slot of a choice of forms.
    pub slot: Option<Slot>,
}

/// The weight of a choice in the number of a combination of alternatives.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    /// The weight of one alternative.
    pub stride: u32,
    /// The number of alternatives.
    pub count: u32,
}

impl Placed {
    /// The case of a form of the instruction, relative to its first one.
    #[inline(always)]
    fn case(&self, form: u16) -> (u16, &'static [Place]) {
        let case = if self.of.is_empty() { 0 } else { self.of.get(usize::from(form)).copied().unwrap_or(0) };
        self.cases.get(usize::from(case)).copied().unwrap_or((0, &[]))
    }

    /// Reads the member.
    #[inline(always)]
    fn read<W: Bits, M: Member<W>>(&self, word: W, form: u16) -> M {
        let (pick, places) = self.case(form);
        M::read(word, pick, &mut Places(places))
    }

    /// The word with another value, if the form has a place for it.
    #[inline(always)]
    pub(super) fn write<W: Bits, M: Member<W>>(&self, word: W, form: u16, value: M) -> Option<Result<W, OutOfRange>> {
        let (pick, places) = self.case(form);
        (pick == value.pick()).then(|| value.write(word, &mut Places(places)))
    }

    /// The bits of the member in a form.
    pub(super) fn mask<W: Bits>(&self, form: u16) -> W {
        self.case(form).1.iter().fold(W::zero(), |mask, place| mask | place.mask())
    }
}

/// Places that are used one after the other.
#[derive(Clone, Debug)]
pub struct Places(&'static [Place]);

impl Places {
    /// All of these.
    #[inline(always)]
    pub(super) fn new(places: &'static [Place]) -> Self {
        Self(places)
    }

    #[inline(always)]
    fn next(&mut self) -> &'static Place {
        match self.0.split_first() {
            Some((first, rest)) => {
                self.0 = rest;
                first
            }
            None => const { &NOWHERE },
        }
    }
}

/// The value of a field.
pub trait Value: Copy {
    /// The value with these bits.
    fn from_raw(raw: u128) -> Self;

    /// Its bits.
    fn raw(self) -> u128;
}

/// A member of an instruction: a value, an operand of several fields, one of several alternatives.
pub trait Member<W: Bits>: Copy {
    /// Reads it from a word: alternative `pick`, with its fields in these places.
    fn read(word: W, pick: u16, places: &mut Places) -> Self;

    /// Writes it to these places.
    ///
    /// # Errors
    /// When a value has more bits than its place.
    fn write(self, word: W, places: &mut Places) -> Result<W, OutOfRange>;

    /// The number of its alternative.
    #[inline(always)]
    fn pick(&self) -> u16 {
        0
    }
}

/// The alternative of a value, or 0 for an error.
#[inline(always)]
pub fn pick<W: Bits, M: Member<W>>(value: &Result<M, Illegal>) -> u32 {
    value.as_ref().map_or(0, |value| value.pick().into())
}

impl<W: Bits, T: Value> Member<W> for T {
    #[inline(always)]
    fn read(word: W, _: u16, places: &mut Places) -> Self {
        T::from_raw(places.next().get(word))
    }

    #[inline(always)]
    fn write(self, word: W, places: &mut Places) -> Result<W, OutOfRange> {
        places.next().set(word, self.raw())
    }
}

/// A member that not all forms have: alternative 1 where they do.
impl<W: Bits, T: Member<W>> Member<W> for Option<T> {
    #[inline(always)]
    fn read(word: W, pick: u16, places: &mut Places) -> Self {
        (pick == 1).then(|| T::read(word, 0, places))
    }

    #[inline(always)]
    fn write(self, word: W, places: &mut Places) -> Result<W, OutOfRange> {
        self.map_or(Ok(word), |value| value.write(word, places))
    }

    #[inline(always)]
    fn pick(&self) -> u16 {
        u16::from(self.is_some())
    }
}

/// A number that not all forms have, for setting it: from an `Option` of a value that can be converted to the number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Maybe<T>(pub Option<T>);

impl<T, V: TryInto<T>> TryFrom<Option<V>> for Maybe<T> {
    type Error = V::Error;

    #[inline]
    fn try_from(value: Option<V>) -> Result<Self, V::Error> {
        value.map(TryInto::try_into).transpose().map(Self)
    }
}

impl<W: Bits, T: Member<W>> Member<W> for Maybe<T> {
    #[inline(always)]
    fn read(word: W, pick: u16, places: &mut Places) -> Self {
        Self(Member::read(word, pick, places))
    }

    #[inline(always)]
    fn write(self, word: W, places: &mut Places) -> Result<W, OutOfRange> {
        self.0.write(word, places)
    }

    #[inline(always)]
    fn pick(&self) -> u16 {
        Member::<W>::pick(&self.0)
    }
}

impl Value for bool {
    #[inline(always)]
    fn from_raw(raw: u128) -> Self {
        raw != 0
    }
    #[inline(always)]
    fn raw(self) -> u128 {
        self.into()
    }
}

/// A type between the bits of a field and the `T` that is read: numbers are read as the smallest primitive type that has all
/// their values; all other types are read as themselves.
pub trait Codec<T>: Copy {
    /// The value that is read.
    fn value(self) -> T;
}

/// A codec that the value of an operand's field is converted to.
pub trait Encode<T>: Codec<T> {
    /// The codec's value for this one.
    ///
    /// # Errors
    /// When there is none.
    fn of(value: T) -> Result<Self, OutOfRange>;
}

impl<T: Copy> Codec<T> for T {
    #[inline(always)]
    fn value(self) -> T {
        self
    }
}

impl<T: Copy> Encode<T> for T {
    #[inline(always)]
    fn of(value: T) -> Result<Self, OutOfRange> {
        Ok(value)
    }
}

impl<T: Codec<P>, P> Codec<Option<P>> for Maybe<T> {
    #[inline(always)]
    fn value(self) -> Option<P> {
        self.0.map(T::value)
    }
}

impl<const BITS: u32> Codec<f32> for Float<BITS, 32> {
    #[inline(always)]
    fn value(self) -> f32 {
        self.get()
    }
}

impl<const BITS: u32> Codec<f64> for Float<BITS, 64> {
    #[inline(always)]
    fn value(self) -> f64 {
        self.get()
    }
}

/// A `T` in words, encoded as a `C`.
#[derive(Debug)]
pub struct As<T, C = T>(PhantomData<(T, C)>);

impl<T, C: Codec<T>> As<T, C> {
    /// Reads it from these places.
    #[inline(always)]
    pub fn read<W: Bits>(word: W, places: &mut Places) -> T
    where
        C: Member<W>,
    {
        C::read(word, 0, places).value()
    }

    /// Writes it to these places.
    ///
    /// # Errors
    /// When the place can't hold it.
    #[inline(always)]
    pub fn write<W: Bits>(value: T, word: W, places: &mut Places) -> Result<W, OutOfRange>
    where
        C: Encode<T> + Member<W>,
    {
        C::of(value)?.write(word, places)
    }

    /// Reads a member of an instruction of a kind.
    #[inline(always)]
    pub fn read_of<I: Isa>(kind: &Kind, member: usize, insn: Decoded<I>) -> T
    where
        C: Member<I::Word>,
    {
        let member: C = kind.members[member].read(insn.word, insn.form.wrapping_sub(kind.first));
        member.value()
    }

    /// Reads a member that all instructions have.
    #[inline(always)]
    pub fn read_common<I: Isa>(insn: Decoded<I>, places: &'static [Place]) -> T
    where
        C: Member<I::Word>,
    {
        Self::read(insn.word, &mut Places(places))
    }
}

macro_rules! codecs {
    ($($primitive:ident)*) => {$(
        impl<const SIGNED: bool, const BITS: u32, const SCALE: i64, const BIAS: i64> Codec<$primitive>
            for Number<SIGNED, BITS, SCALE, BIAS>
        {
            #[inline(always)]
            fn value(self) -> $primitive {
                self.get() as $primitive
            }
        }

        impl<const SIGNED: bool, const BITS: u32, const SCALE: i64, const BIAS: i64> Encode<$primitive>
            for Number<SIGNED, BITS, SCALE, BIAS>
        {
            #[inline(always)]
            fn of(value: $primitive) -> Result<Self, OutOfRange> {
                value.try_into()
            }
        }
    )*};
}
codecs! { u8 u16 u32 u64 u128 i8 i16 i32 i64 i128 }

macro_rules! numbers {
    ($([$($parameter:tt)*] $ty:ty;)*) => {$(
        impl<$($parameter)*> Value for $ty {
            #[inline(always)]
            fn from_raw(raw: u128) -> Self {
                Self::from_bits(raw)
            }
            #[inline(always)]
            fn raw(self) -> u128 {
                self.bits()
            }
        }
    )*};
}
numbers! {
    [const SIGNED: bool, const BITS: u32, const SCALE: i64, const BIAS: i64] Number<SIGNED, BITS, SCALE, BIAS>;
    [const SIGNED: bool, const BITS: u32, const SCALE: i64, const BIAS: i64, const FROM: i64]
        Displacement<SIGNED, BITS, SCALE, BIAS, FROM>;
    [const BITS: u32, const OF: u32] Float<BITS, OF>;
}

#[cfg(test)]
mod tests;
