//! The tables of an instruction set.

mod constants;
mod records;

use super::Bits;
use super::image::BadImage;
use super::record::Record;
use super::table::Table;
use crate::word::Units;
use core::ops::Deref;

pub use constants::*;
pub use owned::Owned;
pub use records::*;

/// A ready string of up to 15 bytes, the first one lowest; the highest byte is its length.
pub type Entry = u128;

macro_rules! tables {
    (
        common { $($(#[$doc:meta])* $name:ident: $ty:ty,)* }
        words { $($(#[$word_doc:meta])* $word_name:ident: $word_ty:ty,)* }
    ) => {
        /// The tables whose rows have no words: their code is compiled once, not for each type of words.
        #[derive(Clone, Copy)]
        pub struct Common<'a> {
            head: Table<'a, Head>,
            $($(#[$doc])* pub $name: Table<'a, $ty>,)*
        }

        /// An instruction set as tables: those of an image, or of a static.
        #[derive(Clone, Copy)]
        pub struct Tables<'a, W> {
            common: Common<'a>,
            $($(#[$word_doc])* pub $word_name: Table<'a, $word_ty>,)*
        }

        impl<'a> Common<'a> {
            /// The tables at the beginning of the bytes after the header of an image, and the rest of these.
            pub(super) const fn split(bytes: &'a [u8]) -> Result<(Self, &'a [u8]), BadImage> {
                let Some((head, rest)) = Table::take(bytes, 1) else { return Err(BadImage::CutOff("head")) };
                $(let Some(($name, rest)) = Table::take_counted(rest) else { return Err(BadImage::CutOff(stringify!($name))) };)*
                Ok((Self { head, $($name,)* }, rest))
            }

            /// The instruction set.
            #[inline(always)]
            pub fn head(&self) -> Head {
                self.head.get(0).unwrap_or_default()
            }
        }

        impl<'a, W: Bits> Tables<'a, W> {
            /// The tables in the bytes after the header of an image.
            pub(super) const fn split(bytes: &'a [u8]) -> Result<Self, BadImage> {
                let (common, rest) = match Common::split(bytes) {
                    Ok(split) => split,
                    Err(error) => return Err(error),
                };
                $(let Some(($word_name, rest)) = Table::take_counted(rest) else {
                    return Err(BadImage::CutOff(stringify!($word_name)));
                };)*
                if !rest.is_empty() {
                    return Err(BadImage::GoesOn(rest.len()));
                }
                Ok(Self { common, $($word_name,)* })
            }
        }

        mod owned {
            use super::*;

            /// Machine words in tables that are being built: the longest ones, of which an image contains only the necessary
            /// bytes.
            type W = crate::word::U256;

            /// Tables that are being made: an image is written from them.
            #[derive(Clone, Debug, Default, PartialEq, Eq)]
            pub struct Owned {
                /// The instruction set.
                pub head: Head,
                $($(#[$doc])* pub $name: alloc::vec::Vec<$ty>,)*
                $($(#[$word_doc])* pub $word_name: alloc::vec::Vec<$word_ty>,)*
            }

            impl Owned {
                /// Appends the sections of an image whose words have `word_bytes` bytes.
                pub(crate) fn write(&self, word_bytes: usize, out: &mut alloc::vec::Vec<u8>) {
                    fn section<T: Record>(rows: &[T], word_bytes: usize, out: &mut alloc::vec::Vec<u8>) {
                        (rows.len() as u32).write(word_bytes, out);
                        rows.iter().for_each(|row| row.write(word_bytes, out));
                    }
                    self.head.write(word_bytes, out);
                    $(section(&self.$name, word_bytes, out);)*
                    $(section(&self.$word_name, word_bytes, out);)*
                }

                /// Appends the tables with words for words of 256 bits; those of `bytes` have `word_bytes` bytes.
                pub(crate) fn widen(mut bytes: &[u8], word_bytes: usize, out: &mut alloc::vec::Vec<u8>) -> Result<(), BadImage> {
                    fn section<T: Record>(bytes: &mut &[u8], word_bytes: usize, out: &mut alloc::vec::Vec<u8>) -> Option<()> {
                        let count = u32::read(bytes)?;
                        count.write(word_bytes, out);
                        (0..count).try_for_each(|_| T::widen(bytes, word_bytes, out))
                    }
                    $(section::<$word_ty>(&mut bytes, word_bytes, out).ok_or(BadImage::CutOff(stringify!($word_name)))?;)*
                    if bytes.is_empty() { Ok(()) } else { Err(BadImage::GoesOn(bytes.len())) }
                }
            }
        }
    };
}

impl<'a, W> Deref for Tables<'a, W> {
    type Target = Common<'a>;

    #[inline(always)]
    fn deref(&self) -> &Common<'a> {
        &self.common
    }
}

impl Common<'_> {
    /// The way that bytes form words.
    pub fn units(&self) -> Units {
        let head = self.head();
        Units { bits: head.unit.into(), low_first: head.flags & LOW_FIRST != 0, little_endian: head.flags & LITTLE_ENDIAN != 0 }
    }
}

impl<W> core::fmt::Debug for Tables<'_, W> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Tables").field("head", &self.head).finish_non_exhaustive()
    }
}

tables! {
    common {
        /// All strings, in UTF-8.
        bytes: u8,
        /// Strings by number.
        strings: Str,
        /// Lists of numbers.
        lists: u16,
        /// The first row of each index; 0 is none.
        index: u16,
        /// Truth tables.
        truth: u64,
        /// Decision diagrams; the first two are `no` and `yes`.
        nodes: Node,
        /// Bits in the order in which diagrams ask for them.
        orders: u8,
        /// The order for each length of words.
        order_of: Order,
        /// Instructions.
        insns: Insn,
        /// The operations that print the texts of each form.
        texts: Texts,
        /// Fields.
        fields: Field,
        /// Ranges of bits.
        ranges: Range,
        /// Ways from bits to numbers.
        codes: Code,
        /// Their steps.
        code_steps: CodeStep,
        /// Numbers of bits that are listed.
        mapped: Mapped,
        /// The texts of numbers: the parts of each, in [`Common::parts`], one after the other in a text.
        spellings: Rows,
        /// Parts of the texts of numbers.
        parts: Part,
        /// Names of numbers.
        names: Named,
        /// The names that programs give: the classes of each, in [`Common::classes`].
        patterns: Rows,
        /// Parts of the names that programs give.
        classes: Class,
        /// Register files.
        registers: Registers,
        /// Enumerations.
        enums: Enum,
        /// Fixed values.
        fixed: Fixed,
        /// Words that are taken out of forms.
        exclusions: Exclusion,
        /// Rules.
        rules: Rule,
        /// Registers that are read and written.
        accesses: Access,
        /// Items of lists of control codes.
        control: ControlItem,
        /// Shorter words with the same effect as longer ones, if the instruction set prefers them: by the longer forms, ascending.
        shorter: Shorter,
        /// Fields of longer words as they occur in shorter ones.
        held: Held,
        /// Operations that print texts.
        ops: Op,
        /// Ready strings of up to 15 bytes, the first one lowest; the highest byte is the length.
        entries: u128,
        /// Conditions on few bits.
        tests: Test,
        /// Steps that read texts.
        steps: Step,
        /// Sets of ASCII characters; the last bit means all others.
        initials: u128,
        /// Texts, for reading.
        templates: Template,
        /// Words that texts contain, ascending.
        keys: Key,
        /// Wrong ways to write forms.
        refused: Refused,
        /// The syntax of programs, as [`Assembly::of`](crate::Assembly::of) reads it.
        assembly: u8,
        /// Object files with code of the instruction set, as [`ObjectFiles::of`](crate::machine::ObjectFiles::of) reads them.
        objects: u8,
        /// The machine, as [`MachineInfo::of`](crate::machine::MachineInfo::of) reads it.
        machine: u8,
    }
    words {
        /// Lengths of words, ascending.
        lengths: Length<W>,
        /// Results of decoding, with the bits checked; row 0 is none.
        rows: Row<W>,
        /// Forms.
        forms: Form<W>,
        /// Words with a name and no form.
        holes: Hole<W>,
        /// First units, divided as documents do.
        regions: Region<W>,
        /// Words by some of their bits.
        cubes: Cube<W>,
    }
}
