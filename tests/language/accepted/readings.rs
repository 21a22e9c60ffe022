//! Numbers that are computed from fields: A64's aliases and lists, each held against rules of their own for all bits, and objdump's texts.

use super::codes::vectors;
use super::exam::{Exam, exam};

/// Prints each word, and reads its text back as the word.
fn both(e: &mut Exam<'_>, word: u128, text: &str) {
    let (own, mut printed) = (e.codec.decode(word.into(), e.bits).unwrap_or_else(|e| panic!("{word:#x}: {e}")), String::new());
    e.codec.print(own, word.into(), e.address, &mut printed);
    assert_eq!(printed, text, "{word:#x}");
    if word % 7 == 3 {
        e.reads(text, word);
    }
}

/// The instruction that Arm's rules prefer for a bit field move of `bits` bits: `op` is 0 for sbfm, 1 for bfm, 2 for ubfm.
fn bit_field(op: u128, bits: u32, immr: u32, imms: u32) -> String {
    let r = if bits == 64 { "x" } else { "w" };
    let name = ["sb", "b", "ub"][op as usize];
    let regs = format!("{r}1, {r}2");
    let is_right = op != 1 && imms == bits - 1;
    match (op, immr, imms) {
        (2, _, _) if imms != bits - 1 && imms + 1 == immr => format!("lsl {regs}, #{}", bits - immr),
        _ if is_right => format!("{} {regs}, #{immr}", if op == 2 { "lsr" } else { "asr" }),
        (1, _, _) if imms < immr => format!("bfi {regs}, #{}, #{}", bits - immr, imms + 1),
        (_, _, _) if imms < immr => format!("{name}fiz {regs}, #{}, #{}", bits - immr, imms + 1),
        (1, _, _) => format!("bfxil {regs}, #{immr}, #{}", imms + 1 - immr),
        (2, 0, 7) if bits == 32 => format!("uxtb {regs}"),
        (2, 0, 15) if bits == 32 => format!("uxth {regs}"),
        (0, 0, 7) => format!("sxtb {r}1, w2"),
        (0, 0, 15) => format!("sxth {r}1, w2"),
        (0, 0, 31) => format!("sxtw {r}1, w2"),
        _ => format!("{name}fx {regs}, #{immr}, #{}", imms + 1 - immr),
    }
}

const CONDITIONS: [&str; 16] = ["eq", "ne", "cs", "cc", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le", "al", "nv"];

#[test]
fn aliases_of_a64() {
    exam("a64-aliases", |e| {
        for (op, sf) in (0..3).flat_map(|op| [(op, 0u128), (op, 1)]) {
            let bits = 32 << sf;
            for (immr, imms) in (0..bits).flat_map(|immr| (0..bits).map(move |imms| (immr, imms))) {
                let word = sf << 31 | op << 29 | 0x26 << 23 | sf << 22 | u128::from(immr) << 16 | u128::from(imms) << 10 | 0x41;
                both(e, word, &bit_field(op, bits, immr, imms));
            }
        }
        for (cond, rn, rm) in (0..16u128).flat_map(|cond| [(cond, 2u128, 2u128), (cond, 2, 3), (cond, 31, 31)]) {
            let names = ["xzr", "x2", "x3"];
            let [n, m] = [rn, rm].map(|r| names[if r == 31 { 0 } else { r as usize - 1 }]);
            for (op, two, alone) in [(1u128, "cinc", "cset"), (2, "cinv", "csetm"), (3, "cneg", "")] {
                let word = 1 << 31 | (op >> 1) << 30 | 0xd4 << 21 | rm << 16 | cond << 12 | (op & 1) << 10 | rn << 5 | 1;
                let text = match (rn == rm && cond < 14, rn == 31 && !alone.is_empty()) {
                    (true, true) => format!("{alone} x1, {}", CONDITIONS[cond as usize ^ 1]),
                    (true, false) => format!("{two} x1, {n}, {}", CONDITIONS[cond as usize ^ 1]),
                    _ => format!("{} x1, {n}, {m}, {}", ["", "csinc", "csinv", "csneg"][op as usize], CONDITIONS[cond as usize]),
                };
                e.both(word, &format!("{}.x", ["", "csinc", "csinv", "csneg"][op as usize]), &text);
            }
        }
        // The numbers of both texts, in any spelling, and those that are none.
        e.reads("ubfx x1, x2, #0x3, #5", 0xd343_1c41u128);
        e.reads("ubfm x1, x2, #3, #7", 0xd343_1c41u128);
        e.reads("lsl w1, w2, #31", 0x5301_0041u128);
        e.reads("cset x1, hs", 0x9a9f_37e1u128);
        e.faulty(
            "ubfx x1, x2, #60, #8",
            "                   ^",
            "the instruction is not printed like this; a part of the text belongs elsewhere or is left out",
        );
        e.faulty("lsl w1, w2, #32", "             ^", "32 is out of range: `shift` takes 0 to 31");
    });
}

#[test]
fn lists_slices_and_wide_moves_of_a64() {
    exam("a64-views", |e| {
        let arrangements = ["8b", "16b", "4h", "8h", "2s", "4s", "1d", "2d"];
        for (count, opcode) in [(1u128, 7u128), (2, 10), (3, 6), (4, 2)] {
            for (rt, arr) in (0..32).flat_map(|rt| (0..8).map(move |arr| (rt, arr))) {
                let shown = arrangements[arr as usize];
                let name = |i: u128| format!("v{}.{shown}", (rt + i) % 32);
                let list = match rt + count - 1 {
                    last if count > 2 && last < 32 => format!("{}-{}", name(0), name(count - 1)),
                    _ => (0..count).map(name).collect::<Vec<_>>().join(", "),
                };
                let word = (arr & 1) << 30 | 0xc4 << 20 | opcode << 12 | (arr >> 1) << 10 | 31 << 5 | rt;
                both(e, word, &format!("ld1 {{{list}}}, [sp]"));
                let bytes = count * (8 << (arr & 1));
                both(e, word | 0x9f << 16, &format!("ld1 {{{list}}}, [sp], #{bytes}"));
            }
        }
        for reg in (0..1u128 << 16).step_by(97).filter(|reg| ![0xd801, 0xda20, 0xda21, 0xde82].contains(reg)) {
            let [op0, op1, n, m, op2] = [reg >> 14, reg >> 11 & 7, reg >> 7 & 15, reg >> 3 & 15, reg & 7];
            both(e, 0xd520_0003 | reg << 5, &format!("mrs x3, s{op0}_{op1}_c{n}_c{m}_{op2}"));
        }
        e.both(0xd53b_4403u128, "mrs.named", "mrs x3, fpcr");
        e.reads("mrs x3, s3_3_c4_c4_0", 0xd53b_4403u128);
        for (hw, imm) in (0..4).flat_map(|hw| [0u128, 1, 0x8000, 0xffff].map(|imm| (hw, imm))) {
            let (value, shift) = ((imm as u64) << (16 * hw), if hw > 0 { format!(", lsl #{}", 16 * hw) } else { String::new() });
            let is_alias = imm != 0 || hw == 0;
            let text = |own: &str, value: u64| match is_alias {
                true => format!("mov x1, #{value:#x}"),
                false => format!("{own} x1, #{imm:#x}{shift}"),
            };
            e.both(0xd280_0001 | hw << 21 | imm << 5, &format!("movz.x{hw}"), &text("movz", value));
            both(e, 0x9280_0001 | hw << 21 | imm << 5, &text("movn", !value));
        }
        e.reads("mov x1, #-1", 0x9280_0001u128);
        e.reads("movz x1, #1, lsl #16", 0xd2a0_0021u128);
        e.faulty(
            "ld1 {v0.8b, v2.8b}, [sp]",
            "            ^",
            "the instruction is not printed like this; a part of the text belongs elsewhere or is left out",
        );
    });
}

#[test]
fn readings_are_one_function() {
    exam("readings", |e| {
        for word in 0..16u128 {
            both(e, word, &format!("high {word}.{}", if word >= 8 { "h" } else { "l" }));
        }
        for (kind, rest) in (0..4u128).flat_map(|kind| (0..256u128).map(move |rest| (kind, rest))) {
            let (q, r) = (rest & 7, (16 - (rest >> 4)) & 7);
            let (word, mark) = (1 << 12 | kind << 10 | rest, if q % 3 == 1 { ".w" } else { "" });
            let (own, mut printed) = (e.codec.decode(word.into(), 16).expect("it is a word"), String::new());
            e.codec.print(own, word.into(), 0, &mut printed);
            assert_eq!(printed, format!("low {q}, {r}{mark}.1"), "{word:#x}");
            let mut full = String::new();
            e.codec.print_full(own, word.into(), 0, &mut full);
            assert_eq!(e.codec.parse(&full, 0, &|_| None).map(|(_, read)| read), Ok(word.into()), "{full}");
        }
        e.reads("sq x1, 0", 0x2009_u128);
        e.reads("next 0, x1", 0x2001_u128);
        for y in 0..16u128 {
            let name = |number: u128| ["a", "", "", "b"].get(number as usize).map_or(String::new(), ToString::to_string);
            let name = |number: u128| if name(number).is_empty() { format!("e{number}") } else { name(number) };
            both(e, 3 << 12 | y << 4 | 5, &format!("named {}, {}, 5", name((y & 1) * 4 + 1), name((y + 7) % 16)));
        }
        for r in 0..8u128 {
            both(e, 4 << 12 | r, &format!("part x{}, x{}, x{}", r + 8, (r + 9) % 16, r + 8));
        }
        for (x, y, z) in (0..256i128).map(|all| (all >> 5, all >> 2 & 7, all & 3)) {
            let (d, s) = (x - y, y + z);
            let marks = [(x == s, ".e"), (s < x, ".m"), (d < s, ".n"), (d == s, ".o"), ((-3..0).contains(&d), ".p")];
            let marks: String = marks.iter().filter(|(holds, _)| *holds).map(|(_, mark)| *mark).collect();
            both(e, (5 << 12 | x << 5 | y << 2 | z) as u128, &format!("less {d}, {y}, {z}{marks}"));
        }
        e.faulty("less 9, 0, 0.m", "     ^", "9 is not a number of `d`: the nearest number is 7");
    });
}

#[test]
fn vtype_of_riscv() {
    let sizes = ["e8", "e16", "e32", "e64"];
    let groups = [Some("m1"), Some("m2"), Some("m4"), Some("m8"), None, Some("mf8"), Some("mf4"), Some("mf2")];
    exam("vtype", |e| {
        for vtype in 0..1u128 << 10 {
            let size = Some(vtype >> 3 & 7).filter(|size| *size < 4).map(|size| sizes[size as usize]);
            let kept = [["tu", "ta"][(vtype >> 6 & 1) as usize], ["mu", "ma"][(vtype >> 7 & 1) as usize]];
            let shown = match (size, groups[(vtype & 7) as usize]) {
                (Some(size), Some(group)) if vtype >> 8 == 0 => format!("{size},{group},{},{}", kept[0], kept[1]),
                _ => vtype.to_string(),
            };
            let word = vtype << 20 | 2 << 15 | 0x7057 | 1 << 7;
            e.both(word, "vsetvli", &format!("vsetvli x1,x2,{shown}"));
            e.both(3 << 30 | word, "vsetivli", &format!("vsetivli x1,2,{shown}"));
        }
        e.reads("vsetvli x1,x2,0xd0", 0x0d01_70d7u128);
    });
}

#[test]
fn texts_of_a64_are_those_of_objdump() {
    vectors("a64-aliases", true);
    vectors("a64-views", true);
}

/// objdump and the manual: of `ldpsw`, the two registers are two, and neither is the base that is written, which may be sp.
#[test]
fn pairs_with_write_back_of_a64() {
    exam("a64-views", |e| {
        let modes = [(1u128, "[{rn}], #8"), (2, "[{rn}, #8]"), (3, "[{rn}, #8]!")];
        for (rt, rt2, rn) in (0..1u128 << 15).map(|all| (all & 31, all >> 5 & 31, all >> 10)) {
            for (mode, at) in modes {
                let name = |n: u128| if n == 31 { "xzr".to_owned() } else { format!("x{n}") };
                let base = if rn == 31 { "sp".to_owned() } else { format!("x{rn}") };
                let word = 0x6841_0000 | mode << 23 | rt2 << 10 | rn << 5 | rt;
                let writes_base = mode != 2 && rn != 31 && (rt == rn || rt2 == rn);
                match e.codec.decode(word.into(), e.bits) {
                    Err(_) => assert!(writes_base || rt == rt2, "{word:#x}"),
                    Ok(_) => {
                        assert!(!writes_base && rt != rt2, "{word:#x}");
                        if (rt + 3 * rt2 + 5 * rn) % 16 == 0 {
                            both(e, word, &format!("ldpsw {}, {}, {}", name(rt), name(rt2), at.replace("{rn}", &base)));
                        }
                    }
                }
            }
        }
        // Unpredictable, and printed by objdump.
        both(e, 0x29c5_dad4, "ldp w20, w22, [x22, #44]!");
        let why =
            "ldpsw.post: excluded by `not: has back && rn != 31 && (number(rt) == number(rn) || number(rt2) == number(rn))`";
        e.faulty("ldpsw x1, x2, [x1], #8", "               ^", why);
    });
}
