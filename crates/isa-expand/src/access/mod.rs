//! The registers that a form reads and writes: as `reads` and `writes` say, else as the semantics does.

mod counts;
mod derived;

use super::assembly::{Assembly, Instance};
use super::conditions::{FormScope, Found};
use super::context::Context;
use counts::{Counts, Known, Way, greatest, most};
use isa_model::diag::Diagnostic;
use isa_model::model::condition::{NoneOf, and};
use isa_model::model::{Access, Behaviour, Cond, Condition, Field, Label};
use isa_model::semantics::builtins::Action;
use isa_model::semantics::typed::{Stmt, StmtKind};
use isa_model::span::{Span, Text};
use isa_syntax::read::AccessDecl;
use std::collections::BTreeMap;

/// Declared counts, each with the place of its declaration.
type Stated = BTreeMap<(usize, Way), (Counts, Span)>;

/// The accesses of a form. Accesses that `reads` and `writes` do not name follow from the semantics; without semantics, registers
/// that are not written are read.
pub(super) fn accesses<'s>(
    cx: &Context<'s, '_>,
    scope: &FormScope<'_>,
    assembly: &Assembly<'s>,
    meant: Option<(&FormScope<'_>, &Assembly<'s>)>,
    behaviour: Option<&Behaviour>,
) -> Vec<Access> {
    let (scope, assembly) = match meant {
        Some(meant) if !states(assembly) => meant,
        _ => (scope, assembly),
    };
    let stated = stated(cx, scope, assembly);
    let mut all: Known = stated.iter().map(|(key, (counts, _))| (*key, counts.clone())).collect();
    match behaviour {
        Some(behaviour) => {
            let derived = derived::accesses(cx, scope, behaviour);
            let is_partial = is_partial(&behaviour.body.stmts);
            compare(cx, scope, &stated, &derived, is_partial);
            for (key, mut counts) in derived {
                // If the semantics is incomplete, registers are read as if nothing were declared.
                if is_partial && key.1 == Way::Read {
                    counts.push((Cond::Const(true), 1, Span::default()));
                }
                all.entry(key).or_insert(counts);
            }
            if is_partial && states(assembly) {
                read_what_is_not_written(scope, &mut all);
            }
        }
        None if states(assembly) => read_what_is_not_written(scope, &mut all),
        // Accesses declared by operands alone count only in forms that declare the rest.
        None => return Vec::new(),
    }
    list(all)
}

/// Adds a read for each register without a declared access that is not written.
fn read_what_is_not_written(scope: &FormScope<'_>, all: &mut Known) {
    for field in (0..scope.fields.len()).filter(|field| is_register(&scope.fields[*field])) {
        let is_written = all.get(&(field, Way::Write)).is_some_and(|counts| most(counts) > 0);
        let reads = if is_written { 0 } else { 1 };
        all.entry((field, Way::Read)).or_insert_with(|| vec![(Cond::Const(true), reads, Span::default())]);
    }
}

/// True if it says itself what it accesses.
fn states(assembly: &Assembly<'_>) -> bool {
    let own = assembly.instances.iter().filter(|instance| instance.operand.is_none());
    own.into_iter().any(|instance| instance.part.reads.is_some() || instance.part.writes.is_some())
}

fn is_register(field: &Field) -> bool {
    matches!(field.label, Label::Register(_))
}

/// The accesses declared by `reads` and `writes`. If several parts name a field, the last one counts: an instruction comes after
/// its formats, its alternatives and operands come after it. Each has its place.
fn stated(cx: &Context<'_, '_>, scope: &FormScope<'_>, assembly: &Assembly<'_>) -> Stated {
    let mut all = Stated::new();
    for instance in &assembly.instances {
        for (way, decls) in [(Way::Read, &instance.part.reads), (Way::Write, &instance.part.writes)] {
            for decl in decls.iter().flatten() {
                let Some(fields) = named(cx, scope, instance, decl) else { continue };
                let mut parts = decl.counts.iter().map(|part| cases(cx, scope, instance, part));
                let counts = match decl.counts.len() {
                    1 => parts.next().unwrap_or_default(),
                    _ => sum(cx, parts, decl.name.span),
                };
                for field in fields {
                    all.insert((field, way), (counts.clone(), decl.name.span));
                }
            }
        }
    }
    all
}

/// Counts by their conditions.
fn cases(cx: &Context<'_, '_>, scope: &FormScope<'_>, instance: &Instance<'_>, list: &[(Option<Text>, u32)]) -> Counts {
    let case = |(when, count): &(Option<Text>, u32)| match when {
        Some(when) => Some((scope.condition(cx, when, &instance.prefix, &instance.env)?, *count, when.span)),
        None => Some((Cond::Const(true), *count, Span::default())),
    };
    list.iter().filter_map(case).collect()
}

/// The limit on the combinations of counts that are added.
const MAX_SUMS: usize = 1024;

/// The sums of counts, each with the condition under which it is reached.
fn sum(cx: &Context<'_, '_>, parts: impl Iterator<Item = Counts>, span: Span) -> Counts {
    let mut sums = vec![(0, Cond::Const(true))];
    for part in parts {
        let mut before = NoneOf::default();
        let mut cases: Vec<(u32, Cond)> = Vec::new();
        for (cond, count, _) in part.into_iter().chain([(Cond::Const(true), 0, Span::default())]) {
            cases.push((count, before.but(cond.clone())));
            before.push(cond);
        }
        cases.retain(|(_, cond)| *cond != Cond::Const(false));
        if sums.len() * cases.len() > MAX_SUMS {
            cx.error("too-large", format!("these counts have more than {MAX_SUMS} sums"), span);
            return Counts::new();
        }
        let with = |(total, reached): &(u32, Cond)| {
            let reached = reached.clone();
            let added = cases.iter().map(|(count, cond)| (total + count, and(vec![reached.clone(), cond.clone()])));
            added.filter(|(_, cond)| *cond != Cond::Const(false)).collect::<Vec<_>>()
        };
        sums = sums.iter().flat_map(with).collect();
    }
    greatest(sums)
}

/// The fields that a name means: one, or the registers of an operand.
fn named(cx: &Context<'_, '_>, scope: &FormScope<'_>, instance: &Instance<'_>, decl: &AccessDecl) -> Option<Vec<usize>> {
    let name = instance.env.apply(cx, &decl.name)?;
    let (path, is_optional) = match name.value.strip_suffix('?') {
        Some(path) => (path, true),
        None => (name.value.as_str(), false),
    };
    let within = format!("{path}.");
    let operand: Vec<usize> = scope.within(&within).into_iter().map(|(field, _)| field).collect();
    match scope.find(path, &instance.prefix) {
        Found::Field(field) if is_register(&scope.fields[field]) => {
            cx.report.used.borrow_mut().insert(decl.name.span);
            Some(vec![field])
        }
        Found::Field(_) | Found::Define(_) | Found::Reading(_) => {
            cx.error("accesses", format!("`{path}` names no register"), decl.name.span);
            None
        }
        Found::Fixed(..) => {
            cx.report.used.borrow_mut().insert(decl.name.span);
            None
        }
        Found::Nothing => {
            let is_operand = !operand.is_empty() || scope.fixed.iter().any(|(field, _)| field.path.starts_with(&within));
            if is_operand {
                cx.report.used.borrow_mut().insert(decl.name.span);
            } else if !is_optional {
                scope.unknown(cx, path, &instance.prefix, decl.name.span);
            }
            Some(operand.into_iter().filter(|field| is_register(&scope.fields[*field])).collect())
        }
    }
}

/// True if semantics says of some words alone what they do.
fn is_partial(stmts: &[Stmt]) -> bool {
    let is_open = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Action(Action::Undescribed, _));
    stmts.iter().any(|stmt| is_open(stmt) || stmt.nested().into_iter().any(|stmt| is_partial(std::slice::from_ref(stmt))))
}

/// Compares declared accesses with those of the semantics. More registers can be read than the semantics needs, as with a
/// descriptor; the numbers of written registers must be equal, unless the semantics is incomplete.
fn compare(cx: &Context<'_, '_>, scope: &FormScope<'_>, stated: &Stated, derived: &Known, is_partial: bool) {
    for ((field, way), (counts, place)) in stated {
        let (said, done) = (most(counts), derived.get(&(*field, *way)).map_or(0, most));
        if said == done || (is_partial || *way == Way::Read) && said > done {
            continue;
        }
        let (field, verb) = (&scope.fields[*field], if *way == Way::Read { "reads" } else { "writes" });
        let registers = |count| match count {
            0 => "no register".to_string(),
            1 => "1 register".to_string(),
            count => format!("{count} registers"),
        };
        let message =
            format!("the semantics {verb} {} from `{}` on, `{verb}` says {}", registers(done), field.path, registers(said));
        cx.report(Diagnostic::error("accesses", message, *place));
    }
}

/// The counts as entries; of those with one field and way the first that holds counts.
fn list(all: Known) -> Vec<Access> {
    let mut list: Vec<Access> = Vec::new();
    for ((field, way), counts) in all {
        let first = list.len();
        for (cond, count, span) in counts {
            let when = match cond {
                Cond::Const(false) => continue,
                Cond::Const(true) if list.len() == first => None,
                cond => Some(Condition::new(cond, span)),
            };
            let is_last = when.as_ref().is_none_or(|when| when.cond == Cond::Const(true));
            let [reads, writes] = [Way::Read, Way::Write].map(|other| if other == way { count } else { 0 });
            list.push(Access { field, when, reads, writes });
            if is_last {
                break;
            }
        }
    }
    list
}
