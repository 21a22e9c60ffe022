//! A program: its prepared words, found by address.

use crate::engine::Engine;
use crate::fault::NotExecutable;
use crate::placed::{self, Misplaced, Placed};
use isa_runtime::word::Units;

/// Instructions prepared once, by address.
#[derive(Debug)]
pub struct Program<O> {
    pub(super) places: Places,
    /// The instructions to execute, in the order of addresses.
    pub(super) ops: Vec<O>,
}

/// The places of a program's words.
#[derive(Debug)]
pub(super) struct Places {
    base: u64,
    unit: u64,
    /// log2 of the unit's bytes; avoids a division per instruction.
    shift: Option<u32>,
    /// The number of the word that begins at each unit from the base on, instructions first; [`NONE`] if no word does.
    starts: Vec<u32>,
    /// By address.
    instructions: Vec<Ready>,
    /// The words that can't be executed, each with the reason; by address.
    others: Vec<(Placed, NotExecutable)>,
}

/// The place of a prepared instruction.
#[derive(Debug)]
pub(super) struct Ready {
    pub(super) placed: Placed,
    /// The address of the one that follows it.
    pub(super) next: u64,
    /// The number of consecutive instructions in the list without a gap, this one included.
    pub(super) straight: usize,
}

/// No word.
const NONE: u32 = u32::MAX;

/// A reason why words are not a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadProgram {
    /// There are no words.
    Empty,
    /// A word can't be at its address.
    Misplaced(Misplaced),
    /// The addresses are too far apart.
    Scattered,
}

impl std::fmt::Display for BadProgram {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Empty => f.write_str("the program has no words"),
            Self::Misplaced(why) => why.fmt(f),
            Self::Scattered => f.write_str("the words of the program are more than 1 GiB apart"),
        }
    }
}

impl std::error::Error for BadProgram {}

impl From<Misplaced> for BadProgram {
    fn from(why: Misplaced) -> Self {
        Self::Misplaced(why)
    }
}

impl<O> Program<O> {
    /// Prepares words. A word that is not an instruction is no error until it is reached.
    ///
    /// # Errors
    /// When the words can't be at their addresses.
    pub fn new<E: Engine<Op = O>>(engine: &E, words: &[Placed]) -> Result<Self, BadProgram> {
        let mut ops = Vec::new();
        let mut prepare = |placed: &Placed| engine.prepare(placed.word, placed.bits).map(|op| ops.push(op));
        let places = Places::new(engine.machine().units, words, &mut prepare)?;
        Ok(Self { places, ops })
    }

    /// The lowest address.
    pub const fn base(&self) -> u64 {
        self.places.base
    }
}

impl Places {
    /// The places of words, of which those are instructions that `prepare` accepts; it is called in the order of addresses.
    fn new(
        units: Units,
        words: &[Placed],
        prepare: &mut dyn FnMut(&Placed) -> Result<(), NotExecutable>,
    ) -> Result<Self, BadProgram> {
        let unit = units.bytes().max(1) as u64;
        let words = placed::sorted(units, words)?;
        let (first, last) = words.first().zip(words.last()).ok_or(BadProgram::Empty)?;
        let (base, end) = (first.address, last.address.saturating_add(last.bytes()));
        if end - base > 1 << 30 {
            return Err(BadProgram::Scattered);
        }
        let mut places = Self {
            base,
            unit,
            shift: unit.is_power_of_two().then(|| unit.trailing_zeros()),
            starts: vec![NONE; ((end - base).div_ceil(unit)) as usize],
            instructions: Vec::new(),
            others: Vec::new(),
        };
        for placed in words {
            match prepare(&placed) {
                Ok(()) => {
                    places.starts[((placed.address - base) / unit) as usize] = places.instructions.len() as u32;
                    let next = placed.address.saturating_add(placed.bytes());
                    places.instructions.push(Ready { placed, next, straight: 1 });
                }
                Err(why) => places.others.push((placed, why)),
            }
        }
        for (number, (placed, _)) in (places.instructions.len() as u32..).zip(&places.others) {
            places.starts[((placed.address - base) / unit) as usize] = number;
        }
        for i in (1..places.instructions.len()).rev() {
            if places.instructions[i - 1].next == places.instructions[i].placed.address {
                places.instructions[i - 1].straight += places.instructions[i].straight;
            }
        }
        Ok(places)
    }

    /// The number of instructions.
    pub(super) fn len(&self) -> usize {
        self.instructions.len()
    }

    /// An instruction by its number, in the order of addresses.
    pub(super) fn nth(&self, number: usize) -> Option<Placed> {
        self.instructions.get(number).map(|ready| ready.placed)
    }

    /// The lowest address.
    pub(super) const fn base(&self) -> u64 {
        self.base
    }

    /// The number of the word at an address, instructions first; [`NONE`] if no word begins there.
    fn number(&self, pc: u64) -> usize {
        self.start(pc).unwrap_or(NONE) as usize
    }

    /// The entry of `starts` for an address, if it is that of a unit.
    fn start(&self, pc: u64) -> Option<u32> {
        let offset = pc.checked_sub(self.base)?;
        let (at, rest) = match self.shift {
            Some(shift) => (offset >> shift, offset & (self.unit - 1)),
            None => (offset / self.unit, offset % self.unit),
        };
        let at = usize::try_from(at).ok().filter(|_| rest == 0)?;
        self.starts.get(at).copied()
    }

    /// The word at an address that can't be executed, if one begins there.
    fn other(&self, pc: u64) -> Option<&(Placed, NotExecutable)> {
        self.others.get(self.number(pc).checked_sub(self.instructions.len())?)
    }

    /// The word at an address, if one begins there.
    pub(super) fn placed(&self, pc: u64) -> Option<&Placed> {
        let ready = self.instructions.get(self.number(pc)).map(|ready| &ready.placed);
        ready.or_else(|| self.other(pc).map(|(placed, _)| placed))
    }

    /// The reason why the word at an address can't be executed, if there is one that can't.
    pub(super) fn not_executable(&self, pc: u64) -> Option<&NotExecutable> {
        self.other(pc).map(|(_, why)| why)
    }

    /// The number of the instruction at an address, with it and those that follow it without a gap, at most `most`; empty if no
    /// instruction begins there.
    pub(super) fn straight(&self, pc: u64, most: u64) -> (usize, &[Ready]) {
        let number = self.number(pc);
        let rest = self.instructions.get(number..).unwrap_or_default();
        let count = rest.first().map_or(0, |first| first.straight);
        (number, &rest[..count.min(most as usize)])
    }
}
