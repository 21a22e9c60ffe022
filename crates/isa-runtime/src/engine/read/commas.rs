//! The characters that follow the commas of a text. They distinguish templates with the same words, whose operands have different
//! kinds.

use super::super::Bits;
use super::super::tables::{DIFFERS, EITHER, END, FULL, HOLDS, LITERAL, VALUE};
use super::ready::{Other, Part, Ready};
use crate::value::Style;
use alloc::vec::Vec;

/// The number of commas considered, the first ones of a text.
const COMMAS: usize = 4;

/// The characters that can follow each comma and its blanks, one bit each; the lowest bit is the end of the text, the highest one
/// all characters that are not ASCII.
#[derive(Clone, Copy, Debug)]
pub(super) struct Following([u128; COMMAS]);

/// The characters that follow the commas of a text.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Commas {
    following: [u8; COMMAS],
    count: usize,
}

impl Commas {
    /// Adds the comma at a place of the text.
    #[inline]
    pub(super) fn add(&mut self, text: &[u8], at: usize) {
        if let Some(following) = self.following.get_mut(self.count) {
            *following = text[at + 1..].iter().copied().find(|c| *c != b' ').unwrap_or(0).min(127);
            self.count += 1;
        }
    }
}

impl Following {
    /// Any character can follow.
    const ANY: Self = Self([u128::MAX; COMMAS]);

    /// Returns true if these characters can follow the commas of a text.
    #[inline]
    pub(super) fn can_have(&self, commas: &Commas) -> bool {
        self.0.iter().zip(&commas.following[..commas.count]).all(|(set, c)| set >> c & 1 == 1)
    }

    fn or(self, other: Self) -> Self {
        Self(core::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    /// The same with a comma before all others.
    fn after(self, following: u128) -> Self {
        Self(core::array::from_fn(|i| if i == 0 { following } else { self.0[i - 1] }))
    }
}

/// The characters that follow the commas of texts from each step on, where texts are as they are printed.
pub(super) fn following<W: Bits>(tables: &Ready<'_, W>) -> impl Fn(u32) -> Following + use<W> {
    let mut steps: Vec<(u128, Following)> = Vec::with_capacity(tables.steps.len());
    for step in &tables.steps {
        // Steps come after their successors.
        let of = |step: u32| steps.get(step as usize).copied().unwrap_or((u128::MAX, Following::ANY));
        let (next, later) = of(step.next);
        let (begins, following) = match step.kind {
            END => (1, Following([0; COMMAS])),
            FULL => (1 | 1 << b' ', of(step.body).1),
            LITERAL => {
                let text = tables.literal(step).text;
                let first = |text: &[u8]| text.first().map_or(next, |c| 1 << c.min(&127));
                let commas = text.iter().enumerate().rev().filter(|(_, c)| **c == b',');
                let following = commas.fold(later, |later, (at, _)| {
                    let rest = &text[at + 1..];
                    let blanks = rest.iter().take_while(|c| **c == b' ').count();
                    let next = first(&rest[blanks..]);
                    // More blanks can follow.
                    later.after(if next >> b' ' & 1 == 1 { u128::MAX } else { next })
                });
                (first(text), following)
            }
            VALUE => {
                let parts = tables.spelling_parts(step);
                // Names of places are not printed.
                let is_number = tables.only_part(step).and_then(Part::style).is_some_and(|s| !matches!(s, Style::Float(_)));
                let begins = if is_number { DIGITS_AND_SIGN } else { u128::MAX };
                (begins, if parts.iter().any(Part::may_have_commas) { Following::ANY } else { later })
            }
            HOLDS | DIFFERS | EITHER => {
                let (body, inside) = of(step.body);
                (body | next, inside.or(later))
            }
            _ => (u128::MAX, Following::ANY),
        };
        steps.push((begins & tables.initials(step), following));
    }
    move |step| steps.get(step as usize).map_or(Following::ANY, |(_, following)| *following)
}

/// The characters that numbers begin with as they are printed.
const DIGITS_AND_SIGN: u128 = 0x3ff << b'0' | 1 << b'-';

impl Part<'_> {
    /// Returns true if some of its texts may have a comma.
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
