//! Statements that are open: their bytes or sizes are not known yet.

use crate::assembler::Assembler;
use crate::expr::{Base, Expr, Value};
use crate::instruction::try_read;
use crate::looked::Looked;
use crate::place::Line;
use crate::program::ItemKind;
use crate::world::{Place, View};
use isa_engine::{Lengths, Statement};
use std::cell::Cell;

/// A statement whose bytes or size are not known yet.
#[derive(Debug)]
pub(crate) struct Open {
    pub(crate) line: Line,
    pub(crate) position: u32,
    /// Where it stands: at this offset of the bytes of a frag, or behind them.
    pub(crate) place: Place,
    /// Whether its size may still change, so that it stands behind a frag.
    pub(crate) is_tail: bool,
    /// Which item of the program it is.
    pub(crate) item: u32,
    pub(crate) kind: OpenKind,
}

/// The place that an instruction names, and its distance when the word was made that the instruction has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Distance {
    pub(crate) to: Place,
    pub(crate) by: u64,
}

/// What is open.
#[derive(Debug)]
pub(crate) enum OpenKind {
    Instruction(OpenInstruction),
    /// A number of so many bytes.
    Data {
        value: Box<Expr>,
        bytes: u32,
    },
    /// Up to a multiple of a number of bytes.
    Align {
        to: u64,
        fill: Option<u64>,
        most: u64,
        code: bool,
    },
    /// So many times a number of so many bytes.
    Fill {
        count: Box<Expr>,
        width: u32,
        value: u64,
    },
    /// Up to a place in the section, or an address.
    Org {
        to: Box<Expr>,
        fill: u8,
        is_address: bool,
    },
}

/// An instruction that is read again when more is known.
#[derive(Debug)]
pub(crate) struct OpenInstruction {
    /// Where it stands in its line.
    pub(crate) at: u32,
    pub(crate) length: u32,
    /// Its text, if that differs from what is written there: with the full names of labels.
    pub(crate) renamed: Option<Box<str>>,
    /// Whether short words are taken.
    pub(crate) compress: bool,
    /// Whether it becomes something else where it does not reach what it names.
    pub(crate) is_far: bool,
    /// Whether it may have modifiers; and one of which others mean the operand.
    pub(crate) may_modify: bool,
    pub(crate) is_anchor: bool,
    /// How far away that is which it names, when the word was made that it has.
    pub(crate) distance: Cell<Option<Distance>>,
}

impl OpenInstruction {
    pub(crate) fn text<'t>(&'t self, line: &'t Line) -> &'t str {
        let at = self.at as usize;
        self.renamed.as_deref().or_else(|| line.text.get(at..at + self.length as usize)).unwrap_or_default()
    }
}

impl Assembler<'_> {
    /// Gives the statement that has just been left open the word that it has if all stays as far away as it is.
    pub(crate) fn keep_last(&mut self, statement: Statement, looked: &Looked) {
        if let Some(open) = self.open.pop() {
            if let OpenKind::Instruction(own) = &open.kind {
                self.keep(&open, own, statement, looked);
            }
            self.open.push(open);
        }
    }

    /// Keeps the word of an instruction that is open, if it is the same wherever that stands which it names at this distance.
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

    /// Whether the word of an instruction that is open is known, and the same as when it was read.
    pub(crate) fn is_kept(&self, open: &Open, own: &OpenInstruction) -> bool {
        own.distance.get().is_some_and(|distance| self.world.distance(open.place, distance.to) == distance.by)
    }

    /// Reads an instruction that was open, if there is one; what was found when it looked at symbols, and which there are not.
    pub(crate) fn try_open(
        &mut self,
        open: &Open,
        own: &OpenInstruction,
        text: &str,
        address: u64,
    ) -> (Option<(Statement, Looked)>, Vec<String>) {
        if own.may_modify {
            // What can't be read so can't be read as a shorter word.
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

    /// Whether a statement has the longest word that its text can have.
    fn is_long(&self, looked: &Looked, place: Place) -> bool {
        match self.world.relocatable {
            // How far that is, a linker decides.
            true => looked.based.is_some_and(|value| is_elsewhere(value, place)),
            // As an object file has it, whose linker does not make words shorter.
            false => looked.is_modified(),
        }
    }

    /// Reads an instruction as the longest word that its text can have, perhaps with a guess of what modifiers make of symbols that
    /// are not known yet; and which symbols there are not.
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
        view.state.borrow_mut().instead = self.world.relocatable.then_some(i128::from(address));
        view.state.borrow_mut().guesses = guesses;
        let found = try_read(&mut *self.codec, text, address, &view);
        let (looked, unknown) = (view.state.into_inner(), view.unknown.into_inner());
        self.set_style(compress);
        (found, looked, unknown)
    }
}

/// Whether a linker decides how far away a value is.
pub(crate) fn is_elsewhere(value: Value, place: Place) -> bool {
    match value.base {
        Base::None => false,
        Base::Section(of) => of != place.part,
        Base::External(_) | Base::Modified { .. } => true,
    }
}
