//! Finds words whose texts can be read in one way only, so that the result of reading is known without reading.
//!
//! The texts of a form are represented by a graph of characters that contains all of them, and some more: numbers have any number of
//! digits. If the text of a word has only one path through the graph of its form, and none through those of the forms that are tried
//! before, then reading follows the path of printing.

use super::builder::reading_order;
use super::paths::Graph;
use isa_check::automaton::Automaton;
use isa_model::model::{Field, Form, Isa, Piece};
use isa_model::sets::{Cube, Set, WordSet};
use isa_runtime::value::Role;

/// The greatest number of pairs of positions examined for all forms together; forms that are left have to be read.
const MAX_PAIRS: usize = 1 << 22;

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

/// A form that is tried before others.
struct Before {
    graph: Option<Graph>,
    /// Two ASCII characters that follow each other in all its texts.
    needs: Vec<(u8, u8)>,
}

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
    let mut before: Vec<Before> = Vec::new();
    for form in reading_order(isa) {
        let mut automaton = Automaton::new(isa, form);
        let graph = Graph::new(&mut automaton);
        if let Some(graph) = &graph
            && let Some(found) = examine(&mut automaton, graph, &before, &mut budget)
        {
            known[form.id.index()] = found;
        }
        before.push(Before { graph, needs: needs(form) });
    }
    known
}

/// The results of reading the texts of a form after the forms before. `None` if the budget runs out.
fn examine(automaton: &mut Automaton<'_>, graph: &Graph, before: &[Before], budget: &mut usize) -> Option<Known> {
    let pairs = graph.pairs();
    let has = |(first, second): &(u8, u8)| pairs[usize::from(*first)] >> second & 1 == 1;
    let sets = &mut automaton.sets;
    let (mut open, mut taken) = (graph.open(), Set::NONE);
    for other in before.iter().filter(|other| other.needs.iter().all(has)) {
        let found = graph.elsewhere(other.graph.as_ref()?, &mut open, sets, budget)?;
        taken = sets.or(taken, found);
    }
    let mut known = Known { is_alone: taken == Set::NONE, one_way: WordSet::empty() };
    if is_plain(automaton.form) && graph.is_clear()
        // If the budget runs out, keep what was found.
        && let Some(apart) = graph.elsewhere(graph, &mut open, sets, budget)
    {
        let mut others = sets.or(taken, apart);
        // A value that prints like another one is not read as itself.
        for (field, raw) in likes(automaton.form) {
            let like = sets.compute(Set::ALL, |solver| solver.cube(Cube::new(field.bits.mask(), field.bits.place(raw))));
            others = sets.or(others, like);
        }
        known.one_way = sets.freeze(others).complement();
    }
    Some(known)
}

/// The bits of fields whose numbers print like other ones, as those are read.
fn likes(form: &Form) -> impl Iterator<Item = (&Field, u128)> {
    form.fields.iter().flat_map(|field| {
        let names = field.spelling.parts.iter().filter(|part| part.of.is_none()).flat_map(|part| &part.names);
        let likes = names.filter(|name| name.role == Role::Print);
        likes.filter_map(move |name| Some((field, field.bits_of(name.number)?)))
    })
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

    /// Only the words whose text has another way are left out.
    #[test]
    fn words_of_one_way() {
        let group = |name: &str, text: &str| format!("<when {name}: .{text}>");
        let text = [group("x", "a"), group("y", "a"), group("z", "b"), group("!z", "c")].concat();
        let spec = format!(
            "isa: tiny\nword: 8\ninstructions: {{ n: {{ fix: {{ 7..3: 0 }}, \
             fields: {{ x: 2 \"\", y: 1 \"\", z: 0 \"\" }}, text: \"n{text}\" }} }}\n"
        );
        let loaded = isa_spec::load_str("tiny.yaml", &spec, None);
        let isa = loaded.isa.expect("a good specification");
        let known = super::forms(&isa);
        let found: Vec<u32> = (0..8).filter(|word| known[0].one_way.contains(Word::from(u128::from(*word)))).collect();
        assert_eq!(found, [0b000, 0b001, 0b110, 0b111]);
    }
}
