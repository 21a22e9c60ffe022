//! Output without characters that deceive a terminal.

use isa_model::escape::escape;
use std::io::{self, BufWriter, StdoutLock, Write};

/// A writer of text that a terminal can show: deceptive characters, which the text may have from a file, are escaped.
#[derive(Debug)]
pub struct Escaped<W>(pub W);

/// True if bytes are printable ASCII and line ends, as nearly all texts are; without a branch for each byte.
fn is_printable(bytes: &[u8]) -> bool {
    bytes.iter().fold(true, |plain, b| plain & (matches!(b, b' '..=b'~') | (*b == b'\n')))
}

impl<W: Write> Write for Escaped<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if is_printable(bytes) {
            self.0.write_all(bytes)?;
        } else {
            self.0.write_all(escape(&String::from_utf8_lossy(bytes)).as_bytes())?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Standard output with a buffer.
pub type Out = Escaped<BufWriter<StdoutLock<'static>>>;

/// Standard output with a buffer: flush it to learn of errors.
pub fn out() -> Out {
    Escaped(BufWriter::with_capacity(1 << 16, io::stdout().lock()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminals_get_no_control_characters() {
        let mut out = Escaped(Vec::new());
        write!(out, "a \u{1b}[2J\u{9b}é \u{202e}\n\tb").expect("a Vec");
        assert_eq!(String::from_utf8_lossy(&out.0), "a \\u{1b}[2J\\u{9b}é \\u{202e}\n\tb");
    }
}
