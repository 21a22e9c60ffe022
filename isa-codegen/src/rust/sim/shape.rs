//! The arrangement of statements over the lanes of a warp, as a tree; `warp` makes code of the tree.
//!
//! - Expressions that are the same for all lanes are computed once, in front of them, and so are the numbers of rows that a loop
//!   needs (hoisting).
//! - A choice that is the same for all lanes is made once, around its arms (unswitching).
//! - Statements that only compute are one loop, which fills rows of its own, and these are stored afterwards.
//! - All else goes lane by lane. A machine of one lane has nothing but its lane.

use super::choices::stands_alone;
use super::closed::Closed;
use super::scan::{Held, Scan};
use super::scope::Scope;
use super::tree::{Choice, Pass, Uses, inside, inside_place};
use super::uniform::Uniform;
use isa_spec::semantics::typed::{Expr, ExprKind, Place, Stmt, StmtKind};
use std::collections::BTreeMap;

/// A part of a body.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Node<'e> {
    /// Variables that are the same for all lanes, or what all lanes want of the flow of control.
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
    /// Variables on which it depends which rows there are: they are computed in front of the loop, too.
    pub(super) front: BTreeMap<usize, Expr>,
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
    /// The variables computed in front of the loop, as in [`Rows`].
    pub(super) front: BTreeMap<usize, Expr>,
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
            if self.scope.uniform.is_let(first) || self.is_flow(first) {
                nodes.push(Node::Once(first));
            } else if scan.is_straight() {
                nodes.extend(self.straight(rest, is_direct));
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

    /// The nodes of statements that only compute: first those that are the same for all lanes, then one loop, then the
    /// independent choices.
    fn straight<'e>(self, stmts: &'e [Stmt], is_direct: &mut bool) -> Vec<Node<'e>> {
        let (same, own): (Vec<&Stmt>, Vec<&Stmt>) = stmts.iter().partition(|s| self.scope.uniform.is_let(s));
        let all: Vec<Stmt> = own.iter().copied().cloned().collect();
        let is_alone = |i: &usize| stands_alone(self.scope, &all, *i);
        let (alone, together): (Vec<usize>, Vec<usize>) = (0..own.len()).partition(is_alone);
        let together: Vec<Stmt> = together.into_iter().map(|i| all[i].clone()).collect();
        let mut nodes: Vec<Node<'e>> = same.into_iter().map(Node::Once).collect();
        nodes.extend(self.rows(&together));
        nodes.extend(alone.into_iter().map(|i| self.choice(own[i], is_direct)));
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
        let is_inside = |v: usize| self.scope.lets.contains(&v) || self.scope.uniform.var(v) || is_own(v);
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
        let front = self.front(&scan.sets_vars, |pass| drop(pass.stmts(stmts)));
        let is_needed = scan.is_ordered || !scan.writes.is_empty();
        is_needed.then(|| Node::Rows(Rows { front, is_ordered: scan.is_ordered, stmts: stmts.to_vec() }))
    }

    /// The values of an expression, after statements that set variables.
    pub(super) fn values(self, lets: &[Stmt], value: &Expr) -> Values {
        let mut scan = self.scan(lets);
        scan.expr(value, &self.scope.uniform);
        let front = self.front(&scan.sets_vars, |pass| {
            pass.stmts(lets);
            pass.expr(value);
        });
        let front = if scan.is_loose || self.is_one { BTreeMap::new() } else { front };
        Values { front, is_ordered: scan.is_ordered, is_loose: scan.is_loose, lets: lets.to_vec(), value: value.clone() }
    }

    /// Statements that set variables that are the same for all lanes, and the lanes for which a condition holds after them.
    pub(super) fn mask(self, of: &Closed) -> (Vec<Stmt>, Mask<'_>) {
        let (same, own) = of.lets.stmts.iter().cloned().partition::<Vec<Stmt>, _>(|s| self.scope.uniform.is_let(s));
        (same, self.mask_of(&own, &of.value))
    }

    fn mask_of<'e>(self, lets: &[Stmt], e: &'e Expr) -> Mask<'e> {
        let is_same = |choice: &Choice<'_, _>| choice.by().into_iter().all(|e| self.scope.uniform.is(e));
        match (&e.kind, Choice::of_expr(e).filter(is_same)) {
            (ExprKind::Const(value), _) => Mask::Const(value.bit(0)),
            (_, Some(choice)) => Mask::Choice(Box::new(choice.map(|value| self.mask_of(lets, value)))),
            (_, None) => Mask::Values(self.values(lets, e)),
        }
    }

    /// The variables on which the numbers of rows depend, in the order in which they can be computed: of those that a loop sets.
    fn front(self, inside: &[usize], look: impl FnOnce(&mut Front<'_>)) -> BTreeMap<usize, Expr> {
        let mut front = Front { uniform: &self.scope.uniform, inside, found: BTreeMap::new() };
        look(&mut front);
        front.found
    }
}

/// Finds what has to be computed in front of a loop.
struct Front<'a> {
    uniform: &'a Uniform,
    inside: &'a [usize],
    found: BTreeMap<usize, Expr>,
}

impl Front<'_> {
    fn held(&mut self, held: Option<Held<'_>>) {
        let Some(index) = held.and_then(|held| held.index) else { return };
        let values = self.uniform.values(index, self.inside);
        self.found.extend(values.into_iter().map(|(v, value)| (v, value.clone())));
    }
}

impl Pass for Front<'_> {
    fn expr(&mut self, e: &Expr) -> Expr {
        self.held(Held::of_expr(e));
        inside(self, e)
    }

    fn place(&mut self, place: &Place) -> Place {
        self.held(Held::of_place(place));
        inside_place(self, place)
    }
}
