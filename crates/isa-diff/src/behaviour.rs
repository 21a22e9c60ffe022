//! Semantics, in elaborated form: two bodies are the same if they perform the same steps, whatever the names of the functions,
//! operands and definitions involved.

use super::change::What;
use super::found::{Changes, Side};
use super::versions::Versions;
use isa_spec::model::{Behaviour, Form, Isa};
use isa_spec::semantics::builtins::Action;
use isa_spec::semantics::floats::Rules;
use isa_spec::semantics::machine::Routine;
use isa_spec::semantics::pass::{Numbers, Pass, inside};
use isa_spec::semantics::typed::{Body, Expr, ExprKind, Stmt, StmtKind};
use isa_spec::sets::WordSet;

/// Compares the semantics of two matched forms; returns true if they differ.
pub(super) fn compare(versions: &Versions<'_>, forms: [&Form; 2], changes: &mut Changes) -> bool {
    let mut names = Vec::new();
    let says = [0, 1].map(|side| {
        let (isa, form) = (versions.isas[side], forms[side]);
        form.behaviour.as_ref().map(|behaviour| Named::new(isa, form, forms[0], &mut names).behaviour(behaviour))
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
    for wanted in Routine::ALL {
        let mut names = Vec::new();
        let [a, b] = [old, new].map(|isa| {
            let named = Named { isa, fields: Vec::new(), conditions: Vec::new(), names: &mut names, has_floats: false };
            isa.routine(wanted).map(|body| named.routine(body))
        });
        if a != b {
            changes.add(What::Routine, [wanted.name(), "", ""]);
        }
    }
}

/// Semantics with numbers of names in the place of those of one version.
struct Named<'a> {
    isa: &'a Isa,
    fields: Vec<String>,
    conditions: Vec<WordSet>,
    /// The names of both versions.
    names: &'a mut Vec<String>,
    /// Floats are computed by the rules of the machine.
    has_floats: bool,
}

impl<'a> Named<'a> {
    /// Fields are identified by their bits if they are at the same place under another name in `first`.
    fn new(isa: &'a Isa, form: &Form, first: &Form, names: &'a mut Vec<String>) -> Self {
        let name = |field: &isa_spec::model::Field| match first.field(&field.path) {
            Some(_) => field.path.clone(),
            None => first.fields.iter().find(|f| f.bits == field.bits).unwrap_or(field).path.clone(),
        };
        let fields = form.fields.iter().map(name).collect();
        Self { isa, fields, conditions: Vec::new(), names, has_floats: false }
    }

    /// The guard, the body and what is done after it, and the rules of floats if they matter.
    fn behaviour(mut self, behaviour: &Behaviour) -> (Option<Expr>, Vec<Stmt>, Vec<Stmt>, Option<Rules>) {
        self.conditions = behaviour.conditions.iter().map(|condition| condition.words.clone()).collect();
        let guard = behaviour.guard.as_ref().map(|guard| self.expr(&guard.expr));
        let [body, after] = [&behaviour.body, &behaviour.after].map(|body| self.stmts(&body.stmts));
        (guard, body, after, self.has_floats.then_some(self.isa.machine.floats))
    }

    fn routine(mut self, body: &Body) -> (Vec<Stmt>, Option<Rules>) {
        (self.stmts(&body.stmts), self.has_floats.then_some(self.isa.machine.floats))
    }
}

impl Pass for Named<'_> {
    fn number(&mut self, of: Numbers, number: usize) -> usize {
        let machine = &self.isa.machine;
        let name = match of {
            Numbers::Fields => self.fields.get(number).cloned().unwrap_or_default(),
            Numbers::Conditions => {
                format!("{:?}", self.conditions.get(number).map(|words| words.largest_cubes(MAX_CUBES)))
            }
            Numbers::Registers => self.isa.registers[number].name.clone(),
            Numbers::Flags => machine.flags[number].name.clone(),
            Numbers::Spaces => machine.spaces[number].name.clone(),
            Numbers::State => machine.state[number].name.clone(),
            Numbers::Variants => machine.variants[number].name.clone(),
            Numbers::Lines => machine.lines[number].name.clone(),
        };
        self.names.iter().position(|known| *known == name).unwrap_or_else(|| {
            self.names.push(name);
            self.names.len() - 1
        })
    }

    fn stmts(&mut self, stmts: &[Stmt]) -> Vec<Stmt> {
        // Requests to check for interrupts follow from `interrupts`.
        let said = stmts.iter().filter(|stmt| !matches!(stmt.kind, StmtKind::Action(Action::Ask, _)));
        said.map(|stmt| self.stmt(stmt)).collect()
    }

    fn expr(&mut self, e: &Expr) -> Expr {
        self.has_floats |= matches!(e.kind, ExprKind::Call { exact: Some(_), .. });
        inside(self, e)
    }
}

/// The number of cubes up to which conditions are compared.
const MAX_CUBES: usize = 64;
