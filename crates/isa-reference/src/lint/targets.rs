//! Targets in texts, compared with the places to which semantics branch.

use super::{meant, text_of};
use crate::samples::Random;
use isa_spec::diag::Diagnostic;
use isa_spec::model::{Behaviour, Field, Form, Isa, Piece, Raw, Word, ones};
use isa_spec::semantics::arith;
use isa_spec::semantics::builtins::{Action, Function, Supplied};
use isa_spec::semantics::int::Int;
use isa_spec::semantics::typed::{Expr, ExprKind, Place, PlaceKind, Stmt, StmtKind};
use isa_spec::semantics::value;
use std::collections::BTreeSet;

/// Warnings about instructions that show a target and branch to other places. Each target is compared at the borders of its field
/// and at several addresses.
pub(super) fn targets(isa: &Isa) -> Vec<Diagnostic> {
    let (mut list, mut at_fault) = (Vec::new(), BTreeSet::new());
    for form in &isa.forms {
        let Some(behaviour) = form.behaviour.as_ref().filter(|behaviour| branches(&behaviour.body.stmts)) else { continue };
        let mut fields = Vec::new();
        for text in [&form.text[..], form.base()] {
            targets_in(form, text, &mut fields);
        }
        // A semantics that several forms or instructions have is at fault once.
        if at_fault.contains(&meant(isa, form.instruction)) {
            continue;
        }
        for field in fields {
            let insn = isa.instruction(form.instruction);
            let Some((word, pc, places)) = different(isa, form, behaviour, field) else { continue };
            at_fault.insert(meant(isa, form.instruction));
            let text = text_of(form, word, pc);
            let places: Vec<String> = places.iter().map(|place| format!("{:#x}", place.low())).collect();
            let message = format!(
                "`{text}` at {pc:#x} ({word:#0digits$x}) branches to {}, which is not the target of its text",
                places.join(" or "),
                digits = form.length.div_ceil(4) as usize + 2,
            );
            let finding = Diagnostic::warning("branch-target", message, insn.span).with_label(field.span, "this target");
            list.push(finding.with_help("the value of a target is its distance, with its scale and bias applied; the text adds the address and the offset in `target(offset)`"));
        }
    }
    list
}

/// A word and an address at which no place of the branches is the target in the text.
fn different(isa: &Isa, form: &Form, behaviour: &Behaviour, field: &Field) -> Option<(Word, u64, Vec<Int>)> {
    let width = isa.machine.pc;
    let length = u64::from(form.length.div_ceil(8));
    let all = ones(width) as u64;
    let start = form.legal.nearest(form.default_word(), form.mask)?;
    let mut random = Random::new(0x7a26);
    let others = (0..OTHERS).map(|_| random.word_of(form));
    let bases: Vec<Word> = std::iter::once(start).chain(others).collect();
    let most = ones(field.bits.width());
    let borders: [Raw; 6] = [0, 1, most >> 1, (most >> 1) + 1, most - most.min(1), most];
    for pc in [0, 1 << 12, all >> 1, all].map(|pc| pc & all & !(length.max(1).next_power_of_two() - 1)) {
        for (base, raw) in bases.iter().flat_map(|base| borders.map(|raw| (*base, field.code.word_bits(raw) & most))) {
            let word = field.bits.set(base, raw);
            if !form.words.contains(word) {
                continue;
            }
            let mut run = Run {
                behaviour,
                form,
                word,
                pc: [pc, pc.wrapping_add(length) & all],
                vars: Vec::new(),
                branches: Values::default(),
            };
            run.vars = behaviour.body.vars.iter().map(|_| Values::of(Int::default())).collect();
            run.stmts(&behaviour.body.stmts);
            let shown = field.code.shown(raw, pc)?;
            let low = Int::from(shown.low());
            let shown = if shown.negative { low.sign_extended(Raw::BITS) } else { low }.truncated(width);
            let places = run.branches.known;
            if !places.is_empty() && !places.contains(&shown) {
                return Some((word, pc, places));
            }
        }
    }
    None
}

/// The random words that are tried besides the default one.
const OTHERS: usize = 4;

/// Returns true if some statement branches or calls.
fn branches(stmts: &[Stmt]) -> bool {
    stmts.iter().any(|stmt| {
        matches!(stmt.kind, StmtKind::Action(Action::Branch | Action::Call, _))
            || stmt.nested().into_iter().any(|stmt| branches(std::slice::from_ref(stmt)))
    })
}

/// The fields and readings of a text that are targets.
fn targets_in<'f>(form: &'f Form, pieces: &'f [Piece], targets: &mut Vec<&'f Field>) {
    for piece in pieces {
        if let Some((field, _)) = piece.shown(&form.fields)
            && field.is_target()
            && !targets.iter().any(|known| known.path == field.path)
        {
            targets.push(field);
        }
        if let Piece::Group { body, .. } = piece {
            targets_in(form, body, targets);
        }
    }
}

/// The values that an expression can have, as far as the word and the address decide them.
#[derive(Clone, Debug, Default, PartialEq)]
struct Values {
    known: Vec<Int>,
    /// There are others, which depend on the state of the machine.
    others: bool,
}

/// The limit on known values of an expression.
const MAX_VALUES: usize = 8;

impl Values {
    fn of(value: Int) -> Self {
        Self { known: vec![value], others: false }
    }

    fn unknown() -> Self {
        Self { known: Vec::new(), others: true }
    }

    fn add(&mut self, more: Self) {
        self.others |= more.others;
        for value in more.known {
            if !self.known.contains(&value) {
                self.known.push(value);
            }
        }
        if self.known.len() > MAX_VALUES {
            *self = Self::unknown();
        }
    }

    fn map(&self, of: impl Fn(Int) -> Option<Int>) -> Self {
        let mut all = Self { known: Vec::new(), others: self.others };
        for value in &self.known {
            all.add(of(*value).map_or(Self::unknown(), Self::of));
        }
        all
    }

    /// A function of two values.
    fn with(&self, other: &Self, of: impl Fn(Int, Int) -> Int) -> Self {
        let mut all = Self { known: Vec::new(), others: self.others || other.others };
        for value in &self.known {
            all.add(other.map(|second| Some(of(*value, second))));
        }
        all
    }

    /// Returns the two truths of a condition: if it can hold, and if it can fail.
    fn ways(&self) -> [bool; 2] {
        [true, false].map(|way| self.others || self.known.iter().any(|value| value.bit(0) == way))
    }
}

/// An execution of a body that takes all ways that the state of the machine decides.
struct Run<'a> {
    behaviour: &'a Behaviour,
    form: &'a Form,
    word: Word,
    /// The address of the word, and that of the next one.
    pc: [u64; 2],
    vars: Vec<Values>,
    /// The places to which it branches.
    branches: Values,
}

impl Run<'_> {
    fn stmts(&mut self, stmts: &[Stmt]) {
        stmts.iter().for_each(|stmt| self.stmt(stmt));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Set(place, value) => {
                let value = self.expr(value);
                self.set(place, value);
            }
            StmtKind::If { arms, otherwise } => {
                let mut ends = Vec::new();
                for (condition, body) in arms {
                    let [holds, fails] = self.expr(condition).ways();
                    if holds {
                        self.way(body, &mut ends);
                    }
                    if !fails {
                        return self.join(ends);
                    }
                }
                self.way(otherwise, &mut ends);
                self.join(ends);
            }
            StmtKind::Match { on, arms, otherwise } => {
                let on = self.expr(on);
                let mut ends = Vec::new();
                for (_, body) in arms.iter().filter(|(labels, _)| on.others || on.known.iter().any(|n| labels.contains(n))) {
                    self.way(body, &mut ends);
                }
                if on.others || on.known.iter().any(|n| !arms.iter().any(|(labels, _)| labels.contains(n))) {
                    self.way(otherwise, &mut ends);
                }
                self.join(ends);
            }
            StmtKind::Atomic { old, .. } => self.vars[*old] = Values::unknown(),
            StmtKind::Action(Action::Branch | Action::Call, args) => {
                let places = self.expr(&args[0]);
                self.branches.add(places);
            }
            StmtKind::Store(..) | StmtKind::Action(..) => {}
        }
    }

    /// Executes one way from here, and keeps the variables at its end.
    fn way(&mut self, body: &[Stmt], ends: &mut Vec<Vec<Values>>) {
        let before = self.vars.clone();
        self.stmts(body);
        ends.push(std::mem::replace(&mut self.vars, before));
    }

    /// Goes on with what any of the ways has left.
    fn join(&mut self, ends: Vec<Vec<Values>>) {
        let mut ends = ends.into_iter();
        self.vars = ends.next().unwrap_or_default();
        for end in ends {
            for (var, value) in self.vars.iter_mut().zip(end) {
                var.add(value);
            }
        }
    }

    fn set(&mut self, place: &Place, value: Values) {
        match &place.kind {
            PlaceKind::Var(var) => self.vars[*var] = value,
            PlaceKind::Slice { of, lo } => {
                let mask = arith::shl(Int::ones(place.width), u64::from(*lo));
                if let PlaceKind::Var(var) = of.kind {
                    let old = self.vars[var].clone();
                    self.vars[var] = old.with(&value, |old, value| {
                        arith::or(arith::and(old, arith::not(mask)), arith::shl(value, u64::from(*lo)))
                    });
                }
            }
            PlaceKind::Part { of, .. } => self.set(of, Values::unknown()),
            PlaceKind::Concat(parts) => parts.iter().for_each(|part| self.set(part, Values::unknown())),
            PlaceKind::Register(_) | PlaceKind::Flags(_) | PlaceKind::State(_) => {}
        }
    }

    fn expr(&mut self, e: &Expr) -> Values {
        match &e.kind {
            ExprKind::Const(value) => Values::of(*value),
            ExprKind::Var(var) => self.vars[*var].clone(),
            ExprKind::Field(field) => Values::of(value::of(&self.form.fields[*field], self.word)),
            ExprKind::Condition(condition) => {
                Values::of(arith::bit(self.behaviour.conditions[*condition].words.contains(self.word)))
            }
            ExprKind::Supplied(Supplied::Pc) => Values::of(Int::from(u128::from(self.pc[0]))),
            ExprKind::Supplied(Supplied::Next) => Values::of(Int::from(u128::from(self.pc[1]))),
            ExprKind::Slice { of, lo } => self.expr(of).map(|of| Some(arith::shr(of, u64::from(*lo)).truncated(e.width))),
            ExprKind::Part { of, at } => {
                let (of, at) = (self.expr(of), self.expr(at));
                of.with(&at, |of, at| arith::shr(of, arith::saturating_u64(at)).truncated(e.width))
            }
            ExprKind::Concat(parts) => parts.iter().fold(Values::of(Int::default()), |all, part| {
                let low = self.expr(part);
                all.with(&low, |high, low| arith::or(arith::shl(high, part.width.into()), low))
            }),
            ExprKind::Unary(op, of) => self.expr(of).map(|of| Some(arith::unary(*op, of, e.width))),
            ExprKind::Binary(op, a, b) => {
                let (left, right) = (self.expr(a), self.expr(b));
                left.with(&right, |left, right| arith::binary(*op, left, right, a.width))
            }
            ExprKind::If { arms, otherwise } => {
                let mut all = Values::default();
                for (condition, value) in arms {
                    let [holds, fails] = self.expr(condition).ways();
                    if holds {
                        all.add(self.expr(value));
                    }
                    if !fails {
                        return all;
                    }
                }
                all.add(self.expr(otherwise));
                all
            }
            ExprKind::Match { on, arms, otherwise } => {
                let on = self.expr(on);
                let mut all = Values::default();
                for (_, value) in arms.iter().filter(|(labels, _)| on.others || on.known.iter().any(|n| labels.contains(n))) {
                    all.add(self.expr(value));
                }
                if on.others || on.known.iter().any(|n| !arms.iter().any(|(labels, _)| labels.contains(n))) {
                    all.add(self.expr(otherwise));
                }
                all
            }
            ExprKind::Call { function: Function::Int(function), args, exact: None, .. } => {
                let values: Vec<Values> = args.iter().map(|arg| self.expr(arg)).collect();
                let from = args.first().map_or(1, |arg| arg.width);
                match values.as_slice() {
                    [of] => of.map(|of| Some(arith::function(*function, &[of], from, e.width))),
                    _ if values.iter().all(|value| value.known.len() == 1 && !value.others) => {
                        let values: Vec<Int> = values.iter().map(|value| value.known[0]).collect();
                        Values::of(arith::function(*function, &values, from, e.width))
                    }
                    _ => Values::unknown(),
                }
            }
            ExprKind::Block(stmts, value) => {
                self.stmts(stmts);
                self.expr(value)
            }
            ExprKind::Register(_)
            | ExprKind::Flags(_)
            | ExprKind::State(_)
            | ExprKind::Supplied(_)
            | ExprKind::Variant(_)
            | ExprKind::Load(_)
            | ExprKind::Other { .. }
            | ExprKind::Ballot(_)
            | ExprKind::Call { .. } => Values::unknown(),
        }
    }
}
