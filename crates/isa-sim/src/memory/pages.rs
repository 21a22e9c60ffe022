//! The memory of a core: pages that are allocated when they are written.

use super::access::{Access, Denied, Hit, Rights, Watch};
use std::collections::{BTreeMap, HashMap};
use std::ops::RangeInclusive;

/// Bytes of a page.
pub const PAGE: u64 = 4096;
/// The number of pages that are found without a search, for reads and for writes.
const NEAR: usize = 256;
/// The default limit of bytes that may be written; see [`Pages::set_most`].
const MOST: u64 = 1 << 32;
/// The page of all bytes that were never written.
const ZEROS: u32 = 0;

type Page = [u8; PAGE as usize];

/// A page that is found without a search.
#[derive(Clone, Copy, Debug)]
struct Near {
    page: u64,
    slot: u32,
}

/// The absence of a page.
const NOWHERE: Near = Near { page: u64::MAX, slot: ZEROS };

/// Bytes by address. A page is allocated when it is first written; bytes that were never written are 0.
#[derive(Clone, Debug)]
pub struct Pages {
    slots: HashMap<u64, u32>,
    /// The first page has only zeros.
    pages: Vec<Page>,
    free: Vec<u32>,
    reads: Box<[Near; NEAR]>,
    writes: Box<[Near; NEAR]>,
    last: u64,
    /// The ranges of memory by first address, if memory is limited: the last address of each, and its rights.
    ranges: Option<BTreeMap<u64, (u64, Rights)>>,
    /// Bytes of the ranges that can be written.
    writable: u128,
    watches: Vec<Watch>,
    hit: Option<Hit>,
    most: u64,
    /// Bytes of fetched instructions, a bit for each byte of a page, if stores to them are noticed.
    code: HashMap<u64, Box<[u64; (PAGE / 64) as usize]>>,
    /// Such a byte was written.
    has_new_code: bool,
}

impl Pages {
    /// All bytes up to the one at `last`.
    pub fn new(last: u64) -> Self {
        Self {
            slots: HashMap::new(),
            pages: vec![[0; PAGE as usize]],
            free: Vec::new(),
            reads: Box::new([NOWHERE; NEAR]),
            writes: Box::new([NOWHERE; NEAR]),
            last,
            ranges: None,
            writable: 0,
            watches: Vec::new(),
            hit: None,
            most: MOST,
            code: HashMap::new(),
            has_new_code: false,
        }
    }

    /// The address of the last byte.
    pub fn last(&self) -> u64 {
        self.last
    }

    /// Bytes of the pages that were written.
    pub fn written(&self) -> u64 {
        self.slots.len() as u64 * PAGE
    }

    /// The maximum of [`written`](Self::written).
    pub fn most(&self) -> u64 {
        self.most
    }

    /// Sets the limit of the bytes of written pages.
    pub fn set_most(&mut self, bytes: u64) {
        self.most = bytes;
    }

    #[inline(always)]
    fn near(table: &[Near; NEAR], page: u64) -> Option<usize> {
        let near = table[page as usize % NEAR];
        (near.page == page).then_some(near.slot as usize)
    }

    /// Bytes of one page, if they are found without a search.
    #[inline(always)]
    pub(super) fn load<const N: usize>(&self, address: u64) -> Option<[u8; N]> {
        let page = self.pages.get(Self::near(&self.reads, address / PAGE)?)?;
        let at = (address % PAGE) as usize;
        page.get(at..at + N)?.try_into().ok()
    }

    /// Writes bytes of one page, if they are found without a search; returns whether they were.
    #[inline(always)]
    pub(super) fn store<const N: usize>(&mut self, address: u64, value: [u8; N]) -> bool {
        let Some(slot) = Self::near(&self.writes, address / PAGE) else { return false };
        let at = (address % PAGE) as usize;
        let Some(bytes) = self.pages.get_mut(slot).and_then(|page| page.get_mut(at..at + N)) else { return false };
        bytes.copy_from_slice(&value);
        true
    }

    /// Reads bytes as an instruction does.
    ///
    /// # Errors
    /// When some of them do not exist, or can't be read.
    #[cold]
    pub fn read(&mut self, address: u64, bytes: &mut [u8], access: Access) -> Result<(), Denied> {
        self.ask(address, bytes.len() as u64, access)?;
        self.copy(address, bytes);
        if access == Access::Read {
            self.notice(address, bytes.len() as u32, access);
        }
        if self.is_whole(address / PAGE, Access::Read) {
            let slot = self.slots.get(&(address / PAGE)).copied().unwrap_or(ZEROS);
            self.reads[(address / PAGE) as usize % NEAR] = Near { page: address / PAGE, slot };
        }
        Ok(())
    }

    /// Writes bytes as an instruction does: all of them or none.
    ///
    /// # Errors
    /// When some of them do not exist, or can't be written.
    #[cold]
    pub fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), Denied> {
        self.ask(address, bytes.len() as u64, Access::Write)?;
        self.put(address, bytes)?;
        self.notice(address, bytes.len() as u32, Access::Write);
        if !self.code.is_empty() && (0..bytes.len() as u64).any(|byte| self.is_code(address.wrapping_add(byte))) {
            self.has_new_code = true;
            self.code.clear();
        }
        if self.is_whole(address / PAGE, Access::Write)
            && let Some(slot) = self.slots.get(&(address / PAGE))
        {
            self.writes[(address / PAGE) as usize % NEAR] = Near { page: address / PAGE, slot: *slot };
        }
        Ok(())
    }

    /// Reads bytes regardless of access rights.
    ///
    /// # Errors
    /// When some of them do not exist.
    pub fn peek(&self, address: u64, bytes: &mut [u8]) -> Result<(), Denied> {
        self.reaches(address, bytes.len() as u64)?;
        self.copy(address, bytes);
        Ok(())
    }

    /// Writes bytes regardless of access rights: all of them or none.
    ///
    /// # Errors
    /// When some of them do not exist.
    pub fn poke(&mut self, address: u64, bytes: &[u8]) -> Result<(), Denied> {
        self.reaches(address, bytes.len() as u64)?;
        self.put(address, bytes)
    }

    fn copy(&self, address: u64, bytes: &mut [u8]) {
        for (at, part) in parts(address, bytes.len()) {
            let slot = self.slots.get(&(at / PAGE)).copied().unwrap_or(ZEROS);
            let from = (at % PAGE) as usize;
            let to = &mut bytes[part.clone()];
            to.copy_from_slice(&self.pages[slot as usize][from..from + part.len()]);
        }
    }

    fn put(&mut self, address: u64, bytes: &[u8]) -> Result<(), Denied> {
        let new = parts(address, bytes.len()).filter(|(at, _)| !self.slots.contains_key(&(at / PAGE))).count() as u64;
        if new > 0 && self.written().saturating_add(new * PAGE) > self.most {
            return Err(Denied::Full(self.most));
        }
        for (at, part) in parts(address, bytes.len()) {
            let slot = self.slot(at / PAGE) as usize;
            let from = (at % PAGE) as usize;
            self.pages[slot][from..from + part.len()].copy_from_slice(&bytes[part]);
        }
        Ok(())
    }

    /// The slot of a page for writing.
    fn slot(&mut self, page: u64) -> u32 {
        if let Some(slot) = self.slots.get(&page) {
            return *slot;
        }
        let slot = self.free.pop().unwrap_or_else(|| {
            self.pages.push([0; PAGE as usize]);
            self.pages.len() as u32 - 1
        });
        self.slots.insert(page, slot);
        // Earlier reads found zeros.
        self.reads[page as usize % NEAR] = NOWHERE;
        slot
    }

    /// Checks that `bytes` bytes are inside the memory.
    fn reaches(&self, address: u64, bytes: u64) -> Result<(), Denied> {
        let Some(more) = bytes.checked_sub(1) else { return Ok(()) };
        let last = address.checked_add(more).filter(|last| *last <= self.last);
        let last = last.ok_or(Denied::Unmapped(address.max(self.last.saturating_add(1))))?;
        self.each(address, last, |_| true)
    }

    /// Checks an access.
    fn ask(&self, address: u64, bytes: u64, access: Access) -> Result<(), Denied> {
        let Some(more) = bytes.checked_sub(1) else { return Ok(()) };
        let last = address.checked_add(more).filter(|last| *last <= self.last);
        let last = last.ok_or(Denied::Unmapped(address.max(self.last.saturating_add(1))))?;
        self.each(address, last, |rights| rights.allow(access))
    }

    /// Checks each range that contains some of the addresses.
    fn each(&self, first: u64, last: u64, is_good: impl Fn(Rights) -> bool) -> Result<(), Denied> {
        if self.ranges.is_none() {
            return Ok(());
        }
        let mut at = first;
        loop {
            let (end, rights) = self.range(at).ok_or(Denied::Unmapped(at))?;
            if !is_good(rights) {
                return Err(Denied::Protected(at));
            }
            if end >= last {
                return Ok(());
            }
            at = end + 1;
        }
    }

    /// The last address of the range that contains an address, and its rights.
    pub fn range(&self, address: u64) -> Option<(u64, Rights)> {
        let Some(ranges) = &self.ranges else { return (address <= self.last).then_some((self.last, Rights::ALL)) };
        let (_, range) = ranges.range(..=address).next_back()?;
        (address <= range.0).then_some(*range)
    }

    /// The first range that contains an address or begins after it, and its rights.
    pub fn next_range(&self, address: u64) -> Option<(RangeInclusive<u64>, Rights)> {
        let Some(ranges) = &self.ranges else { return self.range(address).map(|(last, rights)| (0..=last, rights)) };
        let before = ranges.range(..=address).next_back().filter(|(_, range)| address <= range.0);
        let (first, (last, rights)) = before.or_else(|| ranges.range(address..).next())?;
        Some((*first..=*last, *rights))
    }

    /// The ranges, from the lowest up.
    pub fn ranges(&self) -> Vec<(RangeInclusive<u64>, Rights)> {
        match &self.ranges {
            None => vec![(0..=self.last, Rights::ALL)],
            Some(ranges) => ranges.iter().map(|(first, (last, rights))| (*first..=*last, *rights)).collect(),
        }
    }

    /// The number of ranges.
    pub fn range_count(&self) -> usize {
        self.ranges.as_ref().map_or(1, BTreeMap::len)
    }

    /// Bytes that can be written.
    pub fn writable(&self) -> u64 {
        u64::try_from(self.all_writable()).unwrap_or(u64::MAX)
    }

    fn all_writable(&self) -> u128 {
        if self.ranges.is_some() { self.writable } else { u128::from(self.last) + 1 }
    }

    /// Removes all memory: only ranges that are mapped later exist.
    pub fn clear(&mut self) {
        (self.ranges, self.writable) = (Some(BTreeMap::new()), 0);
        (self.slots, self.free) = (HashMap::new(), Vec::new());
        self.pages = vec![[0; PAGE as usize]];
        self.forget();
    }

    /// Maps memory at these addresses; existing contents stay, with the new rights.
    pub fn map(&mut self, at: RangeInclusive<u64>, rights: Rights) {
        if let Some(ranges) = &mut self.ranges
            && !at.is_empty()
        {
            self.writable -= cut(ranges, &at);
            self.writable += if rights.write { bytes(*at.start(), *at.end()) } else { 0 };
            let (mut first, mut last) = (*at.start(), *at.end());
            // Neighbours with the same rights become one range.
            if let Some((start, range)) = ranges.range(..first).next_back().map(|(start, range)| (*start, *range))
                && range == (first.wrapping_sub(1), rights)
            {
                ranges.remove(&start);
                first = start;
            }
            if let Some(next) = last.checked_add(1)
                && let Some((end, same)) = ranges.get(&next).copied()
                && same == rights
            {
                ranges.remove(&next);
                last = end;
            }
            ranges.insert(first, (last, rights));
            self.forget();
        }
    }

    /// Limits the memory to these addresses and those of earlier calls.
    pub fn give(&mut self, at: RangeInclusive<u64>, rights: Rights) {
        if self.ranges.is_none() {
            self.ranges = Some(BTreeMap::new());
        }
        self.map(at, rights);
    }

    /// Removes the memory at these addresses, even if all addresses are memory.
    pub(super) fn carve(&mut self, at: RangeInclusive<u64>) {
        self.writable = self.all_writable();
        self.ranges.get_or_insert_with(|| BTreeMap::from([(0, (self.last, Rights::ALL))]));
        self.unmap(at);
    }

    /// Unmaps the memory at these addresses, and drops its contents.
    pub fn unmap(&mut self, at: RangeInclusive<u64>) {
        if let Some(ranges) = &mut self.ranges
            && !at.is_empty()
        {
            self.writable -= cut(ranges, &at);
            self.discard(at);
        }
    }

    /// Drops the contents of the whole pages at these addresses: they are zeros again.
    pub fn discard(&mut self, at: RangeInclusive<u64>) {
        for page in self.written_within(&at) {
            if let Some(slot) = self.slots.remove(&page) {
                self.pages[slot as usize].fill(0);
                self.free.push(slot);
            }
        }
        self.forget();
    }

    /// Moves the contents of the whole pages at these addresses to another one, a multiple of [`PAGE`], and leaves zeros. The
    /// ranges and their rights stay as they are.
    pub fn transfer(&mut self, at: RangeInclusive<u64>, to: u64) {
        let from = at.start() / PAGE;
        let pages = self.written_within(&at);
        let slots: Vec<(u64, u32)> = pages.iter().filter_map(|page| Some((*page, self.slots.remove(page)?))).collect();
        for (page, slot) in slots {
            let target = (to / PAGE).wrapping_add(page - from) & (u64::MAX / PAGE);
            if let Some(old) = self.slots.insert(target, slot) {
                self.pages[old as usize].fill(0);
                self.free.push(old);
            }
        }
        self.forget();
    }

    /// The written pages that are completely at these addresses.
    fn written_within(&self, at: &RangeInclusive<u64>) -> Vec<u64> {
        let first = at.start().div_ceil(PAGE);
        let end = if at.end() % PAGE == PAGE - 1 { at.end() / PAGE + 1 } else { at.end() / PAGE };
        if end.saturating_sub(first) < self.slots.len() as u64 {
            (first..end).filter(|page| self.slots.contains_key(page)).collect()
        } else {
            self.slots.keys().copied().filter(|page| (first..end).contains(page)).collect()
        }
    }

    /// Records the bytes of an instruction, so that stores to them are noticed.
    pub(crate) fn note_code(&mut self, address: u64, bytes: u64) {
        for at in (0..bytes).map(|byte| address.wrapping_add(byte)) {
            let (page, byte) = (at / PAGE, at % PAGE);
            let bits = self.code.entry(page).or_insert_with(|| {
                self.writes[page as usize % NEAR] = NOWHERE;
                Box::new([0; (PAGE / 64) as usize])
            });
            bits[(byte / 64) as usize] |= 1 << (byte % 64);
        }
    }

    /// True if code was written since the last call.
    pub(crate) fn take_new_code(&mut self) -> bool {
        std::mem::take(&mut self.has_new_code)
    }

    /// True if code was written.
    pub(super) const fn has_new_code(&self) -> bool {
        self.has_new_code
    }

    /// Watches some memory: accesses to it are recorded.
    pub fn watch(&mut self, watch: Watch) {
        self.watches.push(watch);
        self.forget();
    }

    /// Stops watching this memory.
    pub fn unwatch(&mut self, watch: &Watch) {
        self.watches.retain(|known| known != watch);
        self.forget();
    }

    /// The access to watched memory since the last call.
    pub fn take_hit(&mut self) -> Option<Hit> {
        self.hit.take()
    }

    /// True if watched memory was accessed.
    #[inline(always)]
    pub(super) fn has_hit(&self) -> bool {
        self.hit.is_some()
    }

    #[cold]
    fn notice(&mut self, address: u64, bytes: u32, access: Access) {
        let hit = Hit { address, bytes, access };
        if self.hit.is_none() && self.watches.iter().any(|watch| watch.sees(&hit)) {
            self.hit = Some(hit);
        }
    }

    /// Drops the cached pages.
    fn forget(&mut self) {
        self.reads.fill(NOWHERE);
        self.writes.fill(NOWHERE);
    }

    fn is_code(&self, at: u64) -> bool {
        self.code.get(&(at / PAGE)).is_some_and(|bits| bits[(at % PAGE / 64) as usize] >> (at % 64) & 1 != 0)
    }

    /// True if a whole page allows such accesses, and none of it is watched.
    fn is_whole(&self, page: u64, access: Access) -> bool {
        let (first, last) = (page * PAGE, page * PAGE + (PAGE - 1));
        let whole = self.range(first).is_some_and(|(end, rights)| end >= last && rights.allow(access));
        let is_free = access != Access::Write || !self.code.contains_key(&page);
        is_free && last <= self.last && whole && !self.watches.iter().any(|watch| watch.meets(first, last))
    }
}

/// The number of bytes from one address to another.
fn bytes(first: u64, last: u64) -> u128 {
    u128::from(last - first) + 1
}

/// Removes addresses from ranges; returns how many of them could be written.
fn cut(ranges: &mut BTreeMap<u64, (u64, Rights)>, at: &RangeInclusive<u64>) -> u128 {
    let (first, last) = (*at.start(), *at.end());
    // Ranges don't overlap: at most one begins before and reaches as far.
    let before = ranges.range(..first).next_back().filter(|(_, range)| range.0 >= first).map(|(start, _)| *start);
    let touched: Vec<u64> = before.into_iter().chain(ranges.range(first..=last).map(|(start, _)| *start)).collect();
    let mut writable = 0;
    for start in touched {
        let Some((end, rights)) = ranges.remove(&start) else { continue };
        writable += if rights.write { bytes(start.max(first), end.min(last)) } else { 0 };
        if start < first {
            ranges.insert(start, (first - 1, rights));
        }
        if end > last {
            ranges.insert(last + 1, (end, rights));
        }
    }
    writable
}

/// Splits bytes at the ends of pages: the address of each part, and its range in the bytes.
fn parts(address: u64, bytes: usize) -> impl Iterator<Item = (u64, std::ops::Range<usize>)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let here = address.wrapping_add(at as u64);
        let size = ((PAGE - here % PAGE) as usize).min(bytes - at);
        let part = at..at + size;
        at += size;
        (size > 0).then_some((here, part))
    })
}

#[cfg(test)]
mod tests;
