//! The meaning of the bits of a field.

use super::exam::exam;
use isa_runtime::engine::read::Symbol;
use isa_spec::model::Word;

#[test]
fn fields_are_compared_with_fields() {
    exam("fields-compared", |e| {
        let forms = [("MAX", "0x200"), ("ADD.acc", "0x40"), ("ADD.any", "0x200"), ("BFM", "0x1000"), ("LD", "0xe20")];
        e.counts(&[(16, "0x2260", "0xdda0", &forms)]);
        e.both(0x0049, "MAX", "MV R1, R1");
        e.both(0x004a, "MAX", "MAX R1, R1, R2");
        e.both(0x1049, "ADD.any", "ADD R1, R1");
        e.both(0x1089, "ADD.any", "ADD R2, R1, R1");
        e.both(0x1893, "ADD.acc", "ADD.acc R2, R3");
        e.refuses(0x1892, "ADD.acc: form is any || rd != b (`b` 2..0 is 0x2)");
        e.both(0x213f, "BFM", "SHR 0x4");
        e.both(0x2103, "BFM", "SHL 0x4, 0x3");
        e.both(0x2102, "BFM", "INSERT 0x4, 0x2");
        e.both(0x2104, "BFM", "EXTRACT 0x4, 0x4");
        e.reads("INSERT 4, 0", 0x2100);
        e.both(0x3000, "LD", "LD R0, [S0], R4, 0x0");
        e.both(0x3047, "LD", "LD R0, [S1, far], R4, 0xe");
        e.both(0x3042, "LD", "LD R0, [S1], R4, 0x4");
        e.refuses(0x3801, "LD: it is written later (`t` 11..9 is 0x4, `h` 5..4 is 0x0)");
    });
}

#[test]
fn a_split_field_has_its_high_part_first() {
    exam("split-field", |e| {
        e.counts(&[(16, "0x1000", "0xf000", &[("LD", "0x1000")])]);
        e.both(0x9f7e, "LD", "LD 0x7, [-0x8]");
        e.both(0x9132, "LD", "LD 0x3, [0x48]");
        e.both(0x9800, "LD", "LD 0x0, [-0x200]");
        e.faulty("LD 0x0, [0x200]", "         ^", "0x200 is out of range: `off` takes -0x200 to 0x1fc");
        e.faulty("LD 0x0, [0x1f]", "         ^", "0x1f is not a multiple of 4");
    });
}

#[test]
fn fields_go_up_to_the_whole_word() {
    let quarter = format!("0x4{}", "0".repeat(31));
    exam("wide-fields", |e| {
        let forms = ["BIG", "SIGNED", "SPLIT", "HALF"].map(|f| (f, quarter.as_str()));
        e.counts(&[(128, &format!("0x1{}", "0".repeat(32)), "0x0", &forms)]);
        e.both((1 << 126) - 1, "BIG", "BIG 85070591730234615865843651857942052863");
        e.both((1 << 127) - 1, "SIGNED", "SIGNED -1");
        e.both(3 << 125, "SIGNED", "SIGNED -42535295865117307932921825928971026432");
        e.both((3 << 125) - 1, "SIGNED", "SIGNED 42535295865117307932921825928971026431");
        e.both(0x8000_0000_0000_0001_0000_0000_0000_0002, "SPLIT", "SPLIT 0x8000000000000001");
        e.both(0xc000_0000_0000_0001_0000_0000_0000_0001, "HALF", "HALF 0x3, -0x1");
        e.both(0xffff_ffff_ffff_ffff_8000_0000_0000_0000, "HALF", "HALF 0x7fffffffffffffff, 0x8000000000000000");
        e.faulty(
            "BIG 85070591730234615865843651857942052864",
            "    ^",
            "85070591730234615865843651857942052864 is out of range: `x` takes 0 to 85070591730234615865843651857942052863",
        );
    });
    exam("whole-word", |e| {
        e.counts(&[(128, &format!("0x1{}", "0".repeat(32)), "0x0", &[("W", &format!("0x1{}", "0".repeat(32)))])]);
        e.both(u128::MAX, "W", &format!("W {:#x}", u128::MAX));
        e.both(1 << 127, "W", &format!("W {:#x}", 1u128 << 127));
        e.both(0, "W", "W 0x0");
        e.faulty("W 0x1ffffffffffffffffffffffffffffffff", "  ^", "0x1ffffffffffffffffffffffffffffffff is too large");
    });
}

#[test]
fn inverted_fields_count_down() {
    exam("inverted", |e| {
        e.counts(&[(8, "0x80", "0x80", &[("A", "0x40"), ("N", "0x40")])]);
        e.both(0b01_111_000, "A", "A PT");
        e.both(0b01_000_000, "A", "A PT, PT");
        e.both(0b01_111_111, "A", "A P0");
        e.both(0b01_110_101, "A", "A P2, P1");
        e.both(0b10_111010, "N", "N");
        e.both(0b10_000000, "N", "N 63");
    });
}

#[test]
fn targets_are_addresses_or_labels() {
    exam("targets", |e| {
        let forms = ["BRA", "JMP", "ADRP", "REGION"].map(|form| (form, "0x1000"));
        e.counts(&[(16, "0x4000", "0xc000", &forms)]);
        e.address = 0x100;
        e.both(0x1001, "BRA", "BRA 0x104");
        e.both(0x1fff, "BRA", "BRA 0x100");
        e.both(0x2001, "JMP", "JMP 0x102");
        let labels = |text: &str| Symbol::label(text, |name| (name == ".L_loop$1").then_some(0x100));
        assert_eq!(e.codec.parse("BRA .L_loop$1", 0x100, &labels).map(|r| r.1), Ok(Word::from(0x1fffu32)));
        e.faulty("BRA .L_other", "    ^", "there is no label `.L_other`");
        e.faulty("BRA 0x103", "    ^", "the distance from here to 0x103 is not a multiple of 2");
        e.faulty("JMP 0x0", "    ^", "0x0 is out of range: `to` takes 0x100 to 0x20fe");
        e.address = 0;
        e.both(0x1800, "BRA", "BRA -0xffe");
        e.address = u64::MAX - 1;
        e.both(0x1001, "BRA", "BRA 0x2");
        for (address, page) in [(0x10e, 0x100), (0x110, 0x110)] {
            e.address = address;
            e.both(0x3000, "ADRP", &format!("ADRP {page:#x}"));
            e.both(0x3400, "ADRP", &format!("ADRP {:#x}", page + 16));
            e.both(0x3fff, "ADRP", &format!("ADRP {:#x}", page - 16));
        }
        e.faulty("ADRP 0x118", "     ^", "the distance from here to 0x118 is not a multiple of 16");
        // Relative to the address of the next word.
        for (address, region) in [(0x1ffc, 0), (0x1ffe, 0x2000), (0x2000, 0x2000)] {
            e.address = address;
            e.both(0x4001, "REGION", &format!("REGION {:#x}", region + 2));
        }
        e.faulty("REGION 0x4000", "       ^", "0x4000 is out of range: `to` takes 0x2000 to 0x3ffe");
    });
}

#[test]
fn halves_of_registers_share_an_index() {
    exam("halves", |e| {
        e.both(0x182, "MOV", "MOV R1H, R1L");
        e.both(0x3fff, "MOV", "MOV R63H, R63H");
        e.faulty("MOV R64L, R0L", "    ^", "there is no `R64L`: the last register is `R63H`");
        e.faulty("MOV R1, R0L", "    ^", "expected a register RH, found `R1`");
    });
}

#[test]
fn bitsets_have_a_letter_for_each_bit() {
    exam("bitset", |e| {
        e.both(0x05, "WAIT", "WAIT [0-2---]");
        e.both(0x3f, "WAIT", "WAIT [012345]");
        e.both(0x43, "HELD", "HELD");
        e.both(0x40, "HELD", "HELD ------");
        e.both(0x60, "HELD", "HELD -----f");
        e.faulty("WAIT [02----]", "      ^", "expected `012345` with `-` for what is clear, found `02`");
    });
}

#[test]
fn values_without_a_name_print_their_number() {
    exam("enum-else", |e| {
        e.counts(&[(8, "0x100", "0x0", &[("S2R", "0x100")])]);
        e.both(0, "S2R", "S2R SR_LANE");
        e.both(33, "S2R", "S2R SR_TID");
        e.both(255, "S2R", "S2R SR255");
        e.reads("S2R SR_TID.X", 33);
        e.reads("S2R SR33", 33);
        e.faulty("S2R SR256", "    ^", "`SR256` is out of range: the last is SR255");
    });
}

#[test]
fn values_without_a_name_print_in_hexadecimal() {
    exam("enum-else-hex", |e| {
        e.both(0x0000_0000, "add", "ADD y0x0w, y0x0w, r0, r0");
        e.both(0x0000_00b4, "add", "ADD y0x3w, c, r0, r2");
        e.both(0x0100_0020, "long", "mnemonic7 q0x20z, x");
        e.both(0x01ff_ffff, "long", "mnemonic7 q0x3fz, q0x3ffffz");
    });
}
