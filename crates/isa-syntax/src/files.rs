//! The files of specifications as text.

use isa_model::diag::Diagnostic;
use isa_model::span::{FileId, SourceFile, Span};
use std::io::Read;
use std::path::{Path, PathBuf};

/// The greatest size of the files of a specification together, in bytes.
pub const MAX_FILE: u64 = 64 << 20;

/// The reason why a file can't be read.
#[derive(Debug)]
pub struct ReadError {
    /// The file.
    pub path: PathBuf,
    /// The message.
    pub reason: String,
}

impl std::fmt::Display for ReadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.reason)
    }
}

impl std::error::Error for ReadError {}

/// Reads the text of a specification.
///
/// # Errors
/// When there is no such file, when it is not a regular file (but a directory, a pipe, a device), larger than [`MAX_FILE`], or not UTF-8.
pub fn read_file(path: &Path) -> Result<String, ReadError> {
    let fail = |reason: String| ReadError { path: path.to_path_buf(), reason };
    decode(path, read_bytes(path, MAX_FILE).map_err(fail)?).map_err(|fault| {
        let (file, diagnostic) = *fault;
        let (line, column) = file.line_col(diagnostic.span().start as usize);
        fail(format!("{line}:{column}: {}", diagnostic.message))
    })
}

/// All bytes of a file, counted while they are read: what the system says of its size need not be so.
pub fn read_bytes(path: &Path, room: u64) -> Result<Vec<u8>, String> {
    let meta = std::fs::metadata(path).map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".to_string(),
        _ => e.to_string(),
    })?;
    if meta.is_dir() {
        return Err("this is a directory, not a specification".to_string());
    }
    // A pipe that nothing writes to would be waited for without end.
    if !meta.is_file() {
        return Err("this is not a regular file".to_string());
    }
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(|e| e.to_string())?;
    file.take(room + 1).read_to_end(&mut bytes).map_err(|e| e.to_string())?;
    if bytes.len() as u64 > room {
        return Err(format!("more than {MAX_FILE} bytes: the files of a specification have no more together"));
    }
    Ok(bytes)
}

/// The text, or where it is none: a finding in what can be shown of the file.
pub fn decode(path: &Path, bytes: Vec<u8>) -> Result<String, Box<(SourceFile, Diagnostic)>> {
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let message = format!("this is not UTF-8: the byte {:#04x} is not part of a character", error.as_bytes()[at]);
        let shown = String::from_utf8_lossy(error.as_bytes()).into_owned();
        let width = shown[at..].chars().next().map_or(0, char::len_utf8);
        let file = SourceFile::new(path.display().to_string(), Some(path.to_path_buf()), shown);
        Box::new((file, Diagnostic::error("read", message, Span::new(FileId(0), at..at + width))))
    })
}
