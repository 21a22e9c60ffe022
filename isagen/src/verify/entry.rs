//! The findings about an opcode as the draft of an entry.

use super::inherited::Inherited;
use super::opcode::Opcode;
use super::slots::{Operand, written};
use super::tokens::{Hunk, mnemonic};
use isa_spec::bits::{Bits, ranges};
use isa_spec::model::Word;
use std::collections::BTreeMap;

/// A field that is found.
pub(super) struct Piece {
    bits: Vec<u32>,
    meaning: Meaning,
    default: Option<String>,
    name: String,
    /// Its text in the template, with `{}` for the name.
    template: String,
    /// A bit of the field that it is a condition on, if it is not a field itself.
    asks: Option<u32>,
    /// The order among pieces at one place, the least first.
    rank: u8,
}

impl Piece {
    /// A field whose values print these texts. A field of one text that is printed when it is set is a flag.
    pub(super) fn choice(bits: Vec<u32>, values: Vec<Option<String>>) -> Self {
        let (name, meaning) = match values.as_slice() {
            [Some(clear), Some(set)] if clear.is_empty() => (name_of(set), Meaning::Said(quoted(set))),
            _ => {
                let texts = values.into_iter().enumerate().filter_map(|(value, text)| Some((value, text?)));
                ("mode".to_owned(), Meaning::Values(texts.collect()))
            }
        };
        Self { name, bits, meaning, default: None, template: "{{}}".to_owned(), asks: None, rank: 1 }
    }
}

/// A name for a flag with this text.
fn name_of(text: &str) -> String {
    let letters: String = text.chars().filter(char::is_ascii_alphanumeric).collect();
    match text {
        "-" => "neg".to_owned(),
        "!" => "not".to_owned(),
        "~" => "inv".to_owned(),
        "|" => "abs".to_owned(),
        _ if letters.chars().next().is_none_or(|c| c.is_ascii_digit()) => format!("f{}", letters.to_lowercase()),
        _ => letters.to_lowercase(),
    }
}

/// A text of YAML in quotes.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The draft of an entry.
#[derive(Clone)]
pub(crate) struct Draft {
    /// The mnemonic of the text that the draft was made from.
    pub(super) mnemonic: String,
    pub(super) opcode: Word,
    pub(super) format: Option<String>,
    /// The names of fields of the format.
    pub(super) taken: Vec<String>,
    /// `op: 0x23`
    pub(super) fix: Vec<String>,
    pub(super) fields: Vec<Field>,
    pub(super) text: Vec<Part>,
    /// The word that the draft was made from, and the bits that it does not explain.
    pub(super) remarks: Vec<String>,
}

/// A field of a draft.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Field {
    /// Its name, which several fields can share.
    pub(super) name: String,
    pub(super) low: u32,
    pub(super) bits: String,
    pub(super) meaning: Meaning,
    pub(super) default: Option<String>,
}

/// The meaning of a field.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Meaning {
    /// A meaning in the notation of specifications; empty for a number.
    Said(String),
    /// The texts of an enumeration, by value.
    Values(Vec<(usize, String)>),
}

/// A part of a template.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// The text, with `{}` for the name of the field.
    pub(super) text: String,
    /// The field that it is about, by its index.
    pub(super) field: Option<usize>,
}

/// The entry of an opcode, as far as it is known.
pub(super) struct Entry<'a> {
    opcode: &'a Opcode,
    inherited: Inherited,
    text: String,
    base: Word,
    /// Fields by the tokens that they replace, in their order.
    pieces: Vec<((usize, usize), Piece)>,
    must: Word,
    unclear: Vec<(u32, String)>,
}

impl<'a> Entry<'a> {
    pub(super) fn new(opcode: &'a Opcode, inherited: Inherited, text: &str, base: Word) -> Self {
        Self { opcode, inherited, text: text.to_owned(), base, pieces: Vec::new(), must: Word::ZERO, unclear: Vec::new() }
    }

    /// Adds a bit whose inverse is refused.
    pub(super) fn must(&mut self, bit: u32) {
        self.must |= Word::bit(bit);
    }

    /// Adds a bit that changes the text in a way that no field does.
    pub(super) fn unclear(&mut self, bit: u32, text: &str) {
        self.unclear.push((bit, text.to_owned()));
    }

    /// Adds a bit that changes several places.
    pub(super) fn around(&mut self, bit: u32, hunks: &[Hunk]) {
        let name = name_of(&hunks[0].text);
        for (i, hunk) in hunks.iter().enumerate() {
            // Only the first is the field; the others are conditions on it.
            let bits = if i == 0 { vec![bit] } else { Vec::new() };
            let template = format!("<when {{}}: {}>", escaped(&hunk.text));
            // Opening and closing texts are adjacent to the text that they enclose.
            let rank = if i == 0 { 2 } else { 0 };
            let (name, asks) = (name.clone(), Some(bit));
            let piece = Piece { bits, meaning: Meaning::Said(String::new()), default: None, name, template, asks, rank };
            self.pieces.push(((hunk.from, hunk.to), piece));
        }
    }

    /// Adds a register or a number.
    pub(super) fn operand(&mut self, place: (usize, usize), operand: Operand) {
        let Operand { before, after, bits, meaning, default, name } = operand;
        let inner = format!("{}{{{{}}}}{}", escaped(&before), escaped(&after));
        let template = if default.is_some() { format!("<{inner}>") } else { inner };
        let meaning = Meaning::Said(meaning);
        self.pieces.push((place, Piece { bits, meaning, default, name, template, asks: None, rank: 1 }));
    }

    /// Adds one of some texts.
    pub(super) fn choice(&mut self, place: (usize, usize), piece: Piece) {
        self.pieces.push((place, piece));
    }

    /// The draft of the entry, given the tokens of the base text.
    pub(super) fn draft(mut self, base: &[String]) -> Draft {
        // An inserted text comes before the place of its insertion.
        self.pieces.sort_by_key(|((from, to), piece)| (*from, *to, piece.rank));
        let mut fields = Vec::new();
        let mut of_bit: BTreeMap<u32, usize> = BTreeMap::new();
        for (_, piece) in self.pieces.iter().filter(|(_, piece)| !piece.bits.is_empty()) {
            of_bit.extend(piece.bits.iter().map(|bit| (*bit, fields.len())));
            let low = piece.bits.iter().min().copied().unwrap_or_default();
            fields.push(Field {
                name: piece.name.clone(),
                low,
                bits: written(&piece.bits),
                meaning: piece.meaning.clone(),
                default: piece.default.clone(),
            });
        }
        let mut remarks: Vec<String> = self.unclear.iter().map(|(bit, text)| format!("bit {bit} makes it: {text}")).collect();
        remarks.push(format!("drafted from {}  {}", self.opcode.sized(self.base), self.text));
        Draft {
            mnemonic: Some(mnemonic(&self.text, false)).filter(|name| !name.is_empty()).unwrap_or("X").to_owned(),
            opcode: self.opcode.number,
            fix: self.fix(),
            fields,
            text: self.template(base, &of_bit),
            remarks,
            format: self.inherited.format,
            taken: self.inherited.names,
        }
    }

    /// The fixed parts: fields of the format, the other bits of the opcode, and bits whose inverse is refused.
    fn fix(&self) -> Vec<String> {
        let word = self.base;
        let named = self.inherited.fix.iter();
        let mut fix: Vec<String> = named.clone().map(|(name, bits)| format!("{name}: {:#x}", bits.get_all(word))).collect();
        let known = named.fold(Word::ZERO, |mask, (_, bits)| mask | bits.mask());
        for range in ranges((self.opcode.mask | self.must) & !known) {
            let bits = Bits(vec![range]);
            fix.push(format!("{bits}: {:#x}", bits.get_all(word)));
        }
        fix
    }

    /// The text with the fields in their places.
    fn template(&self, base: &[String], of_bit: &BTreeMap<u32, usize>) -> Vec<Part> {
        let token = |token: &String| Part { text: escaped(token), field: None };
        let mut out = Vec::new();
        let mut at = 0;
        for ((from, to), piece) in &self.pieces {
            if *from < at && from != to {
                continue;
            }
            out.extend(base.get(at..*from).unwrap_or_default().iter().map(token));
            let field = piece.bits.first().or(piece.asks.as_ref()).and_then(|bit| of_bit.get(bit).copied());
            out.push(Part { text: piece.template.clone(), field });
            at = at.max(*to);
        }
        out.extend(base.get(at..).unwrap_or_default().iter().map(token));
        out
    }
}

/// A text escaped for a template.
fn escaped(text: &str) -> String {
    text.chars().flat_map(|c| matches!(c, '<' | '>' | '{' | '}' | '\\').then_some('\\').into_iter().chain([c])).collect()
}
