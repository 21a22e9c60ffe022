//! No body reads state that it has written: what an instruction means must not depend on whether writes are seen at once, and
//! whether lanes run one after the other or together. A value that is needed later is read first, into a variable.
//!
//! With one lane, memory is exempt: each access happens once, in the order of the text.

use isa_model::semantics::MeaningFault;
use isa_model::semantics::machine::Machine;
use isa_model::semantics::typed::{Access, Expr, ExprKind, Place, PlaceKind, Stmt, StmtKind};

/// A piece of state, as coarse as it is cheap to tell apart.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Key {
    Registers(usize),
    Flags(usize),
    State(usize),
    Written(usize),
    Loaded(usize),
}

/// The accesses on the way to a statement.
#[derive(Clone)]
struct Done<'m> {
    keys: Vec<Key>,
    machine: &'m Machine,
}

impl Done<'_> {
    fn contains(&self, key: &Key) -> bool {
        self.keys.contains(key)
    }

    /// Returns true if any memory that an access to the space can go to was used so.
    fn has(&self, key: fn(usize) -> Key, space: usize) -> bool {
        self.machine.reached(space).into_iter().any(|space| self.contains(&key(space)))
    }

    /// Notes that the memories that an access to the space can go to are used so.
    fn used(&mut self, key: fn(usize) -> Key, space: usize) {
        self.machine.reached(space).into_iter().for_each(|space| note(self, key(space)));
    }
}

pub(super) fn check(stmts: &[Stmt], machine: &Machine, faults: &mut Vec<MeaningFault>) {
    walk(stmts, &mut Done { keys: Vec::new(), machine }, faults);
}

fn walk(stmts: &[Stmt], done: &mut Done<'_>, faults: &mut Vec<MeaningFault>) {
    for stmt in stmts {
        match &stmt.kind {
            StmtKind::Set(place, value) => {
                reads(value, done, faults);
                finding(place, done, faults);
                written(place, done);
            }
            StmtKind::If { arms, otherwise } => {
                arms.iter().for_each(|a| reads(&a.0, done, faults));
                parts(arms.iter().map(|a| &a.1).chain([otherwise]), done, faults);
            }
            StmtKind::Match { on, arms, otherwise } => {
                reads(on, done, faults);
                parts(arms.iter().map(|a| &a.1).chain([otherwise]), done, faults);
            }
            StmtKind::Store(access, value) => {
                address(access, done, faults);
                reads(value, done, faults);
                if done.has(Key::Loaded, access.space) {
                    push(faults, &access.address, "this memory was read above: only `atomic` reads and writes");
                }
                done.used(Key::Written, access.space);
            }
            StmtKind::Atomic { at, new, .. } => {
                address(at, done, faults);
                reads(new, done, faults);
                if done.has(Key::Loaded, at.space) || done.has(Key::Written, at.space) {
                    push(faults, &at.address, "this memory was read or written above: `atomic` must be the only access to it");
                }
                done.used(Key::Written, at.space);
            }
            StmtKind::Action(_, args) => args.iter().for_each(|a| reads(a, done, faults)),
        }
    }
}

/// Paths that diverge and reconverge.
fn parts<'a>(ways: impl Iterator<Item = &'a Vec<Stmt>>, done: &mut Done<'_>, faults: &mut Vec<MeaningFault>) {
    let before = done.clone();
    for way in ways {
        let mut here = before.clone();
        walk(way, &mut here, faults);
        here.keys.into_iter().for_each(|key| note(done, key));
    }
}

fn note(done: &mut Done<'_>, key: Key) {
    let is_free = done.machine.lanes == 1 && matches!(key, Key::Written(_) | Key::Loaded(_));
    if !is_free && !done.contains(&key) {
        done.keys.push(key);
    }
}

fn push(faults: &mut Vec<MeaningFault>, at: &Expr, message: &str) {
    push_new(faults, MeaningFault::new(at.range.clone(), message));
}

/// Adds a fault that is not known yet.
fn push_new(faults: &mut Vec<MeaningFault>, fault: MeaningFault) {
    if !faults.contains(&fault) {
        faults.push(fault);
    }
}

/// Records the reads of finding a place, which is found before anything is written.
fn finding(place: &Place, done: &mut Done<'_>, faults: &mut Vec<MeaningFault>) {
    match &place.kind {
        PlaceKind::Var(_) | PlaceKind::State(_) => {}
        PlaceKind::Register(r) => reads(&r.index, done, faults),
        PlaceKind::Flags(f) => reads(&f.index, done, faults),
        PlaceKind::Slice { of, .. } => finding(of, done, faults),
        PlaceKind::Part { of, at } => {
            reads(at, done, faults);
            finding(of, done, faults);
        }
        PlaceKind::Concat(parts) => parts.iter().for_each(|p| finding(p, done, faults)),
    }
}

fn written(place: &Place, done: &mut Done<'_>) {
    match &place.kind {
        PlaceKind::Var(_) => {}
        PlaceKind::Register(r) => note(done, Key::Registers(r.file)),
        PlaceKind::Flags(f) => note(done, Key::Flags(f.file)),
        PlaceKind::State(state) => note(done, Key::State(*state)),
        PlaceKind::Slice { of, .. } | PlaceKind::Part { of, .. } => written(of, done),
        PlaceKind::Concat(parts) => parts.iter().for_each(|p| written(p, done)),
    }
}

fn address(access: &Access, done: &mut Done<'_>, faults: &mut Vec<MeaningFault>) {
    access.bank.iter().chain([&access.address]).for_each(|e| reads(e, done, faults));
}

fn reads(e: &Expr, done: &mut Done<'_>, faults: &mut Vec<MeaningFault>) {
    let mut seen = |key: Key, what: &str| {
        if done.contains(&key) {
            let help = Some("read what is needed later first, with `let`".to_owned());
            let fault = MeaningFault::new(e.range.clone(), format!("{what} written above and can't be read here"));
            push_new(faults, MeaningFault { help, ..fault });
        }
    };
    match &e.kind {
        ExprKind::Register(r) => seen(Key::Registers(r.file), "this register file was"),
        ExprKind::Flags(f) => seen(Key::Flags(f.file), "these flags were"),
        ExprKind::State(state) => seen(Key::State(*state), "this was"),
        ExprKind::Load(access) => {
            done.machine.reached(access.space).into_iter().for_each(|space| seen(Key::Written(space), "this memory was"));
        }
        _ => {}
    }
    match &e.kind {
        ExprKind::Register(r) => reads(&r.index, done, faults),
        ExprKind::Flags(f) => reads(&f.index, done, faults),
        ExprKind::Load(access) => {
            address(access, done, faults);
            done.used(Key::Loaded, access.space);
        }
        ExprKind::Other { value: a, lane: b } => [a, b].into_iter().for_each(|e| reads(e, done, faults)),
        ExprKind::Slice { of, .. } | ExprKind::Unary(_, of) | ExprKind::Ballot(of) => reads(of, done, faults),
        ExprKind::Part { of: a, at: b } | ExprKind::Binary(_, a, b) => [a, b].into_iter().for_each(|e| reads(e, done, faults)),
        ExprKind::Concat(parts) | ExprKind::Call { args: parts, .. } => parts.iter().for_each(|e| reads(e, done, faults)),
        ExprKind::If { arms, otherwise } => {
            arms.iter().flat_map(|(c, v)| [c, v]).chain([&**otherwise]).for_each(|e| reads(e, done, faults));
        }
        ExprKind::Match { on, arms, otherwise } => {
            [&**on].into_iter().chain(arms.iter().map(|a| &a.1)).chain([&**otherwise]).for_each(|e| reads(e, done, faults));
        }
        ExprKind::Block(stmts, value) => {
            walk(stmts, done, faults);
            reads(value, done, faults);
        }
        ExprKind::Const(_) | ExprKind::Var(_) | ExprKind::Field(_) | ExprKind::Condition(_) | ExprKind::State(_) => {}
        ExprKind::Supplied(_) | ExprKind::Variant(_) => {}
    }
}
