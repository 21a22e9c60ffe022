//! Conditions of one form: names to fields, comparisons to sets of bits.

use super::values::Meaning;
use super::{Context, Env};
use crate::cubes::{Cube, CubeSet};
use crate::diag::Diagnostic;
use crate::lang::{self, Compare, CondAst, Lhs, Name, Value};
use crate::model::{Bits, Cond, Field, Isa, Kind, Word, ones};
use crate::span::Span;
use crate::yaml::Text;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashMap, HashSet};

/// What names in a form can mean.
pub(super) struct Scope<'a> {
    pub(super) isa: &'a Isa,
    pub(super) fields: &'a [Field],
    /// Fields that are fixed, and their bits.
    pub(super) fixed: &'a [(Field, Word)],
    /// Slot, what it picked, what it could have picked.
    pub(super) picks: &'a [(String, String, Vec<String>)],
    pub(super) tags: &'a BTreeSet<String>,
    pub(super) defines: &'a [(String, Text)],
    /// Fields that are declared and could not be made.
    pub(super) failed: &'a [String],
    /// Definitions that were asked for.
    pub(super) resolved: Resolved,
}

/// Each definition of a form is resolved once, whoever uses it.
#[derive(Default)]
pub(super) struct Resolved {
    conds: RefCell<HashMap<String, Option<Cond>>>,
    /// Parts of conditions that were put in the place of names.
    copied: Cell<usize>,
}

/// Conditions of a form may grow to so many parts by the definitions that they name.
const MAX_PARTS: usize = 20_000;
/// A condition may become so deep by the definitions that it names.
const MAX_DEPTH: usize = 200;

/// What a name means.
pub(super) enum Found<'a> {
    Field(usize),
    Fixed(&'a Field, Word),
    Define(&'a Text),
    Nothing,
}

impl<'a> Scope<'a> {
    /// Looks a name up: in the operand that it stands in first, then in the form.
    pub(super) fn find(&self, path: &str, prefix: &str) -> Found<'a> {
        for path in [format!("{prefix}{path}"), path.to_string()] {
            if let Some(i) = self.fields.iter().position(|f| f.path == path) {
                return Found::Field(i);
            }
            if let Some((field, value)) = self.fixed.iter().find(|(f, _)| f.path == path) {
                return Found::Fixed(field, *value);
            }
        }
        match self.defines.iter().find(|(n, _)| n == path) {
            Some((_, text)) => Found::Define(text),
            None => Found::Nothing,
        }
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &'a str> {
        let fields = self.fields.iter().map(|f| f.path.as_str());
        fields.chain(self.fixed.iter().map(|(f, _)| f.path.as_str())).chain(self.defines.iter().map(|(n, _)| n.as_str()))
    }

    pub(super) fn unknown(&self, cx: &Context<'_, '_>, name: &str, prefix: &str, span: Span) {
        if !self.has_failed(name, prefix) {
            cx.unknown("field", name, span, self.names());
        }
    }

    /// Whether a field of this name is declared, and what is wrong with it has been said.
    pub(super) fn has_failed(&self, name: &str, prefix: &str) -> bool {
        self.failed.iter().any(|f| *f == name || *f == format!("{prefix}{name}"))
    }

    fn meaning<'m>(&'m self, field: &'m Field) -> Meaning<'m> {
        Meaning { isa: self.isa, kind: &field.kind, inverted: field.inverted, width: field.bits.width() }
    }

    /// Parses and resolves a condition that stands in a piece with these parameters.
    pub(super) fn condition(&self, cx: &Context<'_, '_>, text: &Text, prefix: &str, env: &Env) -> Option<Cond> {
        let text = env.apply(cx, text)?;
        let ast = cx.parse(&cx.conditions, &text, lang::parse_condition)?;
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
                Found::Field(field) if super::texts::is_name(self.isa, &self.fields[field]) => {
                    let span = text.at(name.range.clone());
                    cx.error("condition", "this is a name that a program gives: nothing can be asked of it", span);
                    return None;
                }
                Found::Field(field) => {
                    let width = self.fields[field].bits.width();
                    Cond::Test { field, values: (0..width).map(|b| Cube::new(ones(width), 1 << b)).collect() }
                }
                Found::Fixed(_, value) => Cond::Const(value.count_ones() == 1),
                _ => Cond::Const(false),
            },
            CondAst::Test { lhs: Lhs::Prefix(_), range, .. } => {
                cx.error("condition", "`prefix` is only known where lengths are decided", text.at(range.clone()));
                return None;
            }
            CondAst::Test { lhs: Lhs::Name(name), arith, compare, range } => {
                let at = |r: &std::ops::Range<usize>| text.at(r.clone());
                let span = text.at(range.clone());
                warn_of_reversed(cx, compare, text);
                match self.named(cx, name, text, prefix)? {
                    Found::Field(index) => {
                        // `b.r? == RZ` where this form's `b.r` is of a file without an RZ: it can't be equal.
                        if name.optional && !self.meaning(&self.fields[index]).can_be(compare) {
                            return Some(Cond::Const(false));
                        }
                        let (values, negated) = self.meaning(&self.fields[index]).test(cx, *arith, compare, span, &at)?;
                        let test = Cond::Test { field: index, values };
                        if negated { not(test) } else { test }
                    }
                    Found::Fixed(field, value) => {
                        let (values, negated) = self.meaning(field).test(cx, *arith, compare, span, &at)?;
                        Cond::Const(values.iter().any(|c| c.contains(value)) != negated)
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

    fn all(&self, cx: &Context<'_, '_>, parts: &[CondAst], text: &Text, prefix: &str) -> Option<Vec<Cond>> {
        // All parts are resolved, so that all their faults are found.
        let parts: Vec<_> = parts.iter().map(|p| self.resolve(cx, p, text, prefix)).collect();
        parts.into_iter().collect()
    }

    /// What a definition means; those that it names come first, so that a long chain takes no stack.
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
            let ast = cx.parse(&cx.conditions, text, lang::parse_condition);
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
                let bounded = cond.depth() <= MAX_DEPTH;
                if !bounded {
                    let message = format!("with the definitions that it names, `{name}` nests deeper than {MAX_DEPTH}");
                    cx.error("too-large", message, text.span);
                }
                bounded
            });
            self.resolved.conds.borrow_mut().insert(name, cond);
        }
        let cond = self.resolved.conds.borrow().get(name).cloned().flatten()?;
        let copied = self.resolved.copied.get() + cond.parts();
        self.resolved.copied.set(copied);
        if copied > MAX_PARTS {
            let message =
                format!("with the definitions that they name, the conditions of a form have more than {MAX_PARTS} parts");
            cx.error("too-large", message, text.span);
            return None;
        }
        Some(cond)
    }

    fn named(&self, cx: &Context<'_, '_>, name: &Name, text: &Text, prefix: &str) -> Option<Found<'a>> {
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
        alternatives: &[(String, std::ops::Range<usize>)],
        text: &Text,
    ) -> Option<bool> {
        let Some((_, picked, all)) = self.picks.iter().find(|(name, ..)| *name == slot.0) else {
            cx.unknown("choice", &slot.0, text.at(slot.1.clone()), self.picks.iter().map(|p| p.0.as_str()));
            return None;
        };
        for (name, range) in alternatives {
            if !all.contains(name) {
                cx.unknown("alternative", name, text.at(range.clone()), all.iter().map(String::as_str));
            }
        }
        Some(alternatives.iter().any(|(name, _)| name == picked))
    }
}

pub(super) fn not(cond: Cond) -> Cond {
    match cond {
        Cond::Const(b) => Cond::Const(!b),
        Cond::Not(inner) => *inner,
        other => Cond::Not(Box::new(other)),
    }
}

/// `5 .. 2` has no values.
fn warn_of_reversed(cx: &Context<'_, '_>, compare: &Compare, text: &Text) {
    let Compare::In(elements) = compare else { return };
    for (first, last, range) in elements {
        if let (Value::Number(first), Some(Value::Number(last))) = (first, last)
            && first > last
        {
            let d =
                Diagnostic::warning("never", "no value lies between these: the first is the larger one", text.at(range.clone()));
            cx.report(d.with_help(format!("the least stands first: `{last} .. {first}`")));
        }
    }
}

/// The names that a condition has.
fn names_in<'c>(ast: &'c CondAst, out: &mut Vec<&'c Name>) {
    match ast {
        CondAst::Or(parts) | CondAst::And(parts) => parts.iter().for_each(|p| names_in(p, out)),
        CondAst::Not(part) => names_in(part, out),
        CondAst::Test { lhs: Lhs::Name(name), .. } => out.push(name),
        CondAst::OneHot(_) | CondAst::Has(..) | CondAst::Is { .. } | CondAst::Test { lhs: Lhs::Prefix(_), .. } => {}
    }
}

pub(super) fn and(all: Vec<Cond>) -> Cond {
    if all.contains(&Cond::Const(false)) {
        return Cond::Const(false);
    }
    let mut parts: Vec<Cond> = Vec::new();
    for part in all.into_iter().filter(|c| *c != Cond::Const(true)) {
        // The same again says nothing more; further back it is not worth looking for.
        if parts.last() != Some(&part) {
            parts.push(part);
        }
    }
    match parts.len() {
        0 => Cond::Const(true),
        1 => parts.remove(0),
        _ => Cond::And(parts),
    }
}

pub(super) fn or(parts: Vec<Cond>) -> Cond {
    not(and(parts.into_iter().map(not).collect())).into_or()
}

impl Cond {
    /// `!(!a && !b)` as `a || b`.
    fn into_or(self) -> Self {
        match self {
            Cond::Not(inner) => match *inner {
                Cond::And(parts) => Cond::Or(parts.into_iter().map(not).collect()),
                other => Cond::Not(Box::new(other)),
            },
            other => other,
        }
    }

    /// How deep it nests.
    fn depth(&self) -> usize {
        match self {
            Cond::Const(_) | Cond::Test { .. } => 0,
            Cond::Not(inner) => inner.depth() + 1,
            Cond::And(parts) | Cond::Or(parts) => parts.iter().map(Cond::depth).max().unwrap_or(0) + 1,
        }
    }

    /// How many tests and operators it has.
    fn parts(&self) -> usize {
        match self {
            Cond::Const(_) | Cond::Test { .. } => 1,
            Cond::Not(inner) => inner.parts() + 1,
            Cond::And(parts) | Cond::Or(parts) => parts.iter().map(Cond::parts).sum::<usize>() + 1,
        }
    }

    /// The words, of any other bits, for which it holds.
    pub fn words(&self, fields: &[Field]) -> CubeSet {
        match self {
            Cond::Const(true) => CubeSet::all(),
            Cond::Const(false) => CubeSet::empty(),
            Cond::Test { field, values } => CubeSet(values.iter().map(|c| place(&fields[*field].bits, *c)).collect()),
            Cond::Not(inner) => inner.words(fields).complement().simplify(),
            Cond::And(parts) => parts.iter().fold(CubeSet::all(), |s, p| s.intersect(&p.words(fields))).simplify(),
            Cond::Or(parts) => parts.iter().fold(CubeSet::empty(), |s, p| s.union(&p.words(fields))).simplify(),
        }
    }

    /// Whether it holds for a word.
    pub fn holds(&self, fields: &[Field], word: Word) -> bool {
        match self {
            Cond::Const(b) => *b,
            Cond::Test { field, values } => {
                let raw = fields[*field].bits.get(word);
                values.iter().any(|c| c.contains(raw))
            }
            Cond::Not(inner) => !inner.holds(fields, word),
            Cond::And(parts) => parts.iter().all(|p| p.holds(fields, word)),
            Cond::Or(parts) => parts.iter().any(|p| p.holds(fields, word)),
        }
    }

    /// The fields that it looks at.
    pub fn fields(&self) -> BTreeSet<usize> {
        match self {
            Cond::Const(_) => BTreeSet::new(),
            Cond::Test { field, .. } => BTreeSet::from([*field]),
            Cond::Not(inner) => inner.fields(),
            Cond::And(parts) | Cond::Or(parts) => parts.iter().flat_map(Cond::fields).collect(),
        }
    }
}

/// A cube over a field's bits, as one over the word.
pub(super) fn place(bits: &Bits, cube: Cube) -> Cube {
    Cube::new(bits.place(cube.mask), bits.place(cube.value))
}

/// The first units of a stream for which a length's condition holds.
pub(super) fn prefix(cx: &Context<'_, '_>, ast: &CondAst, text: &Text, unit: u32) -> Option<CubeSet> {
    Some(match ast {
        CondAst::Or(parts) => {
            let parts: Option<Vec<_>> = parts.iter().map(|p| prefix(cx, p, text, unit)).collect();
            parts?.iter().fold(CubeSet::empty(), |s, p| s.union(p))
        }
        CondAst::And(parts) => {
            let parts: Option<Vec<_>> = parts.iter().map(|p| prefix(cx, p, text, unit)).collect();
            parts?.iter().fold(CubeSet::all(), |s, p| s.intersect(p))
        }
        CondAst::Not(part) => prefix(cx, part, text, unit)?.complement(),
        CondAst::Test { lhs: Lhs::Prefix(range), arith, compare, range: at } => {
            let span = text.at(at.clone());
            if range.hi >= unit {
                cx.error("range", format!("the first unit has {unit} bits, {}..0", unit - 1), span);
                return None;
            }
            let kind = Kind::Int { signed: false, scale: 1, bias: 0, radix: None, target: None };
            // Only plain numbers can be compared here, so no register file or enumeration is asked for.
            let isa = &EMPTY;
            let meaning = Meaning { isa, kind: &kind, inverted: false, width: range.width() };
            let (values, negated) = meaning.test(cx, *arith, compare, span, &|r| text.at(r.clone()))?;
            let bits = Bits(vec![*range]);
            let set = CubeSet(values.iter().map(|c| place(&bits, *c)).collect());
            if negated { set.complement() } else { set }
        }
        CondAst::Test { range, .. } | CondAst::Has(_, range) => {
            cx.error("condition", "a length is decided by the bits of the first unit: `prefix[0] == 1`", text.at(range.clone()));
            return None;
        }
        CondAst::OneHot(_) | CondAst::Is { .. } => {
            cx.error("condition", "a length is decided by the bits of the first unit: `prefix[0] == 1`", text.span);
            return None;
        }
    })
}

static EMPTY: std::sync::LazyLock<Isa> = std::sync::LazyLock::new(|| Isa {
    name: String::new(),
    span: Span::default(),
    summary: String::new(),
    notes: String::new(),
    words: crate::model::Words { unit: 0, low_first: true, little_endian: true, lengths: Vec::new() },
    space: Vec::new(),
    holes: Vec::new(),
    numbers: crate::model::Radix::Hex,
    sources: Vec::new(),
    registers: Vec::new(),
    enums: Vec::new(),
    operand_types: Vec::new(),
    choice_types: Vec::new(),
    formats: Vec::new(),
    instructions: Vec::new(),
    forms: Vec::new(),
    errata: Vec::new(),
    machine: crate::semantics::Machine::default(),
    launch: crate::semantics::typed::Body::default(),
    follows: None,
    files: crate::span::SourceMap::default(),
});
