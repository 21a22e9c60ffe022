//! Choices: `if` and `match` as expressions, and comparing with texts.

use super::names::Found;
use super::{Bind, Checker, Val, bits, fold, list, meant};
use isa_model::semantics::ast::{BinaryOp, Expr, ExprKind};
use isa_model::semantics::int::Int;
use isa_model::semantics::typed::{self, ExprKind as Kind};
use std::ops::Range;

impl Checker<'_> {
    /// True if the sides are a field (or variant) and one of its texts.
    pub(super) fn names_text(&self, left: &Expr, right: &Expr) -> bool {
        matches!((&left.kind, &right.kind), (_, ExprKind::Text(_)) | (ExprKind::Text(_), _))
            || matches!((&left.kind, &right.kind), (ExprKind::Call { name, .. }, ExprKind::Name { .. }) if name.text == "variant")
    }

    pub(super) fn compare_text(&mut self, op: BinaryOp, left: &Expr, right: &Expr, range: &Range<usize>) -> Option<Val> {
        if let ExprKind::Text(_) = left.kind {
            self.fault(&left.range, "a text goes on the right: `field == \"text\"`");
            return None;
        }
        if self.is_absent(left) {
            return Some(Val::Typed(self.bit(op == BinaryOp::Ne, range)));
        }
        let a = self.typed(left, None)?;
        let value = self.label(left, a.width, right)?;
        let b = self.constant(value, a.width, &right.range);
        Some(Val::Typed(fold::binary(op, a, b, 1, self.at(range))))
    }

    /// `x?` in a form that has no `x`.
    fn is_absent(&self, e: &Expr) -> bool {
        matches!(&e.kind, ExprKind::Name { path, optional: true } if matches!(self.find(path), Found::Missing))
    }

    /// The value of a text, name or number that is compared with `on`, of `width` bits.
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

    pub(super) fn choose(
        &mut self,
        arms: &[(Expr, Expr)],
        otherwise: &Expr,
        hint: Option<u32>,
        range: &Range<usize>,
    ) -> Option<Val> {
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

    pub(super) fn select(
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

    /// The value that a `match` compares, and the values of its labels.
    pub(super) fn matched<'e>(
        &mut self,
        on: &Expr,
        arms: impl Iterator<Item = &'e [Expr]>,
    ) -> Option<(typed::Expr, Vec<Vec<Int>>)> {
        let absent = self.is_absent(on);
        let made = match self.expr(on, None)? {
            Val::Typed(made) => made,
            // A number is compared with numbers; that takes no width in particular.
            Val::Number(n) => self.number_of(n, Some(128), &on.range)?,
        };
        let mut seen: Vec<Int> = Vec::new();
        let mut all = Some(Vec::new());
        for labels in arms {
            let mut values = Vec::new();
            for label in labels {
                if absent && matches!(label.kind, ExprKind::Text(_)) {
                    continue;
                }
                let Some(value) = self.label(on, made.width, label) else {
                    all = None;
                    continue;
                };
                if seen.contains(&value) {
                    self.fault(&label.range, "this label occurs above");
                    all = None;
                }
                seen.push(value);
                values.push(value);
            }
            all.iter_mut().for_each(|all| all.push(std::mem::take(&mut values)));
        }
        Some((made, all?))
    }

    /// The values of arms, all of one width. The values with a width determine that of numbers without one.
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
                let say =
                    format!("all arms must have the same width: this one has {}, the first {}", bits(arm.width), bits(width));
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
