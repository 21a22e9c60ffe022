//! Instructions from text: one a line, with labels, comments and addresses.
//!
//! ```text
//! # a comment, also // and ; (but not where the instruction set's own text has these characters), and /* */
//! 0x100:                      what follows stands at this address (hexadecimal; begins with a digit)
//! loop: IADD3 R1, R1, 0x1, RZ
//!       @P0 BRA loop
//! ```
//!
//! A line that begins with `! ` is the reason that a command before this one gave for having no text; it is passed on.

use crate::input::bytes_of;
use isa_spec::codec::{Codec, ParseError, Statement};
use isa_spec::model::{Isa, Piece};
use std::collections::HashMap;
use std::ops::Range;

/// A line that holds an instruction, or a fault.
#[derive(Debug)]
pub(crate) struct Line<'a> {
    /// Its number, from 1.
    pub(crate) number: usize,
    /// All of it.
    pub(crate) whole: &'a str,
    /// The instruction's address.
    pub(crate) address: u64,
    /// The instruction.
    pub(crate) result: Result<Statement, Fault>,
}

/// What is wrong with a line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// Which bytes of the line.
    pub(crate) at: Range<usize>,
    /// The reason.
    pub(crate) message: String,
}

/// A line of the source before it is assembled.
struct Entry<'a> {
    number: usize,
    whole: &'a str,
    /// What stands before the instruction.
    marks: Vec<Mark<'a>>,
    /// The instruction without comments; a comment inside it is blanks, so that columns stay.
    text: String,
    /// Where the instruction begins in the line.
    at: usize,
    fault: Option<Fault>,
}

#[derive(Debug, PartialEq, Eq)]
enum Mark<'a> {
    Label(&'a str, usize),
    Address(u64),
}

/// Reads all lines. Labels may be used before they are defined: the lines are laid out first, and read again with the
/// labels' addresses until those no longer move.
pub(crate) fn assemble<'a>(isa: &Isa, codec: &Codec<'_>, source: &'a str) -> Vec<Line<'a>> {
    let comments = Comments::of(isa);
    let mut entries: Vec<_> = source.lines().enumerate().map(|(i, line)| Entry::new(i + 1, line, &comments)).collect();
    refuse_duplicates(&mut entries);
    let fixed = match isa.words.lengths.as_slice() {
        [] => Some(0),
        [only] => Some(only.bits),
        _ => None,
    };
    let shortest = isa.words.lengths.first().map_or(0, |l| l.bits);
    let mut sizes = vec![fixed.unwrap_or(shortest); entries.len()];
    // Every instruction that depends on a label can move the labels behind it; a few rounds settle real programs.
    let rounds = if fixed.is_some() { 1 } else { 16 };
    let mut lines = Vec::new();
    for _ in 0..rounds {
        let (addresses, labels) = place(&entries, &sizes);
        lines = entries.iter().zip(addresses).filter_map(|(e, address)| e.assemble(codec, address, &labels)).collect();
        let mut moved = false;
        for (entry, line) in entries.iter().zip(entry_lines(&entries, &lines)) {
            let Some(Line { result: Ok(Statement { form, .. }), .. }) = line else { continue };
            let size = &mut sizes[entry.number - 1];
            let needed = isa.form(*form).length;
            moved |= *size != needed;
            *size = needed;
        }
        if !moved {
            return lines;
        }
    }
    if fixed.is_none() {
        for line in &mut lines {
            line.result = Err(Fault { at: 0..line.whole.len(), message: "the addresses of the labels do not settle".into() });
        }
    }
    lines
}

/// The assembled line of every entry that has one.
fn entry_lines<'l, 'a>(entries: &[Entry<'_>], lines: &'l [Line<'a>]) -> Vec<Option<&'l Line<'a>>> {
    let mut lines = lines.iter().peekable();
    entries.iter().map(|e| lines.next_if(|l| l.number == e.number)).collect()
}

/// The address of each entry, and of each label.
fn place<'a>(entries: &[Entry<'a>], sizes: &[u32]) -> (Vec<u64>, HashMap<&'a str, u64>) {
    let mut address: u64 = 0;
    let mut labels = HashMap::new();
    let mut addresses = Vec::with_capacity(entries.len());
    for (entry, size) in entries.iter().zip(sizes) {
        for mark in &entry.marks {
            match mark {
                Mark::Address(a) => address = *a,
                Mark::Label(name, _) => _ = labels.entry(*name).or_insert(address),
            }
        }
        addresses.push(address);
        if entry.is_instruction() {
            address = address.wrapping_add(bytes_of(*size));
        }
    }
    (addresses, labels)
}

fn refuse_duplicates(entries: &mut [Entry<'_>]) {
    let mut seen = HashMap::new();
    for entry in entries {
        for mark in &entry.marks {
            if let Mark::Label(name, at) = mark
                && let first = *seen.entry(*name).or_insert((entry.number, *at))
                && first != (entry.number, *at)
            {
                let first = first.0;
                let message = format!("the label `{name}` stands at line {first} already");
                entry.fault = Some(Fault { at: *at..at + name.len(), message });
            }
        }
    }
}

impl<'a> Entry<'a> {
    fn new(number: usize, whole: &'a str, comments: &Comments) -> Self {
        let mut entry = Self { number, whole, marks: Vec::new(), text: String::new(), at: 0, fault: None };
        // What a command before this one could not do is passed on.
        if let Some(reason) = whole.strip_prefix("! ") {
            entry.text = whole.trim_end().to_owned();
            entry.fault = Some(Fault { at: 0..entry.text.len(), message: reason.trim().to_owned() });
            return entry;
        }
        let clean = comments.strip(whole);
        let mut at = clean.len() - clean.trim_start().len();
        while let Some((mark, after)) = mark(whole, &clean, at) {
            match mark {
                Ok(mark) => entry.marks.push(mark),
                Err(fault) => entry.fault = Some(fault),
            }
            let rest = &clean[after..];
            at = after + rest.len() - rest.trim_start().len();
        }
        entry.text = clean[at..].trim_end().to_owned();
        entry.at = at;
        entry
    }

    fn is_instruction(&self) -> bool {
        !self.text.is_empty()
    }

    /// The instruction's word; `None` for a line without an instruction or a fault.
    fn assemble(&self, codec: &Codec<'_>, address: u64, labels: &HashMap<&str, u64>) -> Option<Line<'a>> {
        let result = match &self.fault {
            Some(fault) => Err(Fault { at: fault.at.clone(), message: fault.message.clone() }),
            None if !self.is_instruction() => return None,
            None => codec
                .parse_statement(&self.text, address, &|name| labels.get(name).copied())
                .map_err(|ParseError { at, message, .. }| Fault { at: self.word_at(at), message }),
        };
        Some(Line { number: self.number, whole: self.whole, address, result })
    }

    /// The word or the character of the line at which the text is at fault.
    fn word_at(&self, at: usize) -> Range<usize> {
        let mut at = at.min(self.text.len());
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        let rest = &self.text[at..];
        let word = rest.find(|c: char| !c.is_alphanumeric() && !"_.".contains(c)).unwrap_or(rest.len());
        let length = word.max(rest.chars().next().map_or(0, char::len_utf8));
        self.at + at..self.at + at + length
    }
}

/// A label or an address at this place of the line, and where it ends.
fn mark<'a>(whole: &'a str, clean: &str, at: usize) -> Option<(Result<Mark<'a>, Fault>, usize)> {
    let rest = &clean[at..];
    let length = rest.find(|c: char| !c.is_alphanumeric() && !"_.$".contains(c))?;
    let first = rest.chars().next().filter(|_| length > 0)?;
    let colon = rest[length..].find(|c: char| !c.is_whitespace()).filter(|n| rest[length + n..].starts_with(':'))?;
    let after = at + length + colon + 1;
    // `a::b` is a name.
    if clean[after..].starts_with(':') {
        return None;
    }
    let name = &whole[at..at + length];
    if !first.is_ascii_digit() {
        return Some((Ok(Mark::Label(name, at)), after));
    }
    let digits = name.strip_prefix("0x").or_else(|| name.strip_prefix("0X")).unwrap_or(name);
    let address = u64::from_str_radix(digits, 16).map(Mark::Address);
    Some((
        address.map_err(|_| Fault { at: at..at + length, message: format!("`{name}` is no hexadecimal address of 64 bits") }),
        after,
    ))
}

/// What begins a comment: a mark that the instruction set's own text uses is none.
pub(crate) struct Comments {
    tails: Vec<&'static str>,
    blocks: bool,
}

impl Comments {
    pub(crate) fn of(isa: &Isa) -> Self {
        let mut own = String::new();
        for form in &isa.forms {
            literals(&form.text, &mut own);
            literals(&form.full, &mut own);
        }
        for e in &isa.enums {
            for v in &e.values {
                own.push_str(&v.text);
                own.push('\n');
            }
        }
        Self { tails: ["#", "//", ";"].into_iter().filter(|m| !own.contains(m)).collect(), blocks: !own.contains("/*") }
    }

    /// The line without comments, blanks in their place.
    pub(crate) fn strip(&self, line: &str) -> String {
        let mut line = line.to_owned();
        while self.blocks
            && let Some(start) = line.find("/*")
            && let Some(length) = line[start..].find("*/")
        {
            let end = start + length + 2;
            line.replace_range(start..end, &" ".repeat(end - start));
        }
        let end = self.tails.iter().filter_map(|m| line.find(m)).min().unwrap_or(line.len());
        line.truncate(end);
        line
    }
}

/// All literal characters of a text.
fn literals(pieces: &[Piece], out: &mut String) {
    for piece in pieces {
        match piece {
            Piece::Literal(text) => {
                out.push_str(text);
                out.push('\n');
            }
            Piece::Field { .. } => {}
            Piece::Group { body, .. } => literals(body, out),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: Comments = Comments { tails: Vec::new(), blocks: true };

    fn marks(line: &str) -> (Vec<Mark<'_>>, String, usize) {
        let entry = Entry::new(1, line, &Comments { tails: vec!["#", "//", ";"], ..ALL });
        assert_eq!(entry.fault, None);
        (entry.marks, entry.text, entry.at)
    }

    #[test]
    fn labels_and_addresses() {
        assert_eq!(marks("  NOP ; x"), (vec![], "NOP".into(), 2));
        assert_eq!(marks("loop: NOP"), (vec![Mark::Label("loop", 0)], "NOP".into(), 6));
        assert_eq!(marks("add:"), (vec![Mark::Label("add", 0)], "".into(), 4));
        assert_eq!(marks("0x10: .L_1 : NOP"), (vec![Mark::Address(16), Mark::Label(".L_1", 6)], "NOP".into(), 13));
        assert_eq!(marks("0a5b0: NOP // y"), (vec![Mark::Address(0xa5b0)], "NOP".into(), 7));
        assert_eq!(marks("a::b c"), (vec![], "a::b c".into(), 0));
        assert_eq!(marks("NOP [B0-----:R-:W2]"), (vec![], "NOP [B0-----:R-:W2]".into(), 0));
        assert_eq!(marks("/*0010*/ NOP ; /* 0x1 */"), (vec![], "NOP".into(), 9));
    }

    #[test]
    fn failures_are_passed_on() {
        let entry = Entry::new(1, "! not this; not that", &ALL);
        assert_eq!(entry.fault, Some(Fault { at: 0..20, message: "not this; not that".into() }));
    }

    #[test]
    fn an_address_is_hexadecimal() {
        let entry = Entry::new(1, "12345678901234567: NOP", &ALL);
        let message = "`12345678901234567` is no hexadecimal address of 64 bits".to_owned();
        assert_eq!(entry.fault, Some(Fault { at: 0..17, message }));
    }
}
