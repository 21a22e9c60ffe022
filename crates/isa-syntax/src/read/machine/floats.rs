//! `machine.floats`, from YAML.

use crate::keys::{Key, KeyTable, Listing, Reader};
use crate::yaml::{Node, Text};
use isa_model::bits::width_word;
use isa_model::diag::{Diagnostic, nearest};
use isa_model::semantics::floats::{Direction, Floats, Fraction, NanInteger, NanRule, Round};
use isa_model::semantics::machine::Machine;

/// `floats` as it is written.
#[derive(Default)]
pub(super) struct Declared {
    floats: Floats,
    rounding: Vec<Direction>,
}

pub(super) static FLOATS: KeyTable<Declared> = KeyTable::new(
    "`floats`",
    &[&[
        Key::word(
            "nan",
            &["made", "first", "signalling-first"],
            |f, word, _| f.floats.nan = [NanRule::Made, NanRule::First, NanRule::SignallingFirst][word],
            "The result of an operation on NaNs: the NaN that the machine makes (`made`, the default), the first operand that is \
             a NaN (`first`), or the first signalling NaN, if there is one, and else the first NaN (`signalling-first`). An \
             operand that becomes the result is quieted.",
        ),
        Key::part(
            || (&MADE).into(),
            Key::own(
                "made",
                "mapping",
                |r, f, node, _| r.fill(&MADE, &mut f.floats, node),
                "The NaN that the machine makes; by default, its sign is 0 and all bits of its fraction are set.",
            ),
        ),
        Key::word(
            "tiny",
            &["after", "before"],
            |f, word, _| f.floats.tiny_before = word == 1,
            "Whether tininess is detected `after` rounding (the default) or `before`. A result that is tiny and inexact \
             underflows.",
        ),
        Key::part(
            || (&INTEGERS).into(),
            Key::own(
                "integers",
                "mapping",
                |r, f, node, _| r.fill(&INTEGERS, &mut f.floats, node),
                "The results of conversions to integers that do not fit.",
            ),
        ),
        Key::word(
            "invalid-product",
            &["always", "unless-nan"],
            |f, word, _| f.floats.invalid_product_quiet = word == 1,
            "When ∞ · 0 in `ffma` is invalid: `always` (the default), or `unless-nan`, that is, unless the addend is a quiet \
             NaN.",
        ),
        Key::own(
            "rounding",
            "list",
            rounding,
            "The direction for each value of a rounding mode, from 0 up: `rn`, `rz`, `rd`, `ru` or `ra`; `illegal` for none; or \
             a value of the machine that selects the direction. By default, a rounding mode has three bits, of which 0 to 4 are \
             the directions in this order, and 5 to 7 are `rn`.",
        ),
        Key::word(
            "flush",
            &["rounded", "tiny"],
            |f, word, _| f.floats.flush_tiny = word == 1,
            "The results that `ftz` and `ftz_out` replace by zero: those that are subnormal after rounding (`rounded`, the \
             default), or those that are tiny (`tiny`). With `tiny`, flushing raises underflow, and with `tiny: after` also \
             inexact.",
        ),
    ]],
);

static MADE: KeyTable<Floats> = KeyTable::new(
    "`made`",
    &[&[
        Key::number("sign", 0..=1, |f, n, _| f.made_sign = n == 1, "The sign; 0 by default."),
        Key::word(
            "fraction",
            &["high", "all"],
            |f, word, _| f.made_fraction = [Fraction::High, Fraction::All][word],
            "The bits of the fraction that are set: the highest (`high`) or `all`, the default.",
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
            "The result for a NaN: `0` (the default), the `largest` integer, or only the highest bit set (`indefinite`).",
        ),
        Key::word(
            "beyond",
            &["nearest", "indefinite"],
            |f, word, _| f.beyond_indefinite = word == 1,
            "The result for a number out of range: the `nearest` integer (the default), or only the highest bit set \
             (`indefinite`).",
        ),
    ]],
);

pub(super) fn floats(reader: &mut Reader<'_>, machine: &mut Machine, node: &Node, _: &str) {
    let mut made = Declared::default();
    reader.fill(&FLOATS, &mut made, node);
    (machine.floats, machine.rounding) = (Some(made.floats), made.rounding);
}

fn rounding(reader: &mut Reader<'_>, declared: &mut Declared, node: &Node, _: &str) {
    let words = reader.texts(node, "a direction of rounding");
    if !matches!(words.len(), 2 | 4 | 8 | 16) {
        let message = format!("`rounding` has an entry for each value, so 2, 4, 8 or 16, not {}", words.len());
        reader.error("machine", message, node.span);
        return;
    }
    let entry = |text: Text| match (Round::parse(&text.value), text.value.as_str()) {
        (Some(round), _) => Direction::Known(round),
        (None, "illegal") => Direction::Illegal,
        (None, _) => Direction::Value(text.value, text.span),
    };
    declared.rounding = words.into_iter().map(entry).collect();
}

/// Reports named values of `rounding` that the machine does not have.
pub(super) fn whole(reader: &mut Reader<'_>, machine: &Machine) {
    let width = machine.rounding.len().checked_ilog2().unwrap_or(0);
    for direction in &machine.rounding {
        let Direction::Value(name, span) = direction else { continue };
        match machine.state.iter().find(|state| state.name == *name) {
            Some(state) if state.width == width => {}
            Some(state) => {
                let message =
                    format!("`{name}` is {} wide, a direction of rounding here {}", width_word(state.width), width_word(width));
                reader.error("machine", message, *span);
            }
            None => {
                let mut known: Vec<&str> = Round::ALL.into_iter().map(Round::name).chain(["illegal"]).collect();
                known.extend(machine.state.iter().map(|state| state.name.as_str()));
                let help = nearest(name, known.iter().copied()).map(|near| format!("did you mean `{near}`?"));
                let help = help.unwrap_or_else(|| format!("there are {}", known.join(", ")));
                let message = format!("`{name}` is neither a direction of rounding nor a value of the machine");
                reader.diags.push(Diagnostic::error("machine", message, *span).with_help(help));
            }
        }
    }
}

/// The keys of `floats`, and of what it has.
pub(super) fn listings() -> [Listing; 3] {
    [(&FLOATS).into(), (&MADE).into(), (&INTEGERS).into()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::machine::tests::read;

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
        let (machine, found) = read("state: { frm: 2 }\nfloats: { rounding: [rn, ra, illegal, frm] }\n");
        let known = [Direction::Known(Round::Nearest), Direction::Known(Round::Away), Direction::Illegal];
        assert_eq!((&machine.rounding[..3], machine.rounding.len(), found), (&known[..], 4, Vec::new()));
        assert!(matches!(&machine.rounding[3], Direction::Value(name, _) if name == "frm"), "{:?}", machine.rounding);
        assert_eq!((read("floats: {}\n").0.floats, read("pc: 32\n").0.floats), (Some(Floats::default()), None));
    }

    #[test]
    fn faults_are_at_their_characters() {
        for (text, message) in [
            ("floats: { nan: frist }\n", "frist: `nan` is made, first or signalling-first"),
            ("floats: { made: { sign: 2 } }\n", "2: `sign` is a number from 0 to 1"),
            ("floats: { integers: { nan: 1 } }\n", "1: `nan` is 0, largest or indefinite"),
            (
                "floats: { rounding: [rn, rz, ru] }\n",
                "[rn, rz, ru: `rounding` has an entry for each value, so 2, 4, 8 or 16, not 3",
            ),
            (
                "state: { mode: 3 }\nfloats: { rounding: [rn, mode] }\n",
                "mode: `mode` is 3 bits wide, a direction of rounding here 1 bit",
            ),
            (
                "state: { mode: 1 }\nfloats: { rounding: [rn, mod] }\n",
                "mod: `mod` is neither a direction of rounding nor a value of the machine (did you mean `mode`?)",
            ),
            (
                "floats: { tininess: after }\n",
                "tininess: `floats` has no `tininess` (it can have: nan, made, tiny, integers, invalid-product, rounding, flush)",
            ),
        ] {
            assert_eq!(read(text).1.join("\n"), message, "{text}");
        }
    }
}
