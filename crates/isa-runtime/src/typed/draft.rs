//! Instructions that are being built or changed.

use super::member::{Kind, Member, Place, Placed, Places, Slot};
use super::names::UnknownValue;
use super::{Decoded, Instruction, Isa};
use crate::error::{Inexact, OutOfRange};
use crate::why::Why;
use alloc::boxed::Box;
use core::convert::Infallible;
use core::fmt;
use core::marker::PhantomData;

/// A reason why an instruction can't be built.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Illegal {
    /// The word would not be an instruction.
    Word(Box<Why<'static>>),
    /// The word would be another instruction.
    Other {
        /// The form of that instruction.
        form: &'static str,
    },
    /// A value has more bits than its field.
    Range(OutOfRange),
    /// A floating-point number has more bits than its field.
    Inexact(Inexact),
    /// A number is not a register, or not a value of an enumeration.
    Value(UnknownValue),
    /// The form has no such field or alternative.
    Absent {
        /// The form.
        form: &'static str,
        /// The member.
        member: &'static str,
    },
    /// The instruction has no form with these alternatives together.
    NoForm {
        /// The instruction.
        insn: &'static str,
    },
}

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(why) => why.fmt(f),
            Self::Other { form } => write!(f, "the word would be {form}"),
            Self::Range(why) => why.fmt(f),
            Self::Inexact(why) => why.fmt(f),
            Self::Value(why) => why.fmt(f),
            Self::Absent { form, member } => write!(f, "{form} has no {member} of this kind"),
            Self::NoForm { insn } => write!(f, "{insn} has no form with these alternatives together"),
        }
    }
}

impl core::error::Error for Illegal {}

impl From<OutOfRange> for Illegal {
    fn from(why: OutOfRange) -> Self {
        Self::Range(why)
    }
}

impl From<Inexact> for Illegal {
    fn from(why: Inexact) -> Self {
        Self::Inexact(why)
    }
}

impl From<Infallible> for Illegal {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

impl From<UnknownValue> for Illegal {
    fn from(why: UnknownValue) -> Self {
        Self::Value(why)
    }
}

/// An instruction that is being built or changed. [`Draft::finish`] reports the first error.
///
/// The usual case is compiled where it is called, as members and places are constants there; errors, and another choice of forms,
/// are compiled once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft<I: Instruction> {
    decoded: Decoded<I::Isa>,
    wrong: Option<Box<Illegal>>,
    kind: PhantomData<I>,
}

/// The parts of a draft.
///
/// Functions that are seldom called take and return them one by one: a draft passed in memory is copied with the padding after
/// its form, and a load that is wider than the preceding store stalls.
type Parts<I> = (<<I as Instruction>::Isa as Isa>::Word, u16, Option<Box<Illegal>>);

#[cold]
#[inline(never)]
fn boxed(why: Illegal) -> Box<Illegal> {
    Box::new(why)
}

/// A value for an operand, or another member, that reads as a `T`: one of type `C`, or converted to it. `C` has exactly the
/// values of the member: it is [`Uint<4>`](crate::Uint) for a number of 4 bits, which reads as a `u8`, and integers of all types
/// are converted to it. [`Draft::finish`] reports a conversion that fails.
pub trait Operand<T, C = T> {
    /// The operand.
    ///
    /// # Errors
    /// When the value is out of range.
    fn operand(self) -> Result<C, Illegal>;
}

impl<T, C, V: TryInto<C, Error: Into<Illegal>>> Operand<T, C> for V {
    #[inline(always)]
    fn operand(self) -> Result<C, Illegal> {
        self.try_into().map_err(Into::into)
    }
}

/// An instruction whose word was found to be of its form.
#[doc(hidden)]
#[derive(Debug)]
pub struct Checked<I: Instruction>(Decoded<I::Isa>);

impl<I: Instruction> Checked<I> {
    /// The word and the form.
    #[inline(always)]
    pub fn decoded(self) -> Decoded<I::Isa> {
        self.0
    }
}

impl<I: Instruction> Draft<I> {
    /// A draft that changes an instruction.
    #[inline(always)]
    pub fn of(insn: I) -> Self {
        Self { decoded: *insn, wrong: None, kind: PhantomData }
    }

    /// The instruction with these alternatives, everything else at its default.
    #[doc(hidden)]
    #[inline(always)]
    pub fn new(kind: &Kind, pick: u32) -> Self {
        match kind.form(pick) {
            Some(form) => Self::at_defaults(kind.first + form),
            None => Self::without_form(kind),
        }
    }

    #[inline(always)]
    fn at_defaults(form: u16) -> Self {
        let word = I::Isa::tables().form(form).map_or_else(Default::default, |form| form.default);
        Self { decoded: Decoded { word, form }, wrong: None, kind: PhantomData }
    }

    #[inline(always)]
    fn of_parts(word: <I::Isa as Isa>::Word, form: u16, wrong: Option<Box<Illegal>>) -> Self {
        Self { decoded: Decoded { word, form }, wrong, kind: PhantomData }
    }

    #[cold]
    #[inline(never)]
    fn without_form(kind: &Kind) -> Self {
        let insn = super::form::insn_name(I::Isa::tables(), kind.first);
        Self::at_defaults(kind.first).or_wrong(Illegal::NoForm { insn })
    }

    #[cold]
    fn or_wrong(mut self, wrong: Illegal) -> Self {
        self.wrong.get_or_insert_with(|| Box::new(wrong));
        self
    }

    /// The draft with another value of a member that all instructions have at the same bits.
    #[doc(hidden)]
    #[must_use]
    #[inline]
    pub fn with_common<T, M>(mut self, places: &'static [Place], value: impl Operand<T, M>) -> Self
    where
        M: Member<<I::Isa as Isa>::Word>,
    {
        let word = self.decoded.word;
        let written = value.operand().and_then(|value| Ok(value.write(word, &mut Places::new(places))?));
        match written {
            Ok(word) => {
                self.decoded.word = word;
                self
            }
            Err(why) => self.or_wrong(why),
        }
    }

    /// The draft with another value of a member, or with one converted from `value`.
    #[doc(hidden)]
    #[must_use]
    #[inline(always)]
    pub fn with_operand<T, M>(self, kind: &Kind, member: usize, value: impl Operand<T, M>) -> Self
    where
        M: Member<<I::Isa as Isa>::Word>,
    {
        self.with(kind, member, value.operand())
    }

    /// The draft with another value of a member. If the member is a choice, members common to the old and the new form keep their
    /// values, and the others are at their defaults.
    #[doc(hidden)]
    #[must_use]
    #[inline(always)]
    pub fn with<M>(self, kind: &Kind, member: usize, value: Result<M, Illegal>) -> Self
    where
        M: Member<<I::Isa as Isa>::Word>,
    {
        let Self { decoded: Decoded { word, form }, wrong, kind: _ } = self;
        let value = match value {
            Ok(value) => value,
            Err(why) => {
                let wrong = Some(wrong.unwrap_or_else(|| boxed(why)));
                return Self::of_parts(word, form, wrong);
            }
        };
        let place = &kind.members[member];
        match place.write(word, form.wrapping_sub(kind.first), value) {
            Some(Ok(word)) => Self::of_parts(word, form, wrong),
            _ => {
                let (word, form, wrong) = Self::with_other((word, form, wrong), kind, place, value);
                Self::of_parts(word, form, wrong)
            }
        }
    }

    /// The same if that takes another form, or is an error.
    #[inline(never)]
    fn with_other<M: Member<<I::Isa as Isa>::Word>>(
        (word, form, wrong): Parts<I>,
        kind: &Kind,
        place: &Placed,
        value: M,
    ) -> Parts<I> {
        let mut draft = Self::of_parts(word, form, wrong);
        if let Err(why) = draft.set(kind, place, value) {
            draft = draft.or_wrong(why);
        }
        let Self { decoded: Decoded { word, form }, wrong, .. } = draft;
        (word, form, wrong)
    }

    fn set<M: Member<<I::Isa as Isa>::Word>>(&mut self, kind: &Kind, place: &Placed, value: M) -> Result<(), Illegal> {
        if let Some(slot) = &place.slot {
            self.choose(kind, place, slot, value.pick())?;
        }
        let Decoded { word, form } = self.decoded;
        let absent = || Illegal::Absent { form: super::form::name(I::Isa::tables(), form), member: place.name };
        self.decoded.word = place.write(word, form.wrapping_sub(kind.first), value).ok_or_else(absent)??;
        Ok(())
    }

    /// Chooses another alternative of a choice.
    fn choose(&mut self, kind: &Kind, place: &Placed, slot: &Slot, alternative: u16) -> Result<(), Illegal> {
        let tables = I::Isa::tables();
        let old = self.decoded.form.wrapping_sub(kind.first);
        let number = kind.picks.iter().position(|form| *form == old).unwrap_or(0) as u32;
        let Slot { stride, count } = *slot;
        let before = number / stride.max(1) % count.max(1) * stride;
        let pick = number.wrapping_sub(before).wrapping_add(u32::from(alternative).wrapping_mul(stride));
        let none = || Illegal::NoForm { insn: super::form::insn_name(tables, self.decoded.form) };
        let new = kind.form(pick).ok_or_else(none)?;
        if new != old
            && let (Some(from), Some(to)) = (tables.form(kind.first + old), tables.form(kind.first + new))
        {
            let keep = !(from.mask | to.mask | place.mask(old) | place.mask(new));
            self.decoded.word = (self.decoded.word & keep) | (to.default & !keep);
            self.decoded.form = kind.first + new;
        }
        Ok(())
    }

    /// The instruction.
    ///
    /// # Errors
    /// When the word is not an instruction, or another one, or a value did not fit.
    #[inline]
    pub fn finish(self) -> Result<I, Illegal> {
        let Self { decoded: Decoded { word, form }, wrong, kind: _ } = self;
        let tables = I::Isa::tables();
        let bits = tables.form(form).map_or(0, |form| form.length.into());
        let found = tables.find_form(word, bits);
        if wrong.is_none()
            && found == Some(form)
            && let Some(insn) = I::of_checked(Checked(Decoded { word, form }))
        {
            return Ok(insn);
        }
        Self::finish_other(word, wrong, found, bits)
    }

    /// The instruction if the word is of another form, or the error.
    #[inline(never)]
    fn finish_other(
        word: <I::Isa as Isa>::Word,
        wrong: Option<Box<Illegal>>,
        found: Option<u16>,
        bits: u32,
    ) -> Result<I, Illegal> {
        if let Some(wrong) = wrong {
            return Err(*wrong);
        }
        let tables = I::Isa::tables();
        match found {
            Some(form) => {
                let other = || Illegal::Other { form: super::form::name(tables, form) };
                I::Isa::insn(Decoded { word, form }).and_then(|insn| I::try_from(insn).ok()).ok_or_else(other)
            }
            None => Err(Illegal::Word(Box::new(tables.refusal(word, bits)))),
        }
    }
}
