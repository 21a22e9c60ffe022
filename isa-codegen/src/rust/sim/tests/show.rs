//! Trees as text, in the syntax of semantics: what a pass is given, and what it makes of it.

use crate::rust::sim::shape::{Mask, Node, Rows, Values};
use crate::rust::sim::tidy::Keys;
use crate::rust::sim::tree::Choice;
use isa_spec::model::Isa;
use isa_spec::semantics::Int;
use isa_spec::semantics::ast::{BinaryOp, UnaryOp};
use isa_spec::semantics::builtins::BUILTINS;
use isa_spec::semantics::typed::{Access, Expr, ExprKind, Place, PlaceKind, Stmt, StmtKind};

/// Prints trees of an instruction set.
pub(super) struct Show<'a> {
    pub(super) isa: &'a Isa,
    pub(super) keys: &'a Keys,
}

/// Lines, each further in.
fn inside(lines: Vec<String>) -> impl Iterator<Item = String> {
    lines.into_iter().map(|line| format!("  {line}"))
}

fn block(head: &str, lines: Vec<String>) -> Vec<String> {
    std::iter::once(format!("{head} {{")).chain(inside(lines)).chain(["}".to_owned()]).collect()
}

/// A number, below 10 in decimal.
fn number(value: &Int) -> String {
    if *value < Int::from(10u128) { value.low().to_string() } else { value.to_string() }
}

fn labels(labels: &[Int]) -> String {
    labels.iter().map(number).collect::<Vec<_>>().join(", ")
}

impl Show<'_> {
    pub(super) fn stmts(&self, stmts: &[Stmt]) -> Vec<String> {
        stmts.iter().flat_map(|stmt| self.stmt(stmt)).collect()
    }

    fn stmt(&self, stmt: &Stmt) -> Vec<String> {
        match &stmt.kind {
            StmtKind::Set(place, value) => vec![format!("{} = {};", self.place(place), self.expr(value))],
            StmtKind::If { arms, otherwise } => {
                let arms = arms.iter().map(|(cond, body)| (self.expr(cond), self.stmts(body)));
                choice_lines(arms.collect(), self.stmts(otherwise))
            }
            StmtKind::Match { on, arms, otherwise } => {
                let arms = arms.iter().map(|(of, body)| (labels(of), self.stmts(body)));
                matched(&self.expr(on), arms.collect(), self.stmts(otherwise))
            }
            StmtKind::Store(at, value) => vec![format!("store.{}, {});", self.access(at), self.expr(value))],
            StmtKind::Atomic { at, old, new } => vec![format!("v{old} = atomic.{}, {});", self.access(at), self.expr(new))],
            StmtKind::Action(action, args) => {
                vec![format!("{}({});", action.name(), self.list(args))]
            }
        }
    }

    fn list(&self, all: &[Expr]) -> String {
        all.iter().map(|e| self.expr(e)).collect::<Vec<_>>().join(", ")
    }

    fn access(&self, at: &Access) -> String {
        let bank = at.bank.as_ref().map_or_else(String::new, |bank| format!("{}, ", self.expr(bank)));
        format!("{}({bank}{}", self.isa.machine.spaces[at.space].name, self.expr(&at.address))
            + if at.aligned { ", aligned" } else { "" }
    }

    fn register(&self, file: usize, index: &Expr, plus: u32) -> String {
        let plus = if plus == 0 { String::new() } else { format!(" + {plus}") };
        format!("{}[{}{plus}]", self.isa.registers[file].name, self.expr(index))
    }

    fn flags(&self, file: usize, index: &Expr) -> String {
        format!("{}[{}]", self.isa.machine.flags[file].name, self.expr(index))
    }

    fn place(&self, place: &Place) -> String {
        match &place.kind {
            PlaceKind::Var(v) => format!("v{v}"),
            PlaceKind::Register(r) => self.register(r.file, &r.index, r.plus),
            PlaceKind::Flags(f) => self.flags(f.file, &f.index),
            PlaceKind::State(s) => self.isa.machine.state[*s].name.clone(),
            PlaceKind::Slice { of, lo } => format!("{}[{}..{lo}]", self.place(of), lo + place.width - 1),
            PlaceKind::Part { of, at } => format!("{}[{} +: {}]", self.place(of), self.expr(at), place.width),
            PlaceKind::Concat(parts) => parts.iter().map(|p| self.place(p)).collect::<Vec<_>>().join(" ++ "),
        }
    }

    pub(super) fn expr(&self, e: &Expr) -> String {
        let bracketed = |e: &Expr| match &e.kind {
            ExprKind::Binary(..) | ExprKind::If { .. } => format!("({})", self.expr(e)),
            _ => self.expr(e),
        };
        match &e.kind {
            ExprKind::Const(value) => number(value),
            ExprKind::Var(v) => format!("v{v}"),
            ExprKind::Field(key) => self.keys.fields[*key].0.clone(),
            ExprKind::Condition(key) => format!("condition{key}"),
            ExprKind::Register(r) => self.register(r.file, &r.index, r.plus),
            ExprKind::Flags(f) => self.flags(f.file, &f.index),
            ExprKind::State(s) => self.isa.machine.state[*s].name.clone(),
            ExprKind::Supplied(what) => format!("{what:?}").to_lowercase(),
            ExprKind::Variant(v) => self.isa.machine.variants[*v].name.clone(),
            ExprKind::Slice { of, lo } => format!("{}[{}..{lo}]", bracketed(of), lo + e.width - 1),
            ExprKind::Part { of, at } => format!("{}[{} +: {}]", bracketed(of), self.expr(at), e.width),
            ExprKind::Concat(parts) => parts.iter().map(bracketed).collect::<Vec<_>>().join(" ++ "),
            ExprKind::Unary(op, of) => {
                let op = match op {
                    UnaryOp::Neg => "-",
                    UnaryOp::Not => "~",
                    UnaryOp::LogicNot => "!",
                };
                format!("{op}{}", bracketed(of))
            }
            ExprKind::Binary(op, a, b) => format!("{} {} {}", bracketed(a), BinaryOp::text(*op), bracketed(b)),
            ExprKind::If { arms, otherwise } => {
                let arms: String =
                    arms.iter().map(|(c, v)| format!("if {} {{ {} }} else ", self.expr(c), self.expr(v))).collect();
                format!("{arms}{{ {} }}", self.expr(otherwise))
            }
            ExprKind::Match { on, arms, otherwise } => {
                let arms: String = arms.iter().map(|(of, v)| format!("{} => {}, ", labels(of), self.expr(v))).collect();
                format!("match {} {{ {arms}else => {} }}", self.expr(on), self.expr(otherwise))
            }
            ExprKind::Other { value, lane } => format!("from_lane({}, {})", self.expr(lane), self.expr(value)),
            ExprKind::Ballot(of) => format!("ballot({})", self.expr(of)),
            ExprKind::Load(at) => format!("load.{}, {})", self.access(at), e.width),
            ExprKind::Call { function, args, .. } => {
                let name = BUILTINS.iter().find(|b| b.function == *function).map_or("", |b| b.name);
                format!("{name}({})", self.list(args))
            }
            ExprKind::Block(stmts, value) => format!("{{ {} {} }}", self.stmts(stmts).join(" "), self.expr(value)),
        }
    }

    pub(super) fn nodes(&self, nodes: &[Node<'_>]) -> Vec<String> {
        nodes.iter().flat_map(|node| self.node(node)).collect()
    }

    fn node(&self, node: &Node<'_>) -> Vec<String> {
        match node {
            Node::Once(stmt) => self.stmt(stmt).into_iter().map(|line| format!("once {line}")).collect(),
            Node::Choice(choice) => self.choice(choice.clone().map(|nodes| self.nodes(&nodes))),
            Node::Rows(Rows { is_ordered, stmts }) => {
                block(if *is_ordered { "rows in order" } else { "rows" }, self.stmts(stmts))
            }
            Node::Lanes(stmts) => block("lanes", self.stmts(stmts)),
        }
    }

    fn choice(&self, choice: Choice<'_, Vec<String>>) -> Vec<String> {
        match choice {
            Choice::If { arms, otherwise } => {
                let arms = arms.into_iter().map(|(cond, lines)| (format!("once {}", self.expr(cond)), lines));
                choice_lines(arms.collect(), otherwise)
            }
            Choice::Match { on, arms, otherwise } => {
                let arms = arms.into_iter().map(|(of, lines)| (labels(&of), lines));
                matched(&format!("once {}", self.expr(on)), arms.collect(), otherwise)
            }
        }
    }

    pub(super) fn mask(&self, mask: &Mask<'_>) -> Vec<String> {
        match mask {
            Mask::Const(holds) => vec![(if *holds { "all" } else { "none" }).to_owned()],
            Mask::Choice(choice) => self.choice((**choice).clone().map(|mask| self.mask(&mask))),
            Mask::Values(Values { lets, value, is_ordered, is_loose, .. }) => {
                let lines = self.stmts(lets).into_iter().chain([self.expr(value)]).collect();
                block(if *is_ordered || *is_loose { "lanes" } else { "rows" }, lines)
            }
        }
    }
}

fn choice_lines(arms: Vec<(String, Vec<String>)>, otherwise: Vec<String>) -> Vec<String> {
    let mut lines: Vec<String> = arms.into_iter().flat_map(|(cond, body)| block(&format!("if {cond}"), body)).collect();
    if !otherwise.is_empty() {
        lines.extend(block("else", otherwise));
    }
    lines
}

fn matched(on: &str, arms: Vec<(String, Vec<String>)>, otherwise: Vec<String>) -> Vec<String> {
    let arms = arms.into_iter().flat_map(|(of, body)| block(&format!("{of} =>"), body));
    let lines = arms.chain(if otherwise.is_empty() { Vec::new() } else { block("else =>", otherwise) }).collect();
    block(&format!("match {on}"), lines)
}
