//! Values as people write them, and the bits that stand for them.

use super::context::Context;
use super::registers::find_register;
use crate::lang::{Compare, Value};
use crate::model::{Enum, EnumValue, Field, Isa, Kind, Raw, RegisterFile, Word, flipped, ones};
use crate::sets::{self, Linear, Number, Order, Set, Solver, TooLarge, WordSet};
use crate::span::Span;

/// What a field's bits mean: all that is needed to turn values into bits.
#[derive(Clone, Copy)]
pub(super) struct Meaning<'a> {
    pub(super) registers: &'a [RegisterFile],
    pub(super) enums: &'a [Enum],
    pub(super) kind: &'a Kind,
    pub(super) inverted: bool,
    pub(super) width: u32,
}

impl<'a> Meaning<'a> {
    /// Of a field.
    pub(super) fn of(isa: &'a Isa, field: &'a Field) -> Self {
        Self {
            registers: &isa.registers,
            enums: &isa.enums,
            kind: &field.kind,
            inverted: field.inverted,
            width: field.bits.width(),
        }
    }

    /// The bits of which exactly one is set; where the field is inverted, one of the number that they stand for.
    pub(super) fn one_hot(self, cx: &Context<'_, '_>, span: Span) -> Option<WordSet> {
        let all = ones(self.width);
        let mut ranges: Vec<(Raw, Raw)> =
            (0..self.width).map(|bit| if self.inverted { all ^ 1 << bit } else { 1 << bit }).map(|raw| (raw, raw)).collect();
        join(&mut ranges);
        self.solve(cx, span, |solver| solver.intervals(&words(&ranges), self.width))
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

    /// Whether the value that is compared with is one of this field's at all.
    pub(super) fn can_be(self, compare: &Compare) -> bool {
        match compare {
            Compare::With("==" | "!=", value, _) => self.bits_of(value).is_ok(),
            _ => true,
        }
    }

    /// Whether the bits are the value: a number without a sign, a scale or a bias.
    fn is_plain(self) -> bool {
        match self.kind {
            Kind::Int { signed, scale, bias, .. } => !signed && *scale == 1 && *bias == 0,
            _ => true,
        }
    }

    fn linear(self) -> Linear {
        let (signed, scale, bias) = match self.kind {
            Kind::Int { signed, scale, bias, .. } => (*signed, *scale, *bias),
            _ => (false, 1, 0),
        };
        Linear { bits: self.width, signed, inverted: self.inverted, scale, bias }
    }

    pub(super) fn bits_of(self, value: &Value) -> Result<Raw, String> {
        let all = ones(self.width);
        let plain = |n: Number| -> Result<Raw, String> {
            let fits = n.to_u128().filter(|n| *n <= all);
            fits.ok_or_else(|| format!("{n} does not fit into {} bits: 0 to {all}", self.width))
        };
        let raw = match (self.kind, value) {
            (Kind::Int { .. }, Value::Number(n)) if self.is_plain() => {
                n.to_u128().filter(|n| *n <= all).ok_or_else(|| format!("{n} is out of range: 0 to {all}"))?
            }
            (Kind::Int { signed, scale, bias, .. }, Value::Number(number)) => {
                let (scale, bias) = (i128::from(*scale), i128::from(*bias));
                let (low, high) = self.limits(*signed);
                let at = |q: i128| Number::from(q.saturating_mul(scale).saturating_add(bias));
                let outside = || {
                    let (a, b) = if scale < 0 { (high, low) } else { (low, high) };
                    format!("{number} is out of range: {} to {}", at(a), at(b))
                };
                let n = number.clamped() - bias;
                if n % scale != 0 {
                    return Err(match bias {
                        0 => format!("{number} is not a multiple of {scale}"),
                        _ => format!("{number} is not {bias} more than a multiple of {scale}"),
                    });
                }
                let q = n / scale;
                if q < low || q > high {
                    return Err(outside());
                }
                q as Raw & all
            }
            (Kind::Register(id), value) => {
                let file = &self.registers[id.index()];
                if file.names.is_some() {
                    return Err(format!("programs name the registers of `{}`: they have no values here", file.name));
                }
                match value {
                    Value::Number(n) => plain(*n)?,
                    Value::Name(name) | Value::Text(name) => match find_register(file, name) {
                        Some(n) if n <= all => n,
                        _ => return Err(format!("`{name}` is not a register of `{}`", file.name)),
                    },
                }
            }
            (Kind::Enum(id), value) => {
                let e = &self.enums[id.index()];
                match value {
                    Value::Number(n) => plain(*n)?,
                    Value::Name(name) | Value::Text(name) => {
                        let is_it = |v: &&EnumValue| v.read().any(|text| text == name) || v.name.as_ref() == Some(name);
                        match e.values.iter().find(is_it) {
                            Some(v) => v.value,
                            None => {
                                let texts: Vec<String> = e.values.iter().take(16).map(|v| format!("`{}`", v.text)).collect();
                                return Err(format!("`{name}` is not a text of `{}`: {}", e.name, texts.join(", ")));
                            }
                        }
                    }
                }
            }
            (_, Value::Number(n)) => plain(*n)?,
            (_, Value::Name(name) | Value::Text(name)) => return Err(format!("this field holds a number, not `{name}`")),
        };
        Ok(flipped(self.inverted, self.width, raw))
    }

    /// The least and the greatest number of the field, before scaling. What is not plain has few enough bits to be in `i128`.
    fn limits(self, signed: bool) -> (i128, i128) {
        let ones = |bits: u32| (ones(bits) >> u32::from(bits > 127)) as i128;
        if signed { (-ones(self.width - 1) - 1, ones(self.width - 1)) } else { (0, ones(self.width)) }
    }

    /// The bits of all values from `low` to `high`, as intervals of the field's bits.
    fn between(self, low: Option<Number>, high: Option<Number>) -> Vec<(Raw, Raw)> {
        let all = ones(self.width);
        let mut ranges = Vec::new();
        let mut add = |a: Raw, b: Raw| ranges.push(if self.inverted { (all - b, all - a) } else { (a, b) });
        if self.is_plain() {
            let from = low.map_or(0, |n| if n.negative { 0 } else { n.magnitude });
            let to = high.map_or(Some(all), |n| if n.negative { None } else { Some(n.magnitude.min(all)) });
            if let Some(to) = to.filter(|to| from <= *to) {
                add(from, to);
            }
            return ranges;
        }
        let Linear { signed, scale, bias, .. } = self.linear();
        let (scale, bias) = (i128::from(scale), i128::from(bias));
        let (low, high) = (low.map(Number::clamped), high.map(Number::clamped));
        let (least, greatest) = self.limits(signed);
        // Divide towards the inside of the interval; a negative scale turns it round.
        let floor = |n: i128| (n - bias).div_euclid(scale.abs()) * scale.signum();
        let ceil = |n: i128| -((bias - n).div_euclid(scale.abs())) * scale.signum();
        let (mut from, mut to) = (least, greatest);
        if scale > 0 {
            from = low.map_or(from, ceil).max(least);
            to = high.map_or(to, floor).min(greatest);
        } else {
            to = low.map_or(to, ceil).min(greatest);
            from = high.map_or(from, floor).max(least);
        }
        for (from, to) in [(from, to.min(-1)), (from.max(0), to)] {
            if from <= to {
                add(from as Raw & all, to as Raw & all);
            }
        }
        ranges
    }

    /// A number as conditions compare it: registers and enums by their bits.
    fn order(self, cx: &Context<'_, '_>, value: &Value, span: Span) -> Option<Number> {
        if let Value::Number(n) = value {
            return Some(*n);
        }
        let raw = self.raw(cx, value, span)?;
        Some(Number { negative: false, magnitude: flipped(self.inverted, self.width, raw) })
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
        if matches!(self.kind, Kind::Register(id) if self.registers[id.index()].names.is_some()) {
            cx.error("condition", "programs name this register: a condition can't test it", span);
            return None;
        }
        if let Some((op, k)) = arith {
            return self.test_arith(cx, op, k, compare, span);
        }
        let exactly = |raw: Raw| vec![(raw, raw)];
        let (mut ranges, negated) = match compare {
            // Where no bits make 0, it is never 0.
            Compare::NotZero => (self.bits_of(&Value::Number(0.into())).map_or(Vec::new(), exactly), true),
            Compare::With(op, value, range) => {
                let span = at(range);
                match *op {
                    "==" => (exactly(self.raw(cx, value, span)?), false),
                    "!=" => (exactly(self.raw(cx, value, span)?), true),
                    op => {
                        let n = self.order(cx, value, span)?;
                        // The values on the other side are as easy to say, and end where the number itself does.
                        match op {
                            "<" => (self.between(Some(n), None), true),
                            "<=" => (self.between(None, Some(n)), false),
                            ">" => (self.between(None, Some(n)), true),
                            _ => (self.between(Some(n), None), false),
                        }
                    }
                }
            }
            Compare::In(elements) => {
                let mut ranges = Vec::new();
                for (first, last, range) in elements {
                    let span = at(range);
                    match last {
                        None => ranges.extend(exactly(self.raw(cx, first, span)?)),
                        Some(last) => {
                            ranges.extend(self.between(Some(self.order(cx, first, span)?), Some(self.order(cx, last, span)?)));
                        }
                    }
                }
                (ranges, false)
            }
        };
        // `a < n` is all but `a >= n`; as a set of its own it reads better where it is shown.
        let turn = negated && matches!(compare, Compare::With("<" | ">", ..));
        join(&mut ranges);
        let set = self.solve(cx, span, |solver| {
            let set = solver.intervals(&words(&ranges), self.width)?;
            if turn { solver.not(set) } else { Ok(set) }
        })?;
        Some((set, negated && !turn))
    }

    /// Exactly these bits.
    pub(super) fn exactly(self, cx: &Context<'_, '_>, raw: Raw, span: Span) -> Option<WordSet> {
        self.solve(cx, span, |solver| solver.intervals(&words(&[(raw, raw)]), self.width))
    }

    /// `field % k == c`, `field & k == c`.
    fn test_arith(self, cx: &Context<'_, '_>, op: char, k: Number, compare: &Compare, span: Span) -> Option<(WordSet, bool)> {
        let (target, negated) = match compare {
            Compare::With("==", Value::Number(n), _) => (*n, false),
            Compare::With("!=", Value::Number(n), _) => (*n, true),
            Compare::NotZero => (0.into(), true),
            _ => {
                cx.error("condition", format!("`{op}` is compared with `==` or `!=` and a number"), span);
                return None;
            }
        };
        if op == '%' && !(1..=sets::MAX_DIVISOR).contains(&k.magnitude) {
            cx.error("condition", format!("`% {k}` is not possible: the divisor is 1 to 2^126"), span);
            return None;
        }
        let set = self.solve(cx, span, |solver| match (op, target.to_u128()) {
            ('&', _) => sets::masked(solver, self.linear(), k, target),
            (_, Some(rest)) if rest < k.magnitude => sets::congruent(solver, self.linear(), k.magnitude, rest),
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
        let order = Order::descending(self.width);
        let mut solver = Solver::new(&order);
        match solver.attempt(compute) {
            Ok(set) => Some(solver.freeze(set)),
            Err(error) => {
                cx.error("entangled", format!("this comparison is too entangled: {error}"), span);
                None
            }
        }
    }

    /// The values that an enumeration or a register file has, where it lacks some.
    pub(super) fn allowed(self) -> Result<Option<WordSet>, TooLarge> {
        let all = ones(self.width);
        let one = |value: Raw| (value, value);
        let mut ranges: Vec<(Raw, Raw)> = match self.kind {
            Kind::Enum(id) => {
                let e = &self.enums[id.index()];
                if e.otherwise.is_some() {
                    return Ok(None);
                }
                e.values.iter().map(|v| one(v.value)).collect()
            }
            Kind::Register(id) => {
                let file = &self.registers[id.index()];
                let special = file.special.iter().map(|s| s.0).filter(|n| *n >= file.count && *n <= all).map(one);
                file.count.checked_sub(1).map(|last| (0, last.min(all))).into_iter().chain(special).collect()
            }
            _ => return Ok(None),
        };
        if self.inverted {
            ranges.iter_mut().for_each(|r| *r = (all - r.1, all - r.0));
        }
        join(&mut ranges);
        let order = Order::descending(self.width);
        let mut solver = Solver::new(&order);
        // As many steps as there are values and bits: what could be read can be written down.
        let set = ranges.chunks(1024).try_fold(Set::NONE, |set, part| {
            let part = solver.attempt(|solver| solver.intervals(&words(part), self.width))?;
            solver.attempt(|solver| solver.or(set, part))
        })?;
        Ok(Some(solver.freeze(set)).filter(|set| !set.is_all()))
    }
}

/// Intervals of numbers as those of words.
fn words(ranges: &[(Raw, Raw)]) -> Vec<(Word, Word)> {
    ranges.iter().map(|(from, to)| ((*from).into(), (*to).into())).collect()
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
