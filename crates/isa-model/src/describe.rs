//! The members of the model, for walks that must not forget one: JSON and `diff` are such walks.
//!
//! A structure that is declared in `described!` names its members once, and [`Describe::shape`] lists them with their values.

use crate::bits::Word;
use crate::sets::{Cube, WordSet};
use crate::span::{Span, Text};
use std::fmt::Debug;
use std::sync::Arc;

/// A value of the model, one level deep.
#[derive(Debug)]
pub enum Shape<'a> {
    /// No value.
    Absent,
    /// A flag.
    Flag(bool),
    /// A small number.
    Number(i128),
    /// A number of 64 bits or more, or a word.
    Wide(Word),
    /// A text.
    Text(std::borrow::Cow<'a, str>),
    /// Values in order.
    List(Vec<&'a dyn Describe>),
    /// A structure: the name of its type, and its members.
    Record(&'static str, Members<'a>),
    /// Lines of a document, the first and the last one, or the whole document.
    Lines(Item, Option<(u32, u32)>),
    /// The place of a declaration.
    Place(Span),
    /// A set of words.
    Words(&'a WordSet),
    /// Words that agree in some bits.
    Cube(Cube),
    /// Another item of the model.
    Item(Item),
    /// A value without a description, which is written by its own rules.
    Other(&'a dyn Debug),
}

/// The members of a structure by their names.
pub type Members<'a> = Vec<(&'static str, &'a dyn Describe)>;

/// A value of the model that lists what it contains.
pub trait Describe: Debug {
    /// The value, one level deep.
    fn shape(&self) -> Shape<'_>;
}

/// Declares structures that list their members.
macro_rules! described {
    ($($(#[$about:meta])* $vis:vis struct $name:ident { $($(#[$doc:meta])* $public:vis $member:ident: $ty:ty,)* })*) => {$(
        $(#[$about])*
        $vis struct $name { $($(#[$doc])* $public $member: $ty,)* }

        $crate::describe::members!($name { $($member),* });
    )*};
}

/// Lists the members of a structure that is declared elsewhere; all of them, or it does not compile. Those behind `;` are not of the
/// model.
macro_rules! members {
    ($name:ident { $($member:ident),* $(; $($other:ident),*)? $(,)? }) => {
        impl $crate::describe::Describe for $name {
            fn shape(&self) -> $crate::describe::Shape<'_> {
                let Self { $($member,)* $($($other: _),*)? } = self;
                $crate::describe::Shape::Record(stringify!($name), vec![$((stringify!($member), $member)),*])
            }
        }
    };
}
pub(crate) use {described, members};

macro_rules! shapes {
    ($($ty:ty: |$value:ident| $shape:expr;)*) => {$(
        impl $crate::describe::Describe for $ty {
            fn shape(&self) -> $crate::describe::Shape<'_> {
                let $value = self;
                $shape
            }
        }
    )*};
}
pub(crate) use shapes;

shapes! {
    bool: |flag| Shape::Flag(*flag);
    u8: |number| Shape::Number((*number).into());
    u16: |number| Shape::Number((*number).into());
    u32: |number| Shape::Number((*number).into());
    usize: |number| Shape::Number(*number as i128);
    i64: |number| Shape::Number((*number).into());
    u64: |number| Shape::Wide((*number).into());
    u128: |number| Shape::Wide((*number).into());
    Word: |word| Shape::Wide(*word);
    String: |text| Shape::Text(text.into());
    Text: |text| Shape::Text((&text.value).into());
    Span: |span| Shape::Place(*span);
    WordSet: |words| Shape::Words(words);
    Cube: |cube| Shape::Cube(*cube);
}

macro_rules! lists {
    ($([$($of:tt)*] $ty:ty),*) => {$(
        impl<T: Describe, $($of)*> Describe for $ty {
            fn shape(&self) -> Shape<'_> {
                Shape::List(self.iter().map(|item| item as _).collect())
            }
        }
    )*};
}
lists!([] Vec<T>, [const N: usize] [T; N], [] Arc<[T]>);

impl<T: Describe> Describe for Arc<T> {
    fn shape(&self) -> Shape<'_> {
        T::shape(self)
    }
}

impl<T: Describe> Describe for Option<T> {
    fn shape(&self) -> Shape<'_> {
        self.as_ref().map_or(Shape::Absent, T::shape)
    }
}

impl<A: Describe, B: Describe> Describe for (A, B) {
    fn shape(&self) -> Shape<'_> {
        Shape::List(vec![&self.0, &self.1])
    }
}

/// A reference to an item of the model: the kind of items, and its place among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item {
    /// The kind.
    pub of: Items,
    /// The place.
    pub at: usize,
}

/// The kinds of items that others refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Items {
    Sources,
    Registers,
    Enums,
    OperandTypes,
    ChoiceTypes,
    Formats,
    Groups,
    Instructions,
    Forms,
}

/// `LowestPc` as `lowest-pc`.
pub(crate) fn kebab(name: &str) -> String {
    let parts = name
        .char_indices()
        .flat_map(|(at, c)| (at > 0 && c.is_ascii_uppercase()).then_some('-').into_iter().chain([c.to_ascii_lowercase()]));
    parts.collect()
}

/// Describes types in one way: enumerations without members by the names of their variants, or values by their own rules.
macro_rules! all {
    (|$value:ident| $shape:expr; $($ty:ty),* $(,)?) => { $crate::describe::shapes! { $($ty: |$value| $shape;)* } };
}
pub(crate) use all;
