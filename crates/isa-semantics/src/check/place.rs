//! Places that can be assigned.

use super::names::{Found, Registers};
use super::{Bind, Checker, Val, bits, fold};
use crate::scope::Referent;
use isa_model::semantics::ast::{BinaryOp, Expr, ExprKind};
use isa_model::semantics::int::{Int, MAX_WIDTH};
use isa_model::semantics::machine::StateKind;
use isa_model::semantics::typed::{self, Place, PlaceKind};
use std::ops::Range;

impl Checker<'_> {
    pub(super) fn place(&mut self, e: &Expr) -> Option<Place> {
        if !self.room(&e.range) {
            return None;
        }
        let range = &e.range;
        match &e.kind {
            ExprKind::Name { path, .. } => self.named_place(path, range),
            ExprKind::Index { of, at } => {
                if let Some(place) = self.indexed(of, at, 1, range) {
                    return place;
                }
                let of = self.place(of)?;
                let at = match self.expr(at, None)? {
                    Val::Number(bit) => Val::Number(i128::from(self.bit_of(bit, &at.range, of.width)?)),
                    at => at,
                };
                Some(self.bits_of(of, at, 1, range))
            }
            ExprKind::Slice { of, hi, lo } => {
                let of = self.place(of)?;
                let (lo, width) = self.bounds(hi, lo, of.width)?;
                Some(self.bits_of(of, Val::Number(i128::from(lo)), width, range))
            }
            ExprKind::Part { of, at, count } => {
                let size = self.size(count)?;
                if let Some(place) = self.indexed(of, at, size, range) {
                    return place;
                }
                let of = self.place(of)?;
                let made = self.expr(at, None)?;
                if let Val::Number(lo) = made {
                    self.bit_of(lo, &at.range, of.width)?;
                    self.bit_of(lo + i128::from(size) - 1, range, of.width)?;
                }
                Some(self.bits_of(of, made, size, range))
            }
            ExprKind::Member { of, name } => {
                let file = self.flags_file(of)?;
                let of = self.place(of)?;
                let bit = self.flag(file, name)?;
                Some(self.bits_of(of, Val::Number(i128::from(bit)), 1, range))
            }
            ExprKind::Binary { op: BinaryOp::Concat, left, right, .. } => {
                let (high, low) = (self.place(left), self.place(right));
                self.joined_places(vec![high?, low?], range)
            }
            ExprKind::If { arms, otherwise } => {
                // The value of an operand may depend on what is known of the form.
                for (cond, value) in arms {
                    let cond = self.cond(cond)?;
                    match fold::known(&cond) {
                        Some(true) => return self.place(value),
                        Some(false) => continue,
                        None => {
                            self.fault(range, "this can't be assigned: it is a choice between values");
                            return None;
                        }
                    }
                }
                self.place(otherwise)
            }
            _ => {
                let help = Some("what can be assigned is a register, a flag, a variable, or bits of one");
                self.fault_with(range, "this can't be assigned", help);
                None
            }
        }
    }

    fn named_place(&mut self, path: &str, range: &Range<usize>) -> Option<Place> {
        let machine = self.scope.machine();
        let (kind, width) = match self.find(path) {
            Found::Local(Bind::Var(var)) => (PlaceKind::Var(var), self.vars[var]),
            Found::Form(Referent::Operand(value), path) => {
                return self.operand(range, path, |checker| checker.place(&value));
            }
            Found::State(state) if machine.state[state].kind == StateKind::Written => {
                (PlaceKind::State(state), machine.state[state].width)
            }
            Found::Flags(file) if machine.flags[file].count == 1 => {
                let index = Box::new(self.constant(Int::default(), 1, range));
                (PlaceKind::Flags(typed::Flags { file, index }), machine.flags[file].flags.len() as u32)
            }
            Found::Flag(file, bit) => {
                let index = Box::new(self.constant(Int::default(), 1, range));
                let width = machine.flags[file].flags.len() as u32;
                let of = Place { kind: PlaceKind::Flags(typed::Flags { file, index }), width, range: self.at(range) };
                return Some(self.bits_of(of, Val::Number(i128::from(bit)), 1, range));
            }
            Found::Local(Bind::Faulty) => return None,
            Found::Missing => {
                self.missing(path, Some(format!("a new variable is declared with `let {path} = …;`")), range);
                return None;
            }
            _ => {
                self.not_a_place(path, range);
                return None;
            }
        };
        Some(Place { kind, width, range: self.at(range) })
    }

    /// `R[i]`, `R[i +: 2]`, `C[i]`; `None` if `of` is not a register file.
    fn indexed(&mut self, of: &Expr, at: &Expr, count: u32, range: &Range<usize>) -> Option<Option<Place>> {
        let ExprKind::Name { path, .. } = &of.kind else { return None };
        if let Some(function) = self.accessor(path, |accessors| accessors.write.as_ref()) {
            let say = format!("`{}` writes the registers of `{path}`, one at a time and as a whole", function.name.text);
            self.fault_with(range, say, Some(format!("write `{path}[…] = …;`")));
            return Some(None);
        }
        if let Some(registers) = self.registers(path, at, count, range) {
            return Some(registers.and_then(|r| self.registers_place(r, range)));
        }
        let Found::Flags(file) = self.find(path) else { return None };
        let width = self.scope.machine().flags[file].flags.len() as u32;
        let index = self.flags_index(file, at);
        Some(index.map(|index| Place {
            kind: PlaceKind::Flags(typed::Flags { file, index: Box::new(index) }),
            width,
            range: self.at(range),
        }))
    }

    fn registers_place(&mut self, registers: Registers, range: &Range<usize>) -> Option<Place> {
        let (at, width) = (self.at(range), registers.width);
        let each = registers.each().map(|r| Place { kind: PlaceKind::Register(r), width, range: at.clone() });
        let whole = self.joined_places(each.collect(), range)?;
        Some(match registers.part {
            None => whole,
            Some((lo, part)) => self.bits_of(whole, Val::Typed(lo), part, range),
        })
    }

    fn joined_places(&mut self, mut parts: Vec<Place>, range: &Range<usize>) -> Option<Place> {
        if parts.len() == 1 {
            return parts.pop();
        }
        let width = parts.iter().map(|p| p.width).sum();
        if width > MAX_WIDTH {
            self.fault(range, format!("this has {}, the maximum is {MAX_WIDTH}", bits(width)));
            return None;
        }
        Some(Place { kind: PlaceKind::Concat(parts), width, range: self.at(range) })
    }

    fn bits_of(&self, of: Place, at: Val, width: u32, range: &Range<usize>) -> Place {
        let of = Box::new(of);
        let kind = match at {
            Val::Number(lo) => PlaceKind::Slice { of, lo: lo as u32 },
            Val::Typed(at) => PlaceKind::Part { of, at: Box::new(at) },
        };
        Place { kind, width, range: self.at(range) }
    }
}
