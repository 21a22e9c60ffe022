//! Values as people write them, and the bits that encode them.

use super::context::Context;
use super::registers::find_register;
use isa_model::model::{Enum, EnumValue, Field, Isa, Label, Raw, Reading, RegisterFile, ones};
use isa_model::sets::{self, Order, Set, Solver, TooLarge, WordSet};
use isa_model::span::Span;
use isa_runtime::value::{Code, NotEncodable, Number, Spelling, Step};
use isa_syntax::lang::{Compare, Value};

/// All that is needed to turn the values of a field into bits.
#[derive(Clone, Copy)]
pub(super) struct Meaning<'a> {
    pub(super) registers: &'a [RegisterFile],
    pub(super) enums: &'a [Enum],
    pub(super) label: Label,
    pub(super) spelling: &'a Spelling,
    pub(super) code: &'a Code,
    /// It is computed from fields: what a text shows is its number, and it can be compared with any number.
    pub(super) is_reading: bool,
}

impl<'a> Meaning<'a> {
    /// The meaning of a field.
    pub(super) fn of(isa: &'a Isa, field: &'a Field) -> Self {
        let Field { label, spelling, code, .. } = field;
        Self { registers: &isa.registers, enums: &isa.enums, label: *label, spelling, code, is_reading: false }
    }

    /// The meaning of a reading.
    pub(super) fn of_reading(isa: &'a Isa, reading: &'a Reading) -> Self {
        Self { is_reading: true, ..Self::of(isa, &reading.field) }
    }

    /// The bits of a number of which exactly one is set: of a field, of its bits before they are a number.
    pub(super) fn one_hot(self, cx: &Context<'_, '_>, span: Span) -> Option<WordSet> {
        if self.is_reduced() {
            return self.solve(cx, span, |solver| {
                let number = self.bits(solver)?;
                sets::one_hot(solver, &number)
            });
        }
        if self.is_reading {
            let powers: Vec<_> = (0..Raw::BITS).map(|bit| [Some(Number::from(1u128 << bit)); 2]).collect();
            return self.within(cx, &powers, span);
        }
        let mut ranges: Vec<(Raw, Raw)> = (0..self.code.width).map(|bit| 1 << bit).map(|bits| (bits, bits)).collect();
        join(&mut ranges);
        // A declared code computes numbers of bits: these are asked for, as where its numbers are listed.
        let inverted = self.code.bit_steps().iter().filter(|step| **step == Step::Not);
        let code = Code::plain(self.code.width).then_all(inverted.copied());
        self.solve(cx, span, |solver| sets::intervals(solver, &code, &ranges))
    }

    /// The bits of a value, or an error at its place.
    pub(super) fn raw(self, cx: &Context<'_, '_>, value: &Value, span: Span) -> Option<Raw> {
        match self.bits_of(value) {
            Ok(raw) => Some(raw),
            Err(message) => {
                cx.error("value", message, span);
                None
            }
        }
    }

    /// True if a value is one of this field's, or a reading can be compared with it.
    pub(super) fn has(self, value: &Value) -> bool {
        if self.is_reading { self.index_of(value).is_ok() } else { self.bits_of(value).is_ok() }
    }

    /// True if the value that is compared with is one of this field's at all.
    pub(super) fn can_be(self, compare: &Compare) -> bool {
        match compare {
            Compare::With("==" | "!=", value, _) => self.has(value),
            _ => true,
        }
    }

    /// The bits of a value of a field.
    pub(super) fn bits_of(self, value: &Value) -> Result<Raw, String> {
        let number = self.index_of(value)?;
        self.code.bits(number).map_err(|error| match error {
            _ if self.label != Label::Number => {
                let [least, greatest] = self.code.range();
                match (self.label, value) {
                    (Label::Register(id), Value::Name(name) | Value::Text(name)) => {
                        format!("`{name}` is not a register of `{}`", self.registers[id.index()].name)
                    }
                    _ => format!("{number} does not fit into {} bits: {least} to {greatest}", self.code.width),
                }
            }
            NotEncodable::OutOfRange { least, greatest } => format!("{number} is out of range: {least} to {greatest}"),
            NotEncodable::NotMultiple { of, offset: 0 } => format!("{number} is not a multiple of {of}"),
            NotEncodable::NotOne { around } => {
                let near: Vec<String> = around.iter().flatten().map(|number| format!("{number:#x}")).collect();
                format!("{number} is not a number of this code: next to it is {}", near.join(" and "))
            }
            NotEncodable::NotMultiple { of, offset } => format!("{number} is not {offset} more than a multiple of {of}"),
        })
    }

    /// The number of a value, also of one that no bits have.
    fn index_of(self, value: &Value) -> Result<Number, String> {
        Ok(match (self.label, value) {
            (Label::Register(id), value) => {
                let file = &self.registers[id.index()];
                if self.spelling.given().is_some() {
                    return Err(format!("programs name the registers of `{}`: they have no values here", file.name));
                }
                match value {
                    Value::Number(n) => *n,
                    Value::Name(name) | Value::Text(name) => match find_register(file, name) {
                        Some(n) => n.into(),
                        None => return Err(format!("`{name}` is not a register of `{}`", file.name)),
                    },
                }
            }
            (Label::Enum(id), value) => {
                let e = &self.enums[id.index()];
                match value {
                    Value::Number(n) => *n,
                    Value::Name(name) | Value::Text(name) => {
                        let is_it = |v: &&EnumValue| v.read().any(|text| text == name) || v.name.as_ref() == Some(name);
                        match e.values.iter().find(is_it) {
                            Some(v) => v.value.into(),
                            None => {
                                let texts: Vec<String> = e.values.iter().take(16).map(|v| format!("`{}`", v.text)).collect();
                                return Err(format!("`{name}` is not a text of `{}`: {}", e.name, texts.join(", ")));
                            }
                        }
                    }
                }
            }
            (_, Value::Number(n)) => *n,
            (_, Value::Name(name) | Value::Text(name)) => {
                let what = if self.is_reading { "reading is" } else { "field holds" };
                return Err(format!("this {what} a number, not `{name}`"));
            }
        })
    }

    /// A number that conditions compare for equality, or an error at its place: of a field, one of its numbers.
    fn number(self, cx: &Context<'_, '_>, value: &Value, span: Span) -> Option<Number> {
        if !self.is_reading {
            return self.code.value(self.raw(cx, value, span)?);
        }
        match self.index_of(value) {
            Ok(number) => Some(number),
            Err(message) => {
                cx.error("value", message, span);
                None
            }
        }
    }

    /// A number as conditions order it: registers and enums by their bits.
    fn order(self, cx: &Context<'_, '_>, value: &Value, span: Span) -> Option<Number> {
        if let Value::Number(n) = value { Some(*n) } else { self.number(cx, value, span) }
    }

    /// The bits for which a comparison holds; the flag says that it is for all others.
    pub(super) fn test(
        self,
        cx: &Context<'_, '_>,
        arith: Option<(char, Number)>,
        compare: &Compare,
        span: Span,
        at: &dyn Fn(&std::ops::Range<usize>) -> Span,
    ) -> Option<(WordSet, bool)> {
        if self.spelling.given().is_some() {
            cx.error("condition", "programs name this register: a condition can't test it", span);
            return None;
        }
        if let Some((op, k)) = arith {
            return self.test_arith(cx, op, k, compare, span);
        }
        let (intervals, negated) = match compare {
            // Comparisons of fields are made elsewhere.
            Compare::Field(_, term) => {
                cx.error("condition", format!("`{}` is not compared with a field", term.name.path), span);
                return None;
            }
            // If no bits encode 0, the field is never 0.
            Compare::NotZero => (vec![[Some(Number::ZERO); 2]], true),
            Compare::With(op, value, range) => {
                let span = at(range);
                let number = match *op {
                    "==" | "!=" => self.number(cx, value, span)?,
                    _ => self.order(cx, value, span)?,
                };
                // The values on the other side are as easy to say, and end where the number itself does.
                let (interval, negated) = match *op {
                    "==" => ([Some(number); 2], false),
                    "!=" => ([Some(number); 2], true),
                    "<" => ([Some(number), None], true),
                    "<=" => ([None, Some(number)], false),
                    ">" => ([None, Some(number)], true),
                    _ => ([Some(number), None], false),
                };
                (vec![interval], negated)
            }
            Compare::In(elements) => {
                let interval = |(first, last, range): &(Value, Option<Value>, std::ops::Range<usize>)| {
                    let span = at(range);
                    Some(match last {
                        None => [Some(self.number(cx, first, span)?); 2],
                        Some(last) => [Some(self.order(cx, first, span)?), Some(self.order(cx, last, span)?)],
                    })
                };
                (elements.iter().map(interval).collect::<Option<_>>()?, false)
            }
        };
        // `a < n` is all but `a >= n`; as a set of its own it reads better where it is shown.
        let turn = negated && matches!(compare, Compare::With("<" | ">", ..));
        let set = self.within(cx, &intervals, span)?;
        Some((if turn { set.complement() } else { set }, negated && !turn))
    }

    /// Exactly these bits.
    pub(super) fn exactly(self, cx: &Context<'_, '_>, raw: Raw, span: Span) -> Option<WordSet> {
        let bits = self.code.number_bits(raw);
        self.solve(cx, span, |solver| sets::intervals(solver, self.code, &[(bits, bits)]))
    }

    /// The bits whose value is from `low` to `high`, of all values where one is missing.
    pub(super) fn between(self, cx: &Context<'_, '_>, low: Option<Number>, high: Option<Number>, span: Span) -> Option<WordSet> {
        self.within(cx, &[[low, high]], span)
    }

    /// The bits whose number is in one of these intervals.
    fn within(self, cx: &Context<'_, '_>, intervals: &[[Option<Number>; 2]], span: Span) -> Option<WordSet> {
        if self.is_reduced() {
            return self.solve(cx, span, |solver| {
                let number = self.bits(solver)?;
                let sets = intervals.iter().map(|[low, high]| sets::within(solver, &number, *low, *high));
                let sets = sets.collect::<Result<_, _>>()?;
                solver.any(sets)
            });
        }
        let mut ranges = intervals.iter().flat_map(|[low, high]| self.code.between(*low, *high)).collect();
        join(&mut ranges);
        self.solve(cx, span, |solver| sets::intervals(solver, self.code, &ranges))
    }

    /// True if the number is a value modulo a power of two.
    fn is_reduced(self) -> bool {
        self.is_reading && self.code.modulo().is_some()
    }

    /// The bits of the number, as sets of those of the field.
    fn bits(self, solver: &mut Solver<'_>) -> Result<Vec<Set>, TooLarge> {
        let places: Vec<u32> = (0..self.code.width).collect();
        if self.is_reading { sets::shown(solver, self.code, &places) } else { sets::value(solver, self.code, &places) }
    }

    /// `field % k == c`, `field & k == c`.
    fn test_arith(self, cx: &Context<'_, '_>, op: char, k: Number, compare: &Compare, span: Span) -> Option<(WordSet, bool)> {
        let (target, negated) = match compare {
            Compare::With("==", Value::Number(n), _) => (*n, false),
            Compare::With("!=", Value::Number(n), _) => (*n, true),
            Compare::NotZero => (Number::ZERO, true),
            _ => {
                cx.error("condition", format!("`{op}` is compared with `==` or `!=` and a number"), span);
                return None;
            }
        };
        if op == '%' && !(1..=sets::MAX_DIVISOR).contains(&k.magnitude) {
            cx.error("condition", format!("`% {k}` is not possible: the divisor is 1 to 2^126"), span);
            return None;
        }
        if let Some(map) = self.code.map() {
            let holds = |number: i128| match (op, target.to_u128()) {
                // In two's complement, of a mask that can be negative.
                ('&', _) => (0..sets::VECTOR).all(|bit| (Number::from(number).bit(bit) && k.bit(bit)) == target.bit(bit)),
                // No divisor has so many bits that it is negative.
                (_, rest) => rest == Some(number.rem_euclid(k.magnitude as i128) as u128),
            };
            let found = map.numbers().iter().filter(|(_, number)| holds(*number));
            let mut ranges: Vec<(Raw, Raw)> = found.map(|(bits, _)| (Raw::from(*bits), Raw::from(*bits))).collect();
            join(&mut ranges);
            let set = self.solve(cx, span, |solver| sets::intervals(solver, self.code, &ranges))?;
            return Some((set, negated));
        }
        let set = self.solve(cx, span, |solver| match (op, target.to_u128()) {
            ('&', _) => {
                let number = self.bits(solver)?;
                sets::masked(solver, &number, k, target)
            }
            (_, Some(rest)) if rest >= k.magnitude => Ok(Set::NONE),
            (_, Some(rest)) if self.is_reduced() => {
                let number = self.bits(solver)?;
                sets::remainder(solver, &number, k.magnitude, rest)
            }
            (_, Some(rest)) => sets::congruent(solver, self.code, k.magnitude, rest),
            _ => Ok(Set::NONE),
        })?;
        Some((set, negated))
    }

    /// A set of the field's bits.
    fn solve(
        self,
        cx: &Context<'_, '_>,
        span: Span,
        compute: impl FnOnce(&mut Solver<'_>) -> Result<Set, TooLarge>,
    ) -> Option<WordSet> {
        let order = Order::descending(self.code.width);
        let mut solver = Solver::new(&order);
        match solver.attempt(compute) {
            Ok(set) => Some(solver.freeze(set)),
            Err(error) => {
                cx.error("entangled", format!("this comparison is too entangled: {error}"), span);
                None
            }
        }
    }

    /// The bits whose number has a text, if some have none.
    pub(super) fn allowed(self) -> Result<Option<WordSet>, TooLarge> {
        if self.code.map().is_some() {
            return self.listed(self.code.between(None, None));
        }
        // Parts for some bits of a number have texts for all of these.
        let [part] = self.spelling.parts.as_slice() else { return Ok(None) };
        let end = match &part.other {
            None => 0,
            Some(other) => match other.numbered().and_then(|numbered| numbered.end) {
                None => return Ok(None),
                Some(end) => end,
            },
        };
        let all = ones(self.code.width);
        let named = part.names.iter().map(|name| name.number).filter(|n| *n >= end && *n <= all).map(|n| (n, n));
        let numbered = end.checked_sub(1).map(|last| (0, last.min(all)));
        self.listed(numbered.into_iter().chain(named).collect())
    }

    /// Bits whose number is in one of these intervals; `None` for all.
    fn listed(self, mut ranges: Vec<(Raw, Raw)>) -> Result<Option<WordSet>, TooLarge> {
        join(&mut ranges);
        let order = Order::descending(self.code.width);
        let mut solver = Solver::new(&order);
        // The budget grows with the number of values and bits: whatever could be read can be built.
        let set = ranges.chunks(1024).try_fold(Set::NONE, |set, part| {
            let part = solver.attempt(|solver| sets::intervals(solver, self.code, part))?;
            solver.attempt(|solver| solver.or(set, part))
        })?;
        Ok(Some(solver.freeze(set)).filter(|set| !set.is_all()))
    }
}

/// Sorts intervals, and joins those that overlap or touch.
fn join(ranges: &mut Vec<(Raw, Raw)>) {
    ranges.sort_unstable();
    let mut out: Vec<(Raw, Raw)> = Vec::with_capacity(ranges.len());
    for (from, to) in ranges.drain(..) {
        match out.last_mut() {
            Some((_, last)) if last.checked_add(1).is_none_or(|next| from <= next) => *last = to.max(*last),
            _ => out.push((from, to)),
        }
    }
    *ranges = out;
}
