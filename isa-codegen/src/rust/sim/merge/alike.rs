//! Statements of two bodies that may be merged.

use isa_spec::semantics::typed::{Place, PlaceKind, Stmt, StmtKind};

/// The shortest list of statements in which both lists are, in their order.
pub(super) fn together<'s>(a: Vec<&'s Stmt>, b: &'s [Stmt]) -> Vec<&'s Stmt> {
    // The greatest number of statements of the rests that can be merged.
    let mut alike = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            let apart = alike[i + 1][j].max(alike[i][j + 1]);
            alike[i][j] = if is_alike(a[i], &b[j]) { apart.max(alike[i + 1][j + 1] + 1) } else { apart };
        }
    }
    let (mut i, mut j, mut made) = (0, 0, Vec::new());
    while i < a.len() || j < b.len() {
        if i < a.len() && j < b.len() && is_alike(a[i], &b[j]) && alike[i][j] == alike[i + 1][j + 1] + 1 {
            made.push(a[i]);
            (i, j) = (i + 1, j + 1);
        } else if j == b.len() || i < a.len() && alike[i + 1][j] >= alike[i][j + 1] {
            made.push(a[i]);
            i += 1;
        } else {
            made.push(&b[j]);
            j += 1;
        }
    }
    made
}

/// True if statements may be the same one of two bodies.
pub(super) fn is_alike(a: &Stmt, b: &Stmt) -> bool {
    match (&a.kind, &b.kind) {
        (StmtKind::Set(a, _), StmtKind::Set(b, _)) => a.width == b.width && root(a) == root(b),
        (StmtKind::If { arms: a, .. }, StmtKind::If { arms: b, .. }) => a.len() == b.len(),
        (StmtKind::Match { .. }, StmtKind::Match { .. }) => true,
        (StmtKind::Atomic { at: a, new: x, .. }, StmtKind::Atomic { at: b, new: y, .. }) => {
            a.space == b.space && x.width == y.width
        }
        (StmtKind::Store(_, a), StmtKind::Store(_, b)) => a.width == b.width,
        (StmtKind::Action(a, _), StmtKind::Action(b, _)) => a == b,
        _ => false,
    }
}

/// The kind and the file of the state that a place is part of.
fn root(place: &Place) -> (u8, usize) {
    match &place.kind {
        PlaceKind::Var(_) => (0, 0),
        PlaceKind::Register(r) => (1, r.file),
        PlaceKind::Flags(f) => (2, f.file),
        PlaceKind::State(s) => (3, *s),
        PlaceKind::Slice { of, .. } | PlaceKind::Part { of, .. } => root(of),
        PlaceKind::Concat(parts) => parts.first().map_or((4, 0), root),
    }
}
