//! The forms of an instruction: the products of its choices.

use super::form::{Form, Place, Print, Rule, Words, shown};
use super::respelt::both;
use crate::small::spec::{
    Args, At, Choose, Cond, FixKey, How, Is, Meaning, Name, Part, Piece, Plain, Radix, Ranges, ReadAs, Reading, Spec, Word,
};
use std::collections::BTreeSet;

/// The origin of a part of a form.
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
    /// The number of instances that are formats; the instruction follows.
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

/// The builder of an instruction without choices.
fn start<'s>(spec: &'s Spec, part: &'s Part) -> Builder<'s> {
    let mut chain = vec![part];
    while let Some(format) = chain[0].extends {
        chain.insert(0, &spec.formats[format].1);
    }
    let body = |part: &&'s Part| Instance { part, prefix: String::new(), args: Vec::new(), owner: Owner::Body };
    let (instances, formats) = (chain.iter().map(body).collect(), chain.len() - 1);
    Builder { spec, instances, formats, picks: Vec::new(), fields: Vec::new(), fixed: Vec::new() }
}

impl Builder<'_> {
    /// Finds the fields, and which of them are fixed: the bits that are, and their values.
    fn find_fields(&mut self) -> (Word, Word) {
        let spec = self.spec;
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
        (mask, value)
    }

    /// The text of the instruction that this one expands to.
    fn meant(&self, instruction: usize) -> Option<Vec<Print>> {
        let (part, expands) = self.spec.meant(instruction)?;
        let mut meant = start(self.spec, part);
        meant.find_fields();
        for field in std::mem::take(&mut meant.fields) {
            let (_, is) = expands.fields.iter().find(|(name, _)| *name == field.path).expect("each field is something");
            let number = |of: &Place, raw| self.spec.number(of, raw);
            let own = match is {
                Is::Value(value) => {
                    let raw = self.spec.raw(&field, value.number);
                    meant.fixed.push((field, raw));
                    continue;
                }
                Is::Field(name) => self.find(name, "").expect("the generator names fields that there are"),
            };
            // Its own bits and address; the other one's default, and the way in which it prints numbers.
            let mut place = Place { path: field.path.clone(), ..own.0.clone() };
            place.default = self.spec.raw(&place, number(&field, field.default));
            if let (Meaning::Int { radix, .. }, Meaning::Int { radix: other, .. }) = (&mut place.meaning, &field.meaning) {
                *radix = *other;
            }
            match own.1 {
                Some(raw) => meant.fixed.push((place, raw)),
                None => meant.fields.push(place),
            }
        }
        Some(meant.with_aliases(meant.text(), false))
    }

    /// The printed text: from the instruction outwards, each format around the text so far.
    fn text(&self) -> Vec<Print> {
        let formats = self.instances[..self.formats].iter().rev().filter(|format| !format.part.text.is_empty());
        formats.fold(self.variants(&self.instances[self.formats], &[]), |text, format| self.variants(format, &text))
    }

    fn form(mut self, instruction: usize, name: String) -> Form {
        let spec = self.spec;
        let length = self.instances.iter().filter_map(|i| i.part.length).next_back().unwrap_or(spec.lengths[0].bits);
        let (mut mask, value) = self.find_fields();
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
        nots.extend(
            self.fields.iter().filter(|f| matches!(f.meaning, Meaning::Register(_) | Meaning::Enum(_) | Meaning::Code(..))).map(
                |field| {
                    let out = (0..1 << field.bits.width()).map(|raw| !spec.is_allowed(field, raw));
                    Rule::Test(field.bits.clone(), out.collect())
                },
            ),
        );
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
        let meant = self.meant(instruction);
        let has_base = meant.is_some() || !own.part.aliases.is_empty();
        let base = has_base.then(|| {
            let base = text.clone();
            let is_hint = meant.is_some();
            text = self.with_aliases(meant.unwrap_or_else(|| std::mem::take(&mut text)), is_hint);
            base
        });
        also.splice(0..0, base.clone());
        let like = |field: &Place| match &field.meaning {
            Meaning::Enum(e) if !spec.enums[*e].likes.is_empty() => {
                let likes = &spec.enums[*e].likes;
                let of = |raw| {
                    likes
                        .iter()
                        .find(|like| i64::from(like.0) == spec.number(field, raw))
                        .map_or(raw, |l| spec.raw(field, l.1.into()))
                };
                Some((field.bits.clone(), (0..1 << field.bits.width()).map(of).collect()))
            }
            Meaning::Code(code, _) if spec.codes[*code].several.is_some() => {
                let code = &spec.codes[*code];
                let of = |raw: Word| code.numbers[raw as usize].and_then(|number| code.bits(number)).unwrap_or(raw);
                Some((field.bits.clone(), (0..1 << field.bits.width()).map(of).collect()))
            }
            _ => None,
        };
        let likes = self.fields.iter().filter_map(like).collect();
        let mut form = Form {
            name,
            instruction,
            length,
            mask,
            value,
            likes,
            base,
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
        // A test of a number, and whether exactly one of its bits is set.
        let test = |name: &Name, holds: &dyn Fn(i128, bool) -> bool| {
            let Some(of) = self.numbers(&name.path, prefix) else { return Rule::Const(false) };
            Rule::Test(of.bits, of.numbers.iter().map(|(number, is_hot)| holds(*number, *is_hot)).collect())
        };
        match cond {
            Cond::Or(parts) => Rule::Or(all(parts)),
            Cond::And(parts) => Rule::And(all(parts)),
            Cond::Not(part) => Rule::Not(Box::new(self.rule(part, prefix))),
            Cond::Bare(name) => test(name, &|n, _| n != 0),
            Cond::Compare(name, op, value) => test(name, &|n, _| compared(n, op, value.number.into())),
            Cond::Arith(name, op, k, compare) => test(name, &|n, _| {
                let k = i128::from(*k);
                let result = if *op == '%' { n.rem_euclid(k) } else { n & k };
                match compare {
                    None => result != 0,
                    Some((equal, c)) => (result == i128::from(*c)) == *equal,
                }
            }),
            Cond::In(name, elements) => test(name, &|n, _| {
                elements.iter().any(|(first, last)| {
                    let last = last.as_ref().unwrap_or(first);
                    (i128::from(first.number)..=last.number.into()).contains(&n)
                })
            }),
            Cond::Fields(by_number, (left, plus), op, (right, more)) => {
                let [Some(a), Some(b)] = [left, right].map(|name| self.numbers(&name.path, prefix)) else {
                    return Rule::Const(false);
                };
                let sums = |of: &Numbers, plus: i64| -> Vec<i128> {
                    let plus = i128::from(plus) + if *by_number { of.first.into() } else { 0 };
                    of.numbers.iter().map(|(number, _)| number + plus).collect()
                };
                let (numbers, others) = (sums(&a, *plus), sums(&b, *more));
                let row = |a: &i128| others.iter().map(|b| compared(*a, op, *b)).collect();
                Rule::Fields(a.bits, b.bits, numbers.iter().map(row).collect())
            }
            Cond::OneHot(name) => test(name, &|_, is_hot| is_hot),
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
        let rule = |cond: &Option<Cond>| cond.as_ref().map_or(Rule::Const(true), |cond| self.rule(cond, &instance.prefix));
        let one = |(cond, pieces): &(Option<Cond>, Vec<Piece>)| (rule(cond), self.pieces(pieces, instance, body));
        vec![Print::Variants(instance.part.text.iter().map(one).collect())]
    }

    /// A text, or where they hold, the aliases of the instruction, inside its formats.
    fn with_aliases(&self, otherwise: Vec<Print>, is_hint: bool) -> Vec<Print> {
        let own = &self.instances[self.formats];
        let alias = |text: Vec<Print>| {
            let formats = self.instances[..self.formats].iter().rev().filter(|format| has_body(format.part));
            formats.fold(text, |text, format| self.variants(format, &text))
        };
        let one = |(cond, pieces): &(Option<Cond>, Vec<Piece>)| {
            let rule = cond.as_ref().map_or(Rule::Const(true), |cond| self.rule(cond, &own.prefix));
            (rule, alias(self.pieces(pieces, own, &[])))
        };
        let mut all: Vec<(Rule, Vec<Print>)> = own.part.aliases.iter().map(one).collect();
        // Words with an alias of their own do not have the texts of the instruction that is meant.
        let not = |(rule, _): &(Rule, Vec<Print>)| Rule::Not(Box::new(rule.clone()));
        let rest = if is_hint { Rule::And(all.iter().map(not).collect()) } else { Rule::Const(true) };
        all.push((rest, otherwise));
        vec![Print::Variants(all)]
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
                    let (inside, is_always) = self.shown(body, instance);
                    let body = self.pieces(body, instance, around);
                    if is_always {
                        out.extend(body);
                        continue;
                    }
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

    /// The reading with this name.
    fn reading_named(&self, name: &str) -> Option<&Reading> {
        self.instances
            .iter()
            .flat_map(|instance| &instance.part.readings)
            .find(|(own, _)| own == name)
            .map(|(_, reading)| reading)
    }

    /// The fields of a reading, and of those in it, each once.
    fn fields_of<'b>(&'b self, reading: &'b Reading, out: &mut Vec<(&'b Place, Option<Word>)>) {
        for name in &reading.of {
            match self.find(name, "") {
                Some(field) if out.iter().all(|known| known.0.path != field.0.path) => out.push(field),
                Some(_) => {}
                None => self.fields_of(self.reading_named(name).expect("readings name fields and readings"), out),
            }
        }
    }

    /// The number of a reading in a word.
    fn number_in(&self, reading: &Reading, word: Word) -> i128 {
        let mut fields = Vec::new();
        self.fields_of(reading, &mut fields);
        // The number of a name, its bits, and how many these are.
        let one = |name: &String| match self.find(name, "") {
            Some((field, fixed)) => {
                let raw = fixed.unwrap_or_else(|| field.bits.get(word));
                let number = self.spec.number(field, raw) + self.spec.first_of(&field.meaning);
                (i128::from(number), i128::from(raw), field.bits.width())
            }
            None => {
                let inner = self.reading_named(name).expect("readings name fields and readings");
                let number = self.number_in(inner, word);
                let first =
                    if let ReadAs::Register(file) = inner.meaning { self.spec.first_of(&Meaning::Register(file)) } else { 0 };
                (number + i128::from(first), number, self.bits_of_number(inner))
            }
        };
        let number = match &reading.how {
            How::Joined => reading.of.iter().map(one).fold(0, |all, (_, bits, width)| all << width | bits),
            How::Sum(sum) => {
                let numbers: Vec<i128> = reading.of.iter().map(|name| one(name).0).collect();
                sum.number(&numbers).expect("the generator makes small sums")
            }
        };
        let width = fields.iter().map(|(field, _)| field.bits.width()).sum();
        self.spec.read_width(&reading.meaning, width).map_or(number, |width| number.rem_euclid(1 << width))
    }

    /// The number of bits of a reading that is joined with others: those of its meaning, or of its greatest number.
    fn bits_of_number(&self, reading: &Reading) -> u32 {
        let mut fields = Vec::new();
        self.fields_of(reading, &mut fields);
        let width = fields.iter().map(|(field, _)| field.bits.width()).sum();
        self.spec.read_width(&reading.meaning, width).unwrap_or_else(|| {
            let (bits, numbers) = self.numbers_of(reading);
            let has_number = |raw: Word| {
                let word = bits.place(raw);
                fields.iter().all(|(field, fixed)| self.spec.has_number(field, fixed.unwrap_or_else(|| field.bits.get(word))))
            };
            let all = (0..).zip(numbers).filter(|(raw, _)| has_number(*raw)).map(|(_, number)| number);
            let most = all.max().unwrap_or(0);
            (i128::BITS - most.leading_zeros()).max(1)
        })
    }

    /// The bits of a reading, and its number for each of their values.
    fn numbers_of(&self, reading: &Reading) -> (Ranges, Vec<i128>) {
        let mut fields = Vec::new();
        self.fields_of(reading, &mut fields);
        let open = fields.iter().filter(|(_, fixed)| fixed.is_none());
        let bits = Ranges(open.flat_map(|(field, _)| field.bits.0.clone()).collect());
        let numbers = (0..1 << bits.width()).map(|raw| self.number_in(reading, bits.place(raw))).collect();
        (bits, numbers)
    }

    /// The numbers that conditions call so; `None` if there are none.
    fn numbers(&self, name: &str, prefix: &str) -> Option<Numbers> {
        if let Some((field, fixed)) = self.find(name, prefix) {
            let all = ((1u64 << field.bits.width()) - 1) as Word;
            let number = |raw: Word| {
                let bits = if field.inverted { all - raw } else { raw };
                (i128::from(self.spec.number(field, raw)), bits.count_ones() == 1)
            };
            let first = self.spec.first_of(&field.meaning);
            return Some(match fixed {
                Some(raw) => Numbers { bits: Ranges(Vec::new()), numbers: vec![number(raw)], first },
                None => Numbers { bits: field.bits.clone(), numbers: (0..=all).map(number).collect(), first },
            });
        }
        let reading = self.reading_named(name)?;
        let (bits, numbers) = self.numbers_of(reading);
        let first = if let ReadAs::Register(file) = reading.meaning { self.spec.first_of(&Meaning::Register(file)) } else { 0 };
        let numbers = numbers.into_iter().map(|number| (number, number > 0 && number.count_ones() == 1)).collect();
        Some(Numbers { bits, numbers, first })
    }

    /// The printed form of a reading.
    fn reading(&self, reading: &Reading, radix: Option<Radix>) -> Print {
        let (bits, numbers) = self.numbers_of(reading);
        let radix = radix.unwrap_or(if self.spec.decimal { Radix::Dec } else { Radix::Hex });
        let one = |number: i128| match &reading.meaning {
            ReadAs::Number => (shown(number, radix), both(&[number])),
            meaning => {
                let others = match meaning {
                    ReadAs::Register(file) => self.spec.other_names(*file, number as u32),
                    ReadAs::Enum(e) => self.spec.other_values(*e, number as u32),
                    _ => Vec::new(),
                };
                let text = self.spec.read_text(meaning, number);
                // Without a text, it is not printed.
                (text.clone().unwrap_or("?".to_string()), text.map_or(Vec::new(), |_| others))
            }
        };
        let (texts, others) = numbers.iter().copied().map(one).unzip();
        let turn = match (&reading.how, &reading.meaning) {
            (How::Sum(sum), ReadAs::Number) => sum.turn(),
            _ => None,
        };
        Print::Reading { bits, texts, others, numbers, turn }
    }

    fn place(&self, name: &str, radix: Option<Radix>, instance: &Instance<'_>, around: &[Print]) -> Vec<Print> {
        if let Some((_, reading)) = instance.part.readings.iter().find(|(own, _)| own == name) {
            return vec![self.reading(reading, radix)];
        }
        if let Some((field, fixed)) = self.find(name, &instance.prefix) {
            return vec![match fixed {
                // The value is the only one.
                Some(raw) => self.printed(field, radix, Ranges(Vec::new()), raw..raw + 1),
                None => self.printed(field, radix, field.bits.clone(), 0..1 << field.bits.width()),
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

    /// The printed form of a field for each of these values, which are those of some bits of the word.
    fn printed(&self, field: &Place, radix: Option<Radix>, bits: Ranges, all: std::ops::Range<Word>) -> Print {
        if let Meaning::Int { wraps, radix: own, target: Some(from), .. } = &field.meaning {
            let numbers = all.map(|raw| self.spec.number(field, raw)).collect();
            let radix = radix.or(*own).unwrap_or(if self.spec.decimal { Radix::Dec } else { Radix::Hex });
            let modulo = wraps.then(|| self.spec.pc.unwrap_or(64));
            return Print::Target { bits, numbers, from: *from, modulo, radix };
        }
        let (first, field) = (all.start, field.clone());
        Print::Field { bits, texts: all.map(|raw| self.spec.field_text(&field, raw, radix)).collect(), first, field }
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
    /// asked for there; and whether one that is fixed is not at its default.
    fn shown(&self, body: &[Piece], instance: &Instance<'_>) -> (Vec<(Ranges, Word)>, bool) {
        let mut names: BTreeSet<String> = BTreeSet::new();
        let mut prefixes: Vec<&str> = Vec::new();
        for piece in body {
            let Piece::Place { name, .. } = piece else { continue };
            if let Some((_, reading)) = instance.part.readings.iter().find(|(own, _)| own == name) {
                let mut fields = Vec::new();
                self.fields_of(reading, &mut fields);
                names.extend(fields.iter().map(|(field, _)| field.path.clone()));
                continue;
            }
            if let Some((field, _)) = self.find(name, &instance.prefix) {
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
        let is_always = self.fixed.iter().any(|(field, raw)| inside(&field) && *raw != field.default);
        (self.fields.iter().filter(inside).map(|f| (f.bits.clone(), f.default)).collect(), is_always)
    }
}

/// True if the text of a format has a place for that of an instruction.
fn has_body(format: &Part) -> bool {
    fn has(pieces: &[Piece]) -> bool {
        pieces.iter().any(|piece| match piece {
            Piece::Body => true,
            Piece::When(_, body) | Piece::Group(body) => has(body),
            Piece::Literal(_) | Piece::Place { .. } => false,
        })
    }
    format.text.iter().any(|(_, pieces)| has(pieces))
}

/// The numbers of a field or a reading, for each value of some bits of the word, and whether exactly one bit is set.
struct Numbers {
    bits: Ranges,
    numbers: Vec<(i128, bool)>,
    /// The number in the whole file that the first register has, if they are registers.
    first: i64,
}

fn compared(a: i128, operator: &str, b: i128) -> bool {
    match operator {
        "==" => a == b,
        "!=" => a != b,
        "<" => a < b,
        "<=" => a <= b,
        ">" => a > b,
        _ => a >= b,
    }
}

/// All values of the bits of a mask.
pub(super) fn submasks(mask: Word) -> impl Iterator<Item = Word> {
    let mut next = Some(0);
    std::iter::from_fn(move || {
        let bits = next?;
        next = Some((bits as Word).wrapping_sub(mask) & mask).filter(|bits| *bits != 0);
        Some(bits)
    })
}
