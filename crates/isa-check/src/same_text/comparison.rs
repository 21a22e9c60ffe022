//! A comparison of two texts: the pairs of words whose remaining texts are equal.

use super::Spelt;
use super::floats::{self, Float, Pairs, all_of};
use super::side::{Side, Step};
use super::texts::Texts;
use crate::shapes::Begins;
use isa_model::model::{Form, Piece, Word};
use isa_model::sets::{self, Order, Set, Solver, TooLarge};
use isa_runtime::float_text::LONGEST;
use isa_runtime::value::{Code, Spelling};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::sync::Arc;

/// The position of the second word's bits, after those of the first.
pub(super) const SECOND: u32 = Word::BITS;

/// The positions of the bits of both words.
pub(super) const PAIR: [u32; 2] = [0, SECOND];

/// The side that has printed more than the other, and the excess.
pub(super) type Ahead = (usize, String);

/// Pairs of words with one text: some that have one, and all that can have one. Where it was decided, both are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) least: Set,
    pub(super) most: Set,
}

impl Bounds {
    const NONE: Self = Self::exactly(Set::NONE);
    const ALL: Self = Self::exactly(Set::ALL);
    /// A case that is not decided.
    const UNDECIDED: Self = Self { least: Set::NONE, most: Set::ALL };

    const fn exactly(set: Set) -> Self {
        Self { least: set, most: set }
    }

    pub(super) fn and(self, other: Self, solver: &mut Solver<'_>) -> Result<Self, TooLarge> {
        solver.attempt(|solver| {
            let least = solver.and(self.least, other.least)?;
            let are_exact = self.least == self.most && other.least == other.most;
            Ok(Self { least, most: if are_exact { least } else { solver.and(self.most, other.most)? } })
        })
    }

    /// Restricts both bounds to these pairs.
    pub(super) fn among(self, pairs: Set, solver: &mut Solver<'_>) -> Result<Self, TooLarge> {
        self.and(Self::exactly(pairs), solver)
    }

    fn any(all: &[Self], solver: &mut Solver<'_>) -> Result<Self, TooLarge> {
        let least = solver.attempt_any(all.iter().map(|bounds| bounds.least).collect())?;
        let are_exact = all.iter().all(|bounds| bounds.least == bounds.most);
        let most = if are_exact { least } else { solver.attempt_any(all.iter().map(|bounds| bounds.most).collect())? };
        Ok(Self { least, most })
    }
}

pub(super) struct Comparison<'t, 'f> {
    pub(super) order: &'t Order,
    pub(super) sides: [Side<'t, 'f>; 2],
    pub(super) solver: Solver<'t>,
    pub(super) known: FxHashMap<([usize; 2], Ahead), Bounds>,
    /// The number of steps between the first one and the current one.
    pub(super) depth: u32,
    /// A case was met that is not decided.
    pub(super) is_open: bool,
}

impl<'t, 'f> Comparison<'t, 'f> {
    /// A comparison of two words, each with its bits from one of these positions on: the same for two texts of one word.
    pub(super) fn new(order: &'t Order, shifts: [u32; 2], texts: [&'t Texts<'f>; 2], forms: [&'f Form; 2], spelt: Spelt) -> Self {
        let sides = [0, 1].map(|side| Side::new(texts[side], forms[side], shifts[side], spelt));
        Self::of_sides(order, sides, Solver::new(order))
    }

    /// A comparison of sides whose sets this solver has made.
    pub(super) fn of_sides(order: &'t Order, sides: [Side<'t, 'f>; 2], solver: Solver<'t>) -> Self {
        Self { order, sides, solver, known: FxHashMap::default(), depth: 0, is_open: false }
    }

    /// The pairs that have one text, with what `--full` adds to it.
    pub(super) fn same_texts(&mut self) -> Result<Bounds, TooLarge> {
        let [first, second] = &mut self.sides;
        let first = [first.whole(&mut self.solver)?, second.whole(&mut self.solver)?];
        self.same_from(first)
    }

    /// The pairs that have one text from these steps on.
    pub(super) fn same_from(&mut self, first: [usize; 2]) -> Result<Bounds, TooLarge> {
        self.rest(first, (0, String::new()))
    }

    /// The pairs of which one prints by the one template what the other prints by the other.
    pub(super) fn same_of(&mut self, templates: [&'f [Piece]; 2]) -> Result<Bounds, TooLarge> {
        let mut first = [0, 0];
        for ((side, first), template) in self.sides.iter_mut().zip(&mut first).zip(templates) {
            *first = side.chain(template, 0, &mut self.solver)?;
        }
        self.rest(first, (0, String::new()))
    }

    /// A pair of words of a set, if there is one.
    pub(super) fn witness(&self, set: Set) -> Option<[Word; 2]> {
        let bits = self.solver.path(set)?.into_iter().filter(|(_, one)| *one);
        Some(bits.fold([Word::ZERO; 2], |mut words: [Word; 2], (bit, _)| {
            words[(bit / SECOND) as usize] |= Word::bit(bit % SECOND);
            words
        }))
    }

    /// The pairs of which the rest of one text is the rest of the other, after what one of them is ahead.
    pub(super) fn rest(&mut self, at: [usize; 2], ahead: Ahead) -> Result<Bounds, TooLarge> {
        let begins = |side: usize| &self.sides[side].begins[at[side]];
        let can_go_on = match ahead.1.as_str() {
            "" => begins(0).meets(begins(1)),
            text => begins(1 - ahead.0).meets(&Begins::with(text)),
        };
        if !can_go_on {
            return Ok(Bounds::NONE);
        }
        let key = (at, ahead);
        if let Some(known) = self.known.get(&key) {
            return Ok(*known);
        }
        if self.known.len() >= MAX_STATES || self.depth >= MAX_DEPTH {
            return Err(TooLarge);
        }
        self.depth += 1;
        let found = self.compute(at, &key.1)?;
        self.depth -= 1;
        self.known.insert(key, found);
        Ok(found)
    }

    fn undecided(&mut self) -> Bounds {
        self.is_open = true;
        Bounds::UNDECIDED
    }

    /// The pairs that have the same in the bits of each of these pairs of bits.
    pub(super) fn equal_bits(&mut self, mut bits: Pairs) -> Result<Set, TooLarge> {
        // From the last one asked on: each step then adds to the top of the diagram.
        let order = self.order;
        bits.sort_by_key(|(a, b)| std::cmp::Reverse(order.level(*a).min(order.level(*b))));
        bits.into_iter().try_fold(Set::ALL, |set, (a, b)| {
            self.solver.attempt(|solver| {
                let (a, b) = (solver.bit(a)?, solver.bit(b)?);
                let differ = solver.differ(a, b)?;
                solver.minus(set, differ)
            })
        })
    }

    /// If both sides print a field with the same texts, which end in the same place: its bits, and the steps that follow.
    pub(super) fn alike(&self, at: [usize; 2]) -> Option<(Pairs, [usize; 2])> {
        let [Step::Field(a, ra, na), Step::Field(b, rb, nb)] = [0, 1].map(|side| &*self.sides[side].steps[at[side]]) else {
            return None;
        };
        let [left, right] = &self.sides;
        let (a, b) = (&left.form.fields[*a], &right.form.fields[*b]);
        let shape = left.texts.shapes.of(a, ra);
        let is_one = shape.is_one && ra == rb && a.code == b.code;
        let ends = |side: &Side<'_, '_>, next: usize| !shape.goes_on.meets(&side.begins[next]);
        if !is_one || !ends(left, *na) || !ends(right, *nb) {
            return None;
        }
        Some((left.places(a).into_iter().zip(right.places(b)).collect(), [*na, *nb]))
    }

    pub(super) fn compute(&mut self, mut at: [usize; 2], ahead: &Ahead) -> Result<Bounds, TooLarge> {
        if ahead.1.is_empty()
            && let Some((bits, next)) = self.alike(at)
        {
            let rest = self.rest(next, (0, String::new()))?;
            if rest == Bounds::NONE {
                return Ok(rest);
            }
            let same = self.equal_bits(bits)?;
            return rest.among(same, &mut self.solver);
        }
        for (side, at) in at.iter_mut().enumerate() {
            // The side that is ahead has already printed.
            if ahead.1.is_empty() || side != ahead.0 {
                *at = self.sides[side].expand(*at, &mut self.solver)?;
            }
        }
        let step = |side: usize| self.sides[side].steps[at[side]].clone();
        let steps = [step(0), step(1)];
        // The side that is behind prints next; if they are level, a side with a choice.
        let is_choice = |side: usize| matches!(*steps[side], Step::Choice(..));
        let side = match ahead.1.is_empty() {
            true => usize::from(!is_choice(0) && (is_choice(1) || matches!(*steps[0], Step::End))),
            false => 1 - ahead.0,
        };
        let moved = |to: usize| moved(at, side, to);
        let both = |next: usize, other: usize| if side == 0 { [next, other] } else { [other, next] };
        let level = || (0, String::new());
        match &*steps[side] {
            // A field is made of other steps.
            Step::Field(..) => Ok(Bounds::NONE),
            Step::Choice(ways, sorted) => {
                let mut found = Vec::new();
                let (texts, others) = ways.split_at(*sorted);
                let made: Vec<Rc<Step>> = texts.iter().map(|way| self.sides[side].steps[way.1].clone()).collect();
                // Only texts that begin with what the other side has printed, or are a beginning of that, can match.
                let from = made.partition_point(|step| step.as_text() < ahead.1.as_str());
                let longer = (from..made.len()).take_while(|i| made[*i].as_text().starts_with(ahead.1.as_str()));
                let shorter = (1..ahead.1.len()).filter(|end| ahead.1.is_char_boundary(*end));
                let shorter = shorter.filter_map(|end| made.binary_search_by(|step| step.as_text().cmp(&ahead.1[..end])).ok());
                let texts = longer.chain(shorter).map(|i| &texts[i]);
                for (words, to) in texts.chain(others).copied() {
                    let rest = self.rest(moved(to), ahead.clone())?;
                    if rest != Bounds::NONE {
                        found.push(rest.among(words, &mut self.solver)?);
                    }
                }
                Bounds::any(&found, &mut self.solver)
            }
            Step::Text(text, next) => {
                let next = *next;
                if let Some(more) = ahead.1.strip_prefix(text.as_str()) {
                    let ahead = if more.is_empty() { level() } else { (ahead.0, more.to_owned()) };
                    return self.rest(moved(next), ahead);
                }
                match text.strip_prefix(ahead.1.as_str()) {
                    Some(more) => self.rest(moved(next), (side, more.to_owned())),
                    None => Ok(Bounds::NONE),
                }
            }
            // The other side is over as well, or has more.
            Step::End => match (&*steps[1 - side], ahead.1.is_empty()) {
                (Step::End, true) => Ok(Bounds::ALL),
                _ => Ok(Bounds::NONE),
            },
            Step::Float(..) | Step::Digits(..) if !ahead.1.is_empty() => self.number_behind(side, at, &steps[side], &ahead.1),
            Step::Name(spelling, _) if !ahead.1.is_empty() => {
                // The other side has printed characters here: some names begin like them.
                Ok(if can_begin(spelling, &ahead.1) { self.undecided() } else { Bounds::NONE })
            }
            Step::Digits(digits, next) => match &*steps[1 - side] {
                Step::Digits(others, other) => {
                    let to = both(*next, *other);
                    if digits.style != others.style || !digits.moves_with(others) {
                        return Ok(self.undecided());
                    }
                    let (a, b) = (digits, others);
                    // Numbers made of bits in the same way are equal if the bits are.
                    if a.code == b.code && a.modulo.is_none() && b.modulo.is_none() {
                        let same = self.same_numbers(&a.code, [&a.places, &b.places])?;
                        return self.rest(to, level())?.among(same, &mut self.solver);
                    }
                    let bits = match (a.modulo, b.modulo) {
                        (None, None) => sets::VECTOR,
                        (Some(bits), Some(other)) if bits == other => bits,
                        _ => return Ok(self.undecided()),
                    };
                    let same = self.solver.attempt(|solver| {
                        let one = sets::value(solver, &a.code, &a.places)?;
                        let other = sets::value(solver, &b.code, &b.places)?;
                        sets::equal(solver, &one, &other, bits)
                    })?;
                    self.rest(to, level())?.among(same, &mut self.solver)
                }
                Step::Float(..) => self.go_on(side, at, ""),
                other => self.meet(side, at, other),
            },
            Step::Float(float, next) => match &*steps[1 - side] {
                Step::Float(others, other) => {
                    let to = both(*next, *other);
                    let same = self.same_float(float, others)?;
                    self.rest(to, level())?.and(same, &mut self.solver)
                }
                Step::Digits(..) => self.go_on(1 - side, at, ""),
                other => self.meet(side, at, other),
            },
            Step::Name(_, next) => match &*steps[1 - side] {
                Step::Name(_, other) => {
                    let to = both(*next, *other);
                    self.rest(to, level())
                }
                other => self.meet(side, at, other),
            },
            Step::OneOfMany(id, places, next) => match &*steps[1 - side] {
                Step::OneOfMany(other_id, others, other) if id == other_id && ahead.1.is_empty() => {
                    let to = both(*next, *other);
                    let same = self.equal_bits(places.iter().copied().zip(others.iter().copied()).collect())?;
                    self.rest(to, level())?.among(same, &mut self.solver)
                }
                _ => Ok(self.undecided()),
            },
        }
    }

    /// The pairs of words that have one number in fields of one code.
    pub(super) fn same_numbers(&mut self, code: &Code, places: [&[u32]; 2]) -> Result<Set, TooLarge> {
        let [a, b] = places;
        match code.map().filter(|map| !map.is_one_to_one()) {
            None => self.equal_bits(a.iter().copied().zip(b.iter().copied()).collect()),
            Some(map) => {
                let code = Code::mapped(code.width, Arc::new(map.canonical()));
                self.solver.attempt(|solver| {
                    let (a, b) = (sets::value(solver, &code, a)?, sets::value(solver, &code, b)?);
                    sets::equal(solver, &a, &b, code.width)
                })
            }
        }
    }

    /// The pairs of words that print one floating-point number.
    fn same_float(&mut self, float: &Float, other: &Float) -> Result<Bounds, TooLarge> {
        let shared = float.shared(other);
        let mut same = vec![float.same(other, shared.is_none(), &mut self.solver)?];
        match shared {
            Some((pairs, clear)) => {
                let equal = self.equal_bits(pairs)?;
                let clear = all_of(&mut self.solver, clear.into_iter().map(|place| (place, false)))?;
                same.push(self.solver.attempt(|solver| solver.and(equal, clear))?);
            }
            // Only some numbers were tried.
            None => return Ok(Bounds { least: self.solver.attempt_any(same)?, ..self.undecided() }),
        }
        self.solver.attempt_any(same).map(Bounds::exactly)
    }

    /// A number on one side, where the other has printed characters: the number is some of them, or all and more.
    fn number_behind(&mut self, side: usize, at: [usize; 2], number: &Step, text: &str) -> Result<Bounds, TooLarge> {
        let (next, longest) = match number {
            Step::Digits(digits, next) => (*next, digits.longest(text)),
            Step::Float(_, next) => (*next, text.bytes().take_while(u8::is_ascii).count().min(LONGEST)),
            _ => return Ok(self.undecided()),
        };
        let mut found = Vec::new();
        for end in 1..=longest {
            let words = match number {
                Step::Digits(digits, _) => match (digits.printed(&text[..end], &mut self.solver)?, digits.modulo) {
                    (None, _) => Bounds::NONE,
                    (Some(words), None) => Bounds::exactly(words),
                    // Other words can leave this number, too.
                    (Some(words), Some(_)) => Bounds { least: words, ..self.undecided() },
                },
                Step::Float(float, _) => Bounds::exactly(float.printed(&text[..end], &mut self.solver)?),
                _ => Bounds::NONE,
            };
            if words != Bounds::NONE {
                let ahead = if end == text.len() { (0, String::new()) } else { (1 - side, text[end..].to_owned()) };
                let rest = self.rest(moved(at, side, next), ahead)?;
                found.push(rest.and(words, &mut self.solver)?);
            }
        }
        let begins = &self.sides[1 - side].begins[at[1 - side]];
        match number {
            Step::Digits(digits, _) if longest == text.len() && begins.meets(&digits.begins()) => found.push(self.undecided()),
            Step::Float(..) if floats::begins(text) => found.push(self.go_on(1 - side, at, text)?),
            _ => {}
        }
        Bounds::any(&found, &mut self.solver)
    }

    /// Lets one side print on after characters that the other, which prints a floating-point number, has not printed yet.
    fn go_on(&mut self, side: usize, mut at: [usize; 2], text: &str) -> Result<Bounds, TooLarge> {
        at[side] = self.sides[side].expand(at[side], &mut self.solver)?;
        let moved = |to: usize| moved(at, side, to);
        match &*self.sides[side].steps[at[side]].clone() {
            Step::End => Ok(Bounds::NONE),
            Step::Text(more, next) => self.rest(moved(*next), (side, format!("{text}{more}"))),
            Step::Choice(ways, _) => {
                let mut found = Vec::new();
                for (words, to) in ways {
                    let rest = self.rest(moved(*to), (side, text.to_owned()))?;
                    found.push(rest.among(*words, &mut self.solver)?);
                }
                Bounds::any(&found, &mut self.solver)
            }
            Step::Digits(digits, next) => {
                // Only some numbers are tried.
                let mut found = vec![self.undecided()];
                for number in floats::numbers() {
                    let (words, shown) = digits.of(number, &mut self.solver)?;
                    if words != Set::NONE {
                        let rest = self.rest(moved(*next), (side, format!("{text}{shown}")))?;
                        found.push(rest.among(words, &mut self.solver)?);
                    }
                }
                Bounds::any(&found, &mut self.solver)
            }
            Step::Field(..) | Step::Float(..) | Step::Name(..) | Step::OneOfMany(..) => Ok(self.undecided()),
        }
    }

    /// Something that is not written out on one side, and something else on the other.
    pub(super) fn meet(&mut self, side: usize, at: [usize; 2], other: &Step) -> Result<Bounds, TooLarge> {
        match other {
            Step::End => Ok(Bounds::NONE),
            Step::Text(text, next) => self.rest(moved(at, 1 - side, *next), (1 - side, text.clone())),
            _ => Ok(self.undecided()),
        }
    }
}

/// The steps after one side has moved.
fn moved(mut at: [usize; 2], side: usize, to: usize) -> [usize; 2] {
    at[side] = to;
    at
}

/// True if a name that a program gives can begin as the text does.
pub(super) fn can_begin(spelling: &Spelling, text: &str) -> bool {
    let Some(first) = text.bytes().next() else { return true };
    spelling.given().is_some_and(|names| first.is_ascii() && names.begins() >> first & 1 == 1)
}

/// The greatest number of states in a comparison of two forms.
pub(super) const MAX_STATES: usize = 1 << 15;

/// The longest texts that are compared, in steps: each is a call inside another.
pub(super) const MAX_DEPTH: u32 = 1000;
