//! Conditions on the fields of a form: how they are composed, and for which words they hold.

use super::{Field, Reading, Word};
use crate::sets::{self, Cube, Set, Solver, TooLarge, WordSet};
use crate::span::Span;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

/// A condition and the words, of any other bits, for which it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// The condition as a tree.
    pub cond: Cond,
    /// The words.
    pub words: WordSet,
    /// The place of the condition.
    pub span: Span,
}

impl Condition {
    /// A condition whose words are not known yet.
    pub fn new(cond: Cond, span: Span) -> Self {
        Self { cond, words: WordSet::empty(), span }
    }
}

/// A condition on the fields of a form. Definitions that are used several times are shared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cond {
    /// Always or never.
    Const(bool),
    /// The field's raw bits are one of the values.
    Test {
        /// Index into [`Form::fields`](super::Form::fields).
        field: usize,
        /// The raw values: a set of words that have the field's bits alone, the most significant bit asked first.
        values: WordSet,
    },
    /// The bits of a reading are one of the values.
    Read {
        /// The reading.
        reading: Arc<Reading>,
        /// The values of its bits: a set as that of a field's.
        values: WordSet,
    },
    /// Two fields (indices into [`Form::fields`](super::Form::fields)) of one meaning have the same bits.
    Same([usize; 2]),
    /// The numbers of two fields or readings are compared.
    Compared(Compared),
    /// Not.
    Not(Arc<Cond>),
    /// All.
    And(Arc<Vec<Cond>>),
    /// Any.
    Or(Arc<Vec<Cond>>),
}

/// A number that is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Side {
    /// The value of a field: an index into [`Form::fields`](super::Form::fields).
    Field(usize),
    /// A reading.
    Reading(Arc<Reading>),
}

impl Side {
    /// Its name, bits, code and label.
    pub fn field<'f>(&'f self, fields: &'f [Field]) -> &'f Field {
        match self {
            Self::Field(index) => &fields[*index],
            Self::Reading(reading) => &reading.field,
        }
    }

    /// The bits of the number, as sets of words.
    fn number(&self, fields: &[Field], solver: &mut Solver<'_>) -> Result<Vec<Set>, TooLarge> {
        let field = self.field(fields);
        let places = field.bits.places();
        match self {
            Self::Field(_) => sets::value(solver, &field.code, &places),
            Self::Reading(_) => sets::shown(solver, &field.code, &places),
        }
    }

    /// The fields (indices) that it depends on.
    fn fields(&self) -> &[usize] {
        match self {
            Self::Field(index) => std::slice::from_ref(index),
            Self::Reading(reading) => &reading.of,
        }
    }
}

/// A comparison of two numbers: the first and a constant are equal to the second, or less.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compared {
    /// Both numbers.
    pub sides: [Side; 2],
    /// The constant added to the first.
    pub plus: i64,
    /// The sum is less, and not equal.
    pub is_less: bool,
}

impl Compared {
    /// The places in the word of bits that weigh as much in both values, the most significant ones first.
    fn pairs(&self, fields: &[Field]) -> Vec<Word> {
        let [a, b] = self.sides.each_ref().map(|side| {
            let field = side.field(fields);
            (field.bits.places(), field.code.scale().trailing_zeros() as usize)
        });
        let least = a.1.min(b.1);
        let at = |(places, zeros): &(Vec<u32>, usize), weight: usize| {
            let place = (weight + least).checked_sub(*zeros).and_then(|i| places.get(i));
            place.map_or(Word::ZERO, |place| Word::bit(*place))
        };
        let most = (a.0.len() + a.1).max(b.0.len() + b.1) - least;
        (0..most).rev().map(|weight| at(&a, weight) | at(&b, weight)).collect()
    }
}

impl Cond {
    /// True if two conditions are one and the same, or the same comparison.
    fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Cond::Not(a), Cond::Not(b)) => Arc::ptr_eq(a, b) || a.is_same(b),
            (Cond::And(a), Cond::And(b)) | (Cond::Or(a), Cond::Or(b)) => Arc::ptr_eq(a, b),
            (Cond::Test { .. }, Cond::Test { .. })
            | (Cond::Read { .. }, Cond::Read { .. })
            | (Cond::Same(_), Cond::Same(_))
            | (Cond::Compared(_), Cond::Compared(_)) => self == other,
            _ => false,
        }
    }

    /// The conditions that it is composed of.
    fn parts(&self) -> &[Cond] {
        match self {
            Cond::Const(_) | Cond::Test { .. } | Cond::Read { .. } | Cond::Same(_) | Cond::Compared(_) => &[],
            Cond::Not(inner) => std::slice::from_ref(inner),
            Cond::And(parts) | Cond::Or(parts) => parts,
        }
    }

    /// The greatest number of conditions nested in each other.
    pub fn depth(&self, seen: &mut Seen<usize>) -> usize {
        let place = self.place();
        if let Some(depth) = place.and_then(|place| seen.get(&place)) {
            return *depth;
        }
        let depth = self.parts().iter().map(|part| part.depth(seen) + 1).max().unwrap_or(0);
        seen.extend(place.map(|place| (place, depth)));
        depth
    }

    /// The address of the part of the condition that its copies share.
    fn place(&self) -> Option<*const ()> {
        match self {
            Cond::Const(_) | Cond::Test { .. } | Cond::Read { .. } | Cond::Same(_) | Cond::Compared(_) => None,
            Cond::Not(inner) => Some(Arc::as_ptr(inner).cast()),
            Cond::And(parts) | Cond::Or(parts) => Some(Arc::as_ptr(parts).cast()),
        }
    }

    /// The words, of any other bits, for which it holds. `seen` has the sets that are known for this form.
    ///
    /// # Errors
    /// When its diagram is too large.
    pub fn set(&self, fields: &[Field], solver: &mut Solver<'_>, seen: &mut Seen<Set>) -> Result<Set, TooLarge> {
        let place = self.place();
        if let Some(set) = place.and_then(|place| seen.get(&place)) {
            return Ok(*set);
        }
        let set = match self {
            Cond::Const(true) => Set::ALL,
            Cond::Const(false) => Set::NONE,
            Cond::Test { field, values } => solver.place(values, &fields[*field].bits.places())?,
            Cond::Read { reading, values } => solver.place(values, &reading.field.bits.places())?,
            Cond::Same([a, b]) => {
                let mut all = Set::ALL;
                for (a, b) in fields[*a].bits.places().into_iter().zip(fields[*b].bits.places()) {
                    let [a, b] = [a, b].map(|bit| Cube::new(Word::bit(bit), Word::bit(bit)));
                    let (a, b) = (solver.cube(a)?, solver.cube(b)?);
                    let differ = solver.differ(a, b)?;
                    all = solver.minus(all, differ)?;
                }
                all
            }
            Cond::Compared(Compared { sides: [a, b], plus, is_less }) => {
                let (a, b) = (a.number(fields, solver)?, b.number(fields, solver)?);
                let a = sets::plus(solver, a, *plus)?;
                match is_less {
                    true => sets::less(solver, a, b)?,
                    false => sets::equal(solver, &a, &b, sets::VECTOR)?,
                }
            }
            Cond::Not(inner) => {
                let inner = inner.set(fields, solver, seen)?;
                solver.not(inner)?
            }
            Cond::And(parts) => {
                let mut all = Set::ALL;
                for part in parts.iter() {
                    let part = part.set(fields, solver, seen)?;
                    all = solver.and(all, part)?;
                }
                all
            }
            Cond::Or(parts) => {
                let sets = parts.iter().map(|p| p.set(fields, solver, seen)).collect::<Result<_, _>>()?;
                solver.any(sets)?
            }
        };
        seen.extend(place.map(|place| (place, set)));
        Ok(set)
    }

    /// The bits of each of its parts, those of the whole last: what is asked for together.
    pub fn groups(&self, fields: &[Field], seen: &mut Seen<Word>, groups: &mut HashSet<Word>) -> Word {
        let place = self.place();
        if let Some(bits) = place.and_then(|place| seen.get(&place)) {
            return *bits;
        }
        let bits = match self {
            Cond::Test { field, values } => fields[*field].bits.place(values.support().low()),
            Cond::Read { reading, .. } => reading.field.bits.mask(),
            Cond::Same([a, b]) => {
                // Bits that are compared become neighbours in the order.
                let pairs = fields[*a].bits.places().into_iter().zip(fields[*b].bits.places());
                groups.extend(pairs.map(|(a, b)| Word::bit(a) | Word::bit(b)));
                fields[*a].bits.mask() | fields[*b].bits.mask()
            }
            Cond::Compared(compared) => {
                let pairs = compared.pairs(fields);
                // A carry goes from one pair to the next.
                groups.extend(pairs.windows(2).map(|pair| pair[0] | pair[1]));
                groups.extend(&pairs);
                pairs.into_iter().fold(Word::ZERO, |mask, pair| mask | pair)
            }
            _ => self.parts().iter().fold(Word::ZERO, |mask, part| mask | part.groups(fields, seen, groups)),
        };
        groups.insert(bits);
        seen.extend(place.map(|place| (place, bits)));
        bits
    }

    /// The fields that it depends on.
    pub fn fields(&self) -> BTreeSet<usize> {
        let (mut fields, mut seen, mut open) = (BTreeSet::new(), HashSet::new(), vec![self]);
        while let Some(cond) = open.pop() {
            match cond {
                Cond::Test { field, .. } => drop(fields.insert(*field)),
                Cond::Read { reading, .. } => fields.extend(&reading.of),
                Cond::Same(both) => fields.extend(both),
                Cond::Compared(compared) => fields.extend(compared.sides.iter().flat_map(Side::fields)),
                _ => {}
            }
            open.extend(cond.parts().iter().filter(|part| part.place().is_none_or(|place| seen.insert(place))));
        }
        fields
    }

    /// The number of comparisons in it, written out; at most `most` are counted.
    pub fn size(&self, most: usize) -> usize {
        match self {
            Cond::Const(_) | Cond::Test { .. } | Cond::Read { .. } | Cond::Same(_) | Cond::Compared(_) => 1,
            _ => self.parts().iter().fold(0, |size, part| if size >= most { size } else { size + part.size(most - size) }),
        }
    }
}

/// The condition that holds where this one does not.
pub fn not(cond: Cond) -> Cond {
    match cond {
        Cond::Const(b) => Cond::Const(!b),
        Cond::Not(inner) => Arc::unwrap_or_clone(inner),
        other => Cond::Not(Arc::new(other)),
    }
}

/// The condition that holds where all of these do.
pub fn and(parts: Vec<Cond>) -> Cond {
    several(parts, true, Cond::And)
}

/// The condition that holds where one of these does.
pub fn or(parts: Vec<Cond>) -> Cond {
    several(parts, false, Cond::Or)
}

/// Conditions none of which holds: each variant of a text applies to words to which no earlier one does. Sixteen at a time become
/// one, which later variants share.
#[derive(Debug, Default)]
pub struct NoneOf(Vec<Vec<Cond>>);

impl NoneOf {
    /// This condition, and none of those before.
    pub fn but(&self, cond: Cond) -> Cond {
        and(self.0.iter().rev().flatten().cloned().chain([cond]).collect())
    }

    /// One more.
    pub fn push(&mut self, cond: Cond) {
        let mut next = not(cond);
        for level in 0.. {
            if level == self.0.len() {
                self.0.push(Vec::new());
            }
            self.0[level].push(next);
            if self.0[level].len() < 16 {
                return;
            }
            next = and(std::mem::take(&mut self.0[level]));
        }
    }
}

/// More parts than this are not compared with each other.
const FEW: usize = 64;

/// Joins parts, of which one that is not `neutral` decides; equal parts count once.
fn several(parts: Vec<Cond>, neutral: bool, join: fn(Arc<Vec<Cond>>) -> Cond) -> Cond {
    if parts.contains(&Cond::Const(!neutral)) {
        return Cond::Const(!neutral);
    }
    let mut kept: Vec<Cond> = Vec::new();
    let few = parts.len() <= FEW;
    for part in parts {
        if part != Cond::Const(neutral) && !(few && kept.iter().any(|k| k.is_same(&part))) {
            kept.push(part);
        }
    }
    match kept.len() {
        0 => Cond::Const(neutral),
        1 => kept.remove(0),
        _ => join(Arc::new(kept)),
    }
}

/// Results for conditions by the addresses of their shared parts, so that each is visited once.
pub type Seen<T> = HashMap<*const (), T>;
