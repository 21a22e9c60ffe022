//! Text-only specs.

use super::fields::place_of;
use super::{Generator, Pool};
use crate::small::brute::Place;
use crate::small::spec::{At, Choose, Field, Length, Meaning, Part, Piece, Plain, Ranges, Word};

impl Generator {
    /// A text-only spec.
    pub(super) fn text_only(&mut self) {
        self.spec.is_text = true;
        self.spec.lengths = vec![Length { bits: self.between(6, 11) as u32, when: None }];
        self.spec.decimal = self.percent(50);
        self.radices = self.percent(50);
        self.spec.octal = self.extra(15);
        for i in 0..self.between(0, 2) {
            self.registers(i);
        }
        self.part_of_registers();
        self.named_registers();
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
            // If the first alternative of a choice has a field, its text is an operand.
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
                let last = e.values.iter().map(|v| v.0).chain(e.likes.iter().map(|l| l.0)).max().unwrap_or(0);
                if e.other.is_some() { width } else { (u32::BITS - last.leading_zeros()).max(1) }
            }
            _ => width,
        };
        if needed as usize > pool.len() || needed != width {
            // Another width needs another meaning, and no default.
            let radix = None;
            field.meaning =
                Meaning::Int { signed: self.percent(40), scale: 1, bias: 0, wraps: false, modulo: None, radix, target: None };
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
}
