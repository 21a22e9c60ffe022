//! Memory that several threads use concurrently, word by word.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock};

/// Some consecutive bytes.
#[derive(Debug, Default)]
struct Piece {
    start: u64,
    size: u64,
    /// All are 0 until one is written: most lanes never write their own memory.
    words: OnceLock<Box<[AtomicU32]>>,
}

impl Piece {
    const fn new(start: u64, size: u64) -> Self {
        Self { start, size, words: OnceLock::new() }
    }

    /// The words, if one was written.
    #[inline(always)]
    fn read(&self) -> &[AtomicU32] {
        self.words.get().map_or(&[], |words| words)
    }

    /// The words, for writing one of them.
    #[inline(always)]
    fn written(&self) -> &[AtomicU32] {
        self.words.get_or_init(|| (0..self.size.div_ceil(4)).map(|_| AtomicU32::new(0)).collect())
    }

    #[inline(always)]
    fn holds(&self, address: u64, bytes: u64) -> bool {
        address >= self.start && (address - self.start).checked_add(bytes).is_some_and(|end| end <= self.size)
    }
}

/// A piece of memory, in bytes from 0 up, the low byte first. Several threads may use it: of concurrent writes to one place, one
/// takes effect.
#[derive(Debug, Default)]
pub struct Memory {
    /// All of it, or the first of its parts.
    first: Piece,
    /// The other parts, by address.
    others: Vec<Piece>,
    /// Held while more than one word is changed.
    wide: Mutex<()>,
    /// The first address of bytes that the launch should have initialised but did not, until one is written.
    missing: AtomicU64,
    /// The address after the last of them.
    missing_end: u64,
}

impl Memory {
    /// `size` bytes of zeros.
    pub const fn new(size: u64) -> Self {
        Self { first: Piece::new(0, size), others: Vec::new(), wide: Mutex::new(()), missing: AtomicU64::new(0), missing_end: 0 }
    }

    /// Memory in parts with gaps between them: addresses, multiples of 16, and bytes; at least one, by address.
    pub(crate) fn of_parts(parts: &[(u64, u64)]) -> Self {
        let mut pieces = parts.iter().map(|(start, size)| Piece::new(*start, *size));
        let first = pieces.next().unwrap_or_default();
        Self { first, others: pieces.collect(), ..Self::new(0) }
    }

    /// The part that contains an address, or comes before it.
    #[inline(always)]
    fn piece(&self, address: u64) -> &Piece {
        if self.others.is_empty() { &self.first } else { self.search(address) }
    }

    fn search(&self, address: u64) -> &Piece {
        let after = self.others.partition_point(|piece| piece.start <= address);
        after.checked_sub(1).and_then(|at| self.others.get(at)).unwrap_or(&self.first)
    }

    /// Makes reading these bytes an error, until one of them is written.
    pub(crate) fn set_missing(&mut self, bytes: Range<u64>) {
        self.missing = AtomicU64::new(bytes.start);
        self.missing_end = bytes.end;
    }

    /// True if some of these bytes have no value.
    #[inline(always)]
    pub(super) fn is_missing(&self, address: u64, bytes: u32) -> bool {
        address < self.missing_end && address + u64::from(bytes) > self.missing.load(Relaxed)
    }

    /// Marks bytes as having values.
    #[inline(always)]
    pub(super) fn fill(&self, address: u64, bytes: u32) {
        if self.is_missing(address, bytes) {
            self.missing.store(u64::MAX, Relaxed);
        }
    }

    /// The words, if no access to them needs a check for missing parameters; all can be read, or written.
    #[inline(always)]
    pub(super) fn open(&self, write: bool) -> &[AtomicU32] {
        let missing = if self.missing_end == 0 { u64::MAX } else { self.missing.load(Relaxed) };
        if self.first.start != 0 || !self.others.is_empty() {
            return &[];
        }
        let words = (self.first.size.min(missing) / 4) as usize;
        let all = if write { self.first.written() } else { self.first.read() };
        all.get(..words).unwrap_or_default()
    }

    /// The address after its last byte.
    pub fn size(&self) -> u64 {
        let last = self.others.last().unwrap_or(&self.first);
        last.start.saturating_add(last.size)
    }

    /// True if `bytes` bytes from `address` on are inside.
    #[inline(always)]
    pub(super) fn holds(&self, address: u64, bytes: u32) -> bool {
        self.piece(address).holds(address, bytes.into())
    }

    /// The bytes from `address` on; `None` if some are outside.
    pub fn bytes(&self, address: u64, count: u64) -> Option<Vec<u8>> {
        let piece = self.piece(address);
        if !piece.holds(address, count) {
            return None;
        }
        let word = |at: u64| piece.read().get((at / 4) as usize).map_or(0, |word| word.load(Relaxed));
        let start = address - piece.start;
        Some((start..start + count).map(|at| (word(at) >> (8 * (at % 4))) as u8).collect())
    }

    /// Writes bytes; `false` if some would be outside.
    pub fn set_bytes(&self, address: u64, bytes: &[u8]) -> bool {
        let inside = self.piece(address).holds(address, bytes.len() as u64);
        if inside {
            for (at, byte) in (address..).zip(bytes) {
                self.put(at, 1, (*byte).into());
            }
        }
        inside
    }

    /// Some bytes of one word, or whole words; all inside.
    #[inline]
    pub(super) fn get(&self, address: u64, bytes: u32) -> u128 {
        let piece = self.piece(address);
        let words = piece.read().get(((address - piece.start) / 4) as usize..).unwrap_or_default();
        if bytes < 4 {
            let shift = 8 * (address % 4) as u32;
            let word = words.first().map_or(0, |word| word.load(Relaxed));
            return u128::from(word >> shift & !(u32::MAX << (8 * bytes)));
        }
        let words = words.iter().take(bytes as usize / 4).enumerate();
        words.fold(0, |value, (i, word)| value | u128::from(word.load(Relaxed)) << (32 * i))
    }

    #[inline]
    pub(super) fn put(&self, address: u64, bytes: u32, value: u128) {
        let piece = self.piece(address);
        let at = ((address - piece.start) / 4) as usize;
        if bytes < 4 {
            let shift = 8 * (address % 4) as u32;
            let mask = !(u32::MAX << (8 * bytes)) << shift;
            let change = |old| Some(old & !mask | (value as u32) << shift & mask);
            // The update always succeeds, since `change` always returns a value.
            let _ = piece.written()[at].fetch_update(Relaxed, Relaxed, change);
            return;
        }
        for (i, word) in piece.written()[at..].iter().take(bytes as usize / 4).enumerate() {
            word.store((value >> (32 * i)) as u32, Relaxed);
        }
    }

    pub(super) fn change(&self, address: u64, bytes: u32, change: &mut dyn FnMut(u128) -> u128) -> u128 {
        let piece = self.piece(address);
        let at = ((address - piece.start) / 4) as usize;
        if bytes <= 4 {
            let shift = 8 * (address % 4) as u32;
            let mask = (u32::MAX >> (32 - 8 * bytes)) << shift;
            let new = |old: u32| old & !mask | (change(u128::from((old & mask) >> shift)) as u32) << shift & mask;
            let mut new = new;
            let old = piece.written()[at].fetch_update(Relaxed, Relaxed, |old| Some(new(old))).unwrap_or_default();
            return u128::from((old & mask) >> shift);
        }
        let _held = self.wide.lock();
        let old = self.get(address, bytes);
        self.put(address, bytes, change(old));
        old
    }
}
