//! Values that are the same for all lanes of a warp: fields of the word, addresses of code, and expressions of them.

use super::tree::{Uses, any};
use isa_spec::semantics::builtins;
use isa_spec::semantics::typed::{Expr, ExprKind, Place, PlaceKind, Stmt, StmtKind};
use std::collections::BTreeMap;

/// The variables of a body that have one value for all lanes. Each of them is set by one statement, from what is the same for all
/// lanes: so it can be computed in front of whatever reads it.
pub(super) struct Uniform {
    vars: Vec<bool>,
    is_set: Vec<bool>,
    /// The values they are set to.
    values: BTreeMap<usize, Expr>,
}

impl Uniform {
    /// The uniform variables of statements; those of `varying` differ from lane to lane without being set.
    pub(super) fn of(vars: usize, stmts: &[Stmt], varying: impl IntoIterator<Item = usize>) -> Self {
        Self::new(stmts, None, Uses::of_stmts(vars, stmts).sets, varying)
    }

    /// The uniform variables of a value; those of `varying` differ from lane to lane without being set.
    pub(super) fn of_expr(vars: usize, value: &Expr, varying: impl IntoIterator<Item = usize>) -> Self {
        Self::new(&[], Some(value), Uses::of_expr(vars, value).sets, varying)
    }

    /// The uniform variables of statements and of a value that is computed after them.
    pub(super) fn of_value(vars: usize, stmts: &[Stmt], value: &Expr) -> Self {
        let sets = [Uses::of_stmts(vars, stmts).sets, Uses::of_expr(vars, value).sets];
        Self::new(stmts, Some(value), (0..vars).map(|v| sets[0][v] + sets[1][v]).collect(), [])
    }

    fn new(stmts: &[Stmt], value: Option<&Expr>, sets: Vec<usize>, varying: impl IntoIterator<Item = usize>) -> Self {
        let mut known = Self { vars: Vec::new(), is_set: Vec::new(), values: BTreeMap::new() };
        // A variable that is set more than once has different values in different places.
        known.vars = sets.iter().map(|n| *n < 2).collect();
        known.is_set = sets.iter().map(|n| *n > 0).collect();
        varying.into_iter().for_each(|v| known.vars[v] = false);
        known.stmts(stmts);
        value.into_iter().for_each(|value| known.visit(value));
        known
    }

    /// Takes all variables for ones that differ from lane to lane.
    pub(super) fn all_differ(&mut self) {
        self.vars.fill(false);
        self.values.clear();
    }

    /// True if a variable is not set.
    pub(super) fn is_given(&self, var: usize) -> bool {
        !self.is_set[var]
    }

    pub(super) fn var(&self, var: usize) -> bool {
        self.vars[var]
    }

    /// The variables on which expressions depend, with their values, in the order in which they can be computed: those of `among`,
    /// which are the same for all lanes.
    pub(super) fn values<'u>(&'u self, e: &'u Expr, among: &[usize]) -> BTreeMap<usize, &'u Expr> {
        let mut found = BTreeMap::new();
        let mut rest = vec![e];
        while let Some(e) = rest.pop() {
            for var in mentioned(e).into_iter().filter(|v| among.contains(v)) {
                if let Some(value) = self.values.get(&var).filter(|_| !found.contains_key(&var)) {
                    found.insert(var, value);
                    rest.push(value);
                }
            }
        }
        found
    }

    /// True if an expression has one value for all lanes.
    pub(super) fn is(&self, e: &Expr) -> bool {
        use ExprKind::*;
        match &e.kind {
            Const(_) | Field(_) | Condition(_) | Variant(_) => true,
            Supplied(what) => *what != builtins::Supplied::Lane,
            Var(v) => self.vars[*v],
            Register(_) | Flags(_) | State(_) | Load(_) => false,
            Other { lane, .. } => self.is(lane),
            Ballot(_) => true,
            Slice { of, .. } | Unary(_, of) => self.is(of),
            Part { of, at } => self.is(of) && self.is(at),
            Binary(_, a, b) => self.is(a) && self.is(b),
            Concat(parts) => parts.iter().all(|p| self.is(p)),
            Call { args, .. } => args.iter().all(|a| self.is(a)),
            If { arms, otherwise } => arms.iter().all(|(c, v)| self.is(c) && self.is(v)) && self.is(otherwise),
            Match { on, arms, otherwise } => self.is(on) && arms.iter().all(|(_, v)| self.is(v)) && self.is(otherwise),
            Block(stmts, value) => stmts.iter().all(|s| self.is_let(s)) && self.is(value),
        }
    }

    /// A statement that sets a variable that is the same for all lanes.
    pub(super) fn is_let(&self, stmt: &Stmt) -> bool {
        matches!(&stmt.kind, StmtKind::Set(Place { kind: PlaceKind::Var(v), .. }, value) if self.vars[*v] && self.is(value))
    }

    fn differ(&mut self, place: &Place) {
        match &place.kind {
            PlaceKind::Var(v) => self.vars[*v] = false,
            PlaceKind::Slice { of, .. } | PlaceKind::Part { of, .. } => self.differ(of),
            PlaceKind::Concat(parts) => parts.iter().for_each(|p| self.differ(p)),
            PlaceKind::Register(_) | PlaceKind::Flags(_) | PlaceKind::State(_) => {}
        }
    }

    /// The variables that statements set, each before it is read.
    fn stmts(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            stmt.exprs().into_iter().for_each(|e| self.visit(e));
            match &stmt.kind {
                StmtKind::Set(place, value) => {
                    indices(place).into_iter().for_each(|i| self.visit(i));
                    match place.kind {
                        PlaceKind::Var(v) if self.vars[v] && self.is(value) => drop(self.values.insert(v, value.clone())),
                        _ => self.differ(place),
                    }
                }
                StmtKind::Atomic { old, .. } => self.vars[*old] = false,
                _ => stmt.ways().into_iter().for_each(|body| self.stmts(body)),
            }
        }
    }

    /// The variables that functions in an expression set.
    fn visit(&mut self, e: &Expr) {
        if let ExprKind::Block(stmts, _) = &e.kind {
            self.stmts(stmts);
        }
        e.children().into_iter().for_each(|c| self.visit(c));
    }
}

/// True if an expression is a number that the word alone says.
pub(super) fn is_of_word(e: &Expr) -> bool {
    use ExprKind::*;
    !any(e, |kind| {
        matches!(
            kind,
            Var(_)
                | Register(_)
                | Flags(_)
                | State(_)
                | Supplied(_)
                | Variant(_)
                | Load(_)
                | Block(..)
                | Other { .. }
                | Ballot(_)
        )
    })
}

/// The variables that an expression reads, or sets to read them.
fn mentioned(e: &Expr) -> Vec<usize> {
    let mut found = match &e.kind {
        ExprKind::Var(v) => vec![*v],
        ExprKind::Block(stmts, _) => {
            let lets = stmts.iter().filter_map(|s| match &s.kind {
                StmtKind::Set(Place { kind: PlaceKind::Var(v), .. }, value) => Some((*v, value)),
                _ => None,
            });
            lets.flat_map(|(v, value)| std::iter::once(v).chain(mentioned(value))).collect()
        }
        _ => Vec::new(),
    };
    found.extend(e.children().into_iter().flat_map(mentioned));
    found
}

/// The expressions that say which register or which bits a place is.
pub(super) fn indices(place: &Place) -> Vec<&Expr> {
    match &place.kind {
        PlaceKind::Var(_) | PlaceKind::State(_) => Vec::new(),
        PlaceKind::Register(r) => vec![&*r.index],
        PlaceKind::Flags(f) => vec![&*f.index],
        PlaceKind::Slice { of, .. } => indices(of),
        PlaceKind::Part { of, at } => std::iter::once(&**at).chain(indices(of)).collect(),
        PlaceKind::Concat(parts) => parts.iter().flat_map(indices).collect(),
    }
}
