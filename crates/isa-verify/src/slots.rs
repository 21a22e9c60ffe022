//! The meaning of the bits that change a place of a text: a register, a number, or one of some texts.

use crate::tokens::{number, tokens};
use isa_runtime::float_text::{FloatText, MAX_DIGITS};
use isa_runtime::value::{FloatStyle, Style};
use isa_spec::model::{Isa, Raw, Word, ones};

/// A place of a text, and the bits that change it one by one.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    /// The range of tokens of the text; empty for a place where something can be inserted.
    pub(super) from: usize,
    pub(super) to: usize,
    /// The text there.
    pub(super) base: String,
    /// Bits of the word, each with the text there when it is inverted.
    pub(super) bits: Vec<(u32, String)>,
}

/// An operand: the text at its place is `before`, the value, `after`.
#[derive(Clone, Debug)]
pub(super) struct Operand {
    pub(super) before: String,
    pub(super) after: String,
    /// The bits of its value, the lowest first.
    pub(super) bits: Vec<u32>,
    /// In the notation of specifications: `R`, `signed *4`.
    pub(super) meaning: String,
    /// The value if nothing is printed, in the notation of specifications.
    pub(super) default: Option<String>,
    /// The prefix of its name.
    pub(super) name: String,
}

/// The number of registers up to which a file is searched for the one that is not printed.
const MOST_REGISTERS: Raw = 1 << 12;

/// The operand at a place, if there is one. `word` is the word of the text; `is_target` means that the number is the distance to
/// another place of the program.
pub(super) fn operand(isa: &Isa, slot: &Slot, word: Word, is_target: bool) -> Option<Operand> {
    // nvdisasm puts a blank after `-0.0`. A blank after all of them separates the operand from the next.
    let texts = || slot.bits.iter().map(|(_, text)| text).chain((!slot.base.is_empty()).then_some(&slot.base));
    let is_apart = texts().all(|text| text.ends_with(' '));
    let tokens = |text: &str| tokens(if is_apart { text } else { text.trim_end() });
    let parts: Vec<Vec<String>> = slot.bits.iter().map(|(_, text)| tokens(text)).collect();
    let base = tokens(&slot.base);
    let all = || parts.iter().chain((!base.is_empty()).then_some(&base));
    let length = parts.first()?.len();
    let differs = |i: &usize| all().any(|tokens| tokens[*i] != parts[0][*i]);
    if length == 0 || all().any(|tokens| tokens.len() != length) {
        return None;
    }
    let mut varied = (0..length).filter(differs);
    let (Some(at), None) = (varied.next(), varied.next()) else { return None };
    let values: Vec<(u32, &str)> = slot.bits.iter().zip(&parts).map(|((bit, _), tokens)| (*bit, tokens[at].as_str())).collect();
    let here = base.get(at).map(String::as_str);
    let mut operand = register(isa, &values, here, word)
        .or_else(|| numeral(isa, &values, here, word, is_target))
        .or_else(|| float(&values, here?, word))?;
    operand.before = parts[0][..at].concat();
    operand.after = parts[0][at + 1..].concat();
    Some(operand)
}

fn is_set(word: Word, bit: u32) -> bool {
    !(word & Word::bit(bit)).is_zero()
}

fn register(isa: &Isa, values: &[(u32, &str)], here: Option<&str>, word: Word) -> Option<Operand> {
    let fitting = isa.registers.iter().filter(|file| file.index as usize == values.len() && file.end() <= MOST_REGISTERS);
    for file in fitting {
        let index_of = |name: &str| (0..file.end()).find(|index| file.name_of(*index).as_deref() == Some(name));
        let Some(indices) = values.iter().map(|(bit, name)| Some((*bit, index_of(name)?))).collect::<Option<Vec<_>>>() else {
            continue;
        };
        // If it has no name, it is the register from which each bit leads to one of the others.
        let bases: Vec<Raw> = match here {
            Some(name) => index_of(name).into_iter().collect(),
            None => (0..=ones(file.index)).collect(),
        };
        let order = |base: Raw| {
            let place = |k: u32| indices.iter().find(|(_, index)| index ^ base == 1 << k).map(|(bit, _)| *bit);
            let bits = (0..file.index).map(place).collect::<Option<Vec<u32>>>()?;
            let same = bits.iter().enumerate().filter(|(k, bit)| is_set(word, **bit) == (base >> k & 1 == 1)).count();
            let inverted = same == 0;
            (inverted || same == bits.len()).then_some((base, bits, inverted))
        };
        if let Some((base, bits, inverted)) = bases.into_iter().find_map(order) {
            let meaning = format!("{}{}", file.name, if inverted { " inverted" } else { "" });
            let default = here.is_none().then(|| file.name_of(base).unwrap_or_else(|| base.to_string()));
            let name = file.name.to_lowercase();
            return Some(Operand { before: String::new(), after: String::new(), bits, meaning, default, name });
        }
    }
    None
}

/// The registers and numbers of a text.
pub(super) fn literals(isa: &Isa, text: &str) -> Vec<String> {
    let is_register = |token: &str| {
        let mut files = isa.registers.iter().filter(|file| file.end() <= MOST_REGISTERS);
        files.any(|file| (0..file.end()).any(|index| file.name_of(index).as_deref() == Some(token)))
    };
    tokens(text).into_iter().filter(|token| number(token).is_some() || is_register(token)).collect()
}

/// A register with a sign before it, `!P3`, given the texts of all values of bits: the bit of the sign, the text of that, and the
/// register. One value may have no text.
pub(super) fn signed(isa: &Isa, bits: &[u32], values: &[Option<String>]) -> Option<(u32, String, Operand)> {
    let values: Vec<&str> = values.iter().map(Option::as_deref).collect::<Option<_>>()?;
    let width = (bits.len() as u32).checked_sub(1).filter(|width| *width > 0)?;
    let files = isa.registers.iter().filter(|file| file.index == width && file.end() <= MOST_REGISTERS);
    for file in files {
        for place in (0..bits.len()).rev() {
            let is_signed = |value: usize| value >> place & 1 == 1;
            let number = |value: usize| (value >> (place + 1) << place | value & ((1 << place) - 1)) as Raw;
            for flip in [0, ones(width)] {
                let name = |value: usize| file.name_of(number(value) ^ flip);
                // What is around the register is that of a value without sign.
                let plain = (0..values.len()).find(|value| !is_signed(*value) && !values[*value].is_empty())?;
                let around = name(plain).and_then(|name| {
                    let parts = tokens(values[plain]);
                    let at = parts.iter().position(|token| *token == name)?;
                    Some((parts[..at].concat(), parts[at + 1..].concat()))
                });
                let Some((before, after)) = around else { continue };
                let inner = |value: usize| values[value].strip_prefix(before.as_str())?.strip_suffix(after.as_str());
                let sign_of = |value: usize| inner(value)?.strip_suffix(name(value)?.as_str());
                let Some(sign) = (0..values.len()).find(|value| is_signed(*value)).and_then(sign_of) else { continue };
                let hidden: Vec<usize> = (0..values.len()).filter(|value| values[*value].is_empty()).collect();
                let is_right = |value: usize| sign_of(value) == Some(if is_signed(value) { sign } else { "" });
                let are_right = (0..values.len()).all(|value| hidden.contains(&value) || is_right(value));
                if sign.is_empty() || !are_right || hidden.len() > 1 || hidden.iter().any(|value| is_signed(*value)) {
                    continue;
                }
                let own = bits.iter().enumerate().filter(|(k, _)| *k != place).map(|(_, bit)| *bit).collect();
                let operand = Operand {
                    before: before.clone(),
                    after: after.clone(),
                    bits: own,
                    meaning: format!("{}{}", file.name, if flip == 0 { "" } else { " inverted" }),
                    default: hidden.first().map(|value| name(*value).unwrap_or_else(|| number(*value).to_string())),
                    name: file.name.to_lowercase(),
                };
                return Some((bits[place], sign.to_owned(), operand));
            }
        }
    }
    None
}

fn numeral(isa: &Isa, values: &[(u32, &str)], here: Option<&str>, word: Word, is_target: bool) -> Option<Operand> {
    let numbers = values.iter().map(|(bit, token)| Some((*bit, number(token)?))).collect::<Option<Vec<_>>>()?;
    // A number that is not printed is 0.
    let base = here.map_or(Some((0, false)), number)?;
    let mut weights: Vec<(i128, u32)> = Vec::new();
    for (bit, (value, _)) in &numbers {
        let change = value.checked_sub(base.0)?;
        weights.push((if is_set(word, *bit) { -change } else { change }, *bit));
    }
    weights.sort_by_key(|(weight, _)| weight.unsigned_abs());
    let scale = weights.first()?.0.abs();
    let top = weights.len() - 1;
    let fits = |(k, (weight, _)): (usize, &(i128, u32))| {
        scale
            .checked_shl(k as u32)
            .filter(|full| full >> k == scale)
            .is_some_and(|full| *weight == full || (k == top && k > 0 && *weight == -full))
    };
    if scale == 0 || !weights.iter().enumerate().all(fits) {
        return None;
    }
    let set: i128 = weights.iter().filter(|(_, bit)| is_set(word, *bit)).map(|(weight, _)| weight).sum();
    let bias = base.0.checked_sub(set)?;
    let mut meaning = Vec::new();
    if weights[top].0 < 0 {
        meaning.push("signed".to_owned());
    }
    if scale != 1 {
        meaning.push(format!("*{scale}"));
    }
    match bias {
        0 if is_target => meaning.push("target".to_owned()),
        bias if is_target => meaning.push(format!("target({bias})")),
        0 => {}
        bias => meaning.push(format!("{bias:+}")),
    }
    let is_hex = base.1 || numbers.iter().any(|(_, (_, is_hex))| *is_hex);
    match (isa.numbers, is_hex) {
        (Style::Hex, false) => meaning.push("dec".to_owned()),
        (Style::Dec, true) => meaning.push("hex".to_owned()),
        _ => {}
    }
    let bits = weights.iter().map(|(_, bit)| *bit).collect();
    let default = here.is_none().then(|| "0".to_owned());
    let name = if is_target { "to" } else { "imm" }.to_owned();
    Some(Operand { before: String::new(), after: String::new(), bits, meaning: meaning.join(" "), default, name })
}

/// Floating-point numbers, whose high bits are adjacent bits of the word.
fn float(values: &[(u32, &str)], here: &str, word: Word) -> Option<Operand> {
    let mut bits: Vec<u32> = values.iter().map(|(bit, _)| *bit).collect();
    bits.sort_unstable();
    let (low, width) = (*bits.first()?, bits.len() as u32);
    if bits.iter().zip(low..).any(|(bit, place)| *bit != place) {
        return None;
    }
    let number = (word >> low).low() as u64 & ones(width.min(64)) as u64;
    // The number of digits that each needs, or the fixed number of those with an exponent.
    let digits = here.split_once('e').and_then(|(number, _)| number.split_once('.')).map(|(_, digits)| digits.len());
    let digits = digits.and_then(|count| u8::try_from(count).ok()).filter(|count| *count <= MAX_DIGITS).unwrap_or(0);
    let formats = [16, 32, 64].into_iter().flat_map(|format| [0, digits].map(|digits| FloatStyle { format, digits }));
    let is_of = |style: &FloatStyle| {
        let format = u32::from(style.format);
        let printed = |number: u64| FloatText::new(number << (format - width), *style);
        width <= format
            && printed(number).as_str() == here
            && values.iter().all(|(bit, text)| printed(number ^ 1 << (bit - low)).as_str() == *text)
    };
    // Among the possible formats, the one with the fewest bits that the field lacks.
    let meaning = match formats.into_iter().find(is_of)? {
        FloatStyle { format, digits: 0 } => format!("f{format}"),
        FloatStyle { format, digits } => format!("f{format}({digits})"),
    };
    Some(Operand { before: String::new(), after: String::new(), bits, meaning, default: None, name: "imm".to_owned() })
}

/// Bits in the notation of specifications, given the lowest first: `80 ++ 76`.
pub(super) fn written(bits: &[u32]) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for bit in bits.iter().rev() {
        match ranges.last_mut() {
            Some((_, low)) if *low == bit + 1 => *low = *bit,
            _ => ranges.push((*bit, *bit)),
        }
    }
    let shown = |(high, low): &(u32, u32)| if high == low { high.to_string() } else { format!("{high}..{low}") };
    ranges.iter().map(shown).collect::<Vec<_>>().join(" ++ ")
}
