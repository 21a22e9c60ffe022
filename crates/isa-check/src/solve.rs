//! Conditions to sets of words: of each form the words that belong to it, and for each of its conditions those for which it holds.

use isa_model::diag::{Diagnostic, Diagnostics};
use isa_model::model::condition::Seen;
use isa_model::model::{Access, Condition, Executes, Field, Form, Isa, Piece, When, Word};
use isa_model::sets::{Cube, Order, Set, Solver, TooLarge};
use isa_model::span::Span;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Fills in all sets of a model.
pub fn solve(isa: &mut Isa, diags: &mut Diagnostics) {
    let lengths: BTreeSet<u32> = isa.forms.iter().map(|f| f.length).collect();
    isa.orders = lengths.into_iter().map(|bits| (bits, order(isa, bits))).collect();
    let owners: Vec<(String, Span)> = isa.instructions.iter().map(|i| (i.name.clone(), i.span)).collect();
    let mut findings = Findings { diags, said: HashSet::new(), verdicts: BTreeMap::new() };
    for (bits, order) in &isa.orders {
        let mut solver = Solver::new(order);
        for form in isa.forms.iter_mut().filter(|f| f.length == *bits) {
            if solver.is_filling() {
                solver = Solver::new(order);
            }
            let (name, span) = &owners[form.instruction.index()];
            solve_form(form, name, *span, &mut solver, &mut findings);
        }
    }
    if !findings.diags.has_errors() {
        findings.idle_conditions();
    }
}

/// Findings about conditions.
struct Findings<'a> {
    diags: &'a mut Diagnostics,
    /// A shared piece is checked for each of its users, and reported once.
    said: HashSet<(&'static str, Span)>,
    /// For each condition of the spec whether it can hold in some form, and whether it can fail.
    verdicts: BTreeMap<Span, (bool, bool)>,
}

impl Findings<'_> {
    fn report(&mut self, diagnostic: Diagnostic) {
        if self.said.insert((diagnostic.code, diagnostic.span())) {
            self.diags.push(diagnostic);
        }
    }

    fn entangled(&mut self, span: Span, error: TooLarge) {
        let d = Diagnostic::error("entangled", format!("this condition is too entangled: {error}"), span);
        self.report(d.with_help("split it into conditions that each look at fewer fields"));
    }

    /// Warnings about conditions that hold for no word, or for all.
    fn idle_conditions(&mut self) {
        // Synthesised conditions have no span.
        self.verdicts.remove(&Span::default());
        for (span, verdict) in std::mem::take(&mut self.verdicts) {
            let what = match verdict {
                (false, _) => "this condition never holds",
                (_, false) => "this condition always holds",
                _ => continue,
            };
            self.report(Diagnostic::warning("idle-condition", what, span));
        }
    }
}

/// The bits that nearly all forms of this length fix, where there are many forms: asked first, they keep the forms apart, so that a set of
/// all forms is hardly larger than the sets of each.
fn opcode(isa: &Isa, bits: u32) -> Word {
    let masks = || isa.forms.iter().filter(|f| f.length == bits).map(|f| f.mask);
    let forms = masks().count();
    if forms < MANY_FORMS {
        return Word::default();
    }
    let is_opcode = |bit: &u32| masks().filter(|mask| mask.has(*bit)).count() * 10 >= forms * 9;
    (0..bits).filter(is_opcode).fold(Word::default(), |all, bit| all | Word::bit(bit))
}

/// The number of forms from which on there are many.
const MANY_FORMS: usize = 512;

/// The order in which sets of words of this length ask for bits.
fn order(isa: &Isa, bits: u32) -> Order {
    let mut groups: HashSet<Word> = HashSet::new();
    for form in isa.forms.iter().filter(|f| f.length == bits) {
        let mut seen = Seen::new();
        for condition in conditions(form) {
            condition.cond.groups(&form.fields, &mut seen, &mut groups);
        }
    }
    let mut groups: Vec<Word> = groups.into_iter().filter(|g| g.count_ones() > 1).collect();
    // The smallest say most about which bits belong together.
    groups.sort_unstable_by_key(|g| (g.count_ones(), *g));
    groups.truncate(MAX_GROUPS);
    Order::near(bits, &groups).beginning_with(opcode(isa, bits))
}

/// The greatest number of groups of bits that an order is made from.
const MAX_GROUPS: usize = 4096;

/// All conditions of a form on its own bits.
fn conditions(form: &Form) -> Vec<&Condition> {
    let mut list: Vec<&Condition> = form.exclusions.iter().map(|e| &e.when).collect();
    list.extend(form.constraints.iter().map(|c| &c.that));
    let texts = std::iter::once(&form.text).chain(&form.also).chain(form.bodies.iter().flatten()).chain([&form.full]);
    let texts = texts.chain(form.refused.iter().map(|r| &r.begins));
    texts.for_each(|text| groups_of(text, &mut list));
    list.extend(form.behaviour.iter().flat_map(|b| &b.conditions));
    list.extend(form.control.iter().map(|item| &item.when));
    list.extend(form.accesses.iter().filter_map(|access| access.when.as_ref()));
    list
}

fn groups_of<'a>(pieces: &'a [Piece], list: &mut Vec<&'a Condition>) {
    for piece in pieces {
        if let Piece::Group { when, body } = piece {
            if let When::Holds(condition) = when {
                list.push(condition);
            }
            groups_of(body, list);
        }
    }
}

/// The fields of a form, and the sets of those of its conditions that are shared.
struct Known<'f> {
    fields: &'f [Field],
    seen: Seen<Set>,
}

/// The sets of one form.
fn solve_form(form: &mut Form, name: &str, span: Span, solver: &mut Solver<'_>, findings: &mut Findings<'_>) {
    let Form {
        fields,
        exclusions,
        constraints,
        text,
        also,
        has_base,
        spelt,
        bodies,
        full,
        control,
        refused,
        behaviour,
        accesses,
        executes,
        ..
    } = form;
    let known = &mut Known { fields, seen: Seen::new() };
    let belong = solver.attempt(|solver| solver.cube(Cube::new(form.mask, form.value)));
    let Ok(mut words) = belong else { return findings.entangled(span, TooLarge) };
    for exclusion in exclusions.iter_mut() {
        let Some(out) = condition(&mut exclusion.when, known, solver, findings) else { return };
        judge(&exclusion.when, words, out, solver, findings);
        match solver.attempt(|solver| solver.minus(words, out)) {
            Ok(rest) => words = rest,
            Err(error) => return findings.entangled(exclusion.when.span, error),
        }
    }
    if words == Set::NONE {
        findings.report(Diagnostic::error("empty", format!("this form of `{name}` has no words"), span));
        return;
    }
    form.words = solver.freeze(words);
    let mut legal = words;
    for rule in constraints.iter_mut() {
        let Some(holds) = condition(&mut rule.that, known, solver, findings) else { return };
        judge(&rule.that, words, holds, solver, findings);
        match solver.attempt(|solver| solver.and(legal, holds)) {
            Ok(Set::NONE) => {
                let what = if legal == words { "this rule" } else { "this rule and those before it" };
                let message = format!("no word of this form of `{name}` satisfies {what}");
                findings.report(Diagnostic::error("empty", message, rule.span).with_label(span, "the instruction"));
                return;
            }
            Ok(rest) => legal = rest,
            Err(error) => return findings.entangled(rule.span, error),
        }
    }
    form.legal = solver.freeze(legal);
    // Texts of which each word has one are all printed.
    let (mut all, mut are_several) = (Set::NONE, *has_base);
    for spelt in &mut *spelt {
        let Some(holds) = condition(&mut spelt.when, known, solver, findings) else { return };
        let found = solver.attempt(|solver| {
            let own = solver.and(legal, holds)?;
            Ok((solver.and(all, own)? != Set::NONE, solver.or(all, own)?))
        });
        let Ok((is_shared, more)) = found else { return findings.entangled(spelt.when.span, TooLarge) };
        (all, are_several) = (more, are_several | is_shared);
    }
    if !are_several {
        spelt.clear();
    }
    let templates = std::iter::once(text).chain(also).chain(bodies.iter_mut().flatten()).chain([full]);
    let templates = templates.chain(refused.iter_mut().map(|r| &mut r.begins)).chain(spelt.iter_mut().map(|s| &mut s.text));
    for template in templates {
        if !solve_groups(template, known, words, solver, findings) {
            return;
        }
    }
    for when in control.iter_mut().map(|item| &mut item.when) {
        let Some(holds) = condition(when, known, solver, findings) else { return };
        judge(when, words, holds, solver, findings);
    }
    for when in behaviour.iter_mut().flat_map(|b| &mut b.conditions) {
        if condition(when, known, solver, findings).is_none() {
            return;
        }
    }
    solve_accesses(accesses, known, words, solver, findings);
    if let Some(Executes { not, fields, .. }) = executes {
        let known = &mut Known { fields, seen: Seen::new() };
        let _ = not.iter_mut().try_for_each(|when| condition(when, known, solver, findings).map(|_| ()));
    }
}

/// The words in which registers are read and written. If the conditions of a semantics are too entangled, its greatest counts
/// apply to all words.
fn solve_accesses(
    accesses: &mut Vec<Access>,
    known: &mut Known<'_>,
    words: Set,
    solver: &mut Solver<'_>,
    findings: &mut Findings<'_>,
) {
    let mut entangled: Vec<(usize, bool)> = Vec::new();
    // The words of the entries before, for the same registers.
    let mut taken = ((usize::MAX, false), Set::NONE);
    for access in accesses.iter_mut() {
        let key = (access.field, access.writes > 0);
        if taken.0 != key {
            taken = (key, Set::NONE);
        }
        let Some(when) = &mut access.when else { continue };
        let holds = if when.span == Span::default() {
            solver.attempt(|solver| when.cond.set(known.fields, solver, &mut known.seen))
        } else {
            let Some(holds) = condition(when, known, solver, findings) else { return };
            judge(when, words, holds, solver, findings);
            Ok(holds)
        };
        let solved = holds.and_then(|holds| {
            solver.attempt(|solver| {
                let own = solver.minus(holds, taken.1)?;
                let own = solver.and(own, words)?;
                Ok((own, solver.minus(words, own)?, solver.or(taken.1, holds)?))
            })
        });
        match solved {
            Ok((own, others, all)) => {
                taken.1 = all;
                when.words = solver.freeze(own);
                if own == Set::NONE {
                    (access.reads, access.writes) = (0, 0);
                } else if others == Set::NONE {
                    access.when = None;
                }
            }
            Err(_) => {
                known.seen.clear();
                entangled.push(key);
            }
        }
    }
    accesses.retain(|access| access.reads > 0 || access.writes > 0);
    for (field, writes) in entangled {
        let is_it = |access: &Access| access.field == field && (access.writes > 0) == writes;
        let count = accesses.iter().filter(|access| is_it(access)).map(|access| access.reads.max(access.writes)).max();
        let first = accesses.iter().position(is_it);
        accesses.retain(|access| !is_it(access));
        if let (Some(count), Some(first)) = (count, first) {
            let [reads, writes] = if writes { [0, count] } else { [count, 0] };
            accesses.insert(first, Access { field, when: None, reads, writes });
        }
    }
}

fn solve_groups(
    pieces: &mut [Piece],
    known: &mut Known<'_>,
    words: Set,
    solver: &mut Solver<'_>,
    findings: &mut Findings<'_>,
) -> bool {
    pieces.iter_mut().all(|piece| {
        let Piece::Group { when, body } = piece else { return true };
        if let When::Holds(when) = when {
            let Some(holds) = condition(when, known, solver, findings) else { return false };
            judge(when, words, holds, solver, findings);
        }
        solve_groups(body, known, words, solver, findings)
    })
}

/// The words for which a condition holds; `None` if that could not be computed, which is reported.
fn condition(
    condition: &mut Condition,
    known: &mut Known<'_>,
    solver: &mut Solver<'_>,
    findings: &mut Findings<'_>,
) -> Option<Set> {
    match solver.attempt(|solver| condition.cond.set(known.fields, solver, &mut known.seen)) {
        Ok(set) => {
            condition.words = solver.freeze(set);
            Some(set)
        }
        Err(error) => {
            known.seen.clear();
            findings.entangled(condition.span, error);
            None
        }
    }
}

/// Notes whether the condition can hold, and whether it can fail, among these words.
fn judge(condition: &Condition, words: Set, holds: Set, solver: &mut Solver<'_>, findings: &mut Findings<'_>) {
    let some = |set: Result<Set, TooLarge>| set.is_ok_and(|set| set != Set::NONE);
    let verdict = findings.verdicts.entry(condition.span).or_default();
    if !verdict.0 {
        verdict.0 = some(solver.attempt(|solver| solver.and(words, holds)));
    }
    if !verdict.1 {
        verdict.1 = some(solver.attempt(|solver| solver.minus(words, holds)));
    }
}
