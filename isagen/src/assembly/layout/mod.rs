//! Addresses of lines as they are read.

mod waiting;

use super::entry::{Entry, Slot};
use super::labels::{Label, Labels};
use super::read::{Scope, assemble};
use super::{Line, OVERHEAD, fixed};
use crate::input::bytes_of;
use crate::output::Stop;
use crate::placed::{Placed, Run};
use crate::source::{Comments, LineFault, Mark, Scanner, Source};
use isa_engine::Codec;
use std::collections::{HashMap, VecDeque};

/// How much memory lines may take that wait for labels which are defined behind them, and how much labels may take, in bytes.
const MOST_WAITING: usize = 128 << 20;

/// What the lines so far have come to. A line that uses a label behind it waits for the label, and the lines behind it wait with it;
/// where words have several lengths they also wait for their own addresses, and are laid out together until those no longer move.
pub(crate) struct Layout<'c> {
    codec: Box<dyn Codec + 'c>,
    scanner: Scanner,
    /// The name of the input in messages.
    name: String,
    /// Bits of every instruction, if all have the same.
    fixed: Option<u32>,
    shortest: u32,
    /// Where the next instruction stands.
    address: u64,
    labels: Labels,
    /// Where the instructions stand that have been assembled.
    placed: Placed,
    /// How many statements have been read.
    position: usize,
    /// The first line with a local label.
    first_local: Option<usize>,
    /// The first line with an address without `0x`, which a program with local labels can't have.
    first_bare: Option<usize>,
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

impl<'c> Layout<'c> {
    /// No lines; `name` is that of the input in messages.
    pub(crate) fn new(codec: Box<dyn Codec + 'c>, name: &str) -> Self {
        Self {
            scanner: Scanner::new(Comments::new(&codec.assembly())),
            name: name.to_owned(),
            fixed: fixed(&*codec),
            shortest: codec.shape().lengths.first().copied().unwrap_or(0),
            codec,
            address: 0,
            labels: Labels::default(),
            placed: Placed::default(),
            position: 0,
            first_local: None,
            first_bare: None,
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

    /// Goes on at another address behind instructions that have been assembled without this; false if some of them can't be there.
    pub(crate) fn go_on_behind(&mut self, runs: &[Run], address: u64) -> bool {
        let is_free = self.placed.add_all(runs);
        if is_free {
            self.address = address;
        }
        is_free
    }

    /// The next line that is done.
    pub(crate) fn pop(&mut self) -> Option<Line> {
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

    fn push(&mut self, slot: Slot) {
        self.held += slot.cost();
        self.waiting += usize::from(matches!(slot, Slot::Waiting(_)));
        self.queue.push_back(slot);
    }

    /// Puts what it has come to in the place of a line that waits.
    fn finish_line(&mut self, index: usize, line: Line) {
        let Some(Slot::Waiting(entry)) = self.queue.get(index) else { return };
        let whole = entry.whole.clone();
        let line = self.placed(line, &whole);
        self.finish_slot(index, Slot::Done(line));
    }

    /// Puts something else in the place of a line that waits.
    fn finish_slot(&mut self, index: usize, slot: Slot) {
        if let Some(place) = self.queue.get_mut(index) {
            self.held += slot.cost();
            let before = std::mem::replace(place, slot);
            self.held -= before.cost();
            self.waiting -= 1;
        }
    }

    /// Lays out a line behind those before it, and assembles it if all that it needs is known. Where it has one statement and none
    /// before it waits, that is given; else [`Layout::pop`] gives what is done.
    pub(crate) fn take(&mut self, number: usize, line: &str) -> Result<Option<Line>, Stop> {
        let mut scanner = std::mem::take(&mut self.scanner);
        let mut statements = scanner.statements(number, line);
        let mut result = Ok(None);
        let mut next = statements.next();
        let mut is_alone = true;
        while let Some(source) = next {
            next = statements.next();
            is_alone &= next.is_none();
            result = self.statement(number, source, is_alone);
            if result.is_err() {
                break;
            }
        }
        self.scanner = scanner;
        result
    }

    /// The same for a statement; `is_alone`: it is the only one of its line.
    fn statement(&mut self, number: usize, mut source: Source<'_>, is_alone: bool) -> Result<Option<Line>, Stop> {
        let line = source.whole;
        self.position += 1;
        let before = self.address;
        let defined = self.define(number, &mut source)?;
        let address = self.address;
        let mut size = self.fixed.unwrap_or(self.shortest);
        let is_tentative = self.fixed.is_none() && self.waiting > 0;
        let mut unknown = Vec::new();
        let result = match &source.fault {
            Some(fault) => Some(Err(fault.clone())),
            None if source.text().is_empty() => None,
            None => {
                let scope = Scope { labels: &self.labels, position: self.position, address };
                Some(assemble(&mut *self.codec, source.text(), source.at(), scope, &mut unknown))
            }
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
                let line = self.placed(Line { number, whole, address, result }, line);
                if self.queue.is_empty() && is_alone {
                    return Ok(Some(line));
                }
                self.push(Slot::Done(line));
            }
            result => {
                if self.waiting == 0 {
                    self.base = before;
                }
                self.push(Slot::Waiting(Box::new(Entry::new(number, source, self.position, address, size))));
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

    /// A line that has been assembled, or says that its instruction can't be where it is.
    fn placed(&mut self, line: Line, whole: &str) -> Line {
        let Ok(statement) = &line.result else { return line };
        // In a text-only instruction set, instructions have no addresses of their own.
        let bytes = if self.codec.is_text() { 0 } else { bytes_of(self.codec.length(statement.form)) };
        match self.placed.add(Run::one(line.address, bytes, line.number)) {
            Ok(()) => line,
            Err(message) => {
                let at = whole.len() - whole.trim_start().len()..whole.trim_end().len();
                Line { whole: whole.to_owned(), result: Err(LineFault { at, message }), ..line }
            }
        }
    }

    /// Takes note of what stands before an instruction; gives the labels that are new.
    fn define(&mut self, number: usize, source: &mut Source<'_>) -> Result<Vec<String>, Stop> {
        let mut defined = Vec::new();
        if let Some(at) = source.bare.clone() {
            self.first_bare.get_or_insert(number);
            source.fault = self.mixed(&source.whole[at.clone()]).map(|message| LineFault { at, message });
        }
        for mark in &mut source.marks {
            let (name, at) = match mark {
                Mark::Address(address) => {
                    self.address = *address;
                    continue;
                }
                Mark::Label(name, at) => (name.clone(), *at..*at + name.len()),
                Mark::Local(digits, at) => {
                    let at = *at..*at + digits.len();
                    self.first_local.get_or_insert(number);
                    if let Some(message) = self.mixed(digits) {
                        source.fault = Some(LineFault { at: at.clone(), message });
                    }
                    (self.labels.define_local(digits, self.position), at)
                }
            };
            if let Some(first) = self.labels.known.get(&name) {
                let message = format!("the label `{name}` is already defined at line {}", first.line);
                source.fault = Some(LineFault { at, message });
                continue;
            }
            self.labels.cost += name.len() + OVERHEAD;
            if self.labels.cost > MOST_WAITING {
                let (file, labels) = (&self.name, self.labels.known.len());
                return Err(Stop::new(format!("{file}:{number}: more than {labels} labels, the maximum")));
            }
            self.labels.known.insert(name.clone(), Label { address: self.address, line: number });
            *mark = Mark::Label(name.clone(), at.start);
            defined.push(name);
        }
        Ok(defined)
    }

    /// What is wrong with a number before `:` where a program has both local labels and addresses without `0x`.
    fn mixed(&self, name: &str) -> Option<String> {
        let (local, bare) = (self.first_local?, self.first_bare?);
        Some(match local > bare {
            true => format!(
                "`{name}:` is a local label, and line {bare} has an address without `0x`: write `0x{name}:` for an address"
            ),
            false => format!("`{name}:` is an address without `0x`, and line {local} has a local label: write `0x{name}:`"),
        })
    }
}
