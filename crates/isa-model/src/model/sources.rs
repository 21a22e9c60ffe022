//! References to documents, and errors in documents.

use super::{SourceId, Word};
use crate::describe::described;
use crate::span::Span;

described! {
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
        /// The place of the declaration.
        pub span: Span,
    }
}

/// References to documents: sources and their lines.
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

described! {
    /// An error or an omission in a document.
    #[derive(Clone, Debug)]
    pub struct Erratum {
        /// A name for it.
        pub id: String,
        /// The lines of the document.
        pub at: Doc,
        /// The kind: `wrong`, `incomplete`, ….
        pub kind: String,
        /// The statement of the document.
        pub says: String,
        /// The correct statement.
        pub is: String,
        /// The words or texts that show it.
        pub evidence: Vec<Evidence>,
        /// The same of another version of the machine: shown, not tested.
        pub elsewhere: Vec<Evidence>,
        /// The source.
        pub by: String,
        /// The declaration of the operand or alternative that it belongs to, if it belongs to one.
        pub piece: Option<Span>,
        /// The place of the erratum.
        pub span: Span,
    }

    /// A word and its text, or in a text-only instruction set a text and how it is printed.
    #[derive(Clone, Debug)]
    pub struct Evidence {
        /// The word or text in question.
        pub of: Subject,
        /// Bits of the word, if its digits are those of one length exactly.
        pub length: Option<u32>,
        /// Its text; `None`: it is refused.
        pub text: Option<String>,
        /// The place of the word or text.
        pub span: Span,
    }
}

/// The subject of evidence.
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
