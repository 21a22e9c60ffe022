//! Codes and spellings that only [`Extent::Full`](super::Extent::Full) has, drawn apart from all else.

use super::Generator;
use crate::small::spec::{Enum, Meaning, Radix, Registers};

impl Generator {
    /// A number below `n`; 0 in a spec of less than the full extent.
    pub(super) fn extra_below(&mut self, n: usize) -> usize {
        self.more.as_mut().map_or(0, |more| (more.next_u64() >> 16) as usize % n.max(1))
    }

    /// Returns true in `percent` of a hundred cases; never in a spec of less than the full extent.
    pub(super) fn extra(&mut self, percent: usize) -> bool {
        self.more.is_some() && self.extra_below(100) < percent
    }

    pub(super) fn extra_pick<T: Clone>(&mut self, list: &[T]) -> T {
        let at = self.extra_below(list.len());
        list[at].clone()
    }

    /// Returns true if programs give the registers their names.
    pub(super) fn is_named(&self, meaning: &Meaning) -> bool {
        matches!(meaning, Meaning::Register(file) if self.spec.registers[*file].names.is_some())
    }

    /// Returns true if `width` bits can number a register of the file there.
    pub(super) fn fits(&self, file: usize, width: u32, operand: bool) -> bool {
        let file = &self.spec.registers[file];
        // A name is never left out, as an operand can be; and it takes as many bits as there are names.
        file.index >= width && (file.names.is_none() || !operand && file.index == width)
    }

    /// Changes the meaning of a field.
    pub(super) fn enrich(&mut self, meaning: &mut Meaning, inverted: &mut bool, width: u32, operand: bool) {
        if self.more.is_none() {
            return;
        }
        let is_float = (3..=11).contains(&width) && self.extra(if width > 5 { 60 } else { 4 });
        if is_float && !self.is_named(meaning) {
            *meaning = Meaning::Float(16);
        }
        if !self.spec.is_text && !*inverted {
            *inverted = self.extra(6);
        }
        if matches!(meaning, Meaning::Int { .. }) && !self.spec.is_text && !*inverted && !operand && width <= 7 && self.extra(15)
        {
            *meaning = self.coded(width);
        }
        match meaning {
            Meaning::Float(format) => {
                *inverted = false;
                *format = self.extra_pick(&[16, 16, 16, 16, 32, 64]);
            }
            Meaning::Bitset(letters) => {
                let all = self.extra_pick(&["abcd", "abcd", "x+y.", "0123", "Zz%w"]);
                // `012` would be a number of another form, too.
                let all = if self.spec.octal && all == "0123" { "3210" } else { all };
                *letters = all[..width as usize].to_string();
            }
            Meaning::Flag(text) if !operand && self.extra(20) => *text = self.extra_pick(&[".f", "!", "_x", ".2"]).to_string(),
            Meaning::Int { signed, scale, bias, wraps, modulo, target, .. } => {
                if self.extra(10) {
                    *scale = self.extra_pick(&[6, 8, -3, 12, 100, -64]);
                }
                if self.extra(10) {
                    *bias = self.extra_pick(&[-1, -16, 31, 100, -100]);
                }
                if !self.spec.is_text && self.extra(7) {
                    *target = Some((self.extra_pick(&[0, 0, 4, 1, -2]), self.extra_pick(&[0, 0, 3, 8])));
                    *wraps = !*inverted && self.extra(50);
                } else if !*inverted && self.extra(12) {
                    let least = if *signed { -(1i64 << (width - 1)) } else { 0 };
                    let ends = [least, least + (1 << width) - 1].map(|n| n * *scale + *bias);
                    let bits = least_width(ends[0].min(ends[1]), ends[0].max(ends[1]));
                    *wraps = false;
                    *modulo = Some(self.extra_pick(&[bits, bits, bits + 1, bits + 3, bits.max(16), 64]));
                }
            }
            _ => {}
        }
    }

    /// Perhaps another style for a place that has one.
    pub(super) fn style_of(&mut self, radix: Option<Radix>) -> Option<Radix> {
        match radix {
            Some(Radix::Padded(digits)) if self.more.is_some() => Some(Radix::Padded(self.extra_pick(&[digits, 1, 3, 4]))),
            Some(Radix::Hex) if self.extra(40) => Some(Radix::PaddedHex(self.extra_pick(&[1, 2, 3, 11]))),
            radix => radix,
        }
    }

    /// A style, or none, for a place in a text that several instructions have.
    pub(super) fn style_of_operand(&mut self, meaning: &Meaning) -> Option<Radix> {
        let is_styled = self.radices && matches!(meaning, Meaning::Int { .. }) && self.extra(25);
        is_styled.then(|| self.extra_pick(&[Radix::Hex, Radix::Dec, Radix::Padded(2), Radix::Padded(3), Radix::PaddedHex(2)]))
    }

    /// A register file with more ways to name its registers.
    pub(super) fn enriched_registers(&mut self, mut file: Registers) -> Registers {
        if self.more.is_none() {
            return file;
        }
        let last = (1u32 << file.index) - 1;
        if self.extra(15) {
            file.prefix = self.extra_pick(&["%r", "R", "x_", "q."]).to_string();
        }
        if !file.suffix.is_empty() || self.extra(10) {
            file.suffix = self.extra_pick(&["w", ".h", "_", "]"]).to_string();
        }
        if file.halves.is_some() && self.extra(40) {
            file.count = Some(1 + self.extra_below(last as usize) as u32);
        }
        let letter = ["m", "n"][self.spec.registers.len() % 2];
        if self.extra(20) {
            file.special = (0..=self.extra_below(3)).map(|n| (n as u32, format!("{letter}{}", ["a", "ab", "b"][n]))).collect();
            file.list = true;
        } else if file.halves.is_none() && self.extra(8) {
            // The name that a register beyond the last one would have.
            let name = format!("{}{}{}", file.prefix, last + 2, file.suffix);
            let number = self.extra_below(last as usize + 1) as u32;
            file.special.retain(|special| special.0 != number);
            let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            file.special.extend(is_plain.then_some((number, name)));
        }
        for (n, name) in &file.special {
            for ending in ["y", "yz"] {
                if self.extra(25) {
                    file.also.push((*n, format!("{letter}{ending}{n}{}", name.len())));
                }
            }
        }
        file
    }

    /// A file that is a part of another one.
    pub(super) fn part_of_registers(&mut self) {
        let wholes: Vec<usize> = (0..self.spec.registers.len()).filter(|r| self.spec.registers[*r].halves.is_none()).collect();
        if wholes.is_empty() || !self.extra(35) {
            return;
        }
        let whole = self.extra_pick(&wholes);
        let most = self.spec.registers[whole].index;
        let index = 1 + self.extra_below(most as usize - 1) as u32;
        let from = (self.extra_below(1 << (most - index)) as u32) << index;
        self.spec.registers.push(Registers {
            name: "Q".to_string(),
            index,
            prefix: String::new(),
            suffix: String::new(),
            count: None,
            special: Vec::new(),
            also: Vec::new(),
            list: false,
            halves: None,
            part: Some((whole, from)),
            names: None,
        });
    }

    /// A file whose registers programs name, in a text-only spec.
    pub(super) fn named_registers(&mut self) {
        if !self.extra(60) {
            return;
        }
        let names = self.extra_pick(&["v[0-9]+", "[vV][0-9]*[a-z]*", "v[0-9]+, %[a-z]+", "[v][0-9a-z_]+"]);
        let suffix = if names.contains("a-z]*") { self.extra_pick(&["", "w"]) } else { "" };
        self.spec.registers.push(Registers {
            name: "V".to_string(),
            index: 2,
            prefix: "v".to_string(),
            suffix: suffix.to_string(),
            count: None,
            special: Vec::new(),
            also: Vec::new(),
            list: false,
            halves: None,
            part: None,
            names: Some(names),
        });
    }

    /// An enumeration with more texts.
    pub(super) fn enriched_enum(&mut self, mut e: Enum) -> Enum {
        if self.more.is_none() {
            return e;
        }
        let is_whole = e.values.len() == 1 << e.width;
        if !e.list && !is_whole && e.other.is_none() && self.extra(25) {
            e.other = Some([if e.dotted { ".s" } else { "s" }, ""].map(str::to_string));
        }
        if let Some([before, after]) = &mut e.other {
            let texts: &[&str] = if e.dotted { &[".s", ".x_", ".s.", ".a"] } else { &["s", "", "t_", "ka", "s@"] };
            *before = self.extra_pick(texts).to_string();
            *after = self.extra_pick(&["", "w", "x2", "_1", ".h", "]"]).to_string();
            e.hex = self.extra(50);
        }
        let dot = if e.dotted { "." } else { "" };
        for (n, _, also) in &mut e.values {
            match self.extra_below(20) {
                0 => *also = vec![format!("{dot}y{n}"), format!("{dot}yy{n}")],
                1 => *also = vec![format!("{dot}w{n}")],
                _ => {}
            }
        }
        e
    }
}

/// Bits of the numbers between two others, with a sign if one of them has one.
fn least_width(least: i64, most: i64) -> u32 {
    let is_held = |bits: &u32| match least < 0 {
        true => least >= -(1 << (bits - 1)) && most < 1 << (bits - 1),
        false => most < 1 << bits,
    };
    (1..63).find(is_held).unwrap_or(64)
}
