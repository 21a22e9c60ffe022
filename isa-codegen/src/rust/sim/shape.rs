//! The arrangement of statements over the lanes of a warp, as a tree; `warp` makes code of the tree.
//!
//! - Expressions that are the same for all lanes are computed once, in front of them, and so are the numbers of rows that a loop
//!   needs (hoisting).
//! - A choice that is the same for all lanes is made once, around its arms (unswitching).
//! - Statements that only compute are one loop, which fills rows of its own, and these are stored afterwards.
//! - All else goes lane by lane. A machine of one lane has nothing but its lane.

use super::choices::stands_alone;
use super::closed::Closed;
use super::scan::Scan;
use super::tree::{Pass, Uses, inside, inside_place};
use super::uniform::Uniform;
use isa_spec::semantics::Int;
use isa_spec::semantics::typed::{Expr, ExprKind, Place, PlaceKind, Stmt, StmtKind};
use std::collections::{BTreeMap, BTreeSet};

/// A part of a body.
#[derive(Clone, Debug)]
pub(super) enum Node {
    /// Variables that are the same for all lanes, or what all lanes want of the flow of control.
    Once(Stmt),
    /// The first whose condition, which is the same for all lanes, holds, or the last.
    If { arms: Vec<(Expr, Vec<Node>)>, otherwise: Vec<Node> },
    /// The one with the label that equals `on`, which is the same for all lanes, or the last.
    Match { on: Expr, arms: Vec<(Vec<Int>, Vec<Node>)>, otherwise: Vec<Node> },
    /// A loop that fills rows.
    Rows(Rows),
    /// Lane after lane, each with its own registers; the one lane of a machine.
    Lanes(Vec<Stmt>),
}

/// A loop that fills rows, which are put back after it.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    /// Variables on which it depends which rows there are: they are computed in front of the loop, too.
    pub(super) front: BTreeMap<usize, Expr>,
    /// The lanes of the mask in their order, or all.
    pub(super) is_ordered: bool,
    pub(super) stmts: Vec<Stmt>,
}

/// A body.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub(super) nodes: Vec<Node>,
    /// Registers change while rows of others are still read: lane by lane, or before what follows.
    pub(super) is_direct: bool,
}

/// The lanes for which a condition holds.
#[derive(Clone, Debug)]
pub(super) enum Mask {
    /// All, or none.
    Const(bool),
    /// A choice that is the same for all lanes.
    If { arms: Vec<(Expr, Mask)>, otherwise: Box<Mask> },
    /// A choice that is the same for all lanes.
    Match { on: Expr, arms: Vec<(Vec<Int>, Mask)>, otherwise: Box<Mask> },
    /// A loop.
    Values(Values),
}

/// A loop that computes a value of each lane.
#[derive(Clone, Debug)]
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
    pub(super) vars: &'a [u32],
    pub(super) uniform: &'a Uniform,
    /// Variables that are declared where they are set.
    pub(super) lets: &'a BTreeSet<usize>,
    /// The numbers of times that the body sets and reads each variable.
    pub(super) uses: Option<&'a Uses>,
}

impl Shaper<'_> {
    /// The shape of a body.
    pub(super) fn body(self, stmts: &[Stmt]) -> Shape {
        let mut is_direct = false;
        let uses = Uses::of_stmts(self.vars.len(), stmts);
        let nodes = Shaper { uses: Some(&uses), ..self }.nodes(stmts, &mut is_direct);
        Shape { nodes, is_direct }
    }

    fn scan(self, stmts: &[Stmt]) -> Scan {
        Scan::of(stmts, self.uniform)
    }

    fn nodes(self, stmts: &[Stmt], is_direct: &mut bool) -> Vec<Node> {
        let mut nodes = Vec::new();
        if self.is_one {
            if !stmts.is_empty() {
                nodes.push(Node::Lanes(stmts.to_vec()));
            }
            return nodes;
        }
        let mut rest = stmts;
        while let [first, more @ ..] = rest {
            let scan = self.scan(rest);
            if self.uniform.is_let(first) || self.is_flow(first) {
                nodes.push(Node::Once(first.clone()));
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
                    nodes.push(Node::Lanes(rest.to_vec()));
                }
                break;
            }
            rest = more;
        }
        nodes
    }

    /// The nodes of statements that only compute: first those that are the same for all lanes, then one loop, then the
    /// independent choices.
    fn straight(self, stmts: &[Stmt], is_direct: &mut bool) -> Vec<Node> {
        let (same, own): (Vec<&Stmt>, Vec<&Stmt>) = stmts.iter().partition(|s| self.uniform.is_let(s));
        let own: Vec<Stmt> = own.into_iter().cloned().collect();
        let is_alone = |i: &usize| stands_alone(self.vars, &own, *i, self.uniform);
        let (alone, together): (Vec<usize>, Vec<usize>) = (0..own.len()).partition(is_alone);
        let together: Vec<Stmt> = together.into_iter().map(|i| own[i].clone()).collect();
        let mut nodes: Vec<Node> = same.into_iter().cloned().map(Node::Once).collect();
        nodes.extend(self.rows(&together));
        nodes.extend(alone.into_iter().map(|i| self.choice(&own[i], is_direct)));
        nodes
    }

    /// True if a statement is an action with the same arguments in all lanes.
    fn is_flow(self, stmt: &Stmt) -> bool {
        matches!(&stmt.kind, StmtKind::Action(_, args) if args.iter().all(|a| self.uniform.is(a)))
    }

    /// A choice that is the same for all lanes, whose arms set no variables of lanes that are read elsewhere.
    fn is_apart(self, stmt: &Stmt) -> bool {
        let same = match &stmt.kind {
            StmtKind::If { arms, .. } => arms.iter().all(|(cond, _)| self.uniform.is(cond)),
            StmtKind::Match { on, .. } => self.uniform.is(on),
            _ => false,
        };
        let stmt = std::slice::from_ref(stmt);
        let own = Uses::of_stmts(self.vars.len(), stmt);
        let is_own = |v: usize| self.uses.is_some_and(|all| (all.sets[v], all.reads[v]) == (own.sets[v], own.reads[v]));
        let is_inside = |v: usize| self.lets.contains(&v) || self.uniform.var(v) || is_own(v);
        same && self.scan(stmt).sets_vars.into_iter().all(is_inside)
    }

    fn choice(self, stmt: &Stmt, is_direct: &mut bool) -> Node {
        match &stmt.kind {
            StmtKind::If { arms, otherwise } => Node::If {
                arms: arms.iter().map(|(cond, body)| (cond.clone(), self.nodes(body, is_direct))).collect(),
                otherwise: self.nodes(otherwise, is_direct),
            },
            StmtKind::Match { on, arms, otherwise } => Node::Match {
                on: on.clone(),
                arms: arms.iter().map(|(labels, body)| (labels.clone(), self.nodes(body, is_direct))).collect(),
                otherwise: self.nodes(otherwise, is_direct),
            },
            _ => Node::Once(stmt.clone()),
        }
    }

    /// One loop; none where nothing is written.
    fn rows(self, stmts: &[Stmt]) -> Option<Node> {
        let scan = self.scan(stmts);
        let front = self.front(&scan.sets_vars, |pass| drop(pass.stmts(stmts)));
        let is_needed = scan.is_ordered || !scan.writes.is_empty();
        is_needed.then(|| Node::Rows(Rows { front, is_ordered: scan.is_ordered, stmts: stmts.to_vec() }))
    }

    /// The values of an expression, after statements that set variables.
    pub(super) fn values(self, lets: &[Stmt], value: &Expr) -> Values {
        let mut scan = self.scan(lets);
        scan.expr(value, self.uniform);
        let front = self.front(&scan.sets_vars, |pass| {
            pass.stmts(lets);
            pass.expr(value);
        });
        let front = if scan.is_loose || self.is_one { BTreeMap::new() } else { front };
        Values { front, is_ordered: scan.is_ordered, is_loose: scan.is_loose, lets: lets.to_vec(), value: value.clone() }
    }

    /// Statements that set variables that are the same for all lanes, and the lanes for which a condition holds after them.
    pub(super) fn mask(self, of: &Closed) -> (Vec<Stmt>, Mask) {
        let (same, own): (Vec<&Stmt>, Vec<&Stmt>) = of.lets.stmts.iter().partition(|s| self.uniform.is_let(s));
        let [same, own] = [same, own].map(|stmts| stmts.into_iter().cloned().collect::<Vec<Stmt>>());
        let mask = self.mask_of(&own, &of.value);
        (same, mask)
    }

    fn mask_of(self, lets: &[Stmt], e: &Expr) -> Mask {
        match &e.kind {
            ExprKind::Match { on, arms, otherwise } if self.uniform.is(on) => Mask::Match {
                on: (**on).clone(),
                arms: arms.iter().map(|(labels, value)| (labels.clone(), self.mask_of(lets, value))).collect(),
                otherwise: Box::new(self.mask_of(lets, otherwise)),
            },
            ExprKind::If { arms, otherwise } if arms.iter().all(|(cond, _)| self.uniform.is(cond)) => Mask::If {
                arms: arms.iter().map(|(cond, value)| (cond.clone(), self.mask_of(lets, value))).collect(),
                otherwise: Box::new(self.mask_of(lets, otherwise)),
            },
            ExprKind::Const(value) => Mask::Const(value.bit(0)),
            _ => Mask::Values(self.values(lets, e)),
        }
    }

    /// The variables on which the numbers of rows depend, in the order in which they can be computed: of those that a loop sets.
    fn front(self, inside: &[usize], look: impl FnOnce(&mut Front<'_>)) -> BTreeMap<usize, Expr> {
        let mut front = Front { uniform: self.uniform, inside, found: BTreeMap::new() };
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
    fn index(&mut self, index: &Expr) {
        let values = self.uniform.values(index, self.inside);
        self.found.extend(values.into_iter().map(|(v, value)| (v, value.clone())));
    }
}

impl Pass for Front<'_> {
    fn expr(&mut self, e: &Expr) -> Expr {
        match &e.kind {
            ExprKind::Register(r) => self.index(&r.index),
            ExprKind::Flags(f) => self.index(&f.index),
            _ => {}
        }
        inside(self, e)
    }

    fn place(&mut self, place: &Place) -> Place {
        match &place.kind {
            PlaceKind::Register(r) => self.index(&r.index),
            PlaceKind::Flags(f) => self.index(&f.index),
            _ => {}
        }
        inside_place(self, place)
    }
}
