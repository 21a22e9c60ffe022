//! The numbers by which parts of the model are named.

macro_rules! id {
    ($($(#[$m:meta])* $name:ident),*) => {$(
        $(#[$m])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);
        impl $name {
            /// Returns the index.
            pub fn index(self) -> usize { self.0 as usize }
        }
    )*};
}

id!(
    /// A source, by its place in [`Isa::sources`](super::Isa::sources).
    SourceId,
    /// A register file, by its place in [`Isa::registers`](super::Isa::registers).
    RegisterId,
    /// An enumeration, by its place in [`Isa::enums`](super::Isa::enums).
    EnumId,
    /// An operand type, by its place in [`Isa::operand_types`](super::Isa::operand_types).
    OperandTypeId,
    /// A choice type, by its place in [`Isa::choice_types`](super::Isa::choice_types).
    ChoiceTypeId,
    /// A format, by its place in [`Isa::formats`](super::Isa::formats).
    FormatId,
    /// A group, by its place in [`Isa::groups`](super::Isa::groups).
    GroupId,
    /// An instruction, by its place in [`Isa::instructions`](super::Isa::instructions).
    InstructionId,
    /// A form, by its place in [`Isa::forms`](super::Isa::forms).
    FormId
);
