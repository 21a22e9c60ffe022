//! The memory of a program: its heap, mappings, and access rights.

use super::errno::{Errno, Outcome};
use super::files::Shared;
use super::free::Free;
use super::{Arguments, Linux};
use isa_sim::{Guest, PAGE, Pages, Rights};
use std::collections::BTreeMap;
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
/// The limit of ranges with rights of their own, as distributions of Linux set it.
const MOST_RANGES: usize = 1 << 20;
/// The number of bytes of a file read at once.
const CHUNK: usize = 1 << 16;

/// The addresses of the heap, of mappings, and the end of all.
#[derive(Debug)]
pub(super) struct Layout {
    /// The beginning of the heap, and its end.
    pub(super) heap: (u64, u64),
    /// The lowest address of mappings unless a program insists.
    pub(super) low: u64,
    /// The free addresses from there on, below those that stay free for the stack.
    pub(super) free: Free,
    /// The end of all addresses.
    pub(super) end: u64,
}

/// A part of a file whose changes are written back, by the first of its addresses in memory.
pub(super) struct Mapping<'h> {
    last: u64,
    file: Shared<'h>,
    offset: u64,
}

/// The mapped parts of files, which don't overlap.
pub(super) type Mappings<'h> = BTreeMap<u64, Mapping<'h>>;

/// The mapped parts of files at some addresses: the addresses, and the offset of the first.
fn mapped<'m, 'h>(
    mappings: &'m Mappings<'h>,
    at: &RangeInclusive<u64>,
) -> impl Iterator<Item = (RangeInclusive<u64>, &'m Shared<'h>, u64)> + use<'m, 'h> {
    let (first, last) = (*at.start(), *at.end());
    let from = mappings.range(..=first).next_back().map_or(first, |(start, _)| *start);
    let within = mappings.range(from..=last).filter(move |(_, mapping)| mapping.last >= first);
    within.map(move |(start, mapping)| {
        let cut = first.max(*start);
        (cut..=last.min(mapping.last), &mapping.file, mapping.offset + (cut - start))
    })
}

/// The memory, for mapping where no code is.
fn pages<'g>(guest: &'g mut Guest<'_>) -> Result<&'g mut Pages, Errno> {
    guest.pages().ok_or(Errno::ENOMEM)
}

/// Maps memory with these rights, or unmaps it; code that was there is fetched again.
fn map(linux: &mut Linux<'_>, guest: &mut Guest<'_>, at: RangeInclusive<u64>, rights: Option<Rights>) -> Result<(), Errno> {
    linux.layout.free.set(&at, rights.is_none());
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
    pages.range_count() < MOST_RANGES && pages.writable().saturating_add(bytes) <= pages.most()
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
        map(linux, guest, at, Some(rights(READ | WRITE)))?;
    } else if new_end < old_end {
        map(linux, guest, new_end..=old_end - 1, None)?;
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
        hinted.or_else(|| linux.layout.free.find(bytes)).ok_or(Errno::ENOMEM)?
    };
    let allowed = rights(protection);
    let size = at.end() - at.start() + 1;
    if !has_room(pages(guest)?, if allowed.write { size } else { 0 }) {
        return Err(Errno::ENOMEM.into());
    }
    unmap(linux, guest, at.clone())?;
    map(linux, guest, at.clone(), Some(allowed))?;
    if let Some(file) = file {
        if let Err(errno) = fill(guest, &file, *at.start(), bytes, offset) {
            map(linux, guest, at, None)?;
            return Err(errno.into());
        }
        if is_shared && protection & WRITE != 0 {
            linux.mappings.insert(*at.start(), Mapping { last: *at.end(), file, offset });
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
    map(linux, guest, at, None)
}

/// Stops writing changes at these addresses to files.
fn forget_files(linux: &mut Linux<'_>, at: &RangeInclusive<u64>) {
    let (first, last) = (*at.start(), *at.end());
    let touched: Vec<u64> = mapped(&linux.mappings, at).map(|(part, ..)| *part.start()).collect();
    for part in touched {
        let Some((start, mut mapping)) = linux
            .mappings
            .range(..=part)
            .next_back()
            .map(|(start, _)| *start)
            .and_then(|start| Some((start, linux.mappings.remove(&start)?)))
        else {
            continue;
        };
        if mapping.last > last {
            let offset = mapping.offset + (last + 1 - start);
            linux.mappings.insert(last + 1, Mapping { last: mapping.last, file: mapping.file.clone(), offset });
        }
        if start < first {
            mapping.last = first - 1;
            linux.mappings.insert(start, mapping);
        }
    }
}

impl Linux<'_> {
    /// Writes changes at some addresses to the files mapped there.
    fn write_back(&self, guest: &mut Guest<'_>, at: &RangeInclusive<u64>) {
        let Some(pages) = guest.pages() else { return };
        let mut chunk = vec![0; if self.mappings.is_empty() { 0 } else { CHUNK }];
        for (part, file, offset) in mapped(&self.mappings, at) {
            let mut next = *part.start();
            while next <= *part.end() {
                let size = (part.end() - next + 1).min(CHUNK as u64);
                let bytes = &mut chunk[..size as usize];
                // A file is not extended by writes after its end. No call is left that could report an error.
                if pages.peek(next, bytes).is_err() || !file.borrow_mut().replace_at(bytes, offset + (next - part.start())) {
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
    if !is_mapped(memory, &at) || memory.range_count() >= MOST_RANGES {
        return Err(Errno::ENOMEM.into());
    }
    map(linux, guest, at, Some(rights(protection)))?;
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
            let is_file = mapped(&linux.mappings, &at).next().is_some();
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
            && mapped(&linux.mappings, &(address..=address)).next().is_none()
        {
            map(linux, guest, at.end() + 1..=*wanted.end(), Some(allowed))?;
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
        linux.layout.free.find(new).ok_or(Errno::ENOMEM)?
    };
    map(linux, guest, to.clone(), Some(allowed))?;
    // The part that is cut off does not move.
    let kept = address..=address + (at.end() - at.start()).min(to.end() - to.start());
    let moved: Vec<(u64, Mapping<'_>)> = mapped(&linux.mappings, &kept)
        .map(|(part, file, offset)| {
            let ahead = to.start().wrapping_sub(address);
            (part.start().wrapping_add(ahead), Mapping { last: part.end().wrapping_add(ahead), file: file.clone(), offset })
        })
        .collect();
    linux.write_back(guest, &at);
    forget_files(linux, &at);
    pages(guest)?.transfer(kept, *to.start());
    map(linux, guest, at, None)?;
    linux.mappings.extend(moved);
    Ok(*to.start())
}
