//! The keys that a mapping can have, as tables: one row a key, with its name, its value, what it says, and where that is kept.
//!
//! A table drives all that is done with keys: a [`Reader`] fills a declaration by it, says what an unknown key could have been and what is
//! missing, and the reference prints it ([`Listing`]). Specifications, their machines and launch files are read by such tables.
//!
//! ```
//! use isa_model::{diag::Diagnostics, span::FileId};
//! use isa_syntax::keys::{Key, KeyTable, Reader};
//! use isa_syntax::yaml;
//!
//! #[derive(Default)]
//! struct Source { title: String, lines: u32 }
//!
//! static SOURCE: KeyTable<Source> = KeyTable::new("a source", &[&[
//!     Key::required("needs `title`: `title: …`", Key::prose("title", |s| &mut s.title, "its title")),
//!     Key::number("lines", 1..=65_535, |s, n, _| s.lines = n as u32, "how many lines it has"),
//! ]]);
//!
//! let mut diags = Diagnostics::default();
//! let mut source = Source::default();
//! let node = yaml::parse("{ title: PTX, lnies: 3 }", FileId(0)).expect("it is YAML");
//! Reader::new(&mut diags).fill(&SOURCE, &mut source, &node);
//! assert_eq!((source.title.as_str(), source.lines), ("PTX", 3));
//! let found: Vec<String> = diags.into_sorted().into_iter().map(|d| d.message).collect();
//! assert_eq!(found, ["a source has no `lnies`"]);
//! ```

mod fill;
mod listing;
mod reader;
mod shape;

pub use listing::{Listing, Row, put_into_page};
pub use reader::Reader;
pub use shape::Shape;

use crate::yaml::{Node, Text};
use isa_model::span::Span;
use std::ops::RangeInclusive;

/// The keys of a mapping that is read into a `T`.
#[derive(Debug)]
pub struct KeyTable<T: 'static> {
    /// The kind of mapping, with its article: `a register file`.
    pub what: &'static str,
    /// The keys, in groups that several tables can share.
    pub keys: &'static [&'static [Key<T>]],
    /// The key that is meant where there is no mapping: `23..16 R` for `{ is: "23..16 R" }`.
    pub short: Option<&'static str>,
    /// The meaning of every other key, if such keys are allowed.
    pub others: Option<Others<T>>,
    /// The treatment of keys that are not in the table.
    pub unknown: Unknown,
}

/// The treatment of keys that a table lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// An error.
    Refused,
    /// An error if it resembles one of the table's, else ignored with a warning.
    Ignored,
}

impl<T> KeyTable<T> {
    /// A table of these keys.
    pub const fn new(what: &'static str, keys: &'static [&'static [Key<T>]]) -> Self {
        Self { what, keys, short: None, others: None, unknown: Unknown::Refused }
    }

    /// The same; a node that is not a mapping is the value of the key `short`.
    pub const fn or_short(short: &'static str, what: &'static str, keys: &'static [&'static [Key<T>]]) -> Self {
        Self { what, keys, short: Some(short), others: None, unknown: Unknown::Refused }
    }

    /// The same; other keys are names or numbers.
    pub const fn with_others(what: &'static str, keys: &'static [&'static [Key<T>]], others: Others<T>) -> Self {
        Self { what, keys, short: None, others: Some(others), unknown: Unknown::Refused }
    }

    /// The same; keys that resemble none of the table's are ignored.
    pub const fn ignoring_others(what: &'static str, keys: &'static [&'static [Key<T>]]) -> Self {
        Self { what, keys, short: None, others: None, unknown: Unknown::Ignored }
    }

    /// Returns true if it has a key of this name.
    pub fn has(&self, name: &str) -> bool {
        (0..).map_while(|number| self.key(number)).any(|key| key.name == name)
    }

    /// The key with this number.
    fn key(&self, mut number: usize) -> Option<&'static Key<T>> {
        for group in self.keys {
            match group.get(number) {
                Some(key) => return Some(key),
                None => number -= group.len(),
            }
        }
        None
    }
}

/// A key of a mapping that is read into a `T`.
#[derive(Debug)]
pub struct Key<T: 'static> {
    /// Its name.
    pub name: &'static str,
    /// The form of its value: `condition`, `1 to 64`.
    pub value: &'static str,
    /// Its meaning, as a line of Markdown.
    pub doc: &'static str,
    /// The error if it is missing, after the name of the mapping: ``needs `that`: `that: condition` ``.
    pub needed: Option<&'static str>,
    kind: Takes<T>,
    /// The shape of what [`Key::own`] reads, as far as a table can say it.
    own: Shape,
}

/// The type of a value, and the part of the declaration that it is stored in.
#[derive(Debug)]
enum Takes<T: 'static> {
    Text(fn(&mut T) -> &mut Option<Text>),
    Prose(fn(&mut T) -> &mut String),
    Texts(fn(&mut T) -> &mut Vec<Text>),
    Pairs(fn(&mut T) -> &mut Vec<(Text, Text)>),
    Flag(fn(&mut T) -> &mut bool),
    Number(RangeInclusive<u64>, fn(&mut T, u64, Span)),
    Word(&'static [&'static str], fn(&mut T, usize, Span)),
    Own(ReadOwn<T>),
}

/// Reads a value into a declaration; the text is what messages call it: `` `width` ``.
pub type ReadOwn<T> = fn(&mut Reader<'_>, &mut T, &Node, &str);

/// Keys that a table has no row for: names, numbers.
#[derive(Debug)]
pub struct Others<T: 'static> {
    /// The form of such a key: `a number`.
    pub name: &'static str,
    /// The form of its value.
    pub value: &'static str,
    /// Its meaning, as a line of Markdown.
    pub doc: &'static str,
    /// The shape of its value.
    pub shape: Shape,
    /// Reads one; false if there can be no such key.
    pub read: fn(&mut Reader<'_>, &mut T, &Text, &Node) -> bool,
}

impl<T> Key<T> {
    /// A text that keeps its place, since it is a name or of a small language; `value` says of which.
    pub const fn text(name: &'static str, value: &'static str, slot: fn(&mut T) -> &mut Option<Text>, doc: &'static str) -> Self {
        Self { name, value, doc, needed: None, own: Shape::Any, kind: Takes::Text(slot) }
    }

    /// A text for readers.
    pub const fn prose(name: &'static str, slot: fn(&mut T) -> &mut String, doc: &'static str) -> Self {
        Self { name, value: "text", doc, needed: None, own: Shape::Any, kind: Takes::Prose(slot) }
    }

    /// One text, or a list of them.
    pub const fn texts(name: &'static str, value: &'static str, slot: fn(&mut T) -> &mut Vec<Text>, doc: &'static str) -> Self {
        Self { name, value, doc, needed: None, own: Shape::Any, kind: Takes::Texts(slot) }
    }

    /// A mapping of names to texts.
    pub const fn pairs(
        name: &'static str,
        value: &'static str,
        slot: fn(&mut T) -> &mut Vec<(Text, Text)>,
        doc: &'static str,
    ) -> Self {
        Self { name, value, doc, needed: None, own: Shape::Any, kind: Takes::Pairs(slot) }
    }

    /// `true` or `false`.
    pub const fn flag(name: &'static str, slot: fn(&mut T) -> &mut bool, doc: &'static str) -> Self {
        Self { name, value: "`true` or `false`", doc, needed: None, own: Shape::Any, kind: Takes::Flag(slot) }
    }

    /// A number within limits; up to `u64::MAX` there is no upper one.
    pub const fn number(name: &'static str, limits: RangeInclusive<u64>, set: fn(&mut T, u64, Span), doc: &'static str) -> Self {
        Self { name, value: "", doc, needed: None, own: Shape::Any, kind: Takes::Number(limits, set) }
    }

    /// One of some words, which `set` gets by its index.
    pub const fn word(
        name: &'static str,
        words: &'static [&'static str],
        set: fn(&mut T, usize, Span),
        doc: &'static str,
    ) -> Self {
        Self { name, value: "", doc, needed: None, own: Shape::Any, kind: Takes::Word(words, set) }
    }

    /// A value of any other shape.
    pub const fn own(name: &'static str, value: &'static str, read: ReadOwn<T>, doc: &'static str) -> Self {
        Self { name, value, doc, needed: None, own: Shape::Any, kind: Takes::Own(read) }
    }

    /// A key that the mapping must have; without it a message says that `a constraint` `needs …`.
    pub const fn required(needed: &'static str, key: Self) -> Self {
        Self { needed: Some(needed), ..key }
    }

    /// A key whose value is a mapping by a table.
    pub const fn part(table: fn() -> Listing, key: Self) -> Self {
        Self { own: Shape::Part(table), ..key }
    }

    /// A key whose value is a mapping of names to parts by a table.
    pub const fn each(table: fn() -> Listing, key: Self) -> Self {
        Self { own: Shape::Each(table), ..key }
    }

    /// A key whose value is a list of parts by a table, or one of them.
    pub const fn list(table: fn() -> Listing, key: Self) -> Self {
        Self { own: Shape::List(table), ..key }
    }

    /// The shape of its value.
    pub fn shape(&self) -> Shape {
        match &self.kind {
            Takes::Text(_) | Takes::Prose(_) => Shape::Text,
            Takes::Texts(_) => Shape::Texts,
            Takes::Pairs(_) => Shape::Pairs,
            Takes::Flag(_) => Shape::Flag,
            Takes::Number(limits, _) => Shape::Number(*limits.start(), *limits.end()),
            Takes::Word(words, _) => Shape::Word(words),
            Takes::Own(_) => self.own,
        }
    }

    /// The form of its value.
    pub fn value(&self) -> String {
        match &self.kind {
            Takes::Number(limits, _) => number(limits),
            Takes::Word(words, _) => one_of(words),
            _ => self.value.to_string(),
        }
    }
}

fn number(limits: &RangeInclusive<u64>) -> String {
    if *limits.end() == u64::MAX { "number".to_string() } else { format!("{} to {}", limits.start(), limits.end()) }
}

fn one_of(words: &[&str]) -> String {
    words.iter().map(|w| format!("`{w}`")).collect::<Vec<_>>().join(", ")
}
