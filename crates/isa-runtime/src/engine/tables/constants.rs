//! Numbers of kinds and flags in the columns of records.

#[cfg(doc)]
use super::*;

/// [`Head::flags`]: the first unit of a stream is the low one of a word.
pub const LOW_FIRST: u8 = 1;
/// [`Head::flags`]: the bytes of a unit are little-endian.
pub const LITTLE_ENDIAN: u8 = 2;
/// [`Head::flags`]: it is text-only.
pub const TEXT_ONLY: u8 = 4;
/// [`Head::flags`]: of several words of one text, the shortest is assembled.
pub const SHORTEST: u8 = 8;
/// [`Head::flags`]: a number that begins with `0` is octal; without it, such a number is refused.
pub const OCTAL: u8 = 16;
/// [`Head::flags`]: in programs, `/*` begins a comment that ends at `*/`.
pub const BLOCKS: u8 = 32;
/// [`Head::flags`]: texts have no upper case letters, and are read in any case.
pub const LOWER_CASE: u8 = 64;
/// [`Head::flags`]: texts have no lower case letters, and are read in any case.
pub const UPPER_CASE: u8 = 128;

/// [`Mark::kind`]: the rest of the line is a comment.
pub const COMMENT: u8 = 0;
/// [`Mark::kind`]: another statement follows.
pub const SEPARATOR: u8 = 1;
/// [`Mark::kind`]: a prefix of numbers, with their radix.
pub const RADIX: u8 = 2;
/// [`Mark::kind`]: the address of the statement.
pub const HERE: u8 = 3;
/// [`Mark::kind`]: operators bind as in C.
pub const AS_IN_C: u8 = 4;
/// [`Mark::kind`]: the prefix of labels that belong to the label before them.
pub const LOCAL: u8 = 5;
/// [`Mark::kind`]: the number of bytes of `.word`.
pub const WORD_BYTES: u8 = 6;
/// [`Mark::kind`]: `.align` takes bytes.
pub const ALIGN_BYTES: u8 = 7;
/// [`Mark::kind`]: `.org` takes an address.
pub const ORG_ADDRESS: u8 = 8;
/// [`Mark::kind`]: a statement that fills code.
pub const FILL: u8 = 9;
/// [`Mark::kind`]: another name of a directive.
pub const DIRECTIVE: u8 = 10;
/// [`Mark::kind`]: a section and its address.
pub const SECTION: u8 = 11;
/// [`Mark::kind`]: a modifier and its value.
pub const MODIFIER: u8 = 12;
/// [`Mark::kind`]: the modifier that the one before it is paired with.
pub const PAIR: u8 = 13;
/// [`Mark::kind`]: a pseudo-instruction.
pub const PSEUDO: u8 = 14;
/// [`Mark::kind`]: a name and its value in the pseudo-instruction before it.
pub const NAMED: u8 = 15;
/// [`Mark::kind`]: a case of the pseudo-instruction before it, by its condition.
pub const CASE: u8 = 16;
/// [`Mark::kind`]: a statement of the case before it.
pub const STATEMENT: u8 = 17;
/// [`Mark::kind`]: a relocation of an operand: the modifier, the bits of the field, and the number.
pub const RELOCATION: u8 = 18;
/// [`Mark::kind`]: a relocation of data: the number, and the bytes of the data in the high half.
pub const DATA_RELOCATION: u8 = 19;
/// [`Mark::kind`]: flags of object files, and in the high half the bits of the words that make them so.
pub const FLAGS: u8 = 20;
/// [`Mark::kind`]: the number of bits of an address.
pub const ADDRESS_BITS: u8 = 21;
/// [`Mark::kind`]: the pseudo-instruction before it is an instruction, which expands only if it does not reach its target.
pub const FAR: u8 = 22;
/// [`Mark::kind`]: the condition on operands that the modifier before it reaches.
pub const REACHES: u8 = 23;

/// [`Form::flags`]: no form that is tried before this one reads the full text of a word exactly.
pub const ALONE: u8 = 1;

/// [`Form::flags`]: the text has aliases. The first of the texts that are only read is the one without.
pub const HAS_BASE: u8 = 2;

/// [`Field::label`]: a number.
pub const NUMBER: u8 = 0;
/// [`Field::label`]: a register.
pub const REGISTER: u8 = 1;
/// [`Field::label`]: a value of an enumeration.
pub const ENUM: u8 = 2;
/// [`Field::label`]: one bit.
pub const FLAG: u8 = 3;
/// [`Field::label`]: a set; each bit is a member.
pub const SET: u8 = 4;

/// [`Field::place`]: programs give no names to it.
pub const NO_PLACE: u8 = u8::MAX;

/// [`Code::flags`]: a number is also read as the one with the same bits and the other signedness.
pub const OTHER_SIGN: u8 = 1;
/// [`Code::flags`]: of several bits of one number in `map`, the greatest are assembled; without this and [`TAKES_NEAREST`], the
/// least.
pub const TAKES_GREATEST: u8 = 2;
/// [`Code::flags`]: of several bits of one number in `map`, those of the nearest word are assembled.
pub const TAKES_NEAREST: u8 = 8;
/// [`Code::flags`]: the numbers in `map` are in two's complement; without it, none is below 0.
pub const BELOW_ZERO: u8 = 4;

/// [`Part::other`]: other numbers have no text.
pub const NONE: u8 = 0;
/// [`Part::other`]: the number in digits, with its sign, and with `0x` where it is hexadecimal.
pub const DIGITS: u8 = 1;
/// [`Part::other`]: the number without a sign between two texts.
pub const NUMBERED: u8 = 2;
/// [`Part::other`]: a name given by a program, or the number between two texts if it gives none.
pub const GIVEN: u8 = 3;

/// [`Part::radix`]: a floating-point number, whose high bits are the field.
pub const FLOAT: u8 = 2;

/// [`Class::flags`]: the part can be missing.
pub const MISSING: u8 = 1;
/// [`Class::flags`]: there can be several.
pub const REPEATS: u8 = 2;

/// [`Exclusion::field`]: it is not about one field.
pub const NO_FIELD: u16 = u16::MAX;

/// [`Op::kind`]: appends a ready string of [`Common::entries`]. Here `skip` is the number of further operations of this kind.
pub const ENTRY: u8 = 0;
/// [`Op::kind`]: appends a field.
pub const FIELD: u8 = 1;
/// [`Op::kind`]: appends a number of up to 64 bits in one limb, from `at[0]` on: it has `at[1]` bits, a sign if `signed` is
/// 1, and is multiplied by `mask[0]`; the low byte of `mask[1]` is its radix, the high byte the least number of digits.
pub const PLAIN: u8 = 2;
/// [`Op::kind`]: leaves operations out unless a [`Test`] holds.
pub const UNLESS_TEST: u8 = 3;
/// [`Op::kind`]: leaves operations out unless a diagram holds.
pub const UNLESS_SET: u8 = 4;
/// [`Op::kind`]: leaves operations out if the word is in a [`Cube`].
pub const UNLESS_DIFFERS: u8 = 5;

/// [`Step::kind`]: the text ends here.
pub const END: u8 = 0;
/// [`Step::kind`]: a string.
pub const LITERAL: u8 = 1;
/// [`Step::kind`]: a field.
pub const VALUE: u8 = 2;
/// [`Step::kind`]: a group that is present exactly if a diagram holds.
pub const HOLDS: u8 = 3;
/// [`Step::kind`]: a group that is present if the word is not in a [`Cube`].
pub const DIFFERS: u8 = 4;
/// [`Step::kind`]: the text ends here, or the additions of `--full` follow.
pub const FULL: u8 = 5;
/// [`Step::kind`]: one of two ways on: that of `body`, or else that of `next`.
pub const EITHER: u8 = 6;
/// [`Step::kind`]: a text inside the text, from `body` on; it returns to `next`.
pub const ONE_OF: u8 = 7;
/// [`Step::kind`]: a text inside the text ends here.
pub const RETURN: u8 = 8;
