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
/// [`Head::flags`]: texts have no upper case letters, and are read in any case.
pub const LOWER_CASE: u8 = 64;
/// [`Head::flags`]: texts have no lower case letters, and are read in any case.
pub const UPPER_CASE: u8 = 128;

/// [`Form::flags`]: no form that is tried before this one reads the full text of a word exactly.
pub const ALONE: u8 = 1;

/// [`Form::flags`]: the text has aliases. The first of the texts that are only read is the one without.
pub const HAS_BASE: u8 = 2;

/// [`Form::flags`]: it expands to another form, of longer words, whose effect it has.
pub const SHORTENS: u8 = 4;

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
/// [`Step::kind`]: nothing; a diagram holds.
pub const ONLY: u8 = 9;
