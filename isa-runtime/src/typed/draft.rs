//! Instructions that are being built or changed.

use super::member::{Kind, Member, Placed, Slot};
use super::{Decoded, Instruction, Isa};
use crate::error::OutOfRange;
use crate::why::Why;
use alloc::boxed::Box;
use core::fmt;
use core::marker::PhantomData;

/// Why an instruction can't be built like that.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Illegal {
    /// The word would be no instruction.
    Word(Box<Why<'static>>),
    /// The word would be another instruction.
    Other {
        /// The form of that instruction.
        form: &'static str,
    },
    /// A value has more bits than its field.
    Range(OutOfRange),
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

/// An instruction that is being built or changed. The first thing that goes wrong is what [`Draft::finish`] reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft<I: Instruction> {
    decoded: Decoded<I::Isa>,
    wrong: Option<Illegal>,
    kind: PhantomData<I>,
}

impl<I: Instruction> Draft<I> {
    /// An instruction that is to be changed.
    pub fn of(insn: I) -> Self {
        Self { decoded: *insn, wrong: None, kind: PhantomData }
    }

    /// The instruction of these alternatives, everything else at its default.
    #[doc(hidden)]
    pub fn new(kind: &Kind, pick: u32) -> Self {
        let tables = I::Isa::tables();
        let picked = kind.form(pick);
        let number = kind.first + picked.unwrap_or(0);
        let word = tables.form(number).map_or_else(Default::default, |form| form.default);
        let wrong = picked.is_none().then(|| Illegal::NoForm { insn: super::form::insn_name(tables, number) });
        Self { decoded: Decoded { word, form: number }, wrong, kind: PhantomData }
    }

    /// With another value of a member. Of a choice: what the old form and the new one both have stays, and what only the new one has
    /// is at its default.
    #[doc(hidden)]
    #[must_use]
    pub fn with<M: Member<<I::Isa as Isa>::Word>>(mut self, kind: &Kind, member: usize, value: M) -> Self {
        if let Err(why) = self.set(kind, &kind.members[member], value) {
            self.wrong = self.wrong.or(Some(why));
        }
        self
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

    /// With another alternative of a choice.
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
    pub fn finish(self) -> Result<I, Illegal> {
        if let Some(wrong) = self.wrong {
            return Err(wrong);
        }
        let tables = I::Isa::tables();
        let Decoded { word, form } = self.decoded;
        let bits = tables.form(form).map_or(0, |form| form.length.into());
        match tables.find_form(word, bits) {
            Some(form) => {
                let other = || Illegal::Other { form: super::form::name(tables, form) };
                I::Isa::insn(Decoded { word, form }).and_then(|insn| I::try_from(insn).ok()).ok_or_else(other)
            }
            None => Err(Illegal::Word(Box::new(tables.refusal(word, bits)))),
        }
    }
}
