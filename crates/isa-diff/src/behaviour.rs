//! Semantics, in elaborated form: two bodies are the same if they perform the same steps, whatever the names of the functions,
//! operands and definitions involved.

// A kind of expression, statement or function that is new must be handled here.
#![warn(clippy::wildcard_enum_match_arm)]

use super::change::What;
use super::found::{Changes, Side};
use super::versions::Versions;
use isa_spec::model::{Behaviour, Form, Isa};
use isa_spec::semantics::builtins::{Action, Supplied};
use isa_spec::semantics::machine::Routine;
use isa_spec::semantics::typed::{Access, Body, Expr, ExprKind, Flags, Place, PlaceKind, Register, Stmt, StmtKind};
use isa_spec::sets::WordSet;
use std::fmt::Write;

/// Compares the semantics of two matched forms; returns true if they differ.
pub(super) fn compare(versions: &Versions<'_>, forms: [&Form; 2], changes: &mut Changes) -> bool {
    let says = [0, 1].map(|side| {
        let (isa, form) = (versions.isas[side], forms[side]);
        form.behaviour.as_ref().map(|behaviour| Teller::new(isa, form, forms[0]).behaviour(behaviour))
    });
    let executes = forms.map(|form| form.executes.as_ref().map(|executes| (executes.ignored, executes.value, &executes.words)));
    let what = match &says {
        [Some(old), Some(new)] if old != new || executes[0] != executes[1] => What::Semantics,
        [Some(_), None] => What::SemanticsRemoved,
        [None, Some(_)] => What::SemanticsAdded,
        _ => return false,
    };
    let name = &versions.isas[0].instruction(forms[0].instruction).name;
    changes.add_in(what, [name, "", ""], Some((Side::Old, forms[0])), || None);
    true
}

/// Compares the behaviour of the machine outside instructions.
pub(super) fn routines(old: &Isa, new: &Isa, changes: &mut Changes) {
    let told = |isa, body| Teller { isa, fields: Vec::new(), conditions: Vec::new(), out: String::new() }.told(body);
    for wanted in Routine::ALL {
        let [a, b] = [old, new].map(|isa| isa.routine(wanted).map(|body| told(isa, body)));
        if a != b {
            changes.add(What::Routine, [wanted.name(), "", ""]);
        }
    }
}

/// Writes a body with names in the place of numbers.
struct Teller<'a> {
    isa: &'a Isa,
    fields: Vec<String>,
    conditions: Vec<WordSet>,
    out: String,
}

impl<'a> Teller<'a> {
    /// Fields are identified by their bits if they are at the same place under another name in `first`.
    fn new(isa: &'a Isa, form: &Form, first: &Form) -> Self {
        let name = |field: &isa_spec::model::Field| match first.field(&field.path) {
            Some(_) => field.path.clone(),
            None => first.fields.iter().find(|f| f.bits == field.bits).unwrap_or(field).path.clone(),
        };
        Self { isa, fields: form.fields.iter().map(name).collect(), conditions: Vec::new(), out: String::new() }
    }

    fn say(&mut self, text: std::fmt::Arguments<'_>) {
        self.out.write_fmt(text).expect("writing to a String does not fail");
        self.out.push(' ');
    }

    fn behaviour(mut self, behaviour: &Behaviour) -> String {
        self.conditions = behaviour.conditions.iter().map(|condition| condition.words.clone()).collect();
        if let Some(guard) = &behaviour.guard {
            self.expr(&guard.expr);
        }
        self.stmts(&behaviour.body.stmts);
        self.stmts(&behaviour.after.stmts);
        self.out
    }

    fn told(mut self, body: &Body) -> String {
        self.stmts(&body.stmts);
        self.out
    }

    fn stmts(&mut self, stmts: &[Stmt]) {
        self.say(format_args!("{{"));
        // Requests to check for interrupts follow from `interrupts`.
        let said = stmts.iter().filter(|stmt| !matches!(stmt.kind, StmtKind::Action(Action::Ask, _)));
        said.for_each(|stmt| self.stmt(stmt));
        self.say(format_args!("}}"));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Set(place, value) => {
                self.place(place);
                self.say(format_args!("="));
                self.expr(value);
            }
            StmtKind::If { arms, otherwise } => {
                for (condition, body) in arms {
                    self.say(format_args!("if"));
                    self.expr(condition);
                    self.stmts(body);
                }
                self.stmts(otherwise);
            }
            StmtKind::Match { on, arms, otherwise } => {
                self.say(format_args!("match"));
                self.expr(on);
                for (labels, body) in arms {
                    self.say(format_args!("{labels:?}"));
                    self.stmts(body);
                }
                self.stmts(otherwise);
            }
            StmtKind::Store(access, value) => {
                self.say(format_args!("store"));
                self.access(access);
                self.expr(value);
            }
            StmtKind::Atomic { at, old, new } => {
                self.say(format_args!("atomic {old}"));
                self.access(at);
                self.expr(new);
            }
            StmtKind::Action(action, args) => {
                self.say(format_args!("{action:?}"));
                args.iter().for_each(|arg| self.expr(arg));
            }
        }
        self.say(format_args!(";"));
    }

    fn place(&mut self, place: &Place) {
        match &place.kind {
            PlaceKind::Var(var) => self.say(format_args!("v{var}")),
            PlaceKind::Register(register) => self.register(register),
            PlaceKind::Flags(flags) => self.flags(flags),
            PlaceKind::State(state) => self.say(format_args!("{}", self.isa.machine.state[*state].name.clone())),
            PlaceKind::Slice { of, lo } => {
                self.say(format_args!("slice {lo} {}", place.width));
                self.place(of);
            }
            PlaceKind::Part { of, at } => {
                self.say(format_args!("part {}", place.width));
                self.place(of);
                self.expr(at);
            }
            PlaceKind::Concat(parts) => {
                self.say(format_args!("concat {}", parts.len()));
                parts.iter().for_each(|part| self.place(part));
            }
        }
    }

    fn register(&mut self, register: &Register) {
        let name = self.isa.registers[register.file].name.clone();
        self.say(format_args!("{name} +{}", register.plus));
        self.expr(&register.index);
    }

    fn flags(&mut self, flags: &Flags) {
        let name = self.isa.machine.flags[flags.file].name.clone();
        self.say(format_args!("{name}"));
        self.expr(&flags.index);
    }

    fn access(&mut self, access: &Access) {
        let name = self.isa.machine.spaces[access.space].name.clone();
        self.say(format_args!("{name}{}", if access.aligned { " aligned" } else { "" }));
        access.children().into_iter().for_each(|child| self.expr(child));
    }

    fn expr(&mut self, expr: &Expr) {
        self.say(format_args!("({}:", expr.width));
        match &expr.kind {
            ExprKind::Const(value) => self.say(format_args!("{value:?}")),
            ExprKind::Var(var) => self.say(format_args!("v{var}")),
            ExprKind::Field(field) => self.say(format_args!("{}", self.fields.get(*field).cloned().unwrap_or_default())),
            ExprKind::Condition(at) => {
                let cubes = self.conditions.get(*at).map(|words| words.largest_cubes(MAX_CUBES));
                self.say(format_args!("{cubes:?}"));
            }
            ExprKind::Register(register) => self.register(register),
            ExprKind::Flags(flags) => self.flags(flags),
            ExprKind::State(state) => self.say(format_args!("{}", self.isa.machine.state[*state].name.clone())),
            ExprKind::Supplied(Supplied::Line(line)) => self.say(format_args!("{}", self.isa.machine.lines[*line].name.clone())),
            ExprKind::Supplied(what) => self.say(format_args!("{what:?}")),
            ExprKind::Variant(at) => self.say(format_args!("{}", self.isa.machine.variants[*at].name.clone())),
            ExprKind::Slice { lo, .. } => self.say(format_args!("slice {lo}")),
            ExprKind::Part { .. } => self.say(format_args!("part")),
            ExprKind::Concat(_) => self.say(format_args!("concat")),
            ExprKind::Unary(op, _) => self.say(format_args!("{op:?}")),
            ExprKind::Binary(op, ..) => self.say(format_args!("{op:?}")),
            ExprKind::If { .. } => self.say(format_args!("if")),
            ExprKind::Match { arms, .. } => {
                self.say(format_args!("match"));
                arms.iter().for_each(|(labels, _)| self.say(format_args!("{labels:?}")));
            }
            ExprKind::Other { .. } => self.say(format_args!("other lane")),
            ExprKind::Ballot(_) => self.say(format_args!("ballot")),
            ExprKind::Load(access) => self.access(access),
            ExprKind::Call { function, exact, .. } => {
                self.say(format_args!("{function:?}"));
                exact.iter().for_each(|exact| self.say(format_args!("{exact:?} {:?}", self.isa.machine.floats)));
            }
            ExprKind::Block(stmts, _) => self.stmts(stmts),
        }
        if !matches!(expr.kind, ExprKind::Register(_) | ExprKind::Flags(_) | ExprKind::Load(_)) {
            expr.children().into_iter().for_each(|child| self.expr(child));
        }
        self.say(format_args!(")"));
    }
}

/// The number of cubes up to which conditions are compared.
const MAX_CUBES: usize = 64;
