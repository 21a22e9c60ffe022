//! The variables whose flags a text asks for: `raised(x)`.

use isa_model::semantics::ast::{Expr, ExprKind, Stmt, StmtKind};

/// The names in `raised(…)` of a body and of the value that it returns.
pub(super) fn asked(body: &[Stmt], value: Option<&Expr>) -> Vec<String> {
    let mut names = Vec::new();
    stmts(body, &mut names);
    value.into_iter().for_each(|value| expr(value, &mut names));
    names
}

fn stmts(body: &[Stmt], names: &mut Vec<String>) {
    for stmt in body {
        match &stmt.kind {
            StmtKind::Let { value, .. } => expr(value, names),
            StmtKind::Assign { place, value } => [place, value].into_iter().for_each(|e| expr(e, names)),
            StmtKind::Call { args, .. } => args.iter().for_each(|arg| expr(arg, names)),
            StmtKind::If { arms, otherwise } => {
                for (cond, body) in arms {
                    expr(cond, names);
                    stmts(body, names);
                }
                stmts(otherwise, names);
            }
            StmtKind::Match { on, arms, otherwise } => {
                expr(on, names);
                arms.iter().for_each(|arm| stmts(&arm.1, names));
                stmts(otherwise, names);
            }
            StmtKind::For { body, .. } => stmts(body, names),
        }
    }
}

fn expr(e: &Expr, names: &mut Vec<String>) {
    match &e.kind {
        ExprKind::Call { name, args } => {
            if let ("raised", [Expr { kind: ExprKind::Name { path, .. }, .. }]) = (name.text.as_str(), args.as_slice()) {
                names.push(path.clone());
            }
            args.iter().for_each(|arg| expr(arg, names));
        }
        ExprKind::Int { .. } | ExprKind::Text(_) | ExprKind::Name { .. } | ExprKind::Is { .. } => {}
        ExprKind::Index { of, at } => [of, at].into_iter().for_each(|e| expr(e, names)),
        ExprKind::Slice { of, hi, lo } => [of, hi, lo].into_iter().for_each(|e| expr(e, names)),
        ExprKind::Part { of, at, count } => [of, at, count].into_iter().for_each(|e| expr(e, names)),
        ExprKind::Member { of, .. } | ExprKind::Unary { of, .. } | ExprKind::Change { new: of, .. } => expr(of, names),
        ExprKind::Binary { left, right, .. } => [left, right].into_iter().for_each(|e| expr(e, names)),
        ExprKind::If { arms, otherwise } => {
            arms.iter().flat_map(|(cond, value)| [cond, value]).chain([&**otherwise]).for_each(|e| expr(e, names));
        }
        ExprKind::Match { on, arms, otherwise } => {
            [&**on].into_iter().chain(arms.iter().map(|arm| &arm.1)).chain([&**otherwise]).for_each(|e| expr(e, names));
        }
    }
}
