//! Expressions.

use super::super::ast::{BinaryOp, Expr, ExprKind, Ident, UnaryOp};
use super::super::int::{Int, MAX_WIDTH};
use super::super::typed::{self, ExprKind as Kind};
use super::names::Found;
use super::{Bind, Checker, Val, bits, fold, list, meant};
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
            self.fault(&e.range, format!("{what} must be a number that is known without running"));
        }
        n
    }

    pub(super) fn number_of(&mut self, n: i128, width: Option<u32>, range: &Range<usize>) -> Option<typed::Expr> {
        let Some(width) = width else {
            self.fault_with(range, format!("nothing here says how wide {n} is"), Some(format!("write `{n}:32` for 32 bits")));
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

    pub(super) fn expr(&mut self, e: &Expr, hint: Option<u32>) -> Option<Val> {
        if !self.room(&e.range) {
            return None;
        }
        let range = &e.range;
        Some(Val::Typed(match &e.kind {
            ExprKind::Int { value, width: Some(width) } => self.constant(*value, *width, range),
            ExprKind::Int { value, width: None } => return self.int(*value, hint, range),
            ExprKind::Text(_) => {
                let help = Some("`field == \"text\"` compares, `match field { \"text\" => … }` chooses");
                self.fault_with(range, "a text has no value of its own", help);
                return None;
            }
            ExprKind::Name { path, optional } => return self.name(path, *optional, range, hint),
            ExprKind::Is { slot, alternatives } => {
                let picked = self.is(slot, alternatives)?;
                self.bit(picked, range)
            }
            ExprKind::Index { of, at } => self.index(of, at, range)?,
            ExprKind::Slice { of, hi, lo } => {
                let of = self.sliced(of, hi)?;
                let (lo, width) = self.bounds(hi, lo, of.width)?;
                fold::slice(of, lo, width, self.at(range))
            }
            ExprKind::Part { of, at, count } => self.part(of, at, count, range)?,
            ExprKind::Member { of, name } => {
                let file = self.flags_file(of)?;
                let of = self.typed(of, None)?;
                let bit = self.flag(file, name)?;
                fold::slice(of, bit, 1, self.at(range))
            }
            ExprKind::Unary { op, of } => return self.unary(*op, of, hint, range),
            ExprKind::Binary { op, at, left, right } => return self.binary(*op, at, left, right, hint, range),
            ExprKind::If { arms, otherwise } => return self.choose(arms, otherwise, hint, range),
            ExprKind::Match { on, arms, otherwise } => return self.select(on, arms, otherwise, hint, range),
            ExprKind::Call { name, args } => return self.call(name, args, hint, range),
        }))
    }

    fn int(&mut self, value: Int, hint: Option<u32>, range: &Range<usize>) -> Option<Val> {
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
                    format!("nothing here says how wide {value} is"),
                    Some(format!("write `{value}:{MAX_WIDTH}`")),
                );
                None
            }
        }
    }

    /// What is sliced; a number gets a width that holds its bits.
    fn sliced(&mut self, of: &Expr, top: &Expr) -> Option<typed::Expr> {
        match self.expr(of, None)? {
            Val::Typed(of) => Some(of),
            Val::Number(n) if n < 0 => self.number_of(n, None, &of.range),
            Val::Number(n) => {
                let top = self.number(top, "a bit")?;
                let width =
                    u32::try_from(top + 1).ok().filter(|w| *w <= 127).unwrap_or(127).max(Int::from(n as u128).bits()).max(1);
                self.number_of(n, Some(width), &of.range)
            }
        }
    }

    /// `[hi..lo]` of so many bits: the lowest and how many.
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
            Val::Typed(at) => Some(at),
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

    /// How many bits or registers: 1 to 256.
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

    fn joined(&mut self, parts: Vec<typed::Expr>, width: u32, range: &Range<usize>) -> Option<typed::Expr> {
        if width > MAX_WIDTH {
            self.fault(range, format!("this has {}, and {MAX_WIDTH} is the most", bits(width)));
            return None;
        }
        Some(self.make(Kind::Concat(parts), width, range))
    }

    fn unary(&mut self, op: UnaryOp, of: &Expr, hint: Option<u32>, range: &Range<usize>) -> Option<Val> {
        if op == UnaryOp::LogicNot {
            let of = self.cond_of(of, "`!`")?;
            return Some(Val::Typed(fold::unary(op, of, self.at(range))));
        }
        Some(match self.expr(of, hint)? {
            Val::Number(n) => Val::Number(if op == UnaryOp::Neg { -n } else { !n }),
            Val::Typed(of) => Val::Typed(fold::unary(op, of, self.at(range))),
        })
    }

    fn cond_of(&mut self, e: &Expr, op: &str) -> Option<typed::Expr> {
        let made = self.typed(e, Some(1))?;
        if made.width == 1 {
            return Some(made);
        }
        self.fault_with(
            &e.range,
            format!("{op} is for single bits, this has {}", bits(made.width)),
            Some("`~`, `&`, `|` and `^` work on every bit"),
        );
        None
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        at: &Range<usize>,
        left: &Expr,
        right: &Expr,
        hint: Option<u32>,
        range: &Range<usize>,
    ) -> Option<Val> {
        use BinaryOp::*;
        match op {
            LogicAnd | LogicOr => {
                let (a, b) = (self.cond_of(left, &format!("`{}`", op.text())), self.cond_of(right, &format!("`{}`", op.text())));
                return Some(Val::Typed(fold::binary(op, a?, b?, 1, self.at(range))));
            }
            Eq | Ne if self.names_text(left, right) => return self.compare_text(op, left, right, range),
            Concat => {
                let (a, b) = (self.typed(left, None), self.typed(right, None));
                let (a, b) = (a?, b?);
                let width = a.width + b.width;
                let parts = [a, b].into_iter().flat_map(|p| match p.kind {
                    Kind::Concat(parts) => parts,
                    _ => vec![p],
                });
                let parts = parts.collect();
                return Some(Val::Typed(self.joined(parts, width, range)?));
            }
            Shl | ShrU | ShrS => {
                let (a, b) = (self.expr(left, hint), self.expr(right, None));
                return self.shift(op, a?, b?, left, right, range);
            }
            _ => {}
        }
        let hint = if op.is_comparison() { None } else { hint };
        // A number takes the width of the other side, whichever side that is.
        let (a, b) = if self.is_bare(left) && !self.is_bare(right) {
            let b = self.expr(right, hint);
            let width = b.as_ref().and_then(width_of);
            (self.expr(left, width.or(hint)), b)
        } else {
            let a = self.expr(left, hint);
            let width = a.as_ref().and_then(width_of);
            let b = self.expr(right, width.or(hint));
            (a, b)
        };
        let (a, b) = match (a?, b?) {
            (Val::Number(a), Val::Number(b)) => {
                let Some(n) = fold::numbers(op, a, b) else {
                    self.fault(range, format!("`{}` of these numbers has no value without a width", op.text()));
                    return None;
                };
                return Some(if op.is_comparison() { Val::Typed(self.bit(n != 0, range)) } else { Val::Number(n) });
            }
            (Val::Number(a), Val::Typed(b)) => (self.number_of(a, Some(b.width), &left.range)?, b),
            (Val::Typed(a), Val::Number(b)) => {
                let b = self.number_of(b, Some(a.width), &right.range)?;
                (a, b)
            }
            (Val::Typed(a), Val::Typed(b)) => (a, b),
        };
        if a.width != b.width {
            let width = a.width.max(b.width);
            let help = Some(format!("`zext(…, {width})` or `sext(…, {width})` widens the narrower one"));
            self.fault_with(
                at,
                format!("`{}` takes two values of one width, these have {} and {}", op.text(), bits(a.width), bits(b.width)),
                help,
            );
            return None;
        }
        let width = if op.is_comparison() { 1 } else { a.width };
        Some(Val::Typed(fold::binary(op, a, b, width, self.at(range))))
    }

    fn shift(&mut self, op: BinaryOp, a: Val, count: Val, left: &Expr, right: &Expr, range: &Range<usize>) -> Option<Val> {
        let count = match (&a, count) {
            (Val::Number(a), Val::Number(b)) => match fold::numbers(op, *a, b) {
                Some(n) => return Some(Val::Number(n)),
                None => {
                    self.fault(range, format!("`{}` of these numbers has no value without a width", op.text()));
                    return None;
                }
            },
            (_, Val::Number(n)) if n < 0 => {
                self.fault(&right.range, "a shift by less than nothing");
                return None;
            }
            (_, Val::Number(n)) => self.number_of(n, Some(32), &right.range)?,
            (_, Val::Typed(count)) => count,
        };
        let a = match a {
            Val::Typed(a) => a,
            Val::Number(n) => self.number_of(n, None, &left.range)?,
        };
        let width = a.width;
        Some(Val::Typed(fold::binary(op, a, count, width, self.at(range))))
    }

    /// Whether the sides are a field (or variant) and one of its texts.
    fn names_text(&self, left: &Expr, right: &Expr) -> bool {
        matches!((&left.kind, &right.kind), (_, ExprKind::Text(_)) | (ExprKind::Text(_), _))
            || matches!((&left.kind, &right.kind), (ExprKind::Call { name, .. }, ExprKind::Name { .. }) if name.text == "variant")
    }

    fn compare_text(&mut self, op: BinaryOp, left: &Expr, right: &Expr, range: &Range<usize>) -> Option<Val> {
        if let ExprKind::Text(_) = left.kind {
            self.fault(&left.range, "a text stands on the right: `field == \"text\"`");
            return None;
        }
        if let ExprKind::Name { path, optional: true } = &left.kind
            && let Found::Missing = self.find(path)
        {
            return Some(Val::Typed(self.bit(op == BinaryOp::Ne, range)));
        }
        let a = self.typed(left, None)?;
        let value = self.label(left, a.width, right)?;
        let b = self.constant(value, a.width, &right.range);
        Some(Val::Typed(fold::binary(op, a, b, 1, self.at(range))))
    }

    /// What a text, name or number stands for where `on`, of `width` bits, is compared with it.
    pub(super) fn label(&mut self, on: &Expr, width: u32, label: &Expr) -> Option<Int> {
        let wanted = match &label.kind {
            ExprKind::Text(text) => text,
            ExprKind::Name { path, .. } if !matches!(self.find(path), Found::Local(Bind::Number(_))) => path,
            _ => {
                let made = self.sized(label, width, "what is compared")?;
                let Kind::Const(value) = made.kind else {
                    self.fault(&label.range, "a label is a number, or a text");
                    return None;
                };
                return Some(value);
            }
        };
        let Some(texts) = self.texts(on) else {
            self.fault(&label.range, "what this is compared with has no texts");
            return None;
        };
        if let Some((_, value)) = texts.iter().find(|t| t.0 == *wanted) {
            return Some(*value);
        }
        let known: Vec<String> = texts.into_iter().map(|t| t.0).collect();
        let help = meant(wanted, &known).unwrap_or_else(|| match known.len() {
            0..=12 => format!("it has {}", list(known.iter().map(String::as_str))),
            n => format!("it has {n} texts"),
        });
        self.fault_with(&label.range, format!("this is never `{wanted}`"), Some(help));
        None
    }

    /// Whether an expression is made of numbers without widths, so that its own width comes from elsewhere.
    pub(super) fn is_bare(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Int { width, .. } => width.is_none(),
            ExprKind::Name { path, optional } => match self.find(path) {
                Found::Local(Bind::Number(_)) => true,
                Found::Missing => *optional,
                _ => false,
            },
            ExprKind::Unary { op, of } => *op != UnaryOp::LogicNot && self.is_bare(of),
            ExprKind::Binary { op, left, right, .. } => match op {
                BinaryOp::Shl | BinaryOp::ShrU | BinaryOp::ShrS => self.is_bare(left),
                BinaryOp::Concat | BinaryOp::LogicAnd | BinaryOp::LogicOr => false,
                _ if op.is_comparison() => false,
                _ => self.is_bare(left) && self.is_bare(right),
            },
            ExprKind::If { arms, otherwise } => arms.iter().all(|a| self.is_bare(&a.1)) && self.is_bare(otherwise),
            ExprKind::Match { arms, otherwise, .. } => arms.iter().all(|a| self.is_bare(&a.1)) && self.is_bare(otherwise),
            _ => false,
        }
    }

    fn choose(&mut self, arms: &[(Expr, Expr)], otherwise: &Expr, hint: Option<u32>, range: &Range<usize>) -> Option<Val> {
        let mut conds = Vec::new();
        let mut values = Vec::new();
        let mut last = otherwise;
        for (cond, value) in arms {
            let cond = self.cond(cond)?;
            match fold::known(&cond) {
                Some(false) => continue,
                Some(true) => {
                    last = value;
                    break;
                }
                None => {
                    conds.push(cond);
                    values.push(value);
                }
            }
        }
        if conds.is_empty() {
            return self.expr(last, hint);
        }
        values.push(last);
        let mut values = self.arms(&values, hint)?;
        let otherwise = Box::new(values.pop()?);
        let width = otherwise.width;
        Some(Val::Typed(self.make(Kind::If { arms: conds.into_iter().zip(values).collect(), otherwise }, width, range)))
    }

    fn select(
        &mut self,
        on: &Expr,
        arms: &[(Vec<Expr>, Expr)],
        otherwise: &Expr,
        hint: Option<u32>,
        range: &Range<usize>,
    ) -> Option<Val> {
        let (made, labels) = self.matched(on, arms.iter().map(|a| a.0.as_slice()))?;
        if let Kind::Const(value) = made.kind {
            let arm = labels.iter().position(|l| l.contains(&value));
            return self.expr(arm.map_or(otherwise, |i| &arms[i].1), hint);
        }
        let values: Vec<&Expr> = arms.iter().map(|a| &a.1).chain([otherwise]).collect();
        let mut values = self.arms(&values, hint)?;
        let otherwise = Box::new(values.pop()?);
        let width = otherwise.width;
        let arms = labels.into_iter().zip(values).collect();
        Some(Val::Typed(self.make(Kind::Match { on: Box::new(made), arms, otherwise }, width, range)))
    }

    /// What a `match` compares, and the values of its labels.
    pub(super) fn matched<'e>(
        &mut self,
        on: &Expr,
        arms: impl Iterator<Item = &'e [Expr]>,
    ) -> Option<(typed::Expr, Vec<Vec<Int>>)> {
        let made = self.typed(on, None)?;
        let mut seen: Vec<Int> = Vec::new();
        let mut all = Some(Vec::new());
        for labels in arms {
            let mut values = Vec::new();
            for label in labels {
                let Some(value) = self.label(on, made.width, label) else {
                    all = None;
                    continue;
                };
                if seen.contains(&value) {
                    self.fault(&label.range, "this label stands above already");
                    all = None;
                }
                seen.push(value);
                values.push(value);
            }
            all.iter_mut().for_each(|all| all.push(std::mem::take(&mut values)));
        }
        Some((made, all?))
    }

    /// The values of arms: all of one width. Those that have one decide for numbers that have none.
    fn arms(&mut self, values: &[&Expr], hint: Option<u32>) -> Option<Vec<typed::Expr>> {
        let mut made: Vec<Option<typed::Expr>> = Vec::new();
        let mut width = None;
        let mut good = true;
        for value in values {
            if self.is_bare(value) {
                made.push(None);
                continue;
            }
            let arm = self.typed(value, width.or(hint));
            good &= arm.is_some();
            if let (Some(arm), Some(width)) = (&arm, width)
                && arm.width != width
            {
                let say = format!("all arms have one width: this one has {}, the first {}", bits(arm.width), bits(width));
                self.fault(&value.range, say);
                good = false;
            }
            width = width.or(arm.as_ref().map(|a| a.width));
            made.push(arm);
        }
        if !good {
            return None;
        }
        let width = width.or(hint);
        values.iter().zip(made).map(|(value, made)| made.or_else(|| self.typed(value, width))).collect()
    }
}

fn width_of(v: &Val) -> Option<u32> {
    match v {
        Val::Typed(e) => Some(e.width),
        Val::Number(_) => None,
    }
}
