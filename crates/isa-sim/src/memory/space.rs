//! A memory space of a core: its banks and devices, and the rules for accesses.

use super::{Access, Pages, Rules, TroubleKind};
use crate::device::{Device, Refused};
use isa_runtime::machine::SpaceInfo;
use isa_runtime::word::ones;
use std::fmt;
use std::ops::RangeInclusive;

/// A memory space of a core.
pub struct CoreSpace {
    /// One memory, or one for each bank.
    pub banks: Vec<Pages>,
    rules: Rules,
    devices: Vec<Attached>,
    /// The time of an access.
    pub(super) now: u64,
    /// A device was accessed.
    was_asked: bool,
}

/// A device at its addresses, which are not memory.
struct Attached {
    at: RangeInclusive<u64>,
    device: Box<dyn Device>,
    /// The line that it drives.
    line: Option<usize>,
    /// The number of instructions per tick of the device.
    every: u64,
}

impl fmt::Debug for CoreSpace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CoreSpace").field("banks", &self.banks).field("rules", &self.rules).finish_non_exhaustive()
    }
}

impl CoreSpace {
    /// A space of the machine, all zeros; a space without a size extends to the last address.
    pub fn new(space: &SpaceInfo) -> Self {
        let reach = ones(space.address);
        let last = space.size.map_or(reach, |size| size.saturating_sub(1).min(reach));
        let banks = (0..space.banks.unwrap_or(1).max(1)).map(|_| Pages::new(last)).collect();
        Self { banks, rules: Rules::of(space), devices: Vec::new(), now: 0, was_asked: false }
    }

    /// Attaches a device at addresses, which are no longer memory.
    pub(crate) fn attach(&mut self, at: RangeInclusive<u64>, device: Box<dyn Device>, line: Option<usize>, every: u64) {
        self.banks.iter_mut().for_each(|pages| pages.carve(at.clone()));
        self.devices.push(Attached { at, device, line, every: every.max(1) });
    }

    /// The addresses of its devices.
    pub(crate) fn devices(&self) -> impl Iterator<Item = &RangeInclusive<u64>> {
        self.devices.iter().map(|attached| &attached.at)
    }

    /// The signals of its devices: the active lines, and the number of instructions at which they are to be polled again.
    pub(crate) fn signals(&mut self, now: u64) -> (u64, Option<u64>) {
        self.was_asked = false;
        let (mut lines, mut again) = (0, None::<u64>);
        for Attached { device, line, every, .. } in &mut self.devices {
            let signal = device.signal(now / *every);
            if let Some(line) = line.filter(|_| signal.line) {
                lines |= 1 << line;
            }
            let next = signal.again.map(|again| again.saturating_mul(*every).max(now + 1));
            again = again.into_iter().chain(next).min();
        }
        (lines, again)
    }

    /// True if a device was accessed since its signal was polled, or code was written.
    pub(super) fn was_asked(&self) -> bool {
        self.was_asked || self.banks.first().is_some_and(Pages::has_new_code)
    }

    /// Bytes that are found without a search, in little-endian order.
    #[inline(always)]
    pub(super) fn near<const N: usize>(&self, bank: u64, address: u64) -> Option<[u8; N]> {
        let pages = self.banks.get(bank as usize)?;
        if self.rules.big_endian || !self.rules.is_aligned(address, N as u32) {
            return None;
        }
        pages.load(address)
    }

    /// Writes such bytes; returns whether they were found.
    #[inline(always)]
    pub(super) fn put_near<const N: usize>(&mut self, bank: u64, address: u64, value: [u8; N]) -> bool {
        let Rules { read_only, big_endian, .. } = self.rules;
        let is_plain = !read_only && !big_endian && self.rules.is_aligned(address, N as u32);
        is_plain && self.banks.get_mut(bank as usize).is_some_and(|pages| pages.store(address, value))
    }

    pub(super) fn load(&mut self, bank: u64, address: u64, bytes: u32, is_atomic: bool) -> Result<u128, TroubleKind> {
        if is_atomic && address & u64::from(bytes - 1) != 0 || !self.rules.is_aligned(address, bytes) {
            return Err(TroubleKind::Misaligned);
        }
        if let Some(value) = self.use_device(address, bytes, |device, at, now| device.load(at, bytes, now)) {
            return Ok(self.rules.ordered(u128::from(value?), bytes));
        }
        let pages = usize::try_from(bank).ok().and_then(|bank| self.banks.get_mut(bank)).ok_or(TroubleKind::NoBank)?;
        let mut value = [0; 16];
        let read = pages.read(address, &mut value[..bytes as usize], Access::Read);
        read.map_err(|denied| TroubleKind::of(denied, pages.last()))?;
        Ok(self.rules.ordered(u128::from_le_bytes(value), bytes))
    }

    pub(super) fn store(&mut self, bank: u64, address: u64, bytes: u32, value: u128) -> Result<(), TroubleKind> {
        if !self.rules.is_aligned(address, bytes) {
            return Err(TroubleKind::Misaligned);
        }
        if self.rules.read_only {
            return Err(TroubleKind::ReadOnly);
        }
        let value = self.rules.ordered(value & u128::MAX >> (128 - 8 * bytes), bytes);
        if let Some(stored) = self.use_device(address, bytes, |device, at, now| device.store(at, bytes, value as u64, now)) {
            return stored;
        }
        let pages = usize::try_from(bank).ok().and_then(|bank| self.banks.get_mut(bank)).ok_or(TroubleKind::NoBank)?;
        pages.write(address, &value.to_le_bytes()[..bytes as usize]).map_err(|denied| TroubleKind::of(denied, pages.last()))
    }

    /// An access to the device at an address; `None` if there is none.
    fn use_device<T>(
        &mut self,
        address: u64,
        bytes: u32,
        run: impl FnOnce(&mut dyn Device, u64, u64) -> Result<T, Refused>,
    ) -> Option<Result<T, TroubleKind>> {
        let attached = self.devices.iter_mut().find(|attached| attached.at.contains(&address))?;
        let last = address.saturating_add(u64::from(bytes) - 1);
        if !attached.at.contains(&last) {
            return Some(Err(TroubleKind::Unmapped(attached.at.end().saturating_add(1))));
        }
        if bytes > 8 {
            return Some(Err(TroubleKind::Refused(Refused("it has at most 8 bytes at a time"))));
        }
        self.was_asked = true;
        let made = run(&mut *attached.device, address - attached.at.start(), self.now / attached.every);
        Some(made.map_err(TroubleKind::Refused))
    }
}
