//! Comparisons of two fields or readings of a form.

use super::conditions::{FormScope, Found};
use super::context::Context;
use super::values::Meaning;
use isa_model::diag::Diagnostic;
use isa_model::model::condition::not;
use isa_model::model::{self, Cond, Field, Raw, Reading, Side};
use isa_model::span::{Span, Text};
use isa_runtime::value::Number;
use isa_syntax::lang::{Compare, Name, Term, Value};
use std::sync::Arc;

/// A field or a reading that is compared.
enum Compared<'a> {
    /// A field and its index.
    Field(&'a Field, usize),
    /// A field with these bits.
    Fixed(&'a Field, Raw),
    Reading(Arc<Reading>),
}

impl Compared<'_> {
    fn field(&self) -> &Field {
        match self {
            Self::Field(field, _) | Self::Fixed(field, _) => field,
            Self::Reading(reading) => &reading.field,
        }
    }

    /// The number in conditions; `None` if it is fixed.
    fn side(self) -> Option<Side> {
        match self {
            Self::Field(_, index) => Some(Side::Field(index)),
            Self::Reading(reading) => Some(Side::Reading(reading)),
            Self::Fixed(..) => None,
        }
    }
}

impl<'a> FormScope<'a> {
    /// A comparison of two fields or readings, if what is compared with is one, and no value of the first.
    pub(super) fn of_fields(
        &self,
        cx: &Context<'_, '_>,
        (term, left): (&Term, &Found<'a>),
        arith: Option<(char, Number)>,
        compare: &Compare,
        text: &Text,
        prefix: &str,
    ) -> Option<Option<Cond>> {
        if matches!(left, Found::Nothing) {
            return Some(Some(Cond::Const(false)));
        }
        let one = match self.compared_of(cx, left)? {
            Some(one) => one,
            None => return Some(None),
        };
        let (op, found, other, range) = match compare {
            Compare::With(op, value @ Value::Name(name), range) => {
                // A sum and a number are compared with a field.
                if term.is_plain() && self.meaning_of(&one).has(value) {
                    return None;
                }
                let name =
                    Name { path: name.trim_end_matches('?').to_string(), optional: name.ends_with('?'), range: range.clone() };
                let plain = Term { name, is_number: false, plus: 0, range: range.clone() };
                let found = self.find(&plain.name.path, prefix);
                if plain.name.optional && matches!(found, Found::Nothing) {
                    return Some(Some(Cond::Const(false)));
                }
                (*op, found, plain, range.clone())
            }
            Compare::Field(op, other) => {
                let Some(found) = self.named(cx, &other.name, text, prefix) else { return Some(None) };
                match found {
                    Found::Nothing => return Some(Some(Cond::Const(false))),
                    Found::Define(_) => {
                        let message = format!("`{}` is a condition, not a number", other.name.path);
                        cx.error("condition", message, text.at(other.name.range.clone()));
                        return Some(None);
                    }
                    _ => (*op, found, other.clone(), other.range.clone()),
                }
            }
            _ => return None,
        };
        let right = self.compared_of(cx, &found)?;
        Some(right.and_then(|right| self.compared(cx, [(term, one), (&other, right)], arith, op, text.at(range))))
    }

    /// The field or reading that a name means; the inner `None` if it has an error, which was reported.
    fn compared_of(&self, cx: &Context<'_, '_>, found: &Found<'a>) -> Option<Option<Compared<'a>>> {
        match found {
            Found::Field(index) => Some(Some(Compared::Field(&self.fields[*index], *index))),
            Found::Fixed(field, raw) => Some(Some(Compared::Fixed(field, *raw))),
            Found::Reading(used) => Some(self.reading(cx, used).map(Compared::Reading)),
            Found::Define(_) | Found::Nothing => None,
        }
    }

    fn meaning_of<'m>(&'m self, compared: &'m Compared<'_>) -> Meaning<'m> {
        match compared {
            Compared::Field(field, _) | Compared::Fixed(field, _) => self.meaning(field),
            Compared::Reading(reading) => Meaning::of_reading(self.isa, reading),
        }
    }

    fn compared(
        &self,
        cx: &Context<'_, '_>,
        terms: [(&Term, Compared<'a>); 2],
        arith: Option<(char, Number)>,
        op: &'static str,
        span: Span,
    ) -> Option<Cond> {
        let [(left, one), (right, other)] = terms;
        let (a, b) = (one.field(), other.field());
        if self.isa.is_name(a) || self.isa.is_name(b) {
            cx.error("condition", "programs name this register: a condition can't test it", span);
            return None;
        }
        if let Some((arith, _)) = arith {
            cx.error("condition", format!("`{arith}` is compared with `==` or `!=` and a number"), span);
            return None;
        }
        let by_number = left.is_number && right.is_number;
        if left.is_number != right.is_number || !by_number && a.label != b.label {
            let message = format!("`{}` and `{}` have different meanings", a.path, b.path);
            let help = format!("their numbers are compared so: `number({}) {op} number({})`", a.path, b.path);
            cx.report(Diagnostic::error("condition", message, span).with_help(help));
            return None;
        }
        if !by_number && a.code.relative() != b.code.relative() {
            let message = format!("`{}` and `{}` are not counted from the same place", a.path, b.path);
            let help = format!("the distances are compared so: `number({}) {op} number({})`", a.path, b.path);
            cx.report(Diagnostic::error("condition", message, span).with_help(help));
            return None;
        }
        let first = |field: &Field| if by_number { self.isa.first_of(field.label).into() } else { 0i64 };
        let plus = left.plus + first(a) - right.plus - first(b);
        let (negated, is_less, turned) = match op {
            "==" => (false, false, false),
            "!=" => (true, false, false),
            "<" => (false, true, false),
            ">=" => (true, true, false),
            ">" => (false, true, true),
            _ => (true, true, true),
        };
        let (one, other, plus) = if turned { (other, one, -plus) } else { (one, other, plus) };
        let number = |field: &Field, raw: Raw| field.code.value(raw).unwrap_or(raw.into());
        let moved = |number: Number, by: i64| number.plus(by.into()).unwrap_or(number);
        let tested = |of: Compared<'_>, low: Option<Number>, high: Option<Number>| {
            let values = self.meaning_of(&of).between(cx, low, high, span)?;
            Some(match of {
                Compared::Field(_, field) => Cond::Test { field, values },
                Compared::Reading(reading) => Cond::Read { reading, values },
                Compared::Fixed(_, raw) => Cond::Const(values.contains(raw.into())),
            })
        };
        let cond = match (one, other) {
            (one, Compared::Fixed(b, raw)) => {
                let limit = moved(number(b, raw), -plus);
                let [low, high] = if is_less { [None, Some(moved(limit, -1))] } else { [Some(limit); 2] };
                tested(one, low, high)?
            }
            (Compared::Fixed(a, raw), other) => {
                let limit = moved(number(a, raw), plus);
                let [low, high] = if is_less { [Some(moved(limit, 1)), None] } else { [Some(limit); 2] };
                tested(other, low, high)?
            }
            (one, other) => {
                let code = one.field().code.value_code();
                let is_same = !is_less && plus == 0 && code == other.field().code.value_code() && code.is_one_to_one();
                match (one.side()?, other.side()?) {
                    (Side::Field(i), Side::Field(j)) if is_same && i == j => Cond::Const(true),
                    (Side::Field(i), Side::Field(j)) if is_same => Cond::Same([i, j]),
                    (one, other) => Cond::Compared(model::Compared { sides: [one, other], plus, is_less }),
                }
            }
        };
        Some(if negated { not(cond) } else { cond })
    }

    /// A comparison of a sum with a number as one of the field alone.
    pub(super) fn without_sum(
        &self,
        cx: &Context<'_, '_>,
        term: &Term,
        arith: Option<(char, Number)>,
        compare: &Compare,
        text: &Text,
    ) -> Option<Compare> {
        match compare {
            Compare::Field(..) => {
                let message = format!("`{}` is not a field of which there is a number", term.name.path);
                cx.error("condition", message, text.at(term.range.clone()));
                None
            }
            compare if term.is_plain() => Some(compare.clone()),
            Compare::With(op, Value::Number(number), range) if !term.is_number && arith.is_none() => {
                let number = number.plus(-Number::from(term.plus)).unwrap_or(*number);
                Some(Compare::With(op, Value::Number(number), range.clone()))
            }
            _ => {
                let message = match term.is_number {
                    true => format!(
                        "`number({0})` is compared with the number of another field; `{0}` alone, with a value",
                        term.name.path
                    ),
                    false => "a sum is compared with a field or a number".to_string(),
                };
                cx.error("condition", message, text.at(term.range.clone()));
                None
            }
        }
    }
}
