//! Small specs at random.

mod codes;
mod conditions;
mod fields;
mod instructions;
mod lengths;
mod meant;
mod overlaps;
mod readings;
mod shared;
mod spellings;
mod tables;
mod text_only;
mod texts;

use super::brute::Brute;
use super::spec::{Choose, Hole, Layout, Meaning, Part, Reading, Spec, Word};
use isa_reference::samples::Random;
use std::collections::BTreeSet;

/// Bits that nothing has yet.
type Pool = Vec<u32>;

struct Generator {
    random: Random,
    /// For what only [`Extent::Full`] has; the other draws are the same with it and without.
    more: Option<Random>,
    spec: Spec,
    /// For each operand, the widths of its parameters.
    widths: Vec<Vec<u32>>,
    /// Numbers print in several ways; then no two instructions have one mnemonic, since what one writes another would read.
    radices: bool,
    /// The names of fields that a condition compares with others: they stay what they are.
    compared: BTreeSet<String>,
    /// The readings of the current texts.
    readings: Vec<(String, Reading)>,
    plain: bool,
}

/// The part of the language that a spec uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Without targets, layouts, lines of syntax, words of three lengths; and no text-only specs.
    Compiled,
    /// Without the spellings and codes of `generate/spellings.rs`.
    Basic,
    /// All of it.
    Full,
}

/// The spec of a seed.
pub(crate) fn spec(seed: u64, extent: Extent) -> Spec {
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
        follows: false,
        lengths: Vec::new(),
        decimal: false,
        octal: false,
        registers: Vec::new(),
        enums: Vec::new(),
        codes: Vec::new(),
        operands: Vec::new(),
        choices: Vec::new(),
        formats: Vec::new(),
        instructions: Vec::new(),
        holes: Vec::new(),
        table: None,
    };
    let random = Random::new((mixed ^ mixed >> 31) | 1);
    let more = (extent == Extent::Full).then(|| Random::new(mixed.rotate_left(32) | 1));
    let plain = extent == Extent::Compiled;
    let mut generator = Generator {
        random,
        more,
        spec,
        widths: Vec::new(),
        radices: false,
        compared: BTreeSet::new(),
        readings: Vec::new(),
        plain,
    };
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
            return self.text_only();
        }
        self.words();
        self.spec.decimal = self.percent(30);
        self.radices = self.percent(50);
        self.spec.octal = self.extra(15);
        for i in 0..self.between(0, 2) {
            self.registers(i);
        }
        self.part_of_registers();
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
            self.meant();
        }
        if self.extra(60) {
            self.table();
        }
        self.repair();
        self.overlaps();
        for i in 0..self.below(3) {
            self.hole(i);
        }
    }

    /// Targets, layouts and lines of syntax.
    fn more(&mut self) {
        let targets = self.percent(25);
        if targets && self.percent(50) {
            // With fewer bits than a target has, words of several values have one text.
            self.spec.pc = Some(self.pick(&[1, 2, 3, 4, 8, 16, 64]));
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
            // The entries of `where` differ by what they name. A layout draws words of one length.
            let several = part.has_lengths();
            if !several {
                self.draw(part, layouts, length);
            }
            for (_, choose) in &mut part.choose {
                let Choose::Inline(alternatives) = choose else { continue };
                for (_, alternative) in alternatives {
                    if targets {
                        self.targets(alternative);
                    }
                    alternative.syntax = lines && self.percent(50);
                    if !several || alternative.length.is_some() {
                        self.draw(alternative, layouts, length);
                    }
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
            if let Meaning::Int { target, wraps, modulo, .. } = &mut field.meaning
                && chosen
                && !self.compared.contains(&field.name)
                && !field.inverted
            {
                *target = Some((offset, self.extra_pick(&[0, 0, 0, 1, 4, 12])));
                *wraps = self.percent(50);
                *modulo = None;
            }
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
