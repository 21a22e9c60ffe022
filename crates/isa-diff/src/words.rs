//! The words of a form in both versions: the differences of the words and of their texts.

use super::change::What;
use super::fields::{self, Fields};
use super::found::{Changes, Side};
use super::names::Matched;
use super::versions::{Versions, carry, own};
use isa_spec::bits::{Bits, fixed_bits};
use isa_spec::model::{Form, Isa, Word};
use isa_spec::same_text::differ;
use isa_spec::sets::{Cube, Set, Solver, TooLarge, WordSet};

/// The number of forms that are named if words of one form became words of several others.
const MAX_TAKERS: usize = 8;

/// The places of the second form's bits in the words of the first.
struct Places {
    /// The bits that a form of a text-only instruction set fixes are its number: they are ignored.
    forget: [Cube; 2],
    /// The place in the first form of each bit of the second.
    at: Vec<u32>,
    /// The pairs of bits that are the same in a word of both.
    same: Vec<(u32, u32)>,
}

impl Places {
    /// In a text-only instruction set, fields with one name and width; `None` if there are others.
    fn new(versions: &Versions<'_>, [old, new]: [&Form; 2]) -> Option<Self> {
        if !versions.is_text() {
            let bits = 0..old.length;
            return Some(Self { forget: [Cube::ALL; 2], at: bits.clone().collect(), same: bits.map(|bit| (bit, bit)).collect() });
        }
        let mut at: Vec<u32> = (0..new.length).collect();
        let mut same = Vec::new();
        for field in &new.fields {
            let there = old.field(&field.path).filter(|there| there.bits.width() == field.bits.width())?;
            for (a, b) in there.bits.places().into_iter().zip(field.bits.places()) {
                at[b as usize] = a;
                same.push((a, b));
            }
        }
        let forget = [old, new].map(|form| Cube::new(form.mask, form.value));
        (old.fields.len() == new.fields.len()).then_some(Self { forget, at, same })
    }

    fn import(&self, solver: &mut Solver<'_>, side: usize, words: &WordSet) -> Result<Set, TooLarge> {
        let words = words.restricted(self.forget[side]);
        if side == 0 { solver.import(&words) } else { solver.place(&words, &self.at) }
    }

    fn own(&self, solver: &mut Solver<'_>, side: usize, form: &Form) -> Result<Set, TooLarge> {
        let (words, legal) = (self.import(solver, side, &form.words)?, self.import(solver, side, &form.legal)?);
        solver.and(words, legal)
    }
}

/// Compares two matched forms: their fields, words and texts.
pub(super) fn compare(versions: &Versions<'_>, names: &Matched, forms: [&Form; 2], changes: &mut Changes) {
    let [old, new] = forms;
    let place = Some((Side::Old, old));
    let fields = fields::compare(versions, names, forms, changes);
    if !versions.is_text() && old.length != new.length {
        let lengths = forms.map(|form| form.length.to_string());
        changes.add_in(What::FormLength, [&old.name, &lengths[0], &lengths[1]], place, || versions.first(old));
        return;
    }
    let instruction = &versions.isas[0].instruction(old.instruction).name;
    let moved = if versions.is_text() { None } else { moved(forms) };
    if let Some([was, is]) = &moved {
        changes.add_in(What::FormMoved, [&old.name, was, is], place, || versions.first(old));
    }
    let decided = Places::new(versions, forms).map(|places| {
        let mut solver = Solver::new(versions.isas[0].order(old.length));
        let common = words(versions, forms, &places, &fields, moved.is_some(), &mut solver, changes)?;
        for (pair, what, [name, was, is]) in &fields.changed {
            let shown = [old.fields[pair[0]].bits.clone(), new.fields[pair[1]].bits.clone()];
            let word = solver.attempt(|solver| unequal(solver, common, &shown, &places)).ok();
            let word = word.and_then(|set| solver.freeze(set).nearest(old.default_word(), Word::ZERO));
            let example = || word.map(|word| versions.shown(forms, [word, carry(old, new, word)]));
            changes.add_in(*what, [name, was, is], place, example);
        }
        if fields.is_other || common == Set::NONE {
            return Ok(());
        }
        let among = solver.freeze(common);
        let mut same = places.same.clone();
        for (pair, ..) in &fields.changed {
            same.extend(old.fields[pair[0]].bits.places().into_iter().zip(new.fields[pair[1]].bits.places()));
        }
        texts(versions, forms, &among, &same, changes)
    });
    match decided {
        // Fields of a text-only instruction set differ, which was reported.
        None | Some(Ok(())) => {}
        Some(Err(TooLarge)) => changes.add_in(What::WordsUndecided, [instruction, "", ""], place, || None),
    }
}

/// The words in which two fields have different bits.
fn unequal(solver: &mut Solver<'_>, among: Set, fields: &[Bits; 2], places: &Places) -> Result<Set, TooLarge> {
    let new = fields[1].places().into_iter().map(|bit| places.at[bit as usize]);
    let mut all = Set::NONE;
    for (a, b) in fields[0].places().into_iter().zip(new).filter(|(a, b)| a != b) {
        let (a, b) = (solver.bit(a)?, solver.bit(b)?);
        let differ = solver.differ(a, b)?;
        all = solver.or(all, differ)?;
    }
    solver.and(among, all)
}

/// Compares the words of two matched forms; returns those that both have, except those reported for values.
fn words(
    versions: &Versions<'_>,
    forms: [&Form; 2],
    places: &Places,
    fields: &Fields,
    is_moved: bool,
    solver: &mut Solver<'_>,
    changes: &mut Changes,
) -> Result<Set, TooLarge> {
    let [old, new] = forms;
    let (a, b) = solver.attempt(|solver| Ok((places.own(solver, 0, old)?, places.own(solver, 1, new)?)))?;
    let mut said = Set::NONE;
    for (field, raws) in &fields.values {
        let bits = &old.fields[*field].bits;
        for raw in raws {
            said = solver.attempt(|solver| {
                let value = solver.cube(Cube::new(bits.mask(), bits.place(*raw)))?;
                solver.or(said, value)
            })?;
        }
    }
    let (lost, gained, common) = solver.attempt(|solver| {
        let (lost, gained) = (solver.minus(a, b)?, solver.minus(b, a)?);
        let common = solver.and(a, b)?;
        Ok((solver.minus(lost, said)?, solver.minus(gained, said)?, solver.minus(common, said)?))
    })?;
    if versions.is_text() {
        // The words of other forms do not matter.
        for (set, what, side) in [(lost, What::WordsRefused, 0), (gained, What::WordsAdded, 1)] {
            if set != Set::NONE {
                let name = &versions.isas[side].instruction(forms[side].instruction).name;
                let place = if side == 0 { (Side::Old, old) } else { (Side::New, new) };
                changes.add_in(what, [name, "", ""], Some(place), || versions.alone(side, forms[side]));
            }
        }
    } else {
        taken(versions, old, lost, is_moved, solver, changes)?;
        added(versions, new, if is_moved { Set::NONE } else { gained }, solver, changes)?;
    }
    Ok(common)
}

/// Reports the fate of the words of a form that is gone.
pub(super) fn gone(versions: &Versions<'_>, form: &Form, changes: &mut Changes) {
    if versions.is_text() {
        return;
    }
    let mut solver = Solver::new(versions.isas[0].order(form.length));
    let all = solver.attempt(|solver| own(solver, form));
    if all.and_then(|all| taken(versions, form, all, true, &mut solver, changes)).is_err() {
        let name = &versions.isas[0].instruction(form.instruction).name;
        changes.add_in(What::WordsUndecided, [name, "", ""], Some((Side::Old, form)), || None);
    }
}

/// Reports the fate of words that a form no longer has: other instructions, and none, unless that is known.
fn taken(
    versions: &Versions<'_>,
    form: &Form,
    mut lost: Set,
    is_known: bool,
    solver: &mut Solver<'_>,
    changes: &mut Changes,
) -> Result<(), TooLarge> {
    let [old, new] = versions.isas;
    let name = &old.instruction(form.instruction).name;
    let place = Some((Side::Old, form));
    let mut is_refused = is_known;
    for _ in 0..MAX_TAKERS {
        let Some(word) = solver.freeze(lost).nearest(form.default_word(), Word::ZERO) else { break };
        let example = || Some(versions.example(word, form.length));
        match versions.codecs[1].decode(word, form.length) {
            Ok(now) => {
                let now = new.form(now);
                let taker = &new.instruction(now.instruction).name;
                let [was, is] = if name == taker { [&form.name, &now.name] } else { [name, taker] };
                changes.add_in(What::WordsTaken, ["", was, is], place, example);
                lost = solver.attempt(|solver| {
                    let words = solver.import(&now.words)?;
                    solver.minus(lost, words)
                })?;
            }
            Err(_) => {
                if !is_refused {
                    changes.add_in(What::WordsRefused, [name, "", ""], place, example);
                    is_refused = true;
                }
                lost = allowed(new, form.length, word, lost, solver)?;
            }
        }
    }
    Ok(())
}

/// Reports words of a form that no form had.
fn added(
    versions: &Versions<'_>,
    form: &Form,
    mut gained: Set,
    solver: &mut Solver<'_>,
    changes: &mut Changes,
) -> Result<(), TooLarge> {
    let [old, new] = versions.isas;
    for _ in 0..MAX_TAKERS {
        let Some(word) = solver.freeze(gained).nearest(form.default_word(), Word::ZERO) else { break };
        match versions.codecs[0].decode(word, form.length) {
            // The form that had the words reports them.
            Ok(was) => {
                gained = solver.attempt(|solver| {
                    let words = solver.import(&old.form(was).words)?;
                    solver.minus(gained, words)
                })?;
            }
            Err(_) => {
                let name = &new.instruction(form.instruction).name;
                let example = || Some(versions.example(word, form.length));
                changes.add_in(What::WordsAdded, [name, "", ""], Some((Side::New, form)), example);
                break;
            }
        }
    }
    Ok(())
}

/// The words of a set without those that are refused for the same reason as this one: no form has them, or they break a rule of
/// their form.
fn allowed(isa: &Isa, bits: u32, word: Word, set: Set, solver: &mut Solver<'_>) -> Result<Set, TooLarge> {
    let belongs = isa.forms.iter().find(|f| f.length == bits && f.words.contains(word));
    let length = isa.words.lengths.iter().find(|l| l.bits == bits);
    solver.attempt(|solver| {
        let refused = match (belongs, length) {
            (Some(form), _) => {
                let (words, legal) = (solver.import(&form.words)?, solver.import(&form.legal)?);
                solver.minus(words, legal)?
            }
            (None, Some(length)) => {
                let (words, holes) = (solver.import(&length.words)?, solver.import(&length.holes)?);
                let others = solver.not(words)?;
                solver.or(holes, others)?
            }
            (None, None) => Set::ALL,
        };
        solver.minus(set, refused)
    })
}

/// Compares the texts of the words that both have.
fn texts(
    versions: &Versions<'_>,
    forms: [&Form; 2],
    among: &WordSet,
    same: &[(u32, u32)],
    changes: &mut Changes,
) -> Result<(), TooLarge> {
    let print = |side: usize, word: Word| {
        let mut text = String::new();
        versions.codecs[side].print_full(forms[side].id, word, 0, &mut text);
        text
    };
    let name = &versions.isas[0].instruction(forms[0].instruction).name;
    let place = Some((Side::Old, forms[0]));
    match differ([&versions.texts[0], &versions.texts[1]], forms, among, same, |words| print(0, words[0]) != print(1, words[1]))?
    {
        Some(Some(words)) => changes.add_in(What::Text, [name, "", ""], place, || Some(versions.shown(forms, words))),
        Some(None) => {}
        None => changes.add_in(What::TextUndecided, [name, "", ""], place, || None),
    }
    Ok(())
}

/// The contradicting fixed bits of two forms: old and new.
fn moved([old, new]: [&Form; 2]) -> Option<[String; 2]> {
    let differ = (old.value ^ new.value) & old.mask & new.mask;
    if differ.is_zero() {
        return None;
    }
    let changed = (old.mask ^ new.mask) | differ;
    Some([old, new].map(|form| fixed_bits(form.mask & changed, form.value & changed)))
}
