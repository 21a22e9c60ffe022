//! `machine.floats`, from YAML.

use super::floats::{Floats, Fraction, NanInteger, NanRule};
use super::machine::Machine;
use crate::keys::{Key, KeyTable, Listing, Reader};
use crate::yaml::Node;

static FLOATS: KeyTable<Floats> = KeyTable::new(
    "`floats`",
    &[&[
        Key::word(
            "nan",
            &["made", "first", "signalling-first"],
            |f, word, _| f.nan = [NanRule::Made, NanRule::First, NanRule::SignallingFirst][word],
            "The NaN that an operation on NaNs gives: the one that the machine makes (`made`, the default), the first operand that is \
             one, or the first signalling one before others; quieted.",
        ),
        Key::own(
            "made",
            "mapping",
            |r, f, node, _| r.fill(&MADE, f, node),
            "The NaN that the machine makes; by default it has no sign and all bits of the fraction.",
        ),
        Key::word(
            "tiny",
            &["after", "before"],
            |f, word, _| f.tiny_before = word == 1,
            "When it is decided that a result is tiny, and underflows if it is inexact: `after` it is rounded (the default), or \
             `before`.",
        ),
        Key::own("integers", "mapping", |r, f, node, _| r.fill(&INTEGERS, f, node), "What does not fit an integer."),
        Key::word(
            "invalid-product",
            &["always", "unless-nan"],
            |f, word, _| f.invalid_product_quiet = word == 1,
            "When ∞ · 0 in `ffma` is invalid: `always` (the default), or `unless-nan`: not where the addend is a quiet NaN.",
        ),
        Key::word(
            "flush",
            &["rounded", "tiny"],
            |f, word, _| f.flush_tiny = word == 1,
            "When `ftz` and `ftz_out` make a result zero: where it is subnormal after it is `rounded` (the default), or where it is `tiny`, \
             which underflows, and is inexact with `tiny: after`.",
        ),
    ]],
);

static MADE: KeyTable<Floats> = KeyTable::new(
    "`made`",
    &[&[
        Key::number("sign", 0..=1, |f, n, _| f.made_sign = n == 1, "Its sign; 0 by default."),
        Key::word(
            "fraction",
            &["high", "all"],
            |f, word, _| f.made_fraction = [Fraction::High, Fraction::All][word],
            "The bits of its fraction that are set: the highest (`high`) or `all`, the default.",
        ),
    ]],
);

static INTEGERS: KeyTable<Floats> = KeyTable::new(
    "`integers`",
    &[&[
        Key::word(
            "nan",
            &["0", "largest", "indefinite"],
            |f, word, _| f.nan_integer = [NanInteger::Zero, NanInteger::Largest, NanInteger::Indefinite][word],
            "The integer of a NaN: `0` (the default), the `largest`, or the highest bit alone (`indefinite`).",
        ),
        Key::word(
            "beyond",
            &["nearest", "indefinite"],
            |f, word, _| f.beyond_indefinite = word == 1,
            "The integer of a number that does not fit: the `nearest` (the default), or the highest bit alone (`indefinite`).",
        ),
    ]],
);

pub(super) fn floats(reader: &mut Reader<'_>, machine: &mut Machine, node: &Node, _: &str) {
    let mut made = Floats::default();
    reader.fill(&FLOATS, &mut made, node);
    machine.floats = Some(made);
}

/// The keys of `floats`, and of what it has.
pub(super) fn listings() -> [Listing; 3] {
    [(&FLOATS).into(), (&MADE).into(), (&INTEGERS).into()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::semantics::machine_read::tests::read;

    #[test]
    fn rules_are_read() {
        let text = "floats: { nan: signalling-first, made: { sign: 1, fraction: high }, tiny: before, invalid-product: unless-nan, flush: tiny,\n  \
                    integers: { nan: largest, beyond: indefinite } }\n";
        let floats = Floats {
            nan: NanRule::SignallingFirst,
            made_sign: true,
            made_fraction: Fraction::High,
            tiny_before: true,
            nan_integer: NanInteger::Largest,
            beyond_indefinite: true,
            invalid_product_quiet: true,
            flush_tiny: true,
        };
        let (machine, found) = read(text);
        assert_eq!((machine.floats, found), (Some(floats), Vec::new()));
        assert_eq!((read("floats: {}\n").0.floats, read("pc: 32\n").0.floats), (Some(Floats::default()), None));
    }

    #[test]
    fn faults_are_at_their_characters() {
        for (text, message) in [
            ("floats: { nan: frist }\n", "frist: `nan` is made, first or signalling-first"),
            ("floats: { made: { sign: 2 } }\n", "2: `sign` is a number from 0 to 1"),
            ("floats: { integers: { nan: 1 } }\n", "1: `nan` is 0, largest or indefinite"),
            (
                "floats: { tininess: after }\n",
                "tininess: `floats` has no `tininess` (it can have: nan, made, tiny, integers, invalid-product, flush)",
            ),
        ] {
            assert_eq!(read(text).1.join("\n"), message, "{text}");
        }
    }
}
