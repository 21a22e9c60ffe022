//! Functions of floats: formats, modes, and which are computed by the rules of the machine.

use super::names::Found;
use super::{Bind, Checker, bits, list, meant};
use isa_model::semantics::ast::{Expr, ExprKind, Ident};
use isa_model::semantics::builtins::FloatFunction as F;
use isa_model::semantics::builtins::{BUILTINS, Builtin, FORMAT, Function, Modes, PACKED, Rounding, Signature};
use isa_model::semantics::floats::{Exact, Format, MinKind, Round, Sum};
use isa_model::semantics::typed::{self, ExprKind as Kind, Place, PlaceKind, Stmt, StmtKind};
use std::ops::Range;

/// Bits of what is raised.
const RAISED: u32 = 5;

/// The arguments after the operands.
#[derive(Default)]
struct Given {
    rounding: Option<Rounds>,
    subnormal: Option<Subnormal>,
    saturate: Option<bool>,
    finite: Option<bool>,
    kind: Option<MinKind>,
    signalling: Option<bool>,
    block: Option<u32>,
    aligned: Option<u32>,
}

impl Given {
    /// Returns true for what only the rules of the machine have.
    fn is_exact(&self) -> bool {
        matches!(self.rounding, Some(Rounds::Value(_) | Rounds::Known(Round::Away)))
            || matches!(self.subnormal, Some(Subnormal::Operands | Subnormal::Results))
            || self.finite.is_some()
            || self.kind.is_some()
            || self.signalling.is_some()
    }
}

/// The treatment of subnormal numbers.
#[derive(Clone, Copy, PartialEq)]
enum Subnormal {
    Kept,
    Flushed,
    Operands,
    Results,
}

impl Subnormal {
    fn parse(word: &str) -> Option<Self> {
        let all = [("ieee", Self::Kept), ("ftz", Self::Flushed), ("ftz_in", Self::Operands), ("ftz_out", Self::Results)];
        all.into_iter().find(|(known, _)| *known == word).map(|(_, subnormal)| subnormal)
    }
}

/// A direction of rounding.
enum Rounds {
    Known(Round),
    Value(typed::Expr),
}

/// Returns true for a function that raises flags.
fn raises(function: F) -> bool {
    use F::*;
    let arithmetic = matches!(function, Fadd | Fsub | Fmul | Ffma | Fdot | Fdiv | Fsqrt | Fround | Fmin | Fmax | Fcmp);
    arithmetic || matches!(function, F2iS | F2iU | I2fS | I2fU | F2f | F2h | H2f)
}

/// The function of floats that a path names, with the format after the point.
pub(super) fn named(path: &str) -> Option<(&'static Builtin, Option<&str>)> {
    let (name, format) = path.split_once('.').map_or((path, None), |(name, format)| (name, Some(format)));
    let builtin = BUILTINS.iter().find(|b| b.name == name)?;
    matches!(builtin.signature, Signature::Float { .. }).then_some((builtin, format))
}

impl Checker<'_> {
    /// A call of a function of floats, which may name their format.
    pub(super) fn float(
        &mut self,
        builtin: &Builtin,
        format: Option<&str>,
        name: &Ident,
        args: &[Expr],
        range: &Range<usize>,
    ) -> Option<typed::Expr> {
        let Signature::Float { operands, result, rounding, .. } = builtin.signature else { return None };
        let Function::Float(function) = builtin.function else { return None };
        let named = match format {
            None => None,
            Some(format) => Some(self.named_format(builtin, format, name)?),
        };
        let asked = std::mem::take(&mut self.is_asked) && raises(function);
        // The width of a float that an integer becomes may be left out.
        let is_sized = matches!(function, F::I2fS | F::I2fU) && args.len() > 2 && !self.is_mode(&args[1]);
        let given = operands.len() + usize::from(result == 0 || is_sized);
        if args.len() < given {
            self.count(args, given, builtin.usage, range)?;
        }
        let (values, rest) = args.split_at(given);
        let modes = self.modes(builtin, rest);
        let made = self.floats(builtin, operands, &values[..operands.len()], named);
        let size = match result {
            _ if is_sized || function == F::F2f => self.format(&values[given - 1]).map(|format| (format.width(), Some(format))),
            0 => self.size(&values[given - 1]).map(|size| (size, None)),
            FORMAT => made.as_ref().map(|made| (made[0].width, None)),
            bits => Some((bits, None)),
        };
        let (modes, mut made, (to, made_format)) = (modes?, made?, size?);
        let from = made[0].width;
        let of = match function {
            F::I2fS | F::I2fU => made_format.unwrap_or(Format::F32),
            _ => named.or(Format::of_width(from)).unwrap_or(Format::F32),
        };
        let is_other = match function {
            F::I2fS | F::I2fU => is_sized,
            F::F2f | F::Fdot | F::Fclass => true,
            F::F2h | F::H2f => false,
            _ => of != Format::F32,
        };
        let is_plain = matches!(function, F::Fneg | F::Fabs | F::Fnan | F::Fsat);
        let is_exact = is_other || asked || raises(function) && self.scope.machine().floats.is_some() || modes.is_exact();
        self.needs(builtin, &modes, is_exact, range)?;
        if !is_exact || is_plain && of == Format::F32 {
            let way = match modes.rounding {
                Some(Rounds::Known(Round::Zero)) => Rounding::Zero,
                Some(Rounds::Known(Round::Down)) => Rounding::Down,
                Some(Rounds::Known(Round::Up)) => Rounding::Up,
                _ => Rounding::Nearest,
            };
            let modes = Modes::new(way, modes.subnormal == Some(Subnormal::Flushed), modes.saturate == Some(true));
            return Some(self.make(Kind::Call { function: builtin.function, args: made, modes, exact: None }, to, range));
        }
        let of_result = match function {
            F::F2h => Some(Format::F16),
            F::H2f => Some(Format::F32),
            // The factors' format is the named one.
            F::Fdot => Format::of_width(to),
            _ => made_format,
        };
        let sum = match function {
            F::Fdot => {
                let products = made[1].width / of.width();
                Sum { products, block: modes.block.unwrap_or(products), aligned: modes.aligned }
            }
            _ => Sum::default(),
        };
        let flushed = |which| matches!(modes.subnormal, Some(Subnormal::Flushed)) || modes.subnormal == Some(which);
        let exact = Exact {
            flush_operands: flushed(Subnormal::Operands),
            flush_results: flushed(Subnormal::Results),
            saturate: modes.saturate == Some(true),
            finite: modes.finite == Some(true),
            signalling: modes.signalling == Some(true),
            kind: modes.kind.unwrap_or_default(),
            sum,
            ..Exact::new(of, of_result.unwrap_or(of), to)
        };
        if rounding {
            made.push(match modes.rounding {
                Some(Rounds::Value(value)) => value,
                Some(Rounds::Known(round)) => self.number_of_direction(round.number(), range),
                None => self.number_of_direction(Round::Nearest.number(), range),
            });
        }
        let kind = Kind::Call { function: builtin.function, args: made, modes: Modes::default(), exact: Some(exact) };
        Some(self.make(kind, to, range))
    }

    /// The operands; those of one format have its width, or that of the first that has one.
    fn floats(&mut self, builtin: &Builtin, takes: &[u32], values: &[Expr], named: Option<Format>) -> Option<Vec<typed::Expr>> {
        let what = format!("an argument of `{}`", builtin.name);
        // Only factors have the format that is named.
        let is_sum = takes.contains(&PACKED);
        let known = named.filter(|_| !is_sum).map(Format::width);
        let leader = takes.iter().zip(values).position(|(takes, value)| *takes == FORMAT && !self.is_bare(value)).unwrap_or(0);
        let (mut first, mut width) = (None, known.unwrap_or(0));
        if takes[leader] == FORMAT && known.is_none() {
            let made = self.typed(&values[leader], Some(32))?;
            width = self.of_width(made.width, &values[leader])?.width();
            first = Some(made);
        }
        let mut made = Vec::new();
        let mut packed = None;
        for (at, (value, takes)) in values.iter().zip(takes).enumerate() {
            made.push(match *takes {
                FORMAT if at == leader && first.is_some() => first.take(),
                FORMAT => self.sized(value, width, &what),
                PACKED => match packed {
                    None => {
                        let elements = self.elements(value, named.map_or(width, Format::width))?;
                        packed = Some(elements.width);
                        Some(elements)
                    }
                    Some(width) => self.sized(value, width, &what),
                },
                0 => self.typed(value, None),
                bits => self.sized(value, bits, &what),
            });
        }
        made.into_iter().collect()
    }

    /// Elements of a width, the first in the low bits.
    fn elements(&mut self, value: &Expr, width: u32) -> Option<typed::Expr> {
        let made = self.typed(value, Some(width))?;
        if !made.width.is_multiple_of(width) {
            let say = format!("elements of {} are as many times as wide together, this has {}", bits(width), bits(made.width));
            self.fault(&value.range, say);
            return None;
        }
        Some(made)
    }

    /// The format after the point of a function's name.
    fn named_format(&mut self, builtin: &Builtin, format: &str, name: &Ident) -> Option<Format> {
        let takes = matches!(builtin.signature, Signature::Float { operands: [FORMAT, ..], .. });
        if !takes {
            let help = match builtin.function {
                Function::Float(F::I2fS | F::I2fU) => Some(format!("`{}(x, {format}, rn)`", builtin.name)),
                Function::Float(F::F2h | F::H2f) => Some("`f2f` converts between all formats".to_owned()),
                _ => None,
            };
            self.fault_with(&name.range, format!("no format is named behind `{}`", builtin.name), help);
            return None;
        }
        let found = Format::parse(format);
        if found.is_none() {
            let known = Format::ALL.map(Format::name);
            let help = meant(format, &known.map(str::to_owned)).unwrap_or_else(|| format!("there are {}", list(known)));
            self.fault_with(&name.range, format!("there is no format of floats `{format}`"), Some(help));
        }
        found
    }

    /// A format by its name, or by its width. A field of that name would be no constant.
    fn format(&mut self, e: &Expr) -> Option<Format> {
        if let ExprKind::Name { path, optional: false } = &e.kind
            && let Some(format) = Format::parse(path)
        {
            return Some(format);
        }
        let width = self.size(e)?;
        self.of_width(width, e)
    }

    fn of_width(&mut self, width: u32, at: &Expr) -> Option<Format> {
        let format = Format::of_width(width);
        if format.is_none() {
            let say = format!("a float has 16, 32 or 64 bits where its format isn't named, this has {}", bits(width));
            let others = Format::ALL.into_iter().filter(|format| Format::of_width(format.width()) != Some(*format));
            self.fault_with(&at.range, say, Some(format!("other formats are {}", list(others.map(Format::name)))));
        }
        format
    }

    /// Reports modes that are missing.
    fn needs(&mut self, builtin: &Builtin, modes: &Given, is_exact: bool, range: &Range<usize>) -> Option<()> {
        let Signature::Float { rounding, subnormal, .. } = builtin.signature else { return None };
        if rounding && modes.rounding.is_none() {
            self.fault(range, format!("`{}` needs a rounding mode: `rn`, `rz`, `ru` or `rd`", builtin.name));
            return None;
        }
        if subnormal && modes.subnormal.is_none() && !is_exact {
            let say = format!("`{}` needs a mode for subnormal numbers: `ftz` makes them 0, `ieee` keeps them", builtin.name);
            self.fault(range, say);
            return None;
        }
        Some(())
    }

    /// Returns true for an argument that is a mode by its name.
    fn is_mode(&self, arg: &Expr) -> bool {
        matches!(&arg.kind, ExprKind::Name { path, optional: false } if Round::parse(path).is_some() || Subnormal::parse(path).is_some())
    }

    /// `rn, ftz, sat`: each at most once.
    fn modes(&mut self, builtin: &Builtin, args: &[Expr]) -> Option<Given> {
        let Signature::Float { rounding, subnormal, saturate, .. } = builtin.signature else { return None };
        let chooses = matches!(builtin.function, Function::Float(F::Fmin | F::Fmax));
        let is_sum = builtin.function == Function::Float(F::Fdot);
        let mut given = Given::default();
        for arg in args {
            let (word, of) = match &arg.kind {
                ExprKind::Name { path, optional: false } => (path.as_str(), None),
                ExprKind::Call { name, args } if is_sum && args.len() == 1 => (name.text.as_str(), Some(&args[0])),
                _ => ("", None),
            };
            let is_name = !word.is_empty() && of.is_none() && matches!(self.find(word), Found::Missing);
            let twice = match word {
                _ if rounding && Round::parse(word).is_some() => {
                    given.rounding.replace(Rounds::Known(Round::parse(word)?)).is_some()
                }
                "blocks" if let Some(of) = of => given.block.replace(self.limited(of, 1..=256)?).is_some(),
                "aligned" if let Some(of) = of => given.aligned.replace(self.limited(of, 0..=64)?).is_some(),
                _ if subnormal && Subnormal::parse(word).is_some() => given.subnormal.replace(Subnormal::parse(word)?).is_some(),
                "sat" if saturate => given.saturate.replace(true).is_some(),
                "satfinite" if builtin.function == Function::Float(F::F2f) => given.finite.replace(true).is_some(),
                "signalling" if builtin.function == Function::Float(F::Fcmp) => given.signalling.replace(true).is_some(),
                _ if chooses && MinKind::parse(word).is_some() => given.kind.replace(MinKind::parse(word)?).is_some(),
                _ if rounding && !is_name && given.rounding.is_none() => {
                    given.rounding = Some(Rounds::Value(self.direction(arg)?));
                    false
                }
                _ => {
                    let say = format!("`{}` takes no such argument: it is written `{}`", builtin.name, builtin.usage);
                    self.fault(&arg.range, say);
                    return None;
                }
            };
            if twice {
                self.fault(&arg.range, format!("`{word}`: an argument of this kind is given already"));
            }
        }
        Some(given)
    }

    /// A number that is known, within limits.
    fn limited(&mut self, e: &Expr, limits: std::ops::RangeInclusive<u32>) -> Option<u32> {
        let n = self.number(e, "how many")?;
        let found = u32::try_from(n).ok().filter(|n| limits.contains(n));
        if found.is_none() {
            self.fault(&e.range, format!("this is {} to {}", limits.start(), limits.end()));
        }
        found
    }

    /// `raised(x)`: the flags that the call raises which `x` is defined by.
    pub(super) fn raised(&mut self, args: &[Expr], range: &Range<usize>) -> Option<typed::Expr> {
        self.count(args, 1, "raised(x)", range)?;
        let call = match &args[0].kind {
            ExprKind::Name { path, .. } => match self.find(path) {
                Found::Local(Bind::Faulty) => return None,
                Found::Local(Bind::Var(var)) => self.defined.get(&var).cloned(),
                _ => None,
            },
            _ => None,
        };
        let Some(Kind::Call { function, args, modes, exact }) = call else {
            let say = "`raised` takes a variable that a function of floats with flags defines, and that is not assigned again";
            self.fault_with(&args[0].range, say, Some("`let x = fadd(a, b, rn); … raised(x)`"));
            return None;
        };
        let exact = exact.map(|exact| Exact { raised: true, ..exact });
        Some(self.make(Kind::Call { function, args, modes, exact }, RAISED, range))
    }

    /// Takes note of the call that defines a variable whose flags are asked for. Its arguments go into variables of their own: they are
    /// evaluated once, and are the same when the flags are asked for.
    pub(super) fn remember(&mut self, var: usize, value: &mut typed::Expr, out: &mut Vec<Stmt>) {
        let Kind::Call { function: Function::Float(function), args, exact: Some(_), .. } = &mut value.kind else { return };
        if !raises(*function) {
            return;
        }
        for arg in args.iter_mut().filter(|arg| !matches!(arg.kind, Kind::Const(_) | Kind::Field(_))) {
            let (own, width, range) = (self.vars.len(), arg.width, arg.range.clone());
            self.vars.push(width);
            let variable = typed::Expr { kind: Kind::Var(own), width, range: range.clone() };
            let place = Place { kind: PlaceKind::Var(own), width, range: range.clone() };
            let set = StmtKind::Set(place, std::mem::replace(arg, variable));
            out.push(Stmt { kind: set, range });
        }
        self.defined.insert(var, value.kind.clone());
    }

    /// A variable is assigned: it is not that of its definition any more.
    pub(super) fn assigned(&mut self, place: &Place) {
        match &place.kind {
            PlaceKind::Var(var) => _ = self.defined.remove(var),
            PlaceKind::Slice { of, .. } | PlaceKind::Part { of, .. } => self.assigned(of),
            PlaceKind::Concat(parts) => parts.iter().for_each(|part| self.assigned(part)),
            PlaceKind::Register(_) | PlaceKind::Flags(_) | PlaceKind::State(_) => {}
        }
    }
}
