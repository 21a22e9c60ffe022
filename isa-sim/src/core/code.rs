//! Code: the words of a program that instructions can't see, and instructions made ready.

use crate::engine::Engine;
use crate::fault::NotExecutable;
use crate::memory::{Denied, PAGE, Pages};
use crate::placed::{self, Misplaced, Placed};
use isa_runtime::U256;
use isa_runtime::word::Units;
use std::collections::{BTreeMap, HashMap};
use std::fmt;

/// Why words are no program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadCode {
    /// A word can't be at its address.
    Misplaced(Misplaced),
    /// There is no memory at this address.
    NoMemory(u64),
    /// More bytes would be written than this.
    Full(u64),
}

impl fmt::Display for BadCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Misplaced(why) => why.fmt(f),
            Self::NoMemory(at) => write!(f, "a word of the program is at {at:#x}, where there is no memory"),
            Self::Full(most) => write!(f, "the program has more than {most} bytes, the maximum"),
        }
    }
}

impl std::error::Error for BadCode {}

impl From<Misplaced> for BadCode {
    fn from(why: Misplaced) -> Self {
        Self::Misplaced(why)
    }
}

impl From<Denied> for BadCode {
    fn from(denied: Denied) -> Self {
        match denied {
            Denied::Unmapped(at) | Denied::Protected(at) => Self::NoMemory(at),
            Denied::Full(most) => Self::Full(most),
        }
    }
}

/// Writes words into memory.
pub(super) fn store(units: Units, words: &[Placed], memory: &mut Pages) -> Result<(), BadCode> {
    for placed in placed::sorted(units, words)? {
        let bytes: Vec<u8> = units.write(placed.word, placed.bits).collect();
        memory.poke(placed.address, &bytes)?;
    }
    Ok(())
}

/// The words of a program that is in no memory, by address.
#[derive(Clone, Debug, Default)]
pub(super) struct Words(BTreeMap<u64, (U256, u32)>);

impl Words {
    pub(super) fn new(units: Units, words: &[Placed]) -> Result<Self, BadCode> {
        let words = placed::sorted(units, words)?;
        Ok(Self(words.into_iter().map(|placed| (placed.address, (placed.word, placed.bits))).collect()))
    }

    pub(super) fn at(&self, address: u64) -> Option<(U256, u32)> {
        self.0.get(&address).copied()
    }
}

/// An instruction made ready.
#[derive(Debug)]
pub(super) struct Ready<O> {
    /// Its address.
    pub(super) address: u64,
    /// The address of the one that follows it.
    pub(super) next: u64,
    /// The number of that one in the page; [`NONE`] where it is not known, is on another page, or has a breakpoint.
    pub(super) follow: u32,
    pub(super) op: O,
}

/// No instruction.
pub(super) const NONE: u32 = u32::MAX;

/// Instructions made ready, by address.
#[derive(Debug)]
pub(super) struct Code<O> {
    pages: HashMap<u64, usize>,
    list: Vec<CodePage<O>>,
    unit: u64,
}

/// The instructions that begin in a page, in the order in which they were met.
#[derive(Debug)]
pub(super) struct CodePage<O> {
    number: u64,
    /// For each unit the number of the instruction that begins there.
    starts: Box<[u32]>,
    pub(super) ready: Vec<Ready<O>>,
}

/// More instructions than this are not kept.
const MOST: usize = 1 << 22;

impl<O> Code<O> {
    pub(super) fn new(units: Units) -> Self {
        Self { pages: HashMap::new(), list: Vec::new(), unit: units.bytes().max(1) as u64 }
    }

    pub(super) fn forget(&mut self) {
        self.pages.clear();
        self.list.clear();
    }

    pub(super) fn page(&mut self, page: usize) -> &mut CodePage<O> {
        &mut self.list[page]
    }

    fn is_full(&self) -> bool {
        self.list.iter().map(|page| page.ready.len()).sum::<usize>() >= MOST
    }

    /// The page and the number of the instruction at an address, if it was made ready; `near` is the page that was used last.
    #[inline]
    pub(super) fn find(&self, address: u64, near: usize) -> Option<(usize, u32)> {
        let (number, at) = (address / PAGE, ((address % PAGE) / self.unit) as usize);
        let page = match self.list.get(near) {
            Some(page) if page.number == number => near,
            _ => *self.pages.get(&number)?,
        };
        let start = self.list.get(page)?.starts.get(at).copied().filter(|start| *start != NONE)?;
        // A unit that is no power of two begins elsewhere in each page.
        let is_there = self.list[page].ready.get(start as usize).is_some_and(|ready| ready.address == address);
        is_there.then_some((page, start))
    }

    /// Makes the instruction at an address ready.
    pub(super) fn add<E: Engine<Op = O>>(
        &mut self,
        engine: &E,
        address: u64,
        (word, bits): (U256, u32),
    ) -> Result<(usize, u32), NotExecutable> {
        let op = engine.prepare(word, bits)?;
        if self.is_full() {
            self.forget();
        }
        let (number, at) = (address / PAGE, ((address % PAGE) / self.unit) as usize);
        let page = *self.pages.entry(number).or_insert_with(|| {
            let starts = vec![NONE; (PAGE.div_ceil(self.unit)) as usize].into_boxed_slice();
            self.list.push(CodePage { number, starts, ready: Vec::new() });
            self.list.len() - 1
        });
        let of = &mut self.list[page];
        let start = of.ready.len() as u32;
        of.starts[at] = start;
        let next = address.wrapping_add(u64::from(bits.div_ceil(8)));
        of.ready.push(Ready { address, next, follow: NONE, op });
        Ok((page, start))
    }
}
