//! Buffers for texts.

use crate::engine::Common;
use crate::engine::print::Out;
use alloc::string::String;
use alloc::vec;
use core::fmt;

/// A buffer for one line of text, of at most `N` bytes.
///
/// A generated module declares a buffer for its longest text, `TextBuf`: an empty one holds the text of any of its instructions,
/// and the additions of `push_full`. A text for which there is no room is not appended, not even its beginning.
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
    ///
    /// # Errors
    /// When there is no room for it; nothing is appended then. Up to [`ROOM`](crate::engine::print::ROOM) bytes more than those
    /// of the text are needed.
    #[inline(always)]
    pub fn append(&mut self, push: impl FnOnce(&mut Out<'_>)) -> Result<(), Full> {
        let mut out = Out::new(self.bytes.get_mut(self.len..).unwrap_or(&mut []));
        push(&mut out);
        if out.is_cut() {
            return Err(Full { bytes: N });
        }
        self.len += out.len();
        Ok(())
    }
}

/// A text that a buffer has no room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full {
    /// The size of the buffer.
    pub bytes: usize,
}

impl fmt::Display for Full {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a buffer of {} bytes has no room for another text", self.bytes)
    }
}

impl core::error::Error for Full {}

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
pub(crate) fn pad(tables: &Common<'_>, f: &mut fmt::Formatter<'_>, push: impl FnOnce(&mut Out<'_>)) -> fmt::Result {
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

/// The text that `push` writes, of at most `room` bytes.
pub(crate) fn string(room: usize, push: impl FnOnce(&mut Out<'_>)) -> String {
    let mut bytes = vec![0; room];
    let mut out = Out::new(&mut bytes);
    push(&mut out);
    debug_assert!(!out.is_cut(), "a text is longer than {room} bytes");
    let len = out.len();
    bytes.truncate(len);
    String::from_utf8(bytes).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_appended_as_a_whole_or_not_at_all() {
        let mut text = TextBuf::<8>::new();
        assert_eq!(text.append(|out| out.push(b"add ")), Ok(()));
        let two = |out: &mut Out<'_>| {
            out.push(b"R1, ");
            out.push(b"R2");
        };
        assert_eq!((text.append(two), text.as_str()), (Err(Full { bytes: 8 }), "add "));
        text.clear();
        assert_eq!((text.append(two), text.as_str()), (Ok(()), "R1, R2"));
    }
}
