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

use crate::input::{Input, Lines, bytes_of};
use crate::output::Stop;
use isa_spec::codec::{Codec, ParseError, Statement};
use isa_spec::model::{Isa, Piece};
use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::ops::Range;

/// How much memory lines may take that wait for labels which are defined behind them, and how much labels may take, in bytes.
const MOST_WAITING: usize = 128 << 20;
/// What a line or a label takes besides its text.
const OVERHEAD: usize = 200;
/// How often a part of a program is laid out before it is given up that its labels settle.
const ROUNDS: usize = 16;
/// A longer text is no instruction, in bytes.
const LONGEST_TEXT: usize = 16 << 10;

/// A line that holds an instruction, or a fault.
#[derive(Debug)]
pub(crate) struct Line {
    /// Its number, from 1.
    pub(crate) number: usize,
    /// All of it, if there is a fault.
    pub(crate) whole: String,
    /// The instruction's address.
    pub(crate) address: u64,
    /// The instruction.
    pub(crate) result: Result<Statement, Fault>,
}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// Which bytes of the line.
    pub(crate) at: Range<usize>,
    /// The reason.
    pub(crate) message: String,
}

/// A line of the source before it is assembled.
#[derive(Debug)]
struct Entry {
    number: usize,
    whole: String,
    /// What stands before the instruction.
    marks: Vec<Mark>,
    /// The instruction without comments; a comment inside it is blanks, so that columns stay.
    text: String,
    /// Where the instruction begins in the line.
    at: usize,
    fault: Option<Fault>,
    address: u64,
    /// Bits of the instruction, as far as known.
    size: u32,
    /// The labels that it waits for.
    waits_for: Vec<String>,
}

#[derive(Debug, PartialEq, Eq)]
enum Mark {
    Label(String, usize),
    Address(u64),
}

/// Where a label stands.
#[derive(Clone, Copy, Debug)]
struct Label {
    address: u64,
    line: usize,
}

/// A line that has been read.
#[derive(Debug)]
enum Slot {
    /// It can be given out when those before it have been.
    Done(Line),
    Waiting(Box<Entry>),
    /// There was no instruction.
    Empty,
}

impl Slot {
    /// The memory that it takes.
    fn cost(&self) -> usize {
        match self {
            Self::Done(line) => OVERHEAD + line.whole.len(),
            Self::Waiting(entry) => {
                let names = entry.waits_for.iter().map(|name| name.len() + OVERHEAD);
                entry.whole.len() + entry.text.len() + OVERHEAD * (2 + entry.marks.len()) + names.sum::<usize>()
            }
            Self::Empty => OVERHEAD,
        }
    }
}

/// Assembles lines as they are read. A line that uses a label behind it waits for the label, and the lines behind it wait with it; where
/// words have several lengths they also wait for their own addresses, and are laid out together until those no longer move.
pub(crate) struct Assembler<'a> {
    isa: &'a Isa,
    codec: &'a Codec<'a>,
    comments: Comments,
    lines: Lines,
    /// Bits of every instruction, if all have the same.
    fixed: Option<u32>,
    shortest: u32,
    /// Where the next instruction stands.
    address: u64,
    labels: HashMap<String, Label>,
    /// Bytes that the labels take.
    labels_cost: usize,
    queue: VecDeque<Slot>,
    /// How many lines have left the queue.
    gone: usize,
    /// How many lines of the queue wait.
    waiting: usize,
    /// The memory that the queue takes.
    held: usize,
    /// Labels that are not defined yet, each with the lines that wait for it, counted from the first.
    wanted: HashMap<String, Vec<usize>>,
    /// Where the first line stands that waits.
    base: u64,
}

impl<'a> Assembler<'a> {
    /// Assembles the lines of an input.
    pub(crate) fn new(isa: &'a Isa, codec: &'a Codec<'a>, input: Input) -> Self {
        let fixed = match isa.words.lengths.as_slice() {
            [] => Some(0),
            [only] => Some(only.bits),
            _ => None,
        };
        Self {
            isa,
            codec,
            comments: Comments::of(isa),
            lines: input.lines("text is"),
            fixed,
            shortest: isa.words.lengths.first().map_or(0, |l| l.bits),
            address: 0,
            labels: HashMap::new(),
            labels_cost: 0,
            queue: VecDeque::new(),
            gone: 0,
            waiting: 0,
            held: 0,
            wanted: HashMap::new(),
            base: 0,
        }
    }

    /// The name of the input in messages.
    pub(crate) fn name(&self) -> &str {
        &self.lines.name
    }

    /// Whether the next line may have to wait for the writer of the input.
    pub(crate) fn may_wait(&self) -> bool {
        !matches!(self.queue.front(), Some(Slot::Done(_))) && self.lines.may_wait()
    }

    /// The next line that holds an instruction or a fault, in the order of the input.
    pub(crate) fn next(&mut self) -> Result<Option<Line>, Stop> {
        loop {
            while !matches!(self.queue.front(), Some(Slot::Waiting(_)))
                && let Some(slot) = self.queue.pop_front()
            {
                self.gone += 1;
                self.held -= slot.cost();
                if let Slot::Done(line) = slot {
                    return Ok(Some(line));
                }
            }
            match self.lines.next()? {
                Some((number, line)) => {
                    let entry = Entry::new(number, line, &self.comments);
                    self.take(entry)?;
                }
                None if self.queue.is_empty() => return Ok(None),
                None => self.settle(true),
            }
        }
    }

    fn push(&mut self, slot: Slot) {
        self.held += slot.cost();
        self.waiting += usize::from(matches!(slot, Slot::Waiting(_)));
        self.queue.push_back(slot);
    }

    /// Puts something else in the place of a line that waits.
    fn finish(&mut self, index: usize, slot: Slot) {
        if let Some(place) = self.queue.get_mut(index) {
            self.held += slot.cost();
            let before = std::mem::replace(place, slot);
            self.held -= before.cost();
            self.waiting -= 1;
        }
    }

    /// Lays out a line behind those before it, and assembles it if all that it needs is known.
    fn take(&mut self, mut entry: Entry) -> Result<(), Stop> {
        let before = self.address;
        let defined = self.define(&mut entry)?;
        entry.address = self.address;
        entry.size = self.fixed.unwrap_or(self.shortest);
        let is_tentative = self.fixed.is_none() && self.waiting > 0;
        let (line, unknown) = entry.assemble(self.codec, &self.labels);
        if let (None, Some(Line { result: Ok(statement), .. })) = (self.fixed, &line) {
            entry.size = self.isa.form(statement.form).length;
        }
        if entry.is_instruction() {
            self.address = self.address.wrapping_add(bytes_of(entry.size));
        }
        match line {
            None if !is_tentative => {}
            Some(line) if !is_tentative && (line.result.is_ok() || unknown.is_empty()) => self.push(Slot::Done(line)),
            line => {
                if self.waiting == 0 {
                    self.base = before;
                }
                self.push(Slot::Waiting(Box::new(entry)));
                if line.is_some_and(|line| line.result.is_err()) {
                    self.wait(self.gone + self.queue.len() - 1, unknown);
                }
            }
        }
        let is_full = self.held > MOST_WAITING;
        if self.fixed.is_some() {
            defined.iter().for_each(|label| self.wake(label));
            if is_full {
                self.give_up();
            }
        } else if self.waiting > 0 {
            for label in &defined {
                self.wanted.remove(label);
            }
            if self.wanted.is_empty() || is_full {
                self.settle(is_full);
            }
        }
        Ok(())
    }

    /// Takes note of what stands before an instruction; gives the labels that are new.
    fn define(&mut self, entry: &mut Entry) -> Result<Vec<String>, Stop> {
        let mut defined = Vec::new();
        for mark in &entry.marks {
            match mark {
                Mark::Address(address) => self.address = *address,
                Mark::Label(name, at) => match self.labels.get(name) {
                    Some(first) => {
                        let message = format!("the label `{name}` stands at line {} already", first.line);
                        entry.fault = Some(Fault { at: *at..at + name.len(), message });
                    }
                    None => {
                        self.labels_cost += name.len() + OVERHEAD;
                        if self.labels_cost > MOST_WAITING {
                            let (file, line, labels) = (self.name(), entry.number, self.labels.len());
                            return Err(Stop::new(format!("{file}:{line}: more than {labels} labels, which is the most")));
                        }
                        self.labels.insert(name.clone(), Label { address: self.address, line: entry.number });
                        defined.push(name.clone());
                    }
                },
            }
        }
        Ok(defined)
    }

    /// Has a line wait for labels that it does not wait for yet.
    fn wait(&mut self, number: usize, unknown: Vec<String>) {
        let Some(Slot::Waiting(entry)) = self.queue.get_mut(number - self.gone) else { return };
        for name in unknown {
            if !entry.waits_for.contains(&name) {
                self.held += name.len() + OVERHEAD;
                self.wanted.entry(name.clone()).or_default().push(number);
                entry.waits_for.push(name);
            }
        }
    }

    /// Assembles the lines that waited for a label.
    fn wake(&mut self, label: &str) {
        for number in self.wanted.remove(label).unwrap_or_default() {
            let Some(index) = number.checked_sub(self.gone) else { continue };
            let Some(Slot::Waiting(entry)) = self.queue.get(index) else { continue };
            match entry.assemble(self.codec, &self.labels) {
                (Some(Line { result: Err(_), .. }), unknown) if !unknown.is_empty() => self.wait(number, unknown),
                (Some(line), _) => self.finish(index, Slot::Done(line)),
                (None, _) => {}
            }
        }
    }

    /// The first line of the queue has waited for too long.
    fn give_up(&mut self) {
        let Some(Slot::Waiting(entry)) = self.queue.front() else { return };
        let (line, _) = entry.assemble(self.codec, &self.labels);
        let Some(mut line) = line else { return };
        if let Err(fault) = &mut line.result {
            fault.message.push_str(", and too many lines wait for labels");
        }
        for name in entry.waits_for.clone() {
            if let Some(waiting) = self.wanted.get_mut(&name) {
                waiting.retain(|number| *number != self.gone);
            }
        }
        self.finish(0, Slot::Done(line));
    }

    /// Assembles the lines that wait, all labels of theirs being defined; `is_last`: as well as it can be done.
    fn settle(&mut self, is_last: bool) {
        if self.waiting == 0 {
            return;
        }
        let indices: Vec<usize> = (0..self.queue.len()).filter(|index| matches!(self.queue[*index], Slot::Waiting(_))).collect();
        let mut lines = Vec::new();
        let mut is_settled = false;
        // Every instruction that depends on a label can move the labels behind it; a few rounds settle real programs.
        for _ in 0..if self.fixed.is_some() { 1 } else { ROUNDS } {
            if self.fixed.is_none() {
                self.place(&indices);
            }
            lines.clear();
            let mut unknown = Vec::new();
            is_settled = true;
            for &index in &indices {
                let Slot::Waiting(entry) = &mut self.queue[index] else { continue };
                let (line, names) = entry.assemble(self.codec, &self.labels);
                match &line {
                    Some(Line { result: Ok(statement), .. }) if self.fixed.is_none() => {
                        let needed = self.isa.form(statement.form).length;
                        is_settled &= entry.size == needed;
                        entry.size = needed;
                    }
                    Some(Line { result: Err(_), .. }) if !names.is_empty() => unknown.push((index + self.gone, names)),
                    _ => {}
                }
                lines.push(line);
            }
            if !is_last && !unknown.is_empty() {
                unknown.into_iter().for_each(|(number, names)| self.wait(number, names));
                if !self.wanted.is_empty() {
                    return;
                }
            }
            if is_settled {
                break;
            }
        }
        let is_settled = is_settled || self.fixed.is_some();
        for (index, line) in indices.into_iter().zip(lines) {
            let Some(mut line) = line else {
                self.finish(index, Slot::Empty);
                continue;
            };
            if !is_settled {
                if let Slot::Waiting(entry) = &self.queue[index] {
                    line.whole.clone_from(&entry.whole);
                }
                let message = "the addresses of the labels do not settle".to_owned();
                line.result = Err(Fault { at: 0..line.whole.len(), message });
            }
            self.finish(index, Slot::Done(line));
        }
        self.wanted.clear();
    }

    /// Gives the lines that wait, and their labels, the addresses that their sizes make.
    fn place(&mut self, waiting: &[usize]) {
        self.address = self.base;
        for &index in waiting {
            let Slot::Waiting(entry) = &mut self.queue[index] else { continue };
            for mark in &entry.marks {
                match mark {
                    Mark::Address(address) => self.address = *address,
                    Mark::Label(name, _) => {
                        if let Some(label) = self.labels.get_mut(name).filter(|label| label.line == entry.number) {
                            label.address = self.address;
                        }
                    }
                }
            }
            entry.address = self.address;
            if entry.is_instruction() {
                self.address = self.address.wrapping_add(bytes_of(entry.size));
            }
        }
    }
}

impl Entry {
    fn new(number: usize, whole: &str, comments: &Comments) -> Self {
        let mut entry = Self {
            number,
            whole: whole.to_owned(),
            marks: Vec::new(),
            text: String::new(),
            at: 0,
            fault: None,
            address: 0,
            size: 0,
            waits_for: Vec::new(),
        };
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
        let text = clean[at..].trim_end();
        if text.len() > LONGEST_TEXT && entry.fault.is_none() {
            let message = format!("no instruction is longer than {LONGEST_TEXT} bytes");
            entry.fault = Some(Fault { at: at..at + text.len(), message });
        }
        entry.text = text.to_owned();
        entry.at = at;
        entry
    }

    fn is_instruction(&self) -> bool {
        !self.text.is_empty()
    }

    /// The instruction's word, `None` for a line without an instruction or a fault; and the names that it looked for among the labels
    /// in vain.
    fn assemble(&self, codec: &Codec<'_>, labels: &HashMap<String, Label>) -> (Option<Line>, Vec<String>) {
        let unknown = RefCell::new(Vec::new());
        let result = match &self.fault {
            Some(fault) => Err(fault.clone()),
            None if !self.is_instruction() => return (None, Vec::new()),
            None => {
                let label = |name: &str| {
                    let label = labels.get(name);
                    // A number or nothing is no label that may come.
                    if label.is_none() && is_name(name) && !unknown.borrow().iter().any(|known| known == name) {
                        unknown.borrow_mut().push(name.to_owned());
                    }
                    label.map(|label| label.address)
                };
                codec
                    .parse_statement(&self.text, self.address, &label)
                    .map_err(|ParseError { at, message, .. }| Fault { at: self.word_at(at), message })
            }
        };
        let whole = if result.is_err() { self.whole.clone() } else { String::new() };
        (Some(Line { number: self.number, whole, address: self.address, result }), unknown.into_inner())
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

/// Whether a label can have this name.
fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| !c.is_ascii_digit())
}

/// A label or an address at this place of the line, and where it ends.
fn mark(whole: &str, clean: &str, at: usize) -> Option<(Result<Mark, Fault>, usize)> {
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
        return Some((Ok(Mark::Label(name.to_owned(), at)), after));
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
        let mut clean = String::with_capacity(line.len());
        let mut rest = line;
        while self.blocks
            && let Some(start) = rest.find("/*")
            && let Some(length) = rest[start..].find("*/")
        {
            let end = start + length + 2;
            clean.push_str(&rest[..start]);
            clean.extend(std::iter::repeat_n(' ', end - start));
            rest = &rest[end..];
        }
        clean.push_str(rest);
        let end = self.tails.iter().filter_map(|m| clean.find(m)).min().unwrap_or(clean.len());
        clean.truncate(end);
        clean
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
            Piece::Field { .. } | Piece::OneOf(_) => {}
            Piece::Group { body, .. } => literals(body, out),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: Comments = Comments { tails: Vec::new(), blocks: true };

    fn label(name: &str, at: usize) -> Mark {
        Mark::Label(name.to_owned(), at)
    }

    fn marks(line: &str) -> (Vec<Mark>, String, usize) {
        let entry = Entry::new(1, line, &Comments { tails: vec!["#", "//", ";"], ..ALL });
        assert_eq!(entry.fault, None);
        (entry.marks, entry.text, entry.at)
    }

    #[test]
    fn labels_and_addresses() {
        assert_eq!(marks("  NOP ; x"), (vec![], "NOP".into(), 2));
        assert_eq!(marks("loop: NOP"), (vec![label("loop", 0)], "NOP".into(), 6));
        assert_eq!(marks("add:"), (vec![label("add", 0)], "".into(), 4));
        assert_eq!(marks("0x10: .L_1 : NOP"), (vec![Mark::Address(16), label(".L_1", 6)], "NOP".into(), 13));
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
