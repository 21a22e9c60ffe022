//! Room for texts.

use crate::engine::print::Out;
use crate::engine::{Bits, Tables};
use alloc::string::String;
use alloc::vec;
use core::fmt;

/// A buffer for one line of text, of at most `N` bytes.
///
/// A generated module declares a buffer for its longest text, `TextBuf`. Whatever is pushed beyond `N` bytes is left out; with debug
/// assertions that is a panic.
#[derive(Clone)]
pub struct TextBuf<const N: usize> {
    len: usize,
    bytes: [u8; N],
}

impl<const N: usize> TextBuf<N> {
    /// An empty buffer. Clearing one and using it again is cheaper.
    #[inline]
    pub const fn new() -> Self {
        Self { len: 0, bytes: [0; N] }
    }

    /// Makes the buffer empty.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// The text, as bytes.
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or(&self.bytes)
    }

    /// The text.
    #[inline]
    pub fn as_str(&self) -> &str {
        // Only whole strings are pushed, so the text is always well-formed.
        core::str::from_utf8(self.as_bytes()).unwrap_or("")
    }

    /// Appends what `push` writes.
    #[inline(always)]
    pub fn append(&mut self, push: impl FnOnce(&mut Out<'_>)) {
        let mut out = Out::new(self.bytes.get_mut(self.len..).unwrap_or(&mut []));
        push(&mut out);
        debug_assert!(!out.is_cut(), "a text is longer than its buffer of {N} bytes");
        self.len += out.len();
    }
}

impl<const N: usize> Default for TextBuf<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> fmt::Display for TextBuf<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl<const N: usize> fmt::Debug for TextBuf<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

/// Shows what `push` writes, with the formatter's width.
pub(crate) fn pad<W: Bits>(tables: &Tables<'_, W>, f: &mut fmt::Formatter<'_>, push: impl FnOnce(&mut Out<'_>)) -> fmt::Result {
    const USUAL: usize = 512;
    let show = |f: &mut fmt::Formatter<'_>, out: Out<'_>| {
        debug_assert!(!out.is_cut(), "a text is longer than the longest of its tables");
        f.pad(core::str::from_utf8(out.as_bytes()).unwrap_or(""))
    };
    if tables.room() <= USUAL {
        let mut bytes = [0; USUAL];
        let mut out = Out::new(&mut bytes);
        push(&mut out);
        return show(f, out);
    }
    let mut bytes = vec![0; tables.room()];
    let mut out = Out::new(&mut bytes);
    push(&mut out);
    show(f, out)
}

/// What `push` writes, of which there are at most so many bytes.
pub(crate) fn string(room: usize, push: impl FnOnce(&mut Out<'_>)) -> String {
    let mut bytes = vec![0; room];
    let mut out = Out::new(&mut bytes);
    push(&mut out);
    debug_assert!(!out.is_cut(), "a text is longer than {room} bytes");
    let len = out.len();
    bytes.truncate(len);
    String::from_utf8(bytes).unwrap_or_default()
}
