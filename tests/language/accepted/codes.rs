//! Numbers of bits by codes of the specification, each held against an implementation of its own for all bits.

use super::exam::{Exam, exam};
use std::path::Path;

/// Each word prints its number, which is read as the word with the least of the bits that have it.
fn all_numbers(e: &mut Exam<'_>, form: &str, word: u128, at: u32, numbers: &[Option<u64>], text: impl Fn(u64) -> String) {
    for (bits, number) in (0..).zip(numbers) {
        let word = word | bits << at;
        let Some(number) = number else {
            assert!(e.codec.decode(word.into(), e.bits).is_err(), "{word:#x}");
            continue;
        };
        let (own, mut printed) =
            (e.codec.decode(word.into(), e.bits).unwrap_or_else(|e| panic!("{word:#x}: {e}")), String::new());
        e.codec.print(own, word.into(), e.address, &mut printed);
        assert_eq!((e.codec.isa().form(own).name.as_str(), printed), (form, text(*number)), "{word:#x}");
        if bits % 16 == 5 {
            e.prints(word, form, &text(*number));
        }
        let least = numbers.iter().position(|other| other.as_ref() == Some(number)).expect("it has the number itself");
        if least as u128 == bits {
            e.reads(&text(*number), word);
        }
    }
}

/// Arm's DecodeBitMasks, bit by bit.
fn mask(bits: u32, n: u32, immr: u32, imms: u32) -> Option<u64> {
    let high = (n << 6 | (!imms & 0x3f)).checked_ilog2()?;
    let size = 1 << high;
    let (ones, turn) = (imms % size, immr % size);
    if high == 0 || ones == size - 1 {
        return None;
    }
    let is_set = |bit: &u32| (bit % size + turn) % size <= ones;
    Some((0..bits).filter(is_set).fold(0, |all, bit| all | 1 << bit))
}

#[test]
fn logical_immediates_of_a64() {
    exam("a64-masks", |e| {
        let narrow: Vec<Option<u64>> = (0..1 << 12).map(|x| mask(32, 0, x >> 6, x & 0x3f)).collect();
        let wide: Vec<Option<u64>> = (0..1 << 13).map(|x| mask(64, x >> 12, x >> 6 & 0x3f, x & 0x3f)).collect();
        let different = |all: &[Option<u64>]| all.iter().flatten().collect::<std::collections::BTreeSet<_>>().len();
        assert_eq!([different(&narrow), different(&wide)], [1302, 5334]);
        all_numbers(e, "eor.w", 0x5200_0062, 10, &narrow, |n| format!("eor w2, w3, #{n:#x}"));
        all_numbers(e, "eor.x", 0xd200_0062, 10, &wide, |n| format!("eor x2, x3, #{n:#x}"));
        e.reads("and x0, x0, #255", 0x9240_1c00u128);
        e.reads("and x0, x0, #0xFF", 0x9240_1c00u128);
        e.faulty("and x0, x0, #5", "             ^", "5 is not a number of `imm`: the nearest are 0x4 and 0x6");
        e.faulty("and w0, w0, #0", "             ^", "0 is not a number of `imm`: the nearest number is 0x1");
        e.full(0x9260_1c00u128, "and x0, x0, #0xff00000000");
        e.full(0x1220_0000u128, "and w0, w0, #0x1 {imm=0x800}");
    });
}

/// Each word and text of the vectors of a spec, in both dialects; texts are read back where one is that of one word.
pub(super) fn vectors(name: &str, is_read: bool) {
    let vectors = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors").join(name).with_extension("tsv");
    let vectors = std::fs::read_to_string(vectors).expect("the vectors");
    exam(name, |e| {
        for line in vectors.lines().filter(|line| !line.starts_with('#')) {
            let columns: Vec<&str> = line.split('\t').collect();
            let [word, address, text, base] = columns.as_slice() else { panic!("{line}") };
            let number = |digits: &str| u64::from_str_radix(digits.trim_start_matches("0x"), 16).expect("digits");
            e.address = number(address);
            let word = u128::from(number(word));
            let form = e.codec.decode(word.into(), e.bits).unwrap_or_else(|e| panic!("{line}: {e}"));
            e.prints(word, &e.codec.isa().form(form).name, text);
            assert_eq!(e.codec.base_text(form, word.into(), e.address), *base, "{word:#x}");
            if is_read {
                e.reads(text, word);
            }
        }
    });
}

#[test]
fn masks_and_pages_of_a64_are_those_of_objdump() {
    vectors("a64-masks", false);
}

#[test]
fn modified_immediates_of_arm_and_thumb_and_gray_codes() {
    exam("codes", |e| {
        let arm: Vec<Option<u64>> = (0..1u32 << 12).map(|x| Some((x & 0xff).rotate_right(2 * (x >> 8)).into())).collect();
        all_numbers(e, "ARM", 0, 0, &arm, |n| format!("ARM {n:#x}"));
        let thumb = |x: u32| {
            let low = x & 0xff;
            let n = match x >> 8 {
                0 => low,
                1..4 if low == 0 => return None,
                1 => low * 0x0001_0001,
                2 => low * 0x0100_0100,
                3 => low * 0x0101_0101,
                _ => (0x80 | x & 0x7f).rotate_right(x >> 7),
            };
            Some(u64::from(n))
        };
        let thumb: Vec<Option<u64>> = (0..1 << 12).map(thumb).collect();
        all_numbers(e, "THUMB", 0x1000, 0, &thumb, |n| format!("THUMB {n}"));
        for n in (3..100u128).filter(|n| *n != 5) {
            // Each number differs from the one before in one bit.
            e.both(0x2100 | (n ^ n >> 1), "GRAY", &format!("GRAY, {n}, 0"));
        }
        e.prints(0x2007u128, "GRAY", "GRAY, 0");
        e.reads("GRAY, 0", 0x2107u128);
        e.reads("GRAY, 5, 10", 0x2f87u128);
        e.refuses(0x2003u128, "GRAY: n >= 3 || n == 0 (`n` 6..0 is 0x3)");
        e.faulty("ARM 0x101", "    ^", "0x101 is not a number of `n`: the nearest are 0x100 and 0x104");
        e.faulty("THUMB -1", "      ^", "-1 is not a number of `n`: the nearest number is 0");
    });
}
