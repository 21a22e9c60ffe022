//! Where facts stand, and where documents are wrong.

use super::{SourceId, Word};
use crate::span::Span;

/// A document or a tool that is cited for facts.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its name in the spec.
    pub name: String,
    /// Its title.
    pub title: String,
    /// Its file, if it has one.
    pub file: String,
    /// Anything else: licence, version, author.
    pub note: String,
    /// Where it is declared.
    pub span: Span,
}

/// Where a fact stands: a source and its lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Doc(pub Vec<DocRef>);

/// Lines of a source; no lines means the source as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DocRef {
    /// The source.
    pub source: SourceId,
    /// First and last line.
    pub lines: Option<(u32, u32)>,
}

/// What a document has wrong, or leaves out.
#[derive(Clone, Debug)]
pub struct Erratum {
    /// A name for it.
    pub id: String,
    /// Where in the document.
    pub at: Doc,
    /// The kind: `wrong`, `incomplete`, ….
    pub kind: String,
    /// What the document says.
    pub says: String,
    /// What is so.
    pub is: String,
    /// What shows it.
    pub evidence: Vec<Evidence>,
    /// The same of another version of the machine: shown, not tested.
    pub elsewhere: Vec<Evidence>,
    /// The source.
    pub by: String,
    /// Where the operand or the alternative is declared that it stands at, if it stands at one.
    pub piece: Option<Span>,
    /// Where it stands.
    pub span: Span,
}

/// A word and its text, or in a text-only instruction set a text and how it is printed.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// What is looked at.
    pub of: Subject,
    /// Bits of the word, if its digits are those of one length exactly.
    pub length: Option<u32>,
    /// Its text; `None`: it is refused.
    pub text: Option<String>,
    /// Where the word or text stands.
    pub span: Span,
}

/// What evidence is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A word.
    Word(Word),
    /// A text, as written.
    Text(String),
}

/// The word in hexadecimal, or the text.
impl std::fmt::Display for Subject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Word(word) => write!(f, "{word:#x}"),
            Self::Text(text) => f.write_str(text),
        }
    }
}
