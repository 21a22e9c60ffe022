//! The numbers by which parts of the model are named.

use super::Isa;
use crate::describe::{Describe, Item, Items, Shape};

macro_rules! id {
    ($($(#[$m:meta])* $name:ident $kind:ident $list:ident,)*) => {
        $(
        $(#[$m])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);
        impl $name {
            /// Returns the index.
            pub fn index(self) -> usize { self.0 as usize }
        }
        impl Describe for $name {
            fn shape(&self) -> Shape<'_> {
                Shape::Item(Item { of: Items::$kind, at: self.index() })
            }
        }
        )*

        impl Isa {
            /// The name of an item.
            pub fn name_of(&self, item: Item) -> &str {
                match item.of { $(Items::$kind => &self.$list[item.at].name,)* }
            }
        }
    };
}

id! {
    /// A source, by its place in [`Isa::sources`](super::Isa::sources).
    SourceId Sources sources,
    /// A register file, by its place in [`Isa::registers`](super::Isa::registers).
    RegisterId Registers registers,
    /// An enumeration, by its place in [`Isa::enums`](super::Isa::enums).
    EnumId Enums enums,
    /// An operand type, by its place in [`Isa::operand_types`](super::Isa::operand_types).
    OperandTypeId OperandTypes operand_types,
    /// A choice type, by its place in [`Isa::choice_types`](super::Isa::choice_types).
    ChoiceTypeId ChoiceTypes choice_types,
    /// A format, by its place in [`Isa::formats`](super::Isa::formats).
    FormatId Formats formats,
    /// A group, by its place in [`Isa::groups`](super::Isa::groups).
    GroupId Groups groups,
    /// An instruction, by its place in [`Isa::instructions`](super::Isa::instructions).
    InstructionId Instructions instructions,
    /// A form, by its place in [`Isa::forms`](super::Isa::forms).
    FormId Forms forms,
}
