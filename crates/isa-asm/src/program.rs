//! An assembled program.

use crate::place::Fault;
use crate::section::Place;
use isa_engine::{Codec, Statement, Word};
use std::ops::Range;
use std::rc::Rc;

/// The result of a statement.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub(crate) place: Place,
    /// True if it is after the bytes of its frag.
    pub(crate) is_tail: bool,
    /// The number of its bytes.
    pub(crate) length: u32,
    pub(crate) line: u32,
    /// True if the line is one of the file itself, not of a macro or another file.
    pub(crate) is_own: bool,
    /// The place of the instruction in the line.
    pub(crate) at: Range<u32>,
    pub(crate) kind: ItemKind,
}

/// The kind of an item.
#[derive(Clone, Debug)]
pub(crate) enum ItemKind {
    /// A word of a form; and whether its text has a symbol or an expression.
    Word { form: u32, is_symbolic: bool },
    /// An instruction of a text-only instruction set.
    Text(Box<Statement>),
    /// Numbers of this number of bytes.
    Data(u32),
    /// Fill bytes.
    Filled,
    /// One of the faults.
    Fault(u32),
}

impl ItemKind {
    /// The kind of an instruction's item.
    pub(crate) fn word(statement: Statement, is_symbolic: bool, is_text: bool) -> Self {
        match is_text {
            true => Self::Text(Box::new(statement)),
            false => Self::Word { form: statement.form as u32, is_symbolic },
        }
    }
}

/// The lines of a file.
#[derive(Debug, Default)]
pub(crate) struct Source {
    text: String,
    /// The end of each line; skipped lines are empty.
    ends: Vec<usize>,
}

impl Source {
    pub(crate) fn push(&mut self, number: usize, line: &str) {
        while self.ends.len() + 1 < number {
            self.ends.push(self.text.len());
        }
        self.text.push_str(line);
        self.ends.push(self.text.len());
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.text.len() as u64
    }

    /// The number of the last line.
    pub(crate) fn last(&self) -> usize {
        self.ends.len()
    }

    /// A line by its number, from 1.
    pub(crate) fn line(&self, number: usize) -> &str {
        let Some(end) = number.checked_sub(1).and_then(|place| self.ends.get(place)) else { return "" };
        let start = number.checked_sub(2).map_or(0, |place| self.ends[place]);
        &self.text[start..*end]
    }
}

/// A piece of a program at an address.
#[derive(Clone, Debug)]
pub struct Piece<'p> {
    /// Its address.
    pub address: u64,
    /// Its line.
    pub line: usize,
    /// True if the line is one of the file itself, not of a macro or another file.
    pub is_own: bool,
    /// Its bytes; none for a large gap of zeros.
    pub bytes: &'p [u8],
    /// Its kind.
    pub kind: PieceKind<'p>,
}

/// The kind of a piece of a program.
#[derive(Clone, Debug)]
pub enum PieceKind<'p> {
    /// A word of a form.
    Word {
        /// The form.
        form: usize,
        /// The place of the instruction in the line.
        at: Range<usize>,
        /// True if it names a symbol or has an expression.
        is_symbolic: bool,
    },
    /// An instruction of a text-only instruction set.
    Text {
        /// The instruction.
        statement: &'p Statement,
        /// Its place in the line.
        at: Range<usize>,
    },
    /// Numbers of this number of bytes.
    Data(u32),
    /// Fill bytes.
    Filled,
    /// An error in the line.
    Fault(&'p Fault),
}

/// A section of a program.
#[derive(Clone, Debug)]
pub struct Section {
    /// Its name.
    pub name: Rc<str>,
    /// Its address.
    pub address: u64,
    /// The number of its bytes.
    pub size: u64,
    /// Its alignment in bytes.
    pub align: u64,
    /// It is loaded.
    pub is_loaded: bool,
    /// Programs can write it.
    pub is_written: bool,
    /// It is code.
    pub is_code: bool,
    /// It has no bytes in files.
    pub is_empty_in_files: bool,
    /// The symbol, by its place, that names its group.
    pub group: Option<usize>,
    /// The number of its type in ELF files, if it is neither of bytes nor of zeros.
    pub kind: Option<u32>,
    /// Other flags of ELF files.
    pub flags: u64,
}

impl Section {
    /// The number of its bytes in files.
    pub fn file_size(&self) -> u64 {
        if self.is_empty_in_files { 0 } else { self.size }
    }
}

/// A symbol of a program.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// Its name.
    pub name: Rc<str>,
    /// Its value.
    pub value: u64,
    /// The section that contains it, by its place; `None` for a number.
    pub section: Option<usize>,
    /// It is defined here.
    pub is_defined: bool,
    /// It is visible to other object files.
    pub is_global: bool,
    /// It is overridden by those of other object files.
    pub is_weak: bool,
    /// The number of its bytes.
    pub size: u64,
    /// The number of its type in ELF files.
    pub kind: u8,
    /// The number of its visibility there.
    pub visibility: u8,
    /// The alignment, if a linker finds room for it.
    pub common: Option<u64>,
}

/// A relocation, for a linker to resolve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relocation {
    /// The section, by its place.
    pub section: usize,
    /// The offset in it.
    pub offset: u64,
    /// The number of the kind.
    pub kind: u32,
    /// The symbol, by its place, or the section.
    pub of: RelocationOf,
    /// The addend.
    pub addend: i64,
}

/// The target of a relocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelocationOf {
    /// A symbol, by its place.
    Symbol(usize),
    /// The beginning of a section, by its place.
    Section(usize),
}

/// A program.
#[derive(Debug)]
pub struct Program {
    pub(crate) items: Vec<Item>,
    pub(crate) source: Source,
    pub(crate) world: crate::section::Frags,
    /// The sections, in the order in which they were named.
    pub sections: Vec<Section>,
    /// The symbols, in the order in which they were named.
    pub symbols: Vec<Symbol>,
    /// Errors and warnings.
    pub faults: Vec<Fault>,
    /// The relocations, for a linker to resolve.
    pub relocations: Vec<Relocation>,
    /// The flags of object files.
    pub flags: u32,
    /// True if the addresses of object files have 64 bits.
    pub is_64: bool,
    /// True if numbers have their low byte first.
    pub is_little: bool,
}

impl Program {
    /// True if there are errors.
    pub fn has_failed(&self) -> bool {
        self.faults.iter().any(|fault| !fault.is_warning)
    }

    /// The faults in the order of their lines, then those without a line.
    pub fn faults_in_order(&self) -> impl Iterator<Item = &Fault> {
        let of = |item: &Item| if let ItemKind::Fault(fault) = item.kind { Some(fault as usize) } else { None };
        let mut is_there = vec![false; self.faults.len()];
        self.items.iter().filter_map(of).for_each(|fault| is_there[fault] = true);
        let rest = self.faults.iter().zip(is_there).filter(|(_, is_there)| !is_there).map(|(fault, _)| fault);
        self.items.iter().filter_map(of).map(|fault| &self.faults[fault]).chain(rest)
    }

    /// The lines of the file.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        (1..=self.source.last()).map(|number| self.source.line(number))
    }

    /// The bytes of a section, by its place, in runs with their offsets; all others are zeros.
    pub fn runs(&self, section: usize) -> impl Iterator<Item = (u64, &[u8])> {
        let frags = self.world.0[section].frags.iter().filter(move |_| !self.sections[section].is_empty_in_files);
        let runs = frags.flat_map(|frag| {
            let tail = &frag.tail[..frag.tail.len().min(frag.size as usize)];
            [(frag.at, &frag.bytes[..]), (frag.at + frag.bytes.len() as u64, tail)]
        });
        runs.filter(|(_, bytes)| !bytes.is_empty())
    }

    /// All bytes of a section in files, by its place.
    pub fn bytes(&self, section: usize) -> Vec<u8> {
        let mut out = vec![0; self.sections[section].file_size() as usize];
        for (at, bytes) in self.runs(section) {
            out[at as usize..][..bytes.len()].copy_from_slice(bytes);
        }
        out
    }

    /// The results of the statements, in the order of the program.
    pub fn pieces(&self) -> impl Iterator<Item = Piece<'_>> {
        self.items.iter().map(|item| {
            let frag = self.world.frag(item.place);
            let (address, bytes) = match frag {
                Some((address, frag)) => {
                    let from = item.place.offset as usize;
                    let own = if item.is_tail {
                        frag.tail.get(..item.length as usize)
                    } else {
                        frag.bytes.get(from..from + item.length as usize)
                    };
                    (address.wrapping_add(from as u64), own.unwrap_or(&[]))
                }
                None => (0, &[][..]),
            };
            let at = item.at.start as usize..item.at.end as usize;
            let kind = match &item.kind {
                ItemKind::Word { form, is_symbolic } => PieceKind::Word { form: *form as usize, at, is_symbolic: *is_symbolic },
                ItemKind::Text(statement) => PieceKind::Text { statement, at },
                ItemKind::Data(size) => PieceKind::Data(*size),
                ItemKind::Filled => PieceKind::Filled,
                ItemKind::Fault(fault) => PieceKind::Fault(&self.faults[*fault as usize]),
            };
            Piece { address, line: item.line as usize, is_own: item.is_own, bytes, kind }
        })
    }

    /// Its words: the address, the form and the word of each.
    pub fn words(&self, codec: &dyn Codec) -> impl Iterator<Item = (u64, usize, Word)> {
        let units = codec.shape().units;
        self.pieces().filter_map(move |piece| match piece.kind {
            PieceKind::Word { form, .. } => Some((piece.address, form, units.read(piece.bytes))),
            _ => None,
        })
    }
}
