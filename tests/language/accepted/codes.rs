//! Numbers of bits by codes of the specification, each held against an implementation of its own for all bits.

use super::exam::{Exam, Written, exam};
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

#[test]
fn json_and_pages_have_the_sums_of_codes_that_are_not_listed() {
    let isa = harness::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("specs/accepted/wide-codes.yaml"));
    let json: String = isa_docs::json::model(isa).split_whitespace().collect();
    // Bit n of a Gray code is in the numbers of all lower ones; the first sum is that of bit 0.
    let sums: Vec<String> = (1..=24).map(|bits| format!("\"{:#x}\"", (1u32 << bits) - 1)).collect();
    let gray = format!("\"name\":\"Gray24\",\"width\":24,\"start\":\"0x0\",\"sums\":[{}]", sums.join(","));
    assert!(json.contains(&gray), "{gray}");
    // All bits clear are 0xa5a5a5, turned by 5; its lowest bit is set, so another one changes.
    let start = (0xa5_a5a5u32 >> 5 | 0xa5_a5a5 << 19) & 0xff_ffff;
    let mixed = format!("\"name\":\"Mixed\",\"width\":24,\"start\":\"{:#x}\",\"sums\":[", start ^ (start & 1) << 7);
    assert!(json.contains(&mixed), "{mixed}");
    let pages = isa_docs::pages::html(isa);
    let texts = pages.iter().map(|file| String::from_utf8_lossy(&file.contents));
    let page = texts.into_iter().find(|text| text.contains("The reflected binary code of Gray")).expect("a page of codes");
    for wanted in
        ["128 bits, each value of which has a number of 128 bits", "24 bits, each value of which has a number of 24 bits"]
    {
        assert!(page.contains(wanted), "{wanted}");
    }
    assert!(page.contains("fn bits(n:128) : 128"), "the functions are shown");
}

#[test]
fn numbers_that_are_too_many_to_be_listed() {
    exam("wide-codes", |e| {
        let gray = |n: u128| n ^ n >> 1;
        let some = [0, 1, 2, 3, 6, 100, 0xff, 1 << 64, (1 << 64) + 1, 0x0123_4567_89ab_cdef_0011_2233_4455_6677, u128::MAX];
        for n in some {
            e.both(format!("{:034x}", gray(n)).as_str(), "GRAY", &format!("GRAY {n:#x}"));
            let split = gray(n).rotate_left(64);
            let text = if n == 100 { "SPLIT".to_owned() } else { format!("SPLIT, {n}") };
            e.both(format!("01{split:032x}").as_str(), "SPLIT", &text);
        }
        e.refuses(7, "GRAY: n != 5 (`n` 127..0 is 0x7)");
        e.faulty("GRAY -1", "     ^", "-1 is out of range: `n` takes 0x0 to 0x7fffffffffffffffffffffffffffffff");
        let narrow = |op: u128, low: u128| format!("{op:02x}{low:032x}");
        for n in 0..128 {
            let word = narrow(2, gray(n));
            match 2 * n + 1 < 200 {
                true => e.both(word.as_str(), "SEVEN", &format!("SEVEN {}", 2 * n + 1)),
                false => assert!(e.codec.decode(Written::word(word.as_str()), e.bits).is_err()),
            }
        }
        e.faulty("SEVEN 4", "      ^", "4 is not 1 more than a multiple of 2");
        for i in 0..3000u128 {
            let n = i * 0x5_3a7b % (1 << 24);
            let m = i % 128;
            let word = narrow(3, gray(n) | gray(m) << 24);
            match n >= m && n & 0xf0 != 0x30 {
                true => e.both(word.as_str(), "PAIR", &format!("PAIR {n:#x}, {m:#x}")),
                false => assert!(e.codec.decode(Written::word(word.as_str()), e.bits).is_err(), "{n:#x} {m:#x}"),
            }
            let swapped = u128::from((n as u32).wrapping_mul(0x9e37_79b1).swap_bytes());
            e.both(narrow(4, swapped).as_str(), "SWAP", &format!("SWAP {:#x}", (swapped as u32).swap_bytes()));
            let turned = (n ^ 0xa5_a5a5) >> 5 | (n ^ 0xa5_a5a5) << 19 & 0xff_ffff;
            e.both(narrow(5, n).as_str(), "MIX", &format!("MIX {:#x}", turned ^ (turned & 1) << 7));
            let zig = n & 0xf_ffff;
            let number = if zig % 2 == 0 { zig as i64 / 2 } else { -(zig as i64 + 1) / 2 };
            let text = if number == -1 { "MINUS".to_owned() } else { format!("ZIG {number}") };
            e.both(narrow(6, zig).as_str(), "ZIG", &text);
        }
        e.both(narrow(4, 0x7856_3412).as_str(), "SWAP", "SWAP");
        // From GNU as: `bl .-0x400000+4+2*k` and the like.
        for (word, to) in [
            (0xf000_f800u128, 0x1004),
            (0xf7ff_fffe, 0x1000),
            (0xf000_d000, 0x1004 + 0xc0_0000),
            (0xf400_d000, 0x1004 - 0x100_0000),
        ] {
            e.address = 0x1000;
            let to: i64 = to;
            let text = if to < 0 { format!("BL -{:#x}", -to) } else { format!("BL {to:#x}") };
            e.both(narrow(7, word).as_str(), "BL", &text);
        }
    });
}

/// The number of A64's VFPExpandImm.
fn expanded(imm: u32) -> f64 {
    let sign = if imm >> 7 == 1 { -1.0 } else { 1.0 };
    let exponent = if imm >> 6 & 1 == 1 { (imm >> 4 & 3) as i32 - 3 } else { (imm >> 4 & 3) as i32 + 1 };
    sign * f64::from(16 + (imm & 15)) / 16.0 * 2f64.powi(exponent)
}

#[test]
fn floating_point_immediates_of_a64() {
    vectors("a64-floats", true);
    exam("a64-floats", |e| {
        for imm in 0..256u32 {
            let (number, imm) = (expanded(imm), u128::from(imm));
            // The exponents of all of them are of one digit.
            let shown = format!("{number:.18e}");
            let (digits, power) = shown.split_once('e').expect("an exponent");
            let power: i32 = power.parse().expect("digits");
            let shown = format!("{digits}e{}{:02}", if power < 0 { '-' } else { '+' }, power.abs());
            for (form, word, rd) in
                [("fmov.s", 0x1e20_1003u128, "s3"), ("fmov.d", 0x1e60_1003, "d3"), ("fmov.h", 0x1ee0_1003, "h3")]
            {
                e.both(word | imm << 13, form, &format!("fmov {rd}, #{shown}"));
                e.reads(&format!("fmov {rd}, #{number}"), word | imm << 13);
                e.reads(&format!("fmov {rd}, #{number:e}"), word | imm << 13);
            }
            let split = imm >> 5 << 16 | (imm & 31) << 5;
            let arranged =
                [("2s", 0x0f00_f403u128), ("4s", 0x4f00_f403), ("2d", 0x6f00_f403), ("4h", 0x0f00_fc03), ("8h", 0x4f00_fc03)];
            for (arr, word) in arranged {
                e.both(word | split, &format!("fmov.v.{arr}"), &format!("fmov v3.{arr}, #{shown}"));
            }
        }
        e.faulty("fmov d0, #0.3", "          ^", "0.3 is not a number of `imm`");
        e.faulty("fmov d0, #0", "          ^", "0 is not a number of `imm`");
        e.faulty(
            "fmov d0, #x",
            "          ^",
            "expected a number, found `x`; there is no label `x`, and the number is not a target",
        );
        e.full(0x1e6e_1001u128, "fmov d1, #1.000000000000000000e+00");
    });
}

#[test]
fn floating_point_numbers_of_eight_bits() {
    exam("small-floats", |e| {
        let scaled = |bits: u32, fraction: u32, bias: i32| {
            let (exponent, rest) =
                ((bits >> fraction) as i32, f64::from(bits & ((1 << fraction) - 1)) / f64::from(1u32 << fraction));
            if exponent == 0 { rest * 2f64.powi(1 - bias) } else { (1.0 + rest) * 2f64.powi(exponent - bias) }
        };
        for bits in 0..256u32 {
            let (sign, size) = (if bits >> 7 == 1 { "-" } else { "" }, bits & 0x7f);
            let e4m3 = match size {
                0 => {
                    if bits == 0 {
                        "0".to_owned()
                    } else {
                        "-0.0".to_owned()
                    }
                }
                0x7f => format!("{}QNAN", if bits >> 7 == 1 { '-' } else { '+' }),
                _ => format!("{sign}{}", scaled(size, 3, 7)),
            };
            e.both(u128::from(bits), "A", &format!("A {e4m3}"));
            let named = if bits >> 7 == 1 { '-' } else { '+' };
            let shown = format!("{:.4e}", scaled(size, 2, 15));
            let (digits, power) = shown.split_once('e').expect("an exponent");
            let power: i32 = power.parse().expect("digits");
            let e5m2 = match size {
                0x7c => format!("B {named}INF"),
                0x7d => format!("B {named}SNAN"),
                0x7e | 0x7f => format!("B {named}QNAN"),
                _ => format!("B {sign}{digits}e{}{:02}", if power < 0 { '-' } else { '+' }, power.abs()),
            };
            e.prints(u128::from(bits | 0x100), "B", &e5m2);
            // If there are two quiet NaNs, the one without a payload is assembled.
            e.reads(&e5m2, u128::from(if size == 0x7f { bits - 1 } else { bits } | 0x100));
        }
    });
}
