//! Values as people write them, and the bits that stand for them.

use super::Context;
use super::definitions::find_register;
use crate::cubes::{Cube, interval};
use crate::lang::{Compare, Value};
use crate::model::{Isa, Kind, Word, ones};
use crate::span::Span;

/// What a field's bits mean: all that is needed to turn values into bits.
#[derive(Clone, Copy)]
pub(super) struct Meaning<'a> {
    pub(super) isa: &'a Isa,
    pub(super) kind: &'a Kind,
    pub(super) inverted: bool,
    pub(super) width: u32,
}

impl Meaning<'_> {
    /// The bits of a value, or an error at its place.
    pub(super) fn raw(self, cx: &Context<'_, '_>, value: &Value, span: Span) -> Option<Word> {
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
            Compare::With("==", value, _) => self.bits_of(value).is_ok(),
            _ => true,
        }
    }

    fn bits_of(self, value: &Value) -> Result<Word, String> {
        let all = ones(self.width);
        let plain = |n: i128| -> Result<Word, String> {
            let limit = if self.width >= 127 { i128::MAX as Word } else { all };
            if n < 0 || n as Word > limit {
                return Err(format!("{n} does not fit into {} bits: 0 to {limit}", self.width));
            }
            Ok(n as Word)
        };
        let raw = match (self.kind, value) {
            (Kind::Int { signed, scale, bias, .. }, Value::Number(n)) => {
                let n = n - i128::from(*bias);
                let scale = i128::from(*scale);
                if n % scale != 0 {
                    return Err(format!("{n} is not a multiple of {scale}"));
                }
                let (low, high) = self.limits(*signed);
                let q = n / scale;
                if q < low || q > high {
                    let at = |q: i128| q * scale + i128::from(*bias);
                    return Err(format!("{} is out of range: {} to {}", n + i128::from(*bias), at(low), at(high)));
                }
                q as Word & all
            }
            (Kind::Register(id), value) => {
                let file = &self.isa.registers[id.index()];
                if file.names.is_some() {
                    return Err(format!("a register of `{}` has the name that a program gives it, and no value", file.name));
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
                let e = &self.isa.enums[id.index()];
                match value {
                    Value::Number(n) => plain(*n)?,
                    Value::Name(name) | Value::Text(name) => {
                        let found =
                            e.values.iter().find(|v| v.text == *name || v.also.contains(name) || v.name.as_ref() == Some(name));
                        match found {
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
        Ok(if self.inverted { all - raw } else { raw })
    }

    /// The least and the greatest number of the field, before scaling.
    fn limits(self, signed: bool) -> (i128, i128) {
        if signed {
            let half = 1i128 << (self.width.min(127) - 1);
            (-half, half - 1)
        } else if self.width >= 127 {
            (0, i128::MAX)
        } else {
            (0, (1i128 << self.width) - 1)
        }
    }

    /// The bits of all values from `low` to `high`, as cubes over the field's bits.
    fn between(self, low: Option<i128>, high: Option<i128>) -> Vec<Cube> {
        let all = ones(self.width);
        let (signed, scale, bias) = match self.kind {
            Kind::Int { signed, scale, bias, .. } => (*signed, i128::from(*scale), i128::from(*bias)),
            _ => (false, 1, 0),
        };
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
        let mut cubes = Vec::new();
        let mut add = |from: i128, to: i128| {
            if from <= to {
                let (a, b) = (from as Word & all, to as Word & all);
                let (a, b) = if self.inverted { (all - b, all - a) } else { (a, b) };
                cubes.extend(interval(a, b, self.width));
            }
        };
        add(from, to.min(-1));
        add(from.max(0), to);
        cubes
    }

    /// A number as conditions compare it: registers and enums by their bits.
    fn order(self, cx: &Context<'_, '_>, value: &Value, span: Span) -> Option<i128> {
        if let Value::Number(n) = value {
            return Some(*n);
        }
        self.raw(cx, value, span).map(|raw| if self.inverted { (ones(self.width) - raw) as i128 } else { raw as i128 })
    }

    /// The bits for which a comparison holds, as cubes over the field's bits; the flag says that it is for all others.
    pub(super) fn test(
        self,
        cx: &Context<'_, '_>,
        arith: Option<(char, i128)>,
        compare: &Compare,
        span: Span,
        at: &dyn Fn(&std::ops::Range<usize>) -> Span,
    ) -> Option<(Vec<Cube>, bool)> {
        if matches!(self.kind, Kind::Register(id) if self.isa.registers[id.index()].names.is_some()) {
            cx.error("condition", "this is a name that a program gives: nothing can be asked of it", span);
            return None;
        }
        let all = ones(self.width);
        let exactly = |raw: Word| Cube::new(all, raw);
        if let Some((op, k)) = arith {
            return self.test_arith(cx, op, k, compare, span);
        }
        Some(match compare {
            Compare::NotZero => {
                let zero = self.bits_of(&Value::Number(0)).unwrap_or(if self.inverted { all } else { 0 });
                (vec![exactly(zero)], true)
            }
            Compare::With(op, value, range) => {
                let span = at(range);
                match *op {
                    "==" => (vec![exactly(self.raw(cx, value, span)?)], false),
                    "!=" => (vec![exactly(self.raw(cx, value, span)?)], true),
                    op => {
                        let n = self.order(cx, value, span)?;
                        let cubes = match op {
                            "<" => self.between(None, Some(n - 1)),
                            "<=" => self.between(None, Some(n)),
                            ">" => self.between(Some(n + 1), None),
                            _ => self.between(Some(n), None),
                        };
                        (cubes, false)
                    }
                }
            }
            Compare::In(elements) => {
                let mut cubes = crate::cubes::CubeSet::empty();
                for (first, last, range) in elements {
                    let span = at(range);
                    let part = match last {
                        None => vec![exactly(self.raw(cx, first, span)?)],
                        Some(last) => self.between(Some(self.order(cx, first, span)?), Some(self.order(cx, last, span)?)),
                    };
                    cubes = cubes.union(&crate::cubes::CubeSet(part));
                }
                (cubes.0, false)
            }
        })
    }

    /// `field % k == c`, `field & k == c`: by the low bits where that is the same, else by trying all values.
    fn test_arith(self, cx: &Context<'_, '_>, op: char, k: i128, compare: &Compare, span: Span) -> Option<(Vec<Cube>, bool)> {
        let (target, negated) = match compare {
            Compare::With("==", Value::Number(n), _) => (*n, false),
            Compare::With("!=", Value::Number(n), _) => (*n, true),
            Compare::NotZero => (0, true),
            _ => {
                cx.error("condition", format!("`{op}` is compared with `==` or `!=` and a number"), span);
                return None;
            }
        };
        let plain =
            matches!(self.kind, Kind::Int { scale: 1, bias: 0, .. } | Kind::Register(_) | Kind::Enum(_) | Kind::Bitset(_))
                && !self.inverted;
        let mask = match op {
            '&' if k >= 0 => Some(k as Word),
            '%' if k > 0 && (k & (k - 1)) == 0 => Some(k as Word - 1),
            _ => None,
        };
        if let (true, Some(mask)) = (plain, mask) {
            let mask = mask & ones(self.width);
            let possible = target >= 0 && target as Word & !mask == 0;
            return Some((if possible { vec![Cube::new(mask, target as Word)] } else { Vec::new() }, negated));
        }
        if self.width > 16 || k == 0 {
            cx.error("condition", format!("`{op} {k}` is not possible for this field of {} bits", self.width), span);
            return None;
        }
        let all = ones(self.width);
        let value = |raw: Word| {
            let raw = if self.inverted { all - raw } else { raw };
            let (signed, scale, bias) = match self.kind {
                Kind::Int { signed, scale, bias, .. } => (*signed, *scale, *bias),
                _ => (false, 1, 0),
            };
            let n = if signed && raw >> (self.width - 1) != 0 { raw as i128 - (1 << self.width) } else { raw as i128 };
            n * i128::from(scale) + i128::from(bias)
        };
        let hit = |raw: &Word| if op == '%' { value(*raw).rem_euclid(k) == target } else { value(*raw) & k == target };
        let cubes = crate::cubes::CubeSet((0..=all).filter(hit).map(|raw| Cube::new(all, raw)).collect());
        Some((cubes.simplify().0, negated))
    }
}
