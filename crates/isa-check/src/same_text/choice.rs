//! The words that a text is not read as, where several have it.

use super::comparison::{Comparison, PAIR, SECOND};
use super::side::import;
use super::texts::Texts;
use super::{Spelt, pair_order};
use isa_model::model::{Form, Piece};
use isa_model::sets::{Set, TooLarge, WordSet};
use std::collections::BTreeMap;

/// A text that is printed or read, of a form.
#[derive(Clone, Copy, Debug)]
pub struct Template<'f> {
    /// The form.
    pub form: &'f Form,
    /// One of its texts.
    pub text: &'f [Piece],
}

/// The words of the first set, with the first template, whose text is also that of a word of the second set, with the second
/// template, which is read first. For one template, a word is read first if it has a group that the other lacks, or is nearer to
/// the defaults. `None` if that can't be decided.
///
/// # Errors
/// If sets become too large.
pub fn losers<'f>(texts: &Texts<'f>, templates: [Template<'f>; 2], among: [&WordSet; 2]) -> Result<Option<WordSet>, TooLarge> {
    if among.iter().any(|words| words.is_empty()) {
        return Ok(Some(WordSet::empty()));
    }
    let order = pair_order([texts.isa; 2], templates.map(|of| of.form));
    let is_own = std::ptr::eq(templates[0].text, templates[1].text);
    let new = |spelt| Comparison::new(&order, PAIR, [texts; 2], templates.map(|of| of.form), spelt);
    let [first, second] =
        [0, 1].map(|side| [&templates[side].form.words, among[side]].map(|words| (words, side as u32 * SECOND)));
    decided(new, templates, [first, second].as_flattened(), |comparison, mut set| {
        if is_own && set != Set::NONE {
            let Ways { earlier, same } = ways(comparison, templates[0].text)?;
            let nearer = nearer(comparison, templates[0].form)?;
            set = comparison.solver.attempt(|solver| {
                let nearer = solver.and(same, nearer)?;
                let first = solver.or(earlier, nearer)?;
                solver.and(set, first)
            })?;
        }
        comparison.solver.attempt(|solver| solver.any_value(set, |bit| bit >= SECOND))
    })
}

/// The words for which both versions of a template print the same text. `None` if that can't be decided.
///
/// # Errors
/// If sets become too large.
pub fn unchanged<'f>(texts: [&Texts<'f>; 2], templates: [Template<'f>; 2]) -> Result<Option<WordSet>, TooLarge> {
    let forms = templates.map(|template| template.form);
    let order = texts[1].isa.order(forms[1].length);
    let among = forms.map(|form| [(&form.words, 0), (&form.legal, 0)]);
    let new = |spelt| Comparison::new(order, [0, 0], texts, forms, spelt);
    decided(new, templates, among.as_flattened(), |_, set| Ok(set))
}

/// A set made of the pairs among these that have the same text by two templates; `None` if no comparison decides which have it.
fn decided<'t, 'f: 't>(
    new: impl Fn(Spelt) -> Comparison<'t, 'f>,
    templates: [Template<'f>; 2],
    among: &[(&WordSet, u32)],
    of: impl Fn(&mut Comparison<'t, 'f>, Set) -> Result<Set, TooLarge>,
) -> Result<Option<WordSet>, TooLarge> {
    for spelt in Spelt::ALL {
        let mut comparison = new(spelt);
        let mut found = comparison.same_of(templates.map(|template| template.text))?;
        for (words, shift) in among {
            let words = import(&mut comparison.solver, words, *shift)?;
            found = found.among(words, &mut comparison.solver)?;
        }
        if found.least == found.most {
            let set = of(&mut comparison, found.least)?;
            return Ok(Some(comparison.solver.freeze(set)));
        }
    }
    Ok(None)
}

/// Pairs of words that are read by one template: those of which the second one is read first, since it has a group where the first one
/// has none, and those that have the same groups.
struct Ways {
    earlier: Set,
    same: Set,
}

fn ways<'f>(comparison: &mut Comparison<'_, 'f>, text: &'f [Piece]) -> Result<Ways, TooLarge> {
    let mut ways = Ways { earlier: Set::NONE, same: Set::ALL };
    let mut open: Vec<(&Piece, [Set; 2])> = text.iter().rev().map(|piece| (piece, [Set::ALL; 2])).collect();
    while let Some((piece, around)) = open.pop() {
        let Piece::Group { when, body } = piece else { continue };
        let mut inside = around;
        for (side, inside) in comparison.sides.iter().zip(&mut inside) {
            let holds = side.holds(when, &mut comparison.solver)?;
            *inside = comparison.solver.attempt(|solver| solver.and(*inside, holds))?;
        }
        ways = comparison.solver.attempt(|solver| {
            let (only_first, only_second) = (solver.minus(inside[0], inside[1])?, solver.minus(inside[1], inside[0])?);
            let second = solver.and(ways.same, only_second)?;
            let either = solver.or(only_first, only_second)?;
            Ok(Ways { earlier: solver.or(ways.earlier, second)?, same: solver.minus(ways.same, either)? })
        })?;
        open.extend(body.iter().rev().map(|piece| (piece, inside)));
    }
    Ok(ways)
}

/// The pairs of words of a form of which the second is nearer to its defaults: it differs from them in fewer bits, or in as many and is
/// the smaller number.
fn nearer(comparison: &mut Comparison<'_, '_>, form: &Form) -> Result<Set, TooLarge> {
    let (order, default) = (comparison.order, form.default_word());
    let solver = &mut comparison.solver;
    let mut bits: Vec<u32> = (0..form.length).filter(|bit| !form.mask.has(*bit)).collect();
    let mut smaller = Set::NONE;
    for bit in &bits {
        smaller = solver.attempt(|solver| {
            let (first, second) = (solver.bit(*bit)?, solver.bit(*bit + SECOND)?);
            let (less, more) = (solver.minus(first, second)?, solver.minus(second, first)?);
            let kept = solver.minus(smaller, more)?;
            solver.or(less, kept)
        })?;
    }
    // By how many bits more the second differs; from the last bit asked on, so that each step adds to the top of the diagrams.
    bits.sort_by_key(|bit| std::cmp::Reverse(order.level(*bit)));
    let mut more: BTreeMap<i32, Set> = BTreeMap::from([(0, Set::ALL)]);
    for bit in bits {
        let (first, second) = solver.attempt(|solver| {
            let (first, second) = (solver.bit(bit)?, solver.bit(bit + SECOND)?);
            if default.has(bit) { Ok((solver.not(first)?, solver.not(second)?)) } else { Ok((first, second)) }
        })?;
        let mut next: BTreeMap<i32, Vec<Set>> = BTreeMap::new();
        for (by, set) in more {
            let (differ, only_first, only_second) = solver.attempt(|solver| {
                let differ = solver.differ(first, second)?;
                let (only_first, only_second) = (solver.minus(first, second)?, solver.minus(second, first)?);
                Ok((solver.minus(set, differ)?, solver.and(set, only_first)?, solver.and(set, only_second)?))
            })?;
            for (by, set) in [(by, differ), (by - 1, only_first), (by + 1, only_second)] {
                next.entry(by).or_default().push(set);
            }
        }
        more = next.into_iter().map(|(by, sets)| Ok((by, solver.attempt_any(sets)?))).collect::<Result<_, TooLarge>>()?;
    }
    let mut all: Vec<Set> = more.range(..0).map(|(_, set)| *set).collect();
    let level = more.get(&0).copied().unwrap_or(Set::NONE);
    all.push(solver.attempt(|solver| solver.and(level, smaller))?);
    solver.attempt_any(all)
}
