//! One body for several forms: equal parts are kept, and differences become parameters.
//!
//! A parameter is a variable that the body reads and does not set. If it has one value for all lanes, in every form, it is a
//! number; otherwise the body gets a row. A row of 32 lanes is computed before the body runs: so an expression that reads memory
//! and that a choice may skip can't be one, and a value of more than 32 bits takes two. In a machine of one lane a row is a
//! number of up to 64 bits.
//!
//! `nodes` traverses bodies in parallel.

mod nodes;

use super::closed::{Closed, simple};
use super::parts::part;
use super::tree::{Uses, any, loads};
use super::uniform::is_of_word;
use isa_spec::semantics::typed::{Body, Expr, ExprKind, Stmt};

/// A body with parameters.
#[derive(Clone, Debug, Default)]
pub(super) struct Merged {
    pub(super) body: Body,
    pub(super) params: Vec<Param>,
}

/// Something that forms differ in.
#[derive(Clone, Debug)]
pub(super) struct Param {
    /// The variable in the common body.
    pub(super) var: usize,
    /// It has one value for all lanes.
    pub(super) is_uniform: bool,
    pub(super) width: u32,
    /// Its value in each form.
    pub(super) values: Vec<Closed>,
}

/// These bodies have no common one.
#[derive(Debug)]
struct Apart;

type Same<T> = Result<T, Apart>;

/// The same element of all bodies.
type Of<'e, T> = [&'e T];

/// More parameters than this, and bodies have nothing in common.
const MOST_PARAMS: usize = 24;

/// The common body of some, if they have one: all have the same statements. Functions are in line.
pub(super) fn merge(bodies: &[&Body], is_one: bool) -> Option<Merged> {
    if let [body] = bodies {
        return Some(Merged { body: simple(body), params: Vec::new() });
    }
    if bodies.windows(2).all(|pair| pair[0] == pair[1]) {
        return merge(&bodies[..1], is_one);
    }
    // A load that some path leaves out can still be a parameter, if the same one is asked for in any case.
    let (merged, skips_loads) = merge_with(bodies, is_one, true);
    if merged.is_some() || !skips_loads { merged } else { merge_with(bodies, is_one, false).0 }
}

/// The common body, and true if a load that some path leaves out was or would be a parameter.
fn merge_with(bodies: &[&Body], is_one: bool, may_be_skipped: bool) -> (Option<Merged>, bool) {
    let mut merge = Merge {
        is_one,
        may_be_skipped,
        certain: Vec::new(),
        bodies,
        vars: Vec::new(),
        known: Vec::new(),
        params: Vec::new(),
        needs_uniform: false,
        may_skip: false,
        skips_loads: false,
    };
    let all: Vec<&[Stmt]> = bodies.iter().map(|body| &body.stmts[..]).collect();
    let Ok(stmts) = merge.stmts(&all) else { return (None, merge.skips_loads) };
    let reads_memory = |p: &Param| p.values.iter().any(Closed::loads);
    let is_certain = merge.params.iter().all(|p| !reads_memory(p) || merge.certain.contains(&p.var));
    let body = simple(&Body { vars: merge.vars, stmts });
    let is_good = is_certain && merge.params.len() <= MOST_PARAMS;
    (is_good.then_some(Merged { body, params: merge.params }), merge.skips_loads)
}

struct Merge<'b> {
    /// The machine has one lane.
    is_one: bool,
    bodies: &'b [&'b Body],
    /// Loads that some path leaves out may be parameters.
    may_be_skipped: bool,
    /// The parameters that every path asks for.
    certain: Vec<usize>,
    /// Widths of the common variables.
    vars: Vec<u32>,
    /// For each common variable that is set, what it is in each body.
    known: Vec<(usize, Vec<usize>)>,
    params: Vec<Param>,
    /// Only expressions that are the same for all lanes are allowed here.
    needs_uniform: bool,
    /// The current expressions may be skipped.
    may_skip: bool,
    /// Some of them were loads.
    skips_loads: bool,
}

/// Succeeds if all are equal.
fn equal<T: PartialEq>(mut all: impl Iterator<Item = T>) -> Same<()> {
    let first = all.next();
    if all.all(|one| Some(one) == first) { Ok(()) } else { Err(Apart) }
}

impl Merge<'_> {
    fn with<T>(&mut self, needs_uniform: bool, may_skip: bool, made: impl FnOnce(&mut Self) -> Same<T>) -> Same<T> {
        let before = (self.needs_uniform, self.may_skip);
        (self.needs_uniform, self.may_skip) = (before.0 || needs_uniform, before.1 || may_skip);
        let made = made(self);
        (self.needs_uniform, self.may_skip) = before;
        made
    }

    fn new_var(&mut self, width: u32) -> usize {
        self.vars.push(width);
        self.vars.len() - 1
    }

    /// The common variable for these; new where they are set for the first time.
    fn var(&mut self, all: &[usize], set: Option<u32>) -> Same<usize> {
        if let Some((var, _)) = self.known.iter().find(|known| known.1 == all) {
            return Ok(*var);
        }
        let is_known = |(_, of): &(usize, Vec<usize>)| of.iter().zip(all).any(|(known, v)| known == v);
        let Some(width) = set.filter(|_| !self.known.iter().any(is_known)) else { return Err(Apart) };
        let var = self.new_var(width);
        self.known.push((var, all.to_vec()));
        Ok(var)
    }

    /// A parameter for expressions that have nothing in common.
    fn param(&mut self, all: &Of<'_, Expr>) -> Same<Expr> {
        let width = all[0].width;
        let mut values = Vec::new();
        for (body, e) in self.bodies.iter().zip(all) {
            let uses = Uses::of_expr(body.vars.len(), e);
            if uses.reads.iter().zip(&uses.sets).any(|(reads, sets)| *reads > 0 && *sets == 0) {
                return Err(Apart);
            }
            values.push(Closed::of(&body.vars, e));
        }
        if width <= 64 && values.iter().all(|v| v.is_plain() && is_of_word(&v.value)) {
            return Ok(self.add(width, true, values));
        }
        if all.iter().any(|e| any(e, |kind| matches!(kind, ExprKind::Other { .. } | ExprKind::Ballot(_)))) {
            // Values of other lanes are computed by the body.
            return Err(Apart);
        }
        let loads = all.iter().any(|e| loads(e));
        self.skips_loads |= self.may_skip && loads;
        if self.needs_uniform || self.may_skip && loads && !self.may_be_skipped || values.iter().any(|v| v.sources() > 1) {
            return Err(Apart);
        }
        if self.is_one {
            // Expressions beyond a single source are computed by the body: a call of another function would take longer.
            return if width <= 64 && values.iter().all(is_source) { Ok(self.add(width, false, values)) } else { Err(Apart) };
        }
        match width {
            0..=32 => Ok(self.add(width, false, values)),
            // A load that is two rows would be two loads.
            33..=64 if !loads => {
                let half = |lo: u32, width: u32| {
                    let half = |v: &Closed| Closed { lets: v.lets.clone(), value: part(&v.value, lo, width) };
                    values.iter().map(half).collect()
                };
                let low = self.add(32, false, half(0, 32));
                let high = self.add(width - 32, false, half(32, width - 32));
                Ok(Expr { kind: ExprKind::Concat(vec![high, low]), width, range: 0..0 })
            }
            _ => Err(Apart),
        }
    }

    fn add(&mut self, width: u32, is_uniform: bool, values: Vec<Closed>) -> Expr {
        let same = self.params.iter().find(|p| p.is_uniform == is_uniform && p.width == width && p.values == values);
        let var = match same {
            Some(known) => known.var,
            None => {
                let var = self.new_var(width);
                self.params.push(Param { var, is_uniform, width, values });
                var
            }
        };
        if !self.may_skip {
            self.certain.push(var);
        }
        Expr { kind: ExprKind::Var(var), width, range: 0..0 }
    }
}

/// True if a value is a register that a field names, or a number of the word.
fn is_source(value: &Closed) -> bool {
    let is_register = matches!(&value.value.kind, ExprKind::Register(r) if matches!(r.index.kind, ExprKind::Field(_)));
    value.is_plain() && (is_register || is_of_word(&value.value))
}
