//! Another version of a small spec.

use super::spec::{At, Cond, FixKey, Meaning, Name, Piece, Radix, Registers, Spec, Value};
use isa_reference::samples::Random;

impl Spec {
    /// Two versions of a spec: as it is, and with up to three things changed, in either order.
    pub(crate) fn versions(mut self, seed: u64) -> [Self; 2] {
        let mut below = chooser(seed);
        // With many words of the same text there is much to choose from.
        for _ in 0..below(4) {
            self.same_text(below(self.instructions.len()));
        }
        let mut changed = self.clone();
        for _ in 0..=below(3) {
            changed = changed.changed(&mut below);
        }
        if below(2) == 0 { [self, changed] } else { [changed, self] }
    }

    /// For each field of an instruction that prints no integer: what it is, and the spec with a style at its place.
    pub fn misstyled(&self) -> Vec<(&'static str, Self)> {
        let mut found = Vec::new();
        for (i, (_, part)) in self.instructions.iter().enumerate() {
            for field in &part.fields {
                let what = match &field.meaning {
                    Meaning::Int { .. } | Meaning::Code(..) => continue,
                    Meaning::Float(_) => "a floating-point number",
                    Meaning::Register(_) => "a register",
                    Meaning::Enum(_) => "a value of an enumeration",
                    Meaning::Flag(_) => "a flag",
                    Meaning::Bitset(_) => "a bitset",
                };
                let mut changed = self.clone();
                let style = [Radix::Hex, Radix::Dec, Radix::Padded(2)][found.len() % 3];
                let texts = changed.instructions[i].1.text.iter_mut();
                let is_set = texts.fold(false, |is_set, (_, pieces)| set_style(pieces, &field.name, style) || is_set);
                if is_set {
                    found.push((what, changed));
                }
            }
        }
        found
    }

    /// The spec with one thing changed; it may no longer be a good one.
    fn changed(mut self, below: &mut impl FnMut(usize) -> usize) -> Self {
        let [i, j] = [0; 2].map(|_| below(self.instructions.len()));
        match below(10) {
            0 | 1 => {
                let mut smaller = self.smaller();
                return if smaller.is_empty() { self } else { smaller.swap_remove(below(smaller.len())) };
            }
            2 => self.instructions.swap(i, j),
            3 => {
                self.same_text(i);
                self.same_text(j);
            }
            4 => self.exchange_words(i, j),
            5 => self.change_enum(below),
            6 => self.change_default(i, below),
            8 => self.print_as_another(i, below),
            7 => {
                let part = &mut self.instructions[i].1;
                match below(3) {
                    0 => part.constraints.append(&mut part.not),
                    1 => part.not.append(&mut part.constraints),
                    _ => part.also.extend(part.text.last().map(|(_, text)| text.clone())),
                }
            }
            _ => {
                let part = &mut self.instructions[i].1;
                if let Some((FixKey::Bits(_), value)) = part.fix.first_mut() {
                    let number = value.number ^ 1 << below(2);
                    *value = Value { number, text: number.to_string() };
                }
            }
        }
        self
    }

    fn same_text(&mut self, instruction: usize) {
        self.instructions[instruction].1.text = vec![(None, vec![Piece::Literal("SAME".to_owned())])];
    }

    /// Prints the words with one register as others print theirs.
    fn print_as_another(&mut self, instruction: usize, below: &mut impl FnMut(usize) -> usize) {
        let part = &mut self.instructions[instruction].1;
        let is_word =
            |file: &Registers| (file.prefix.clone() + &file.suffix).chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let registers = part.fields.iter().filter_map(|field| match (&field.meaning, &field.at) {
            (Meaning::Register(file), At::Here(_)) => Some((&field.name, &self.registers[*file])),
            _ => None,
        });
        let registers: Vec<_> = registers
            .filter(|(_, file)| file.special.is_empty() && file.halves.is_none() && file.part.is_none() && is_word(file))
            .collect();
        let (Some((name, file)), Some((_, text))) = (registers.get(below(registers.len())), part.text.last()) else { return };
        let [one, other] = [0; 2].map(|_| {
            let number = below(file.count.unwrap_or(1 << file.index.min(4)) as usize) as i64;
            Value { number, text: format!("{}{number}{}", file.prefix, file.suffix) }
        });
        let is_it = |piece: &Piece| matches!(piece, Piece::Place { name: place, .. } if place == *name);
        let literal = |piece: &Piece| if is_it(piece) { Piece::Literal(other.text.clone()) } else { piece.clone() };
        let pieces = text.iter().map(literal).collect();
        let name = Name { path: (*name).clone(), optional: false };
        part.text.insert(0, (Some(Cond::Compare(name, "==", one)), pieces));
    }

    /// Exchanges what the texts of two instructions begin with.
    fn exchange_words(&mut self, i: usize, j: usize) {
        let first = |spec: &Self, at: usize| match spec.instructions[at].1.text.last()?.1.first()? {
            Piece::Literal(text) => Some(text.clone()),
            _ => None,
        };
        let (Some(a), Some(b)) = (first(self, i), first(self, j)) else { return };
        for (at, word) in [(i, b), (j, a)] {
            if let Some(Piece::Literal(text)) = self.instructions[at].1.text.last_mut().and_then(|(_, text)| text.first_mut()) {
                *text = word;
            }
        }
    }

    fn change_enum(&mut self, below: &mut impl FnMut(usize) -> usize) {
        let at = below(self.enums.len());
        let Some(of) = self.enums.get_mut(at).filter(|of| !of.values.is_empty()) else { return };
        let [a, b] = [0; 2].map(|_| below(of.values.len()));
        match below(4) {
            0 => drop(of.values.remove(a)),
            1 => of.values[a].1.push('z'),
            2 => of.values[a].2.clear(),
            _ => {
                let text = of.values[a].1.clone();
                of.values[a].1 = std::mem::replace(&mut of.values[b].1, text);
            }
        }
    }

    fn change_default(&mut self, instruction: usize, below: &mut impl FnMut(usize) -> usize) {
        let fields = &mut self.instructions[instruction].1.fields;
        let at = below(fields.len());
        let Some(field) = fields.get_mut(at) else { return };
        field.default = match (&field.default, &field.meaning, &field.at) {
            (None, Meaning::Int { signed: false, scale, bias, .. }, At::Here(bits)) => {
                let number = below(1 << bits.width()) as i64 * scale + bias;
                Some(Value { number, text: number.to_string() })
            }
            _ => None,
        };
    }
}

/// Gives the places of a field a style; returns true if there are some.
fn set_style(pieces: &mut [Piece], name: &str, style: Radix) -> bool {
    let mut is_found = false;
    for piece in pieces {
        match piece {
            Piece::Place { name: place, radix, .. } if place == name => {
                *radix = Some(style);
                is_found = true;
            }
            Piece::Group(body) | Piece::When(_, body) => is_found |= set_style(body, name, style),
            _ => {}
        }
    }
    is_found
}

fn chooser(seed: u64) -> impl FnMut(usize) -> usize {
    let mut random = Random::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    move |n| (random.next_u64() >> 16) as usize % n.max(1)
}
