//! Memory as the evaluator sees it: that of the simulator, or one that exists from its first use on.

use isa_sim::{MachineInfo, Memories, Sharing, SpaceInfo, TroubleKind};
use isa_spec::semantics::arith::{ones, or, shl, shr};
use isa_spec::semantics::int::Int;
use std::collections::BTreeMap;

/// A place in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Address {
    /// Index of the space.
    pub space: usize,
    /// The bank; 0 in a space without banks.
    pub bank: u64,
    /// The lane that wants it.
    pub lane: usize,
    /// In bytes.
    pub address: u64,
}

/// Memory, for one lane at a time. Invalid accesses read 0 and write nothing.
pub(super) trait Memory {
    /// Returns true if the address is a multiple of the size; another one is an invalid access.
    fn is_aligned(&mut self, at: Address, bytes: u32, write: bool) -> bool;
    fn load(&mut self, at: Address, bytes: u32) -> Int;
    fn store(&mut self, at: Address, bytes: u32, value: Int);
    /// Puts there what `change` makes of what was there, and returns the latter.
    fn update(&mut self, at: Address, bytes: u32, change: &dyn Fn(Int) -> Int) -> Int;
    /// True if some access was invalid.
    fn has_trouble(&self) -> bool;
}

/// The memory of the simulator, which records faults itself.
impl Memory for Memories<'_> {
    fn is_aligned(&mut self, at: Address, bytes: u32, write: bool) -> bool {
        Memories::is_aligned(self, at.space, at.bank, at.lane, at.address, bytes, write)
    }

    fn load(&mut self, at: Address, bytes: u32) -> Int {
        Int::from(Memories::load(self, at.space, at.bank, at.lane, at.address, bytes))
    }

    fn store(&mut self, at: Address, bytes: u32, value: Int) {
        Memories::store(self, at.space, at.bank, at.lane, at.address, bytes, value.low_u128());
    }

    fn update(&mut self, at: Address, bytes: u32, change: &dyn Fn(Int) -> Int) -> Int {
        let mut change = |old| change(Int::from(old)).low_u128();
        Int::from(self.atomic(at.space, at.bank, at.lane, at.address, bytes, &mut change))
    }

    fn has_trouble(&self) -> bool {
        Memories::has_trouble(self)
    }
}

/// Memory of which every byte is 0 until something is written there: for one instruction, without a launch that says how much there is.
#[derive(Clone, Debug)]
pub struct Scratch {
    spaces: Vec<SpaceInfo>,
    bytes: BTreeMap<Address, u8>,
    /// By space, bank and lane, the end of what was read or written.
    reach: BTreeMap<(usize, u64, usize), u64>,
    /// The invalid accesses.
    pub faults: Vec<AccessFault>,
}

/// An invalid access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccessFault {
    /// The kind of fault.
    pub kind: TroubleKind,
    /// The place.
    pub at: Address,
    /// Bytes of the access.
    pub bytes: u32,
}

impl Scratch {
    /// The memories of a machine, all 0.
    pub fn new(info: &MachineInfo) -> Self {
        Self { spaces: info.spaces.clone(), bytes: BTreeMap::new(), reach: BTreeMap::new(), faults: Vec::new() }
    }

    /// The number at a place.
    pub fn get(&self, at: Address, bytes: u32) -> Int {
        let byte = |i: u32| u128::from(self.bytes.get(&self.own(at, i)).copied().unwrap_or(0));
        (0..bytes).fold(Int::default(), |value, i| or(value, shl(Int::from(byte(self.place(at, bytes, i))), 8 * u64::from(i))))
    }

    /// Puts a number somewhere.
    pub fn set(&mut self, at: Address, bytes: u32, value: Int) {
        for i in 0..bytes {
            let to = self.own(at, self.place(at, bytes, i));
            self.bytes.insert(to, shr(value, 8 * u64::from(i)).low() as u8);
        }
    }

    /// The offset from the address of the byte with weight 256^i.
    fn place(&self, at: Address, bytes: u32, i: u32) -> u32 {
        if self.spaces[at.space].big_endian { bytes - 1 - i } else { i }
    }

    /// The end of what was read or written.
    pub(super) fn reach(&self, space: usize, bank: u64, lane: usize) -> u64 {
        self.reach.get(&(space, bank, lane)).copied().unwrap_or(0)
    }

    pub(super) fn reaches(&self) -> impl Iterator<Item = u64> {
        self.reach.values().copied()
    }

    /// Every byte that was written.
    pub fn all(&self) -> impl Iterator<Item = (Address, u8)> {
        self.bytes.iter().map(|(at, byte)| (*at, *byte))
    }

    /// The byte at an offset from an address; only memory of a lane depends on the lane.
    fn own(&self, at: Address, ahead: u32) -> Address {
        let lane = if self.spaces[at.space].owner == Sharing::Lane { at.lane } else { 0 };
        Address { lane, address: at.address.wrapping_add(ahead.into()), ..at }
    }

    /// True if an access can be; says what is wrong if not.
    fn check(&mut self, at: Address, bytes: u32, write: bool, is_atomic: bool) -> bool {
        let space = &self.spaces[at.space];
        let last = at.address.checked_add(u64::from(bytes) - 1);
        let size = space.size.unwrap_or(u64::MAX).min(ones(space.address).low().saturating_add(1));
        let kind = match () {
            () if (is_atomic || !space.unaligned) && !at.address.is_multiple_of(bytes.into()) => TroubleKind::Misaligned,
            () if at.bank >= space.banks.unwrap_or(1).into() => TroubleKind::NoBank,
            () if last.is_none_or(|l| l >= size && size != u64::MAX) => TroubleKind::Outside,
            () if write && space.read_only => TroubleKind::ReadOnly,
            () => {
                let own = self.own(at, 0);
                let reach = self.reach.entry((own.space, own.bank, own.lane)).or_default();
                *reach = (*reach).max(at.address.saturating_add(bytes.into()));
                return true;
            }
        };
        self.faults.push(AccessFault { kind, at, bytes });
        false
    }
}

impl Memory for Scratch {
    fn is_aligned(&mut self, at: Address, bytes: u32, _: bool) -> bool {
        let is_aligned = at.address.is_multiple_of(bytes.into());
        if !is_aligned {
            self.faults.push(AccessFault { kind: TroubleKind::Misaligned, at, bytes });
        }
        is_aligned
    }

    fn load(&mut self, at: Address, bytes: u32) -> Int {
        if self.check(at, bytes, false, false) { self.get(at, bytes) } else { Int::default() }
    }

    fn store(&mut self, at: Address, bytes: u32, value: Int) {
        if self.check(at, bytes, true, false) {
            self.set(at, bytes, value);
        }
    }

    fn update(&mut self, at: Address, bytes: u32, change: &dyn Fn(Int) -> Int) -> Int {
        if !self.check(at, bytes, true, true) {
            return Int::default();
        }
        let old = self.get(at, bytes);
        self.set(at, bytes, change(old));
        old
    }

    fn has_trouble(&self) -> bool {
        !self.faults.is_empty()
    }
}
