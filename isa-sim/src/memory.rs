//! Memory: spaces that lanes, blocks or the whole grid have, all of it checked.

use isa_runtime::machine::{Sharing, SpaceInfo};
use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock};

/// A piece of memory, in bytes from 0 up, the low byte first. Several threads may use it: what they write at once to one place is
/// one of the values.
#[derive(Debug, Default)]
pub struct Memory {
    /// All are 0 until one is written: most lanes never write what they have for themselves.
    words: OnceLock<Box<[AtomicU32]>>,
    size: u64,
    /// Held while more than one word is changed.
    wide: Mutex<()>,
    /// Bytes that a launch should have initialised and did not: from this address on, until one is written.
    missing: AtomicU64,
    /// The address after the last of them.
    missing_end: u64,
}

impl Memory {
    /// So many bytes of zeros.
    pub fn new(size: u64) -> Self {
        Self { words: OnceLock::new(), size, wide: Mutex::new(()), missing: AtomicU64::new(0), missing_end: 0 }
    }

    /// The words, if one was written.
    #[inline(always)]
    fn read(&self) -> &[AtomicU32] {
        self.words.get().map_or(&[], |words| words)
    }

    /// The words, of which one is to be written.
    #[inline(always)]
    fn written(&self) -> &[AtomicU32] {
        self.words.get_or_init(|| (0..self.size.div_ceil(4)).map(|_| AtomicU32::new(0)).collect())
    }

    /// Has reading these bytes be an error, until one of them is written.
    pub(super) fn set_missing(&mut self, bytes: Range<u64>) {
        self.missing = AtomicU64::new(bytes.start);
        self.missing_end = bytes.end;
    }

    /// Whether some of these bytes have no value.
    #[inline(always)]
    fn is_missing(&self, address: u64, bytes: u32) -> bool {
        address < self.missing_end && address + u64::from(bytes) > self.missing.load(Relaxed)
    }

    /// Bytes get values.
    #[inline(always)]
    fn fill(&self, address: u64, bytes: u32) {
        if self.is_missing(address, bytes) {
            self.missing.store(u64::MAX, Relaxed);
        }
    }

    /// Its size in bytes.
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// Whether so many bytes from `address` on are inside.
    #[inline(always)]
    fn holds(&self, address: u64, bytes: u32) -> bool {
        address.checked_add(bytes.into()).is_some_and(|end| end <= self.size)
    }

    /// The bytes from `address` on; `None` if some are outside.
    pub fn bytes(&self, address: u64, count: u64) -> Option<Vec<u8>> {
        let end = address.checked_add(count).filter(|end| *end <= self.size)?;
        let word = |at: u64| self.read().get((at / 4) as usize).map_or(0, |word| word.load(Relaxed));
        Some((address..end).map(|at| (word(at) >> (8 * (at % 4))) as u8).collect())
    }

    /// Writes bytes; `false` if some would be outside.
    pub fn set_bytes(&self, address: u64, bytes: &[u8]) -> bool {
        let inside = address.checked_add(bytes.len() as u64).is_some_and(|end| end <= self.size);
        if inside {
            for (at, byte) in (address..).zip(bytes) {
                self.put(at, 1, (*byte).into());
            }
        }
        inside
    }

    /// Some bytes of one word, or whole words; all inside.
    #[inline]
    fn get(&self, address: u64, bytes: u32) -> u128 {
        let words = self.read().get((address / 4) as usize..).unwrap_or_default();
        if bytes < 4 {
            let shift = 8 * (address % 4) as u32;
            let word = words.first().map_or(0, |word| word.load(Relaxed));
            return u128::from(word >> shift & !(u32::MAX << (8 * bytes)));
        }
        let words = words.iter().take(bytes as usize / 4).enumerate();
        words.fold(0, |value, (i, word)| value | u128::from(word.load(Relaxed)) << (32 * i))
    }

    #[inline]
    fn put(&self, address: u64, bytes: u32, value: u128) {
        let at = (address / 4) as usize;
        if bytes < 4 {
            let shift = 8 * (address % 4) as u32;
            let mask = !(u32::MAX << (8 * bytes)) << shift;
            let change = |old| Some(old & !mask | (value as u32) << shift & mask);
            // It gives what it is asked for.
            let _ = self.written()[at].fetch_update(Relaxed, Relaxed, change);
            return;
        }
        for (i, word) in self.written()[at..].iter().take(bytes as usize / 4).enumerate() {
            word.store((value >> (32 * i)) as u32, Relaxed);
        }
    }

    fn change(&self, address: u64, bytes: u32, mut change: impl FnMut(u128) -> u128) -> u128 {
        let at = (address / 4) as usize;
        if bytes <= 4 {
            let shift = 8 * (address % 4) as u32;
            let mask = (u32::MAX >> (32 - 8 * bytes)) << shift;
            let new = |old: u32| old & !mask | (change(u128::from((old & mask) >> shift)) as u32) << shift & mask;
            let mut new = new;
            let old = self.written()[at].fetch_update(Relaxed, Relaxed, |old| Some(new(old))).unwrap_or_default();
            return u128::from((old & mask) >> shift);
        }
        let _held = self.wide.lock();
        let old = self.get(address, bytes);
        self.put(address, bytes, change(old));
        old
    }
}

/// An invalid access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// What is wrong.
    pub kind: TroubleKind,
    /// The space: index into [`MachineInfo::spaces`](super::MachineInfo::spaces).
    pub space: usize,
    /// The bank.
    pub bank: u64,
    /// The address.
    pub address: u64,
    /// Bytes of the access.
    pub bytes: u32,
    /// The size of the memory.
    pub size: u64,
    /// It was a write.
    pub write: bool,
    /// The lanes whose accesses cannot be: a bit for each. The rest is about the first of them.
    pub lanes: u64,
}

/// What is wrong with an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TroubleKind {
    /// It is not all inside of the memory.
    Outside,
    /// The address is not a multiple of the access.
    Misaligned,
    /// There is no such bank.
    NoBank,
    /// This memory is not written to.
    ReadOnly,
    /// A parameter is read that the launch does not give.
    MissingParameter,
}

/// A memory space as a warp sees it.
#[derive(Clone, Copy, Debug)]
pub struct Space<'m> {
    /// One, one for each bank, or so many for each lane.
    pub memories: &'m [Memory],
    /// Every lane has its own.
    pub of_lane: bool,
    /// Banks, at least one.
    pub banks: u32,
    /// Instructions only read it.
    pub read_only: bool,
}

impl<'m> Space<'m> {
    /// A space of the machine, with its memories.
    pub fn of(space: &SpaceInfo, memories: &'m [Memory]) -> Self {
        let of_lane = space.owner == Sharing::Lane;
        Self { memories, of_lane, banks: space.banks.unwrap_or(1).max(1), read_only: space.read_only }
    }
}

/// The words of a memory that any lane can read or write, found once for an instruction.
#[derive(Clone, Copy, Debug)]
pub struct Opened<'m>(&'m [AtomicU32]);

impl<'m> Opened<'m> {
    #[inline(always)]
    fn word(self, address: u64) -> Option<&'m AtomicU32> {
        if address.is_multiple_of(4) { self.0.get((address / 4) as usize) } else { None }
    }
}

/// The memory that a warp sees. An access that cannot be reads 0, writes nothing, and is noted.
#[derive(Debug)]
pub struct Memories<'m> {
    spaces: &'m [Space<'m>],
    /// What cannot be, of all lanes of this instruction.
    trouble: Option<Trouble>,
}

impl<'m> Memories<'m> {
    /// The spaces, in the order of [`MachineInfo::spaces`](super::MachineInfo::spaces).
    pub const fn new(spaces: &'m [Space<'m>]) -> Self {
        Self { spaces, trouble: None }
    }

    /// Whether anything could not be.
    #[inline(always)]
    pub const fn has_trouble(&self) -> bool {
        self.trouble.is_some()
    }

    /// What could not be since this was last asked.
    pub const fn take_trouble(&mut self) -> Option<Trouble> {
        self.trouble.take()
    }

    #[inline(always)]
    fn memory(&self, space: usize, bank: u64, lane: usize) -> Option<&'m Memory> {
        let space = self.spaces.get(space)?;
        if bank >= space.banks.into() {
            return None;
        }
        space.memories.get(bank as usize + if space.of_lane { lane * space.banks as usize } else { 0 })
    }

    /// The memory, if the access can be.
    #[inline(always)]
    fn find(&mut self, space: usize, bank: u64, lane: usize, address: u64, bytes: u32, write: bool) -> Option<&'m Memory> {
        match self.memory(space, bank, lane) {
            Some(memory)
                if memory.holds(address, bytes)
                    && address.is_multiple_of(bytes.into())
                    && !(if write { self.spaces[space].read_only } else { memory.is_missing(address, bytes) }) =>
            {
                if write {
                    memory.fill(address, bytes);
                }
                Some(memory)
            }
            found => {
                self.note(space, bank, lane, address, bytes, write, found);
                None
            }
        }
    }

    #[cold]
    #[allow(clippy::too_many_arguments)]
    fn note(&mut self, space: usize, bank: u64, lane: usize, address: u64, bytes: u32, write: bool, memory: Option<&Memory>) {
        // Operands are fetched one after the other, each for all lanes: of several faults, the first of the first lane is reported.
        let lanes = self.trouble.map_or(0, |trouble| trouble.lanes);
        if let Some(trouble) = &mut self.trouble
            && lanes.trailing_zeros() <= lane as u32
        {
            trouble.lanes |= 1 << lane;
            return;
        }
        let kind = match memory {
            None => TroubleKind::NoBank,
            Some(_) if write && self.spaces.get(space).is_some_and(|s| s.read_only) => TroubleKind::ReadOnly,
            Some(memory) if !memory.holds(address, bytes) => TroubleKind::Outside,
            Some(_) if !address.is_multiple_of(bytes.into()) => TroubleKind::Misaligned,
            Some(_) => TroubleKind::MissingParameter,
        };
        let size = memory.map_or(0, Memory::size);
        self.trouble = Some(Trouble { kind, space, bank, address, bytes, size, write, lanes: lanes | 1 << lane });
    }

    /// A memory that all lanes share, for accesses of four bytes; an empty one where lanes have their own, or where the access needs more
    /// than a look at its address.
    #[inline(always)]
    pub fn open(&self, space: usize, bank: u64, write: bool) -> Opened<'m> {
        match self.spaces.get(space) {
            Some(of) if !(of.of_lane || write && of.read_only) => match self.memory(space, bank, 0) {
                Some(memory) => {
                    let missing = if memory.missing_end == 0 { u64::MAX } else { memory.missing.load(Relaxed) };
                    let words = (memory.size.min(missing) / 4) as usize;
                    let all = if write { memory.written() } else { memory.read() };
                    Opened(all.get(..words).unwrap_or_default())
                }
                None => Opened(&[]),
            },
            _ => Opened(&[]),
        }
    }

    /// Four bytes of a space whose memory was opened.
    #[inline(always)]
    pub fn load32_from(&mut self, opened: Opened<'m>, space: usize, bank: u64, lane: usize, address: u64) -> u32 {
        match opened.word(address) {
            Some(word) => word.load(Relaxed),
            None => self.load32(space, bank, lane, address),
        }
    }

    /// Writes four bytes of a space whose memory was opened to be written.
    #[inline(always)]
    pub fn store32_to(&mut self, opened: Opened<'m>, space: usize, bank: u64, lane: usize, address: u64, value: u32) {
        match opened.word(address) {
            Some(word) => word.store(value, Relaxed),
            None => self.store32(space, bank, lane, address, value),
        }
    }

    /// So many bytes, a power of two up to 16.
    #[inline]
    pub fn load(&mut self, space: usize, bank: u64, lane: usize, address: u64, bytes: u32) -> u128 {
        self.find(space, bank, lane, address, bytes, false).map_or(0, |memory| memory.get(address, bytes))
    }

    /// Four bytes.
    #[inline(never)]
    pub fn load32(&mut self, space: usize, bank: u64, lane: usize, address: u64) -> u32 {
        let found = self.find(space, bank, lane, address, 4, false);
        let word = found.and_then(|memory| memory.read().get((address / 4) as usize));
        word.map_or(0, |word| word.load(Relaxed))
    }

    /// Writes so many bytes, a power of two up to 16.
    #[inline]
    pub fn store(&mut self, space: usize, bank: u64, lane: usize, address: u64, bytes: u32, value: u128) {
        if let Some(memory) = self.find(space, bank, lane, address, bytes, true) {
            memory.put(address, bytes, value);
        }
    }

    /// Writes four bytes.
    #[inline(never)]
    pub fn store32(&mut self, space: usize, bank: u64, lane: usize, address: u64, value: u32) {
        if let Some(memory) = self.find(space, bank, lane, address, 4, true) {
            memory.written()[(address / 4) as usize].store(value, Relaxed);
        }
    }

    /// Eight bytes.
    #[inline]
    pub fn load64(&mut self, space: usize, bank: u64, lane: usize, address: u64) -> u64 {
        let found = self.find(space, bank, lane, address, 8, false);
        match found.and_then(|memory| memory.read().get((address / 4) as usize..)) {
            Some([low, high, ..]) => u64::from(low.load(Relaxed)) | u64::from(high.load(Relaxed)) << 32,
            _ => 0,
        }
    }

    /// Writes eight bytes.
    #[inline]
    pub fn store64(&mut self, space: usize, bank: u64, lane: usize, address: u64, value: u64) {
        let found = self.find(space, bank, lane, address, 8, true);
        if let Some([low, high, ..]) = found.and_then(|memory| memory.written().get((address / 4) as usize..)) {
            low.store(value as u32, Relaxed);
            high.store((value >> 32) as u32, Relaxed);
        }
    }

    /// Changes so many bytes, a power of two up to 16, while no other thread does, and gives what was there. `change` may be
    /// asked more than once.
    pub fn atomic(
        &mut self,
        space: usize,
        bank: u64,
        lane: usize,
        address: u64,
        bytes: u32,
        change: impl FnMut(u128) -> u128,
    ) -> u128 {
        self.find(space, bank, lane, address, bytes, true).map_or(0, |memory| memory.change(address, bytes, change))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(size: u64, read_only: bool, test: impl FnOnce(&mut Memories<'_>)) {
        let memories = [Memory::new(size), Memory::new(size)];
        let spaces = [Space { memories: &memories, of_lane: false, banks: 2, read_only }];
        test(&mut Memories::new(&spaces));
    }

    #[test]
    fn bytes_stand_low_first() {
        with(32, false, |m| {
            m.store(0, 0, 0, 8, 8, 0x1122_3344_5566_7788);
            m.store(0, 0, 0, 9, 1, 0xaa);
            m.store(0, 0, 0, 10, 2, 0xbbcc);
            assert_eq!(m.load(0, 0, 0, 8, 8), 0x1122_3344_bbcc_aa88);
            assert_eq!((m.load(0, 0, 0, 15, 1), m.load(0, 0, 0, 12, 2), m.load32(0, 0, 0, 12)), (0x11, 0x3344, 0x1122_3344));
            m.store(0, 0, 0, 16, 16, u128::MAX - 1);
            assert_eq!(m.load(0, 0, 0, 16, 16), u128::MAX - 1);
            assert_eq!(m.load(0, 1, 0, 8, 8), 0);
            assert_eq!(m.take_trouble(), None);
        });
    }

    #[test]
    fn atomics_give_what_was_there() {
        with(32, false, |m| {
            for (address, bytes) in [(0, 4), (5, 1), (6, 2), (8, 8), (16, 16)] {
                assert_eq!(m.atomic(0, 0, 0, address, bytes, |old| old + 0x7f), 0);
                assert_eq!(m.atomic(0, 0, 0, address, bytes, |old| old + 1), 0x7f);
                assert_eq!(m.load(0, 0, 0, address, bytes), 0x80);
            }
            assert_eq!(m.load(0, 0, 0, 4, 1), 0);
        });
    }

    #[test]
    fn what_cannot_be_is_noted() {
        with(10, false, |m| {
            let mut kind = |access: &dyn Fn(&mut Memories<'_>)| {
                access(m);
                m.take_trouble().map(|t| (t.kind, t.lanes, t.size))
            };
            assert_eq!(kind(&|m| assert_eq!(m.load32(0, 0, 3, 8), 0)), Some((TroubleKind::Outside, 8, 10)));
            assert_eq!(kind(&|m| m.store(0, 0, 0, u64::MAX, 1, 0)), Some((TroubleKind::Outside, 1, 10)));
            assert_eq!(kind(&|m| m.store32(0, 0, 0, 2, 0)), Some((TroubleKind::Misaligned, 1, 10)));
            assert_eq!(kind(&|m| assert_eq!(m.load(0, 2, 0, 0, 1), 0)), Some((TroubleKind::NoBank, 1, 0)));
            let twice = |m: &mut Memories<'_>| {
                m.store32(0, 0, 1, 2, 0);
                m.store32(0, 0, 2, 64, 0);
            };
            assert_eq!(kind(&twice), Some((TroubleKind::Misaligned, 6, 10)));
        });
        with(16, true, |m| {
            m.store32(0, 0, 0, 0, 1);
            assert_eq!(m.take_trouble().map(|t| (t.kind, t.write)), Some((TroubleKind::ReadOnly, true)));
        });
    }
}
