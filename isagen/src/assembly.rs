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

use crate::codec::{Codec, ReadError, Statement};
use crate::input::{Input, bytes_of};
use crate::lines::Lines;
use crate::output::Stop;
use crate::source::{Comments, LineFault, Mark, Source, is_name};
use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::ops::Range;

/// How much memory lines may take that wait for labels which are defined behind them, and how much labels may take, in bytes.
const MOST_WAITING: usize = 128 << 20;
/// What a line or a label takes besides its text.
const OVERHEAD: usize = 200;
/// How often a part of a program is laid out before it is given up that its labels settle.
const ROUNDS: usize = 16;

/// A line that holds an instruction, or a fault.
#[derive(Debug)]
pub(crate) struct Line<W> {
    /// Its number, from 1.
    pub(crate) number: usize,
    /// All of it, if there is a fault.
    pub(crate) whole: String,
    /// The instruction's address.
    pub(crate) address: u64,
    /// The instruction.
    pub(crate) result: Result<Statement<W>, LineFault>,
}

/// A line that is not assembled yet.
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
    fault: Option<LineFault>,
    address: u64,
    /// Bits of the instruction, as far as known.
    size: u32,
    /// The labels that it waits for.
    waits_for: Vec<String>,
}

/// Where a label stands.
#[derive(Clone, Copy, Debug)]
struct Label {
    address: u64,
    line: usize,
}

/// A line that has been read.
#[derive(Debug)]
enum Slot<W> {
    /// It can be given out when those before it have been.
    Done(Line<W>),
    Waiting(Box<Entry>),
    /// There was no instruction.
    Empty,
}

impl<W> Slot<W> {
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

/// Assembles lines as they are read, one after the other.
pub(crate) struct Assembler<C: Codec> {
    lines: Lines,
    layout: Layout<C>,
}

impl<C: Codec> Assembler<C> {
    /// Assembles the lines of an input.
    pub(crate) fn new(codec: C, input: Input) -> Self {
        let lines = input.lines("text is");
        Self { layout: Layout::new(codec, &lines.name), lines }
    }

    /// The name of the input in messages.
    pub(crate) fn name(&self) -> &str {
        &self.lines.name
    }

    /// The next line that holds an instruction or a fault, in the order of the input.
    pub(crate) fn next(&mut self) -> Result<Option<Line<C::Word>>, Stop> {
        let Self { lines, layout } = self;
        loop {
            if let Some(line) = layout.pop() {
                return Ok(Some(line));
            }
            match lines.next()? {
                Some((number, line)) => {
                    if let Some(line) = layout.take(number, line)? {
                        return Ok(Some(line));
                    }
                }
                None if layout.is_done() => return Ok(None),
                None => layout.settle(true),
            }
        }
    }
}

/// What the lines so far have come to. A line that uses a label behind it waits for the label, and the lines behind it wait with it;
/// where words have several lengths they also wait for their own addresses, and are laid out together until those no longer move.
pub(crate) struct Layout<C: Codec> {
    codec: C,
    comments: Comments,
    /// The name of the input in messages.
    name: String,
    /// Bits of every instruction, if all have the same.
    fixed: Option<u32>,
    shortest: u32,
    /// Where the next instruction stands.
    address: u64,
    labels: HashMap<String, Label>,
    /// Bytes that the labels take.
    labels_cost: usize,
    queue: VecDeque<Slot<C::Word>>,
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

impl<C: Codec> Layout<C> {
    /// No lines; `name` is that of the input in messages.
    pub(crate) fn new(codec: C, name: &str) -> Self {
        Self {
            comments: Comments::new(&codec.literals()),
            name: name.to_owned(),
            fixed: fixed(&codec),
            shortest: codec.shape().lengths.first().copied().unwrap_or(0),
            codec,
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

    /// Whether no line waits or is still to be given out.
    pub(crate) fn is_done(&self) -> bool {
        self.queue.is_empty()
    }

    /// Goes on at another address: what stands before it has been assembled without this.
    pub(crate) fn go_on_at(&mut self, address: u64) {
        self.address = address;
    }

    /// The next line that is done.
    pub(crate) fn pop(&mut self) -> Option<Line<C::Word>> {
        while !matches!(self.queue.front(), Some(Slot::Waiting(_)))
            && let Some(slot) = self.queue.pop_front()
        {
            self.gone += 1;
            self.held -= slot.cost();
            if let Slot::Done(line) = slot {
                return Some(line);
            }
        }
        None
    }

    fn push(&mut self, slot: Slot<C::Word>) {
        self.held += slot.cost();
        self.waiting += usize::from(matches!(slot, Slot::Waiting(_)));
        self.queue.push_back(slot);
    }

    /// Puts something else in the place of a line that waits.
    fn finish(&mut self, index: usize, slot: Slot<C::Word>) {
        if let Some(place) = self.queue.get_mut(index) {
            self.held += slot.cost();
            let before = std::mem::replace(place, slot);
            self.held -= before.cost();
            self.waiting -= 1;
        }
    }

    /// Lays out a line behind those before it, and assembles it if all that it needs is known; gives it if none before it waits.
    pub(crate) fn take(&mut self, number: usize, line: &str) -> Result<Option<Line<C::Word>>, Stop> {
        let mut source = Source::new(line, &self.comments);
        let before = self.address;
        let defined = self.define(number, &mut source)?;
        let address = self.address;
        let mut size = self.fixed.unwrap_or(self.shortest);
        let is_tentative = self.fixed.is_none() && self.waiting > 0;
        let mut unknown = Vec::new();
        let result = match &source.fault {
            Some(fault) => Some(Err(fault.clone())),
            None if source.text().is_empty() => None,
            None => Some(assemble(&mut self.codec, source.text(), source.at(), address, &self.labels, &mut unknown)),
        };
        if let (None, Some(Ok(statement))) = (self.fixed, &result) {
            size = self.codec.length(statement.form);
        }
        if !source.text().is_empty() {
            self.address = self.address.wrapping_add(bytes_of(size));
        }
        match result {
            None if !is_tentative => {}
            Some(result) if !is_tentative && (result.is_ok() || unknown.is_empty()) => {
                let whole = if result.is_err() { line.to_owned() } else { String::new() };
                let line = Line { number, whole, address, result };
                if self.queue.is_empty() {
                    return Ok(Some(line));
                }
                self.push(Slot::Done(line));
            }
            result => {
                if self.waiting == 0 {
                    self.base = before;
                }
                self.push(Slot::Waiting(Box::new(Entry::new(number, source, address, size))));
                if result.is_some_and(|result| result.is_err()) {
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
        Ok(None)
    }

    /// Takes note of what stands before an instruction; gives the labels that are new.
    fn define(&mut self, number: usize, source: &mut Source<'_>) -> Result<Vec<String>, Stop> {
        let mut defined = Vec::new();
        for mark in &source.marks {
            match mark {
                Mark::Address(address) => self.address = *address,
                Mark::Label(name, at) => match self.labels.get(name) {
                    Some(first) => {
                        let message = format!("the label `{name}` is already defined at line {}", first.line);
                        source.fault = Some(LineFault { at: *at..at + name.len(), message });
                    }
                    None => {
                        self.labels_cost += name.len() + OVERHEAD;
                        if self.labels_cost > MOST_WAITING {
                            let (file, labels) = (&self.name, self.labels.len());
                            return Err(Stop::new(format!("{file}:{number}: more than {labels} labels, the maximum")));
                        }
                        self.labels.insert(name.clone(), Label { address: self.address, line: number });
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
            match entry.assemble(&mut self.codec, &self.labels) {
                (Some(Line { result: Err(_), .. }), unknown) if !unknown.is_empty() => self.wait(number, unknown),
                (Some(line), _) => self.finish(index, Slot::Done(line)),
                (None, _) => {}
            }
        }
    }

    /// The first line of the queue has waited for too long.
    fn give_up(&mut self) {
        let Some(Slot::Waiting(entry)) = self.queue.front() else { return };
        let (line, _) = entry.assemble(&mut self.codec, &self.labels);
        let Some(mut line) = line else { return };
        if let Err(fault) = &mut line.result {
            fault.message.push_str(", and too many lines refer to labels that are not defined yet");
        }
        for name in entry.waits_for.clone() {
            if let Some(waiting) = self.wanted.get_mut(&name) {
                waiting.retain(|number| *number != self.gone);
            }
        }
        self.finish(0, Slot::Done(line));
    }

    /// Assembles the lines that wait, all labels of theirs being defined; `is_last`: as well as it can be done.
    pub(crate) fn settle(&mut self, is_last: bool) {
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
                let (line, names) = entry.assemble(&mut self.codec, &self.labels);
                match &line {
                    Some(Line { result: Ok(statement), .. }) if self.fixed.is_none() => {
                        let needed = self.codec.length(statement.form);
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
                let message = "the addresses of the labels do not converge".to_owned();
                line.result = Err(LineFault { at: 0..line.whole.len(), message });
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
    fn new(number: usize, source: Source<'_>, address: u64, size: u32) -> Self {
        Self {
            number,
            whole: source.whole.to_owned(),
            text: source.text().to_owned(),
            at: source.at(),
            marks: source.marks,
            fault: source.fault,
            address,
            size,
            waits_for: Vec::new(),
        }
    }

    fn is_instruction(&self) -> bool {
        !self.text.is_empty()
    }

    /// The instruction's word, `None` for a line without an instruction or a fault; and the names that it looked for among the labels
    /// in vain.
    fn assemble<C: Codec>(&self, codec: &mut C, labels: &HashMap<String, Label>) -> (Option<Line<C::Word>>, Vec<String>) {
        let mut unknown = Vec::new();
        let result = match &self.fault {
            Some(fault) => Err(fault.clone()),
            None if !self.is_instruction() => return (None, unknown),
            None => assemble(codec, &self.text, self.at, self.address, labels, &mut unknown),
        };
        let whole = if result.is_err() { self.whole.clone() } else { String::new() };
        (Some(Line { number: self.number, whole, address: self.address, result }), unknown)
    }
}

/// Bits of every instruction, if all have the same.
pub(crate) fn fixed<C: Codec>(codec: &C) -> Option<u32> {
    match *codec.shape().lengths {
        [] => Some(0),
        [only] => Some(only),
        _ => None,
    }
}

/// The instruction of a text, which begins at byte `at` of its line, and the names that it looked for among the labels in vain.
fn assemble<C: Codec>(
    codec: &mut C,
    text: &str,
    at: usize,
    address: u64,
    labels: &HashMap<String, Label>,
    unknown: &mut Vec<String>,
) -> Result<Statement<C::Word>, LineFault> {
    let unknown = RefCell::new(unknown);
    let label = |name: &str| {
        let label = labels.get(name);
        // A number or nothing is not a label that may come.
        if label.is_none() && is_name(name) && !unknown.borrow().iter().any(|known| known == name) {
            unknown.borrow_mut().push(name.to_owned());
        }
        label.map(|label| label.address)
    };
    codec.read(text, address, &label).map_err(|ReadError { at: error, message }| {
        let word = word_at(text, error);
        LineFault { at: at + word.start..at + word.end, message }
    })
}

/// The word or the character at which a text is at fault.
pub(crate) fn word_at(text: &str, at: usize) -> Range<usize> {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let rest = &text[at..];
    let word = rest.find(|c: char| !c.is_alphanumeric() && !"_.".contains(c)).unwrap_or(rest.len());
    at..at + word.max(rest.chars().next().map_or(0, char::len_utf8))
}
