//! Readings in the place of fields: numbers that are computed of these.

use super::Generator;
use super::fields::{place_of, width_of};
use crate::small::spec::{At, Field, How, Meaning, Part, Reading};

/// Bits of the fields of a reading.
const MAX_BITS: u32 = 8;

impl Generator {
    /// A reading in the place of a field, and whether it is a number; mostly none.
    pub(super) fn read(&mut self, part: &Part, name: &str, is_operand: bool) -> Option<(String, bool)> {
        if self.spec.is_text || !self.extra(12) {
            return None;
        }
        let fields: Vec<&Field> = part.fields.iter().filter(|field| self.is_readable(field)).collect();
        let field = *fields.iter().find(|field| field.name == name)?;
        let numbers = |own: &Self, field: &Field| -> Vec<i64> {
            let place = place_of(field, width_of(field));
            (0..1 << width_of(field))
                .filter(|raw| own.spec.is_allowed(&place, *raw))
                .map(|raw| own.spec.number(&place, raw))
                .collect()
        };
        let own = numbers(self, field);
        let (least, greatest) = (*own.iter().min()?, *own.iter().max()?);
        let others: Vec<&&Field> =
            fields.iter().filter(|other| other.name != name && width_of(other) + width_of(field) <= MAX_BITS).collect();
        let files = 0..self.spec.registers.len();
        let is_whole = |file: &usize| {
            let file = &self.spec.registers[*file];
            file.count.is_none() && file.names.is_none() && file.part.is_none()
        };
        let files: Vec<usize> = files.filter(is_whole).collect();
        let plus = self.extra_pick(&[0i64, 1, 3, 16]);
        let (text, of, how) = match self.extra_below(6) {
            0 => {
                // Numbers of a code are listed, and those of a reading of them are not below 0.
                let plus = if matches!(field.meaning, Meaning::Code(..)) { greatest + plus } else { plus };
                let text = format!("{plus} - {name}");
                (text, vec![name], How::Sum { times: vec![-1], plus, register: None })
            }
            1 if least >= 0 => (format!("{name} ^ {plus}"), vec![name], How::Xor(plus)),
            2 if !others.is_empty() => {
                let other = self.extra_pick(&others);
                let most = numbers(self, other).into_iter().max()?;
                let plus = most - least + plus;
                if plus < 0 || greatest + plus > 1 << 20 {
                    return None;
                }
                let text = format!("{name} - {} + {plus}", other.name);
                (text, vec![name, &other.name], How::Sum { times: vec![1, -1], plus, register: None })
            }
            3 if !others.is_empty() => {
                let other = self.extra_pick(&others);
                (format!("{name} ++ {}", other.name), vec![name, &other.name], How::Joined)
            }
            4 if least >= 0 => {
                let (shift, mask) = (self.extra_pick(&[0u32, 1]), self.extra_pick(&[1i64, 3, 7]));
                (format!("{name} >> {shift} & {mask}"), vec![name], How::Slice(shift, mask))
            }
            5 if is_operand && !files.is_empty() => {
                let file = self.extra_pick(&files);
                let text = format!("{name} + {plus} as {}", self.spec.registers[file].name);
                (text, vec![name], How::Sum { times: vec![1], plus, register: Some(file) })
            }
            _ => {
                let text = format!("2 * {name} + {plus}");
                (text, vec![name], How::Sum { times: vec![2], plus, register: None })
            }
        };
        let is_number = !matches!(how, How::Sum { register: Some(_), .. });
        let of: Vec<String> = of.into_iter().map(str::to_owned).collect();
        self.compared.extend(of.iter().cloned());
        let name = format!("w{}", self.readings.len());
        self.readings.push((name.clone(), Reading { text, of, how }));
        Some((name, is_number))
    }

    /// Returns true if a reading can have a field.
    fn is_readable(&self, field: &Field) -> bool {
        let has_number = match &field.meaning {
            Meaning::Register(_) => !self.is_named(&field.meaning),
            Meaning::Int { target, modulo, .. } => target.is_none() && modulo.is_none(),
            Meaning::Enum(_) | Meaning::Bitset(_) | Meaning::Code(..) => true,
            Meaning::Flag(_) | Meaning::Float(_) => false,
        };
        has_number && matches!(field.at, At::Here(_)) && width_of(field) <= MAX_BITS
    }
}
