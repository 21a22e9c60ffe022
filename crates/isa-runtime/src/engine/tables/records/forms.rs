//! Instructions and forms.

use super::{Rows, Str};
use crate::engine::record::record;
#[cfg(doc)]
use crate::engine::tables::*;

record! {
    /// An instruction.
    Insn {
        /// Its name.
        name: Str,
        /// Its mnemonic.
        mnemonic: Str,
        /// The number of registers named by programs in one instruction, where programs name registers.
        names: u16,
        /// Its first form.
        first: u16,
        /// The number of its forms.
        forms: u16,
    }

    /// A form: the result of decoding a word.
    Form<W> {
        /// Its name.
        name: Str,
        /// Its instruction.
        insn: u16,
        /// Bits of its words.
        length: u16,
        /// [`ALONE`], [`HAS_BASE`], [`SHORTENS`].
        flags: u8,
        /// The bits that are fixed, reserved ones included.
        mask: W,
        /// Their values.
        value: W,
        /// The word with every field at its default.
        default: W,
        /// The bits that must be zero.
        reserved: W,
        /// Bits without a meaning, which are kept.
        kept: W,
        /// Its fields, in [`Common::lists`].
        fields: Rows,
        /// The fields that its text without aliases can show, in the order of the text, with the further fields of an operand
        /// after its first, in [`Common::lists`].
        operands: Rows,
        /// Its fixed values, in [`Common::fixed`].
        fixed: Rows,
        /// Its words, specialisations left out: a diagram.
        words: u32,
        /// The words that keep all rules: a diagram.
        legal: u32,
        /// The words whose full text can be read exactly in one way only, the one in which it is printed: a diagram.
        one_way: u32,
        /// The reasons why it has fewer words than mask and value allow, in [`Common::exclusions`].
        exclusions: Rows,
        /// The rules that legal words keep, in [`Common::rules`].
        rules: Rows,
        /// The registers that it reads and writes, in [`Common::accesses`].
        accesses: Rows,
        /// The items of its lists of control codes, in [`Common::control`]; those of one list are neighbours.
        control: Rows,
    }

    /// A fixed value of a form.
    Fixed {
        /// Its name, perhaps empty.
        name: Str,
        /// Its bits, in [`Common::ranges`].
        ranges: Rows,
        /// The value.
        value: u128,
    }

    /// Words that are taken out of a form.
    Exclusion {
        /// The words taken out: a diagram.
        when: u32,
        /// The field concerned, or [`NO_FIELD`].
        field: u16,
        /// The reason.
        why: Str,
    }

    /// A rule that legal words keep.
    Rule {
        /// The words that keep it: a diagram.
        holds: u32,
        /// The fields that it is about, in [`Common::lists`].
        fields: Rows,
        /// The rule, in words.
        why: Str,
    }

    /// An effect of the control codes of a word: a flag, or an item of a list.
    ControlItem {
        /// The name of the flag or of the list.
        list: Str,
        /// The item; empty for a flag.
        item: Str,
        /// The words that have it: a diagram.
        when: u32,
    }

    /// Accesses to consecutive registers, from the one that a field names on. Among the rows of a form that read (write) the
    /// registers of one field, at most one has a diagram that holds for a word.
    Access {
        /// The field.
        field: u16,
        /// The words in which it happens: a diagram.
        when: u32,
        /// The number of registers read.
        reads: u8,
        /// The number of registers written.
        writes: u8,
    }

    /// A form of shorter words with the same effect as longer ones.
    Shorter {
        /// The form of the longer words.
        long: u16,
        /// The form of the shorter words.
        short: u16,
        /// The fields of the longer words in the shorter ones, in `held`.
        held: Rows,
    }

    /// A field of a longer word as it occurs in a shorter one.
    Held {
        /// The field of the longer word.
        field: u16,
        /// The field of the shorter one that has its number, or [`NO_FIELD`].
        from: u16,
        /// Without that field, the bits that the field of the longer word must have.
        value: u128,
    }

    /// The operations that print the texts of a form, in [`Common::ops`].
    Texts {
        /// Its text.
        text: Rows,
        /// Its text without aliases.
        base: Rows,
        /// The additions of `--full`.
        full: Rows,
    }
}
