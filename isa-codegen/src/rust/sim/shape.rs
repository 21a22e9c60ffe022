//! The arrangement of statements over the lanes of a warp, as a tree; `warp` makes code of the tree.
//!
//! - What all lanes want of the flow of control is one action.
//! - A choice that is the same for all lanes is made once, around its arms (unswitching).
//! - Statements that only compute are one loop, which fills rows of its own, and these are stored afterwards.
//! - All else goes lane by lane. A machine of one lane has nothing but its lane.

use super::scan::Scan;
use super::scope::Scope;
use super::tree::{Choice, Uses};
use isa_spec::semantics::typed::{Expr, ExprKind, Stmt, StmtKind};

/// A part of a body.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Node<'e> {
    /// What all lanes want of the flow of control.
    Once(&'e Stmt),
    /// A choice that is the same for all lanes.
    Choice(Choice<'e, Vec<Node<'e>>>),
    /// A loop that fills rows.
    Rows(Rows),
    /// Lane after lane, each with its own registers; the one lane of a machine.
    Lanes(&'e [Stmt]),
}

/// A loop that fills rows, which are put back after it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Rows {
    /// The lanes of the mask in their order, or all.
    pub(super) is_ordered: bool,
    pub(super) stmts: Vec<Stmt>,
}

/// A body.
pub(super) struct Shape<'e> {
    pub(super) nodes: Vec<Node<'e>>,
    /// Registers change while rows of others are still read: lane by lane, or before what follows.
    pub(super) is_direct: bool,
}

/// The lanes for which a condition holds.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Mask<'e> {
    /// All, or none.
    Const(bool),
    /// A choice that is the same for all lanes.
    Choice(Box<Choice<'e, Mask<'e>>>),
    /// A loop.
    Values(Values),
}

/// A loop that computes a value of each lane.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Values {
    /// It reads memory: the lanes of the mask in their order.
    pub(super) is_ordered: bool,
    /// A lane chooses registers.
    pub(super) is_loose: bool,
    /// Statements that set variables.
    pub(super) lets: Vec<Stmt>,
    pub(super) value: Expr,
}

/// The context that shapes depend on.
#[derive(Clone, Copy)]
pub(super) struct Shaper<'a> {
    /// The machine has one lane.
    pub(super) is_one: bool,
    pub(super) scope: &'a Scope,
    /// The numbers of times that the body sets and reads each variable.
    pub(super) uses: Option<&'a Uses>,
}

impl Shaper<'_> {
    /// The shape of a body.
    pub(super) fn body<'e>(self, stmts: &'e [Stmt]) -> Shape<'e> {
        let mut is_direct = false;
        let uses = Uses::of_stmts(self.scope.widths.len(), stmts);
        let nodes = Shaper { uses: Some(&uses), ..self }.nodes(stmts, &mut is_direct);
        Shape { nodes, is_direct }
    }

    fn scan(self, stmts: &[Stmt]) -> Scan {
        Scan::of(stmts, &self.scope.uniform)
    }

    fn nodes<'e>(self, stmts: &'e [Stmt], is_direct: &mut bool) -> Vec<Node<'e>> {
        let mut nodes = Vec::new();
        if self.is_one {
            if !stmts.is_empty() {
                nodes.push(Node::Lanes(stmts));
            }
            return nodes;
        }
        let mut rest = stmts;
        while let [first, more @ ..] = rest {
            let scan = self.scan(rest);
            if self.is_flow(first) {
                nodes.push(Node::Once(first));
            } else if scan.is_straight() {
                nodes.extend(self.rows(rest));
                break;
            } else if self.is_apart(first) {
                nodes.push(self.choice(first, is_direct));
                *is_direct |= !more.is_empty() && !self.scan(std::slice::from_ref(first)).writes.is_empty();
            } else {
                if scan.has_rows() {
                    nodes.extend(self.rows(rest));
                } else {
                    *is_direct = true;
                    nodes.push(Node::Lanes(rest));
                }
                break;
            }
            rest = more;
        }
        nodes
    }

    /// True if a statement is an action with the same arguments in all lanes.
    fn is_flow(self, stmt: &Stmt) -> bool {
        matches!(&stmt.kind, StmtKind::Action(_, args) if args.iter().all(|a| self.scope.uniform.is(a)))
    }

    /// A choice that is the same for all lanes, whose arms set no variables of lanes that are read elsewhere.
    fn is_apart(self, stmt: &Stmt) -> bool {
        let same = Choice::of_stmt(stmt).is_some_and(|choice| choice.by().into_iter().all(|e| self.scope.uniform.is(e)));
        let stmt = std::slice::from_ref(stmt);
        let own = Uses::of_stmts(self.scope.widths.len(), stmt);
        let is_own = |v: usize| self.uses.is_some_and(|all| (all.sets[v], all.reads[v]) == (own.sets[v], own.reads[v]));
        let is_inside = |v: usize| self.scope.lets.contains(&v) || is_own(v);
        same && self.scan(stmt).sets_vars.into_iter().all(is_inside)
    }

    fn choice<'e>(self, stmt: &'e Stmt, is_direct: &mut bool) -> Node<'e> {
        match Choice::of_stmt(stmt) {
            Some(choice) => Node::Choice(choice.map(|body| self.nodes(body, is_direct))),
            None => Node::Once(stmt),
        }
    }

    /// One loop; none where nothing is written.
    fn rows<'e>(self, stmts: &[Stmt]) -> Option<Node<'e>> {
        let scan = self.scan(stmts);
        let is_needed = scan.is_ordered || !scan.writes.is_empty();
        is_needed.then(|| Node::Rows(Rows { is_ordered: scan.is_ordered, stmts: stmts.to_vec() }))
    }

    /// The values of an expression, after statements that set variables.
    pub(super) fn values(self, lets: &[Stmt], value: &Expr) -> Values {
        let mut scan = self.scan(lets);
        scan.expr(value, &self.scope.uniform);
        Values { is_ordered: scan.is_ordered, is_loose: scan.is_loose, lets: lets.to_vec(), value: value.clone() }
    }

    /// The lanes for which a condition holds, after statements that set variables.
    pub(super) fn mask<'e>(self, lets: &[Stmt], e: &'e Expr) -> Mask<'e> {
        let is_same = |choice: &Choice<'_, _>| choice.by().into_iter().all(|e| self.scope.uniform.is(e));
        match (&e.kind, Choice::of_expr(e).filter(is_same)) {
            (ExprKind::Const(value), _) => Mask::Const(value.bit(0)),
            (_, Some(choice)) => Mask::Choice(Box::new(choice.map(|value| self.mask(lets, value)))),
            (_, None) => Mask::Values(self.values(lets, e)),
        }
    }
}
