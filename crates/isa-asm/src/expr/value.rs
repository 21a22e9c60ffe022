//! The values of expressions: 64 bits, as GNU as computes.

use super::syntax::{Modifier, Precedence, Syntax};
use super::{Binary, Expr, Function, Kind, Unary};
use std::ops::Range;

/// The base of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Base {
    /// It is a number.
    None,
    /// An address in this section.
    Section(u32),
    /// The address of a symbol of another object file.
    External(u32),
    /// The result of a modifier, whose operand has this base.
    Modified { modifier: u16, of: Origin },
    /// The distance from one place of a linker's to another.
    Difference { of: Origin, less: Origin },
    /// Computed from addresses in another way.
    Opaque,
}

/// A place whose address a linker determines: a section, or a symbol of another object file, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    Section(u32),
    External(u32),
}

impl Base {
    /// The place itself, if it is the base.
    pub(crate) fn origin(self) -> Option<Origin> {
        match self {
            Self::Section(part) => Some(Origin::Section(part)),
            Self::External(symbol) => Some(Origin::External(symbol)),
            _ => None,
        }
    }
}

/// The value of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    pub(crate) number: i128,
    pub(crate) base: Base,
    /// The offset from the base, if there is one.
    pub(crate) addend: i128,
    /// The symbol that it was counted from, if its base is a section.
    pub(crate) symbol: Option<u32>,
}

impl Value {
    pub(crate) fn number(number: i128) -> Self {
        Self { number: wrap(number), base: Base::None, addend: 0, symbol: None }
    }
}

/// A reason why an expression has no value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Problem {
    /// A symbol that is not defined so far.
    Undefined(String),
    /// Something else, at these bytes.
    Wrong(Range<usize>, String),
}

impl Problem {
    /// The final message and its bytes: those of the whole expression, if the error is in none of its parts.
    pub(crate) fn said(self, all: Range<usize>) -> (Range<usize>, String) {
        match self {
            Self::Undefined(name) => (all, format!("there is no symbol `{name}`")),
            Self::Wrong(at, message) => (at, message),
        }
    }
}

/// The meaning of symbols.
pub(crate) trait Scope {
    /// The value of a symbol.
    fn symbol(&self, name: &str) -> Result<Value, Problem>;
    /// The address of the statement.
    fn here(&self) -> Result<Value, Problem>;
    /// The value of a modifier's operand, if it takes that of the statement at a label; the error tells whether it has been
    /// reported.
    fn paired(&self, modifier: usize, label: Value) -> Result<Value, bool>;
    /// Notes that a modifier was applied.
    fn modified(&self, modifier: usize, to: Value);
    /// True if a linker applies modifiers to addresses.
    fn is_linked(&self) -> bool {
        false
    }
    /// Notes that a modifier could not be applied; the error is reported with that modifier.
    fn failed(&self, _modifier: usize, _why: &Problem) {}
}

/// A number as one of 64 bits: signed, unless it fits only as unsigned.
fn wrap(number: i128) -> i128 {
    if (i128::from(i64::MIN)..=i128::from(u64::MAX)).contains(&number) { number } else { i128::from(number as i64) }
}

/// The value of an expression.
pub(crate) fn evaluate(syntax: &Syntax, expr: &Expr, scope: &dyn Scope) -> Result<Value, Problem> {
    match &expr.kind {
        Kind::Number(number) => Ok(Value::number(*number)),
        Kind::Symbol(name) => scope.symbol(name).map_err(|problem| match problem {
            Problem::Wrong(_, message) => Problem::Wrong(expr.at.clone(), message),
            other => other,
        }),
        Kind::Here => scope.here(),
        Kind::Unary(Unary::Plus, inner) => evaluate(syntax, inner, scope),
        Kind::Unary(unary, inner) => {
            let inner = evaluate(syntax, inner, scope)?;
            let number = match unary {
                Unary::Minus => -inner.number,
                Unary::Complement => i128::from(!(inner.number as i64)),
                Unary::Not => (inner.number == 0).into(),
                Unary::Plus => inner.number,
            };
            Ok(opaque(Value::number(number), &[inner]))
        }
        Kind::Chain(first, rest) => rest.iter().try_fold(evaluate(syntax, first, scope)?, |left, (operator, right)| {
            let at = first.at.start..right.at.end;
            binary(syntax, *operator, left, evaluate(syntax, right, scope)?).map_err(|message| Problem::Wrong(at, message))
        }),
        Kind::Call(function, arguments) => {
            let values = arguments.iter().map(|argument| evaluate(syntax, argument, scope)).collect::<Result<Vec<_>, _>>()?;
            let of = |place: usize| values.get(place).map_or(0, |value: &Value| value.number);
            let bits = of(1).clamp(1, 64) as u32;
            let number = match function {
                Function::Sext => i128::from((of(0) as i64) << (64 - bits) >> (64 - bits)),
                Function::Zext => i128::from((of(0) as u64) << (64 - bits) >> (64 - bits)),
                Function::Ctz => (of(0) as u64).trailing_zeros().into(),
            };
            Ok(opaque(Value::number(number), &values))
        }
        Kind::Modified(place, inner) => {
            let inner = evaluate(syntax, inner, scope).inspect_err(|why| scope.failed(*place, why))?;
            let modifier = &syntax.modifiers[*place];
            let base = inner.base.origin().map_or(inner.base, |of| Base::Modified { modifier: *place as u16, of });
            if scope.is_linked() && base != Base::None {
                return Ok(Value { number: 0, base, ..inner });
            }
            let own = match &modifier.pair {
                Some(_) => scope.paired(*place, inner).map_err(|is_said| {
                    let message = match is_said {
                        true => String::new(),
                        false => format!("there is no `{}` at {:#x}, the address of the label", modifier.paired(), inner.number),
                    };
                    Problem::Wrong(expr.at.clone(), message)
                })?,
                None => inner,
            };
            let number = modifier.apply(syntax, own, scope).map_err(|problem| {
                scope.failed(*place, &problem);
                match problem {
                    Problem::Wrong(_, message) => Problem::Wrong(expr.at.clone(), message),
                    other => other,
                }
            })?;
            scope.modified(*place, inner);
            Ok(Value { number: wrap(number), base, ..inner })
        }
    }
}

/// The result of computing with addresses other than by adding and subtracting: it is known when they are.
fn opaque(value: Value, of: &[Value]) -> Value {
    let base = if of.iter().all(|value| value.base == Base::None) { Base::None } else { Base::Opaque };
    Value { base, ..value }
}

fn binary(syntax: &Syntax, operator: Binary, left: Value, right: Value) -> Result<Value, String> {
    let (a, b) = (left.number, right.number);
    // Operations that depend on the sign use signed numbers.
    let (x, y) = (a as i64, b as i64);
    let truth = |holds: bool| match (holds, syntax.precedence) {
        (false, _) => 0,
        (true, Precedence::Gnu) => -1,
        (true, Precedence::C) => 1,
    };
    let number = match operator {
        Binary::Add => a + b,
        Binary::Sub => a - b,
        Binary::Mul => i128::from(x.wrapping_mul(y)),
        Binary::Div | Binary::Rem if y == 0 => return Err("this divides by zero".to_owned()),
        Binary::Div => i128::from(x.wrapping_div(y)),
        Binary::Rem => i128::from(x.wrapping_rem(y)),
        Binary::Shl | Binary::Shr if !(0..64).contains(&b) => {
            return Err(format!("a number of 64 bits is shifted by 0 to 63, not by {b}"));
        }
        Binary::Shl => i128::from(x << b),
        Binary::Shr => i128::from((x as u64) >> b),
        Binary::Or => i128::from(x | y),
        Binary::And => i128::from(x & y),
        Binary::Xor => i128::from(x ^ y),
        Binary::OrNot => i128::from(x | !y),
        Binary::Eq => truth(x == y),
        Binary::Ne => truth(x != y),
        Binary::Lt => truth(x < y),
        Binary::Le => truth(x <= y),
        Binary::Gt => truth(x > y),
        Binary::Ge => truth(x >= y),
        Binary::AndAlso => (x != 0 && y != 0).into(),
        Binary::OrElse => (x != 0 || y != 0).into(),
    };
    let value = Value::number(number);
    use Binary::{Eq, Ge, Gt, Le, Lt, Ne, Sub};
    Ok(match (operator, left.base, right.base) {
        (_, Base::None, Base::None) => value,
        (Binary::Add, _, Base::None) => Value { number: value.number, addend: left.addend + b, ..left },
        (Binary::Add, Base::None, _) => Value { number: value.number, addend: right.addend + a, ..right },
        (Binary::Sub, _, Base::None) => Value { number: value.number, addend: left.addend - b, ..left },
        (Sub | Eq | Ne | Lt | Le | Gt | Ge, Base::Section(one), Base::Section(other)) if one == other => value,
        (Sub, one, other) => match one.origin().zip(other.origin()) {
            Some((of, less)) => Value { base: Base::Difference { of, less }, addend: left.addend - right.addend, ..value },
            None => opaque(value, &[left, right]),
        },
        _ => opaque(value, &[left, right]),
    })
}

impl Modifier {
    /// Its value for an operand, which it must reach.
    pub(crate) fn apply(&self, syntax: &Syntax, to: Value, scope: &dyn Scope) -> Result<i128, Problem> {
        struct Inner<'s>(Value, &'s dyn Scope);
        impl Scope for Inner<'_> {
            fn symbol(&self, name: &str) -> Result<Value, Problem> {
                match name {
                    "x" => Ok(self.0),
                    _ => Err(Problem::Wrong(0..0, format!("`{name}` is not `x`"))),
                }
            }
            fn here(&self) -> Result<Value, Problem> {
                self.1.here()
            }
            fn paired(&self, _: usize, _: Value) -> Result<Value, bool> {
                Err(false)
            }
            fn modified(&self, _: usize, _: Value) {}
        }
        let of = |expr: &Expr| Ok(evaluate(syntax, expr, &Inner(to, scope))?.number);
        if let Some(reaches) = &self.reaches
            && of(reaches)? == 0
        {
            let message = match self.is_linkers() {
                true => format!("only a linker can compute `{}`: write an object file", self.name),
                false => format!("`{}` does not reach {:#x}", self.name, to.number),
            };
            return Err(Problem::Wrong(0..0, message));
        }
        self.value.as_ref().map_or(Ok(to.number), of)
    }
}
