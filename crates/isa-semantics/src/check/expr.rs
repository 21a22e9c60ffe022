//! Expressions.

use super::names::Found;
use super::{Checker, Val, bits, fold, list};
use isa_model::semantics::ast::{Expr, ExprKind, Ident};
use isa_model::semantics::int::{Int, MAX_WIDTH};
use isa_model::semantics::typed::{self, ExprKind as Kind};
use std::ops::Range;

impl Checker<'_> {
    /// A value with a width; a number takes that of the `hint`.
    pub(super) fn typed(&mut self, e: &Expr, hint: Option<u32>) -> Option<typed::Expr> {
        match self.expr(e, hint)? {
            Val::Typed(made) => Some(made),
            Val::Number(n) => self.number_of(n, hint, &e.range),
        }
    }

    /// A value of exactly `width` bits.
    pub(super) fn sized(&mut self, e: &Expr, width: u32, what: &str) -> Option<typed::Expr> {
        let made = self.typed(e, Some(width))?;
        if made.width == width {
            return Some(made);
        }
        let help = if made.width < width {
            Some(format!("`zext(…, {width})` or `sext(…, {width})` widens it"))
        } else {
            Some(format!("`trunc(…, {width})` takes the lowest bits"))
        };
        self.fault_with(&e.range, format!("{what} has {}, this has {}", bits(width), bits(made.width)), help);
        None
    }

    /// A condition: one bit.
    pub(super) fn cond(&mut self, e: &Expr) -> Option<typed::Expr> {
        let made = self.typed(e, Some(1))?;
        if made.width == 1 {
            return Some(made);
        }
        let help = Some("compare it (`x != 0`), or ask for `any(x)`");
        self.fault_with(&e.range, format!("a condition is one bit, this has {}", bits(made.width)), help);
        None
    }

    /// A number that is known without running.
    pub(super) fn number(&mut self, e: &Expr, what: &str) -> Option<i128> {
        let n = match self.expr(e, None)? {
            Val::Number(n) => Some(n),
            Val::Typed(typed::Expr { kind: Kind::Const(value), .. }) => value.to_i128(),
            Val::Typed(_) => None,
        };
        if n.is_none() {
            self.fault(&e.range, format!("{what} must be a constant"));
        }
        n
    }

    pub(super) fn number_of(&mut self, n: i128, width: Option<u32>, range: &Range<usize>) -> Option<typed::Expr> {
        let Some(width) = width else {
            self.fault_with(range, format!("the width of {n} is not known here"), Some(format!("write `{n}:32` for 32 bits")));
            return None;
        };
        let value = Int::from_i128(n, width);
        // It must come back unchanged, as a signed or as an unsigned number.
        let fits = if n >= 0 { value.to_i128() == Some(n) } else { width >= 128 || n >= -(1i128 << (width - 1)) };
        if fits {
            return Some(self.constant(value, width, range));
        }
        self.fault(range, format!("{n} doesn't fit in {}", bits(width)));
        None
    }

    /// Any expression. This and what it calls on the way down have small frames: expressions may be deep.
    pub(super) fn expr(&mut self, e: &Expr, hint: Option<u32>) -> Option<Val> {
        if !self.room(&e.range) || !self.down(&e.range) {
            return None;
        }
        let made = self.expr_here(e, hint);
        self.depth -= 1;
        made
    }

    fn expr_here(&mut self, e: &Expr, hint: Option<u32>) -> Option<Val> {
        let range = &e.range;
        match &e.kind {
            ExprKind::Int { value, width } => self.int(*value, *width, hint, range),
            ExprKind::Text(_) => self.text(range),
            ExprKind::Name { path, optional } => self.name(path, *optional, range, hint),
            ExprKind::Is { slot, alternatives } => self.is(slot, alternatives).map(|picked| Val::Typed(self.bit(picked, range))),
            ExprKind::Index { of, at } => self.index(of, at, range).map(Val::Typed),
            ExprKind::Slice { of, hi, lo } => self.slice(of, hi, lo, range).map(Val::Typed),
            ExprKind::Part { of, at, count } => self.part(of, at, count, range).map(Val::Typed),
            ExprKind::Member { of, name } => self.member(of, name, range).map(Val::Typed),
            ExprKind::Unary { op, of } => self.unary(*op, of, hint, range),
            ExprKind::Binary { op, at, left, right } => self.binary(*op, at, (left, right), hint, range),
            ExprKind::If { arms, otherwise } => self.choose(arms, otherwise, hint, range),
            ExprKind::Match { on, arms, otherwise } => self.select(on, arms, otherwise, hint, range),
            ExprKind::Change { .. } => {
                self.fault(range, "a value made of what was there, `old => …`, is an argument of `atomic`");
                None
            }
            ExprKind::Call { name, args } => self.call(name, args, hint, range),
        }
    }

    fn text(&mut self, range: &Range<usize>) -> Option<Val> {
        let help = Some("`field == \"text\"` compares, `match field { \"text\" => … }` chooses");
        self.fault_with(range, "a text is not a value", help);
        None
    }

    fn slice(&mut self, of: &Expr, hi: &Expr, lo: &Expr, range: &Range<usize>) -> Option<typed::Expr> {
        let of = self.sliced(of, hi)?;
        let (lo, width) = self.bounds(hi, lo, of.width)?;
        Some(fold::slice(of, lo, width, self.at(range)))
    }

    fn member(&mut self, of: &Expr, name: &Ident, range: &Range<usize>) -> Option<typed::Expr> {
        let file = self.flags_file(of)?;
        let of = self.typed(of, None)?;
        let bit = self.flag(file, name)?;
        Some(fold::slice(of, bit, 1, self.at(range)))
    }

    fn int(&mut self, value: Int, width: Option<u32>, hint: Option<u32>, range: &Range<usize>) -> Option<Val> {
        if let Some(width) = width {
            return Some(Val::Typed(self.constant(value, width, range)));
        }
        match (value.to_i128(), hint) {
            (Some(n), _) => Some(Val::Number(n)),
            (None, Some(width)) if value.bits() <= width => Some(Val::Typed(self.constant(value, width, range))),
            (None, Some(width)) => {
                self.fault(range, format!("{value} doesn't fit in {}", bits(width)));
                None
            }
            (None, None) => {
                self.fault_with(
                    range,
                    format!("the width of {value} is not known here"),
                    Some(format!("write `{value}:{MAX_WIDTH}`")),
                );
                None
            }
        }
    }

    /// The operand of a slice; a number gets a width that holds its bits.
    fn sliced(&mut self, of: &Expr, top: &Expr) -> Option<typed::Expr> {
        match self.expr(of, None)? {
            Val::Typed(of) => Some(of),
            Val::Number(n) if n < 0 => self.number_of(n, None, &of.range),
            Val::Number(n) => {
                let top = self.number(top, "a bit")?;
                let width = u32::try_from(top.saturating_add(1))
                    .ok()
                    .filter(|w| *w <= 127)
                    .unwrap_or(127)
                    .max(Int::from(n as u128).bits())
                    .max(1);
                self.number_of(n, Some(width), &of.range)
            }
        }
    }

    /// `[hi..lo]` of a value of `width` bits: the lowest bit and the number of bits.
    pub(super) fn bounds(&mut self, hi: &Expr, lo: &Expr, width: u32) -> Option<(u32, u32)> {
        let (high, low) = (self.number(hi, "a bit"), self.number(lo, "a bit"));
        let (high, low) = (high?, low?);
        if high < low {
            let help = Some(format!("write `[{low}..{high}]`"));
            self.fault_with(&(hi.range.start..lo.range.end), "bits are written high to low", help);
            return None;
        }
        let high = self.bit_of(high, &hi.range, width)?;
        let low = self.bit_of(low, &lo.range, width)?;
        Some((low, high - low + 1))
    }

    pub(super) fn bit_of(&mut self, bit: i128, range: &Range<usize>, width: u32) -> Option<u32> {
        match u32::try_from(bit) {
            Ok(bit) if bit < width => Some(bit),
            _ => {
                self.fault(range, format!("there is no bit {bit} in {}", bits(width)));
                None
            }
        }
    }

    /// The registers of flags that an expression is one of: `C[i]`, or `C` where there is one only.
    pub(super) fn flags_file(&mut self, of: &Expr) -> Option<usize> {
        let name = match &of.kind {
            ExprKind::Index { of, .. } => of,
            _ => of,
        };
        if let ExprKind::Name { path, .. } = &name.kind
            && let Found::Flags(file) = self.find(path)
        {
            return Some(file);
        }
        self.fault(&of.range, "only registers of flags have parts with names");
        None
    }

    pub(super) fn flag(&mut self, file: usize, name: &Ident) -> Option<u32> {
        let flags = &self.scope.machine().flags[file];
        if let Some(bit) = flags.flags.iter().position(|f| *f == name.text) {
            return Some(bit as u32);
        }
        let say = format!("`{}` has no flag `{}`", flags.name, name.text);
        let help = format!("it has {}", list(flags.flags.iter().map(String::as_str)));
        self.fault_with(&name.range, say, Some(help));
        None
    }

    /// `R[i]`, `C[i]`, `x[3]`
    fn index(&mut self, of: &Expr, at: &Expr, range: &Range<usize>) -> Option<typed::Expr> {
        if let ExprKind::Name { path, .. } = &of.kind {
            if let Some(function) = self.accessor(path, |accessors| accessors.read.as_ref()) {
                let what = format!("`{}`, which reads registers of `{path}`,", function.name.text);
                return self.function_value(&function, std::slice::from_ref(at), &what, range);
            }
            if let Some(registers) = self.registers(path, at, 1, range) {
                return self.read(registers?, range);
            }
            if let Found::Flags(file) = self.find(path) {
                let index = Box::new(self.flags_index(file, at)?);
                let width = self.scope.machine().flags[file].flags.len() as u32;
                return Some(self.make(Kind::Flags(typed::Flags { file, index }), width, range));
            }
        }
        let of = self.sliced(of, at)?;
        match self.expr(at, None)? {
            Val::Number(bit) => {
                let bit = self.bit_of(bit, &at.range, of.width)?;
                Some(fold::slice(of, bit, 1, self.at(range)))
            }
            Val::Typed(at) => Some(self.make(Kind::Part { of: Box::new(of), at: Box::new(at) }, 1, range)),
        }
    }

    pub(super) fn flags_index(&mut self, file: usize, at: &Expr) -> Option<typed::Expr> {
        let (name, count) = (self.scope.machine().flags[file].name.clone(), self.scope.machine().flags[file].count);
        match self.expr(at, None)? {
            Val::Typed(at) => Some(self.register_number(at)),
            Val::Number(n) if (0..i128::from(count)).contains(&n) => self.number_of(n, Some(32), &at.range),
            Val::Number(n) => {
                self.fault(&at.range, format!("there is no `{name}[{n}]`: there are {count}"));
                None
            }
        }
    }

    /// `R[d +: 2]`, `x[8 * i +: 8]`
    fn part(&mut self, of: &Expr, at: &Expr, count: &Expr, range: &Range<usize>) -> Option<typed::Expr> {
        let size = self.size(count)?;
        if let ExprKind::Name { path, .. } = &of.kind
            && let Some(function) = self.accessor(path, |accessors| accessors.read.as_ref())
        {
            self.fault(range, format!("`{}` reads the registers of `{path}`, one at a time", function.name.text));
            return None;
        }
        if let ExprKind::Name { path, .. } = &of.kind
            && let Some(registers) = self.registers(path, at, size, range)
        {
            return self.read(registers?, range);
        }
        let of = self.sliced(of, at)?;
        match self.expr(at, None)? {
            Val::Number(lo) => {
                let lo = self.bit_of(lo, &at.range, of.width)?;
                self.bit_of(i128::from(lo + size - 1), range, of.width)?;
                Some(fold::slice(of, lo, size, self.at(range)))
            }
            Val::Typed(at) => Some(self.make(Kind::Part { of: Box::new(of), at: Box::new(at) }, size, range)),
        }
    }

    /// A number of bits or registers: 1 to 256.
    pub(super) fn size(&mut self, e: &Expr) -> Option<u32> {
        let n = self.number(e, "how many")?;
        match u32::try_from(n) {
            Ok(n) if (1..=MAX_WIDTH).contains(&n) => Some(n),
            _ => {
                self.fault(&e.range, format!("a width is 1 to {MAX_WIDTH}"));
                None
            }
        }
    }

    fn read(&mut self, registers: super::names::Registers, range: &Range<usize>) -> Option<typed::Expr> {
        let width = registers.width;
        let mut each: Vec<_> = registers.each().map(|r| self.make(Kind::Register(r), width, range)).collect();
        let total = width * registers.count;
        let whole = if each.len() == 1 { each.remove(0) } else { self.joined(each, total, range)? };
        Some(match registers.part {
            None => whole,
            Some((at, part)) => self.make(Kind::Part { of: Box::new(whole), at: Box::new(at) }, part, range),
        })
    }

    pub(super) fn joined(&mut self, parts: Vec<typed::Expr>, width: u32, range: &Range<usize>) -> Option<typed::Expr> {
        if width > MAX_WIDTH {
            self.fault(range, format!("this has {}, the maximum is {MAX_WIDTH}", bits(width)));
            return None;
        }
        Some(self.make(Kind::Concat(parts), width, range))
    }
}
