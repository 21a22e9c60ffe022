//! Functions of floats: formats, modes, and which are computed by the rules of the machine.

use super::super::ast::{Expr, ExprKind};
use super::super::builtins::Function as F;
use super::super::builtins::{Builtin, FORMAT, Modes, Rounding, Signature};
use super::super::floats::{Exact, MinKind};
use super::super::int::Int;
use super::super::typed::{self, ExprKind as Kind, Place, PlaceKind, Stmt, StmtKind};
use super::names::Found;
use super::{Bind, Checker, bits};
use std::ops::Range;

/// Bits of a direction of rounding, and of what is raised.
const ROUNDING: u32 = 3;
const RAISED: u32 = 5;

/// The arguments behind the operands.
#[derive(Default)]
struct Given {
    rounding: Option<Direction>,
    flush: Option<bool>,
    saturate: Option<bool>,
    kind: Option<MinKind>,
    signalling: Option<bool>,
}

/// A direction of rounding.
enum Direction {
    /// One that is known, by its number.
    Known(u32),
    Value(typed::Expr),
}

/// The number of a direction, as its name and as a value.
fn number(word: &str) -> Option<u32> {
    ["rn", "rz", "rd", "ru", "ra"].iter().position(|known| *known == word).map(|number| number as u32)
}

/// Returns true for a function that raises flags.
fn raises(function: F) -> bool {
    use F::*;
    let arithmetic = matches!(function, Fadd | Fsub | Fmul | Ffma | Fdiv | Fsqrt | Fround | Fmin | Fmax | Fcmp);
    arithmetic || matches!(function, F2iS | F2iU | I2fS | I2fU | F2f | F2h | H2f)
}

impl Checker<'_> {
    /// A call of a function of floats.
    pub(super) fn float(&mut self, builtin: &Builtin, args: &[Expr], range: &Range<usize>) -> Option<typed::Expr> {
        let Signature::Float { operands, result, rounding, .. } = builtin.signature else { return None };
        let asked = std::mem::take(&mut self.is_asked) && raises(builtin.function);
        let function = builtin.function;
        // The width of a float that an integer becomes may be left out.
        let is_sized = matches!(function, F::I2fS | F::I2fU) && args.len() > 2 && !self.is_mode(&args[1]);
        let given = operands.len() + usize::from(result == 0 || is_sized);
        if args.len() < given {
            self.count(args, given, builtin.usage, range)?;
        }
        let (values, rest) = args.split_at(given);
        let modes = self.modes(builtin, rest);
        let made = self.floats(builtin, operands, &values[..operands.len()]);
        let to = match result {
            _ if is_sized || function == F::F2f => {
                self.size(&values[given - 1]).filter(|n| self.is_format(*n, &values[given - 1]))
            }
            0 => self.size(&values[given - 1]),
            FORMAT => made.as_ref().map(|made| made[0].width),
            bits => Some(bits),
        };
        let (modes, mut made, to) = (modes?, made?, to?);
        let from = made[0].width;
        let is_other = match function {
            F::I2fS | F::I2fU => is_sized,
            F::F2f => true,
            F::F2h | F::H2f => false,
            _ => from != 32,
        };
        let is_plain = matches!(function, F::Fneg | F::Fabs | F::Fnan | F::Fsat);
        let is_exact = is_other
            || asked
            || raises(function) && self.scope.machine().floats.is_some()
            || matches!(modes.rounding, Some(Direction::Value(_) | Direction::Known(4)))
            || modes.kind.is_some()
            || modes.signalling.is_some();
        self.needs(builtin, &modes, is_exact, range)?;
        if !is_exact || is_plain && from == 32 {
            let way = match modes.rounding {
                Some(Direction::Known(n)) => [Rounding::Nearest, Rounding::Zero, Rounding::Down, Rounding::Up][n as usize],
                _ => Rounding::Nearest,
            };
            let modes = Modes::new(way, modes.flush == Some(true), modes.saturate == Some(true));
            return Some(self.make(Kind::Call { function, args: made, modes, exact: None }, to, range));
        }
        self.integers(function, from, to, range)?;
        let exact = Exact {
            raised: false,
            flush: modes.flush == Some(true),
            saturate: modes.saturate == Some(true),
            signalling: modes.signalling == Some(true),
            kind: modes.kind.unwrap_or_default(),
            to,
        };
        if rounding {
            made.push(match modes.rounding {
                Some(Direction::Value(value)) => value,
                Some(Direction::Known(n)) => self.constant(Int::from(u128::from(n)), ROUNDING, range),
                None => self.constant(Int::default(), ROUNDING, range),
            });
        }
        Some(self.make(Kind::Call { function, args: made, modes: Modes::default(), exact: Some(exact) }, to, range))
    }

    /// The operands; those of one format have the width of the first that has one.
    fn floats(&mut self, builtin: &Builtin, takes: &[u32], values: &[Expr]) -> Option<Vec<typed::Expr>> {
        let what = format!("an argument of `{}`", builtin.name);
        let leader = takes.iter().zip(values).position(|(takes, value)| *takes == FORMAT && !self.is_bare(value)).unwrap_or(0);
        let mut format = None;
        if takes[leader] == FORMAT {
            let made = self.typed(&values[leader], Some(32))?;
            if !self.is_format(made.width, &values[leader]) {
                return None;
            }
            format = Some(made);
        }
        let width = format.as_ref().map_or(0, |made| made.width);
        let mut made = Vec::new();
        for (at, (value, takes)) in values.iter().zip(takes).enumerate() {
            made.push(match *takes {
                FORMAT if at == leader => format.take(),
                FORMAT => self.sized(value, width, &what),
                0 => self.typed(value, None),
                bits => self.sized(value, bits, &what),
            });
        }
        made.into_iter().collect()
    }

    fn is_format(&mut self, width: u32, at: &Expr) -> bool {
        let is = matches!(width, 16 | 32 | 64);
        if !is {
            self.fault(&at.range, format!("a float has 16, 32 or 64 bits, this has {}", bits(width)));
        }
        is
    }

    /// Reports modes that are missing.
    fn needs(&mut self, builtin: &Builtin, modes: &Given, is_exact: bool, range: &Range<usize>) -> Option<()> {
        let Signature::Float { rounding, subnormal, .. } = builtin.signature else { return None };
        if rounding && modes.rounding.is_none() {
            self.fault(range, format!("`{}` needs a rounding mode: `rn`, `rz`, `ru` or `rd`", builtin.name));
            return None;
        }
        if subnormal && modes.flush.is_none() && !is_exact {
            let say = format!("`{}` needs a mode for subnormal numbers: `ftz` makes them 0, `ieee` keeps them", builtin.name);
            self.fault(range, say);
            return None;
        }
        Some(())
    }

    /// Integers have at most 64 bits where rules count.
    fn integers(&mut self, function: F, from: u32, to: u32, range: &Range<usize>) -> Option<()> {
        let width = match function {
            F::I2fS | F::I2fU => from,
            F::F2iS | F::F2iU => to,
            _ => return Some(()),
        };
        if width > 64 {
            self.fault(range, format!("an integer has at most 64 bits here, this has {}", bits(width)));
            return None;
        }
        Some(())
    }

    /// Returns true for an argument that is a mode by its name.
    fn is_mode(&self, arg: &Expr) -> bool {
        matches!(&arg.kind, ExprKind::Name { path, optional: false } if number(path).is_some() || ["ftz", "ieee"].contains(&path.as_str()))
    }

    /// `rn, ftz, sat`: each at most once.
    fn modes(&mut self, builtin: &Builtin, args: &[Expr]) -> Option<Given> {
        let Signature::Float { rounding, subnormal, saturate, .. } = builtin.signature else { return None };
        let chooses = matches!(builtin.function, F::Fmin | F::Fmax);
        let mut given = Given::default();
        for arg in args {
            let word = match &arg.kind {
                ExprKind::Name { path, optional: false } => path.as_str(),
                _ => "",
            };
            let is_name = !word.is_empty() && matches!(self.find(word), Found::Missing);
            let twice = match word {
                _ if rounding && number(word).is_some() => given.rounding.replace(Direction::Known(number(word)?)).is_some(),
                "ftz" | "ieee" if subnormal => given.flush.replace(word == "ftz").is_some(),
                "sat" if saturate => given.saturate.replace(true).is_some(),
                "signalling" if builtin.function == F::Fcmp => given.signalling.replace(true).is_some(),
                _ if chooses && MinKind::parse(word).is_some() => given.kind.replace(MinKind::parse(word)?).is_some(),
                _ if rounding && !is_name && given.rounding.is_none() => {
                    given.rounding = Some(Direction::Value(self.sized(arg, ROUNDING, "a rounding mode")?));
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

    /// `raised(x)`: the flags that the call raises which `x` is defined by.
    pub(super) fn raised(&mut self, args: &[Expr], range: &Range<usize>) -> Option<typed::Expr> {
        self.count(args, 1, "raised(x)", range)?;
        let call = match &args[0].kind {
            ExprKind::Name { path, .. } => match self.find(path) {
                Found::Local(Bind::Faulty) => return None,
                Found::Local(Bind::Var(var)) => self.raising.iter().find(|call| call.0 == var).map(|call| call.1.clone()),
                _ => None,
            },
            _ => None,
        };
        let Some(Kind::Call { function, args, modes, exact }) = call else {
            let say = "`raised` takes a variable that a function of floats defines, and that is not assigned again";
            self.fault_with(&args[0].range, say, Some("`let x = fadd(a, b, rn); … raised(x)`"));
            return None;
        };
        let exact = exact.map(|exact| Exact { raised: true, ..exact });
        Some(self.make(Kind::Call { function, args, modes, exact }, RAISED, range))
    }

    /// Takes note of the call that defines a variable whose flags are asked for. Its arguments go into variables of their own: they are
    /// evaluated once, and are the same when the flags are asked for.
    pub(super) fn remember(&mut self, var: usize, value: &mut typed::Expr, out: &mut Vec<Stmt>) {
        let Kind::Call { args, exact: Some(_), .. } = &mut value.kind else { return };
        for arg in args.iter_mut().filter(|arg| !matches!(arg.kind, Kind::Const(_) | Kind::Field(_))) {
            let (own, width, range) = (self.vars.len(), arg.width, arg.range.clone());
            self.vars.push(width);
            let variable = typed::Expr { kind: Kind::Var(own), width, range: range.clone() };
            let place = Place { kind: PlaceKind::Var(own), width, range: range.clone() };
            let set = StmtKind::Set(place, std::mem::replace(arg, variable));
            out.push(Stmt { kind: set, range });
        }
        self.raising.push((var, value.kind.clone()));
    }

    /// A variable is assigned: it is not that of its definition any more.
    pub(super) fn assigned(&mut self, place: &Place) {
        match &place.kind {
            PlaceKind::Var(var) => self.raising.retain(|call| call.0 != *var),
            PlaceKind::Slice { of, .. } | PlaceKind::Part { of, .. } => self.assigned(of),
            PlaceKind::Concat(parts) => parts.iter().for_each(|part| self.assigned(part)),
            PlaceKind::Register(_) | PlaceKind::Flags(_) | PlaceKind::State(_) => {}
        }
    }
}
