//! Statements that are open: their bytes or sizes are not known yet.

use crate::assembler::Assembler;
use crate::expr::{Base, Expr, Value};
use crate::instruction::try_read;
use crate::looked::Looked;
use crate::place::Line;
use crate::program::ItemKind;
use crate::section::Place;
use crate::world::View;
use isa_engine::{Lengths, Statement};
use std::cell::Cell;

/// A statement whose bytes or size are not known yet.
#[derive(Debug)]
pub(crate) struct Open {
    pub(crate) line: Line,
    pub(crate) position: u32,
    /// Its place: at an offset in the bytes of a frag, or after them.
    pub(crate) place: Place,
    /// True if its size may still change, so that it is after a frag.
    pub(crate) is_tail: bool,
    /// Its item in the program.
    pub(crate) item: u32,
    pub(crate) kind: OpenKind,
}

/// The place that an instruction refers to, and its distance when the word was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Distance {
    pub(crate) to: Place,
    pub(crate) by: u64,
}

/// The kind of an open statement.
#[derive(Debug)]
pub(crate) enum OpenKind {
    Instruction(OpenInstruction),
    /// A number of this number of bytes.
    Data {
        value: Box<Expr>,
        bytes: u32,
    },
    /// Alignment to a multiple of a number of bytes.
    Align {
        to: u64,
        fill: Option<u64>,
        most: u64,
        code: bool,
    },
    /// A number of this number of bytes, repeated.
    Fill {
        count: Box<Expr>,
        width: u32,
        value: u64,
    },
    /// Advance to a place in the section, or to an address.
    Org {
        to: Box<Expr>,
        fill: u8,
        is_address: bool,
    },
}

/// An instruction that is read again when more is known.
#[derive(Debug)]
pub(crate) struct OpenInstruction {
    /// Its place in its line.
    pub(crate) at: u32,
    pub(crate) length: u32,
    /// Its text, if it differs from the source: with the full names of labels.
    pub(crate) renamed: Option<Box<str>>,
    /// True if short words are allowed.
    pub(crate) compress: bool,
    /// True if it is expanded if it does not reach its target.
    pub(crate) is_far: bool,
    /// True if it may contain modifiers, and whether one that others are paired with.
    pub(crate) may_modify: bool,
    pub(crate) is_anchor: bool,
    /// The distance of its target when its word was made.
    pub(crate) distance: Cell<Option<Distance>>,
}

impl OpenInstruction {
    pub(crate) fn text<'t>(&'t self, line: &'t Line) -> &'t str {
        let at = self.at as usize;
        self.renamed.as_deref().or_else(|| line.text.get(at..at + self.length as usize)).unwrap_or_default()
    }
}

impl Assembler<'_> {
    /// Stores the word of the last open statement, which is valid if all distances stay the same.
    pub(crate) fn keep_last(&mut self, statement: Statement, looked: &Looked) {
        if let Some(open) = self.open.pop() {
            if let OpenKind::Instruction(own) = &open.kind {
                self.keep(&open, own, statement, looked);
            }
            self.open.push(open);
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
            true => looked.based.is_some_and(|value| is_elsewhere(value, place)),
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
        view.state.borrow_mut().instead = self.world.relocatable.then_some(i128::from(address));
        view.state.borrow_mut().guesses = guesses;
        let found = try_read(&mut *self.codec, text, address, &view);
        let (looked, unknown) = (view.state.into_inner(), view.unknown.into_inner());
        self.set_style(compress);
        (found, looked, unknown)
    }
}

/// True if a linker determines the distance of a value.
pub(crate) fn is_elsewhere(value: Value, place: Place) -> bool {
    match value.base {
        Base::None => false,
        Base::Section(of) => of != place.part,
        Base::External(_) | Base::Modified { .. } => true,
    }
}
