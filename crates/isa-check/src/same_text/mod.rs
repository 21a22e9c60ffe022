//! Two words of different meaning with one text: decided for all words, not tried on some.
//!
//! The texts of two forms are compared piece by piece, from their ends to their beginnings, as sets of pairs of words: for each
//! piece of the one and of the other, and for what the one has already printed more than the other, the pairs of which the rest of
//! the one text is the rest of the other. Numbers end where no digit and no letter follows (the check of templates sees to it), so
//! two numbers that begin at one place are one number.

mod candidates;
mod choice;
mod comparer;
mod comparison;
mod floats;
mod side;
mod texts;

pub use candidates::{MAX_PAIRS, candidates, heads_of};
pub use choice::{Template, losers, unchanged};
pub use comparer::{Comparer, Orders};
pub use texts::Texts;

use comparison::{Comparison, PAIR, SECOND};
use isa_model::model::{Field, Form, Isa, Label, Piece, PlainKind, Raw, When, Word};
use isa_model::sets::{Order, Set, TooLarge, WordSet};
use isa_runtime::value::{Name, Role, Spelling};
use side::import;
use std::collections::BTreeSet;

/// The answer about two forms: have they a text in common?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// They have none.
    Apart,
    /// They have, and these words have it.
    Same([Word; 2]),
    /// It takes too long to find out.
    Undecided,
}

/// The greatest widths in bits of fields whose values are compared one by one.
#[derive(Clone, Copy)]
struct Spelt {
    /// For fields whose values have names, or characters around their numbers.
    named: u32,
    numbers: u32,
}

impl Spelt {
    const MOST: u32 = 10;

    const ALL: [Self; 3] =
        [Self { named: 0, numbers: 0 }, Self { named: Self::MOST, numbers: 0 }, Self { named: Self::MOST, numbers: Self::MOST }];
}

/// Two words that differ in a bit of a field that no text depends on, if that is easily seen.
fn untold(form: &Form) -> Option<[Word; 2]> {
    let mut told: BTreeSet<usize> = form.names.iter().map(|named| named.field).collect();
    let mut open: Vec<&Piece> = form.text.iter().chain(&form.full).collect();
    while let Some(piece) = open.pop() {
        match piece {
            Piece::Field { .. } | Piece::Reading(_) => told.extend(piece.fields()),
            Piece::Group { when, body } => {
                match when {
                    When::Differs(fields) => told.extend(fields),
                    When::Holds(condition) => told.extend(condition.cond.fields()),
                }
                open.extend(body);
            }
            Piece::Literal(_) => {}
            Piece::OneOf(_) => return None,
        }
    }
    let kept = form.plain.iter().filter(|p| p.what != PlainKind::Reserved).fold(Word::ZERO, |mask, p| mask | p.bits.mask());
    let others = told.iter().fold(kept, |mask, field| mask | form.fields[*field].bits.mask());
    let word = form.legal.nearest(form.default_word(), Word::ZERO)?;
    let is_own = |word| form.words.contains(word) && form.legal.contains(word);
    // Two values of an enumeration can be declared to print the same, and two values of a code can be the same number.
    let fields = form.fields.iter().filter(|field| !matches!(field.label, Label::Enum(_)) && field.code.is_one_to_one());
    let bits = fields.flat_map(|field| field.bits.places()).filter(|bit| !others.has(*bit));
    bits.map(|bit| [word, word ^ Word::bit(bit)]).find(|words| words.iter().all(|word| is_own(*word)))
}

/// Two words of a form of two versions, `same` in these pairs of bits, the first of them `among` these, whose texts differ: `Some(None)` if
/// there are none, `None` if that takes too long to decide. `is_other` says whether the texts of two words differ.
pub fn differ<'f>(
    texts: [&Texts<'f>; 2],
    forms: [&'f Form; 2],
    among: &WordSet,
    same: &[(u32, u32)],
    is_other: impl Fn([Word; 2]) -> bool,
) -> Result<Option<Option<[Word; 2]>>, TooLarge> {
    let order = pair_order(texts.map(|texts| texts.isa), forms);
    // The same steps as for texts of one version.
    for spelt in Spelt::ALL {
        let mut comparison = Comparison::new(&order, PAIR, texts, forms, spelt);
        let mut set = comparison.equal_bits(same.iter().map(|(a, b)| (*a, b + SECOND)).collect())?;
        let sides = [(among, 0), (&forms[1].words, SECOND), (&forms[1].legal, SECOND)];
        for (words, shift) in sides {
            let words = import(&mut comparison.solver, words, shift)?;
            set = comparison.solver.attempt(|solver| solver.and(set, words))?;
        }
        let alike = comparison.same_texts()?.least;
        set = comparison.solver.attempt(|solver| solver.minus(set, alike))?;
        match comparison.witness(set) {
            None => return Ok(Some(None)),
            Some(words) if is_other(words) => return Ok(Some(Some(words))),
            Some(_) => {}
        }
    }
    Ok(None)
}

fn pair_order(isas: [&Isa; 2], forms: [&Form; 2]) -> Order {
    let [first, second] = [0, 1].map(|side| isas[side].order(forms[side].length));
    Order::paired(first, second)
}

/// The pairs that differ in no bit that has a meaning, or only in values that are declared to print the same. The names that
/// programs give belong to the text.
fn same(comparison: &mut Comparison<'_, '_>, form: &Form) -> Result<Set, TooLarge> {
    let likes = |field: &&Field| likes(&field.spelling).next().is_some() || !field.code.is_one_to_one();
    let likes: Vec<&Field> = form.fields.iter().filter(likes).collect();
    let alike = likes.iter().fold(Word::ZERO, |mask, field| mask | field.bits.mask());
    let kept = form.plain.iter().filter(|p| p.what != PlainKind::Reserved).fold(Word::ZERO, |mask, p| mask | p.bits.mask());
    let names = form.names.iter().fold(Word::ZERO, |mask, n| mask | form.fields[n.field].bits.mask());
    let bits = (0..form.length).filter(|bit| !(form.mask | kept | names | alike).has(*bit));
    let mut same = comparison.equal_bits(bits.map(|bit| (bit, bit + SECOND)).collect())?;
    for field in likes {
        let values = print_as_one(comparison, field)?;
        same = comparison.solver.attempt(|solver| solver.and(same, values))?;
    }
    Ok(same)
}

/// The numbers that print as another one, because the specification says so.
fn likes(spelling: &Spelling) -> impl Iterator<Item = &Name> {
    spelling.parts.iter().flat_map(|part| &part.names).filter(|name| name.role == Role::Print)
}

/// The pairs with the same value in a field, or with values that are declared to print the same.
fn print_as_one(comparison: &mut Comparison<'_, '_>, field: &Field) -> Result<Set, TooLarge> {
    if !field.code.is_one_to_one() {
        let places = field.bits.places();
        let others: Vec<u32> = places.iter().map(|bit| bit + SECOND).collect();
        return comparison.same_numbers(&field.code, [&places, &others]);
    }
    let mut pairs = vec![comparison.equal_bits(field.bits.places().into_iter().map(|bit| (bit, bit + SECOND)).collect())?];
    let all: BTreeSet<&str> = likes(&field.spelling).map(|name| name.text.as_str()).collect();
    for text in all {
        let names = field.spelling.parts.iter().flat_map(|part| &part.names);
        let group = names.filter(|name| name.role != Role::Read && name.text == text);
        let group: Vec<Raw> = group.filter_map(|name| field.bits_of(name.number)).collect();
        let mut both = Set::ALL;
        for side in &comparison.sides {
            let solver = &mut comparison.solver;
            let words = group.iter().map(|raw| side.raw(field, *raw, solver)).collect::<Result<_, _>>()?;
            let words = solver.attempt_any(words)?;
            both = solver.attempt(|solver| solver.and(both, words))?;
        }
        pairs.push(both);
    }
    comparison.solver.attempt_any(pairs)
}
