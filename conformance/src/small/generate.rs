//! Small specs at random.

use super::brute::{Brute, Place, forms_of};
use super::spec::*;
use crate::Random;
use std::collections::BTreeMap;

/// Bits that nothing has yet.
type Pool = Vec<u32>;

const MNEMONICS: &[&str] = &["ADD", "ADDX", "AND", "A", "B", "BR", "CALL", "AD", "FMA", "GET", "HLT", "INC", "JMP", "LD.W"];

/// A field that conditions can ask for.
struct Asked {
    place: Place,
    /// Every form has it.
    always: bool,
}

/// What conditions of an instruction can ask for.
#[derive(Default)]
struct Scope {
    asked: Vec<Asked>,
    slots: Vec<(String, Vec<String>)>,
    tags: Vec<String>,
    defines: Vec<String>,
}

/// How a part of a text looks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// Behind the mnemonic; it begins with a dot, or is empty.
    Suffix,
    /// A number: behind the mnemonic with a dot before it, or among the operands.
    Number,
    Operand,
    Letters,
}

struct Generator {
    random: Random,
    spec: Spec,
    /// Of each operand, the widths of its parameters.
    widths: Vec<Vec<u32>>,
    /// Numbers print in several ways; then no two instructions have one mnemonic, since what one writes another would read.
    radices: bool,
    plain: bool,
}

/// Words of more bits are mostly fixed: there are too many to try them all.
const WIDE: u32 = 12;
/// A wide word has so many bits that are not fixed at most.
const MAX_OPEN: usize = 9;

/// The spec of a seed. `plain` ones have no targets, layouts, lines of syntax, words of three lengths, and no text-only specs.
pub(crate) fn spec(seed: u64, plain: bool) -> Spec {
    // Neighbouring seeds make unlike specs.
    let mut mixed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    let spec = Spec {
        unit: 8,
        low_first: true,
        big_endian: false,
        pc: None,
        is_text: false,
        lengths: Vec::new(),
        decimal: false,
        registers: Vec::new(),
        enums: Vec::new(),
        operands: Vec::new(),
        choices: Vec::new(),
        formats: Vec::new(),
        instructions: Vec::new(),
        holes: Vec::new(),
    };
    let random = Random::new((mixed ^ mixed >> 31) | 1);
    let mut generator = Generator { random, spec, widths: Vec::new(), radices: false, plain };
    generator.all();
    generator.spec
}

impl Generator {
    fn below(&mut self, n: usize) -> usize {
        (self.random.next_u64() >> 16) as usize % n.max(1)
    }

    fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    fn percent(&mut self, n: usize) -> bool {
        self.below(100) < n
    }

    fn pick<T: Clone>(&mut self, list: &[T]) -> T {
        let at = self.below(list.len());
        list[at].clone()
    }

    fn all(&mut self) {
        if !self.plain && self.percent(12) {
            return self.text_alone();
        }
        self.words();
        self.spec.decimal = self.percent(30);
        self.radices = self.percent(50);
        for i in 0..self.between(0, 2) {
            self.registers(i);
        }
        for i in 0..self.between(1, 3) {
            self.enumeration(i);
        }
        self.operands();
        if self.percent(50) {
            self.choice();
        }
        for i in 0..self.between(0, 2) {
            self.format(i);
        }
        for i in 0..self.between(2, 12) {
            let part = if i > 0 && self.percent(35) { self.related(i) } else { self.instruction(i) };
            self.spec.instructions.push((format!("I{i}"), part));
        }
        if !self.plain {
            self.more();
        }
        self.repair();
        for i in 0..self.below(3) {
            self.hole(i);
        }
    }

    /// Targets, layouts and lines of syntax.
    fn more(&mut self) {
        let targets = self.percent(25);
        if targets && self.percent(50) {
            // With fewer bits than a target has, words of several values would have one text.
            self.spec.pc = Some(self.pick(&[8, 16, 64]));
        }
        let (layouts, lines) = (self.percent(40), self.percent(30));
        let only = self.spec.lengths[0].bits;
        let bits: Vec<Option<u32>> = self.spec.formats.iter().map(|f| f.1.length).collect();
        let mut formats = std::mem::take(&mut self.spec.formats);
        let mut instructions = std::mem::take(&mut self.spec.instructions);
        for (_, part) in &mut formats {
            self.draw(part, layouts, only);
        }
        for (_, part) in &mut instructions {
            let length = part.length.or(part.extends.and_then(|f| bits[f])).unwrap_or(only);
            if targets {
                self.targets(part);
            }
            part.syntax = lines && self.percent(70);
            // The entries of `where` differ by what they name.
            self.draw(part, layouts, length);
            for (_, choose) in &mut part.choose {
                let Choose::Inline(alternatives) = choose else { continue };
                for (_, alternative) in alternatives {
                    if targets {
                        self.targets(alternative);
                    }
                    alternative.syntax = lines && self.percent(50);
                    self.draw(alternative, layouts, length);
                }
            }
        }
        (self.spec.formats, self.spec.instructions) = (formats, instructions);
    }

    fn draw(&mut self, part: &mut Part, layouts: bool, length: u32) {
        if layouts && self.percent(70) {
            let style = self.pick(&[Layout::Lsb, Layout::Msb, Layout::Msb, Layout::Parts]);
            part.layout = Some((style, part.length.unwrap_or(length)));
        }
    }

    fn targets(&mut self, part: &mut Part) {
        for field in &mut part.fields {
            let offset = self.pick(&[0, 0, 1, 2, 4, 16, -2]);
            let chosen = self.percent(50);
            if let Meaning::Int { target, wraps, .. } = &mut field.meaning
                && chosen
                && !field.inverted
            {
                *target = Some(offset);
                *wraps = self.percent(50);
            }
        }
    }

    /// A text-only spec.
    fn text_alone(&mut self) {
        self.spec.is_text = true;
        self.spec.lengths = vec![Length { bits: self.between(6, 11) as u32, when: None }];
        self.spec.decimal = self.percent(50);
        self.radices = self.percent(50);
        for i in 0..self.between(0, 2) {
            self.registers(i);
        }
        for i in 0..self.between(1, 3) {
            self.enumeration(i);
        }
        let lines = self.percent(50);
        for i in 0..self.between(1, 8) {
            let mut pool: Pool = (0..self.spec.lengths[0].bits).rev().collect();
            let mut part = Part { rest: Some(Plain::Reserved), ..Part::default() };
            if self.percent(35) {
                self.alternatives(&mut part, &mut pool);
            }
            for n in 0..self.between(0, 4) {
                let width = self.between(1, 4).min(pool.len()) as u32;
                if width > 0 {
                    part.fields.push(self.field_alone(format!("x{n}"), &mut pool, width, false));
                }
            }
            self.conditions(i, &mut part);
            part.syntax = lines && self.percent(70);
            self.spec.instructions.push((format!("I{i}"), part));
        }
        self.repair();
    }

    /// A choice whose alternatives differ in their texts, or do not.
    fn alternatives(&mut self, part: &mut Part, pool: &mut Pool) {
        let mut list = Vec::new();
        for k in 0..self.between(2, 3) {
            let mut alternative = Part::default();
            let (open, close) = self.pick(&[("", ""), ("[", "]"), ("(", ")"), ("%", "")]);
            let mut text = vec![Piece::Literal(open.into())];
            // Of a choice whose first alternative has a field, the text is an operand.
            if k == 0 || self.percent(70) && pool.len() > 3 {
                let width = self.between(1, 3) as u32;
                let field = self.field_alone("sn".into(), &mut pool.clone(), width, true);
                text.push(Piece::Place { name: field.name.clone(), optional: false, radix: None });
                alternative.fields.push(field);
            } else {
                text.push(Piece::Literal(format!("k{k}")));
            }
            text.push(Piece::Literal(close.into()));
            text.retain(|p| !matches!(p, Piece::Literal(text) if text.is_empty()));
            alternative.text = vec![(None, text)];
            list.push((["a", "b", "c"][k].to_string(), alternative));
        }
        // Alternatives share their bits.
        if pool.len() > 3 {
            pool.drain(..3);
        }
        part.choose.push(("s".into(), Choose::Inline(list)));
    }

    /// A field with as many bits as its values need.
    fn field_alone(&mut self, name: String, pool: &mut Pool, width: u32, operand: bool) -> Field {
        let mut field = self.field(name, At::Param(""), width, operand);
        field.inverted = false;
        let needed = match &field.meaning {
            Meaning::Register(file) => self.spec.registers[*file].index,
            Meaning::Enum(e) => {
                let e = &self.spec.enums[*e];
                let last = e.values.iter().map(|v| v.0).max().unwrap_or(0);
                if e.other.is_some() { width } else { (u32::BITS - last.leading_zeros()).max(1) }
            }
            _ => width,
        };
        if needed as usize > pool.len() || needed != width {
            // Of another width, and perhaps then with another default.
            let radix = None;
            field.meaning = Meaning::Int { signed: self.percent(40), scale: 1, bias: 0, wraps: false, radix, target: None };
            field.default = None;
        }
        let bits: Vec<u32> = pool.drain(..width as usize).collect();
        field.at = At::Here(Ranges(vec![(bits[0], bits[width as usize - 1])]));
        if let (Some(_), At::Here(ranges)) = (&field.default, &field.at) {
            let place = Place { bits: ranges.clone(), ..place_of(&field, width) };
            let raw = self.below(1 << width) as Word;
            field.default = Some(self.value(&place, raw));
        }
        field
    }

    fn words(&mut self) {
        let single = |bits| vec![Length { bits, when: None }];
        let when = |width, value, equal| Some((width, value, equal));
        if !self.plain && self.percent(20) {
            self.spec.unit = self.pick(&[4, 4, 4, 4, 8, 8, 8, 16]);
            self.spec.low_first = self.percent(60);
            self.spec.big_endian = self.percent(50);
            let unit = self.spec.unit;
            self.spec.lengths = match unit {
                16 => vec![Length { bits: 16, when: when(1, 0, true) }],
                _ => vec![
                    Length { bits: unit, when: when(1, 0, true) },
                    Length { bits: 2 * unit, when: when(2, 1, true) },
                    Length { bits: 3 * unit, when: when(2, 3, true) },
                ],
            };
            return;
        }
        match self.below(100) {
            0..=19 => self.spec.lengths = single(8),
            20..=39 => self.spec.lengths = single(9),
            40..=57 => self.spec.lengths = single(10),
            58..=69 => self.spec.lengths = single(11),
            70..=76 => self.spec.lengths = single(12),
            n => {
                // Words of 16 bits take long; most streams are of small units.
                self.spec.unit = if n < 80 { 8 } else { 4 + (n as u32 & 1) };
                self.spec.low_first = self.percent(60);
                let unit = self.spec.unit;
                let (width, value) = if self.percent(60) { (1, 0) } else { (2, 3) };
                self.spec.lengths = vec![
                    Length { bits: unit, when: when(width, value, true) },
                    Length { bits: 2 * unit, when: when(width, value, false) },
                ];
                if self.percent(20) {
                    // Some units begin no word.
                    self.spec.lengths[0].when = when(2, 0, true);
                    self.spec.lengths[1].when = when(2, 3, true);
                }
            }
        }
    }

    fn registers(&mut self, i: usize) {
        let index = self.between(2, 3) as u32;
        let last = (1u32 << index) - 1;
        let prefix = ["r", "p"][i].to_string();
        let halves = self.percent(15).then(|| ["L".to_string(), "H".to_string()]);
        let count = (halves.is_none() && self.percent(40)).then(|| self.between(1, last as usize) as u32);
        let mut special = Vec::new();
        if self.percent(50) {
            special.push((if self.percent(70) { last } else { self.below(last as usize) as u32 }, format!("{prefix}z")));
        }
        let suffix = if self.percent(15) { "w".to_string() } else { String::new() };
        self.spec.registers.push(Registers { name: ["R", "P"][i].to_string(), index, prefix, suffix, count, special, halves });
    }

    fn enumeration(&mut self, i: usize) {
        let width = self.between(1, 3) as u32;
        let dotted = self.percent(50);
        let texts: &[&str] = match dotted {
            true => &[".a", ".ab", ".b", ".abc", ".c", ".d", ".de", ".e"],
            false => &["ka", "kab", "kb", "kc", "kabc", "kd", "ke", "kf"],
        };
        let shift = self.below(8);
        let sparse = self.percent(60);
        let empty = if dotted && self.percent(60) { self.below(1 << width) as u32 } else { u32::MAX };
        let mut values = Vec::new();
        for n in 0..1u32 << width {
            if sparse && self.percent(40) {
                continue;
            }
            let text = if n == empty { String::new() } else { texts[(n as usize + shift) % 8].to_string() };
            let also = if self.percent(10) { vec![format!("{}z{n}", if dotted { "." } else { "" })] } else { Vec::new() };
            values.push((n, text, also));
        }
        if values.is_empty() {
            values.push((0, texts[shift].to_string(), Vec::new()));
        }
        let other = (sparse && self.percent(25)).then(|| if dotted { ".s" } else { "s" }.to_string());
        let list = other.is_none() && self.percent(50);
        self.spec.enums.push(Enum { name: format!("E{i}"), width, values, other, list, dotted });
    }

    /// A meaning for so many bits, that can stand among operands if so wanted.
    fn meaning(&mut self, width: u32, operand: bool) -> Meaning {
        let registers: Vec<usize> = (0..self.spec.registers.len()).filter(|r| self.spec.registers[*r].index >= width).collect();
        let enums: Vec<usize> = (0..self.spec.enums.len())
            .filter(|e| self.spec.enums[*e].width <= width && !(operand && self.spec.enums[*e].dotted))
            .collect();
        match self.below(100) {
            0..=29 if !registers.is_empty() => Meaning::Register(self.pick(&registers)),
            30..=54 if !enums.is_empty() => Meaning::Enum(self.pick(&enums)),
            55..=64 if width == 1 && !operand => Meaning::Flag(self.pick(&[".f", ".ff", ".g"]).to_string()),
            65..=71 if width <= 4 => Meaning::Bitset("abcd"[..width as usize].to_string()),
            _ => {
                let scale = self.pick(&[1, 1, 1, 1, 2, 3, 4, -1, -2, -4]);
                let bias = self.pick(&[0, 0, 0, 0, 1, 4, 7, -3, 16]);
                let radix = self.pick(&[None, None, Some(Radix::Hex), Some(Radix::Dec)]).filter(|_| self.radices);
                Meaning::Int { signed: self.percent(40), scale, bias, wraps: self.percent(12), radix, target: None }
            }
        }
    }

    fn field(&mut self, name: String, at: At, width: u32, operand: bool) -> Field {
        let mut meaning = self.meaning(width, operand);
        let inverted = self.percent(12);
        if let (Meaning::Int { wraps, .. }, true) = (&mut meaning, inverted) {
            *wraps = false;
        }
        let mut field = Field { name, at, meaning, inverted, default: None };
        if self.percent(35) {
            let place = place_of(&field, width);
            let raw = self.below(1 << width) as Word;
            field.default = Some(self.value(&place, raw));
        }
        field
    }

    /// The value of a field's bits, written in one of the ways that it can be.
    fn value(&mut self, place: &Place, raw: Word) -> Value {
        let number = self.spec.number(place, raw);
        let named = match &place.meaning {
            Meaning::Register(file) => self.spec.register(*file, number as u32),
            Meaning::Enum(e) => {
                let e = &self.spec.enums[*e];
                e.values.iter().find(|v| i64::from(v.0) == number).map(|v| format!("\"{}\"", v.1))
            }
            _ => None,
        };
        let text = named.filter(|_| self.percent(60)).unwrap_or_else(|| self.shown(number));
        Value { number, text }
    }

    fn shown(&mut self, number: i64) -> String {
        match self.percent(30) {
            true => format!("{}{:#x}", if number < 0 { "-" } else { "" }, number.unsigned_abs()),
            false => number.to_string(),
        }
    }

    /// Takes so many bits out of the pool, mostly neighbours.
    fn take(&mut self, pool: &mut Pool, width: u32) -> Ranges {
        let runs: Vec<usize> =
            (0..pool.len()).filter(|i| pool.get(i + width as usize - 1).is_some_and(|low| pool[*i] - low == width - 1)).collect();
        if !runs.is_empty() && self.percent(85) {
            let at = self.pick(&runs);
            let bits: Vec<u32> = pool.drain(at..at + width as usize).collect();
            return Ranges(vec![(bits[0], bits[width as usize - 1])]);
        }
        let mut bits: Vec<u32> = (0..width).map(|_| pool.remove(self.below(pool.len()))).collect();
        bits.sort_unstable_by(|a, b| b.cmp(a));
        let mut ranges: Vec<(u32, u32)> = Vec::new();
        for bit in bits {
            match ranges.last_mut() {
                Some(last) if last.1 == bit + 1 => last.1 = bit,
                _ => ranges.push((bit, bit)),
            }
        }
        if self.percent(40) {
            ranges.rotate_left(1);
        }
        Ranges(ranges)
    }

    fn operands(&mut self) {
        let with_neg = !self.spec.registers.is_empty();
        if with_neg {
            let file = self.below(self.spec.registers.len());
            let width = self.spec.registers[file].index;
            let mut r =
                Field { name: "r".into(), at: At::Param("at"), meaning: Meaning::Register(file), inverted: false, default: None };
            if self.percent(30) {
                let place = place_of(&r, width);
                r.default = Some(self.value(&place, (1 << width) - 1));
            }
            let neg = Field {
                name: "neg".into(),
                at: At::Param("neg"),
                meaning: Meaning::Flag("-".into()),
                inverted: false,
                default: None,
            };
            let mut pieces = vec![Piece::Place { name: "r".into(), optional: false, radix: None }];
            pieces.insert(
                0,
                match self.percent(50) {
                    true => Piece::Place { name: "neg".into(), optional: true, radix: None },
                    false => {
                        Piece::When(Cond::Bare(Name { path: "neg".into(), optional: true }), vec![Piece::Literal("-".into())])
                    }
                },
            );
            let mut part = Part { fields: vec![r, neg], text: vec![(None, pieces)], ..Part::default() };
            if self.percent(20) {
                let place = place_of(&part.fields[0], width);
                let cond = self.atom(&[&Asked { place, always: true }]);
                part.constraints.push(cond);
            }
            self.spec.operands.push(("Reg".into(), vec![("at", false), ("neg", true)], part));
            self.widths.push(vec![width, 1]);
        }
        let width = self.between(1, 3) as u32;
        let field = self.field("n".into(), At::Param("at"), width, true);
        let mut part = Part { fields: vec![field], ..Part::default() };
        if self.percent(50) {
            let place = Piece::Place { name: "n".into(), optional: false, radix: None };
            part.text = vec![(None, vec![Piece::Literal("[".into()), place, Piece::Literal("]".into())])];
        }
        if self.percent(20) {
            let place = place_of(&part.fields[0], width);
            let cond = self.atom(&[&Asked { place, always: true }]);
            if self.percent(50) { part.constraints.push(cond) } else { part.not.push(cond) }
        }
        self.spec.operands.push(("Num".into(), vec![("at", false)], part));
        self.widths.push(vec![width]);
    }

    /// Binds an operand, if there are bits for it.
    fn bound(&mut self, name: &str, pool: &mut Pool) -> Option<(String, usize, Args)> {
        let operand = self.below(self.spec.operands.len());
        let params = self.spec.operands[operand].1.clone();
        let mut args = Vec::new();
        for (i, (param, optional)) in params.iter().enumerate() {
            let width = self.widths[operand][i];
            if *optional && (pool.is_empty() || self.percent(50)) {
                continue;
            }
            if pool.len() < width as usize {
                return None;
            }
            args.push((*param, At::Here(self.take(pool, width))));
        }
        Some((name.to_string(), operand, args))
    }

    /// A choice of three alternatives with parameters.
    fn choice(&mut self) {
        let num = self.spec.operands.len() - 1;
        let fix = |n: i64| (FixKey::Bits(At::Param("sel")), Value { number: n, text: n.to_string() });
        let width = self.widths[num][0];
        let number = Part { fix: vec![fix(0)], bind: vec![("s".into(), num, vec![("at", At::Param("at"))])], ..Part::default() };
        let field = self.field("n".into(), At::Param("at"), width, true);
        let place = Piece::Place { name: "n".into(), optional: false, radix: None };
        let text = vec![(None, vec![Piece::Literal("(".into()), place, Piece::Literal(")".into())])];
        let mut other = Part { fix: vec![fix(1)], fields: vec![field], text, tags: Some("t".into()), ..Part::default() };
        if self.percent(30) {
            let asked = Asked { place: place_of(&other.fields[0], width), always: true };
            other.constraints.push(self.atom(&[&asked]));
        }
        let alternatives = vec![("num".to_string(), number), ("own".to_string(), other)];
        self.spec.choices.push(("Pick".into(), vec!["at", "sel"], alternatives));
    }

    fn length(&mut self) -> u32 {
        let at = self.below(self.spec.lengths.len());
        self.spec.lengths[at].bits
    }

    fn format(&mut self, i: usize) {
        let bits = self.length();
        let parent = (i > 0 && self.percent(40)).then_some(0).filter(|_| self.spec.formats[0].1.length == Some(bits));
        let mut pool = match parent {
            Some(parent) => self.free(bits, &[&self.spec.formats[parent].1.clone()]),
            None => self.free(bits, &[]),
        };
        let mut part = Part { length: Some(bits), extends: parent, ..Part::default() };
        let name = |what: &str| format!("{what}{i}");
        let width = self.between(1, 3).min(pool.len()) as u32;
        if width > 0 {
            let at = self.take(&mut pool, width);
            let plain = Meaning::Int { signed: false, scale: 1, bias: 0, wraps: false, radix: None, target: None };
            let mut field = self.field(name("op"), At::Here(at), width, true);
            if self.percent(70) {
                field = Field { meaning: plain, inverted: false, default: None, ..field };
            }
            part.fields.push(field);
        }
        if !pool.is_empty() && self.percent(40) {
            let width = (self.between(1, 2)).min(pool.len()) as u32;
            let at = self.take(&mut pool, width);
            let field = self.field(name("g"), At::Here(at), width, true);
            let place = Piece::Place { name: field.name.clone(), optional: false, radix: None };
            part.text = vec![(
                None,
                vec![Piece::Group(vec![Piece::Literal("@".into()), place, Piece::Literal(" ".into())]), Piece::Body],
            )];
            part.fields.push(field);
            if self.percent(25) {
                part.also.push(vec![Piece::Literal("do ".into()), Piece::Body]);
            }
        }
        if pool.len() > 4 && self.percent(30) {
            let at = self.take(&mut pool, 1);
            let field = self.field(name("s"), At::Here(at), 1, true);
            let place = Piece::Place { name: field.name.clone(), optional: false, radix: None };
            part.full = Some(vec![Piece::Literal(format!("[S{i}:")), place, Piece::Literal("]".into())]);
            part.fields.push(field);
        }
        if self.percent(10) && !part.fields.is_empty() {
            let asked: Vec<Asked> = part.fields.iter().map(|f| Asked { place: place_of(f, width_of(f)), always: true }).collect();
            let cond = self.atom(&asked.iter().collect::<Vec<_>>());
            part.constraints.push(cond);
        }
        self.spec.formats.push((format!("f{i}"), part));
    }

    /// The bits that neither these parts nor the formats that they extend have.
    fn free(&self, bits: u32, parts: &[&Part]) -> Pool {
        let mut used = 0;
        let mut todo: Vec<&Part> = parts.to_vec();
        while let Some(part) = todo.pop() {
            todo.extend(part.extends.map(|f| &self.spec.formats[f].1));
            let fields = part.fields.iter().map(|f| &f.at);
            let binds = part.bind.iter().flat_map(|b| b.2.iter().map(|a| &a.1));
            let fixes = part.fix.iter().filter_map(|(key, _)| match key {
                FixKey::Bits(at) => Some(at),
                FixKey::Field(_) => None,
            });
            for at in fields.chain(binds).chain(fixes) {
                if let At::Here(ranges) = at {
                    used |= ranges.mask();
                }
            }
            used |= part.plain.iter().fold(0, |m, p| m | p.1.mask());
            for (_, choose) in &part.choose {
                match choose {
                    Choose::Inline(list) => todo.extend(list.iter().map(|a| &a.1)),
                    Choose::Named { args, .. } => args.iter().for_each(|(_, at)| {
                        if let At::Here(ranges) = at {
                            used |= ranges.mask();
                        }
                    }),
                }
            }
        }
        (0..bits).rev().filter(|b| used >> b & 1 == 0).collect()
    }

    /// Fixes the bits that say how long the word is, as far as they are free.
    fn fix_length(&mut self, part: &mut Part, bits: u32, pool: &mut Pool) {
        let Some(Length { when: Some((width, value, equal)), .. }) = self.spec.lengths.iter().find(|l| l.bits == bits).cloned()
        else {
            return;
        };
        let shift = if self.spec.low_first { 0 } else { bits - self.spec.unit };
        let value = if equal { value } else { (value + 1 + self.below((1 << width) - 1) as Word) % (1 << width) };
        for bit in 0..width {
            if let Some(at) = pool.iter().position(|b| *b == bit + shift) {
                pool.remove(at);
                let number = i64::from(value >> bit & 1);
                let at = Ranges(vec![(bit + shift, bit + shift)]);
                part.fix.push((FixKey::Bits(At::Here(at)), Value { number, text: number.to_string() }));
            }
        }
    }

    fn instruction(&mut self, i: usize) -> Part {
        let mut part = Part::default();
        let format = (!self.spec.formats.is_empty() && self.percent(60)).then(|| self.below(self.spec.formats.len()));
        let bits = match format {
            Some(f) => self.spec.formats[f].1.length.expect("formats have a length"),
            None => self.length(),
        };
        part.extends = format;
        part.length = (self.spec.lengths.len() > 1 || self.percent(10)).then_some(bits);
        let mut pool = self.free(bits, &[&part]);
        self.fix_length(&mut part, bits, &mut pool);
        if let Some(format) = format {
            self.fix_opcode(&mut part, format);
        }
        while !self.plain && bits > WIDE && pool.len() > MAX_OPEN {
            let width = (pool.len() - MAX_OPEN).min(8) as u32;
            let at = self.take(&mut pool, width);
            let number = self.below(1 << width) as i64;
            part.fix.push((FixKey::Bits(At::Here(at)), Value { number, text: number.to_string() }));
        }
        if !pool.is_empty() && self.percent(85) {
            let width = self.between(1, 4).min(pool.len()) as u32;
            // The upper bits, so that opcodes of several instructions tend to tell them apart.
            let at = match self.percent(60) && pool[0] - pool[width as usize - 1] == width - 1 {
                true => Ranges(vec![(pool[0], pool.drain(..width as usize).next_back().expect("there are bits"))]),
                false => self.take(&mut pool, width),
            };
            let number = self.below(1 << at.width()) as i64;
            let text = self.shown(number);
            part.fix.push((FixKey::Bits(At::Here(at)), Value { number, text }));
        }
        if self.percent(30) && pool.len() > 2 {
            self.choose(&mut part, "s", &mut pool);
        }
        if self.percent(10) && pool.len() > 2 {
            self.choose(&mut part, "u", &mut pool);
        }
        if self.percent(35)
            && let Some(bound) = self.bound("a", &mut pool)
        {
            part.bind.push(bound);
        }
        let mut n = 0;
        while !pool.is_empty() {
            let width = self.between(1, 5).min(pool.len()) as u32;
            let bits = self.take(&mut pool, width);
            match self.below(100) {
                0..=69 => {
                    part.fields.push(self.field(format!("x{n}"), At::Here(bits), width, false));
                    n += 1;
                }
                70..=79 => {
                    let what = self.pick(&[Plain::Ignored, Plain::Unknown, Plain::Reserved]);
                    part.plain.push((what, bits));
                }
                _ if part.rest.is_none() => part.rest = Some(self.pick(&[Plain::Ignored, Plain::Unknown, Plain::Reserved])),
                _ => {}
            }
        }
        // What an alternative leaves over must belong to something too.
        if !part.choose.is_empty() && part.rest.is_none() {
            part.rest = Some(self.pick(&[Plain::Ignored, Plain::Reserved]));
        }
        self.conditions(i, &mut part);
        part
    }

    fn fix_opcode(&mut self, part: &mut Part, format: usize) {
        let mut next = Some(format);
        while let Some(format) = next {
            let Some(field) = self.spec.formats[format].1.fields.iter().find(|f| f.name.starts_with("op")).cloned() else {
                break;
            };
            if self.percent(80) {
                let width = width_of(&field);
                let value = self.below(1 << width) as Word;
                let value = self.value(&place_of(&field, width), value);
                part.fix.push((FixKey::Field(field.name), value));
            }
            next = self.spec.formats[format].1.extends;
        }
    }

    fn choose(&mut self, part: &mut Part, slot: &str, pool: &mut Pool) {
        if !self.spec.choices.is_empty() && self.percent(40) && part.choose.is_empty() {
            let width = self.widths[self.spec.operands.len() - 1][0];
            if pool.len() > width as usize {
                let sel = self.take(pool, 1);
                let at = self.take(pool, width);
                let except = self.percent(15).then(|| "own".to_string());
                let args = vec![("at", At::Here(at)), ("sel", At::Here(sel))];
                part.choose.push((slot.to_string(), Choose::Named { choice: 0, args, except }));
                return;
            }
        }
        let width = 1 + u32::from(self.percent(30) && pool.len() > 3);
        let selector = self.take(pool, width);
        let own = self.between(0, 3).min(pool.len()) as u32;
        let bits = if own > 0 { Some(self.take(pool, own)) } else { None };
        let suffixes = bits.is_none();
        let mut alternatives = Vec::new();
        for k in 0..self.between(2, 1 << width) {
            let number = k as i64;
            let fix = vec![(FixKey::Bits(At::Here(selector.clone())), Value { number, text: number.to_string() })];
            let mut alternative = Part { fix, ..Part::default() };
            let name = ["a", "b", "c", "d"][k];
            if let Some(bits) = &bits {
                let mut field = self.field(format!("{slot}n"), At::Here(bits.clone()), own, true);
                // What one alternative writes another would read.
                if let Meaning::Int { radix, .. } = &mut field.meaning {
                    *radix = None;
                }
                let place = Piece::Place { name: field.name.clone(), optional: false, radix: None };
                let (open, close) = self.pick(&[("", ""), ("[", "]"), ("(", ")"), ("%", "")]);
                alternative.text = vec![(None, vec![Piece::Literal(open.into()), place, Piece::Literal(close.into())])];
                alternative.text[0].1.retain(|p| !matches!(p, Piece::Literal(text) if text.is_empty()));
                alternative.fields.push(field);
            } else {
                alternative.text = vec![(None, vec![Piece::Literal(format!(".{slot}{name}"))])];
            }
            if self.percent(30) {
                alternative.tags = Some("t".into());
            }
            alternatives.push((name.to_string(), alternative));
        }
        if suffixes && self.percent(30) {
            alternatives[0].1.text = vec![(None, vec![Piece::Literal(String::new())])];
        }
        part.choose.push((slot.to_string(), Choose::Inline(alternatives)));
    }

    /// An instruction like one before it: narrower, wider, or both.
    fn related(&mut self, i: usize) -> Part {
        let from = self.below(i);
        let mut part = self.spec.instructions[from].1.clone();
        (part.not, part.constraints, part.define, part.except) = Default::default();
        for _ in 0..self.between(1, 2) {
            match self.below(6) {
                // A field becomes fixed.
                0..=2 if !part.fields.is_empty() => {
                    let at = self.below(part.fields.len());
                    let field = part.fields.remove(at);
                    let number = self.below(1 << width_of(&field)) as i64;
                    part.fix.push((FixKey::Bits(field.at), Value { number, text: number.to_string() }));
                }
                // Another meaning, perhaps of fewer values.
                3..=4 if !part.fields.is_empty() => {
                    let at = self.below(part.fields.len());
                    let old = part.fields[at].clone();
                    part.fields[at] = self.field(old.name.clone(), old.at.clone(), width_of(&old), false);
                }
                // Fixed bits become a field.
                _ => {
                    let at = part.fix.iter().position(|(key, _)| matches!(key, FixKey::Bits(_)));
                    let is_length = self.spec.lengths.len() > 1;
                    if let Some(at) = at.filter(|_| !is_length)
                        && let (FixKey::Bits(bits), _) = part.fix.remove(at)
                    {
                        let At::Here(ranges) = &bits else { continue };
                        let width = ranges.width();
                        let field = self.field(format!("y{i}_{}", part.fields.len()), bits, width, false);
                        part.fields.push(field);
                    }
                }
            }
        }
        self.conditions(i, &mut part);
        part
    }

    /// What the conditions of an instruction can ask for, and its parts that texts show.
    fn scope(&self, part: &Part) -> Scope {
        let mut scope = Scope::default();
        let bare = Part { text: Vec::new(), also: Vec::new(), ..part.clone() };
        let forms = forms_of(&self.spec, 0, "", &bare);
        let mut seen: BTreeMap<String, (usize, Option<Place>)> = BTreeMap::new();
        for form in &forms {
            for field in form.fields.iter().chain(&form.fixed) {
                let entry = seen.entry(field.path.clone()).or_insert_with(|| (0, Some(field.clone())));
                entry.0 += 1;
                // A name of several meanings has no one set of values.
                let same = |p: &Place| {
                    p.meaning == field.meaning && p.bits.width() == field.bits.width() && p.inverted == field.inverted
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
    fn conditions(&mut self, i: usize, part: &mut Part) {
        part.text.clear();
        part.also.clear();
        let mut scope = self.scope(part);
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
        if self.percent(15) {
            let cond = self.cond(&scope, 1);
            let other = if self.percent(50) { format!("ALT{i}") } else { mnemonic.to_string() };
            let pieces = self.text(part, &scope, &other);
            part.text.push((Some(cond), pieces));
        }
        let pieces = self.text(part, &scope, mnemonic);
        part.text.push((None, pieces));
        if self.percent(15) {
            let pieces = self.text(part, &scope, "ALSO");
            part.also.push(pieces);
        }
    }

    fn style(&self, meaning: &Meaning) -> Style {
        match meaning {
            Meaning::Flag(_) => Style::Suffix,
            Meaning::Enum(e) if self.spec.enums[*e].dotted => Style::Suffix,
            Meaning::Int { .. } => Style::Number,
            Meaning::Bitset(_) => Style::Letters,
            Meaning::Register(_) | Meaning::Enum(_) => Style::Operand,
        }
    }

    /// A template that shows most of what the instruction has.
    fn text(&mut self, part: &Part, scope: &Scope, mnemonic: &str) -> Vec<Piece> {
        let mut items: Vec<(String, Style)> = part.fields.iter().map(|f| (f.name.clone(), self.style(&f.meaning))).collect();
        items.extend(part.bind.iter().map(|b| (b.0.clone(), Style::Operand)));
        for (slot, choose) in &part.choose {
            let suffixes = matches!(choose, Choose::Inline(list) if list[0].1.fields.is_empty());
            items.push((slot.clone(), if suffixes { Style::Suffix } else { Style::Operand }));
        }
        let mut next = part.extends;
        while let Some(format) = next {
            let format = &self.spec.formats[format].1;
            let open = format.fields.iter().filter(|f| f.name.starts_with("op"));
            let open = open.filter(|f| !part.fix.iter().any(|(key, _)| matches!(key, FixKey::Field(name) if *name == f.name)));
            items.extend(open.map(|f| (f.name.clone(), self.style(&f.meaning))));
            next = format.extends;
        }
        for at in (1..items.len()).rev() {
            let other = self.below(at + 1);
            items.swap(at, other);
        }
        let (mut suffixes, mut operands) = (vec![Piece::Literal(mnemonic.to_string())], Vec::new());
        let mut first = true;
        for (name, style) in items {
            // In a text-only instruction set, a text has all there is.
            if self.percent(8) && !self.spec.is_text {
                continue;
            }
            let radix = (style == Style::Number && self.radices && self.percent(20))
                .then(|| self.pick(&[Radix::Hex, Radix::Dec, Radix::Padded]));
            let place = Piece::Place { name, optional: false, radix };
            match style {
                Style::Suffix if self.percent(25) => suffixes.push(Piece::Group(vec![place])),
                Style::Suffix => suffixes.push(place),
                Style::Number if self.percent(15) => {
                    let pieces = vec![Piece::Literal(".".into()), place];
                    if self.percent(60) { suffixes.push(Piece::Group(pieces)) } else { suffixes.extend(pieces) }
                }
                _ => {
                    let mut pieces = vec![Piece::Literal(if first { " " } else { ", " }.into()), place];
                    if style == Style::Letters {
                        pieces.insert(1, Piece::Literal("{".into()));
                        pieces.push(Piece::Literal("}.".into()));
                    }
                    if self.percent(20) && !first {
                        operands.push(Piece::Group(pieces));
                    } else {
                        operands.extend(pieces);
                    }
                    first = false;
                }
            }
        }
        if self.percent(15) && !scope.asked.is_empty() {
            let cond = self.cond(scope, 1);
            suffixes.push(Piece::When(cond, vec![Piece::Literal(".q".into())]));
        }
        suffixes.append(&mut operands);
        suffixes
    }

    fn cond(&mut self, scope: &Scope, depth: u32) -> Cond {
        let asked: Vec<&Asked> = scope.asked.iter().collect();
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

    /// A comparison of one of the fields.
    fn atom(&mut self, asked: &[&Asked]) -> Cond {
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

    /// Most specs are good: instructions that clash, or have no words, go.
    fn repair(&mut self) {
        if self.percent(20) {
            return;
        }
        let mut brute = Brute::new(&self.spec);
        while self.spec.instructions.len() > 1 {
            let name = |form: &String| form.split('.').next().unwrap_or_default().to_string();
            let clash = brute.clashes.first().map(|(_, b)| name(b)).or(brute.outside.first().map(name));
            let Some(bad) = clash.or(brute.empty.first().cloned()) else { break };
            self.spec.instructions.retain(|(n, _)| *n != bad);
            brute.remove(&bad);
        }
    }

    fn hole(&mut self, i: usize) {
        let length = self.length();
        let mut pool: Pool = (0..length).rev().collect();
        let width = self.between(3, length.min(8) as usize) as u32;
        let bits = self.take(&mut pool, width);
        let brute = Brute::new(&self.spec);
        // Mostly among what is free.
        for _ in 0..12 {
            let value = self.below(1 << width) as Word;
            let hole = Hole { name: format!("H{i}"), length, bits: bits.clone(), value };
            if brute.is_hole(&hole, &self.spec) || self.percent(3) {
                self.spec.holes.push(hole);
                return;
            }
        }
    }
}

fn width_of(field: &Field) -> u32 {
    match &field.at {
        At::Here(ranges) => ranges.width(),
        At::Param(_) => unreachable!("fields of shared pieces are asked with their width"),
    }
}

/// A field of so many bits, wherever it is.
fn place_of(field: &Field, width: u32) -> Place {
    let bits = Ranges(vec![(width - 1, 0)]);
    Place { path: field.name.clone(), bits, meaning: field.meaning.clone(), inverted: field.inverted, default: 0 }
}
