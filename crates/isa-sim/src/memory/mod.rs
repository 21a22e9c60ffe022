//! Memory as instructions see it, with all accesses checked: spaces of lanes, blocks or a whole grid (`shared`), or those of a
//! core (`pages`, in a `space`).

mod access;
mod pages;
mod shared;
mod space;

use crate::device::Refused;
pub use access::{Access, Denied, Hit, Rights, Watch};
use isa_runtime::machine::{Sharing, SpaceInfo};
pub use pages::{PAGE, Pages};
pub use shared::Memory;
pub use space::CoreSpace;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// An invalid access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// The kind of the error.
    pub kind: TroubleKind,
    /// The space: index into [`MachineInfo::spaces`](super::MachineInfo::spaces).
    pub space: usize,
    /// The bank.
    pub bank: u64,
    /// The address.
    pub address: u64,
    /// Bytes of the access.
    pub bytes: u32,
    /// The size of the memory; `u64::MAX` if it extends to the last address.
    pub size: u64,
    /// The kind of access.
    pub access: Access,
    /// The lanes with invalid accesses: a bit for each. The other fields are about the first of them.
    pub lanes: u64,
}

/// The kind of an invalid access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TroubleKind {
    /// It is not completely inside the memory.
    Outside,
    /// The address is not a multiple of the access.
    Misaligned,
    /// There is no such bank.
    NoBank,
    /// This memory can't be written.
    ReadOnly,
    /// It reads a parameter that the launch does not give.
    MissingParameter,
    /// There is no memory at this address.
    Unmapped(u64),
    /// The memory at this address does not allow the access.
    Protected(u64),
    /// The limit of bytes that may be written is exceeded.
    Full(u64),
    /// The device at the address refuses the access, for this reason.
    Refused(Refused),
}

impl TroubleKind {
    /// The kind of an invalid access to the memory of a core that ends at `last`.
    pub(crate) const fn of(denied: Denied, last: u64) -> Self {
        match denied {
            Denied::Unmapped(at) if at > last => Self::Outside,
            Denied::Unmapped(at) => Self::Unmapped(at),
            Denied::Protected(at) => Self::Protected(at),
            Denied::Full(most) => Self::Full(most),
        }
    }
}

/// A memory space as a warp sees it.
#[derive(Clone, Copy, Debug)]
pub struct Space<'m> {
    /// One memory, one for each bank, or these for each lane in turn.
    pub memories: &'m [Memory],
    /// Every lane has its own.
    pub of_lane: bool,
    /// Banks, at least one.
    pub banks: u32,
    /// The rules for accesses by instructions.
    pub rules: Rules,
}

impl<'m> Space<'m> {
    /// A space of the machine, with its memories.
    pub fn of(space: &SpaceInfo, memories: &'m [Memory]) -> Self {
        let of_lane = space.owner == Sharing::Lane;
        Self { memories, of_lane, banks: space.banks.unwrap_or(1).max(1), rules: Rules::of(space) }
    }
}

/// The rules for accesses to a memory space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// Instructions can only read it.
    pub read_only: bool,
    /// An address need not be a multiple of the size of the access.
    pub unaligned: bool,
    /// The high byte of a number comes first.
    pub big_endian: bool,
}

impl Rules {
    fn of(space: &SpaceInfo) -> Self {
        Self { read_only: space.read_only, unaligned: space.unaligned, big_endian: space.big_endian }
    }

    #[inline(always)]
    fn is_aligned(self, address: u64, bytes: u32) -> bool {
        self.unaligned || address & u64::from(bytes - 1) == 0
    }

    /// Converts between the space's byte order and little-endian.
    fn ordered(self, value: u128, bytes: u32) -> u128 {
        if self.big_endian { value.swap_bytes() >> (128 - 8 * bytes) } else { value }
    }
}

/// The words of a memory that any lane can read or write, looked up once for an instruction.
#[derive(Clone, Copy, Debug)]
pub struct Opened<'m>(&'m [AtomicU32]);

impl<'m> Opened<'m> {
    #[inline(always)]
    fn word(self, address: u64) -> Option<&'m AtomicU32> {
        if address.is_multiple_of(4) { self.0.get((address / 4) as usize) } else { None }
    }
}

/// The spaces of a warp, or those of a core.
#[derive(Debug)]
enum Spaces<'m> {
    Shared(&'m [Space<'m>]),
    Core(&'m mut [CoreSpace]),
}

/// The memory that instructions see. An invalid access reads 0, writes nothing, and is noted.
#[derive(Debug)]
pub struct Memories<'m> {
    spaces: Spaces<'m>,
    /// The memory faults of this instruction, over all lanes.
    trouble: Option<Trouble>,
    /// Watched memory of a core, or a device, was accessed.
    has_hit: bool,
    /// Either of them.
    has_news: bool,
    /// The number of instructions that the core or the warp has executed.
    pub(crate) now: u64,
}

impl<'m> Memories<'m> {
    /// The spaces of a warp, in the order of [`MachineInfo::spaces`](super::MachineInfo::spaces).
    pub const fn new(spaces: &'m [Space<'m>]) -> Self {
        Self { spaces: Spaces::Shared(spaces), trouble: None, has_hit: false, has_news: false, now: 0 }
    }

    /// The spaces of a core, in the same order.
    pub const fn of_core(spaces: &'m mut [CoreSpace]) -> Self {
        Self { spaces: Spaces::Core(spaces), trouble: None, has_hit: false, has_news: false, now: 0 }
    }

    /// True if an access faulted.
    #[inline(always)]
    pub const fn has_trouble(&self) -> bool {
        self.trouble.is_some()
    }

    /// The faults since the last call.
    pub const fn take_trouble(&mut self) -> Option<Trouble> {
        self.has_news = self.has_hit;
        self.trouble.take()
    }

    /// True if watched memory was accessed since the last call.
    pub(crate) const fn take_hit(&mut self) -> bool {
        self.has_news = self.trouble.is_some();
        std::mem::replace(&mut self.has_hit, false)
    }

    /// True if an access needs special treatment.
    #[inline(always)]
    pub(crate) const fn has_news(&self) -> bool {
        self.has_news
    }

    /// The spaces of a core.
    pub(crate) fn core(&mut self) -> &mut [CoreSpace] {
        match &mut self.spaces {
            Spaces::Core(spaces) => spaces,
            Spaces::Shared(_) => &mut [],
        }
    }

    #[inline(always)]
    fn shared(&self) -> &'m [Space<'m>] {
        match &self.spaces {
            Spaces::Shared(spaces) => spaces,
            Spaces::Core(_) => &[],
        }
    }

    #[inline(always)]
    fn memory(&self, space: usize, bank: u64, lane: usize) -> Option<&'m Memory> {
        let space = self.shared().get(space)?;
        if bank >= space.banks.into() {
            return None;
        }
        space.memories.get(bank as usize + if space.of_lane { lane * space.banks as usize } else { 0 })
    }

    fn rules(&self, space: usize) -> Rules {
        self.shared().get(space).map_or_else(Rules::default, |space| space.rules)
    }

    /// The memory of an access, if it is valid.
    #[inline(always)]
    fn find(&mut self, space: usize, bank: u64, lane: usize, address: u64, bytes: u32, write: bool) -> Option<&'m Memory> {
        match self.memory(space, bank, lane) {
            Some(memory)
                if memory.holds(address, bytes)
                    && address.is_multiple_of(bytes.into())
                    && !(if write { self.rules(space).read_only } else { memory.is_missing(address, bytes) }) =>
            {
                if write {
                    memory.fill(address, bytes);
                }
                Some(memory)
            }
            found => {
                let kind = match found {
                    None => TroubleKind::NoBank,
                    Some(_) if write && self.rules(space).read_only => TroubleKind::ReadOnly,
                    Some(memory) if !memory.holds(address, bytes) => TroubleKind::Outside,
                    Some(_) if !address.is_multiple_of(bytes.into()) => TroubleKind::Misaligned,
                    Some(_) => TroubleKind::MissingParameter,
                };
                let access = if write { Access::Write } else { Access::Read };
                let size = found.map_or(0, Memory::size);
                self.note(Trouble { kind, space, bank, address, bytes, size, access, lanes: 1 << lane });
                None
            }
        }
    }

    #[cold]
    fn note(&mut self, found: Trouble) {
        self.has_news = true;
        // Operands are fetched one after the other, each for all lanes: among several faults, the first of the first lane is
        // reported.
        let lanes = self.trouble.map_or(0, |trouble| trouble.lanes);
        match &mut self.trouble {
            Some(trouble) if lanes.trailing_zeros() <= found.lanes.trailing_zeros() => trouble.lanes |= found.lanes,
            _ => self.trouble = Some(Trouble { lanes: lanes | found.lanes, ..found }),
        }
    }

    /// A load from the memory of a core that needs a search, or faults.
    #[cold]
    #[inline(never)]
    fn load_slow(&mut self, space: usize, bank: u64, address: u64, bytes: u32) -> u128 {
        self.slow((space, bank, address, bytes, Access::Read), &mut |of| of.load(bank, address, bytes, false))
    }

    /// A store that needs a search, or faults.
    #[cold]
    #[inline(never)]
    fn store_slow(&mut self, space: usize, bank: u64, address: u64, bytes: u32, value: u128) {
        self.slow((space, bank, address, bytes, Access::Write), &mut |of| of.store(bank, address, bytes, value).map(|()| 0));
    }

    fn slow(
        &mut self,
        (space, bank, address, bytes, access): (usize, u64, u64, u32, Access),
        run: &mut dyn FnMut(&mut CoreSpace) -> Result<u128, TroubleKind>,
    ) -> u128 {
        let Spaces::Core(spaces) = &mut self.spaces else { return 0 };
        let Some(of) = spaces.get_mut(space) else { return 0 };
        of.now = self.now;
        let result = run(of);
        let pages = usize::try_from(bank).ok().and_then(|bank| of.banks.get(bank));
        self.has_hit |= pages.is_some_and(Pages::has_hit) || of.was_asked();
        self.has_news |= self.has_hit;
        let size = pages.map_or(0, |pages| pages.last().saturating_add(1));
        result.unwrap_or_else(|kind| {
            self.note(Trouble { kind, space, bank, address, bytes, size, access, lanes: 1 });
            0
        })
    }

    /// Bytes of the memory of a core.
    #[inline(always)]
    fn load_core<const N: usize>(&mut self, space: usize, bank: u64, address: u64) -> u128 {
        if let Spaces::Core(spaces) = &self.spaces
            && let Some(bytes) = spaces.get(space).and_then(|space| space.near::<N>(bank, address))
        {
            let mut value = [0; 16];
            value[..N].copy_from_slice(&bytes);
            return u128::from_le_bytes(value);
        }
        self.load_slow(space, bank, address, N as u32)
    }

    /// Writes bytes of the memory of a core.
    #[inline(always)]
    fn store_core<const N: usize>(&mut self, space: usize, bank: u64, address: u64, value: u128) {
        if let Spaces::Core(spaces) = &mut self.spaces
            && let Some(of) = spaces.get_mut(space)
            && let Some(bytes) = value.to_le_bytes().first_chunk::<N>()
            && of.put_near(bank, address, *bytes)
        {
            return;
        }
        self.store_slow(space, bank, address, N as u32, value);
    }

    #[inline(always)]
    const fn is_core(&self) -> bool {
        matches!(self.spaces, Spaces::Core(_))
    }

    /// A memory that all lanes share, for accesses of four bytes; empty if lanes have their own, or if an access needs more than
    /// a check of its address.
    #[inline(always)]
    pub fn open(&self, space: usize, bank: u64, write: bool) -> Opened<'m> {
        match self.shared().get(space) {
            Some(of) if !(of.of_lane || write && of.rules.read_only || of.rules.big_endian) => {
                Opened(self.memory(space, bank, 0).map_or(&[], |memory| memory.open(write)))
            }
            _ => Opened(&[]),
        }
    }

    /// Reads four bytes of a space whose memory was opened.
    #[inline(always)]
    pub fn load32_from(&mut self, opened: Opened<'m>, space: usize, bank: u64, lane: usize, address: u64) -> u32 {
        match opened.word(address) {
            Some(word) => word.load(Relaxed),
            None => self.load32(space, bank, lane, address),
        }
    }

    /// Writes four bytes of a space whose memory was opened for writing.
    #[inline(always)]
    pub fn store32_to(&mut self, opened: Opened<'m>, space: usize, bank: u64, lane: usize, address: u64, value: u32) {
        match opened.word(address) {
            Some(word) => word.store(value, Relaxed),
            None => self.store32(space, bank, lane, address, value),
        }
    }

    /// Returns true if an address is a multiple of the size of an access, a power of two; another one is a fault.
    #[inline]
    pub fn is_aligned(&mut self, space: usize, bank: u64, lane: usize, address: u64, bytes: u32, write: bool) -> bool {
        let is_aligned = address & u64::from(bytes - 1) == 0;
        if !is_aligned {
            let access = if write { Access::Write } else { Access::Read };
            let kind = TroubleKind::Misaligned;
            self.note(Trouble { kind, space, bank, address, bytes, size: u64::MAX, access, lanes: 1 << lane });
        }
        is_aligned
    }

    /// Reads `bytes` bytes, a power of two up to 16, from an address that is a multiple of that.
    pub fn load_aligned(&mut self, space: usize, bank: u64, lane: usize, address: u64, bytes: u32) -> u128 {
        if self.is_aligned(space, bank, lane, address, bytes, false) { self.load(space, bank, lane, address, bytes) } else { 0 }
    }

    /// Writes such bytes.
    pub fn store_aligned(&mut self, space: usize, bank: u64, lane: usize, address: u64, bytes: u32, value: u128) {
        if self.is_aligned(space, bank, lane, address, bytes, true) {
            self.store(space, bank, lane, address, bytes, value);
        }
    }

    /// Reads `bytes` bytes, a power of two up to 16.
    #[inline]
    pub fn load(&mut self, space: usize, bank: u64, lane: usize, address: u64, bytes: u32) -> u128 {
        if self.is_core() {
            return match bytes {
                1 => self.load_core::<1>(space, bank, address),
                2 => self.load_core::<2>(space, bank, address),
                4 => self.load_core::<4>(space, bank, address),
                8 => self.load_core::<8>(space, bank, address),
                _ => self.load_core::<16>(space, bank, address),
            };
        }
        self.load_shared(space, bank, lane, address, bytes)
    }

    #[inline]
    fn load_shared(&mut self, space: usize, bank: u64, lane: usize, address: u64, bytes: u32) -> u128 {
        let rules = self.rules(space);
        if rules.unaligned && !address.is_multiple_of(bytes.into()) {
            let byte = |i: u32| self.load_shared(space, bank, lane, address.wrapping_add(i.into()), 1) << (8 * i);
            let value = (0..bytes).map(byte).fold(0, |value, byte| value | byte);
            return rules.ordered(value, bytes);
        }
        let value = self.find(space, bank, lane, address, bytes, false).map_or(0, |memory| memory.get(address, bytes));
        rules.ordered(value, bytes)
    }

    /// Reads four bytes.
    #[inline(never)]
    pub fn load32(&mut self, space: usize, bank: u64, lane: usize, address: u64) -> u32 {
        if self.is_core() {
            return self.load_core::<4>(space, bank, address) as u32;
        }
        self.load_shared(space, bank, lane, address, 4) as u32
    }

    /// Writes `bytes` bytes, a power of two up to 16.
    #[inline]
    pub fn store(&mut self, space: usize, bank: u64, lane: usize, address: u64, bytes: u32, value: u128) {
        if self.is_core() {
            return match bytes {
                1 => self.store_core::<1>(space, bank, address, value),
                2 => self.store_core::<2>(space, bank, address, value),
                4 => self.store_core::<4>(space, bank, address, value),
                8 => self.store_core::<8>(space, bank, address, value),
                _ => self.store_core::<16>(space, bank, address, value),
            };
        }
        self.store_shared(space, bank, lane, address, bytes, value);
    }

    #[inline]
    fn store_shared(&mut self, space: usize, bank: u64, lane: usize, address: u64, bytes: u32, value: u128) {
        let rules = self.rules(space);
        let value = rules.ordered(value & u128::MAX >> (128 - 8 * bytes), bytes);
        if rules.unaligned && !address.is_multiple_of(bytes.into()) {
            for i in 0..bytes {
                self.store_bytes(space, bank, lane, address.wrapping_add(i.into()), 1, value >> (8 * i));
            }
            return;
        }
        self.store_bytes(space, bank, lane, address, bytes, value);
    }

    #[inline]
    fn store_bytes(&mut self, space: usize, bank: u64, lane: usize, address: u64, bytes: u32, value: u128) {
        if let Some(memory) = self.find(space, bank, lane, address, bytes, true) {
            memory.put(address, bytes, value);
        }
    }

    /// Writes four bytes.
    #[inline(never)]
    pub fn store32(&mut self, space: usize, bank: u64, lane: usize, address: u64, value: u32) {
        if self.is_core() {
            return self.store_core::<4>(space, bank, address, value.into());
        }
        self.store_shared(space, bank, lane, address, 4, value.into());
    }

    /// Reads eight bytes.
    #[inline]
    pub fn load64(&mut self, space: usize, bank: u64, lane: usize, address: u64) -> u64 {
        if self.is_core() {
            return self.load_core::<8>(space, bank, address) as u64;
        }
        self.load_shared(space, bank, lane, address, 8) as u64
    }

    /// Writes eight bytes.
    #[inline]
    pub fn store64(&mut self, space: usize, bank: u64, lane: usize, address: u64, value: u64) {
        if self.is_core() {
            return self.store_core::<8>(space, bank, address, value.into());
        }
        self.store_shared(space, bank, lane, address, 8, value.into());
    }

    /// Changes `bytes` bytes, a power of two up to 16, atomically, and returns the old value. `change` may be called more than
    /// once.
    pub fn atomic(
        &mut self,
        space: usize,
        bank: u64,
        lane: usize,
        address: u64,
        bytes: u32,
        change: &mut dyn FnMut(u128) -> u128,
    ) -> u128 {
        if self.is_core() {
            return self.slow((space, bank, address, bytes, Access::Write), &mut |of| {
                let old = of.load(bank, address, bytes, true)?;
                of.store(bank, address, bytes, change(old)).map(|()| old)
            });
        }
        let rules = self.rules(space);
        let mut change = |old: u128| rules.ordered(change(rules.ordered(old, bytes)), bytes);
        let memory = self.find(space, bank, lane, address, bytes, true);
        let old = memory.map_or(0, |memory| memory.change(address, bytes, &mut change));
        rules.ordered(old, bytes)
    }
}

#[cfg(test)]
mod tests;
