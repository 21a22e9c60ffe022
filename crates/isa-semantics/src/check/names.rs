//! Resolves names.

use super::{Bind, Checker, Val, list, meant};
use crate::scope::{Is, Referent};
use isa_model::semantics::ast::{Expr, ExprKind, Ident};
use isa_model::semantics::builtins::{self, Routine, SUPPLIED, Supplied, SuppliedBits, SuppliedIn};
use isa_model::semantics::int::Int;
use isa_model::semantics::machine::StateKind;
use isa_model::semantics::typed::{self, Register};
use std::ops::Range;

/// The meaning of a name.
pub(super) enum Found {
    Local(Bind),
    /// A name of the form, with the full path under which it was found.
    Form(Referent, String),
    State(usize),
    /// Registers of flags.
    Flags(usize),
    /// One flag of the only register.
    Flag(usize, u32),
    /// A view, by its place in the machine.
    View(usize),
    Supplied(Supplied, u32),
    Missing,
}

impl Checker<'_> {
    pub(super) fn find(&self, path: &str) -> Found {
        if let Some(local) = self.locals[self.base..].iter().rev().find(|l| l.name == path) {
            return Found::Local(local.bind);
        }
        let machine = self.scope.machine();
        if let Some(view) = machine.views.iter().position(|v| v.name == path) {
            return Found::View(view);
        }
        if let Some(prefix) = &self.prefix {
            let own = format!("{prefix}.{path}");
            if let Some(name) = self.scope.name(&own) {
                return Found::Form(name, own);
            }
        }
        if let Some(name) = self.scope.name(path) {
            return Found::Form(name, path.to_owned());
        }
        if let Some(state) = machine.state.iter().position(|s| s.name == path) {
            return Found::State(state);
        }
        if let Some(file) = machine.flags.iter().position(|f| f.name == path) {
            return Found::Flags(file);
        }
        let only = path.rsplit_once('.').and_then(|(file, flag)| {
            let file = machine.flags.iter().position(|f| f.name == file && f.count == 1)?;
            let bit = machine.flags[file].flags.iter().position(|f| f == flag)?;
            Some(Found::Flag(file, bit as u32))
        });
        let line =
            || machine.lines.iter().position(|line| line.name == path).map(|line| Found::Supplied(Supplied::Line(line), 1));
        let supplied = || SUPPLIED.iter().find(|row| row.0 == path && self.is_supplied(row.3));
        let supplied = || {
            supplied().map(|(_, what, bits, _)| {
                Found::Supplied(
                    *what,
                    match bits {
                        SuppliedBits::Bits(bits) => *bits,
                        SuppliedBits::Lanes => machine.lanes,
                        SuppliedBits::Pc => machine.pc,
                    },
                )
            })
        };
        only.or_else(line).or_else(supplied).unwrap_or(Found::Missing)
    }

    fn is_supplied(&self, place: SuppliedIn) -> bool {
        match place {
            SuppliedIn::All => true,
            SuppliedIn::Warps => self.scope.machine().lanes > 1,
            SuppliedIn::Cores => self.scope.machine().lanes == 1,
            SuppliedIn::Routines(routines) => self.scope.routine().is_some_and(|routine| routines.contains(&routine)),
        }
    }

    /// The value of a name.
    pub(super) fn name(&mut self, path: &str, optional: bool, range: &Range<usize>, hint: Option<u32>) -> Option<Val> {
        use typed::ExprKind::*;
        let (kind, width) = match self.find(path) {
            Found::Local(Bind::Number(n)) => return Some(Val::Number(n)),
            Found::Local(Bind::Faulty) => return None,
            Found::Local(Bind::Var(var)) => (Var(var), self.vars[var]),
            Found::Form(Referent::Field { index, width, above: Some((value, bits)), .. }, _) => {
                let field = self.make(Field(index), width - bits, range);
                (Concat(vec![self.constant(Int::from(value), bits, range), field]), width)
            }
            Found::Form(Referent::Field { index, width, .. }, _) => (Field(index), width),
            Found::Form(Referent::Constant { value, width, .. }, _) => (Const(value), width),
            Found::Form(Referent::Condition { index }, _) => (Condition(index), 1),
            Found::Form(Referent::Operand(value), path) => {
                return self.operand(range, path, |checker| checker.expr(&value, hint));
            }
            Found::Form(Referent::Registers { .. }, _) | Found::View(_) => {
                self.fault(range, format!("`{path}` is a register file: say which register, `{path}[…]`"));
                return None;
            }
            Found::State(state) => (State(state), self.scope.machine().state[state].width),
            Found::Flags(file) if self.scope.machine().flags[file].count == 1 => {
                let index = Box::new(self.constant(Int::default(), 1, range));
                (Flags(typed::Flags { file, index }), self.scope.machine().flags[file].flags.len() as u32)
            }
            Found::Flags(_) => {
                self.fault(range, format!("`{path}` is several registers of flags: say which, `{path}[…]`"));
                return None;
            }
            Found::Flag(file, lo) => {
                let index = Box::new(self.constant(Int::default(), 1, range));
                let width = self.scope.machine().flags[file].flags.len() as u32;
                let of = self.make(Flags(typed::Flags { file, index }), width, range);
                return Some(Val::Typed(self.part_of(&of, lo, 1, range)));
            }
            Found::Supplied(builtins::Supplied::Steps, _) if self.scope.routine() == Some(Routine::Interrupts) => {
                let help = "it is asked where state, memory or lines have changed that it reads; a timer is a device with a line";
                self.fault_with(range, "`interrupts` does not read `steps`, which changes with each instruction", Some(help));
                return None;
            }
            Found::Supplied(what, width) => (Supplied(what), width),
            Found::Missing if optional => return Some(Val::Number(0)),
            Found::Missing => {
                self.missing(path, None, range);
                return None;
            }
        };
        Some(Val::Typed(self.make(kind, width, range)))
    }

    /// Reports a name that means nothing here. `also` says what else helps.
    pub(super) fn missing(&mut self, path: &str, also: Option<String>, range: &Range<usize>) {
        let machine = self.scope.machine();
        let mut known = self.scope.names();
        known.extend(self.locals[self.base..].iter().map(|l| l.name.clone()));
        known.extend(machine.state.iter().map(|s| s.name.clone()));
        known.extend(machine.flags.iter().map(|f| f.name.clone()));
        known.extend(machine.lines.iter().map(|line| line.name.clone()));
        known.extend(SUPPLIED.iter().filter(|row| self.is_supplied(row.3)).map(|row| row.0.to_owned()));
        let elsewhere = SUPPLIED.iter().find(|row| row.0 == path).map(|row| match row.3 {
            SuppliedIn::Routines(routines) => {
                format!("it is a name of {}", list(routines.iter().map(|routine| routine.name())))
            }
            _ => "it is a name of machines with one lane".to_owned(),
        });
        let help = elsewhere.or_else(|| match path {
            "true" => Some("a bit is `1`".to_owned()),
            "false" => Some("a bit is `0`".to_owned()),
            _ => meant(path, &known).or_else(|| self.of_choice(path)),
        });
        let help = match (help, also) {
            (Some(help), Some(also)) => Some(format!("{help} {also}")),
            (help, also) => help.or(also),
        };
        self.fault_with(range, format!("there is no `{path}` here"), help);
    }

    /// A proposal for `b.r`, where `b` is a choice and one of its alternatives has a field `r`.
    fn of_choice(&self, path: &str) -> Option<String> {
        let (slot, field) = path.rsplit_once('.')?;
        let is_slot = !matches!(self.scope.is(slot, ""), Is::NoSlot);
        let is_field = is_slot && matches!(self.find(field), Found::Form(..));
        is_field.then(|| format!("did you mean `{field}`? the fields of alternatives are named without their choice"))
    }

    /// The register `file[index + plus]`, if that is a register file or a view of one: its bits as a list, high part first.
    pub(super) fn registers(&mut self, path: &str, at: &Expr, count: u32, range: &Range<usize>) -> Option<Option<Registers>> {
        match self.find(path) {
            Found::Form(Referent::Registers { file, index, width }, _) => {
                let at = self.sized(at, index, &format!("the number of a register of `{path}`"));
                Some(at.map(|at| Registers { file, index: self.register_number(at), width, count, part: None }))
            }
            Found::View(view) => Some(self.view(view, at, count, range)),
            _ => None,
        }
    }

    fn view(&mut self, view: usize, at: &Expr, count: u32, range: &Range<usize>) -> Option<Registers> {
        use isa_model::semantics::ast::BinaryOp;
        let view = &self.scope.machine().views[view];
        let (name, of) = (view.name.clone(), view.of.clone());
        let (
            Some(Referent::Registers { index, width: part, .. }),
            Some(Referent::Registers { file, index: whole_index, width, .. }),
        ) = (self.scope.name(&name), self.scope.name(&of))
        else {
            self.fault(range, format!("`{name}` or `{of}` is not a register file"));
            return None;
        };
        let at = self.sized(at, index, &format!("the number of a register of `{name}`"))?;
        let at = self.register_number(at);
        if count > 1 || width <= part || !width.is_multiple_of(part) || !(width / part).is_power_of_two() {
            let say = format!("`{name}[…]` is one register of {part} bits, a part of `{of}`");
            self.fault(range, say);
            return None;
        }
        // Register n is part n % k of register n / k.
        let step = (width / part).trailing_zeros();
        let low = self.part_of(&at, 0, step.min(index), range);
        let high =
            if step < index { self.part_of(&at, step, index - step, range) } else { self.constant(Int::default(), 1, range) };
        let number = match high.width.cmp(&whole_index) {
            std::cmp::Ordering::Less => {
                let pad = self.constant(Int::default(), whole_index - high.width, range);
                self.make(typed::ExprKind::Concat(vec![pad, high]), whole_index, range)
            }
            std::cmp::Ordering::Equal => high,
            std::cmp::Ordering::Greater => {
                self.fault(range, format!("`{name}` has more registers than `{of}` has parts"));
                return None;
            }
        };
        let zeros = self.constant(Int::default(), 16 - low.width, range);
        let low = self.make(typed::ExprKind::Concat(vec![zeros, low]), 16, range);
        let size = self.constant(Int::from(u128::from(part)), 16, range);
        let offset = self.make(typed::ExprKind::Binary(BinaryOp::Mul, Box::new(low), Box::new(size)), 16, range);
        Some(Registers { file, index: number, width, count: 1, part: Some((offset, part)) })
    }

    fn part_of(&self, of: &typed::Expr, lo: u32, width: u32, range: &Range<usize>) -> typed::Expr {
        super::fold::slice(of.clone(), lo, width, self.at(range))
    }

    /// Reports an assignment to a name that can't be assigned.
    pub(super) fn not_a_place(&mut self, path: &str, range: &Range<usize>) {
        let (say, help) = match self.find(path) {
            Found::Local(Bind::Number(_)) => (format!("`{path}` is the variable of a loop"), None),
            Found::Form(Referent::Field { register: Some(file), .. }, _) => (
                format!("`{path}` is the number of a register, and part of the instruction"),
                Some(format!("the register itself is `{file}[{path}]`")),
            ),
            Found::Form(Referent::Field { .. } | Referent::Constant { .. }, _) => {
                (format!("`{path}` is a field: part of the instruction"), None)
            }
            Found::State(state) if self.scope.machine().state[state].kind == StateKind::Launch => {
                (format!("`{path}` is set by the launch and can't be assigned"), None)
            }
            Found::Supplied(Supplied::Pc | Supplied::Next, _) => {
                (format!("`{path}` can't be assigned"), Some("`branch(target)` goes elsewhere".to_owned()))
            }
            Found::Supplied(Supplied::Line(_), _) => (format!("`{path}` is the line of a device and can't be assigned"), None),
            Found::Supplied(..) => (format!("`{path}` is supplied by the machine and can't be assigned"), None),
            _ => (format!("`{path}` can't be assigned"), None),
        };
        self.fault_with(range, say, help);
    }

    /// `slot is a | b`
    pub(super) fn is(&mut self, slot: &Ident, alternatives: &[(Ident, bool)]) -> Option<bool> {
        let mut picked = Some(false);
        for (alternative, is_optional) in alternatives {
            let own = self.prefix.as_ref().map(|p| format!("{p}.{}", slot.text));
            let own = own.map(|own| self.scope.is(&own, &alternative.text)).filter(|is| *is != Is::NoSlot);
            match own.unwrap_or_else(|| self.scope.is(&slot.text, &alternative.text)) {
                Is::Yes => picked = picked.map(|_| true),
                Is::No => {}
                Is::NoAlternative(_) if *is_optional => {}
                Is::NoSlot => {
                    let help = meant(&slot.text, &self.scope.names());
                    self.fault_with(&slot.range, format!("there is no choice `{}` here", slot.text), help);
                    return None;
                }
                Is::NoAlternative(known) => {
                    let help = meant(&alternative.text, &known)
                        .unwrap_or_else(|| format!("it has {}", list(known.iter().map(String::as_str))));
                    self.fault_with(
                        &alternative.range,
                        format!("`{}` has no alternative `{}`", slot.text, alternative.text),
                        Some(help),
                    );
                    picked = None;
                }
            }
        }
        picked
    }

    /// The texts that an expression can be compared with, and the value of each.
    pub(super) fn texts(&self, e: &Expr) -> Option<Vec<(String, Int)>> {
        match &e.kind {
            ExprKind::Name { path, .. } => {
                let own = self.prefix.as_ref().and_then(|p| self.scope.texts(&format!("{p}.{path}")));
                own.or_else(|| self.scope.texts(path))
            }
            ExprKind::Call { name, args } if name.text == "variant" => match args.as_slice() {
                [Expr { kind: ExprKind::Name { path, .. }, .. }] => {
                    let variant = self.scope.machine().variants.iter().find(|v| v.name == *path)?;
                    Some(variant.values.iter().enumerate().map(|(i, v)| (v.clone(), Int::from(i as u128))).collect())
                }
                _ => None,
            },
            _ => None,
        }
    }
}

/// Registers that an index names: `count` from `index` up, the first is the low part; or a part of one.
pub(super) struct Registers {
    pub(super) file: usize,
    pub(super) index: typed::Expr,
    pub(super) width: u32,
    pub(super) count: u32,
    /// The lowest bit and how many.
    pub(super) part: Option<(typed::Expr, u32)>,
}

impl Registers {
    /// The single registers, the high one first.
    pub(super) fn each(&self) -> impl Iterator<Item = Register> + '_ {
        (0..self.count).rev().map(|plus| Register { file: self.file, index: Box::new(self.index.clone()), plus })
    }
}
