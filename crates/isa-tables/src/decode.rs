//! From words to rows: the bits of the index, the rows of each place of the index, and the conditions of a row on a word.

use super::builder::{Builder, TRUTH_BITS, short, too_large};
use isa_model::diag::Diagnostic;
use isa_model::model::{BitRange, Form, FormId, Word, ones};
use isa_model::sets::{Cube, Set, Solver, TooLarge, WordSet};
use isa_runtime::engine::tables as t;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// The greatest number of bits of an index: 8 Ki rows of two bytes fit a first-level cache.
const INDEX_BITS: u32 = 12;

/// The greatest number of ranges of bits that are added up to an index.
const TERMS: usize = 3;

/// A form as the index sees it.
struct Leaf<'a> {
    form: &'a Form,
    /// The smallest cube around its legal words.
    hull: Cube,
    /// Further conditions, each with the bits that it depends on.
    parts: Vec<(Word, WordSet)>,
    table: u32,
    rest: u32,
}

/// Adds the lengths of an instruction set, with index and rows of each.
pub(super) fn lengths(b: &mut Builder<'_>) -> Result<(), Box<Diagnostic>> {
    // Row 0 has no words: its tests never hold.
    b.out.rows.push(t::Row::default());
    let all: BTreeSet<u32> = b.isa.forms.iter().map(|f| f.length).chain(b.isa.words.lengths.iter().map(|l| l.bits)).collect();
    for bits in all.iter().copied() {
        let mut leaves = Vec::new();
        for form in b.isa.forms.iter().filter(|f| f.length == bits) {
            leaves.extend(leaf(b, form)?);
        }
        let common = common_bits(&leaves);
        for leaf in &mut leaves {
            conditions(b, leaf, common)?;
        }
        let mask = index_bits(&leaves);
        let index = terms::<TERMS>(&runs(mask));
        let base = b.out.index.len() as u32;
        let mut rows = Rows::default();
        for at in 0..1usize << mask.count_ones() {
            let place = scatter(mask, at);
            let chain: Vec<usize> = (0..leaves.len()).filter(|i| meets(&leaves[*i].hull, mask, place)).collect();
            let row = rows.chain(b, &leaves, &chain)?;
            b.out.index.push(row);
        }
        // In a text-only instruction set, nothing begins with a word, and words are checked all the same.
        let length = b.isa.words.lengths.iter().find(|length| length.bits == bits);
        let row = t::Length {
            bits: bits as u16,
            index,
            base,
            truth: terms::<2>(&ranges(common).unwrap_or_default()),
            prefix: length.map_or(0, |length| b.set(&length.prefix)),
            words: length.map_or(1, |length| b.set(&length.words)),
            opcode: b.isa.opcode_bits(bits),
        };
        b.out.lengths.push(row);
    }
    for length in all.into_iter().filter(|bits| b.isa.forms.iter().any(|form| form.length == *bits)) {
        let order = b.isa.order(length).bits();
        let at = b.out.orders.len() as u32;
        b.out.orders.extend(order.iter().filter(|bit| u32::from(**bit) < length).map(|bit| *bit as u8));
        b.out.order_of.push(t::Order { bits: length as u16, order: t::Rows { at, len: b.out.orders.len() as u32 - at } });
    }
    Ok(())
}

/// True if some word of a cube has these bits where the index looks.
fn meets(cube: &Cube, mask: Word, bits: Word) -> bool {
    ((cube.value ^ bits) & cube.mask & mask).is_zero()
}

/// The value at the bits of a mask.
fn scatter(mask: Word, value: usize) -> Word {
    let set = mask.bits().enumerate().filter(|(i, _)| value >> i & 1 == 1);
    set.fold(Word::ZERO, |word, (_, bit)| word | Word::bit(bit))
}

/// The ranges of a mask, the lowest first, each in one limb of 64 bits.
pub(super) fn runs(mask: Word) -> Vec<BitRange> {
    let mut runs = Vec::new();
    let mut rest = mask;
    while !rest.is_zero() {
        let lo = rest.trailing_zeros();
        let width = (rest >> lo).trailing_ones().min(64 - lo % 64);
        runs.push(BitRange { hi: lo + width - 1, lo });
        rest &= !(Word::ones(width) << lo);
    }
    runs
}

/// An index of ranges, the lowest range lowest.
pub(super) fn terms<const N: usize>(runs: &[BitRange]) -> [t::Term; N] {
    let mut terms = [t::Term::default(); N];
    let mut left = 0;
    for (term, run) in terms.iter_mut().zip(runs) {
        *term = t::Term { at: (run.lo / 64 * 64 + (run.lo + 64 - left) % 64) as u8, mask: (ones(run.width()) << left) as u16 };
        left += run.width();
    }
    terms
}

/// The form with the conditions on its legal words; `None` if it has no legal words.
fn leaf<'a>(b: &mut Builder<'a>, form: &'a Form) -> Result<Option<Leaf<'a>>, Box<Diagnostic>> {
    let mut solver = b.solver(form.length);
    let parts = parts(b, form, &mut solver).map_err(too_large(form))?;
    Ok(parts.map(|(hull, parts)| Leaf { form, hull, parts, table: 0, rest: 0 }))
}

/// The bits that truth tables look at: those that most conditions are about.
fn common_bits(leaves: &[Leaf<'_>]) -> Word {
    let mut supports: BTreeMap<Word, usize> = BTreeMap::new();
    leaves.iter().flat_map(|leaf| &leaf.parts).for_each(|(support, _)| *supports.entry(*support).or_default() += 1);
    let mut supports: Vec<(Word, usize)> = supports.into_iter().collect();
    supports.sort_by_key(|(support, count)| (std::cmp::Reverse(*count), support.count_ones()));
    let fits = |support: Word| ranges(support).is_some_and(|r| r.iter().map(|r| r.width()).sum::<u32>() <= TRUTH_BITS);
    supports.iter().fold(Word::ZERO, |all, (support, _)| if fits(all | *support) { all | *support } else { all })
}

/// The truth table of a form, and the diagram of the other conditions.
fn conditions(b: &mut Builder<'_>, leaf: &mut Leaf<'_>, common: Word) -> Result<(), Box<Diagnostic>> {
    let mut solver = b.solver(leaf.form.length);
    let (near, far): (Vec<_>, Vec<_>) = leaf.parts.iter().partition(|(support, _)| (*support & !common).is_zero());
    let both = |s: &mut Solver<'_>, parts: &[&(Word, WordSet)]| {
        let mut all = Set::ALL;
        for (_, part) in parts {
            let part = s.import(part)?;
            all = s.and(all, part)?;
        }
        Ok(all)
    };
    let near = solver.attempt(|s| both(s, &near)).map_err(too_large(leaf.form))?;
    let near = solver.freeze(near);
    leaf.table = match near.is_all() {
        true => 1,
        false => test(b, &ranges(common).unwrap_or_default(), &near).table,
    };
    let far = solver.attempt(|s| both(s, &far)).map_err(too_large(leaf.form))?;
    leaf.rest = b.set(&solver.freeze(far));
    Ok(())
}

/// The cube around all legal words of a form, and the remaining conditions: the bits that each depends on, and its words.
type Legal = (Cube, Vec<(Word, WordSet)>);

/// The smallest cube around the legal words of a form, and the further conditions on them, each with the bits it depends on:
/// those on the fewest bits first.
fn parts(b: &Builder<'_>, form: &Form, solver: &mut Solver<'_>) -> Result<Option<Legal>, TooLarge> {
    let legal = solver.attempt(|s| {
        let (words, legal) = (s.import(&form.words)?, s.import(&form.legal)?);
        let fixed = s.cube(Cube::new(form.mask, form.value))?;
        let legal = s.and(words, legal)?;
        s.and(legal, fixed)
    })?;
    let all = solver.freeze(legal);
    if all.is_empty() {
        return Ok(None);
    }
    let hull = all.hull();
    let mut sets: Vec<WordSet> = form.exclusions.iter().map(|e| e.when.words.complement()).collect();
    sets.extend(form.constraints.iter().map(|c| c.that.words.clone()));
    sets.extend(inside(b, form).into_iter().map(|inner| {
        let inner = b.isa.form(inner);
        // All words of the inner form, including those that are taken out of it, unless another rule of this form excludes them.
        inner.words.complement()
    }));
    let mut parts: Vec<(Word, WordSet)> = Vec::new();
    let mut product = solver.attempt(|s| s.cube(hull))?;
    for set in sets {
        let part = set.restricted(hull);
        if part.is_all() || parts.iter().any(|(_, p)| *p == part) {
            continue;
        }
        product = solver.attempt(|s| {
            let part = s.import(&part)?;
            s.and(product, part)
        })?;
        parts.push((part.support(), part));
    }
    if product != legal {
        let rest = all.restricted(hull);
        parts = vec![(rest.support(), rest)];
    }
    Ok(Some((hull, parts)))
}

/// All forms that lie inside a form.
fn inside(b: &Builder<'_>, form: &Form) -> Vec<FormId> {
    let mut found = FxHashSet::default();
    let mut list = Vec::new();
    let mut open = form.specialised_by.clone();
    while let Some(id) = open.pop() {
        if found.insert(id) {
            list.push(id);
            open.extend(&b.isa.form(id).specialised_by);
        }
    }
    list.sort_unstable();
    list
}

/// At most two ranges, of at most 16 bits each, that have all these bits.
pub(super) fn ranges(support: Word) -> Option<Vec<BitRange>> {
    let mut runs = runs(support);
    while runs.len() > 2 {
        let gap =
            (1..runs.len()).filter(|i| runs[*i].lo / 64 == runs[*i - 1].lo / 64).min_by_key(|i| runs[*i].lo - runs[*i - 1].hi)?;
        runs[gap - 1].hi = runs[gap].hi;
        runs.remove(gap);
    }
    runs.iter().all(|r| r.width() <= 16).then_some(runs)
}

/// A condition that depends on a few bits only.
pub(super) fn test(b: &mut Builder<'_>, ranges: &[BitRange], set: &WordSet) -> t::Test {
    let width: u32 = ranges.iter().map(|r| r.width()).sum();
    let mask = ranges.iter().fold(Word::ZERO, |mask, r| mask | r.mask());
    let mut table = vec![0u64; (1usize << width).div_ceil(64)];
    for at in 0..1usize << width {
        if set.contains(scatter(mask, at)) {
            table[at / 64] |= 1 << (at % 64);
        }
    }
    t::Test { index: terms::<2>(ranges), table: b.truth_table(table) }
}

/// The bits that index: each one makes the chains shorter that a form's words have to go through, on average.
fn index_bits(leaves: &[Leaf<'_>]) -> Word {
    // Forms that no chosen bit distinguishes, each with the share of its words that is here.
    let mut groups: BTreeMap<Vec<usize>, Vec<f64>> = BTreeMap::new();
    groups.insert((0..leaves.len()).collect(), vec![1.0; leaves.len()]);
    let mut mask = Word::ZERO;
    let mut cost = leaves.len() as f64 * leaves.len() as f64;
    let telling = leaves.iter().fold(Word::ZERO, |all, leaf| all | leaf.hull.mask);
    while mask.count_ones() < INDEX_BITS {
        let free: Vec<u32> = (telling & !mask).bits().collect();
        let candidates = free
            .into_iter()
            .filter(|bit| runs(mask | Word::bit(*bit)).len() <= TERMS)
            .map(|bit| (cost_of(leaves, &groups, bit), bit));
        // Prefer, among equally good bits, a neighbour of those that are already taken.
        let near = |bit: u32| !(mask & (Word::from(0b101u32) << bit >> 1)).is_zero();
        let best = candidates.min_by(|a, b| a.0.total_cmp(&b.0).then_with(|| near(b.1).cmp(&near(a.1))));
        // It must be worth twice the room.
        let Some((less, bit)) = best.filter(|(less, _)| *less < cost - leaves.len() as f64 * 0.01) else { break };
        cost = less;
        mask |= Word::bit(bit);
        let mut split: BTreeMap<Vec<usize>, Vec<f64>> = BTreeMap::new();
        for (group, weights) in groups {
            for side in [false, true] {
                let (forms, weights) = side_of(leaves, &group, &weights, bit, side);
                let sum = split.entry(forms).or_insert_with(|| vec![0.0; weights.len()]);
                sum.iter_mut().zip(weights).for_each(|(sum, w)| *sum += w);
            }
        }
        groups = split;
    }
    mask
}

/// The forms of a group that have words with this value of the bit, and the share of these words.
fn side_of(leaves: &[Leaf<'_>], group: &[usize], weights: &[f64], bit: u32, side: bool) -> (Vec<usize>, Vec<f64>) {
    let kept = group.iter().zip(weights).filter_map(|(form, weight)| {
        let hull = leaves[*form].hull;
        match hull.mask.has(bit) {
            false => Some((*form, weight / 2.0)),
            true => (hull.value.has(bit) == side).then_some((*form, *weight)),
        }
    });
    kept.unzip()
}

/// The number of rows that the words of all forms go through, if a bit is added.
fn cost_of(leaves: &[Leaf<'_>], groups: &BTreeMap<Vec<usize>, Vec<f64>>, bit: u32) -> f64 {
    let cost = |(group, weights): (&Vec<usize>, &Vec<f64>)| {
        [false, true]
            .map(|side| side_of(leaves, group, weights, bit, side))
            .iter()
            .map(|(f, w)| f.len() as f64 * w.iter().sum::<f64>())
            .sum::<f64>()
    };
    groups.iter().map(cost).sum()
}

/// Chains of rows, which share their ends.
#[derive(Default)]
struct Rows {
    known: FxHashMap<Vec<usize>, u16>,
}

impl Rows {
    /// The first row of the chain of some forms. A row comes after the one that it continues at.
    fn chain(&mut self, b: &mut Builder<'_>, leaves: &[Leaf<'_>], forms: &[usize]) -> Result<u16, Box<Diagnostic>> {
        let mut next = 0;
        for begin in (0..forms.len()).rev() {
            let Leaf { form, hull, table, rest, .. } = &leaves[forms[begin]];
            next = match self.known.get(&forms[begin..]) {
                Some(row) => *row,
                None => {
                    let row = short(b.out.rows.len(), "rows", b.isa)?;
                    b.out.rows.push(t::Row {
                        mask: hull.mask,
                        value: hull.value,
                        table: *table,
                        rest: *rest,
                        form: form.id.0 as u16,
                        next,
                    });
                    self.known.insert(forms[begin..].to_vec(), row);
                    row
                }
            };
        }
        Ok(next)
    }
}
