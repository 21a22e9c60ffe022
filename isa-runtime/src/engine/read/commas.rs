//! What stands behind the commas of a text: templates that have the same words differ in it, as their operands are of other kinds.

use super::super::Bits;
use super::super::tables::{DIFFERS, EITHER, END, FULL, HOLDS, LITERAL, VALUE};
use super::ready::{Other, Part, Ready};
use crate::value::Style;
use alloc::vec::Vec;

/// So many commas are looked at, the first ones.
const COMMAS: usize = 4;

/// The characters that can stand behind each comma and the blanks that follow it, one bit each; the lowest one stands for the end of the
/// text, the highest one for all that are not ASCII.
#[derive(Clone, Copy, Debug)]
pub(super) struct Behind([u128; COMMAS]);

/// The characters that stand there in a text.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Commas {
    behind: [u8; COMMAS],
    count: usize,
}

impl Commas {
    /// Adds the comma at a place of the text.
    #[inline]
    pub(super) fn add(&mut self, text: &[u8], at: usize) {
        if let Some(behind) = self.behind.get_mut(self.count) {
            *behind = text[at + 1..].iter().copied().find(|c| *c != b' ').unwrap_or(0).min(127);
            self.count += 1;
        }
    }
}

impl Behind {
    /// Nothing is known.
    const ANY: Self = Self([u128::MAX; COMMAS]);

    /// Whether a text can have these characters behind its commas.
    #[inline]
    pub(super) fn can_have(&self, commas: &Commas) -> bool {
        self.0.iter().zip(&commas.behind[..commas.count]).all(|(set, c)| set >> c & 1 == 1)
    }

    fn or(self, other: Self) -> Self {
        Self(core::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    /// The same with a comma before all others.
    fn after(self, behind: u128) -> Self {
        Self(core::array::from_fn(|i| if i == 0 { behind } else { self.0[i - 1] }))
    }
}

/// What stands behind the commas of texts from each step on, where they are as they are printed.
pub(super) fn behind<W: Bits>(tables: &Ready<'_, W>) -> impl Fn(u32) -> Behind + use<W> {
    let mut steps: Vec<(u128, Behind)> = Vec::with_capacity(tables.steps.len());
    for step in &tables.steps {
        // Steps stand behind those that they go on at.
        let of = |step: u32| steps.get(step as usize).copied().unwrap_or((u128::MAX, Behind::ANY));
        let (next, later) = of(step.next);
        let (begins, behind) = match step.kind {
            END => (1, Behind([0; COMMAS])),
            FULL => (1 | 1 << b' ', of(step.body).1),
            LITERAL => {
                let text = tables.literal(step).text;
                let first = |text: &[u8]| text.first().map_or(next, |c| 1 << c.min(&127));
                let commas = text.iter().enumerate().rev().filter(|(_, c)| **c == b',');
                let behind = commas.fold(later, |later, (at, _)| {
                    let next = first(text[at + 1..].trim_ascii_start());
                    // Blanks are left out.
                    later.after(if next >> b' ' & 1 == 1 { u128::MAX } else { next })
                });
                (first(text), behind)
            }
            VALUE => {
                let parts = tables.spelling_parts(step);
                // Names of places are not printed.
                let is_number = tables.only_part(step).and_then(Part::style).is_some_and(|s| !matches!(s, Style::Float(_)));
                let begins = if is_number { DIGITS_AND_SIGN } else { u128::MAX };
                (begins, if parts.iter().any(Part::may_have_commas) { Behind::ANY } else { later })
            }
            HOLDS | DIFFERS | EITHER => {
                let (body, inside) = of(step.body);
                (body | next, inside.or(later))
            }
            _ => (u128::MAX, Behind::ANY),
        };
        steps.push((begins & tables.initials(step), behind));
    }
    move |step| steps.get(step as usize).map_or(Behind::ANY, |(_, behind)| *behind)
}

/// What numbers begin with as they are printed.
const DIGITS_AND_SIGN: u128 = 0x3ff << b'0' | 1 << b'-';

impl Part<'_> {
    /// Whether some of its texts may have a comma.
    fn may_have_commas(&self) -> bool {
        let has = |text: &[u8]| text.contains(&b',');
        self.names().iter().any(|name| has(name.text.text))
            || match &self.other {
                Other::None | Other::Number(_) => false,
                Other::Numbered(of) => has(of.before.text) || has(of.after.text) || of.halves.iter().any(|half| has(half.text)),
                Other::Given => true,
            }
    }
}
