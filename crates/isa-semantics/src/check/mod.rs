//! From the tree of a source text to its meaning in one form: names are resolved, widths checked, operands and functions inlined,
//! loops unrolled. Every fault is at its own characters. A fault in a function is there, with the calls that lead to it; one in the
//! value of an operand is at the name of the operand.

mod asked;
mod call;
mod choice;
mod expr;
mod float;
mod flow;
mod fold;
pub(crate) mod lanes;
mod names;
mod operators;
mod place;
mod rounding;
mod stmt;

use crate::scope::Scope;
use isa_model::bits::width_word as bits;
use isa_model::semantics::ast::{Expr, Function, Stmt};
use isa_model::semantics::int::Int;
use isa_model::semantics::{InFunction, MeaningFault, typed};
use std::collections::BTreeMap;
use std::ops::Range;

/// The greatest number of nodes of a body, after loops are unrolled and operands and functions inlined.
const MAX_NODES: usize = 50_000;
/// The greatest depth of the typed tree: it is walked recursively.
const MAX_DEPTH: usize = 150;
/// The greatest depth to which functions and operands may be nested.
const MAX_NESTING: usize = 12;

/// Elaborates a body in the form of `scope`.
pub fn elaborate(body: &[Stmt], scope: &dyn Scope) -> Result<typed::Body, Vec<MeaningFault>> {
    let mut checker = Checker::new(scope);
    checker.asked = asked::asked(body, None);
    let stmts = checker.stmts(body);
    if checker.faults.is_empty() {
        flow::check(&stmts, scope.machine(), &mut checker.faults);
    }
    if checker.faults.is_empty() { Ok(typed::Body { vars: checker.vars, stmts }) } else { Err(checker.faults) }
}

/// The faults of a body in the form of `scope`.
pub fn check(body: &[Stmt], scope: &dyn Scope) -> Vec<MeaningFault> {
    elaborate(body, scope).err().unwrap_or_default()
}

/// Elaborates an expression in the form of `scope`: the value of `operand`, whose own fields take precedence over other names, or
/// a guard. With a `width`, it must have that many bits.
pub fn elaborate_value(
    expr: &Expr,
    operand: Option<&str>,
    width: Option<u32>,
    scope: &dyn Scope,
) -> Result<typed::Value, Vec<MeaningFault>> {
    let mut checker = Checker::new(scope);
    checker.prefix = operand.map(str::to_owned);
    let made = match width {
        Some(width) => checker.sized(expr, width, "what is expected here"),
        None => checker.typed(expr, None),
    };
    match made {
        Some(expr) if operand.is_none() && asks_lanes(&expr) => {
            Err(vec![MeaningFault::new(expr.range, "a guard says which lanes take part: it can't ask other lanes")])
        }
        Some(expr) if checker.faults.is_empty() => Ok(typed::Value { vars: checker.vars, expr }),
        _ => Err(checker.faults),
    }
}

/// True if an expression asks for what other lanes have.
fn asks_lanes(e: &typed::Expr) -> bool {
    matches!(e.kind, typed::ExprKind::Other { .. } | typed::ExprKind::Ballot(_)) || e.children().into_iter().any(asks_lanes)
}

/// A value whose width may still be open.
#[derive(Clone, Debug)]
enum Val {
    /// It has a width.
    Typed(typed::Expr),
    /// A number that takes the width of its context.
    Number(i128),
}

/// A name that the source itself gives.
struct Local {
    name: String,
    bind: Bind,
}

#[derive(Clone, Copy)]
enum Bind {
    Var(usize),
    Number(i128),
    /// Its value has a fault, which is already reported.
    Faulty,
}

/// The text of functions that the current source is of.
#[derive(Clone)]
struct InlinedIn {
    text: usize,
    /// The name of the operand in it whose value is the current source.
    operand: Option<Range<usize>>,
}

struct Checker<'a> {
    scope: &'a dyn Scope,
    faults: Vec<MeaningFault>,
    locals: Vec<Local>,
    /// The locals below are of another source, and not seen.
    base: usize,
    vars: Vec<u32>,
    /// The use for which the current source was inlined.
    outer: Option<Range<usize>>,
    /// The current source, if it is of a function, or of an operand that a function names.
    function: Option<InlinedIn>,
    /// The calls inside functions that lead to it, the last made last.
    calls: Vec<InFunction>,
    /// The names of the operands and functions being inlined, for messages: "in the value of `a`".
    within: Vec<String>,
    /// The operand whose fields go before other names.
    prefix: Option<String>,
    /// The variables whose flags the text at hand asks for.
    asked: Vec<String>,
    /// The call at hand defines one of them.
    is_asked: bool,
    /// Statements that come before the current one.
    pending: Vec<typed::Stmt>,
    /// The definitions of variables that have not been assigned since: fields, numbers, and the calls whose flags are asked for.
    defined: BTreeMap<usize, typed::ExprKind>,
    nodes: usize,
    depth: usize,
}

impl<'a> Checker<'a> {
    fn new(scope: &'a dyn Scope) -> Self {
        Self {
            scope,
            faults: Vec::new(),
            locals: Vec::new(),
            base: 0,
            vars: Vec::new(),
            outer: None,
            function: None,
            calls: Vec::new(),
            within: Vec::new(),
            prefix: None,
            asked: Vec::new(),
            is_asked: false,
            pending: Vec::new(),
            defined: BTreeMap::new(),
            nodes: 0,
            depth: 0,
        }
    }

    /// Takes note of a variable that is defined as a field or a number.
    fn define_as(&mut self, var: usize, value: &typed::Expr) {
        self.defined.extend(self.settled(value).map(|kind| (var, kind)));
    }

    /// The number of a register: in place of a variable, the field or the number that it is.
    fn register_number(&self, at: typed::Expr) -> typed::Expr {
        match self.settled(&at) {
            Some(kind) => typed::Expr { kind, ..at },
            None => at,
        }
    }

    /// The field or the number that an expression is, also by the name of a variable.
    fn settled(&self, value: &typed::Expr) -> Option<typed::ExprKind> {
        match &value.kind {
            typed::ExprKind::Var(var) => self.defined.get(var).filter(|kind| is_settled(kind)).cloned(),
            kind => is_settled(kind).then(|| kind.clone()),
        }
    }

    /// The place for messages: the range itself, or that of the name or call that brought it.
    fn at(&self, range: &Range<usize>) -> Range<usize> {
        self.outer.clone().unwrap_or_else(|| range.clone())
    }

    fn fault(&mut self, range: &Range<usize>, message: impl Into<String>) {
        self.fault_with(range, message, None::<String>);
    }

    fn fault_with(&mut self, range: &Range<usize>, message: impl Into<String>, help: Option<impl Into<String>>) {
        let message = match self.within.last() {
            // The place tells the function.
            Some(within) if self.function.as_ref().is_none_or(|function| function.operand.is_some()) => {
                format!("in {within}: {}", message.into())
            }
            _ => message.into(),
        };
        let inside = self.inside(range).into_iter().chain(self.calls.iter().rev().cloned()).collect();
        let fault = MeaningFault { range: self.at(range), inside, message, help: help.map(Into::into) };
        // A loop is checked once for each turn.
        if !self.faults.contains(&fault) {
            self.faults.push(fault);
        }
    }

    fn make(&self, kind: typed::ExprKind, width: u32, range: &Range<usize>) -> typed::Expr {
        typed::Expr { kind, width, range: self.at(range) }
    }

    fn constant(&self, value: Int, width: u32, range: &Range<usize>) -> typed::Expr {
        self.make(typed::ExprKind::Const(value), width, range)
    }

    fn bit(&self, value: bool, range: &Range<usize>) -> typed::Expr {
        self.constant(Int::from(u128::from(value)), 1, range)
    }

    /// Counts a node; false when there are too many.
    fn room(&mut self, range: &Range<usize>) -> bool {
        self.nodes += 1;
        if self.nodes == MAX_NODES {
            let say = "this is too much when its loops are unrolled and its functions put in";
            self.fault_with(range, say, Some(format!("the limit is {MAX_NODES} operations")));
        }
        self.nodes < MAX_NODES
    }

    /// Goes one level further down; false if that is too deep. Each step down is followed by one up.
    fn down(&mut self, range: &Range<usize>) -> bool {
        if self.depth >= MAX_DEPTH {
            self.fault(range, "this is nested too deeply when functions and operands are put in");
            return false;
        }
        self.depth += 1;
        true
    }

    /// The place inside a function, if the current source is of one.
    fn inside(&self, range: &Range<usize>) -> Option<InFunction> {
        let InlinedIn { text, operand } = self.function.as_ref()?;
        Some(InFunction { text: *text, range: operand.as_ref().unwrap_or(range).clone() })
    }

    /// Elaborates the value of an operand, which is inlined at `range`.
    fn operand<T>(&mut self, range: &Range<usize>, path: String, look: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let function = self.inside(range).map(|InFunction { text, range }| InlinedIn { text, operand: Some(range) });
        self.elsewhere(range, format!("the value of `{path}`"), Some(path), function, look)
    }

    /// Elaborates the body of a function, which is inlined at `range`.
    fn function<T>(&mut self, range: &Range<usize>, called: &Function, look: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let calls = self.calls.len();
        self.calls.extend(self.inside(range));
        let function = Some(InlinedIn { text: called.text, operand: None });
        let made = self.elsewhere(range, format!("`{}`", called.name.text), None, function, look);
        self.calls.truncate(calls);
        made
    }

    /// Elaborates something of another source, which is inlined at `range`.
    fn elsewhere<T>(
        &mut self,
        range: &Range<usize>,
        what: String,
        prefix: Option<String>,
        function: Option<InlinedIn>,
        look: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        if self.within.len() >= MAX_NESTING {
            self.fault(range, format!("{what} contains itself, or functions are nested more than {MAX_NESTING} deep"));
            return None;
        }
        let outer = self.outer.clone();
        let base = std::mem::replace(&mut self.base, self.locals.len());
        let prefix = std::mem::replace(&mut self.prefix, prefix);
        self.outer = Some(self.at(range));
        let function = std::mem::replace(&mut self.function, function);
        self.within.push(what);
        let made = look(self);
        self.within.pop();
        self.locals.truncate(self.base);
        (self.outer, self.base, self.prefix, self.function) = (outer, base, prefix, function);
        made
    }
}

/// True for a field, a number, or several of them one after the other.
fn is_settled(kind: &typed::ExprKind) -> bool {
    match kind {
        typed::ExprKind::Field(_) | typed::ExprKind::Const(_) => true,
        typed::ExprKind::Concat(parts) => parts.iter().all(|part| is_settled(&part.kind)),
        _ => false,
    }
}

/// A proposal for a name that is not known.
fn meant(name: &str, known: &[String]) -> Option<String> {
    // Every name of one letter is near to every other.
    let near = |n: &&str| name.len() > 1 || n.eq_ignore_ascii_case(name);
    isa_model::diag::nearest(name, known.iter().map(String::as_str).filter(near)).map(|n| format!("did you mean `{n}`?"))
}

/// The names as a list for a message.
fn list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    names.into_iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ")
}
