//! Operations of printing, steps of reading, and marks in the lines of programs.

use super::{Rows, Str};
use crate::engine::record::record;
#[cfg(doc)]
use crate::engine::tables::*;

record! {
    /// An operation of printing.
    Op {
        /// Its kind: one of the operations below.
        kind: u8,
        /// 1 for a number with a sign.
        signed: u8,
        /// The parts of an index, as in [`Term`].
        at: [u8; 2],
        /// Ones at their bits in the index.
        mask: [u16; 2],
        /// First string, or the field, or the condition.
        base: u32,
        /// The number of operations that are left out if a condition does not hold, or that belong together with this one.
        skip: u16,
        /// The texts of a field's number, in [`Common::spellings`].
        spelling: u32,
    }

    /// A step of reading.
    Step {
        /// Its kind: one of the steps below.
        kind: u8,
        /// The texts of a field's number, in [`Common::spellings`].
        spelling: u32,
        /// The string, the field, the condition or the list of alternatives.
        of: u32,
        /// The next step.
        next: u32,
        /// The first step of a group.
        body: u32,
        /// The ASCII characters that can come first from here on, in [`Common::initials`].
        initials: u32,
    }

    /// A text of a form, for reading.
    Template {
        /// The form.
        form: u16,
        /// 0 for the printed text, then the texts that are only read.
        which: u16,
        /// Its first step.
        step: u32,
        /// The word that all its texts contain, if there is one.
        word: Str,
        /// The ASCII characters that all its texts contain, one bit each.
        needs: u128,
        /// The characters that its texts can contain as they are printed; the last bit means all that are not ASCII.
        made_of: u128,
        /// The pairs of characters that all its texts contain as they are printed: bit `(31 * first + second) % 128` for each.
        pairs: u128,
        /// The longest word of its literals.
        longest: Str,
    }

    /// A word, and the templates whose texts all contain it.
    Key {
        /// The word.
        word: Str,
        /// The templates, in [`Common::lists`], ascending.
        templates: Rows,
    }

    /// A wrong way to write a form.
    Refused {
        /// The form.
        form: u16,
        /// Its first step.
        step: u32,
        /// The reason why it is wrong.
        why: Str,
    }
}
