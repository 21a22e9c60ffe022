//! Finds words whose texts can be read in one way only, so that the result of reading is known without reading.
//!
//! The texts of a form are represented by a graph of characters that contains all of them, and some more: conditions are omitted,
//! and numbers have any number of digits. If each text has only one path through the graph of its form, and none through those of
//! the forms that are tried before, then reading follows the path of printing.
//!
//! If a text has several paths, the words of the form are divided by the choices of their texts there (a group is printed or not,
//! a register has a name or a number), and each part is examined separately.

use super::builder::reading_order;
use super::paths::{Graph, Texts};
use isa_model::model::{Field, Form, Isa, Piece};
use isa_model::sets::{Cube, Set, Solver, WordSet};
use isa_runtime::value::Role;
use std::collections::VecDeque;

/// The greatest number of pairs of positions examined for all forms together; forms that are left have to be read.
const MAX_PAIRS: usize = 1 << 22;

/// The greatest number of parts of a form.
const MAX_PARTS: usize = 16;

/// True if equal numbers have equal bits, wherever the word is; for a target, as long as its address does not wrap.
fn is_exact(field: &Field) -> bool {
    if field.spelling.style().is_none() {
        return true;
    }
    let code = &field.code;
    if code.map().is_some() {
        return code.is_one_to_one();
    }
    let bits = code.width + code.scale().unsigned_abs().max(1).ilog2() + 2;
    let room = code.modulo().map_or(60, |bits| bits.min(60));
    let is_small = |n: i64| n.unsigned_abs() < 1 << 56;
    bits < room && is_small(code.bias()) && is_small(code.relative().map_or(0, |origin| origin.offset))
}

/// True if equal numbers of readings are equal bits. A number of several fields determines them only together: the open bits are
/// found by reading.
fn are_exact(pieces: &[Piece]) -> bool {
    pieces.iter().all(|piece| match piece {
        Piece::Reading(reading) => reading.field.code.is_one_to_one(),
        Piece::Group { body, .. } => are_exact(body),
        Piece::Literal(_) | Piece::Field { .. } | Piece::OneOf(_) => true,
    })
}

/// True if numbers of a form are exact, and its text has a visible end: that of the additions of `--full`.
fn is_plain(form: &Form) -> bool {
    let is_seen = form.full.is_empty() || form.full.iter().any(|p| matches!(p, Piece::Literal(text) if !text.is_empty()));
    is_seen && form.names.is_empty() && form.fields.iter().all(is_exact) && are_exact(&form.text) && are_exact(&form.full)
}

/// The known results of reading the full texts of a form to the letter.
#[derive(Clone, Debug)]
pub(super) struct Known {
    /// No form that is tried before reads one.
    pub(super) is_alone: bool,
    /// The words whose text can be read in one way only, by all forms.
    pub(super) one_way: WordSet,
}

/// Two ASCII characters that follow each other in all texts of a form.
fn needs(form: &Form) -> Vec<(u8, u8)> {
    let literals = form.text.iter().filter_map(|piece| match piece {
        Piece::Literal(text) => Some(text.as_bytes()),
        _ => None,
    });
    literals.flat_map(|text| text.windows(2).map(|pair| (pair[0], pair[1]))).filter(|pair| pair.0 < 128 && pair.1 < 128).collect()
}

/// Examines each form.
pub(super) fn forms(isa: &Isa) -> Vec<Known> {
    let mut known = vec![Known { is_alone: false, one_way: WordSet::empty() }; isa.forms.len()];
    if isa.is_text() {
        return known;
    }
    let mut budget = MAX_PAIRS;
    let order = reading_order(isa);
    // The text that is read may end before the addition of `--full`.
    let texts: Vec<Texts<'_>> = order.iter().map(|form| Texts::new(isa, form)).collect();
    let read: Vec<Option<Graph>> = texts.iter().map(|of| Graph::new(of, true, &[])).collect();
    let needs: Vec<_> = order.iter().map(|form| needs(form)).collect();
    for (i, form) in order.iter().copied().enumerate() {
        let (Some(own), Some(full)) = (&read[i], Graph::new(&texts[i], false, &[])) else { continue };
        let pairs = full.pairs();
        let has = |(first, second): &(u8, u8)| pairs[usize::from(*first)] >> second & 1 == 1;
        let before = read[..i].iter().zip(&needs).filter(|(_, needs)| needs.iter().all(has));
        let Some(before) = before.map(|(graph, _)| graph.as_ref()).collect::<Option<Vec<_>>>() else { continue };
        let mut division = Division { of: &texts[i], own, before, parts: MAX_PARTS, found: Vec::new() };
        let known = &mut known[form.id.index()];
        let Some(taken) = division.taken(&full, &mut budget) else { continue };
        known.is_alone = taken.is_none();
        if is_plain(form) && own.is_clear {
            // If the budget runs out, keep what was found.
            let _ = division.divide(full, taken, &mut budget);
            known.one_way = division.words();
        }
    }
    known
}

/// The bits of fields whose numbers print like other ones, as those are read.
fn likes(form: &Form) -> impl Iterator<Item = (&Field, u128)> {
    form.fields.iter().flat_map(|field| {
        let names = field.spelling.parts.iter().filter(|part| part.of.is_none()).flat_map(|part| &part.names);
        let likes = names.filter(|name| name.role == Role::Print);
        likes.filter_map(move |name| Some((field, field.bits_of(name.number)?)))
    })
}

/// The words of a form, divided by the choices of their texts.
struct Division<'a> {
    of: &'a Texts<'a>,
    /// All texts of the form that are read.
    own: &'a Graph,
    /// The graphs of the forms that are tried before and can have the same texts.
    before: Vec<&'a Graph>,
    /// The number of parts that may still be examined.
    parts: usize,
    /// The ways that the texts of each part go, each of which has one way.
    found: Vec<Vec<Option<u8>>>,
}

impl Division<'_> {
    /// Looks for a form that is tried before and reads one of these texts: the choices on its way.
    fn taken(&self, texts: &Graph, budget: &mut usize) -> Option<Option<Vec<usize>>> {
        for other in &self.before {
            if let Some(choices) = texts.meets(other, self.of.form, budget)? {
                return Some(Some(choices));
            }
        }
        Some(None)
    }

    /// Divides all texts, which are known to be taken or not, the largest parts first, until each has one way or there is nothing
    /// to divide it by.
    fn divide(&mut self, all: Graph, taken: Option<Vec<usize>>, budget: &mut usize) -> Option<()> {
        let (mut open, mut known) = (VecDeque::from([all]), Some(taken));
        while let Some(texts) = open.pop_front() {
            let taken = match known.take() {
                Some(known) => known,
                None => self.taken(&texts, budget)?,
            };
            let choices = match taken {
                Some(choices) => Some(choices),
                None => texts.goes_apart(self.own, self.of.form, budget)?,
            };
            let Some(choices) = choices else {
                self.found.push(texts.picks);
                continue;
            };
            let picked = |choice: usize| texts.picks.get(choice).is_some_and(Option::is_some);
            let Some(choice) = choices.into_iter().find(|choice| !picked(*choice)) else { continue };
            for way in 0..texts.choices[choice].ways(self.of) {
                self.parts = self.parts.checked_sub(1)?;
                let mut picks = texts.picks.clone();
                picks.resize(picks.len().max(choice + 1), None);
                picks[choice] = Some(way);
                open.push_back(Graph::new(self.of, false, &picks)?);
            }
        }
        Some(())
    }

    /// The words of the parts.
    fn words(&self) -> WordSet {
        let mut solver = Solver::new(self.of.isa.order(self.of.form.length));
        let words = solver.attempt(|solver| {
            let mut all = Set::NONE;
            for picks in &self.found {
                let mut part = Set::ALL;
                for (choice, way) in picks.iter().enumerate().filter_map(|(choice, pick)| Some((choice, (*pick)?))) {
                    let words = self.own.choices[choice].words(self.of, way, solver)?;
                    part = solver.and(part, words)?;
                }
                all = solver.or(all, part)?;
            }
            // A value that prints like another one is not read as itself.
            for (field, raw) in likes(self.of.form) {
                let like = solver.cube(Cube::new(field.bits.mask(), field.bits.place(raw)))?;
                all = solver.minus(all, like)?;
            }
            Ok(all)
        });
        words.map_or_else(|_| WordSet::empty(), |words| solver.freeze(words))
    }
}

#[cfg(test)]
mod tests {
    use isa_model::model::{Form, Word};

    /// Texts of most forms of Ampere are read in one way.
    #[test]
    fn forms_of_one_way() {
        let isa = isa_spec::load_texts("ampere.yaml", isa_specs::FILES).isa.expect("a good spec");
        let known = super::forms(&isa);
        let number = |name: &str| isa.forms.iter().position(|f| f.name == name).expect("a form");
        // Barrier 6 prints the same text as barrier 7.
        let is_plain =
            |form: &Form, word| ["read", "write"].iter().all(|name| form.field(name).is_none_or(|f| f.bits.get(word) != 6));
        let is_one_way = |number: usize| {
            let form = &isa.forms[number];
            let words = (1..1000u128).map(|n| Word::from(n.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835)));
            let mut words = words.map(|word| (word & !form.mask) | form.value).filter(|word| is_plain(form, *word));
            words.all(|word| known[number].one_way.contains(word))
        };
        let of = |name: &str| (known[number(name)].is_alone, is_one_way(number(name)));
        assert_eq!(of("LOP3.reg"), (true, true));
        assert_eq!(of("MOV.imm"), (true, true));
        // Either of two predicates can be missing, unless both or none are present.
        assert_eq!(of("IADD3.reg"), (true, false));
        let form = &isa.forms[number("IADD3.reg")];
        let with = |pu: u128, pv: u128| {
            let set = |word, name: &str, value| form.field(name).expect("a field").bits.set(word, value);
            set(set(form.default_word(), "pu", pu), "pv", pv)
        };
        let one_way = &known[number("IADD3.reg")].one_way;
        assert_eq!([(7, 7), (1, 2), (1, 7), (7, 2)].map(|(pu, pv)| one_way.contains(with(pu, pv))), [true, true, false, false]);
        // A register and an offset can be missing from an address.
        assert_eq!(of("LDL.reg"), (false, false));
        let all = (0..known.len()).filter(|number| is_one_way(*number)).count();
        assert!(all * 2 > known.len(), "{all} of {}", known.len());
    }
}
