//! Comparisons of two fields of a form.

use super::conditions::{FormScope, Found};
use super::context::Context;
use crate::diag::Diagnostic;
use crate::lang::{Compare, Name, Term, Value};
use crate::model::condition::not;
use crate::model::{Compared, Cond, Field, Label, Raw};
use crate::span::Span;
use crate::yaml::Text;
use isa_runtime::value::Number;

/// One side of a comparison of fields.
#[derive(Clone, Copy)]
enum Side {
    /// The field with this index.
    Field(usize),
    /// A field with these bits.
    Fixed(Raw),
}

impl<'a> FormScope<'a> {
    /// A comparison of two fields, if what is compared with is one, and no value of the first.
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
        let one = self.field_of(left)?;
        let (op, right, other, range) = match compare {
            Compare::With(op, value @ Value::Name(name), range) => {
                // A sum and a number are compared with a field.
                if term.is_plain() && self.meaning(one.0).bits_of(value).is_ok() {
                    return None;
                }
                let name =
                    Name { path: name.trim_end_matches('?').to_string(), optional: name.ends_with('?'), range: range.clone() };
                let plain = Term { name, is_number: false, plus: 0, range: range.clone() };
                let found = self.find(&plain.name.path, prefix);
                if plain.name.optional && matches!(found, Found::Nothing) {
                    return Some(Some(Cond::Const(false)));
                }
                (*op, self.field_of(&found)?, plain, range.clone())
            }
            Compare::Field(op, other) => {
                let Some(found) = self.named(cx, &other.name, text, prefix) else { return Some(None) };
                let Some(right) = self.field_of(&found) else {
                    if matches!(found, Found::Nothing) {
                        return Some(Some(Cond::Const(false)));
                    }
                    let message = format!("`{}` is a condition, not a number", other.name.path);
                    cx.error("condition", message, text.at(other.name.range.clone()));
                    return Some(None);
                };
                (*op, right, other.clone(), other.range.clone())
            }
            _ => return None,
        };
        Some(self.compared(cx, [(term, one), (&other, right)], arith, op, text.at(range)))
    }

    /// The field that a name means, and where it is fixed.
    fn field_of(&self, found: &Found<'a>) -> Option<(&'a Field, Side)> {
        match found {
            Found::Field(index) => Some((&self.fields[*index], Side::Field(*index))),
            Found::Fixed(field, value) => Some((field, Side::Fixed(*value))),
            Found::Define(_) | Found::Reading(_) | Found::Nothing => None,
        }
    }

    /// The comparison of two fields.
    fn compared(
        &self,
        cx: &Context<'_, '_>,
        terms: [(&Term, (&'a Field, Side)); 2],
        arith: Option<(char, Number)>,
        op: &'static str,
        span: Span,
    ) -> Option<Cond> {
        let [(left, (a, one)), (right, (b, other))] = terms;
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
        // The number of a register in a part of a file is that in the whole file.
        let first = |field: &Field| match field.label {
            Label::Register(id) if by_number => self.isa.registers[id.index()].part_of.map_or(0, |part| i64::from(part.from)),
            _ => 0,
        };
        let plus = left.plus + first(a) - right.plus - first(b);
        let (negated, is_less, turned) = match op {
            "==" => (false, false, false),
            "!=" => (true, false, false),
            "<" => (false, true, false),
            ">=" => (true, true, false),
            ">" => (false, true, true),
            _ => (true, true, true),
        };
        let (a, b, one, other, plus) = if turned { (b, a, other, one, -plus) } else { (a, b, one, other, plus) };
        let number = |field: &Field, raw: Raw| field.code.value(raw).unwrap_or(raw.into());
        let moved = |number: Number, by: i64| number.plus(by.into()).unwrap_or(number);
        let cond =
            match (one, other) {
                (Side::Field(i), Side::Field(j))
                    if !is_less && plus == 0 && a.code.value_code() == b.code.value_code() && a.code.is_one_to_one() =>
                {
                    if i == j { Cond::Const(true) } else { Cond::Same([i, j]) }
                }
                (Side::Field(i), Side::Field(j)) => Cond::Compared(Compared { fields: [i, j], plus, is_less }),
                (Side::Field(field), Side::Fixed(raw)) => {
                    let limit = moved(number(b, raw), -plus);
                    let [low, high] = if is_less { [None, Some(moved(limit, -1))] } else { [Some(limit); 2] };
                    Cond::Test { field, values: self.meaning(a).between(cx, low, high, span)? }
                }
                (Side::Fixed(raw), Side::Field(field)) => {
                    let limit = moved(number(a, raw), plus);
                    let [low, high] = if is_less { [Some(moved(limit, 1)), None] } else { [Some(limit); 2] };
                    Cond::Test { field, values: self.meaning(b).between(cx, low, high, span)? }
                }
                (Side::Fixed(one), Side::Fixed(other)) => {
                    let (sum, number) = (moved(number(a, one), plus), number(b, other));
                    Cond::Const(if is_less { sum < number } else { sum == number })
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
