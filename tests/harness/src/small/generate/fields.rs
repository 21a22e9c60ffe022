//! Registers, enumerations and fields.

use super::{Generator, Pool};
use crate::small::brute::Place;
use crate::small::spec::{At, Enum, Field, Meaning, Radix, Ranges, Registers, Value, Word};

impl Generator {
    pub(super) fn registers(&mut self, i: usize) {
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
        let name = ["R", "P"][i].to_string();
        let file = Registers {
            name,
            index,
            prefix,
            suffix,
            count,
            special,
            also: Vec::new(),
            list: false,
            halves,
            part: None,
            names: None,
        };
        let file = self.enriched_registers(file);
        self.spec.registers.push(file);
    }

    pub(super) fn enumeration(&mut self, i: usize) {
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
        let mut other = (sparse && self.percent(25)).then(|| [if dotted { ".s" } else { "s" }.to_string(), String::new()]);
        let mut likes = Vec::new();
        if !self.plain && self.percent(30) {
            for n in (0..1u32 << width).filter(|n| !values.iter().any(|v| v.0 == *n)).collect::<Vec<_>>() {
                if self.percent(60) {
                    likes.push((n, self.pick(&values).0));
                }
            }
        }
        let list = other.is_none() && likes.is_empty() && self.percent(50);
        let hex = !self.plain && self.percent(50);
        if let Some([_, after]) = other.as_mut().filter(|_| !self.plain) {
            // No hexadecimal digit follows the number.
            *after = self.pick(&["", "w", "x2", "_1"]).to_string();
        }
        let e = Enum { name: format!("E{i}"), width, values, likes, other, hex, list, dotted };
        let e = self.enriched_enum(e);
        self.spec.enums.push(e);
    }

    /// A meaning for `width` bits; with `operand`, one that is allowed in operands.
    pub(super) fn meaning(&mut self, width: u32, operand: bool) -> Meaning {
        let registers: Vec<usize> = (0..self.spec.registers.len()).filter(|r| self.fits(*r, width, operand)).collect();
        let enums: Vec<usize> = (0..self.spec.enums.len())
            .filter(|e| self.spec.enums[*e].width <= width && !(operand && self.spec.enums[*e].dotted))
            .collect();
        if !self.plain && !self.spec.is_text && (3..=10).contains(&width) && self.percent(20) {
            return Meaning::Float(16);
        }
        match self.below(100) {
            0..=29 if !registers.is_empty() => Meaning::Register(self.pick(&registers)),
            30..=54 if !enums.is_empty() => Meaning::Enum(self.pick(&enums)),
            55..=64 if width == 1 && !operand => Meaning::Flag(self.pick(&[".f", ".ff", ".g"]).to_string()),
            65..=71 if width <= 4 => Meaning::Bitset("abcd"[..width as usize].to_string()),
            _ => {
                let scale = self.pick(&[1, 1, 1, 1, 2, 3, 4, -1, -2, -4]);
                let bias = self.pick(&[0, 0, 0, 0, 1, 4, 7, -3, 16]);
                let radix = self.pick(&[None, None, Some(Radix::Hex), Some(Radix::Dec)]).filter(|_| self.radices);
                Meaning::Int { signed: self.percent(40), scale, bias, wraps: self.percent(12), modulo: None, radix, target: None }
            }
        }
    }

    pub(super) fn field(&mut self, name: String, at: At, width: u32, operand: bool) -> Field {
        let mut meaning = self.meaning(width, operand);
        let mut inverted = self.percent(12) && !matches!(meaning, Meaning::Float(_));
        self.enrich(&mut meaning, &mut inverted, width, operand);
        if let (Meaning::Int { wraps, .. }, true) = (&mut meaning, inverted) {
            *wraps = false;
        }
        let mut field = Field { name, at, meaning, inverted, default: None };
        if self.percent(35) && !self.is_named(&field.meaning) {
            let place = place_of(&field, width);
            let raw = self.below(1 << width) as Word;
            field.default = Some(self.value(&place, raw));
        }
        field
    }

    /// The value of a field's bits, written in one of the ways that it can be.
    pub(super) fn value(&mut self, place: &Place, raw: Word) -> Value {
        let mut number = self.spec.number(place, raw);
        if let Meaning::Code(code, _) = &place.meaning
            && !self.spec.is_allowed(place, raw)
        {
            number = self.spec.codes[*code].numbers.iter().flatten().next().copied().unwrap_or(number);
        }
        let named = match &place.meaning {
            Meaning::Register(file) => {
                let is_name = |name: &String| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
                self.spec.register(*file, number as u32).filter(is_name)
            }
            Meaning::Enum(e) => {
                let e = &self.spec.enums[*e];
                e.values.iter().find(|v| i64::from(v.0) == number).map(|v| format!("\"{}\"", v.1))
            }
            _ => None,
        };
        let text = named.filter(|_| self.percent(60)).unwrap_or_else(|| self.shown(number));
        Value { number, text }
    }

    pub(super) fn shown(&mut self, number: i64) -> String {
        match self.percent(30) {
            true => format!("{}{:#x}", if number < 0 { "-" } else { "" }, number.unsigned_abs()),
            false => number.to_string(),
        }
    }

    /// Takes `width` bits out of the pool, mostly neighbours.
    pub(super) fn take(&mut self, pool: &mut Pool, width: u32) -> Ranges {
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
}

pub(super) fn width_of(field: &Field) -> u32 {
    match &field.at {
        At::Here(ranges) => ranges.width(),
        At::Param(_) => unreachable!("fields of shared pieces are asked with their width"),
    }
}

/// A field of `width` bits, wherever it is.
pub(super) fn place_of(field: &Field, width: u32) -> Place {
    let bits = Ranges(vec![(width - 1, 0)]);
    Place { path: field.name.clone(), bits, meaning: field.meaning.clone(), inverted: field.inverted, default: 0 }
}
