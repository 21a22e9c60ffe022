//! What docs/language.md says of a small spec, by trying all words. Nothing here looks at `isa_spec`.

use super::spec::*;
use std::collections::{BTreeMap, BTreeSet};

/// A field of a form.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) path: String,
    pub(crate) bits: Ranges,
    pub(crate) meaning: Meaning,
    pub(crate) inverted: bool,
    /// The bits of the default.
    pub(crate) default: Word,
}

/// A condition on the word, its comparisons worked out for each value of the field's bits.
#[derive(Clone, Debug)]
enum Rule {
    Const(bool),
    Test(Ranges, Vec<bool>),
    Not(Box<Rule>),
    And(Vec<Rule>),
    Or(Vec<Rule>),
}

impl Rule {
    fn holds(&self, word: Word) -> bool {
        match self {
            Rule::Const(b) => *b,
            Rule::Test(bits, table) => table[bits.get(word) as usize],
            Rule::Not(part) => !part.holds(word),
            Rule::And(parts) => parts.iter().all(|p| p.holds(word)),
            Rule::Or(parts) => parts.iter().any(|p| p.holds(word)),
        }
    }
}

/// A piece of a form's text.
#[derive(Clone, Debug)]
enum Print {
    Literal(String),
    /// A field, by its bits.
    Field(Ranges, Vec<String>),
    /// A number that the address is added to, modulo so many bits or with a sign.
    Target(Ranges, Vec<i64>, Option<u32>, Radix),
    /// Printed when one of the fields differs from its default.
    Differs(Vec<(Ranges, Word)>, Vec<Print>),
    Holds(Rule, Vec<Print>),
}

fn print(pieces: &[Print], word: Word, address: u64, out: &mut String) {
    for piece in pieces {
        match piece {
            Print::Literal(text) => out.push_str(text),
            Print::Field(bits, texts) => out.push_str(&texts[bits.get(word) as usize]),
            Print::Target(bits, numbers, modulo, radix) => {
                let number = numbers[bits.get(word) as usize];
                let sum = match modulo {
                    Some(bits) => (i128::from(address) + i128::from(number)).rem_euclid(1 << bits),
                    // With a sign, the address has one too.
                    None => (address as i64).wrapping_add(number).into(),
                };
                out.push_str(&shown(sum, *radix));
            }
            Print::Differs(fields, body) => {
                if fields.iter().any(|(bits, default)| bits.get(word) != *default) {
                    print(body, word, address, out);
                }
            }
            Print::Holds(rule, body) => {
                if rule.holds(word) {
                    print(body, word, address, out);
                }
            }
        }
    }
}

/// One product of an instruction's choices.
#[derive(Clone, Debug)]
pub(crate) struct Form {
    pub(crate) name: String,
    pub(crate) instruction: usize,
    pub(crate) length: u32,
    mask: Word,
    value: Word,
    pub(crate) fields: Vec<Place>,
    pub(crate) fixed: Vec<Place>,
    /// Bits that are ignored or unknown.
    pub(crate) kept: Word,
    nots: Vec<Rule>,
    rules: Vec<Rule>,
    text: Vec<Print>,
    also: Vec<Vec<Print>>,
    full: Vec<Print>,
    /// The words that belong to it, legal or not, those of its specialisations included.
    pub(crate) words: Words,
    /// How many.
    pub(crate) count: usize,
}

impl Form {
    fn has(&self, word: Word) -> bool {
        word & self.mask == self.value && !self.nots.iter().any(|rule| rule.holds(word))
    }

    pub(crate) fn is_legal(&self, word: Word) -> bool {
        self.rules.iter().all(|rule| rule.holds(word))
    }

    pub(crate) fn text(&self, word: Word) -> String {
        self.text_at(word, 0)
    }

    /// The text of the word at an address.
    pub(crate) fn text_at(&self, word: Word, address: u64) -> String {
        let mut out = String::new();
        print(&self.text, word, address, &mut out);
        out
    }

    /// What the formats' `full` says.
    pub(crate) fn added(&self, word: Word) -> String {
        let mut out = String::new();
        print(&self.full, word, 0, &mut out);
        out
    }

    /// The text, and what is added to it.
    pub(crate) fn text_and_added(&self, word: Word) -> String {
        let mut out = self.text(word);
        let added = self.added(word);
        if !added.is_empty() {
            out.push(' ');
            out.push_str(&added);
        }
        out
    }

    /// The other texts that are read for the word; empty ones are none.
    pub(crate) fn also(&self, word: Word, address: u64) -> Vec<String> {
        let one = |pieces: &Vec<Print>| {
            let mut out = String::new();
            print(pieces, word, address, &mut out);
            out
        };
        self.also.iter().map(one).collect()
    }
}

impl Spec {
    /// The number that the bits of a field stand for.
    pub(crate) fn number(&self, field: &Place, raw: Word) -> i64 {
        let width = field.bits.width();
        let all = (1i64 << width) - 1;
        let bits = if field.inverted { all - i64::from(raw) } else { i64::from(raw) };
        match &field.meaning {
            Meaning::Int { signed, scale, bias, .. } => {
                let plain = if *signed && bits > all / 2 { bits - all - 1 } else { bits };
                plain * scale + bias
            }
            _ => bits,
        }
    }

    /// Whether the bits of a field are a register or a value of its enumeration.
    pub(crate) fn is_allowed(&self, field: &Place, raw: Word) -> bool {
        let number = || self.number(field, raw) as u32;
        match &field.meaning {
            Meaning::Register(file) => self.register(*file, number()).is_some(),
            Meaning::Enum(e) => self.enum_text(*e, number()).is_some(),
            _ => true,
        }
    }

    pub(crate) fn register(&self, file: usize, number: u32) -> Option<String> {
        let file = &self.registers[file];
        if let Some((_, name)) = file.special.iter().find(|s| s.0 == number) {
            return Some(name.clone());
        }
        let (shown, half) = match &file.halves {
            Some(halves) => (number / 2, halves[number as usize % 2].as_str()),
            None => (number, ""),
        };
        file.count.is_none_or(|count| number < count).then(|| format!("{}{shown}{half}{}", file.prefix, file.suffix))
    }

    pub(crate) fn enum_text(&self, e: usize, number: u32) -> Option<String> {
        let e = &self.enums[e];
        let named = e.values.iter().find(|v| v.0 == number).map(|v| v.1.clone());
        named.or_else(|| e.other.as_ref().map(|other| format!("{other}{number}")))
    }

    /// What a field prints.
    fn field_text(&self, field: &Place, raw: Word, radix: Option<Radix>) -> String {
        let number = self.number(field, raw);
        match &field.meaning {
            Meaning::Register(file) => self.register(*file, number as u32).unwrap_or_default(),
            Meaning::Enum(e) => self.enum_text(*e, number as u32).unwrap_or_default(),
            Meaning::Flag(text) => {
                if number != 0 {
                    text.clone()
                } else {
                    String::new()
                }
            }
            Meaning::Bitset(letters) => {
                letters.chars().enumerate().map(|(i, c)| if number >> i & 1 == 1 { c } else { '-' }).collect()
            }
            Meaning::Int { radix: own, .. } => {
                let radix = radix.or(*own).unwrap_or(if self.decimal { Radix::Dec } else { Radix::Hex });
                shown(number.into(), radix)
            }
        }
    }

    /// The bits of a field that stand for a number.
    fn raw(&self, field: &Place, number: i64) -> Word {
        let all = (1 << field.bits.width()) - 1;
        (0..=all).find(|raw| self.number(field, *raw) == number).expect("the generator takes values that the field has")
    }
}

fn shown(number: i128, radix: Radix) -> String {
    let (sign, magnitude) = (if number < 0 { "-" } else { "" }, number.unsigned_abs());
    match radix {
        Radix::Hex => format!("{sign}{magnitude:#x}"),
        Radix::Dec => format!("{sign}{magnitude}"),
        Radix::Padded => format!("{sign}{magnitude:02}"),
    }
}

/// A set of words, a bit for each.
#[derive(Clone, Debug, Default)]
pub(crate) struct Words(Vec<u64>);

impl Words {
    fn new(length: u32) -> Self {
        Self(vec![0; 1 << length.saturating_sub(6)])
    }

    fn insert(&mut self, word: Word) {
        self.0[word as usize / 64] |= 1 << (word % 64);
    }

    pub(crate) fn has(&self, word: Word) -> bool {
        self.0.get(word as usize / 64).is_some_and(|bits| bits >> (word % 64) & 1 == 1)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Word> + '_ {
        let some = self.0.iter().zip(0..).filter(|(bits, _)| **bits != 0);
        some.flat_map(|(bits, at): (&u64, Word)| (0..64).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| at * 64 + bit))
    }
}

/// Who brings a part into a form.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    Body,
    Alternative(usize),
    Operand(Option<usize>),
}

struct Instance<'s> {
    part: &'s Part,
    prefix: String,
    args: Vec<(&'static str, Ranges)>,
    owner: Owner,
}

struct Builder<'s> {
    spec: &'s Spec,
    instances: Vec<Instance<'s>>,
    /// How many of the instances are formats; the instruction follows.
    formats: usize,
    /// Slot and what it picked.
    picks: Vec<(&'s str, &'s str)>,
    fields: Vec<Place>,
    fixed: Vec<(Place, Word)>,
}

/// An alternative of a slot: its name, what it is made of, the arguments of its choice.
type Alternative<'s> = (&'s str, &'s Part, Vec<(&'static str, Ranges)>);

fn resolve(args: &[(&'static str, Ranges)], at: &At) -> Option<Ranges> {
    match at {
        At::Here(ranges) => Some(ranges.clone()),
        At::Param(name) => args.iter().find(|a| a.0 == *name).map(|a| a.1.clone()),
    }
}

fn bind(outer: &[(&'static str, Ranges)], args: &Args) -> Vec<(&'static str, Ranges)> {
    args.iter().filter_map(|(name, at)| Some((*name, resolve(outer, at)?))).collect()
}

/// All forms of a spec, in the order of its instructions.
pub(crate) fn forms(spec: &Spec) -> Vec<Form> {
    spec.instructions.iter().enumerate().flat_map(|(i, (name, part))| forms_of(spec, i, name, part)).collect()
}

pub(crate) fn forms_of(spec: &Spec, instruction: usize, name: &str, part: &Part) -> Vec<Form> {
    let mut chain: Vec<&Part> = vec![part];
    while let Some(format) = chain[0].extends {
        chain.insert(0, &spec.formats[format].1);
    }
    let mut slots: Vec<(&str, Vec<Alternative<'_>>)> = Vec::new();
    for (slot, choose) in chain.iter().flat_map(|p| &p.choose) {
        let alternatives = match choose {
            Choose::Inline(list) => list.iter().map(|(name, part)| (name.as_str(), part, Vec::new())).collect(),
            Choose::Named { choice, args, except } => {
                let list = spec.choices[*choice].2.iter().filter(|a| except.as_ref() != Some(&a.0));
                list.map(|(name, part)| (name.as_str(), part, bind(&[], args))).collect()
            }
        };
        slots.push((slot, alternatives));
    }
    let mut products: Vec<Vec<usize>> = vec![Vec::new()];
    for (_, alternatives) in &slots {
        products = products.iter().flat_map(|p| (0..alternatives.len()).map(move |i| [p.as_slice(), &[i]].concat())).collect();
    }
    let mut list = Vec::new();
    for product in products {
        let mut b = Builder {
            spec,
            instances: Vec::new(),
            formats: chain.len() - 1,
            picks: Vec::new(),
            fields: Vec::new(),
            fixed: Vec::new(),
        };
        let mut operands = Vec::new();
        for part in &chain {
            b.instances.push(Instance { part, prefix: String::new(), args: Vec::new(), owner: Owner::Body });
            operands.extend(part.bind.iter().map(|(bound, o, args)| Instance {
                part: &spec.operands[*o].2,
                prefix: format!("{bound}."),
                args: bind(&[], args),
                owner: Owner::Operand(None),
            }));
        }
        let mut full_name = name.to_string();
        for (i, pick) in product.iter().enumerate() {
            let (slot, alternatives) = &slots[i];
            let (alternative, part, args) = &alternatives[*pick];
            b.picks.push((slot, alternative));
            if alternatives.len() > 1 {
                full_name = format!("{full_name}.{alternative}");
            }
            b.instances.push(Instance { part, prefix: String::new(), args: args.clone(), owner: Owner::Alternative(i) });
            operands.extend(part.bind.iter().map(|(bound, o, inner)| Instance {
                part: &spec.operands[*o].2,
                prefix: format!("{bound}."),
                args: bind(args, inner),
                owner: Owner::Operand(Some(i)),
            }));
        }
        b.instances.append(&mut operands);
        if !part.except.iter().any(|cond| b.rule(cond, "").holds(0)) {
            list.push(b.form(instruction, full_name));
        }
    }
    list
}

impl Builder<'_> {
    fn form(mut self, instruction: usize, name: String) -> Form {
        let spec = self.spec;
        let length = self.instances.iter().filter_map(|i| i.part.length).next_back().unwrap_or(spec.lengths[0].bits);
        for instance in &self.instances {
            for field in &instance.part.fields {
                let Some(bits) = resolve(&instance.args, &field.at) else { continue };
                let path = format!("{}{}", instance.prefix, field.name);
                let mut place = Place { path, bits, meaning: field.meaning.clone(), inverted: field.inverted, default: 0 };
                if let Some(value) = &field.default {
                    place.default = spec.raw(&place, value.number);
                }
                self.fields.push(place);
            }
        }
        let (mut mask, mut value) = (0, 0);
        for instance in &self.instances {
            for (key, to) in &instance.part.fix {
                let (bits, raw) = match key {
                    FixKey::Bits(at) => (resolve(&instance.args, at).expect("what is fixed has a place"), to.number as Word),
                    FixKey::Field(field) => {
                        let at = self.fields.iter().position(|f| f.path == *field).expect("a field is fixed once");
                        let field = self.fields.remove(at);
                        let raw = spec.raw(&field, to.number);
                        self.fixed.push((field.clone(), raw));
                        (field.bits, raw)
                    }
                };
                mask |= bits.mask();
                value |= bits.place(raw);
            }
        }
        let (mut kept, mut reserved) = (0, 0);
        let all = ((1u64 << length) - 1) as Word;
        let said = self.fields.iter().fold(mask, |m, f| m | f.bits.mask());
        let plain = self.instances.iter().flat_map(|i| &i.part.plain);
        let rest = self.instances.iter().rev().find_map(|i| i.part.rest);
        let left = all & !plain.clone().fold(said, |m, p| m | p.1.mask());
        for (what, bits) in plain.map(|p| (p.0, p.1.mask())).chain(rest.map(|what| (what, left))) {
            match what {
                Plain::Reserved => reserved |= bits,
                _ => kept |= bits,
            }
        }
        mask |= reserved;
        let all_of = |get: &dyn Fn(&Part) -> Vec<Cond>| -> Vec<Rule> {
            self.instances.iter().flat_map(|i| get(i.part).iter().map(|c| self.rule(c, &i.prefix)).collect::<Vec<_>>()).collect()
        };
        let (mut nots, rules) = (all_of(&|p| p.not.clone()), all_of(&|p| p.constraints.clone()));
        // A value that is not allowed: the word does not match.
        nots.extend(self.fields.iter().filter(|f| matches!(f.meaning, Meaning::Register(_) | Meaning::Enum(_))).map(|field| {
            let out = (0..1 << field.bits.width()).map(|raw| !spec.is_allowed(field, raw));
            Rule::Test(field.bits.clone(), out.collect())
        }));
        // From the instruction outwards, each format around what is there.
        let own = &self.instances[self.formats];
        let mut text = self.variants(own, &[]);
        let mut also: Vec<_> = own.part.also.iter().map(|t| self.pieces(t, own, &text)).collect();
        for format in self.instances[..self.formats].iter().rev() {
            let bodies: Vec<_> = std::iter::once(text.clone()).chain(also.iter().cloned()).collect();
            if !format.part.text.is_empty() {
                text = self.variants(format, &text);
                also = also.iter().map(|body| self.variants(format, body)).collect();
            }
            also.extend(format.part.also.iter().flat_map(|t| bodies.iter().map(|body| self.pieces(t, format, body))));
        }
        let full = self.instances[..self.formats].iter().filter_map(|i| Some(self.pieces(i.part.full.as_ref()?, i, &[])));
        let full = full.flatten().collect();
        let mut form = Form {
            name,
            instruction,
            length,
            mask,
            value,
            kept,
            nots,
            rules,
            text,
            also,
            full,
            fields: self.fields,
            fixed: self.fixed.into_iter().map(|f| f.0).collect(),
            words: Words::new(length),
            count: 0,
        };
        for bits in submasks(all & !mask) {
            if form.has(bits | value) {
                form.words.insert(bits | value);
                form.count += 1;
            }
        }
        form
    }

    /// A field, or a fixed one and its bits.
    fn find(&self, path: &str, prefix: &str) -> Option<(&Place, Option<Word>)> {
        [format!("{prefix}{path}"), path.to_string()].iter().find_map(|path| {
            let field = self.fields.iter().find(|f| f.path == *path).map(|f| (f, None));
            field.or_else(|| self.fixed.iter().find(|f| f.0.path == *path).map(|f| (&f.0, Some(f.1))))
        })
    }

    fn rule(&self, cond: &Cond, prefix: &str) -> Rule {
        let all = |parts: &[Cond]| parts.iter().map(|p| self.rule(p, prefix)).collect();
        // By the number that a field stands for, and by its bits as they are numbered.
        let test = |name: &Name, holds: &dyn Fn(i64, Word) -> bool| {
            let Some((field, fixed)) = self.find(&name.path, prefix) else { return Rule::Const(false) };
            let all = ((1u64 << field.bits.width()) - 1) as Word;
            let by_raw = |raw: Word| holds(self.spec.number(field, raw), if field.inverted { all - raw } else { raw });
            match fixed {
                Some(raw) => Rule::Const(by_raw(raw)),
                None => Rule::Test(field.bits.clone(), (0..=all).map(by_raw).collect()),
            }
        };
        match cond {
            Cond::Or(parts) => Rule::Or(all(parts)),
            Cond::And(parts) => Rule::And(all(parts)),
            Cond::Not(part) => Rule::Not(Box::new(self.rule(part, prefix))),
            Cond::Bare(name) => test(name, &|n, _| n != 0),
            Cond::Compare(name, op, value) => test(name, &|n, _| match *op {
                "==" => n == value.number,
                "!=" => n != value.number,
                "<" => n < value.number,
                "<=" => n <= value.number,
                ">" => n > value.number,
                _ => n >= value.number,
            }),
            Cond::Arith(name, op, k, compare) => test(name, &|n, _| {
                let result = if *op == '%' { n.rem_euclid(*k) } else { n & k };
                match compare {
                    None => result != 0,
                    Some((equal, c)) => (result == *c) == *equal,
                }
            }),
            Cond::In(name, elements) => test(name, &|n, _| {
                elements.iter().any(|(first, last)| match last {
                    None => n == first.number,
                    Some(last) => (first.number..=last.number).contains(&n),
                })
            }),
            Cond::OneHot(name) => test(name, &|_, bits| bits.count_ones() == 1),
            Cond::Is(slot, alternatives) => {
                Rule::Const(self.picks.iter().any(|p| p.0 == slot && alternatives.iter().any(|a| a == p.1)))
            }
            Cond::Has(tag) => Rule::Const(self.instances.iter().any(|i| i.part.tags.as_ref() == Some(tag))),
            Cond::Define(name) => {
                let mut defines = self.instances.iter().flat_map(|i| &i.part.define);
                let (_, cond) = defines.find(|d| d.0 == *name).expect("the generator asks for what it has defined");
                self.rule(cond, "")
            }
        }
    }

    fn variants(&self, instance: &Instance<'_>, body: &[Print]) -> Vec<Print> {
        let mut out = Vec::new();
        let mut before: Vec<Rule> = Vec::new();
        for (cond, pieces) in &instance.part.text {
            let pieces = self.pieces(pieces, instance, body);
            let own = cond.as_ref().map_or(Rule::Const(true), |c| self.rule(c, &instance.prefix));
            let mut all: Vec<Rule> = before.iter().map(|r| Rule::Not(Box::new(r.clone()))).collect();
            all.push(own.clone());
            before.push(own);
            out.push(Print::Holds(Rule::And(all), pieces));
        }
        out
    }

    fn pieces(&self, list: &[Piece], instance: &Instance<'_>, around: &[Print]) -> Vec<Print> {
        let mut out = Vec::new();
        for piece in list {
            match piece {
                Piece::Literal(text) => out.push(Print::Literal(text.clone())),
                Piece::Body => out.extend_from_slice(around),
                Piece::When(cond, body) => {
                    out.push(Print::Holds(self.rule(cond, &instance.prefix), self.pieces(body, instance, around)));
                }
                Piece::Group(body) => {
                    let inside = self.shown(body, instance);
                    let body = self.pieces(body, instance, around);
                    // Without a field inside, it is never printed.
                    if !inside.is_empty() {
                        out.push(Print::Differs(inside, body));
                    }
                }
                Piece::Place { name, radix, .. } => out.extend(self.place(name, *radix, instance, around)),
            }
        }
        out
    }

    fn place(&self, name: &str, radix: Option<Radix>, instance: &Instance<'_>, around: &[Print]) -> Vec<Print> {
        if let Some((field, fixed)) = self.find(name, &instance.prefix) {
            return vec![match fixed {
                Some(raw) => Print::Literal(self.spec.field_text(field, raw, radix)),
                None => self.printed(field, radix),
            }];
        }
        if let Some(slot) = self.picks.iter().position(|p| p.0 == name) {
            let alternative = self.instances.iter().find(|i| i.owner == Owner::Alternative(slot)).expect("each slot picks one");
            if !alternative.part.text.is_empty() {
                return self.variants(alternative, around);
            }
            let only = self.instances.iter().find(|i| i.owner == Owner::Operand(Some(slot)));
            return only.map_or(Vec::new(), |operand| self.operand(operand));
        }
        let bound = self.instances.iter().find(|i| i.prefix == format!("{name}."));
        bound.map_or(Vec::new(), |operand| self.operand(operand))
    }

    fn printed(&self, field: &Place, radix: Option<Radix>) -> Print {
        let all = 0..1 << field.bits.width();
        if let Meaning::Int { wraps, radix: own, target: Some(offset), .. } = &field.meaning {
            let numbers = all.map(|raw| self.spec.number(field, raw) + offset).collect();
            let radix = radix.or(*own).unwrap_or(if self.spec.decimal { Radix::Dec } else { Radix::Hex });
            return Print::Target(field.bits.clone(), numbers, wraps.then(|| self.spec.pc.unwrap_or(64)), radix);
        }
        Print::Field(field.bits.clone(), all.map(|raw| self.spec.field_text(field, raw, radix)).collect())
    }

    fn operand(&self, operand: &Instance<'_>) -> Vec<Print> {
        if !operand.part.text.is_empty() {
            return self.variants(operand, &[]);
        }
        let only =
            self.fields.iter().find(|f| f.path.starts_with(&operand.prefix)).expect("an operand without a text has a field");
        self.place(&only.path, None, operand, &[])
    }

    /// The fields inside a group, with the bits of their defaults: those that it prints, and those of the same operands that are
    /// asked for there.
    fn shown(&self, body: &[Piece], instance: &Instance<'_>) -> Vec<(Ranges, Word)> {
        let mut names: BTreeSet<String> = BTreeSet::new();
        let mut prefixes: Vec<&str> = Vec::new();
        for piece in body {
            let Piece::Place { name, .. } = piece else { continue };
            if let Some((field, None)) = self.find(name, &instance.prefix) {
                names.insert(field.path.clone());
                continue;
            }
            let slot = self.picks.iter().position(|p| p.0 == name);
            for inner in &self.instances {
                match slot {
                    Some(slot) if inner.owner == Owner::Operand(Some(slot)) => prefixes.push(&inner.prefix),
                    Some(slot) if inner.owner == Owner::Alternative(slot) => {
                        names.extend(inner.part.fields.iter().map(|f| f.name.clone()));
                    }
                    None if inner.prefix == format!("{name}.") => prefixes.push(&inner.prefix),
                    _ => {}
                }
            }
        }
        let inside = |f: &&Place| names.contains(&f.path) || prefixes.iter().any(|p| f.path.starts_with(p));
        self.fields.iter().filter(inside).map(|f| (f.bits.clone(), f.default)).collect()
    }
}

/// The pairs of forms that have a text in common.
fn ambiguous(forms: &[Form]) -> BTreeSet<(String, String)> {
    let mut texts: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    for (i, form) in forms.iter().enumerate() {
        for word in form.words.iter().filter(|w| form.is_legal(*w)) {
            texts.entry(form.text(word)).or_default().insert(i);
        }
    }
    let pairs = texts.values().flat_map(|own| own.iter().flat_map(|a| own.range(a + 1..).map(move |b| (*a, *b))));
    pairs.map(|(a, b)| (forms[a].name.clone(), forms[b].name.clone())).collect()
}

/// All values of the bits of a mask.
fn submasks(mask: Word) -> impl Iterator<Item = Word> {
    let mut next = Some(0);
    std::iter::from_fn(move || {
        let bits = next?;
        next = Some((bits as Word).wrapping_sub(mask) & mask).filter(|bits| *bits != 0);
        Some(bits)
    })
}

/// Of very many words, so many that belong to no form are looked at.
const SOME: Word = 2000;

/// What a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    Legal(usize),
    /// It belongs to a form and breaks a rule.
    Illegal(usize),
    Hole(usize),
    /// Its first unit begins a word of another length, or of none.
    OtherLength,
    None,
}

/// What is known of a spec: all of it found by trying all words.
pub(crate) struct Brute {
    pub(crate) forms: Vec<Form>,
    /// Pairs of forms that clash, or in a text-only instruction set, have a text in common; by their names.
    pub(crate) clashes: BTreeSet<(String, String)>,
    /// Instructions that have a form without words, or with rules that no word keeps.
    pub(crate) empty: BTreeSet<String>,
    /// Forms with words that don't begin as words of their length do.
    pub(crate) outside: BTreeSet<String>,
    /// Holes that are none.
    pub(crate) bad_holes: BTreeSet<usize>,
}

impl Brute {
    pub(crate) fn new(spec: &Spec) -> Self {
        let forms = forms(spec);
        let name = |i: usize| spec.instructions[i].0.clone();
        let mut empty: BTreeSet<String> = spec.instructions.iter().map(|i| i.0.clone()).collect();
        forms.iter().for_each(|f| {
            empty.remove(&name(f.instruction));
        });
        let words: Vec<Vec<Word>> = forms.iter().map(|form| form.words.iter().collect()).collect();
        let (mut clashes, mut outside) = (BTreeSet::new(), BTreeSet::new());
        for (i, a) in forms.iter().enumerate() {
            let own = &words[i];
            // Of the rules together, too, some word keeps all.
            if !own.iter().any(|w| a.is_legal(*w)) {
                empty.insert(name(a.instruction));
            }
            // In a text-only instruction set words are internal to the generator.
            if spec.is_text {
                continue;
            }
            if own.iter().any(|w| !spec.has_length(*w, a.length)) {
                outside.insert(a.name.clone());
            }
            for b in forms[i + 1..].iter().filter(|b| b.length == a.length) {
                let both = own.iter().filter(|w| b.words.has(**w)).count();
                if both > 0 && (both < a.count.min(b.count) || a.count == b.count) {
                    clashes.insert((a.name.clone(), b.name.clone()));
                }
            }
        }
        if spec.is_text {
            clashes = ambiguous(&forms);
        }
        let mut brute = Self { forms, clashes, empty, outside, bad_holes: BTreeSet::new() };
        for (i, hole) in spec.holes.iter().enumerate() {
            let before = Spec { holes: spec.holes[..i].to_vec(), ..spec.clone() };
            if !brute.is_hole(hole, &before) {
                brute.bad_holes.insert(i);
            }
        }
        brute
    }

    /// Whether all words of one form are words of the other, which has more.
    pub(crate) fn is_inside(&self, inner: &Form, outer: &Form) -> bool {
        inner.length == outer.length && inner.count < outer.count && inner.words.iter().all(|word| outer.words.has(word))
    }

    /// What is left without an instruction.
    pub(crate) fn remove(&mut self, instruction: &str) {
        let of = |form: &str| form.split('.').next() == Some(instruction);
        self.forms.retain(|f| !of(&f.name));
        self.clashes.retain(|(a, b)| !of(a) && !of(b));
        self.outside.retain(|form| !of(form));
        self.empty.remove(instruction);
    }

    /// A hole has a word that those of the spec lack, none of a form, and one of its length.
    pub(crate) fn is_hole(&self, hole: &Hole, spec: &Spec) -> bool {
        let has = |hole: &Hole, word: Word| hole.bits.get(word) == hole.value;
        let open = ((1u64 << hole.length) - 1) as Word & !hole.bits.mask();
        let words: Vec<Word> = submasks(open).map(|bits| bits | hole.bits.place(hole.value)).collect();
        let before = |word: Word| spec.holes.iter().any(|h| h.length == hole.length && has(h, word));
        let form = |word: Word| self.forms.iter().any(|f| f.length == hole.length && f.words.has(word));
        !words.iter().any(|w| form(*w))
            && words.iter().any(|w| !before(*w))
            && words.iter().any(|w| spec.has_length(*w, hole.length))
    }

    pub(crate) fn is_good(&self) -> bool {
        self.clashes.is_empty() && self.empty.is_empty() && self.outside.is_empty() && self.bad_holes.is_empty()
    }

    /// What the words of a length are, in their order: all of them, or where there are very many, all that belong to a form and some
    /// of the others.
    pub(crate) fn classes(&self, spec: &Spec, length: u32) -> Vec<(Word, Class)> {
        let mut words: BTreeSet<Word> = match length {
            0..=16 => (0..1 << length).collect(),
            _ => (0..SOME).map(|i: Word| i.wrapping_mul(0x9e37_79b1) >> (Word::BITS - length)).collect(),
        };
        if length > 16 {
            self.forms.iter().filter(|f| f.length == length).for_each(|f| words.extend(f.words.iter()));
        }
        words.into_iter().map(|word| (word, self.class(spec, length, word))).collect()
    }

    /// What a word is; of the forms that have it, the one with the fewest words wins.
    fn class(&self, spec: &Spec, length: u32, word: Word) -> Class {
        let own = self.forms.iter().enumerate().filter(|(_, f)| f.length == length && f.words.has(word));
        match own.min_by_key(|(_, f)| f.count) {
            _ if !spec.has_length(word, length) => Class::OtherLength,
            Some((form, of)) if of.is_legal(word) => Class::Legal(form),
            Some((form, _)) => Class::Illegal(form),
            None => {
                let hole = |h: &Hole| h.length == length && h.bits.get(word) == h.value;
                spec.holes.iter().position(hole).map_or(Class::None, Class::Hole)
            }
        }
    }

    /// How many words of this length there are.
    pub(crate) fn total(&self, spec: &Spec, length: u32) -> usize {
        let unit = spec.unit.min(length);
        let shift = if spec.low_first { 0 } else { length - unit };
        let first = (0..1 << unit).filter(|first: &Word| spec.has_length(first << shift, length)).count();
        first << (length - unit)
    }

    /// The legal words of all forms. In a text-only instruction set, those of each form are its own.
    pub(crate) fn legal(&self, spec: &Spec) -> Vec<(usize, Word)> {
        if spec.is_text {
            let own = |(i, form)| {
                let form: &Form = form;
                form.words.iter().filter(|w| form.is_legal(*w)).map(move |word| (i, word)).collect::<Vec<_>>()
            };
            return self.forms.iter().enumerate().flat_map(own).collect();
        }
        let legal = |(word, class)| match class {
            Class::Legal(form) => Some((form, word)),
            _ => None,
        };
        spec.lengths.iter().flat_map(|length| self.classes(spec, length.bits)).filter_map(legal).collect()
    }

    /// Instructions that have two legal words of one text that differ in a bit that counts, and pairs of instructions that share
    /// a text.
    pub(crate) fn same_text(&self, spec: &Spec) -> (BTreeSet<usize>, BTreeSet<(usize, usize)>) {
        let mut texts: BTreeMap<String, Vec<(usize, Word)>> = BTreeMap::new();
        for (form, word) in self.legal(spec) {
            texts.entry(self.forms[form].text_and_added(word)).or_default().push((form, word));
        }
        let (mut within, mut between) = (BTreeSet::new(), BTreeSet::new());
        for words in texts.values() {
            let (first, word) = words[0];
            for (form, other) in &words[1..] {
                let (a, b) = (&self.forms[first], &self.forms[*form]);
                if a.instruction != b.instruction {
                    between.insert((a.instruction, b.instruction));
                }
                // Within an instruction, all words with a text agree with the first of it, or some do not.
                let (a, word) = words
                    .iter()
                    .find(|w| self.forms[w.0].instruction == b.instruction)
                    .map_or((a, word), |w| (&self.forms[w.0], w.1));
                if (word ^ other) & !(a.kept & b.kept) != 0 {
                    within.insert(b.instruction);
                }
            }
        }
        (within, between)
    }
}

impl Spec {
    /// Whether a word begins as those of this length do.
    pub(crate) fn has_length(&self, word: Word, bits: u32) -> bool {
        let first = if self.low_first { word } else { word >> (bits - self.unit.min(bits)) };
        self.lengths.iter().find(|l| l.bits == bits).is_some_and(|l| match l.when {
            None => true,
            Some((width, value, equal)) => (first & ((1 << width) - 1) == value) == equal,
        })
    }
}
