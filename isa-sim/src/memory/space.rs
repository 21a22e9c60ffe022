//! A memory space of a core: its banks, and how instructions use them.

use super::{Access, Pages, Rules, TroubleKind};
use isa_runtime::machine::SpaceInfo;
use isa_runtime::word::ones;

/// A memory space of a core.
#[derive(Clone, Debug)]
pub struct CoreSpace {
    /// One memory, or one for each bank.
    pub banks: Vec<Pages>,
    rules: Rules,
}

impl CoreSpace {
    /// A space of the machine, all zeros; of a space without a size, everything that addresses reach.
    pub fn new(space: &SpaceInfo) -> Self {
        let reach = ones(space.address);
        let last = space.size.map_or(reach, |size| size.saturating_sub(1).min(reach));
        let banks = (0..space.banks.unwrap_or(1).max(1)).map(|_| Pages::new(last)).collect();
        Self { banks, rules: Rules::of(space) }
    }

    /// Bytes that are found without a search, and whose order is that of numbers.
    #[inline(always)]
    pub(super) fn near<const N: usize>(&self, bank: u64, address: u64) -> Option<[u8; N]> {
        let pages = self.banks.get(bank as usize)?;
        if self.rules.big_endian || !self.rules.is_aligned(address, N as u32) {
            return None;
        }
        pages.load(address)
    }

    /// Writes such bytes; whether they were found.
    #[inline(always)]
    pub(super) fn put_near<const N: usize>(&mut self, bank: u64, address: u64, value: [u8; N]) -> bool {
        let Rules { read_only, big_endian, .. } = self.rules;
        let is_plain = !read_only && !big_endian && self.rules.is_aligned(address, N as u32);
        is_plain && self.banks.get_mut(bank as usize).is_some_and(|pages| pages.store(address, value))
    }

    pub(super) fn load(&mut self, bank: u64, address: u64, bytes: u32, is_atomic: bool) -> Result<u128, TroubleKind> {
        let pages = usize::try_from(bank).ok().and_then(|bank| self.banks.get_mut(bank)).ok_or(TroubleKind::NoBank)?;
        if is_atomic && address & u64::from(bytes - 1) != 0 || !self.rules.is_aligned(address, bytes) {
            return Err(TroubleKind::Misaligned);
        }
        let mut value = [0; 16];
        let read = pages.read(address, &mut value[..bytes as usize], Access::Read);
        read.map_err(|denied| TroubleKind::of(denied, pages.last()))?;
        Ok(self.rules.ordered(u128::from_le_bytes(value), bytes))
    }

    pub(super) fn store(&mut self, bank: u64, address: u64, bytes: u32, value: u128) -> Result<(), TroubleKind> {
        let pages = usize::try_from(bank).ok().and_then(|bank| self.banks.get_mut(bank)).ok_or(TroubleKind::NoBank)?;
        if !self.rules.is_aligned(address, bytes) {
            return Err(TroubleKind::Misaligned);
        }
        if self.rules.read_only {
            return Err(TroubleKind::ReadOnly);
        }
        let value = self.rules.ordered(value & u128::MAX >> (128 - 8 * bytes), bytes).to_le_bytes();
        pages.write(address, &value[..bytes as usize]).map_err(|denied| TroubleKind::of(denied, pages.last()))
    }
}
