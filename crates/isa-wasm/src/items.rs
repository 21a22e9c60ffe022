//! Lines of words, bytes and texts, as the instructions that they are.

use crate::json::{hex, list, object, text};
use crate::set::Set;
use isa_asm::lines::{Comments, Mark, Scanner, Source};
use isa_asm::{Assembler, Options, PieceKind};
use isa_engine::{Sized, bytes_of, is_symbol, no_symbols, word_at};
use std::collections::HashSet;

/// The number of items after which the rest is left out.
const MOST_ITEMS: usize = 1 << 16;

/// A line for the assembler: what it is made of.
enum Line {
    /// A statement.
    Text(String),
    Word(Sized),
    /// The bytes of a statement end inside a word.
    Cut(String),
}

/// The instructions of lines: `[item, …]`. A word: `{ address, word, bits, text }`, where `text` is the statement that it was read
/// from, or empty. An instruction of a text-only instruction set: `{ address, form, word, bits, names, text }`. What is refused:
/// `{ address, text, error }`.
///
/// The assembler places them and reads the texts: labels, expressions and directives are those of programs.
pub(crate) fn items(set: &mut Set, input: &str) -> String {
    let codec = set.first.fork();
    let comments = Comments::new(&codec.assembly());
    let mut assembler = match Assembler::new(codec, "", Options { overlaps: true, ..Options::default() }) {
        Ok(assembler) => assembler,
        Err(error) => return list([refused(0, "", &error)]),
    };
    let mut lines: Vec<Line> = Vec::new();
    let tokens: HashSet<&str> = input.split(|c| !is_symbol(c)).collect();
    let is_local = |number: &str| ["b", "f"].iter().any(|to| tokens.contains(format!("{number}{to}").as_str()));
    let mut scanner = Scanner::new(comments);
    for (number, whole) in input.lines().enumerate() {
        for source in scanner.statements(number, whole) {
            let words = words_of(set, source.text()).filter(|_| source.fault.is_none());
            let statement = statement(&source, words.is_some(), &is_local);
            lines.push(Line::Text(source.text().to_owned()));
            let mut result = assembler.line(lines.len(), &statement);
            for word in words.into_iter().flatten() {
                let units = set.codec.shape().units;
                let bytes: Vec<u8> = word.map_or(Vec::new(), |own| units.write(own.word, own.bits).collect());
                lines.push(word.map_or_else(|| Line::Cut(source.text().to_owned()), Line::Word));
                result = result.and_then(|()| assembler.bytes(lines.len(), &bytes));
            }
            if let Err(full) = result {
                return list([refused(0, "", &full.0)]);
            }
        }
    }
    let program = assembler.finish();
    let mut found = Vec::new();
    for piece in program.pieces() {
        let Some(line) = piece.line.checked_sub(1).and_then(|at| lines.get(at)) else { continue };
        let (own, address) = (if let Line::Text(text) = line { text.as_str() } else { "" }, piece.address);
        match (piece.kind, line) {
            (PieceKind::Fault(fault), _) => found.push(refused(address, own, &fault.message)),
            (PieceKind::Text { statement, .. }, _) => found.push(object([
                ("address", hex(address)),
                ("form", statement.form.to_string()),
                ("word", hex(statement.word)),
                ("bits", set.codec.length(statement.form).to_string()),
                ("names", list(statement.names.iter().map(|name| text(name)))),
                ("text", text(own)),
            ])),
            (_, Line::Word(own)) => found.push(word(address, *own, "")),
            (_, Line::Cut(own)) => found.push(refused(address, own, "bytes are missing")),
            (PieceKind::Word { form, .. }, _) => {
                let bits = set.codec.length(form);
                found.push(word(address, Sized { word: set.codec.shape().units.read(piece.bytes), bits }, own));
            }
            (PieceKind::Data(_) | PieceKind::Filled, _) => {
                let mut at = address;
                for data in stream(set, piece.bytes) {
                    found.push(match data {
                        Some(data) => word(at, data, own),
                        None => refused(at, own, "data that is no whole word"),
                    });
                    at = at.wrapping_add(data.map_or(0, |data| bytes_of(data.bits)));
                }
            }
        }
        if found.len() >= MOST_ITEMS {
            break;
        }
    }
    list(found)
}

fn word(address: u64, own: Sized, statement: &str) -> String {
    object([("address", hex(address)), ("word", hex(own.word)), ("bits", own.bits.to_string()), ("text", text(statement))])
}

fn refused(address: u64, statement: &str, error: &str) -> String {
    object([("address", hex(address)), ("text", text(statement)), ("error", text(error))])
}

/// A statement for the assembler; that of words has only their address. Before words, `a0:` is an address, as `isagen disasm` reads
/// it; a decimal number before `:` is a local label only if something refers to it, and else an address, as in listings of objdump.
fn statement(source: &Source<'_>, is_words: bool, is_local: &dyn Fn(&str) -> bool) -> String {
    if let Some(fault) = &source.fault {
        return format!("! {}", fault.message);
    }
    let mut line = String::new();
    for mark in &source.marks {
        let is_hex = |name: &str| name.bytes().all(|c| c.is_ascii_hexdigit()) && name.len() <= 16;
        line += &match mark {
            Mark::Label(name, _) if is_words && is_hex(name) => format!("0x{name}: "),
            Mark::Local(number, _) if !is_local(number) && is_hex(number) => format!("0x{number}: "),
            Mark::Label(name, _) | Mark::Local(name, _) => format!("{name}: "),
            Mark::Address(address) => format!("{address:#x}: "),
        };
    }
    line + if is_words { "" } else { source.text() }
}

/// The words of a statement that consists of them, or of bytes in the order of the instruction set; `None` if it is a text.
fn words_of(set: &mut Set, statement: &str) -> Option<Vec<Option<Sized>>> {
    if set.codec.is_text() {
        return None;
    }
    let plain = statement.replace('_', "");
    let digits = plain.split_whitespace().map(|token| {
        let digits = token.strip_prefix("0x").unwrap_or(token);
        (!digits.is_empty() && digits.len() <= 64 && digits.bytes().all(|c| c.is_ascii_hexdigit())).then_some(digits)
    });
    let digits: Vec<&str> = digits.collect::<Option<_>>()?;
    if digits.is_empty() {
        return None;
    }
    if let Some(words) = digits.iter().map(|digits| set.exactly(digits)).collect::<Option<Vec<_>>>() {
        return Some(words.into_iter().map(Some).collect());
    }
    let units = set.codec.shape().units;
    match digits[..] {
        // A word with fewer digits than others, unless it is an instruction.
        [digits] => match set.codec.try_read(statement, 0, &no_symbols) {
            None => Some(vec![Some(set.sized(digits)?)]),
            Some(_) => None,
        },
        _ if digits.iter().all(|digits| digits.len() == 2) && units.bits.is_multiple_of(8) => {
            let bytes: Vec<u8> = digits.iter().filter_map(|digits| u8::from_str_radix(digits, 16).ok()).collect();
            Some(stream(set, &bytes))
        }
        _ => None,
    }
}

/// The words of bytes in memory, one after the other; one that begins no word has one unit, and `None` is the rest of the bytes.
fn stream(set: &Set, mut bytes: &[u8]) -> Vec<Option<Sized>> {
    let units = set.codec.shape().units;
    let mut found = Vec::new();
    while !bytes.is_empty() && found.len() < MOST_ITEMS {
        let (length, word) = word_at(&*set.codec, bytes);
        let (own, rest) = bytes.split_at(length.clamp(1, bytes.len()));
        bytes = rest;
        let unit = || Some(units.read(own)).filter(|_| own.len() == (units.bits / 8) as usize);
        let free = || unit().filter(|unit| set.codec.length_of(*unit).is_none());
        found.push(word.ok().or_else(|| free().map(|word| Sized { word, bits: units.bits })));
    }
    found
}
