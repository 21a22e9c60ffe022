//! Pairs of forms one after the other, with what is known of each form.

use super::comparison::{Bounds, Comparison, PAIR, SECOND};
use super::side::{Side, import};
use super::texts::Texts;
use super::{Spelt, Verdict, pair_order, same, untold};
use isa_model::model::{Form, FormId, Isa};
use isa_model::sets::{Order, Set, Solver, TooLarge};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The orders of bits for pairs of words, by their lengths.
#[derive(Default)]
pub struct Orders(BTreeMap<[u32; 2], Order>);

impl Orders {
    /// The orders that these pairs of forms need.
    pub fn of<'f>(isa: &Isa, pairs: impl Iterator<Item = (&'f Form, &'f Form)>) -> Self {
        let mut orders = Self::default();
        for (a, b) in pairs {
            orders.0.entry([a.length, b.length]).or_insert_with(|| pair_order([isa; 2], [a, b]));
        }
        orders
    }
}

/// Compares the texts of pairs of forms.
pub struct Comparer<'t, 'f> {
    texts: &'t Texts<'f>,
    orders: &'t Orders,
    /// Made with coarse solvers, by the lengths of the forms.
    coarse: BTreeMap<[u32; 2], Known<'t, 'f>>,
    exact: BTreeMap<[u32; 2], Known<'t, 'f>>,
}

/// The work shared by comparisons of forms of two lengths: their sides, with the first step of each, and the sets of these.
struct Known<'t, 'f> {
    solver: Solver<'t>,
    sides: FxHashMap<(usize, FormId), (Side<'t, 'f>, usize)>,
}

impl<'t, 'f> Comparer<'t, 'f> {
    /// Compares forms whose texts these are; `orders` are those of its pairs.
    pub fn new(texts: &'t Texts<'f>, orders: &'t Orders) -> Self {
        Self { texts, orders, coarse: BTreeMap::new(), exact: BTreeMap::new() }
    }

    /// True if nothing prevents [`Self::compare`] from deciding, seen without its sets.
    pub fn can_decide(&mut self, a: &'f Form, b: &'f Form) -> bool {
        a.id == b.id && untold(a).is_some() || self.coarse([a, b]).is_some_and(|found| !found.is_open)
    }

    /// Decides whether a word of `a` and one of `b` have a text in common, with what `--full` adds to it; of one form, two words that differ in
    /// more than bits that are kept.
    pub fn compare(&mut self, a: &'f Form, b: &'f Form) -> Verdict {
        if a.id == b.id
            && let Some(words) = untold(a)
        {
            return Verdict::Same(words);
        }
        if self.coarse([a, b]).is_some_and(|found| found.is_apart) {
            return Verdict::Apart;
        }
        let lengths = [a.length, b.length];
        let Some(order) = self.orders.0.get(&lengths) else { return Verdict::Undecided };
        let from = match self.with_known(order, [a, b]) {
            Ok(Verdict::Undecided) => 1,
            Ok(verdict) => return verdict,
            // Too much may be known.
            Err(TooLarge) => {
                self.exact.remove(&lengths);
                0
            }
        };
        // Values are spelt out, where there are few, only if digits of a number meet other characters.
        for spelt in &Spelt::ALL[from..] {
            let mut comparison = Comparison::new(order, PAIR, [self.texts; 2], [a, b], *spelt);
            match comparison.same_texts().and_then(|found| verdict(&mut comparison, found)) {
                Ok(Verdict::Undecided) => {}
                Ok(verdict) => return verdict,
                Err(TooLarge) => return Verdict::Undecided,
            }
        }
        Verdict::Undecided
    }

    /// The result of comparing two forms without sets; `None` if it takes too long.
    fn coarse(&mut self, forms: [&'f Form; 2]) -> Option<Coarse> {
        let lengths = forms.map(|form| form.length);
        let order = self.orders.0.get(&lengths)?;
        let known = self.coarse.entry(lengths).or_insert_with(|| Known::new(Solver::coarse(order)));
        let seen = known.compare(self.texts, order, forms, |comparison, found| {
            Ok(Coarse { is_apart: found.most == Set::NONE, is_open: comparison.is_open })
        });
        if seen.is_err() {
            self.coarse.remove(&lengths);
        }
        seen.ok()
    }

    /// The verdict where no fields are spelt out.
    fn with_known(&mut self, order: &'t Order, forms: [&'f Form; 2]) -> Result<Verdict, TooLarge> {
        let empty = || Known::new(Solver::new(order));
        let known = self.exact.entry(forms.map(|form| form.length)).or_insert_with(empty);
        if known.solver.is_filling() {
            *known = empty();
        }
        known.compare(self.texts, order, forms, verdict)
    }
}

/// The result of a comparison without sets.
#[derive(Clone, Copy)]
struct Coarse {
    /// No text of the one is a text of the other.
    is_apart: bool,
    /// A case was met that is not decided.
    is_open: bool,
}

impl<'t, 'f> Known<'t, 'f> {
    fn new(solver: Solver<'t>) -> Self {
        Self { solver, sides: FxHashMap::default() }
    }

    /// Passes the pairs of words with the same text to `of`. If that exceeds the limits, the sides are dropped.
    fn compare<T>(
        &mut self,
        texts: &'t Texts<'f>,
        order: &'t Order,
        forms: [&'f Form; 2],
        of: impl FnOnce(&mut Comparison<'t, 'f>, Bounds) -> Result<T, TooLarge>,
    ) -> Result<T, TooLarge> {
        let mut side = |number: usize| match self.sides.remove(&(number, forms[number].id)) {
            Some(side) => Ok(side),
            None => {
                let mut side = Side::new(texts, forms[number], number as u32 * SECOND, Spelt::ALL[0]);
                let first = side.whole(&mut self.solver)?;
                Ok((side, first))
            }
        };
        let ((first, at), (second, to)) = (side(0)?, side(1)?);
        let solver = std::mem::replace(&mut self.solver, Solver::new(order));
        let mut comparison = Comparison::of_sides(order, [first, second], solver);
        let found = comparison.same_from([at, to]).and_then(|found| of(&mut comparison, found))?;
        let Comparison { sides: [first, second], solver, .. } = comparison;
        self.solver = solver;
        self.sides.insert((0, forms[0].id), (first, at));
        self.sides.insert((1, forms[1].id), (second, to));
        Ok(found)
    }
}

/// Decides whether the forms of a comparison have words with a text in common, of the pairs of words that print one.
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
