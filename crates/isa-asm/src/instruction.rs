//! Instructions: read at once, or later.

use crate::Full;
use crate::arguments::Arguments;
use crate::assembler::Assembler;
use crate::deferred::{Distance, Open, OpenInstruction, OpenKind};
use crate::expr::{Base, Value};
use crate::looked::Looked;
use crate::place::Line;
use crate::program::ItemKind;
use crate::section::Place;
use crate::world::{View, World};
use isa_engine::{Codec, Lengths, Statement, Word};
use std::cell::Cell;
use std::ops::Range;

/// The number of ways to end expressions that are tried for an instruction.
const MOST_ENDS: usize = 64;
/// The message about an instruction that can't be read where that is not explained.
pub(crate) const UNEXPLAINED: &str = "this is not an instruction";
/// The number of texts of instructions that are kept with their words.
const MOST_READ: usize = 1 << 16;

impl Assembler<'_> {
    /// The instruction of a text.
    pub(crate) fn instruction(&mut self, line: &Line, text: &str, at: usize) -> Result<(), Full> {
        let place = self.here();
        let (address, is_final) = self.world.address(place);
        let span = at as u32..(at + text.len()) as u32;
        let localised = self.with_full_names(text);
        let text = localised.as_deref().unwrap_or(text);
        if let Some((form, bytes)) = self.words.read.get(text).filter(|_| self.words.compress == self.words.read_compressed) {
            let (form, bytes) = (*form, bytes.clone());
            self.emit(line, &bytes, ItemKind::Word { form, is_symbolic: false }, span)?;
            return Ok(());
        }
        let (read, unknown, is_longest) = self.first_read(text, address, place);
        let (read, looked) = read;
        self.name_externals(&unknown);
        match read {
            // The symbols decide its length; a guessed value may not be a valid address.
            Some(_) if looked.guessed => self.wait(line, text, span, self.words.fixed.unwrap_or(self.words.shortest), false),
            Some(statement) => {
                let has_target = !is_final && self.codec.has_target(statement.form);
                let is_based = self.world.relocatable && looked.based.is_some();
                let is_settled = !(looked.tentative || has_target || looked.is_modified() || is_based);
                let bits = self.codec.length(statement.form);
                if is_settled {
                    let bytes: Vec<u8> = self.codec.shape().units.write(statement.word, bits).collect();
                    // The word of an instruction that depends only on its text is the same everywhere.
                    if !looked.used && unknown.is_empty() && !self.codec.is_text() && !self.codec.has_target(statement.form) {
                        if self.words.read.len() == MOST_READ || self.words.compress != self.words.read_compressed {
                            self.words.read.clear();
                            self.words.read_compressed = self.words.compress;
                        }
                        self.words.read.insert(text.into(), (statement.form as u32, bytes.as_slice().into()));
                    }
                    let kind = ItemKind::word(statement, looked.used, self.codec.is_text());
                    self.emit(line, &bytes, kind, span)?;
                    return Ok(());
                }
                self.wait(line, text, span, bits, is_longest)?;
                self.keep_last(statement, &looked);
                Ok(())
            }
            None => {
                if let Some(expansion) = self.expansion(line, text, at, !unknown.is_empty()) {
                    return expansion;
                }
                // An instruction that does not reach its target may be expanded at the end.
                let waits = !unknown.is_empty() || looked.tentative || !is_final || self.far(text).is_some();
                if waits && looked.wrong.is_none() {
                    return self.wait(line, text, span, self.words.fixed.unwrap_or(self.words.shortest), false);
                }
                if !self.words.explains {
                    return self.no_instruction(line, at..at + text.len(), UNEXPLAINED.to_owned());
                }
                let view = View::new(&self.world, self.input.position, place);
                let (at, message) = match self::read(&mut *self.codec, text, address, &view) {
                    Err(error) => match self.written(text).filter(|_| error.at == 0 && view.state.borrow().wrong.is_none()) {
                        Some(written) => (at..at + text.len(), written),
                        None => said(error, &view.state.into_inner(), &view.unknown.into_inner(), text, at),
                    },
                    Ok(_) => (at..at + text.len(), "this can't be read".to_owned()),
                };
                self.no_instruction(line, at, message)
            }
        }
    }

    /// A word as a number, or the statement for a format of the instruction set.
    pub(crate) fn insn(&mut self, line: &Line, arguments: Arguments<'_>) -> Result<(), Full> {
        let rest = arguments.rest();
        let begin = rest.split(char::is_whitespace).next().unwrap_or_default();
        let name = format!("insn.{begin}");
        if self.macros.pseudo.iter().any(|pseudo| pseudo.mnemonics.contains(&name)) {
            let text = format!("insn.{rest}");
            let at = arguments.shift..arguments.shift + arguments.text.len();
            return match self.expansion(line, &text, at.start, false) {
                Some(expanded) => expanded,
                None => self.no_instruction(line, at, format!("the operands are not those of `.insn {begin}`")),
            };
        }
        let Some(values) = self.numbers(line, arguments) else { return Ok(()) };
        let number = values[values.len() - 1];
        let first = self.codec.length_of(Word::from(number as u64)).map(|bits| bits.div_ceil(8));
        let bytes = if values.len() == 1 { first } else { u32::try_from(values[0]).ok().filter(|bytes| Some(*bytes) == first) };
        match bytes.filter(|bytes| *bytes >= 8 || number >> (bytes * 8) == 0) {
            Some(bytes) => {
                let own: Vec<u8> = self.codec.shape().units.write(Word::from(number as u64), bytes * 8).collect();
                self.emit(line, &own, ItemKind::Data(bytes), 0..0)
            }
            None => self.no_instruction(line, arguments.span(), "this is not a word of that length".to_owned()),
        }
    }

    /// An instruction with other values of some bits.
    pub(crate) fn altered(&mut self, line: &Line, arguments: Arguments<'_>) -> Result<(), Full> {
        let mut parts = arguments.rest().splitn(3, ',');
        let mut number = || self.parse(parts.next()?, 0).ok().and_then(|expr| self.value_now(&expr).ok());
        let (mask, value) = (number(), number());
        let (Some(mask), Some(value), Some(text)) = (mask, value, parts.next()) else {
            self.fault(line, arguments.span(), "expected the bits, their values and an instruction");
            return Ok(());
        };
        if value.number & !mask.number != 0 {
            self.fault(line, arguments.span(), "the values have other bits than the mask");
        }
        let at = arguments.text.len() - text.trim_start().len();
        let item = self.items.len();
        self.instruction(line, text.trim(), arguments.shift + at)?;
        if self.items.len() == item + 1 && !matches!(self.items[item].kind, ItemKind::Fault(_)) {
            let word = |number: i128| Word::from(number as u64);
            self.pending.altered.push((item as u32, word(mask.number), word(value.number)));
        }
        Ok(())
    }

    /// The message for a statement that begins as pseudo-instructions do, and no instruction: how these are written.
    fn written(&self, text: &str) -> Option<String> {
        let mnemonic = text.split(char::is_whitespace).next()?;
        let own = self.macros.pseudo.iter().filter(|pseudo| !pseudo.is_far && pseudo.mnemonics.iter().any(|own| own == mnemonic));
        let all: Vec<String> = own.map(|pseudo| format!("`{}`", pseudo.written(mnemonic))).collect();
        let is_instruction = || (0..self.codec.forms()).any(|form| self.codec.form(form).mnemonic == mnemonic);
        (!all.is_empty() && !is_instruction()).then(|| format!("`{mnemonic}` is written {}", all.join(" or ")))
    }

    /// The instruction of a text, as far as symbols are known, and the symbols that it uses; the unknown symbols; and whether no
    /// shorter word is possible.
    fn first_read(&mut self, text: &str, address: u64, place: Place) -> ((Option<Statement>, Looked), Vec<String>, bool) {
        if self.world.syntax.may_modify(text) {
            let is_pseudo =
                |pseudo: &crate::pseudo::Pseudo| !pseudo.is_far && pseudo.operands(&self.world.syntax, text).is_some();
            let guesses = !self.world.relocatable && !self.macros.pseudo.iter().any(is_pseudo);
            let (found, looked, unknown) = self.try_long(self.words.compress, text, self.input.position, place, guesses);
            // A text that can't be read like this can't be read as a shorter word.
            if found.is_none() || looked.is_modified() || looked.guessed {
                return ((found, looked), unknown, true);
            }
        }
        let view = View::new(&self.world, self.input.position, place);
        let found = try_read(&mut *self.codec, text, address, &view);
        ((found, view.state.into_inner()), view.unknown.into_inner(), false)
    }

    /// Adds a line in the place of an invalid instruction: the addresses that follow are as if it were a short one.
    pub(crate) fn no_instruction(&mut self, line: &Line, at: Range<usize>, message: String) -> Result<(), Full> {
        let bytes = if self.codec.is_text() { 0 } else { self.words.shortest.div_ceil(8) };
        self.fault(line, at, message);
        self.count(line, bytes.into())?;
        if let Some(item) = self.items.last_mut() {
            item.length = bytes;
        }
        let frag = self.part().last();
        frag.bytes.resize(frag.bytes.len() + bytes as usize, 0);
        Ok(())
    }

    /// Notes symbols that may be defined in other object files.
    pub(crate) fn name_externals(&mut self, unknown: &[String]) {
        if self.world.relocatable {
            unknown.iter().filter(|name| !isa_engine::is_local(name)).for_each(|name| _ = self.world.intern(name));
        }
    }

    /// A text in which local labels have their full names.
    pub(crate) fn with_full_names(&self, text: &str) -> Option<String> {
        let local = self.world.assembly.local.as_str();
        if local.is_empty() || !text.contains(local) {
            return None;
        }
        let (mut out, mut at) = (String::with_capacity(text.len()), 0);
        while at < text.len() {
            let name = isa_engine::label_name(&text[at..]);
            if name.is_empty() {
                let c = text[at..].chars().next()?;
                out.push(c);
                at += c.len_utf8();
                continue;
            }
            let full = self.full_name(name).filter(|_| at > 0 && name.len() > local.len());
            out.push_str(full.as_deref().unwrap_or(name));
            at += name.len();
        }
        Some(out)
    }

    /// Leaves an instruction open, with `bits` bits; `is_longest` if it keeps this length unless it is expanded.
    fn wait(&mut self, line: &Line, text: &str, span: Range<u32>, bits: u32, is_longest: bool) -> Result<(), Full> {
        let is_written = line.text.get(span.start as usize..span.end as usize).is_some_and(|own| own == text);
        let is_far = self.macros.pseudo.iter().any(|pseudo| pseudo.is_far && pseudo.operands(&self.world.syntax, text).is_some());
        let own = OpenInstruction {
            at: span.start,
            length: span.end - span.start,
            renamed: (!is_written).then(|| text.into()),
            compress: self.words.compress,
            is_far,
            may_modify: self.world.syntax.may_modify(text),
            distance: Cell::new(None),
            is_anchor: self.world.syntax.anchors.iter().any(|name| text.contains(name.as_str())),
        };
        let item = ItemKind::Word { form: 0, is_symbolic: true };
        let can_grow = is_far || !is_longest && self.words.fixed.is_none();
        self.add_open(line, bits.div_ceil(8).into(), can_grow, OpenKind::Instruction(own), item, span)
    }

    /// Uses the words of the style from here on, or the longest ones.
    pub(crate) fn set_style(&mut self, compress: bool) {
        self.words.compress = compress;
        let lengths = match (compress, self.words.style.lengths) {
            (false, Lengths::Preferred | Lengths::Shortest) => Lengths::LongestFirst,
            (_, lengths) => lengths,
        };
        self.codec.set_lengths(lengths);
    }

    /// Stores the word of the last open statement, which is valid if all distances stay the same.
    pub(crate) fn keep_last(&mut self, statement: Statement, looked: &Looked) {
        if let Some(open) = self.pending.open.pop() {
            if let OpenKind::Instruction(own) = &open.kind {
                self.keep(&open, own, statement, looked);
            }
            self.pending.open.push(open);
        }
    }

    /// Stores the word of an open instruction, if it depends only on the distance of its target.
    pub(crate) fn keep(&mut self, open: &Open, own: &OpenInstruction, statement: Statement, looked: &Looked) {
        let to = looked.single().filter(|_| !self.world.relocatable && self.codec.is_distance(statement.form));
        own.distance.set(to.map(|to| Distance { to, by: self.world.distance(open.place, to) }));
        if to.is_none() {
            return;
        }
        let bytes = self.codec.shape().units.write(statement.word, self.codec.length(statement.form));
        let frag = &mut self.world.parts[open.place.part as usize].frags[open.place.frag as usize];
        if open.is_tail {
            frag.tail.clear();
            frag.tail.extend(bytes);
        } else {
            frag.bytes[open.place.offset as usize..].iter_mut().zip(bytes).for_each(|(byte, own)| *byte = own);
        }
        self.items[open.item as usize].kind = ItemKind::word(statement, true, self.codec.is_text());
    }

    /// True if the word of an open instruction is known, and still valid.
    pub(crate) fn is_kept(&self, open: &Open, own: &OpenInstruction) -> bool {
        own.distance.get().is_some_and(|distance| self.world.distance(open.place, distance.to) == distance.by)
    }

    /// Reads an open instruction; returns it if there is one, the use of symbols, and the unknown symbols.
    pub(crate) fn try_open(
        &mut self,
        open: &Open,
        own: &OpenInstruction,
        text: &str,
        address: u64,
    ) -> (Option<(Statement, Looked)>, Vec<String>) {
        if own.may_modify {
            // A text that can't be read like this can't be read as a shorter word.
            let (long, looked, unknown) = self.try_long(own.compress, text, open.position, open.place, false);
            if long.is_none() || self.is_long(&looked, open.place) {
                return (long.map(|long| (long, looked)), unknown);
            }
        }
        self.set_style(own.compress);
        let view = View::new(&self.world, open.position, open.place);
        let found = try_read(&mut *self.codec, text, address, &view);
        let (looked, unknown) = (view.state.into_inner(), view.unknown.into_inner());
        let is_long = found.is_some() && self.is_long(&looked, open.place);
        if is_long && let (Some(long), looked, _) = self.try_long(own.compress, text, open.position, open.place, false) {
            return (Some((long, looked)), unknown);
        }
        (found.map(|found| (found, looked)), unknown)
    }

    /// True if a statement must have the longest word for its text.
    fn is_long(&self, looked: &Looked, place: Place) -> bool {
        match self.world.relocatable {
            // A linker determines the distance.
            true => looked.based.is_some_and(|value| is_elsewhere(&self.world, value, place)),
            // An object file's linker does not shorten words.
            false => looked.is_modified(),
        }
    }

    /// Reads an instruction as the longest word for its text, perhaps with guesses for modifiers of unknown symbols; also returns
    /// the unknown symbols.
    pub(crate) fn try_long(
        &mut self,
        compress: bool,
        text: &str,
        position: u32,
        place: Place,
        guesses: bool,
    ) -> (Option<Statement>, Looked, Vec<String>) {
        self.set_style(compress);
        self.codec.set_lengths(Lengths::LongestFirst);
        let address = self.world.address(place).0;
        let view = View::new(&self.world, position, place);
        view.state.borrow_mut().instead = self.world.relocatable.then_some(0);
        view.state.borrow_mut().guesses = guesses;
        let found = try_read(&mut *self.codec, text, address, &view);
        let (looked, unknown) = (view.state.into_inner(), view.unknown.into_inner());
        self.set_style(compress);
        (found, looked, unknown)
    }
}

/// Reads an instruction, first with parentheses around a whole operand taken as a part of it.
pub(crate) fn read(codec: &mut dyn Codec, text: &str, address: u64, view: &View<'_>) -> Result<Statement, isa_engine::ReadError> {
    let mut attempt = || crate::foreign::read(codec, text, address, &|rest| view.operand(rest));
    let error = match with_ends(view, &mut attempt, |error| text.len().saturating_sub(error.at)) {
        Err(error) => error,
        found => return found,
    };
    let declined = view.state.borrow().declined;
    // If the text itself has the parenthesis, it has been read.
    match declined.map(|behind| text.len().saturating_sub(behind)).filter(|declined| error.at <= *declined) {
        Some(_) => {
            view.state.borrow_mut().parentheses = true;
            attempt()
        }
        None => Err(error),
    }
}

/// The same; `None` if there is no such instruction.
pub(crate) fn try_read(codec: &mut dyn Codec, text: &str, address: u64, view: &View<'_>) -> Option<Statement> {
    let attempt = || codec.try_read(text, address, &|rest| view.operand(rest)).ok_or(());
    let found = with_ends(view, attempt, |()| text.len()).ok();
    if found.is_none() && (view.state.borrow().declined.is_some() || text.contains('`') || text.starts_with('[')) {
        return read(codec, text, address, view).ok();
    }
    found
}

/// Reads an instruction in whose text a literal that looks like an operator may follow a number: the `||` of `b {to} || nop`. The first
/// attempt takes the longest expressions; in the next ones, they end before some of their operators. If all fail, the error is that of the
/// first one, or of the one that was read farthest behind such a literal; `left` is the length of the text behind an error.
fn with_ends<E>(
    view: &View<'_>,
    mut attempt: impl FnMut() -> Result<Statement, E>,
    left: impl Fn(&E) -> usize,
) -> Result<Statement, E> {
    let mut error = match attempt() {
        Err(error) if !view.state.borrow().operators.is_empty() => error,
        result => return result,
    };
    let first = view.state.borrow().clone();
    let mut kept = (first.clone(), view.unknown.borrow().clone());
    let mut operators = first.operators.clone();
    let (mut tried, mut next) = (vec![Vec::new()], 0);
    loop {
        // Places are counted from the end of the text.
        let ends: &[usize] = &tried[next];
        operators.retain(|at| ends.last().is_none_or(|last| at < last));
        operators.sort_unstable_by(|a, b| b.cmp(a));
        operators.dedup();
        let longer = operators.iter().map(|at| ends.iter().copied().chain([*at]).collect());
        let longer: Vec<Vec<usize>> = longer.take(MOST_ENDS - tried.len()).collect();
        tried.extend(longer);
        next += 1;
        let Some(ends) = tried.get(next) else { break };
        view.unknown.borrow_mut().clear();
        let Looked { instead, guesses, parentheses, .. } = first;
        *view.state.borrow_mut() = Looked { ends: ends.clone(), instead, guesses, parentheses, ..Looked::default() };
        let other = match attempt() {
            Err(other) => other,
            found => return found,
        };
        operators.clone_from(&view.state.borrow().operators);
        if left(&other) < left(&error) && ends.last().is_some_and(|end| left(&other) < *end) {
            error = other;
            kept = (view.state.borrow().clone(), view.unknown.borrow().clone());
        }
    }
    (*view.state.borrow_mut(), *view.unknown.borrow_mut()) = kept;
    Err(error)
}

/// The message for a text that can't be read.
pub(crate) fn said(
    error: isa_engine::ReadError,
    looked: &Looked,
    unknown: &[String],
    text: &str,
    at: usize,
) -> (Range<usize>, String) {
    if let Some((start, end, message)) = &looked.wrong {
        let from = text.len().saturating_sub(*start);
        return (at + from..at + text.len().saturating_sub(*end).max(from), message.clone());
    }
    // For a symbol alone, the instruction set's message tells what is possible there.
    if let Some((before, name)) = &looked.missing
        && text.len().saturating_sub(*before) == error.at
        && let Some(rest) = text.get(error.at..).filter(|rest| isa_engine::label_name(rest) != name)
    {
        let from = error.at + rest.find(name.as_str()).unwrap_or(0);
        return (at + from..at + from + name.len(), format!("there is no symbol `{name}`"));
    }
    let word = crate::foreign::word_at(text, error.at);
    let mut message = error.message;
    // To an instruction set names are labels, which can only be targets; in a program any number can be a symbol.
    if let Some((start, name)) = no_label(&message) {
        message = format!("{}there is no symbol `{name}`", &message[..start]);
    } else if let Some(name) =
        unknown.iter().find(|name| text.get(error.at..).is_some_and(|rest| rest.starts_with(name.as_str())))
        && !message.contains("no label")
    {
        message.push_str(&format!("; there is no symbol `{name}`"));
    }
    (at + word.start..at + word.end, message)
}

/// The place of "there is no label" in a message, and the name that is no local label.
fn no_label(message: &str) -> Option<(usize, &str)> {
    let start = message.find("there is no label `")?;
    let name = isa_engine::label_name(message[start..].split_once('`')?.1);
    (!name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit())).then_some((start, name))
}

/// True if a linker determines the distance of a value.
pub(crate) fn is_elsewhere(world: &World, value: Value, place: Place) -> bool {
    match value.base {
        Base::None => false,
        Base::Section(of) => of != place.part || world.is_weak(value.symbol),
        _ => true,
    }
}
