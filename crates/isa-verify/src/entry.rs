//! The findings about an opcode as the draft of an entry.

use crate::inherited::Inherited;
use crate::opcode::Opcode;
use crate::slots::{Operand, written};
use crate::tokens::{Hunk, mnemonic};
use isa_engine::Sized;
use isa_spec::bits::{BitRange, Bits, ranges};
use isa_spec::model::Word;
use std::collections::BTreeMap;

/// Fields that are found, and the text that they print.
pub(super) struct Piece {
    /// In the order of the text.
    fields: Vec<Found>,
    /// Their text in the template, with `{}` for each name.
    template: String,
    /// A bit of the field that it is a condition on, if it has no field itself.
    asks: Option<u32>,
    /// The order among pieces at one place, the least first.
    rank: u8,
}

/// A field that is found.
struct Found {
    bits: Vec<u32>,
    meaning: Meaning,
    default: Option<String>,
    name: String,
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
        Self { fields: vec![Found { name, bits, meaning, default: None }], template: "{{}}".to_owned(), asks: None, rank: 1 }
    }

    /// An operand, with the bit of its sign and the text of that.
    pub(super) fn signed((bit, sign): (u32, &str), operand: Operand) -> Self {
        let mut piece = Self::operand(operand, "{{}}{{}}");
        let flag = Found { name: name_of(sign), bits: vec![bit], meaning: Meaning::Said(quoted(sign)), default: None };
        piece.fields.insert(0, flag);
        piece
    }

    /// An operand; `hole` is the place of its value in a template.
    fn operand(operand: Operand, hole: &str) -> Self {
        let Operand { before, after, bits, meaning, default, name } = operand;
        let inner = format!("{}{hole}{}", escaped(&before), escaped(&after));
        let template = if default.is_some() { format!("<{inner}>") } else { inner };
        let field = Found { bits, meaning: Meaning::Said(meaning), default, name };
        Self { fields: vec![field], template, asks: None, rank: 1 }
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
    /// The word that it was made from, and its text at address 0.
    pub(crate) drafted: (Sized, String),
    pub(super) opcode: Word,
    pub(super) format: Option<String>,
    /// The names that the format has.
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
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Part {
    /// The text, with `{}` for the name of each field.
    pub(super) text: String,
    /// The fields that it is about, by their indices.
    pub(super) fields: Vec<usize>,
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
    /// Bits that change nothing in the text.
    silent: Word,
    unclear: Vec<(u32, String)>,
    /// Texts that are written as they are and may be fields, each with a word in which they are.
    literals: Vec<(String, Word)>,
}

impl<'a> Entry<'a> {
    pub(super) fn new(opcode: &'a Opcode, inherited: Inherited, text: &str, base: Word) -> Self {
        let (must, silent) = (Word::ZERO, Word::ZERO);
        let text = text.to_owned();
        Self { opcode, inherited, text, base, pieces: Vec::new(), must, silent, unclear: Vec::new(), literals: Vec::new() }
    }

    /// Adds a bit whose inverse is refused.
    pub(super) fn must(&mut self, bit: u32) {
        self.must |= Word::bit(bit);
    }

    /// Adds a bit that changes nothing in the text.
    pub(super) fn silent(&mut self, bit: u32) {
        self.silent |= Word::bit(bit);
    }

    /// Adds registers and numbers of a text that is present if a bit is inverted.
    pub(super) fn literals(&mut self, bit: u32, literals: impl IntoIterator<Item = String>) {
        let word = self.base ^ Word::bit(bit);
        self.literals.extend(literals.into_iter().map(|literal| (literal, word)));
    }

    /// Adds a bit that changes the text in a way that no field does: it is fixed, so that the draft has no wrong text for its
    /// inverse.
    pub(super) fn unclear(&mut self, bit: u32, text: &str) {
        self.must(bit);
        self.unclear.push((bit, text.to_owned()));
    }

    /// Adds a bit that changes several places.
    pub(super) fn around(&mut self, bit: u32, hunks: &[Hunk]) {
        let name = name_of(&hunks[0].text);
        for (i, hunk) in hunks.iter().enumerate() {
            // Only the first is the field; the others are conditions on it.
            let bits = vec![bit];
            let template = format!("<when {{}}: {}>", escaped(&hunk.text));
            // Opening and closing texts are adjacent to the text that they enclose.
            let rank = if i == 0 { 2 } else { 0 };
            let found = Found { bits, meaning: Meaning::Said(String::new()), default: None, name: name.clone() };
            let fields = if i == 0 { vec![found] } else { Vec::new() };
            self.pieces.push(((hunk.from, hunk.to), Piece { fields, template, asks: Some(bit), rank }));
        }
    }

    /// Adds a register or a number. If the format prints such a field and leaves it to its entries, it has the name that the format
    /// wants.
    pub(super) fn operand(&mut self, place: (usize, usize), mut operand: Operand) {
        let mask = operand.bits.iter().fold(Word::ZERO, |mask, bit| mask | Word::bit(*bit));
        let wanted = self.inherited.wanted.iter().find(|(_, bits)| bits.mask() == mask);
        let is_wanted = wanted.is_some();
        if let Some((name, _)) = wanted {
            operand.name.clone_from(name);
        }
        let mut piece = Piece::operand(operand, "{{}}");
        if is_wanted {
            piece.template = String::new();
        }
        self.pieces.push((place, piece));
    }

    /// Adds one of some texts, or an operand with a sign.
    pub(super) fn piece(&mut self, place: (usize, usize), piece: Piece) {
        self.pieces.push((place, piece));
    }

    /// The draft of the entry, given the tokens of the base text.
    pub(super) fn draft(mut self, base: &[String]) -> Draft {
        // An inserted text comes before the place of its insertion.
        self.pieces.sort_by_key(|((from, to), piece)| (*from, *to, piece.rank));
        let mut fields = Vec::new();
        let mut of_bit: BTreeMap<u32, usize> = BTreeMap::new();
        for found in self.pieces.iter().flat_map(|(_, piece)| &piece.fields) {
            of_bit.extend(found.bits.iter().map(|bit| (*bit, fields.len())));
            let low = found.bits.iter().min().copied().unwrap_or_default();
            fields.push(Field {
                name: found.name.clone(),
                low,
                bits: written(&found.bits),
                meaning: found.meaning.clone(),
                default: found.default.clone(),
            });
        }
        fields.extend(self.unprinted());
        let sized = |word| self.opcode.sized(word);
        let unclear = self.unclear.iter().map(|(bit, text)| {
            let word = sized(self.base ^ Word::bit(*bit));
            format!("bit {bit} is fixed, since it makes it: {text} (another draft, from {word})")
        });
        let literals = self.literals.iter();
        let literals = literals.map(|(text, word)| format!("`{text}` may be a field: draft again from {}", sized(*word)));
        let mut remarks: Vec<String> = unclear.chain(literals).collect();
        remarks.push(format!("drafted from {}  {}", sized(self.base), self.text));
        Draft {
            drafted: (sized(self.base), self.text.clone()),
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

    /// Fields for the bits of a given word that are set and that the text doesn't show: their defaults are those of the word.
    fn unprinted(&self) -> Vec<Field> {
        if self.opcode.word.is_none() {
            return Vec::new();
        }
        let set = ranges(self.silent & self.base & !self.must).into_iter();
        let field = |range: BitRange| {
            let bits = Bits(vec![range]);
            Field {
                name: "unprinted".to_owned(),
                low: range.lo,
                bits: bits.to_string(),
                meaning: Meaning::Said(String::new()),
                default: Some(format!("{:#x}", bits.get_all(self.base))),
            }
        };
        set.map(field).collect()
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
        let token = |token: &String| Part { text: escaped(token), fields: Vec::new() };
        let mut out = Vec::new();
        let mut at = 0;
        for ((from, to), piece) in &self.pieces {
            if *from < at && from != to {
                continue;
            }
            out.extend(base.get(at..*from).unwrap_or_default().iter().map(token));
            let own = piece.fields.iter().filter_map(|field| field.bits.first());
            let asks = piece.asks.as_ref().filter(|_| piece.fields.is_empty());
            let fields = own.chain(asks).filter_map(|bit| of_bit.get(bit).copied()).collect();
            out.push(Part { text: piece.template.clone(), fields });
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
