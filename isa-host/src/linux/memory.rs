//! The memory of a program: its heap, mappings, and access rights.

use super::errno::{Errno, Outcome};
use super::files::Shared;
use super::{Arguments, Linux};
use isa_sim::{Guest, PAGE, Pages, Rights};
use std::ops::RangeInclusive;

const READ: u64 = 1;
const WRITE: u64 = 2;
const EXECUTE: u64 = 4;
/// Kinds of mappings.
const SHARED: u64 = 1;
const PRIVATE: u64 = 2;
const VALIDATED: u64 = 3;
const FIXED: u64 = 0x10;
const ANONYMOUS: u64 = 0x20;
const NO_REPLACE: u64 = 0x10_0000;
/// Flags of `mremap`.
const MAY_MOVE: u64 = 1;
const MOVE_TO: u64 = 2;
/// `MADV_DONTNEED`, `MADV_FREE`
const DONT_NEED: u64 = 4;
/// The limit of ranges with rights of their own.
const MOST_RANGES: usize = 1 << 16;
/// The number of bytes of a file read at once.
const CHUNK: usize = 1 << 16;

/// The addresses of the heap, of mappings, and the end of all.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// The beginning of the heap, and its end.
    pub(super) heap: (u64, u64),
    /// The lowest address of mappings unless a program insists.
    pub(super) low: u64,
    /// The address below which mappings are placed.
    pub(super) top: u64,
    /// The end of all addresses.
    pub(super) end: u64,
}

/// A part of a file whose changes are written back.
pub(super) struct Mapping<'h> {
    at: RangeInclusive<u64>,
    file: Shared<'h>,
    offset: u64,
}

/// The memory, for mapping where no code is.
fn pages<'g>(guest: &'g mut Guest<'_>) -> Result<&'g mut Pages, Errno> {
    guest.pages().ok_or(Errno::ENOMEM)
}

/// Maps memory with these rights, or unmaps it; code that was there is fetched again.
fn map(guest: &mut Guest<'_>, at: RangeInclusive<u64>, rights: Option<Rights>) -> Result<(), Errno> {
    let has_code = rights.is_some_and(|rights| rights.execute) || holds_code(pages(guest)?, &at);
    let memory = if has_code { guest.memory().ok_or(Errno::ENOMEM)? } else { pages(guest)? };
    match rights {
        Some(rights) => memory.map(at, rights),
        None => memory.unmap(at),
    }
    Ok(())
}

fn holds_code(pages: &Pages, at: &RangeInclusive<u64>) -> bool {
    each_range(pages, at).any(|(_, rights)| rights.execute)
}

/// The ranges that overlap some addresses, cut off at both ends.
fn each_range(pages: &Pages, at: &RangeInclusive<u64>) -> impl Iterator<Item = (RangeInclusive<u64>, Rights)> {
    let (end, mut next) = (*at.end(), Some(*at.start()));
    std::iter::from_fn(move || {
        let from = next.filter(|from| *from <= end)?;
        let (range, rights) = pages.next_range(from).filter(|(range, _)| *range.start() <= end)?;
        next = range.end().checked_add(1);
        Some((from.max(*range.start())..=end.min(*range.end()), rights))
    })
}

fn is_free(pages: &Pages, at: &RangeInclusive<u64>) -> bool {
    each_range(pages, at).next().is_none()
}

fn is_mapped(pages: &Pages, at: &RangeInclusive<u64>) -> bool {
    let mut next = Some(*at.start());
    for (range, _) in each_range(pages, at) {
        if next != Some(*range.start()) {
            return false;
        }
        next = range.end().checked_add(1);
    }
    next.is_none_or(|next| next > *at.end())
}

/// Returns true if `bytes` more bytes may be mapped.
fn has_room(pages: &Pages, bytes: u64) -> bool {
    let ranges = pages.ranges();
    let used: u64 = ranges.iter().filter(|(_, rights)| rights.write).map(|(range, _)| range.end() - range.start() + 1).sum();
    ranges.len() < MOST_RANGES && used.saturating_add(bytes) <= pages.most()
}

fn rights(protection: u64) -> Rights {
    let write = protection & WRITE != 0;
    // Read, write and execute permissions are not independent: memory that can be written or executed can be read.
    Rights { read: protection & (READ | WRITE | EXECUTE) != 0, write, execute: protection & EXECUTE != 0 }
}

impl Layout {
    /// Whole pages at an address, if they are inside.
    fn range(&self, address: u64, bytes: u64) -> Option<RangeInclusive<u64>> {
        let size = bytes.checked_next_multiple_of(PAGE)?;
        let last = address.checked_add(size.checked_sub(1)?)?;
        (last < self.end).then_some(address..=last)
    }

    /// Free addresses for `bytes` bytes, the highest ones.
    fn find(&self, pages: &Pages, bytes: u64) -> Option<RangeInclusive<u64>> {
        let size = bytes.checked_next_multiple_of(PAGE)?;
        let mut end = self.top;
        let fits = |end: u64| end.checked_sub(size).filter(|start| *start >= self.low);
        for (range, _) in pages.ranges().iter().rev() {
            let behind = range.end().saturating_add(1).next_multiple_of(PAGE);
            match fits(end) {
                Some(start) if start >= behind => break,
                _ => end = end.min(range.start() / PAGE * PAGE),
            }
        }
        fits(end).map(|start| start..=end - 1)
    }
}

/// `brk(end)`
pub(super) fn brk(linux: &mut Linux<'_>, guest: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let (first, old) = linux.layout.heap;
    let new = of.values[0];
    if new < first || new > linux.layout.end {
        return Ok(old);
    }
    let (old_end, new_end) = (old.next_multiple_of(PAGE), new.next_multiple_of(PAGE));
    if new_end > old_end {
        let at = old_end..=new_end - 1;
        if !is_free(pages(guest)?, &at) || !has_room(pages(guest)?, new_end - old_end) {
            return Ok(old);
        }
        map(guest, at, Some(rights(READ | WRITE)))?;
    } else if new_end < old_end {
        map(guest, new_end..=old_end - 1, None)?;
    }
    linux.layout.heap.1 = new;
    Ok(new)
}

/// `mmap(address, size, protection, flags, file, offset)`, in bytes
pub(super) fn mmap(linux: &mut Linux<'_>, guest: &mut Guest<'_>, of: &Arguments) -> Outcome {
    map_file(linux, guest, of, of.values[5])
}

/// `mmap2(address, size, protection, flags, file, offset)`, in pages
pub(super) fn mmap2(linux: &mut Linux<'_>, guest: &mut Guest<'_>, of: &Arguments) -> Outcome {
    map_file(linux, guest, of, of.values[5].saturating_mul(PAGE))
}

fn map_file(linux: &mut Linux<'_>, guest: &mut Guest<'_>, of: &Arguments, offset: u64) -> Outcome {
    let [hint, bytes, protection, flags, file, _] = of.values;
    let kind = flags & 0xf;
    let is_file = flags & ANONYMOUS == 0;
    if bytes == 0 || ![SHARED, PRIVATE, VALIDATED].contains(&kind) || !offset.is_multiple_of(PAGE) {
        return Err(Errno::EINVAL.into());
    }
    let file = if is_file { Some(linux.files.get(file)?) } else { None };
    let is_shared = kind != PRIVATE;
    if let Some(file) = &file {
        file.borrow().can_map(is_shared && protection & WRITE != 0)?;
    }
    let asked = linux.layout.range(hint, bytes);
    let at = if flags & (FIXED | NO_REPLACE) != 0 {
        if hint % PAGE != 0 {
            return Err(Errno::EINVAL.into());
        }
        let at = asked.ok_or(Errno::ENOMEM)?;
        if flags & NO_REPLACE != 0 && !is_free(pages(guest)?, &at) {
            return Err(Errno::EEXIST.into());
        }
        at
    } else {
        let memory = pages(guest)?;
        let is_good = hint % PAGE == 0 && hint >= linux.layout.low;
        let hinted = asked.filter(|at| is_good && is_free(memory, at));
        hinted.or_else(|| linux.layout.find(memory, bytes)).ok_or(Errno::ENOMEM)?
    };
    let allowed = rights(protection);
    let size = at.end() - at.start() + 1;
    if !has_room(pages(guest)?, if allowed.write { size } else { 0 }) {
        return Err(Errno::ENOMEM.into());
    }
    unmap(linux, guest, at.clone())?;
    map(guest, at.clone(), Some(allowed))?;
    if let Some(file) = file {
        if let Err(errno) = fill(guest, &file, *at.start(), bytes, offset) {
            map(guest, at, None)?;
            return Err(errno.into());
        }
        if is_shared && protection & WRITE != 0 {
            linux.mappings.push(Mapping { at: at.clone(), file, offset });
        }
    }
    Ok(*at.start())
}

/// Reads a file into memory, with zeros after its end.
fn fill(guest: &mut Guest<'_>, file: &Shared<'_>, address: u64, bytes: u64, offset: u64) -> Result<(), Errno> {
    let mut chunk = vec![0; CHUNK];
    let (mut done, whole) = (0, bytes.next_multiple_of(PAGE));
    while done < whole {
        let size = (whole - done).min(CHUNK as u64) as usize;
        let count = file.borrow_mut().read_at(&mut chunk[..size], offset.saturating_add(done))?;
        if count == 0 {
            break;
        }
        pages(guest)?.poke(address + done, &chunk[..count])?;
        done += count as u64;
    }
    Ok(())
}

/// Unmaps memory.
fn unmap(linux: &mut Linux<'_>, guest: &mut Guest<'_>, at: RangeInclusive<u64>) -> Result<(), Errno> {
    linux.write_back(guest, &at);
    forget_files(linux, &at);
    map(guest, at, None)
}

/// Stops writing changes at these addresses to files.
fn forget_files(linux: &mut Linux<'_>, at: &RangeInclusive<u64>) {
    let (first, last) = (*at.start(), *at.end());
    let mut rest = Vec::new();
    for mapping in std::mem::take(&mut linux.mappings) {
        let Mapping { at: own, file, offset } = mapping;
        if last < *own.start() || first > *own.end() {
            rest.push(Mapping { at: own, file, offset });
            continue;
        }
        if *own.start() < first {
            rest.push(Mapping { at: *own.start()..=first - 1, file: file.clone(), offset });
        }
        if *own.end() > last {
            let offset = offset + (last + 1 - own.start());
            rest.push(Mapping { at: last + 1..=*own.end(), file, offset });
        }
    }
    linux.mappings = rest;
}

impl Linux<'_> {
    /// Writes changes at some addresses to the files mapped there.
    fn write_back(&self, guest: &mut Guest<'_>, at: &RangeInclusive<u64>) {
        let Some(pages) = guest.pages() else { return };
        let mut chunk = vec![0; if self.mappings.is_empty() { 0 } else { CHUNK }];
        for mapping in &self.mappings {
            let (first, last) = (*at.start().max(mapping.at.start()), *at.end().min(mapping.at.end()));
            let mut next = first;
            while next <= last {
                let size = (last - next + 1).min(CHUNK as u64);
                let offset = mapping.offset + (next - mapping.at.start());
                let bytes = &mut chunk[..size as usize];
                // A file is not extended by writes after its end. No call is left that could report an error.
                if pages.peek(next, bytes).is_err() || !mapping.file.borrow_mut().replace_at(bytes, offset) {
                    break;
                }
                next += size;
            }
        }
    }

    /// The same for all of them, at the end.
    pub(super) fn write_mappings_back(&self, guest: &mut Guest<'_>) {
        self.write_back(guest, &(0..=u64::MAX));
    }
}

/// `munmap(address, size)`
pub(super) fn munmap(linux: &mut Linux<'_>, guest: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let [address, bytes, ..] = of.values;
    let at = linux.layout.range(address, bytes).filter(|_| address % PAGE == 0).ok_or(Errno::EINVAL)?;
    unmap(linux, guest, at)?;
    Ok(0)
}

/// The addresses of a call for whole pages; `None` for no bytes.
fn aligned(linux: &Linux<'_>, address: u64, bytes: u64) -> Result<Option<RangeInclusive<u64>>, Errno> {
    if !address.is_multiple_of(PAGE) {
        return Err(Errno::EINVAL);
    }
    if bytes == 0 {
        return Ok(None);
    }
    linux.layout.range(address, bytes).map(Some).ok_or(Errno::ENOMEM)
}

/// `mprotect(address, size, protection)`
pub(super) fn mprotect(linux: &mut Linux<'_>, guest: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let [address, bytes, protection, ..] = of.values;
    let Some(at) = aligned(linux, address, bytes)? else { return Ok(0) };
    let memory = pages(guest)?;
    if !is_mapped(memory, &at) || memory.ranges().len() >= MOST_RANGES {
        return Err(Errno::ENOMEM.into());
    }
    map(guest, at, Some(rights(protection)))?;
    Ok(0)
}

/// `madvise(address, size, advice)`
pub(super) fn madvise(linux: &mut Linux<'_>, guest: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let [address, bytes, advice, ..] = of.values;
    let Some(at) = aligned(linux, address, bytes)? else { return Ok(0) };
    let memory = pages(guest)?;
    if !is_mapped(memory, &at) {
        return Err(Errno::ENOMEM.into());
    }
    match advice & 0xffff_ffff {
        DONT_NEED => {
            // The pages of a mapped file would have to be read again.
            let is_file = linux.mappings.iter().any(|mapping| mapping.at.start() <= at.end() && at.start() <= mapping.at.end());
            if !is_file && !holds_code(memory, &at) {
                memory.discard(at);
            }
            Ok(0)
        }
        0..=3 | 8..=25 => Ok(0),
        _ => Err(Errno::EINVAL.into()),
    }
}

/// `msync(address, size, flags)`
pub(super) fn msync(linux: &mut Linux<'_>, guest: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let [address, bytes, flags, ..] = of.values;
    // Synchronous or not, and perhaps with an invalidation of other mappings.
    if flags & !7 != 0 || flags & 5 == 5 {
        return Err(Errno::EINVAL.into());
    }
    let Some(at) = aligned(linux, address, bytes)? else { return Ok(0) };
    if !is_mapped(pages(guest)?, &at) {
        return Err(Errno::ENOMEM.into());
    }
    linux.write_back(guest, &at);
    Ok(0)
}

/// `mremap(address, size, new size, flags, new address)`
pub(super) fn mremap(linux: &mut Linux<'_>, guest: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let [address, old, new, flags, target, _] = of.values;
    let is_moved = flags & MOVE_TO != 0;
    if address % PAGE != 0 || old == 0 || new == 0 || flags & !(MAY_MOVE | MOVE_TO) != 0 || is_moved && flags & MAY_MOVE == 0 {
        return Err(Errno::EINVAL.into());
    }
    let at = linux.layout.range(address, old).ok_or(Errno::EFAULT)?;
    let wanted = linux.layout.range(address, new);
    let memory = pages(guest)?;
    let allowed = match memory.range(address) {
        Some((last, rights)) if last >= *at.end() => rights,
        _ => return Err(Errno::EFAULT.into()),
    };
    let size = new.checked_next_multiple_of(PAGE).ok_or(Errno::ENOMEM)?;
    let grows_by = size.saturating_sub(at.end() - at.start() + 1);
    if grows_by > 0 && allowed.write && !has_room(memory, grows_by) {
        return Err(Errno::ENOMEM.into());
    }
    if !is_moved {
        if grows_by == 0 {
            if let Some(rest) = (address + size).checked_sub(1).filter(|last| last < at.end()) {
                unmap(linux, guest, rest + 1..=*at.end())?;
            }
            return Ok(address);
        }
        if let Some(wanted) = wanted
            && is_free(memory, &(at.end() + 1..=*wanted.end()))
            && !linux.mappings.iter().any(|mapping| mapping.at.contains(&address))
        {
            map(guest, at.end() + 1..=*wanted.end(), Some(allowed))?;
            return Ok(address);
        }
        if flags & MAY_MOVE == 0 {
            return Err(Errno::ENOMEM.into());
        }
    }
    let to = if is_moved {
        let to = linux.layout.range(target, new).filter(|_| target % PAGE == 0).ok_or(Errno::EINVAL)?;
        if to.start() <= at.end() && at.start() <= to.end() {
            return Err(Errno::EINVAL.into());
        }
        unmap(linux, guest, to.clone())?;
        to
    } else {
        linux.layout.find(memory, new).ok_or(Errno::ENOMEM)?
    };
    map(guest, to.clone(), Some(allowed))?;
    // The part that is cut off does not move.
    let kept = address..=address + (at.end() - at.start()).min(to.end() - to.start());
    let mut moved = Vec::new();
    for mapping in linux.mappings.iter().filter(|mapping| mapping.at.start() <= kept.end() && kept.start() <= mapping.at.end()) {
        let (first, last) = (*mapping.at.start().max(kept.start()), *mapping.at.end().min(kept.end()));
        let offset = mapping.offset + (first - mapping.at.start());
        let start = to.start() + (first - address);
        moved.push(Mapping { at: start..=start + (last - first), file: mapping.file.clone(), offset });
    }
    linux.write_back(guest, &at);
    forget_files(linux, &at);
    pages(guest)?.transfer(kept, *to.start());
    map(guest, at, None)?;
    linux.mappings.extend(moved);
    Ok(*to.start())
}
