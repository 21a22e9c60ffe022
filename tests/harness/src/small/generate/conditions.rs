//! Conditions, and what they can ask for.

use super::Generator;
use super::readings::Known;
use crate::small::brute::{Place, forms_of};
use crate::small::spec::{Choose, Cond, Meaning, Name, Part, Value, Word};
use std::collections::BTreeMap;

const MNEMONICS: &[&str] = &["ADD", "ADDX", "AND", "A", "B", "BR", "CALL", "AD", "FMA", "GET", "HLT", "INC", "JMP", "LD.W"];

/// A field that conditions can ask for.
pub(super) struct Asked {
    pub(super) place: Place,
    /// Every form has it.
    pub(super) always: bool,
}

/// The names that conditions of an instruction can use.
#[derive(Default)]
pub(super) struct Scope {
    pub(super) asked: Vec<Asked>,
    pub(super) slots: Vec<(String, Vec<String>)>,
    pub(super) tags: Vec<String>,
    pub(super) defines: Vec<String>,
    pub(super) readings: Vec<Known>,
}

impl Generator {
    /// The names that the conditions of an instruction can use, and its parts that texts show.
    pub(super) fn scope(&self, part: &Part) -> Scope {
        let mut scope = Scope::default();
        let bare = Part { text: Vec::new(), also: Vec::new(), aliases: Vec::new(), ..part.clone() };
        let forms = forms_of(&self.spec, 0, "", &bare);
        let mut seen: BTreeMap<String, (usize, Option<Place>)> = BTreeMap::new();
        for form in &forms {
            for field in form.fields.iter().chain(&form.fixed) {
                let entry = seen.entry(field.path.clone()).or_insert_with(|| (0, Some(field.clone())));
                entry.0 += 1;
                // A name of several meanings has no one set of values.
                let same = |p: &Place| {
                    !self.is_named(&p.meaning)
                        && p.meaning == field.meaning
                        && p.bits.width() == field.bits.width()
                        && p.inverted == field.inverted
                };
                entry.1 = entry.1.take().filter(same);
            }
        }
        for (count, place) in seen.into_values() {
            scope.asked.extend(place.map(|place| Asked { place, always: count == forms.len() }));
        }
        for (slot, choose) in &part.choose {
            let names = match choose {
                Choose::Inline(list) => list.iter().map(|a| a.0.clone()).collect(),
                Choose::Named { choice, except, .. } => {
                    let all = self.spec.choices[*choice].2.iter().map(|a| a.0.clone());
                    all.filter(|a| except.as_ref() != Some(a)).collect()
                }
            };
            scope.slots.push((slot.clone(), names));
            scope.tags = vec!["t".into()];
        }
        scope
    }

    /// Conditions and texts of an instruction.
    pub(super) fn conditions(&mut self, i: usize, part: &mut Part) {
        part.text.clear();
        part.also.clear();
        part.aliases.clear();
        part.readings.clear();
        let mut scope = self.scope(part);
        self.declare(part, &mut scope);
        if self.percent(15) {
            let cond = self.cond(&scope, 1);
            part.define.push(("d".into(), cond));
            scope.defines.push("d".into());
        }
        if self.percent(25) {
            part.not.push(self.cond(&scope, 2));
        }
        for _ in 0..self.below(5) / 2 {
            part.constraints.push(self.cond(&scope, 2));
        }
        if let (Some((slot, names)), true) = (scope.slots.first().cloned(), self.percent(10)) {
            let mut cond = Cond::Is(slot, vec![names[0].clone()]);
            if self.percent(50) {
                cond = Cond::And(vec![cond, Cond::Not(Box::new(Cond::Has("t".into())))]);
            }
            part.except.push(cond);
        }
        let mnemonic = MNEMONICS[if self.radices || self.percent(90) { i } else { self.below(MNEMONICS.len()) }];
        // A name is in each text, whatever holds.
        let is_one = part.fields.iter().any(|field| self.is_named(&field.meaning));
        if self.percent(15) && !is_one {
            let cond = self.cond(&scope, 1);
            let other = if self.percent(50) { format!("ALT{i}") } else { mnemonic.to_string() };
            let pieces = self.text(part, &scope, &other);
            part.text.push((Some(cond), pieces));
        }
        let pieces = self.text(part, &scope, mnemonic);
        part.text.push((None, pieces));
        for alias in 0..self.extra_below(9) / 4 {
            if !is_one {
                let cond = self.cond(&scope, 1);
                let pieces = self.text(part, &scope, &format!("AS{alias}{i}"));
                part.aliases.push((Some(cond), pieces));
            }
        }
        if self.percent(15) {
            let pieces = self.text(part, &scope, "ALSO");
            part.also.push(pieces);
        }
        part.readings = std::mem::take(&mut self.readings);
    }

    pub(super) fn cond(&mut self, scope: &Scope, depth: u32) -> Cond {
        let asked: Vec<&Asked> = scope.asked.iter().collect();
        if !scope.readings.is_empty() && self.extra(25) {
            return self.reading_atom(scope);
        }
        match self.below(100) {
            0..=14 if depth > 0 => Cond::Or((0..self.between(2, 3)).map(|_| self.cond(scope, depth - 1)).collect()),
            15..=29 if depth > 0 => Cond::And((0..self.between(2, 3)).map(|_| self.cond(scope, depth - 1)).collect()),
            30..=39 if depth > 0 => Cond::Not(Box::new(self.cond(scope, depth - 1))),
            40..=47 if !scope.slots.is_empty() => {
                let (slot, names) = self.pick(&scope.slots);
                let count = self.between(1, 2).min(names.len());
                Cond::Is(slot, names[..count].to_vec())
            }
            48..=52 if !scope.tags.is_empty() => Cond::Has("t".into()),
            53..=58 if !scope.defines.is_empty() => Cond::Define(self.pick(&scope.defines)),
            59..=60 => {
                Cond::Compare(Name { path: "nothing".into(), optional: true }, "==", Value { number: 1, text: "1".into() })
            }
            _ if asked.is_empty() => Cond::Not(Box::new(Cond::Bare(Name { path: "nothing".into(), optional: true }))),
            _ => self.atom(&asked),
        }
    }

    /// A comparison of two of the fields.
    fn fields_compared(&mut self, asked: &[&Asked]) -> Cond {
        let (mut left, mut right) = (asked[self.extra_below(asked.len())], asked[self.extra_below(asked.len())]);
        // Most comparisons are between fields with the same meaning.
        for _ in 0..4 {
            if left.place.meaning != right.place.meaning || left.place.path == right.place.path {
                right = asked[self.extra_below(asked.len())];
            }
        }
        if self.extra(50) {
            std::mem::swap(&mut left, &mut right);
        }
        let kind = |place: &Place| match &place.meaning {
            Meaning::Int { target, .. } => Some(*target),
            _ => None,
        };
        let alike = match (&left.place.meaning, &right.place.meaning) {
            (Meaning::Register(a), Meaning::Register(b)) | (Meaning::Enum(a), Meaning::Enum(b)) => a == b,
            (Meaning::Int { .. }, Meaning::Int { .. }) => kind(&left.place) == kind(&right.place),
            _ => false,
        };
        let by_number = !alike || self.extra(20);
        if !by_number {
            let names = [&left.place.path, &right.place.path].map(|path| path.rsplit('.').next().unwrap_or(path).to_string());
            self.compared.extend(names);
        }
        let op = self.extra_pick(&["==", "==", "!=", "<", "<=", ">", ">="]);
        let mut term = |asked: &Asked| {
            let name = Name { path: asked.place.path.clone(), optional: !asked.always || self.extra(10) };
            let plus = if self.extra(30) { self.extra_pick(&[1, 1, -1, 2, -3, 8]) } else { 0 };
            (name, plus)
        };
        Cond::Fields(by_number, term(left), op, term(right))
    }

    /// A comparison of one of the fields.
    pub(super) fn atom(&mut self, asked: &[&Asked]) -> Cond {
        if self.extra(9) {
            return self.fields_compared(asked);
        }
        let at = self.below(asked.len());
        let (place, always) = (&asked[at].place, asked[at].always);
        let name = Name { path: place.path.clone(), optional: !always || self.percent(15) };
        let width = place.bits.width();
        let some = |g: &mut Self| {
            let raw = g.below(1 << width) as Word;
            g.value(place, raw)
        };
        // Numbers that order compares with can be any.
        let any = |g: &mut Self| {
            let mut value = some(g);
            if g.percent(40) {
                value.number += g.below(7) as i64 - 3;
                value.text = g.shown(value.number);
            }
            value
        };
        match self.below(100) {
            0..=9 => Cond::Bare(name),
            10..=24 => Cond::Compare(name, "==", some(self)),
            25..=34 => Cond::Compare(name, "!=", some(self)),
            35..=54 => {
                let op = self.pick(&["<", "<=", ">", ">="]);
                Cond::Compare(name, op, any(self))
            }
            55..=76 => {
                let op = if self.percent(50) { '%' } else { '&' };
                let k = if op == '%' {
                    self.pick(&[2, 3, 4, 5, 7, 8, 16, 32])
                } else {
                    self.pick(&[1, 2, 3, 5, 6, 8, 12, 16, 64, -2, -4])
                };
                let compare = self.percent(85).then(|| {
                    let raw = self.below(1 << width) as Word;
                    let number = self.spec.number(place, raw);
                    let result = if op == '%' { number.rem_euclid(k) } else { number & k };
                    (self.percent(70), result + if self.percent(15) { 1 } else { 0 })
                });
                Cond::Arith(name, op, k, compare)
            }
            77..=93 => {
                let elements = (0..self.between(1, 3)).map(|_| {
                    if self.percent(50) {
                        return (some(self), None);
                    }
                    let (a, b) = (any(self), any(self));
                    // Some of these ranges are empty.
                    let swap = a.number > b.number && self.percent(90);
                    if swap { (b, Some(a)) } else { (a, Some(b)) }
                });
                Cond::In(name, elements.collect())
            }
            _ => Cond::OneHot(name),
        }
    }
}
