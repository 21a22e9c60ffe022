//! Conditions of one form: names to fields, comparisons to sets of bits.

use super::assembly::ReadingUse;
use super::context::Context;
use super::env::Env;
use super::values::Meaning;
use isa_model::diag::Diagnostic;
use isa_model::model::condition::{Seen, and, not, or};
use isa_model::model::{Cond, Field, Isa, Label, MAX_FIELD, Raw, Reading};
use isa_model::sets::{Order, Set, Solver, TooLarge, WordSet};
use isa_model::span::{Span, Text};
use isa_runtime::value::{Code, Spelling, Style};
use isa_syntax::lang::{self, Alternative, Compare, CondAst, Lhs, Name, Value};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

/// A field of the other instruction that is a field here.
pub(super) struct Renamed {
    /// Its name there.
    pub(super) name: String,
    /// Index of the field here.
    pub(super) field: usize,
    /// The bits here of its default there, if they can hold it.
    pub(super) default: Option<Raw>,
    /// The style of its numbers there, if that differs.
    pub(super) style: Option<Style>,
}

/// The names that can be used in a form, with their meanings.
pub(super) struct FormScope<'a> {
    pub(super) isa: &'a Isa,
    pub(super) fields: &'a [Field],
    /// Fields that are fixed, and their bits.
    pub(super) fixed: &'a [(Field, Raw)],
    /// Slot, what it picked, what it could have picked.
    pub(super) picks: &'a [(String, String, Vec<String>)],
    pub(super) tags: &'a BTreeSet<String>,
    pub(super) defines: &'a [(String, Text)],
    pub(super) readings: &'a [ReadingUse],
    /// Fields that are declared, but invalid.
    pub(super) failed: &'a [String],
    /// Other names of fields, while the instruction that this one expands to is read.
    pub(super) renamed: Option<&'a [Renamed]>,
    /// Definitions that were asked for.
    pub(super) resolved: Resolved,
}

/// Each definition of a form is resolved once.
#[derive(Default)]
pub(super) struct Resolved {
    conds: RefCell<HashMap<String, Option<Cond>>>,
    pub(super) readings: RefCell<HashMap<String, Option<DeepReading>>>,
    /// The readings that are being resolved.
    pub(super) open: RefCell<HashSet<String>>,
    depths: RefCell<Seen<usize>>,
}

/// A reading, and the number of readings that are computed from each other up to it.
pub(super) type DeepReading = (Arc<Reading>, usize);

/// A condition may become so deep by the definitions that it names.
const MAX_DEPTH: usize = 200;

/// The meaning of a name.
pub(super) enum Found<'a> {
    Field(usize),
    Fixed(&'a Field, Raw),
    Define(&'a Text),
    Reading(&'a ReadingUse),
    Nothing,
}

impl<'a> FormScope<'a> {
    /// Looks a name up: first in the operand in which it is used, then in the form.
    pub(super) fn find(&self, path: &str, prefix: &str) -> Found<'a> {
        let prefixes = if prefix.is_empty() { &[""][..] } else { &[prefix, ""] };
        for prefix in prefixes {
            // Most paths have another length, which costs nothing to see.
            let length = prefix.len() + path.len();
            let is_it = |name: &str| name.len() == length && name.ends_with(path) && name.starts_with(prefix);
            let field = match self.renamed {
                Some(names) => names.iter().find(|renamed| is_it(&renamed.name)).map(|renamed| renamed.field),
                None => self.fields.iter().position(|f| is_it(&f.path)),
            };
            if let Some(i) = field {
                return Found::Field(i);
            }
            if let Some((field, value)) = self.fixed.iter().find(|(f, _)| is_it(&f.path)) {
                return Found::Fixed(field, *value);
            }
            if let Some(reading) = self.readings.iter().find(|reading| is_it(&reading.path)) {
                return Found::Reading(reading);
            }
        }
        match self.defines.iter().find(|(n, _)| n == path) {
            Some((_, text)) => Found::Define(text),
            None => Found::Nothing,
        }
    }

    /// The fields whose names begin with a prefix, each with the field of the other instruction that it replaces.
    pub(super) fn within(&self, prefix: &str) -> Vec<(usize, Option<&'a Renamed>)> {
        match self.renamed {
            Some(names) => names.iter().filter(|r| r.name.starts_with(prefix)).map(|r| (r.field, Some(r))).collect(),
            None => (0..self.fields.len()).filter(|i| self.fields[*i].path.starts_with(prefix)).map(|i| (i, None)).collect(),
        }
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &'a str> {
        let own = self.fields.iter().filter(|_| self.renamed.is_none()).map(|f| f.path.as_str());
        let fields = own.chain(self.renamed.into_iter().flatten().map(|renamed| renamed.name.as_str()));
        let readings = self.readings.iter().map(|reading| reading.path.as_str());
        let defines = self.defines.iter().map(|(name, _)| name.as_str());
        fields.chain(self.fixed.iter().map(|(field, _)| field.path.as_str())).chain(readings).chain(defines)
    }

    pub(super) fn unknown(&self, cx: &Context<'_, '_>, name: &str, prefix: &str, span: Span) {
        if !self.has_failed(name, prefix) {
            cx.unknown("field", name, span, self.names());
        }
    }

    /// True if a field of this name is declared, but invalid, which was already reported.
    pub(super) fn has_failed(&self, name: &str, prefix: &str) -> bool {
        self.failed.iter().any(|f| *f == name || *f == format!("{prefix}{name}"))
    }

    pub(super) fn meaning<'m>(&'m self, field: &'m Field) -> Meaning<'m> {
        Meaning::of(self.isa, field)
    }

    /// Parses and resolves a condition of a piece with these parameters.
    pub(super) fn condition(&self, cx: &Context<'_, '_>, text: &Text, prefix: &str, env: &Env) -> Option<Cond> {
        let text = env.apply(cx, text)?;
        let ast = cx.parse(&cx.parsed.conditions, &text, lang::parse_condition)?;
        self.resolve(cx, &ast, &text, prefix)
    }

    /// Resolves a condition.
    pub(super) fn resolve(&self, cx: &Context<'_, '_>, ast: &CondAst, text: &Text, prefix: &str) -> Option<Cond> {
        Some(match ast {
            CondAst::Or(parts) => or(self.all(cx, parts, text, prefix)?),
            CondAst::And(parts) => and(self.all(cx, parts, text, prefix)?),
            CondAst::Not(part) => not(self.resolve(cx, part, text, prefix)?),
            CondAst::Has(tag, _) => Cond::Const(self.tags.contains(tag)),
            CondAst::Is { slot, alternatives } => Cond::Const(self.picked(cx, slot, alternatives, text)?),
            CondAst::OneHot(name) => match self.named(cx, name, text, prefix)? {
                Found::Field(field) if self.isa.is_name(&self.fields[field]) => {
                    let span = text.at(name.range.clone());
                    cx.error("condition", "programs name this register: a condition can't test it", span);
                    return None;
                }
                Found::Field(field) => {
                    let span = text.at(name.range.clone());
                    Cond::Test { field, values: self.meaning(&self.fields[field]).one_hot(cx, span)? }
                }
                Found::Reading(used) => {
                    let reading = self.reading(cx, used)?;
                    let values = Meaning::of_reading(self.isa, &reading).one_hot(cx, text.at(name.range.clone()))?;
                    Cond::Read { reading, values }
                }
                Found::Fixed(field, value) => {
                    let values = self.meaning(field).one_hot(cx, text.at(name.range.clone()))?;
                    Cond::Const(values.contains(value.into()))
                }
                _ => Cond::Const(false),
            },
            CondAst::Test { lhs: Lhs::Prefix(_), range, .. } => {
                cx.error("condition", "`prefix` can only be used in the condition of a length", text.at(range.clone()));
                return None;
            }
            CondAst::Test { lhs: Lhs::Term(term), arith, compare, range } => {
                let (at, name) = (|r: &std::ops::Range<usize>| text.at(r.clone()), &term.name);
                let span = text.at(range.clone());
                warn_of_reversed(cx, compare, text);
                let left = self.named(cx, name, text, prefix)?;
                if let Some(cond) = self.of_fields(cx, (term, &left), *arith, compare, text, prefix) {
                    return cond;
                }
                let compare = &self.without_sum(cx, term, *arith, compare, text)?;
                // `b.r? == RZ` where this form's `b.r` is of a file without an RZ: it can't be equal.
                let is_lenient = (name.optional || self.renamed.is_some()) && arith.is_none();
                match left {
                    Found::Field(index) => {
                        let meaning = self.meaning(&self.fields[index]);
                        if is_lenient && !meaning.can_be(compare) {
                            return Some(Cond::Const(matches!(compare, Compare::With("!=", ..))));
                        }
                        let (values, negated) = meaning.test(cx, *arith, compare, span, &at)?;
                        let test = Cond::Test { field: index, values };
                        if negated { not(test) } else { test }
                    }
                    Found::Fixed(field, value) => {
                        let (values, negated) = self.meaning(field).test(cx, *arith, compare, span, &at)?;
                        Cond::Const(values.contains(value.into()) != negated)
                    }
                    Found::Reading(used) => {
                        let reading = self.reading(cx, used)?;
                        let meaning = Meaning::of_reading(self.isa, &reading);
                        if is_lenient && !meaning.can_be(compare) {
                            return Some(Cond::Const(matches!(compare, Compare::With("!=", ..))));
                        }
                        let (values, negated) = meaning.test(cx, *arith, compare, span, &at)?;
                        let test = Cond::Read { reading, values };
                        if negated { not(test) } else { test }
                    }
                    Found::Define(definition) => {
                        if !matches!(compare, Compare::NotZero) || arith.is_some() {
                            cx.error("condition", format!("`{}` is a condition, not a number", name.path), span);
                            return None;
                        }
                        self.definition(cx, &name.path, definition)?
                    }
                    Found::Nothing => Cond::Const(false),
                }
            }
        })
    }

    /// The field of the other instruction with this name, if a field here replaces it.
    pub(super) fn stands_for(&self, path: &str, prefix: &str) -> Option<&'a Renamed> {
        let is_it = |name: &str, prefix: &str| name.strip_prefix(prefix) == Some(path);
        let with = |prefix: &str| self.renamed?.iter().find(|renamed| is_it(&renamed.name, prefix));
        with(prefix).or_else(|| with(""))
    }

    /// Exactly these bits of a field.
    pub(super) fn exactly(&self, cx: &Context<'_, '_>, field: usize, raw: Raw) -> Option<WordSet> {
        let field = &self.fields[field];
        self.meaning(field).exactly(cx, raw, field.span)
    }

    /// Visits the fields that a condition asks for, directly or through definitions: each with the field of the other instruction
    /// that it replaces.
    pub(super) fn asked(
        &self,
        cx: &Context<'_, '_>,
        ast: &CondAst,
        prefix: &str,
        visit: &mut impl FnMut(Found<'a>, Option<&'a Renamed>),
    ) {
        let mut open = vec![(Rc::new(ast.clone()), prefix)];
        let mut seen: HashSet<Span> = HashSet::new();
        while let Some((ast, prefix)) = open.pop() {
            let mut names = Vec::new();
            all_names_in(&ast, &mut names);
            for name in names {
                match self.find(&name.path, prefix) {
                    found @ (Found::Field(_) | Found::Fixed(..)) => visit(found, self.stands_for(&name.path, prefix)),
                    Found::Define(text) if seen.insert(text.span) => {
                        open.extend(cx.parse(&cx.parsed.conditions, text, lang::parse_condition).map(|ast| (ast, "")));
                    }
                    Found::Reading(used) => self.fields_of(cx, used, visit),
                    Found::Define(_) | Found::Nothing => {}
                }
            }
        }
    }

    fn all(&self, cx: &Context<'_, '_>, parts: &[CondAst], text: &Text, prefix: &str) -> Option<Vec<Cond>> {
        // All parts are resolved, so that all their faults are found.
        let parts: Vec<_> = parts.iter().map(|p| self.resolve(cx, p, text, prefix)).collect();
        parts.into_iter().collect()
    }

    /// The meaning of a definition. Definitions that it names are resolved first, so that a long chain takes no stack.
    fn definition(&self, cx: &Context<'_, '_>, name: &str, text: &'a Text) -> Option<Cond> {
        let mut open: Vec<(String, &'a Text)> = vec![(name.to_string(), text)];
        let mut is_open = HashSet::from([name.to_string()]);
        cx.mark_used(text.span);
        while let Some((name, text)) = open.last().cloned() {
            let known = |name: &str| self.resolved.conds.borrow().contains_key(name);
            if known(&name) {
                open.pop();
                continue;
            }
            let ast = cx.parse(&cx.parsed.conditions, text, lang::parse_condition);
            let mut used = Vec::new();
            ast.iter().for_each(|ast| names_in(ast, &mut used));
            let definition = |used: &&Name| match self.find(&used.path, "") {
                Found::Define(text) if !known(&used.path) => Some((used.path.clone(), text)),
                _ => None,
            };
            let next = used.iter().find_map(definition);
            if let Some((next, text)) = next {
                if !is_open.insert(next.clone()) {
                    let start = open.iter().position(|(name, _)| *name == next).unwrap_or(0);
                    let way: Vec<_> = open[start..].iter().map(|(name, _)| format!("`{name}`")).collect();
                    let message = match way.as_slice() {
                        [_] => format!("the definition `{next}` uses itself"),
                        way => format!("the definition `{next}` uses itself: {}, `{next}`", way.join(", ")),
                    };
                    cx.error("cycle", message, text.span);
                    for (name, _) in open.drain(start..) {
                        self.resolved.conds.borrow_mut().insert(name, None);
                    }
                } else {
                    cx.mark_used(text.span);
                    open.push((next, text));
                }
                continue;
            }
            let cond = ast.and_then(|ast| self.resolve(cx, &ast, text, "")).filter(|cond| {
                let bounded = cond.depth(&mut self.resolved.depths.borrow_mut()) <= MAX_DEPTH;
                if !bounded {
                    let message = format!("with the definitions that it names, `{name}` nests deeper than {MAX_DEPTH}");
                    cx.error("too-large", message, text.span);
                }
                bounded
            });
            self.resolved.conds.borrow_mut().insert(name, cond);
        }
        self.resolved.conds.borrow().get(name).cloned().flatten()
    }

    pub(super) fn named(&self, cx: &Context<'_, '_>, name: &Name, text: &Text, prefix: &str) -> Option<Found<'a>> {
        let found = self.find(&name.path, prefix);
        if matches!(found, Found::Nothing) && !name.optional {
            self.unknown(cx, &name.path, prefix, text.at(name.range.clone()));
            return None;
        }
        Some(found)
    }

    fn picked(
        &self,
        cx: &Context<'_, '_>,
        slot: &(String, std::ops::Range<usize>),
        alternatives: &[Alternative],
        text: &Text,
    ) -> Option<bool> {
        let Some((_, picked, all)) = self.picks.iter().find(|(name, ..)| *name == slot.0) else {
            cx.unknown("choice", &slot.0, text.at(slot.1.clone()), self.picks.iter().map(|p| p.0.as_str()));
            return None;
        };
        for other in alternatives.iter().filter(|other| !other.optional && !all.contains(&other.name)) {
            cx.unknown("alternative", &other.name, text.at(other.range.clone()), all.iter().map(String::as_str));
        }
        Some(alternatives.iter().any(|other| other.name == *picked))
    }
}

/// `5 .. 2` has no values.
fn warn_of_reversed(cx: &Context<'_, '_>, compare: &Compare, text: &Text) {
    let Compare::In(elements) = compare else { return };
    for (first, last, range) in elements {
        if let (Value::Number(first), Some(Value::Number(last))) = (first, last)
            && first > last
        {
            let message = "this range is empty: its first value is the larger one";
            let d = Diagnostic::warning("idle-condition", message, text.at(range.clone()));
            cx.report(d.with_help(format!("write the smaller value first: `{last} .. {first}`")));
        }
    }
}

/// The names that a condition has.
fn names_in<'c>(ast: &'c CondAst, out: &mut Vec<&'c Name>) {
    match ast {
        CondAst::Or(parts) | CondAst::And(parts) => parts.iter().for_each(|p| names_in(p, out)),
        CondAst::Not(part) => names_in(part, out),
        CondAst::Test { lhs: Lhs::Term(term), .. } => out.push(&term.name),
        CondAst::OneHot(_) | CondAst::Has(..) | CondAst::Is { .. } | CondAst::Test { lhs: Lhs::Prefix(_), .. } => {}
    }
}

/// The same with those of which one bit is asked for.
fn all_names_in<'c>(ast: &'c CondAst, out: &mut Vec<&'c Name>) {
    match ast {
        CondAst::Or(parts) | CondAst::And(parts) => parts.iter().for_each(|p| all_names_in(p, out)),
        CondAst::Not(part) => all_names_in(part, out),
        CondAst::OneHot(name) => out.push(name),
        CondAst::Test { compare: Compare::Field(_, term), .. } => {
            names_in(ast, out);
            out.push(&term.name);
        }
        other => names_in(other, out),
    }
}

/// The first units of a stream for which a length's condition holds.
pub(super) fn prefix(
    cx: &Context<'_, '_>,
    ast: &CondAst,
    text: &Text,
    unit: u32,
    solver: &mut Solver<'_>,
) -> Option<Result<Set, TooLarge>> {
    let mut all = |parts: &[CondAst]| {
        let parts: Vec<_> = parts.iter().map(|p| prefix(cx, p, text, unit, solver)).collect();
        parts.into_iter().collect::<Option<Result<Vec<_>, _>>>()
    };
    Some(match ast {
        CondAst::Or(parts) => all(parts)?.and_then(|parts| solver.any(parts)),
        CondAst::And(parts) => all(parts)?.and_then(|parts| parts.into_iter().try_fold(Set::ALL, |s, p| solver.and(s, p))),
        CondAst::Not(part) => prefix(cx, part, text, unit, solver)?.and_then(|part| solver.not(part)),
        CondAst::Test { lhs: Lhs::Prefix(range), arith, compare, range: at } => {
            let span = text.at(at.clone());
            if range.hi >= unit {
                let message = format!("the first unit has {unit} bits, {}..0", unit - 1);
                // The unit can be what is wrong.
                if cx.report.told.borrow_mut().insert(message.clone()) {
                    cx.error("range", message, span);
                }
                return None;
            }
            if range.width() > MAX_FIELD {
                let message = format!("at most {MAX_FIELD} bits are compared at once, and {range} are {}", range.width());
                cx.error("width", message, span);
                return None;
            }
            // Only plain numbers can be compared here, so no register file or enumeration is asked for.
            let (label, spelling, code) = (Label::Number, &Spelling::default(), &Code::plain(range.width()));
            let meaning = Meaning { registers: &[], enums: &[], label, spelling, code, is_reading: false };
            let (values, negated) = meaning.test(cx, *arith, compare, span, &|r| text.at(r.clone()))?;
            let places: Vec<u32> = (range.lo..=range.hi).collect();
            let set = solver.place(&values, &places);
            if negated { set.and_then(|set| solver.not(set)) } else { set }
        }
        CondAst::Test { range, .. } | CondAst::Has(_, range) => {
            cx.error(
                "condition",
                "the condition of a length can only test bits of the first unit: `prefix[0] == 1`",
                text.at(range.clone()),
            );
            return None;
        }
        CondAst::OneHot(_) | CondAst::Is { .. } => {
            cx.error("condition", "the condition of a length can only test bits of the first unit: `prefix[0] == 1`", text.span);
            return None;
        }
    })
}

/// The units for which a condition on the first unit of a stream holds, as a set and frozen.
pub(super) fn units(cx: &Context<'_, '_>, text: &Text, unit: u32) -> Option<WordSet> {
    let ast = cx.parse(&cx.parsed.conditions, text, lang::parse_condition)?;
    let order = Order::descending(unit);
    let mut solver = Solver::new(&order);
    let mut said = false;
    let set = solver.attempt(|solver| {
        let set = prefix(cx, &ast, text, unit, solver);
        said = set.is_none();
        set.unwrap_or(Ok(Set::NONE))
    });
    match set {
        Ok(set) => (!said).then(|| solver.freeze(set)),
        Err(error) => {
            cx.error("entangled", format!("this condition is too entangled: {error}"), text.span);
            None
        }
    }
}
