//! The lines of an input, and the bytes of a raw stream.

use crate::stop::Stop;
use memchr::memchr;
use std::io::{self, Read};
use std::path::Path;

/// The longest line that is read, in bytes.
const MAX_LINE: usize = 1 << 20;
/// The number of bytes read at once.
const READ: usize = 1 << 16;

/// The lines of an input, one after the other, without a limit on their number.
pub struct Lines {
    /// The name of the input in messages.
    pub name: String,
    expected: &'static str,
    help: Option<&'static str>,
    reader: Box<dyn Read>,
    /// The bytes read; those from `start` to `end` have not been returned yet.
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// The bytes of a line before this one contain no line end.
    searched: usize,
    is_over: bool,
    number: usize,
    /// Bytes that have been returned.
    pub read: u64,
}

impl Lines {
    /// The lines of a reader; `expected` describes them in messages: `text is`.
    pub fn new(name: String, reader: Box<dyn Read>, expected: &'static str, help: Option<&'static str>) -> Self {
        Self {
            name,
            expected,
            help,
            reader,
            buffer: Vec::new(),
            start: 0,
            end: 0,
            searched: 0,
            is_over: false,
            number: 0,
            read: 0,
        }
    }

    /// The next line with its number, from 1, without its end and without a byte-order mark; `None` at the end.
    pub fn next_line(&mut self) -> Result<Option<(usize, &str)>, Stop> {
        let Some((start, end)) = self.find()? else { return Ok(None) };
        let number = self.number;
        let text = match std::str::from_utf8(&self.buffer[start..end]) {
            Ok(text) if !text.as_bytes().contains(&0) => text,
            _ => return Err(self.binary()),
        };
        Ok(Some((number, text)))
    }

    /// The next line if `read` accepts its bytes; else it stays in the buffer.
    pub fn next_if<T>(&mut self, read: impl FnOnce(&[u8]) -> Option<T>) -> Option<T> {
        // A complete line, which can't begin with a byte-order mark.
        let rest = self.buffer.get(self.start..self.end).filter(|_| self.number > 0)?;
        let end = memchr(b'\n', rest)?;
        let result = read(rest[..end].strip_suffix(b"\r").unwrap_or(&rest[..end]))?;
        self.take(end + 1);
        Some(result)
    }

    fn take(&mut self, bytes: usize) {
        self.start += bytes;
        self.searched = self.start;
        self.read += bytes as u64;
        self.number += 1;
    }

    /// The range of the next line in the buffer; the line counts as returned.
    fn find(&mut self) -> Result<Option<(usize, usize)>, Stop> {
        let (end, taken) = loop {
            if let Some(at) = memchr(b'\n', &self.buffer[self.searched..self.end]) {
                break (self.searched + at, self.searched + at + 1);
            }
            if self.is_over {
                if self.start == self.end {
                    return Ok(None);
                }
                break (self.end, self.end);
            }
            self.searched = self.end;
            self.fill()?;
            let more = &self.buffer[self.searched..self.end];
            if memchr(b'\n', more).is_none() {
                if more.contains(&0) {
                    self.number += 1;
                    return Err(self.binary());
                }
                if self.end - self.start > MAX_LINE {
                    return Err(self.too_long());
                }
            }
        };
        let mut start = self.start;
        if end - start > MAX_LINE {
            return Err(self.too_long());
        }
        self.take(taken - start);
        let mut end = end;
        if self.buffer[start..end].ends_with(b"\r") {
            end -= 1;
        }
        if self.number == 1 && self.buffer[start..end].starts_with("\u{feff}".as_bytes()) {
            start += "\u{feff}".len();
        }
        Ok(Some((start, end)))
    }

    /// Reads more, after the bytes that have not been returned yet.
    fn fill(&mut self) -> Result<(), Stop> {
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.searched -= self.start;
            self.start = 0;
        }
        if self.buffer.len() < self.end + READ {
            self.buffer.resize(self.end + READ, 0);
        }
        loop {
            match self.reader.read(&mut self.buffer[self.end..]) {
                Ok(read) => {
                    self.end += read;
                    self.is_over = read == 0;
                    return Ok(());
                }
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(Stop::file(Path::new(&self.name), &e)),
            }
        }
    }

    /// The next `count` bytes, fewer at the end of the input.
    pub fn bytes(&mut self, count: usize) -> Result<&[u8], Stop> {
        while self.end - self.start < count && !self.is_over {
            self.fill()?;
        }
        let start = self.start;
        let count = count.min(self.end - start);
        self.start += count;
        self.searched = self.searched.max(self.start);
        self.read += count as u64;
        Ok(&self.buffer[start..start + count])
    }

    fn too_long(&self) -> Stop {
        let (name, number) = (&self.name, self.number + 1);
        Stop::new(format!("{name}:{number}: a line of more than {MAX_LINE} bytes, the maximum"))
    }

    fn binary(&self) -> Stop {
        let message = format!("{}:{}: binary input where {} expected", self.name, self.number, self.expected);
        match self.help {
            Some(help) => Stop::with_help(message, help),
            None => Stop::new(message),
        }
    }

    /// True if the next line may have to wait for the writer of the input.
    pub fn may_wait(&self) -> bool {
        !self.is_over && memchr(b'\n', &self.buffer[self.start..self.end]).is_none()
    }

    /// True if the next `bytes` bytes may have to wait for it.
    pub fn may_wait_for(&self, bytes: usize) -> bool {
        !self.is_over && self.end - self.start < bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_an_input() {
        let lines = |bytes: &'static [u8]| {
            let mut lines = Lines::new("f".into(), Box::new(bytes), "text is", None);
            let mut list = Vec::new();
            loop {
                match lines.next_line() {
                    Ok(Some((number, line))) => list.push(format!("{number} {line}")),
                    Ok(None) => break,
                    Err(Stop::CannotRun { message, .. }) => {
                        list.push(message);
                        break;
                    }
                    Err(stop) => panic!("{stop:?}"),
                }
            }
            list
        };
        assert_eq!(lines(b""), [""; 0]);
        assert_eq!(lines(b"\xef\xbb\xbfa\r\n\n\xef\xbb\xbfb"), ["1 a", "2 ", "3 \u{feff}b"]);
        assert_eq!(lines(b"a\nb\0c\n"), ["1 a", "f:2: binary input where text is expected"]);
        assert_eq!(lines(b"a\n\xff\n"), ["1 a", "f:2: binary input where text is expected"]);
        let long: &'static [u8] = vec![b'x'; MAX_LINE + 1].leak();
        assert_eq!(lines(&long[1..]), [format!("1 {}", "x".repeat(MAX_LINE))]);
        assert_eq!(lines(long), ["f:1: a line of more than 1048576 bytes, the maximum"]);
    }
}
