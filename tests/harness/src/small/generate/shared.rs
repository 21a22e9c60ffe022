//! Parts that instructions share: operands, choices and formats.

use super::conditions::Asked;
use super::fields::{place_of, width_of};
use super::{Generator, Pool};
use crate::small::spec::{Args, At, Cond, Field, FixKey, Meaning, Name, Part, Piece, Value};

impl Generator {
    pub(super) fn operands(&mut self) {
        let with_neg = !self.spec.registers.is_empty();
        if with_neg {
            let file = self.below(self.spec.registers.len());
            let width = self.spec.registers[file].index;
            let mut r = Field {
                name: "r".into(),
                at: At::Param("at"),
                meaning: Meaning::Register(file),
                inverted: self.extra(15),
                default: None,
            };
            if self.percent(30) {
                let place = place_of(&r, width);
                r.default = Some(self.value(&place, (1 << width) - 1));
            }
            let neg = Field {
                name: "neg".into(),
                at: At::Param("neg"),
                meaning: Meaning::Flag("-".into()),
                inverted: self.extra(20),
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
            let radix = self.style_of_operand(&part.fields[0].meaning);
            let place = Piece::Place { name: "n".into(), optional: false, radix };
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
    pub(super) fn bound(&mut self, name: &str, pool: &mut Pool) -> Option<(String, usize, Args)> {
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
    pub(super) fn choice(&mut self) {
        let num = self.spec.operands.len() - 1;
        let fix = |n: i64| (FixKey::Bits(At::Param("sel")), Value { number: n, text: n.to_string() });
        let width = self.widths[num][0];
        let number = Part { fix: vec![fix(0)], bind: vec![("s".into(), num, vec![("at", At::Param("at"))])], ..Part::default() };
        let field = self.field("n".into(), At::Param("at"), width, true);
        let radix = self.style_of_operand(&field.meaning);
        let place = Piece::Place { name: "n".into(), optional: false, radix };
        let text = vec![(None, vec![Piece::Literal("(".into()), place, Piece::Literal(")".into())])];
        let mut other = Part { fix: vec![fix(1)], fields: vec![field], text, tags: Some("t".into()), ..Part::default() };
        if self.percent(30) {
            let asked = Asked { place: place_of(&other.fields[0], width), always: true };
            other.constraints.push(self.atom(&[&asked]));
        }
        let alternatives = vec![("num".to_string(), number), ("own".to_string(), other)];
        self.spec.choices.push(("Pick".into(), vec!["at", "sel"], alternatives));
    }

    pub(super) fn format(&mut self, i: usize) {
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
            let plain = Meaning::Int { signed: false, scale: 1, bias: 0, wraps: false, modulo: None, radix: None, target: None };
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
            let radix = self.style_of_operand(&field.meaning);
            let place = Piece::Place { name: field.name.clone(), optional: false, radix };
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
            let radix = self.style_of_operand(&field.meaning);
            let place = Piece::Place { name: field.name.clone(), optional: false, radix };
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
}
