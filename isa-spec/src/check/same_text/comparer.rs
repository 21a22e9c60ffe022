//! Pairs of forms one after the other, with what is known of each form.

use super::comparison::{Bounds, Comparison, SECOND};
use super::side::{Side, import};
use super::texts::Texts;
use super::{Spelt, Verdict, pair_order, same, untold};
use crate::model::{Form, FormId, Isa};
use crate::sets::{Order, Set, Solver, TooLarge};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The orders of bits for pairs of words, by their lengths.
#[derive(Default)]
pub(crate) struct Orders(BTreeMap<[u32; 2], Order>);

impl Orders {
    /// Those that these pairs of forms need.
    pub(crate) fn of<'f>(isa: &Isa, pairs: impl Iterator<Item = (&'f Form, &'f Form)>) -> Self {
        let mut orders = Self::default();
        for (a, b) in pairs {
            orders.0.entry([a.length, b.length]).or_insert_with(|| pair_order([isa; 2], [a, b]));
        }
        orders
    }
}

/// Compares the texts of pairs of forms.
pub(crate) struct Comparer<'t, 'f> {
    texts: &'t Texts<'f>,
    orders: &'t Orders,
    known: BTreeMap<[u32; 2], Known<'t, 'f>>,
}

/// What is known of forms of two lengths: their sides, with the first step of each, and the sets of these.
struct Known<'t, 'f> {
    solver: Solver<'t>,
    sides: FxHashMap<(usize, FormId), (Side<'t, 'f>, usize)>,
}

impl<'t, 'f> Comparer<'t, 'f> {
    pub(crate) fn new(texts: &'t Texts<'f>, orders: &'t Orders) -> Self {
        Self { texts, orders, known: BTreeMap::new() }
    }

    /// Whether a word of `a` and one of `b` have a text in common, with what `--full` adds to it; of one form, two words that differ in
    /// more than bits that are kept.
    pub(crate) fn compare(&mut self, a: &'f Form, b: &'f Form) -> Verdict {
        if a.id == b.id && self.texts.says_all(a) {
            return Verdict::Apart;
        }
        if a.id == b.id
            && let Some(words) = untold(a)
        {
            return Verdict::Same(words);
        }
        let lengths = [a.length, b.length];
        let Some(order) = self.orders.0.get(&lengths) else { return Verdict::Undecided };
        let from = match self.with_known(order, [a, b]) {
            Ok(Verdict::Undecided) => 1,
            Ok(verdict) => return verdict,
            // Too much may be known.
            Err(TooLarge) => {
                self.known.remove(&lengths);
                0
            }
        };
        // Values are spelt out, where there are few, only if digits of a number meet other characters.
        for spelt in &Spelt::ALL[from..] {
            let mut comparison = Comparison::new(order, [self.texts; 2], [a, b], *spelt);
            match comparison.same_texts().and_then(|found| verdict(&mut comparison, found)) {
                Ok(Verdict::Undecided) => {}
                Ok(verdict) => return verdict,
                Err(TooLarge) => return Verdict::Undecided,
            }
        }
        Verdict::Undecided
    }

    /// The verdict where no fields are spelt out.
    fn with_known(&mut self, order: &'t Order, forms: [&'f Form; 2]) -> Result<Verdict, TooLarge> {
        let [a, b] = forms;
        let empty = || Known { solver: Solver::new(order), sides: FxHashMap::default() };
        let known = self.known.entry([a.length, b.length]).or_insert_with(empty);
        if known.solver.nodes() > MOST_KNOWN {
            *known = empty();
        }
        let mut side = |number: usize| match known.sides.remove(&(number, forms[number].id)) {
            Some(side) => Ok(side),
            None => {
                let mut side = Side::new(self.texts, forms[number], number as u32 * SECOND, Spelt::ALL[0]);
                let first = side.whole(&mut known.solver)?;
                Ok((side, first))
            }
        };
        let ((first, at), (second, to)) = (side(0)?, side(1)?);
        let solver = std::mem::replace(&mut known.solver, Solver::new(order));
        let mut comparison = Comparison::of_sides(order, [first, second], solver);
        let found = comparison.same_from([at, to]).and_then(|found| verdict(&mut comparison, found))?;
        let Comparison { sides: [first, second], solver, .. } = comparison;
        known.solver = solver;
        known.sides.insert((0, a.id), (first, at));
        known.sides.insert((1, b.id), (second, to));
        Ok(found)
    }
}

/// With more nodes than this, sets take longer to find than to make again.
const MOST_KNOWN: usize = 1 << 14;

/// Whether the forms of a comparison have words with a text in common, of the pairs of words that print one.
fn verdict(comparison: &mut Comparison<'_, '_>, mut found: Bounds) -> Result<Verdict, TooLarge> {
    if found.most == Set::NONE {
        return Ok(Verdict::Apart);
    }
    let forms = [0, 1].map(|side| comparison.sides[side].form);
    for (side, form) in forms.into_iter().enumerate() {
        for words in [&form.words, &form.legal] {
            let words = import(&mut comparison.solver, words, side as u32 * SECOND)?;
            found = found.among(words, &mut comparison.solver)?;
        }
    }
    if forms[0].id == forms[1].id {
        let same = same(comparison, forms[0])?;
        let others = comparison.solver.attempt(|solver| solver.not(same))?;
        found = found.among(others, &mut comparison.solver)?;
    }
    Ok(match comparison.witness(found.least) {
        Some(words) => Verdict::Same(words),
        None if found.most == Set::NONE => Verdict::Apart,
        None => Verdict::Undecided,
    })
}
