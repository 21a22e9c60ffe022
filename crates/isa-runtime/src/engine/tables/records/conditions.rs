//! Conditions on words.

use crate::engine::record::record;
#[cfg(doc)]
use crate::engine::tables::*;

record! {
    /// Some bits of a word, as a part of an index: `rotate_right(limb, at % 64) & mask`, where `limb` is the 64 bits of the word
    /// from bit `at - at % 64` on.
    Term {
        /// The limb, and the number of bits by which it is rotated.
        at: u8,
        /// Ones at the bits of the term in the index.
        mask: u16,
    }

    /// A condition on few bits: whether bit `index` of a truth table is set.
    Test {
        /// The index: the terms added up.
        index: [Term; 2],
        /// First element of the truth table in [`Common::truth`].
        table: u32,
    }

    /// A step of a decision diagram: it tests a bit and goes on at another node. Nodes 0 and 1 are `no` and `yes`; children come
    /// before their parents.
    Node {
        /// The bit.
        bit: u8,
        /// The next node if the bit is clear.
        lo: u32,
        /// The next node if the bit is set.
        hi: u32,
    }

    /// Words by some of their bits.
    Cube<W> {
        /// The bits tested.
        mask: W,
        /// Their values.
        value: W,
    }
}
