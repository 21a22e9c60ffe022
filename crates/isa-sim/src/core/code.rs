//! Code: the words of a program that instructions can't see, and prepared instructions.

use super::Register;
use crate::engine::Engine;
use crate::fault::{FaultKind, NotExecutable};
use crate::memory::{Denied, Pages};
use crate::placed::{self, Misplaced, Placed};
use isa_runtime::U256;
use isa_runtime::machine::Write;
use isa_runtime::word::Units;
use std::collections::{BTreeMap, HashMap};
use std::fmt;

/// A reason why words are not a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadCode {
    /// A word can't be at its address.
    Misplaced(Misplaced),
    /// There is no memory at this address.
    NoMemory(u64),
    /// The limit of bytes that may be written is exceeded.
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

/// The words of a program that is not in memory, by address.
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

/// A prepared instruction.
#[derive(Debug)]
pub(super) struct Ready<O> {
    /// Its address.
    pub(super) address: u64,
    /// The address of the one that follows it.
    pub(super) next: u64,
    /// The number of consecutive instructions from this one on.
    straight: u32,
    /// The number of the instruction executed after it last, unless it is the next one. Code may have been forgotten since: the
    /// address there has to be compared.
    link: u32,
    pub(super) op: O,
}

/// No instruction.
pub(super) const NONE: u32 = u32::MAX;
/// The number of instructions that are kept.
const MOST: usize = 1 << 22;
/// The greatest number of consecutive instructions: each one that is added is counted in all of those before it.
const MOST_STRAIGHT: usize = 64;
/// The number of instructions that are found without a search.
const NEAR: usize = 4096;

/// Prepared instructions, in the order of their first execution.
#[derive(Debug)]
pub(super) struct Code<O> {
    ready: Vec<Ready<O>>,
    numbers: HashMap<u64, u32>,
    /// The numbers found by the last searches, by low bits of addresses.
    near: Box<[u32; NEAR]>,
    /// The first of the instructions that the last one follows without a gap.
    open: usize,
    /// The word of each, and its bits: memory may have changed since.
    words: Vec<(U256, u32)>,
    /// The part of each that traces show, from its first trace on.
    shown: HashMap<u32, Shown>,
}

/// The part of an instruction that traces show.
#[derive(Debug)]
pub(super) struct Shown {
    pub(super) text: String,
    /// The places that it may write, in the order of [`Register`].
    pub(super) writes: Vec<Write>,
}

impl Shown {
    fn of<E: Engine>(engine: &E, (word, bits): (U256, u32), address: u64) -> Self {
        let mut writes = engine.writes(word, bits).unwrap_or_else(|| Register::writes_of_all(engine.machine()));
        writes.sort_unstable();
        writes.dedup();
        Self { text: engine.text(word, bits, address), writes }
    }
}

impl<O> Code<O> {
    pub(super) fn new() -> Self {
        Self {
            ready: Vec::new(),
            numbers: HashMap::new(),
            near: Box::new([NONE; NEAR]),
            open: 0,
            words: Vec::new(),
            shown: HashMap::new(),
        }
    }

    pub(super) fn forget(&mut self) {
        self.ready.clear();
        self.numbers.clear();
        self.words.clear();
        self.shown.clear();
    }

    /// The instruction with a number and those that follow it, at most `most`.
    #[inline(always)]
    pub(super) fn straight(&self, first: u32, most: u64) -> &[Ready<O>] {
        let rest = self.ready.get(first as usize..).unwrap_or_default();
        let count = rest.first().map_or(0, |first| u64::from(first.straight));
        &rest[..count.min(most) as usize]
    }

    /// The word of the prepared instruction at an address.
    pub(super) fn word_at(&self, address: u64) -> Option<(U256, u32)> {
        self.words.get(*self.numbers.get(&address)? as usize).copied()
    }

    /// Keeps what traces show of an instruction.
    pub(super) fn show<E: Engine<Op = O>>(&mut self, number: u32, engine: &E) {
        let Some((ready, word)) = self.ready.get(number as usize).zip(self.words.get(number as usize)) else { return };
        self.shown.entry(number).or_insert_with(|| Shown::of(engine, *word, ready.address));
    }

    /// The word of an instruction that was [shown](Self::show), its bits, and what traces show of it.
    pub(super) fn shown(&self, number: u32) -> Option<((U256, u32), &Shown)> {
        Some((*self.words.get(number as usize)?, self.shown.get(&number)?))
    }

    fn is_at(&self, number: u32, address: u64) -> bool {
        self.ready.get(number as usize).is_some_and(|ready| ready.address == address)
    }

    /// The number of the instruction at an address, if it was the last one executed after another one.
    #[inline(always)]
    pub(super) fn linked(&self, before: u32, address: u64) -> Option<u32> {
        let link = self.ready.get(before as usize)?.link;
        self.is_at(link, address).then_some(link)
    }

    /// The number of the instruction at an address, which is executed after another one.
    pub(super) fn link<E: Engine<Op = O>>(
        &mut self,
        before: u32,
        engine: &E,
        address: u64,
        begins: bool,
        fetch: impl FnOnce() -> Result<(U256, u32), FaultKind>,
    ) -> Result<u32, FaultKind> {
        let number = match self.find(address) {
            Some(number) => number,
            None => self.add(engine, address, fetch()?, begins).map_err(FaultKind::NotExecutable)?,
        };
        if let Some(ready) = self.ready.get_mut(before as usize) {
            ready.link = number;
        }
        Ok(number)
    }

    /// The number of the instruction at an address, if it is prepared.
    fn find(&mut self, address: u64) -> Option<u32> {
        let at = (address / 2) as usize % NEAR;
        if !self.is_at(self.near[at], address) {
            self.near[at] = *self.numbers.get(&address)?;
        }
        Some(self.near[at])
    }

    /// Prepares the instruction at an address. It is not linked to the one before it if it `begins` something.
    fn add<E: Engine<Op = O>>(
        &mut self,
        engine: &E,
        address: u64,
        (word, bits): (U256, u32),
        begins: bool,
    ) -> Result<u32, NotExecutable> {
        let op = engine.prepare(word, bits)?;
        if self.ready.len() >= MOST {
            self.forget();
        }
        let number = self.ready.len();
        let follows = self.ready.last().is_some_and(|before| before.next == address);
        if begins || !follows || number - self.open >= MOST_STRAIGHT {
            self.open = number;
        }
        let next = address.wrapping_add(u64::from(bits.div_ceil(8)));
        self.ready.push(Ready { address, next, straight: 0, link: NONE, op });
        self.ready[self.open..].iter_mut().for_each(|ready| ready.straight += 1);
        self.words.push((word, bits));
        self.numbers.insert(address, number as u32);
        Ok(number as u32)
    }
}
