//! The draft of an entry as YAML.

use super::inherited::Inherited;
use super::opcode::Opcode;
use super::slots::{Operand, written};
use super::tokens::{Hunk, tokens};
use isa_spec::bits::{Bits, ranges};
use isa_spec::model::{Isa, Word};
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;

/// A field that is found.
pub(super) struct Piece {
    bits: Vec<u32>,
    meaning: String,
    default: Option<String>,
    /// The texts of an enumeration by value.
    values: Vec<Option<String>>,
    name: String,
    /// What the template has for it, `{}` where the name goes.
    template: String,
    /// Of what stands at one place the least first.
    rank: u8,
}

impl Piece {
    /// A field whose values print these texts. One that prints something when it is set is a flag.
    pub(super) fn choice(bits: Vec<u32>, values: Vec<Option<String>>) -> Self {
        let mut piece = Self {
            name: "mode".to_owned(),
            bits,
            meaning: String::new(),
            default: None,
            values: Vec::new(),
            template: "{}".to_owned(),
            rank: 1,
        };
        match values.as_slice() {
            [Some(clear), Some(set)] if clear.is_empty() => {
                piece.meaning = quoted(set);
                piece.name = name_of(set);
            }
            _ => piece.values = values,
        }
        piece
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
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The entry of an opcode, as far as it is known.
pub(super) struct Entry<'a> {
    isa: &'a Isa,
    opcode: &'a Opcode,
    inherited: Inherited,
    text: String,
    base: Word,
    /// Fields by the tokens that they stand in the place of, in their order.
    pieces: Vec<((usize, usize), Piece)>,
    must: Word,
    unclear: Vec<(u32, String)>,
}

impl<'a> Entry<'a> {
    pub(super) fn new(isa: &'a Isa, opcode: &'a Opcode, inherited: Inherited, text: &str, base: Word) -> Self {
        Self { isa, opcode, inherited, text: text.to_owned(), base, pieces: Vec::new(), must: Word::ZERO, unclear: Vec::new() }
    }

    /// A bit that is refused when it is turned.
    pub(super) fn must(&mut self, bit: u32) {
        self.must |= Word::bit(bit);
    }

    /// A bit that changes the text in a way that is not a field's.
    pub(super) fn unclear(&mut self, bit: u32, text: &str) {
        self.unclear.push((bit, text.to_owned()));
    }

    /// A bit that puts something in several places.
    pub(super) fn around(&mut self, bit: u32, hunks: &[Hunk]) {
        let name = name_of(&hunks[0].text);
        for (i, hunk) in hunks.iter().enumerate() {
            // Only the first is the field; the others are conditions on it.
            let bits = if i == 0 { vec![bit] } else { Vec::new() };
            let template = format!("<when {{}}: {}>", escaped(&hunk.text));
            let name = if i == 0 { name.clone() } else { format!("={bit}") };
            // What opens stands nearest to what it is around, and so does what closes.
            let rank = if i == 0 { 2 } else { 0 };
            let piece = Piece { bits, meaning: String::new(), default: None, values: Vec::new(), name, template, rank };
            self.pieces.push(((hunk.from, hunk.to), piece));
        }
    }

    /// A register or a number.
    pub(super) fn operand(&mut self, place: (usize, usize), operand: Operand) {
        let Operand { before, after, bits, meaning, default, name } = operand;
        let inner = format!("{}{{}}{}", escaped(&before), escaped(&after));
        let template = if default.is_some() { format!("<{inner}>") } else { inner };
        self.pieces.push((place, Piece { bits, meaning, default, values: Vec::new(), name, template, rank: 1 }));
    }

    /// One of some texts.
    pub(super) fn choice(&mut self, place: (usize, usize), piece: Piece) {
        self.pieces.push((place, piece));
    }

    /// The entry, and the enumerations that it needs.
    pub(super) fn yaml(mut self, base: &[String]) -> String {
        // Something that appears stands before what it appears at.
        self.pieces.sort_by_key(|((from, to), piece)| (*from, *to, piece.rank));
        let mnemonic = tokens(&self.text).into_iter().find(|t| t.starts_with(|c: char| c.is_ascii_alphabetic()));
        let mnemonic = mnemonic.unwrap_or_else(|| "X".to_owned());
        let is_taken = self.isa.instructions.iter().any(|insn| insn.name == mnemonic);
        let opcode = Bits(ranges(self.opcode.mask));
        let key = if is_taken { format!("{mnemonic}_{:x}", opcode.get_all(self.opcode.value)) } else { mnemonic.clone() };
        let names = self.names();
        let mut enums = String::new();
        let mut fields = String::new();
        for ((_, piece), name) in self.pieces.iter().zip(&names).filter(|((_, piece), _)| !piece.bits.is_empty()) {
            let mut meaning = piece.meaning.clone();
            if !piece.values.is_empty() {
                meaning = format!("{key}_{name}");
                let _ = writeln!(enums, "  {meaning}:");
                for (value, text) in piece.values.iter().enumerate().filter_map(|(v, text)| Some((v, text.as_ref()?))) {
                    let _ = writeln!(enums, "    {value}: {{ text: {}, name: V{value} }}", quoted(text));
                }
            }
            let default = piece.default.as_ref().map_or(String::new(), |default| format!(" = {default}"));
            let line = [written(&piece.bits), meaning].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
            let _ = writeln!(fields, "      {name}: {}", single(&format!("{line}{default}")));
        }
        let mut out = String::new();
        if !enums.is_empty() {
            let _ = writeln!(out, "enums:\n{enums}");
        }
        let _ = writeln!(out, "instructions:\n  {key}:");
        if is_taken {
            let _ = writeln!(out, "    mnemonic: {mnemonic}");
        }
        if let Some(format) = &self.inherited.format {
            let _ = writeln!(out, "    extends: {format}");
        }
        let _ = writeln!(out, "    fix: {{ {} }}", self.fix().join(", "));
        if !fields.is_empty() {
            let _ = write!(out, "    fields:\n{fields}");
        }
        let _ = writeln!(out, "    rest: ignored");
        let _ = writeln!(out, "    text: {}", quoted(&self.template(base, &names)));
        for (bit, text) in &self.unclear {
            let _ = writeln!(out, "    # bit {bit} makes it: {text}");
        }
        let digits = self.opcode.bits.div_ceil(4) as usize;
        let _ = writeln!(out, "    # drafted from 0x{:0digits$x}  {}", self.base, self.text);
        out
    }

    /// The names of the pieces, none twice.
    fn names(&self) -> Vec<String> {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        self.pieces.iter().for_each(|(_, piece)| *counts.entry(&piece.name).or_default() += 1);
        let mut taken: HashSet<String> = self.inherited.names.iter().cloned().collect();
        let mut of_bit: BTreeMap<u32, String> = BTreeMap::new();
        let mut names = Vec::new();
        for (_, piece) in &self.pieces {
            let low = piece.bits.iter().min().copied().unwrap_or_default();
            let mut name = piece.name.clone();
            if let Some(bit) = name.strip_prefix('=').and_then(|bit| bit.parse().ok()) {
                names.push(of_bit.get(&bit).cloned().unwrap_or_default());
                continue;
            }
            if counts[piece.name.as_str()] > 1 || taken.contains(&name) {
                name = format!("{name}_{low}");
            }
            taken.insert(name.clone());
            piece.bits.iter().for_each(|bit| drop(of_bit.insert(*bit, name.clone())));
            names.push(name);
        }
        names
    }

    /// What is fixed: fields of the format, the other bits of the opcode, and bits that are refused when they are turned.
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
    fn template(&self, base: &[String], names: &[String]) -> String {
        let mut out = String::new();
        let mut at = 0;
        for (((from, to), piece), name) in self.pieces.iter().zip(names) {
            if *from < at && from != to {
                continue;
            }
            base.get(at..*from).unwrap_or_default().iter().for_each(|token| out.push_str(&escaped(token)));
            let name = match piece.template.starts_with("<when {}") {
                true => name.clone(),
                false => format!("{{{name}}}"),
            };
            out.push_str(&piece.template.replacen("{}", &name, 1));
            at = at.max(*to);
        }
        base.get(at..).unwrap_or_default().iter().for_each(|token| out.push_str(&escaped(token)));
        out
    }
}

/// A text of a template that means only itself.
fn escaped(text: &str) -> String {
    text.chars().flat_map(|c| matches!(c, '<' | '>' | '{' | '}' | '\\').then_some('\\').into_iter().chain([c])).collect()
}

/// A text of YAML between single quotes.
fn single(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
