//! Fields that are fixed by name, and instructions that expand to others.

use super::Generator;
use super::fields::{place_of, width_of};
use crate::small::spec::{Expands, Field, FixKey, Is, Meaning, Part, Value, Word};

impl Generator {
    /// Fixes some fields, lets some instructions expand to others, and lets the spec follow a source.
    pub(super) fn meant(&mut self) {
        self.spec.follows = self.percent(10);
        for i in 0..self.spec.instructions.len() {
            if self.percent(25) {
                let mut part = self.spec.instructions[i].1.clone();
                self.fix_own(&mut part);
                self.spec.instructions[i].1 = part;
            }
            if i > 0 && self.percent(30) {
                let to = self.below(i);
                self.spec.instructions[i].1.expands = self.expands(i, to);
            }
        }
    }

    /// Fixes a field of the instruction's own.
    fn fix_own(&mut self, part: &mut Part) {
        let open = |field: &&Field| !part.fix.iter().any(|(key, _)| matches!(key, FixKey::Field(name) if *name == field.name));
        let fields: Vec<Field> = part.fields.iter().filter(open).cloned().collect();
        if fields.is_empty() {
            return;
        }
        let field = self.pick(&fields);
        let width = width_of(&field);
        let place = place_of(&field, width);
        let raw = self.below(1 << width) as Word;
        if self.spec.is_allowed(&place, raw) {
            let number = self.spec.number(&place, raw);
            part.fix.push((FixKey::Field(field.name), Value { number, text: number.to_string() }));
        }
    }

    /// The instruction `to` with fields of instruction `i`, or values, for all of its fields.
    fn expands(&mut self, i: usize, to: usize) -> Option<Expands> {
        let (name, meant) = self.spec.instructions[to].clone();
        let own = self.spec.instructions[i].1.clone();
        if !meant.choose.is_empty() || !meant.bind.is_empty() || !own.choose.is_empty() {
            return None;
        }
        let (theirs, ours) = (self.all_fields(&meant), self.all_fields(&own));
        let mut fields = Vec::new();
        for (field, _) in theirs.iter().filter(|(_, is_fixed)| !is_fixed) {
            let alike: Vec<&Field> = ours.iter().map(|(own, _)| own).filter(|own| is_alike(own, field)).collect();
            let is = match alike.is_empty() || self.percent(40) {
                false => Is::Field(self.pick(&alike).name.clone()),
                true => {
                    let width = width_of(field);
                    let place = place_of(field, width);
                    let some: Vec<Word> = (0..8).map(|_| self.below(1 << width) as Word).collect();
                    let raw = some.into_iter().find(|raw| self.spec.is_allowed(&place, *raw))?;
                    let number = self.spec.number(&place, raw);
                    Is::Value(Value { number, text: String::new() })
                }
            };
            fields.push((field.name.clone(), is));
        }
        Some(Expands { to: name, fields })
    }

    /// The fields of an instruction and its formats, and whether each is fixed.
    fn all_fields(&self, part: &Part) -> Vec<(Field, bool)> {
        let mut chain = vec![part];
        while let Some(format) = chain.last().and_then(|part| part.extends) {
            chain.push(&self.spec.formats[format].1);
        }
        let is_fixed = |name: &str| {
            let mut keys = chain.iter().flat_map(|part| &part.fix);
            keys.any(|(key, _)| matches!(key, FixKey::Field(field) if field == name))
        };
        chain.iter().flat_map(|part| &part.fields).map(|field| (field.clone(), is_fixed(&field.name))).collect()
    }
}

/// True if a field can take the place of another, whatever its conditions ask for.
fn is_alike(own: &Field, other: &Field) -> bool {
    let numbers = |meaning: &Meaning| match meaning {
        Meaning::Int { signed, scale, bias, modulo, target, .. } => {
            Some((*signed, *scale, *bias, *modulo, target.map(|from| if from.1 > 0 { from } else { (0, 0) })))
        }
        _ => None,
    };
    let is_one = match (numbers(&own.meaning), numbers(&other.meaning)) {
        (None, None) => own.meaning == other.meaning,
        (a, b) => a == b && own.inverted == other.inverted,
    };
    is_one && width_of(own) == width_of(other)
}
