//! The first pass over semantics: fields and conditions get numbers that forms share, and functions are kept once.

use super::closed::Closed;
use super::ordered::ordered;
use super::outline::Functions;
use super::tree::{Pass, inside};
use isa_spec::model::{Behaviour, Form};
use isa_spec::semantics::typed::{Body, Expr, ExprKind};
use isa_spec::span::Span;
use std::collections::HashMap;

/// Names of fields and conditions that all forms share.
#[derive(Default)]
pub(super) struct Keys {
    /// Paths and widths of values.
    pub(super) fields: Vec<(String, u32)>,
    /// The place of a condition, and its index among those there.
    conditions: Vec<(Span, usize)>,
    /// Functions that bodies call.
    pub(super) functions: Functions,
}

/// The fields and conditions of a form that belong to the shared numbers.
#[derive(Default)]
pub(super) struct Own {
    pub(super) fields: HashMap<usize, usize>,
    pub(super) conditions: HashMap<usize, usize>,
}

pub(super) fn intern<T: PartialEq>(all: &mut Vec<T>, one: T) -> usize {
    all.iter().position(|known| *known == one).unwrap_or_else(|| {
        all.push(one);
        all.len() - 1
    })
}

/// The semantics of a form, in numbers that forms share. Functions have not been inlined yet, so that more bodies are equal.
pub(super) struct Tidy {
    pub(super) guard: Option<Closed>,
    pub(super) body: Body,
    pub(super) after: Body,
    pub(super) own: Own,
}

impl Tidy {
    pub(super) fn of(form: &Form, behaviour: &Behaviour, keys: &mut Keys, is_one: bool) -> Self {
        let mut shared = Shared { form, behaviour, keys, own: Own::default() };
        let guard = behaviour.guard.as_ref().map(|g| {
            let cond = shared.expr(&g.expr);
            Closed::of(&g.vars, &cond)
        });
        let [body, after] = [&behaviour.body, &behaviour.after].map(|body| {
            let body = shared.body(body);
            let body = shared.keys.functions.outline(&body);
            if is_one { ordered(&body) } else { body }
        });
        Self { guard, body, after, own: shared.own }
    }
}

/// Fields and conditions by their shared numbers.
struct Shared<'a> {
    form: &'a Form,
    behaviour: &'a Behaviour,
    keys: &'a mut Keys,
    own: Own,
}

impl Pass for Shared<'_> {
    fn expr(&mut self, e: &Expr) -> Expr {
        let kind = match e.kind {
            ExprKind::Field(index) => {
                let key = intern(&mut self.keys.fields, (self.form.fields[index].path.clone(), e.width));
                self.own.fields.insert(key, index);
                ExprKind::Field(key)
            }
            ExprKind::Condition(index) => {
                let span = |i: &usize| self.behaviour.conditions[*i].span;
                let place = (0..index).filter(|i| span(i) == span(&index)).count();
                let key = intern(&mut self.keys.conditions, (span(&index), place));
                self.own.conditions.insert(key, index);
                ExprKind::Condition(key)
            }
            _ => return inside(self, e),
        };
        Expr { kind, width: e.width, range: 0..0 }
    }
}
