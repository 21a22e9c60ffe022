//! Instructions that are being built or changed.

use super::member::{Cases, Member};
use super::{Decoded, Instruction, Isa, WordOf};
use crate::engine::refusal::Refusal;
use crate::error::OutOfRange;
use alloc::boxed::Box;
use core::fmt;
use core::marker::PhantomData;

/// Why an instruction can't be built like that.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Illegal {
    /// The word would be no instruction.
    Word(Box<Refusal>),
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

/// The forms of an instruction, by the alternatives that they pick.
#[derive(Clone, Copy, Debug)]
pub struct Forms {
    /// The first form.
    pub first: u16,
    /// For each combination of alternatives the form, counted from the first; [`NO_FORM`] where there is none.
    pub picks: &'static [u16],
}

/// There is no form with these alternatives.
pub const NO_FORM: u16 = u16::MAX;

/// How a choice counts in the number of a combination of alternatives.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    /// What one alternative counts.
    pub stride: u32,
    /// How many alternatives there are.
    pub count: u32,
}

/// An instruction that is being built or changed. The first thing that goes wrong is what [`Draft::finish`] reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft<I: Instruction> {
    decoded: Decoded<WordOf<I>>,
    wrong: Option<Illegal>,
    kind: PhantomData<I>,
}

impl<I: Instruction> Draft<I> {
    /// An instruction that is to be changed.
    pub fn of(insn: I) -> Self {
        Self { decoded: insn.decoded(), wrong: None, kind: PhantomData }
    }

    /// The instruction of these alternatives, everything else at its default.
    pub fn new(forms: &Forms, pick: u32) -> Self {
        let tables = I::Isa::tables();
        let picked = forms.picks.get(pick as usize).copied().unwrap_or(NO_FORM);
        let number = if picked == NO_FORM { forms.first } else { forms.first + picked };
        let word = tables.form(number).map_or_else(Default::default, |form| form.default);
        let wrong = (picked == NO_FORM).then(|| Illegal::NoForm { insn: super::form::insn_name(tables, number) });
        Self { decoded: Decoded { word, form: number }, wrong, kind: PhantomData }
    }

    /// With another value of a member.
    #[must_use]
    pub fn with<M: Member<WordOf<I>>>(mut self, forms: &Forms, cases: &Cases, member: &'static str, value: M) -> Self {
        let form = self.decoded.form.wrapping_sub(forms.first);
        let wrong = match cases.write(self.decoded.word, form, value) {
            Some(Ok(word)) => {
                self.decoded.word = word;
                None
            }
            Some(Err(why)) => Some(why.into()),
            None => Some(Illegal::Absent { form: super::form::name(I::Isa::tables(), self.decoded.form), member }),
        };
        if self.wrong.is_none() {
            self.wrong = wrong;
        }
        self
    }

    /// With another alternative of a choice: what the old form and the new one both have stays, and what only the new one has is at
    /// its default.
    #[must_use]
    pub fn choose<M: Member<WordOf<I>>>(
        mut self,
        forms: &Forms,
        cases: &Cases,
        member: &'static str,
        value: M,
        slot: Slot,
    ) -> Self {
        let old = self.decoded.form.wrapping_sub(forms.first);
        let number = forms.picks.iter().position(|form| *form == old).unwrap_or(0) as u32;
        let Slot { stride, count } = slot;
        let before = number / stride.max(1) % count.max(1) * stride;
        let pick = number.wrapping_sub(before).wrapping_add(u32::from(value.pick()).wrapping_mul(stride));
        let Some(new) = forms.picks.get(pick as usize).copied().filter(|form| *form != NO_FORM) else {
            let insn = super::form::insn_name(I::Isa::tables(), self.decoded.form);
            self.wrong = self.wrong.or(Some(Illegal::NoForm { insn }));
            return self;
        };
        if new != old {
            let tables = I::Isa::tables();
            if let (Some(from), Some(to)) = (tables.form(forms.first + old), tables.form(forms.first + new)) {
                let keep = !(from.mask | to.mask | cases.mask(old) | cases.mask(new));
                self.decoded.word = (self.decoded.word & keep) | (to.default & !keep);
                self.decoded.form = forms.first + new;
            }
        }
        self.with(forms, cases, member, value)
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
                I::from_decoded(Decoded { word, form }).ok_or_else(other)
            }
            None => Err(Illegal::Word(Box::new(tables.refusal(word, bits)))),
        }
    }
}
