//! Instructions, new ones and ones like those before them.

use super::fields::{place_of, width_of};
use super::{Generator, Pool};
use crate::small::spec::{At, Choose, FixKey, Meaning, Part, Piece, Plain, Ranges, Value, Word};

/// Words of more bits are mostly fixed: there are too many to try them all.
const WIDE: u32 = 12;
/// The greatest number of bits of a wide word that are not fixed.
const MAX_OPEN: usize = 9;

impl Generator {
    /// The bits that neither these parts nor the formats that they extend have.
    pub(super) fn free(&self, bits: u32, parts: &[&Part]) -> Pool {
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

    pub(super) fn instruction(&mut self, i: usize) -> Part {
        let mut part = Part::default();
        let format = (!self.spec.formats.is_empty() && self.percent(60)).then(|| self.below(self.spec.formats.len()));
        let bits = match format {
            Some(f) => self.spec.formats[f].1.length.expect("formats have a length"),
            None => self.length(),
        };
        part.extends = format;
        part.length = (self.spec.lengths.len() > 1 || self.percent(10)).then_some(bits);
        // The alternatives of a choice have lengths of their own.
        let several = format.is_none() && self.spec.lengths.len() > 1 && self.extra(40);
        let bits = if several { self.spec.lengths[0].bits } else { bits };
        let mut pool = self.free(bits, &[&part]);
        if several {
            part.length = self.extra(50).then_some(bits);
            self.choose_length(&mut part, bits, &mut pool);
        } else {
            self.fix_length(&mut part, bits, &mut pool);
        }
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
            let width = self.between(1, 5) + self.extra_below(12).saturating_sub(8);
            let width = width.min(pool.len()) as u32;
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
        // Bits that an alternative leaves over must belong to something too.
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
                let place = place_of(&field, width);
                // A field that is shown needs a text for its value.
                if self.spec.is_allowed(&place, value) {
                    let value = self.value(&place, value);
                    part.fix.push((FixKey::Field(field.name), value));
                }
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
                // Otherwise the text of one alternative could be read as another.
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
    pub(super) fn related(&mut self, i: usize) -> Part {
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
}
