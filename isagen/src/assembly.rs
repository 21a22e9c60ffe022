//! Instructions from text, with labels, comments and addresses.
//!
//! ```text
//! # a comment, also // and ; (unless the specification says otherwise, or its texts have these characters), and /* */
//! 0x100:                      what follows stands at this address
//! loop: IADD3 R1, R1, 0x1, RZ
//! 1:    @P0 BRA loop
//!       @P1 BRA 1b            the last local label 1 before here; 1f is the next one
//! ```
//!
//! A line that begins with `! ` is the reason that a command before this one gave for having no text; it is passed on.

use crate::input::{Input, bytes_of};
use crate::lines::Lines;
use crate::output::Stop;
use crate::placed::{Placed, Run};
use crate::source::{Comments, LineFault, Mark, Scanner, Source, is_name};
use isa_engine::{Codec, ReadError, Statement};
use isa_runtime::engine::read::is_local;
use std::borrow::Cow;
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
pub(crate) struct Line {
    /// Its number, from 1.
    pub(crate) number: usize,
    /// All of it, if there is a fault.
    pub(crate) whole: String,
    /// The instruction's address.
    pub(crate) address: u64,
    /// The instruction.
    pub(crate) result: Result<Statement, LineFault>,
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
    /// How many statements precede it.
    position: usize,
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

/// The labels of a program. Local ones are among them by names that no other label can have: `1 0`, `1 1`, …
#[derive(Debug, Default)]
struct Labels {
    known: HashMap<String, Label>,
    /// The statements at which each local label is defined, ascending.
    local: HashMap<String, Vec<usize>>,
    /// Bytes that they take.
    cost: usize,
}

impl Labels {
    /// The name by which a label is known that a statement calls so.
    fn name<'n>(&self, name: &'n str, position: usize) -> Cow<'n, str> {
        if !is_local(name) {
            return name.into();
        }
        let (number, direction) = name.split_at(name.len() - 1);
        let defined = self.local.get(number).map_or(&[][..], Vec::as_slice);
        let before = defined.partition_point(|at| *at <= position);
        match direction {
            "f" => local_name(number, before).into(),
            _ => before.checked_sub(1).map_or("".into(), |last| local_name(number, last).into()),
        }
    }

    /// Defines a local label at a statement; the name by which it is known.
    fn define_local(&mut self, number: &str, position: usize) -> String {
        let defined = self.local.entry(number.to_owned()).or_default();
        defined.push(position);
        local_name(number, defined.len() - 1)
    }
}

/// The name of a local label that is defined so often before.
fn local_name(number: &str, before: usize) -> String {
    format!("{number} {before}")
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

/// Assembles lines as they are read, one after the other.
pub(crate) struct Assembler<'c> {
    lines: Lines,
    layout: Layout<'c>,
}

impl<'c> Assembler<'c> {
    /// Assembles the lines of an input.
    pub(crate) fn new(codec: Box<dyn Codec + 'c>, input: Input) -> Self {
        let lines = input.lines("text is");
        Self { layout: Layout::new(codec, &lines.name), lines }
    }

    /// The name of the input in messages.
    pub(crate) fn name(&self) -> &str {
        &self.lines.name
    }

    /// The next line that holds an instruction or a fault, in the order of the input.
    pub(crate) fn next(&mut self) -> Result<Option<Line>, Stop> {
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
                None => layout.finish(),
            }
        }
    }
}

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
            match entry.assemble(&mut *self.codec, &self.labels) {
                (Some(Line { result: Err(_), .. }), unknown) if !unknown.is_empty() => self.wait(number, unknown),
                (Some(line), _) => self.finish_line(index, line),
                (None, _) => {}
            }
        }
    }

    /// The first line of the queue has waited for too long.
    fn give_up(&mut self) {
        let Some(Slot::Waiting(entry)) = self.queue.front() else { return };
        let (line, _) = entry.assemble(&mut *self.codec, &self.labels);
        let Some(mut line) = line else { return };
        if let Err(fault) = &mut line.result {
            fault.message.push_str(", and too many lines refer to labels that are not defined yet");
        }
        for name in entry.waits_for.clone() {
            if let Some(waiting) = self.wanted.get_mut(&name) {
                waiting.retain(|number| *number != self.gone);
            }
        }
        self.finish_line(0, line);
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
                let (line, names) = entry.assemble(&mut *self.codec, &self.labels);
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
                self.finish_slot(index, Slot::Empty);
                continue;
            };
            if !is_settled {
                if let Slot::Waiting(entry) = &self.queue[index] {
                    line.whole.clone_from(&entry.whole);
                }
                let message = "the addresses of the labels do not converge".to_owned();
                line.result = Err(LineFault { at: 0..line.whole.len(), message });
            }
            self.finish_line(index, line);
        }
        self.wanted.clear();
    }

    /// Assembles the lines that still wait: no line follows.
    pub(crate) fn finish(&mut self) {
        self.settle(true);
        if let Some((number, whole, fault)) = self.scanner.unclosed() {
            self.push(Slot::Done(Line { number, whole, address: self.address, result: Err(fault) }));
        }
    }

    /// Gives the lines that wait, and their labels, the addresses that their sizes make.
    fn place(&mut self, waiting: &[usize]) {
        self.address = self.base;
        for &index in waiting {
            let Slot::Waiting(entry) = &mut self.queue[index] else { continue };
            for mark in &entry.marks {
                match mark {
                    Mark::Address(address) => self.address = *address,
                    Mark::Label(name, _) | Mark::Local(name, _) => {
                        if let Some(label) = self.labels.known.get_mut(name).filter(|label| label.line == entry.number) {
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
    fn new(number: usize, source: Source<'_>, position: usize, address: u64, size: u32) -> Self {
        Self {
            number,
            position,
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
    fn assemble(&self, codec: &mut dyn Codec, labels: &Labels) -> (Option<Line>, Vec<String>) {
        let mut unknown = Vec::new();
        let result = match &self.fault {
            Some(fault) => Err(fault.clone()),
            None if !self.is_instruction() => return (None, unknown),
            None => {
                let scope = Scope { labels, position: self.position, address: self.address };
                assemble(codec, &self.text, self.at, scope, &mut unknown)
            }
        };
        let whole = if result.is_err() { self.whole.clone() } else { String::new() };
        (Some(Line { number: self.number, whole, address: self.address, result }), unknown)
    }
}

/// Bits of every instruction, if all have the same.
pub(crate) fn fixed(codec: &dyn Codec) -> Option<u32> {
    match *codec.shape().lengths {
        [] => Some(0),
        [only] => Some(only),
        _ => None,
    }
}

/// Where an instruction stands.
#[derive(Clone, Copy)]
struct Scope<'a> {
    labels: &'a Labels,
    /// How many statements precede it.
    position: usize,
    address: u64,
}

/// The instruction of a text, which begins at byte `at` of its line, and the names that it looked for among the labels in vain.
fn assemble(
    codec: &mut dyn Codec,
    text: &str,
    at: usize,
    scope: Scope<'_>,
    unknown: &mut Vec<String>,
) -> Result<Statement, LineFault> {
    let unknown = RefCell::new(unknown);
    let label = |name: &str| {
        let known_as = scope.labels.name(name, scope.position);
        let label = scope.labels.known.get(&*known_as);
        // A number or nothing is not a label that may come; nor is what must have been before.
        let may_come = is_name(name) && !known_as.is_empty();
        if label.is_none() && may_come && !unknown.borrow().iter().any(|known| *known == known_as) {
            unknown.borrow_mut().push(known_as.into_owned());
        }
        label.map(|label| label.address)
    };
    let address = scope.address;
    read(codec, text, address, &label).map_err(|ReadError { at: error, message }| {
        let word = word_at(text, error);
        LineFault { at: at + word.start..at + word.end, message }
    })
}

/// The instruction of a text; also of one as other tools write it: what the text leaves open in front (`[B------:R-:W-:Y:S05] NOP`), labels in
/// back quotes (`` BRA `(.L_1) ``).
pub(crate) fn read(
    codec: &mut dyn Codec,
    text: &str,
    address: u64,
    labels: isa_engine::Labels<'_>,
) -> Result<Statement, ReadError> {
    codec.read(text, address, labels).or_else(|error| {
        let Some(other) = rearranged(text) else { return Err(error) };
        let usual: String = other.iter().map(|(_, c)| *c).collect();
        codec.read(&usual, address, labels).map_err(|ReadError { at, message }| {
            let before = usual.get(..at).map_or(other.len(), |before| before.chars().count());
            ReadError { at: other.get(before).map_or(text.len(), |(at, _)| *at), message }
        })
    })
}

/// A text of another tool in the order of ours, each character with its place; `None` if it is none.
fn rearranged(text: &str) -> Option<Vec<(usize, char)>> {
    let front = if text.starts_with('[') { text.find(']')? + 1 } else { 0 };
    if front == 0 && !text.contains("`(") {
        return None;
    }
    let (mut all, mut is_label) = (Vec::new(), false);
    for (at, c) in text.char_indices().filter(|(at, _)| *at >= front).skip_while(|(_, c)| c.is_whitespace()) {
        match c {
            '`' if text[at..].starts_with("`(") => is_label = true,
            '(' if is_label && text[..at].ends_with('`') => {}
            ')' if is_label => is_label = false,
            c => all.push((at, c)),
        }
    }
    if front > 0 {
        all.push((front, ' '));
        all.extend(text[..front].char_indices());
    }
    Some(all)
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
