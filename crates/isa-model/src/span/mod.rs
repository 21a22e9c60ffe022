//! Places in the source: a span is a range of bytes in a file until it is printed. A [`Text`] has one for each of its characters.

mod text;

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use text::{Hole, Part, Text};

/// A file of the specification, by its number in the [`SourceMap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct FileId(pub u32);

/// A range of bytes in one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The span of `range` in `file`.
    pub fn new(file: FileId, range: Range<usize>) -> Self {
        Self { file, start: range.start as u32, end: range.end as u32 }
    }

    /// The bytes as a range for slicing.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// One file of a specification.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The path as the user wrote it, for messages; `<inline>` for a text given in code.
    pub name: String,
    /// The path it was read from, if it is a file.
    pub path: Option<PathBuf>,
    /// Its text.
    pub text: Arc<str>,
    /// The number of lines that end before each block of the text; a number for each line could take more room than the text.
    ended: Arc<[u32]>,
}

/// Bytes of a block.
const BLOCK: usize = 1024;

fn ends(text: &[u8]) -> u32 {
    text.iter().map(|b| u32::from(*b == b'\n')).sum()
}

impl SourceFile {
    /// A file with its text.
    pub fn new(name: impl Into<String>, path: Option<PathBuf>, text: impl Into<Arc<str>>) -> Self {
        let text = text.into();
        let count = |before: &mut u32, block: &[u8]| {
            let ended = *before;
            *before += ends(block);
            Some(ended)
        };
        let ended = text.as_bytes().chunks(BLOCK).scan(0, count).collect();
        Self { name: name.into(), path, text, ended }
    }

    /// Line and column of a byte offset, both from 1; the column counts characters.
    pub fn line_col(&self, offset: usize) -> (usize, usize) {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let block = (offset / BLOCK).min(self.ended.len().saturating_sub(1));
        let ended = self.ended.get(block).copied().unwrap_or(0);
        let line = ended + ends(&self.text.as_bytes()[block * BLOCK..offset]);
        let start = self.text[..offset].rfind('\n').map_or(0, |at| at + 1);
        (line as usize + 1, self.text[start..offset].chars().count() + 1)
    }
}

/// The files of a specification: the first is the one that was asked for, the others were included.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

impl SourceMap {
    /// Adds a file.
    pub fn add(&mut self, file: SourceFile) -> FileId {
        self.files.push(file);
        FileId(self.files.len() as u32 - 1)
    }

    /// The file with this number.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// All files in the order in which they were read.
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    /// The paths of all files that were read from disk: what a build must watch.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().filter_map(|f| f.path.as_deref())
    }

    /// `file:line:col` of a span's start.
    pub fn place(&self, span: Span) -> String {
        let file = self.file(span.file);
        let (line, col) = file.line_col(span.start as usize);
        format!("{}:{line}:{col}", file.name)
    }

    /// `file:line` of a span's start.
    pub fn line(&self, span: Span) -> usize {
        self.file(span.file).line_col(span.start as usize).0
    }
}
