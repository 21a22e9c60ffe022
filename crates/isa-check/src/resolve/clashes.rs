//! Two forms share no word, unless one lies inside the other: then that one wins.

use super::shared::{Kind, Pair};
use super::{left, overlaps, shared};
use isa_model::diag::{Diagnostic, Diagnostics};
use isa_model::model::{Form, FormId, Isa, Word};
use isa_model::sets::{Set, Solver, TooLarge};
use std::collections::{BTreeMap, HashMap};

/// The number of clashes after which the search ends.
const MAX_CLASHES: usize = 1000;

/// Finds clashes, notes which forms specialise which, and reports overlaps that are not declared.
pub(super) fn resolve(isa: &mut Isa, diags: &mut Diagnostics) {
    let mut inside: BTreeMap<FormId, Vec<FormId>> = BTreeMap::new();
    let mut found = Vec::new();
    'search: for (bits, order) in &isa.orders {
        let forms: Vec<&Form> = isa.forms.iter().filter(|f| f.length == *bits).collect();
        let mut solver = Solver::new(order);
        let mut known: HashMap<FormId, Set> = HashMap::new();
        let pairs = pairs(&forms);
        let is_cut = pairs.len() >= MAX_PAIRS;
        for (a, b) in pairs {
            if solver.is_filling() {
                (solver, known) = (Solver::new(order), HashMap::new());
            }
            match lie(&mut solver, &mut known, a, b) {
                Ok(Lie::Apart) => {}
                Ok(Lie::Inside) => inside.entry(b.id).or_default().push(a.id),
                Ok(Lie::Contains) => inside.entry(a.id).or_default().push(b.id),
                Ok(Lie::Clash { witness, is_equal }) => {
                    found.push(Pair { first: a.id, second: b.id, kind: Kind::Clash { witness, is_equal } });
                }
                Err(error) => diags.push(entangled(isa, a, b, error)),
            }
            if found.len() == MAX_CLASHES {
                break 'search;
            }
        }
        if is_cut {
            let message =
                format!("more than {MAX_PAIRS} pairs of forms are not told apart by fixed bits: not all can be compared");
            diags.push(Diagnostic::error("entangled", message, isa.span));
        }
    }
    let is_cut = found.len() == MAX_CLASHES;
    let empty = if is_cut { Vec::new() } else { left::specialise(isa, inside, diags) };
    let (undeclared, findings) = overlaps::undeclared(isa, &empty);
    if found.is_empty() {
        left::report(isa, &empty, diags);
        findings.into_iter().for_each(|finding| diags.push(finding));
    }
    found.extend(undeclared);
    shared::report(isa, found, is_cut, diags);
}

/// The relation between the words of two forms.
enum Lie {
    /// They share none.
    Apart,
    /// All of the first's are the second's.
    Inside,
    /// All of the second's are the first's.
    Contains,
    /// Some are, and neither lies inside the other; or they are the same.
    Clash { witness: Word, is_equal: bool },
}

fn lie(solver: &mut Solver<'_>, known: &mut HashMap<FormId, Set>, a: &Form, b: &Form) -> Result<Lie, TooLarge> {
    let mut words = |form: &Form| -> Result<Set, TooLarge> {
        if let Some(set) = known.get(&form.id) {
            return Ok(*set);
        }
        let set = solver.attempt(|solver| solver.import(&form.words))?;
        known.insert(form.id, set);
        Ok(set)
    };
    let (first, second) = (words(a)?, words(b)?);
    let both = solver.attempt(|solver| solver.and(first, second))?;
    Ok(match (both == second, both == first) {
        _ if both == Set::NONE => Lie::Apart,
        (true, false) => Lie::Contains,
        (false, true) => Lie::Inside,
        (is_equal, _) => Lie::Clash { witness: solver.freeze(both).first().unwrap_or_default(), is_equal },
    })
}

/// The pairs of forms, in their order, that no fixed bit tells apart; no more than [`MAX_PAIRS`]. Forms are divided by a bit that
/// most of them fix, again and again, so that most pairs are never compared.
fn pairs<'f>(forms: &[&'f Form]) -> Vec<(&'f Form, &'f Form)> {
    let mut list = Vec::new();
    divide(forms.to_vec(), &mut list);
    list.sort_unstable_by_key(|(a, b)| (a.id, b.id));
    list.dedup_by_key(|(a, b)| (a.id, b.id));
    list
}

/// The greatest number of pairs that are compared.
const MAX_PAIRS: usize = 1 << 20;

fn divide<'f>(forms: Vec<&'f Form>, list: &mut Vec<(&'f Form, &'f Form)>) {
    // The number of forms that fix each bit to 0, and to 1.
    let mut fixed = vec![[0usize; 2]; forms.first().map_or(0, |f| f.length) as usize];
    for form in &forms {
        for bit in form.mask.bits() {
            fixed[bit as usize][usize::from(form.value.has(bit))] += 1;
        }
    }
    // The number of comparisons left if a bit divides the forms: those that don't fix it go to both sides.
    let left = |[zeros, ones]: [usize; 2]| (forms.len() - ones).pow(2) + (forms.len() - zeros).pow(2);
    let best = (0..fixed.len()).min_by_key(|bit| left(fixed[*bit])).filter(|bit| 5 * left(fixed[*bit]) <= 4 * forms.len().pow(2));
    let Some(bit) = best else {
        for (i, a) in forms.iter().enumerate() {
            let meets = |b: &&&Form| ((a.value ^ b.value) & a.mask & b.mask).is_zero();
            let room = MAX_PAIRS.saturating_sub(list.len());
            list.extend(forms[i + 1..].iter().filter(meets).map(|b| (*a, *b)).take(room));
        }
        return;
    };
    for value in [false, true] {
        let side = forms.iter().copied().filter(|f| !f.mask.has(bit as u32) || f.value.has(bit as u32) == value).collect();
        divide(side, list);
    }
}

fn entangled(isa: &Isa, a: &Form, b: &Form, error: TooLarge) -> Diagnostic {
    let (first, second) = (isa.instruction(a.instruction), isa.instruction(b.instruction));
    let message = format!("whether {} and {} share a word could not be decided: {error}", a.name, b.name);
    Diagnostic::error("entangled", message, second.span)
        .with_text(b.name.clone())
        .with_label(first.span, a.name.clone())
        .with_help("fix a bit that tells them apart, or split conditions into ones that each look at fewer fields")
}
