//! The members of the model, for walks that must not forget one: JSON and `diff` are such walks.
//!
//! A structure that is declared in [`described!`] names its members once, and [`Describe::shape`] lists them with their values.

use crate::model::{ChoiceTypeId, Doc, DocRef, EnumId, FormId, FormatId, GroupId, InstructionId, Isa, OperandTypeId};
use crate::model::{Condition, RegisterId, SourceId, Word};
use crate::semantics::{Expression, Semantics};
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
    /// Lines of a document.
    Lines(&'a DocRef),
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

/// Lists the members of a structure that is declared elsewhere; all of them, or it does not compile.
macro_rules! members {
    ($name:ident { $($member:ident),* $(,)? }) => {
        impl $crate::describe::Describe for $name {
            fn shape(&self) -> $crate::describe::Shape<'_> {
                let Self { $($member),* } = self;
                $crate::describe::Shape::Record(stringify!($name), vec![$((stringify!($member), $member)),*])
            }
        }
    };
}
pub(crate) use {described, members};

macro_rules! shapes {
    ($($ty:ty: |$value:ident| $shape:expr;)*) => {$(
        impl Describe for $ty {
            fn shape(&self) -> Shape<'_> {
                let $value = self;
                $shape
            }
        }
    )*};
}
use shapes;

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
    Semantics: |semantics| Shape::Text((&semantics.source).into());
    Expression: |expression| Shape::Text((&expression.source).into());
    Span: |span| Shape::Place(*span);
    WordSet: |words| Shape::Words(words);
    Condition: |condition| Shape::Words(&condition.words);
    Cube: |cube| Shape::Cube(*cube);
    Doc: |doc| Shape::List(doc.0.iter().map(|lines| lines as _).collect());
    DocRef: |lines| Shape::Lines(lines);
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

macro_rules! items {
    ($($item:ident($id:ident) in $list:ident;)*) => {
        /// A reference to an item of the model.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Item {
            $(#[doc = concat!("One of [`Isa::", stringify!($list), "`].")] $item($id),)*
        }

        impl Item {
            /// Its name.
            pub fn name(self, isa: &Isa) -> &str {
                match self { $(Self::$item(id) => &isa.$list[id.index()].name,)* }
            }
        }

        $(impl Describe for $id {
            fn shape(&self) -> Shape<'_> {
                Shape::Item(Item::$item(*self))
            }
        })*
    };
}

items! {
    Source(SourceId) in sources;
    Registers(RegisterId) in registers;
    Enum(EnumId) in enums;
    Operand(OperandTypeId) in operand_types;
    Choice(ChoiceTypeId) in choice_types;
    Format(FormatId) in formats;
    Group(GroupId) in groups;
    Instruction(InstructionId) in instructions;
    Form(FormId) in forms;
}

/// `LowestPc` as `lowest-pc`.
fn kebab(name: &str) -> String {
    let parts = name
        .char_indices()
        .flat_map(|(at, c)| (at > 0 && c.is_ascii_uppercase()).then_some('-').into_iter().chain([c.to_ascii_lowercase()]));
    parts.collect()
}

/// Describes types in one way: enumerations without members by the names of their variants, or values by their own rules.
macro_rules! all {
    (|$value:ident| $shape:expr; $($ty:ty),* $(,)?) => { super::shapes! { $($ty: |$value| $shape;)* } };
}

mod declared {
    use super::{Describe, Shape, kebab};
    use crate::model::{Assembly, BitRange, Bits, Modifier, Precedence, Pseudo, Relocation};
    use crate::model::{Behaviour, FormId, Label, Numbers, Owner, Piece, PlainKind, Prefer, Subject};
    use crate::semantics::floats::{Direction, Floats, Fraction, NanInteger, NanRule};
    use crate::semantics::machine::{Divergence, Routine, Sharing, StateKind};
    use crate::semantics::{ast, typed};
    use crate::sets::Order;
    use crate::span::SourceMap;
    use isa_runtime::Case;
    use isa_runtime::value::{Code, Names, Spelling, Style};

    members! { Assembly {
        comments, separators, blocks, octal, case, numbers, here, precedence, local, word, align_bytes, org_address, fill,
        directives, sections, modifiers, pseudo, relocations, flags, address,
    } }
    members! { Modifier { name, value, reaches, pair } }
    members! { Pseudo { text, far, values, cases } }
    members! { Relocation { number, modifier, bits, data } }
    members! { Floats {
        nan, made_sign, made_fraction, tiny_before, nan_integer, beyond_indefinite, invalid_product_quiet, flush_tiny,
    } }
    all! { |variant| Shape::Text(kebab(&format!("{variant:?}")).into());
        Case, Divergence, Fraction, NanInteger, NanRule, PlainKind, Precedence, Prefer, Sharing, StateKind,
    }
    all! { |value| Shape::Other(value);
        Behaviour, Code, Label, Names, Numbers, Order, Owner, Piece, SourceMap, Spelling, Style, Subject, ast::Function,
        typed::Body, std::ops::Range<FormId>,
    }

    super::shapes! {
        Routine: |routine| Shape::Text(routine.name().into());
        Bits: |bits| Shape::Text(bits.to_string().into());
        BitRange: |bits| Shape::Text(bits.to_string().into());
        Direction: |direction| Shape::Text(match direction {
            Direction::Known(round) => round.name().into(),
            Direction::Illegal => "illegal".into(),
            Direction::Value(name, _) => name.into(),
        });
    }
}
