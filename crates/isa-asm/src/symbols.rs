//! Labels, the values of symbols, and expressions at their places.

use crate::assembler::{Assembler, shifted};
use crate::expr::{Base, Expr, Parser, Problem, Value, evaluate};
use crate::place::Line;
use crate::world::{Assigned, Def, View};
use std::ops::Range;
use std::rc::Rc;

impl Assembler<'_> {
    /// The full name of a label.
    pub(crate) fn full_name(&self, name: &str) -> Option<String> {
        let local = self.world.assembly.local.as_str();
        (!local.is_empty() && name.starts_with(local)).then(|| format!("{}{name}", self.last_label))
    }

    /// Defines a label; returns the error if there is one.
    pub(crate) fn label(&mut self, line: &Line, name: &str) -> Option<String> {
        let full = self.full_name(name);
        if full.is_none() {
            name.clone_into(&mut self.last_label);
        }
        let place = self.here();
        let id = self.world.intern(full.as_deref().unwrap_or(name)) as usize;
        let symbol = &mut self.world.symbols[id];
        if let Def::Undefined = symbol.def {
            (symbol.def, symbol.line) = (Def::Label(place), line.number);
            return None;
        }
        Some(match symbol.line {
            0 => format!("`{name}` is already defined by `-D`"),
            first => format!("the label `{name}` is already defined at line {first}"),
        })
    }

    /// Gives a symbol a value.
    pub(crate) fn set(&mut self, line: &Line, name: (&str, Range<usize>), value: (&str, usize, usize), once: bool) {
        let (name, name_at) = name;
        let (text, from, shift) = value;
        if self.world.assembly.here.iter().any(|here| here == name) || name == "." {
            return self.fault(line, name_at, "the address is set by `.org`, `.align` or `.space`");
        }
        let parsed = match self.parse(text, from) {
            Ok(parsed) => parsed,
            Err((at, message)) => return self.fault(line, shifted(at, shift), message),
        };
        let full = self.full_name(name);
        let place = self.here();
        let view = View::new(&self.world, self.input.position, place);
        let value = evaluate(&self.world.syntax, &parsed, &view);
        let is_final = !view.state.borrow().tentative;
        let unknown = view.unknown.into_inner();
        self.name_externals(&unknown);
        let position = self.input.position;
        let def = match value {
            Ok(value) if is_final || self.is_distance(&parsed) => Def::Value(value),
            Err(Problem::Wrong(at, message)) => return self.fault(line, shifted(at, shift), message),
            _ => {
                let value = Rc::new(parsed);
                self.pending.later.push(Assigned { line: line.clone(), position, place, value: value.clone(), shift });
                Def::Later(value, place, position)
            }
        };
        let id = self.world.intern(full.as_deref().unwrap_or(name)) as usize;
        let symbol = &mut self.world.symbols[id];
        if let Def::Undefined = symbol.def {
            (symbol.def, symbol.line, symbol.is_set) = (def, line.number, !once);
        } else if symbol.is_set && !once {
            let before = std::mem::replace(&mut symbol.def, def);
            symbol.earlier.push((position, before));
            symbol.line = line.number;
        } else {
            let first = symbol.line;
            self.fault(line, name_at, format!("`{name}` is already defined at line {first}"));
        }
    }

    /// Parses an expression that begins at a byte of a text.
    pub(crate) fn parse(&self, text: &str, from: usize) -> Result<Expr, (Range<usize>, String)> {
        let mut parsed = Parser::whole(&self.world.syntax, text, from)?;
        self.localise(&mut parsed);
        Ok(parsed)
    }

    /// Gives local labels their full names.
    pub(crate) fn localise(&self, expr: &mut Expr) {
        if self.world.assembly.local.is_empty() {
            return;
        }
        match &mut expr.kind {
            crate::expr::Kind::Symbol(name) => {
                if let Some(full) = self.full_name(name) {
                    *name = full;
                }
            }
            crate::expr::Kind::Unary(_, inner) | crate::expr::Kind::Modified(_, inner) => self.localise(inner),
            crate::expr::Kind::Chain(first, rest) => {
                self.localise(first);
                rest.iter_mut().for_each(|(_, right)| self.localise(right));
            }
            crate::expr::Kind::Call(_, arguments) => arguments.iter_mut().for_each(|argument| self.localise(argument)),
            _ => {}
        }
    }

    /// The value of an expression that must be known here.
    pub(crate) fn known(&mut self, line: &Line, text: &str, from: usize, shift: usize) -> Option<i128> {
        let parsed = match self.parse(text, from) {
            Ok(parsed) => parsed,
            Err((at, message)) => {
                self.fault(line, shifted(at, shift), message);
                return None;
            }
        };
        self.number_now(line, &parsed, shift)
    }

    /// The same for a parsed expression.
    pub(crate) fn number_now(&mut self, line: &Line, expr: &Expr, shift: usize) -> Option<i128> {
        let (at, message) = match self.value_now(expr) {
            Ok(value) => return Some(value.number),
            Err(Problem::Wrong(at, message)) => (at, message),
            Err(Problem::Undefined(name)) => {
                (expr.at.clone(), format!("`{name}` is needed here, and no line before this one defines it"))
            }
        };
        self.fault(line, shifted(at, shift), message);
        None
    }

    /// The value of an expression, if it can't change.
    pub(crate) fn value_now(&self, expr: &Expr) -> Result<Value, Problem> {
        let view = View::new(&self.world, self.input.position, self.here());
        let value = evaluate(&self.world.syntax, expr, &view)?;
        if view.state.borrow().tentative && !self.is_distance(expr) {
            let message = "this depends on addresses that are not known yet".to_owned();
            return Err(Problem::Wrong(expr.at.clone(), message));
        }
        Ok(value)
    }

    /// True if an expression is a distance between places without anything of unknown size between them.
    pub(crate) fn is_distance(&self, expr: &Expr) -> bool {
        use crate::expr::{Binary, Kind};
        let place = |expr: &Expr| match &expr.kind {
            Kind::Here => Some(self.here()),
            Kind::Symbol(name) => match &self.world.symbol(name)?.1.def {
                Def::Label(place) => Some(*place),
                _ => None,
            },
            _ => None,
        };
        match &expr.kind {
            Kind::Number(_) => true,
            Kind::Chain(first, rest) => {
                let rest = match (place(first), rest.split_first()) {
                    (Some(one), Some(((Binary::Sub, right), rest))) => {
                        place(right).filter(|other| one.part == other.part && one.frag == other.frag).map(|_| rest)
                    }
                    _ => self.is_distance(first).then_some(rest.as_slice()),
                };
                rest.is_some_and(|rest| rest.iter().all(|(_, right)| self.is_distance(right)))
            }
            Kind::Unary(_, inner) => self.is_distance(inner),
            Kind::Symbol(name) => {
                self.world.symbol(name).is_some_and(|(_, symbol)| matches!(symbol.def, Def::Value(v) if v.base == Base::None))
            }
            Kind::Call(_, arguments) => arguments.iter().all(|argument| self.is_distance(argument)),
            Kind::Here | Kind::Modified(..) => false,
        }
    }
}
