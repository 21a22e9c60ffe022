//! Other ways to write the values of fields, and the texts that a word can have with them.

use super::float;
use super::form::{Form, Place, Print, shown};
use crate::small::spec::{Meaning, Radix, Spec, Word};

impl Spec {
    /// The texts that docs/language.md says are read as these bits of a field, besides the one that is printed.
    fn other_texts(&self, field: &Place, raw: Word) -> Vec<String> {
        let number = self.number(field, raw);
        match &field.meaning {
            Meaning::Int { signed, scale, wraps, modulo, .. } => {
                let (width, number) = (field.bits.width(), i128::from(number));
                let mut numbers = vec![number];
                if let Some(bits) = modulo {
                    let turn = 1i128 << bits;
                    numbers = vec![number.rem_euclid(turn), number.rem_euclid(turn) - turn, number.rem_euclid(turn) + turn];
                }
                // The same bits with a sign, or without.
                if *wraps && (raw >> (width - 1) & 1 == 1) {
                    let turn = if *signed { 1i128 << width } else { -(1i128 << width) };
                    numbers.push(number + turn * i128::from(*scale));
                }
                both(&numbers)
            }
            Meaning::Code(..) => both(&[number.into()]),
            Meaning::Float(_) => vec![format!("{raw:#x}")],
            Meaning::Register(file) => self.other_names(*file, number as u32),
            Meaning::Enum(e) => self.other_values(*e, number as u32),
            Meaning::Flag(_) | Meaning::Bitset(_) => Vec::new(),
        }
    }

    /// Other texts of a value of an enumeration.
    pub(super) fn other_values(&self, e: usize, number: u32) -> Vec<String> {
        self.enums[e].values.iter().filter(|value| value.0 == number).flat_map(|value| value.2.clone()).collect()
    }

    /// Other names of a register: those that are only read, and the number of one that has a name of its own.
    pub(super) fn other_names(&self, file: usize, number: u32) -> Vec<String> {
        let file = &self.registers[file];
        if let Some((whole, from)) = file.part {
            return self.other_names(whole, from + number);
        }
        let mut names: Vec<String> = file.also.iter().filter(|also| also.0 == number).map(|also| also.1.clone()).collect();
        if file.special.iter().any(|special| special.0 == number) && file.count.is_none_or(|count| number < count) {
            let (shown, half) = match &file.halves {
                Some(halves) => (number / 2, halves[number as usize % 2].as_str()),
                None => (number, ""),
            };
            let name = format!("{}{shown}{half}{}", file.prefix, file.suffix);
            // Another register can have it as its own.
            names.extend((!file.special.iter().any(|special| special.1 == name)).then_some(name));
        }
        names
    }
}

pub(super) fn both(numbers: &[i128]) -> Vec<String> {
    numbers.iter().flat_map(|number| [Radix::Hex, Radix::Dec].map(|radix| shown(*number, radix))).collect()
}

/// The text of a piece that is not a group, and the others that are read for it.
fn ways(spec: &Spec, piece: &Print, word: Word, address: u64) -> (String, Vec<String>) {
    let own = piece.own(word, address).unwrap_or_default();
    let mut others = match piece {
        // Fixed fields are read as they are printed.
        Print::Field { bits, .. } if bits.0.is_empty() => Vec::new(),
        Print::Field { bits, first, field, .. } => spec.other_texts(field, first + bits.get(word)),
        Print::Reading { bits, others, .. } => others[bits.get(word) as usize].clone(),
        Print::Target { modulo, .. } => {
            let sum = piece.target(word, address).unwrap_or_default();
            both(&modulo.map_or(vec![sum], |bits| vec![sum, sum - (1 << bits)]))
        }
        Print::Literal(_) | Print::Differs(..) | Print::Holds(..) | Print::Variants(_) => Vec::new(),
    };
    others.retain(|other| *other != own);
    (own, others)
}

/// Appends a list of pieces to a text, and to all texts in which one field is spelt otherwise.
fn spell(spec: &Spec, pieces: &[Print], (word, address): (Word, u64), text: &mut String, others: &mut Vec<String>) {
    for piece in pieces {
        let body = match piece {
            Print::Differs(fields, body) if fields.iter().any(|(bits, default)| bits.get(word) != *default) => body,
            Print::Holds(rule, body) if rule.holds(word) => body,
            Print::Variants(variants) => match variants.iter().find(|(rule, _)| rule.holds(word)) {
                Some((_, body)) => body,
                None => continue,
            },
            Print::Differs(..) | Print::Holds(..) => continue,
            _ => {
                let (own, ways) = ways(spec, piece, word, address);
                others.iter_mut().for_each(|other| other.push_str(&own));
                others.extend(ways.iter().map(|way| format!("{text}{way}")));
                text.push_str(&own);
                continue;
            }
        };
        spell(spec, body, (word, address), text, others);
    }
}

/// The number of a field of which any other one is read that is the same modulo two to a power.
fn turning(spec: &Spec, piece: &Print, word: Word, address: u64) -> Option<(i128, u32)> {
    match piece {
        Print::Field { bits, first, field, .. } => match &field.meaning {
            Meaning::Int { modulo: Some(turn), .. } => Some((spec.number(field, first + bits.get(word)).into(), *turn)),
            _ => None,
        },
        Print::Reading { bits, numbers, turn: Some(turn), .. } => Some((numbers[bits.get(word) as usize], *turn)),
        Print::Target { modulo: Some(turn), .. } => Some((piece.target(word, address)?, *turn)),
        _ => None,
    }
}

/// The number with which a text begins, and its length.
fn number_before(text: &str) -> Option<(i128, usize)> {
    let sign = usize::from(text.starts_with(['-', '+']));
    let (radix, skip) = if text[sign..].starts_with("0x") { (16, sign + 2) } else { (10, sign) };
    let digits = text[skip..].bytes().take_while(|c| char::from(*c).is_digit(radix)).count();
    let number = i128::from_str_radix(&text[skip..skip + digits], radix).ok()?;
    Some((if text.starts_with('-') { -number } else { number }, skip + digits))
}

/// The ends of pieces that begin at some places of a text without blanks.
fn ends(spec: &Spec, pieces: &[Print], at: (Word, u64), text: &str, starts: Vec<usize>) -> Vec<usize> {
    pieces.iter().fold(starts, |starts, piece| {
        let mut found = match piece {
            Print::Holds(rule, body) if rule.holds(at.0) => ends(spec, body, at, text, starts),
            Print::Holds(..) => starts,
            Print::Variants(variants) => {
                let holding = variants.iter().filter(|(rule, _)| rule.holds(at.0));
                holding.flat_map(|(_, body)| ends(spec, body, at, text, starts.clone())).collect()
            }
            // A group at its default can be written; missing groups are tested by other checks.
            Print::Differs(_, body) => [ends(spec, body, at, text, starts.clone()), starts].concat(),
            _ => {
                let (own, others) = ways(spec, piece, at.0, at.1);
                let all: Vec<String> = others.into_iter().chain([own]).map(|way| way.replace(' ', "")).collect();
                let turning = turning(spec, piece, at.0, at.1);
                let float = match piece {
                    Print::Field { bits, first, field: Place { meaning: Meaning::Float(format), bits: own, .. }, .. } => {
                        let raw = u64::from(first + bits.get(at.0));
                        Some((raw << (format - own.width()), *format))
                    }
                    _ => None,
                };
                let end = |start: &usize| {
                    let rest = &text[*start..];
                    let fits = all.iter().filter(|way| rest.starts_with(way.as_str())).map(String::len);
                    let turned = number_before(rest)
                        .filter(|(number, _)| turning.is_some_and(|(own, bits)| (number - own).rem_euclid(1 << bits) == 0));
                    // Hexadecimal digits can have zeros in front, in whatever style the number is printed.
                    let zeros = number_before(rest)
                        .filter(|(number, length)| rest[..*length].contains("0x") && all.contains(&shown(*number, Radix::Hex)));
                    let length = float::length(rest);
                    let near =
                        float.filter(|(bits, format)| float::rounds_to(&rest[..length], *bits, *format)).map(|_| (0, length));
                    fits.chain(near.into_iter().chain(turned).chain(zeros).map(|(_, length)| length))
                        .map(|length| start + length)
                        .collect::<Vec<_>>()
                };
                starts.iter().flat_map(end).collect()
            }
        };
        found.sort_unstable();
        found.dedup();
        found
    })
}

impl Form {
    /// The texts of a word in which one field is not written as it is printed.
    pub(crate) fn respelt(&self, spec: &Spec, word: Word, address: u64) -> Vec<String> {
        let (mut text, mut others) = (String::new(), Vec::new());
        spell(spec, &self.text, (word, address), &mut text, &mut others);
        others
    }

    /// Returns true if a text is one of the word, however its fields are written; blanks do not count.
    pub(crate) fn admits(&self, spec: &Spec, word: Word, address: u64, text: &str) -> bool {
        let text = text.replace(' ', "");
        let all = [&self.text].into_iter().chain(&self.base).chain(&self.also);
        all.into_iter().any(|pieces| ends(spec, pieces, (word, address), &text, vec![0]).contains(&text.len()))
    }
}
