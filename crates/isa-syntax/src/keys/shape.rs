//! The shapes of values, for what is not read by a table but describes what is: a JSON Schema.

use super::Listing;

/// The shape of the value of a key. Tables are given by functions, as they refer to each other.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// Any value.
    Any,
    /// A text.
    Text,
    /// A text, or a list of texts.
    Texts,
    /// A mapping of names to texts.
    Pairs,
    /// `true` or `false`.
    Flag,
    /// A number from the first to the second one.
    Number(u64, u64),
    /// One of these words.
    Word(&'static [&'static str]),
    /// A mapping with the keys of a table.
    Part(fn() -> Listing),
    /// A mapping of names to parts by a table.
    Each(fn() -> Listing),
    /// A list of parts by a table, or one of them.
    List(fn() -> Listing),
}
