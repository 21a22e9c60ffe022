//! The form of a word: bits, lengths, choices, rules.

use super::exam::exam;

#[test]
fn without_lengths_every_word_is_one_unit() {
    let read = |word: &str| {
        let text = format!("isa: t\nword: {word}\ninstructions: {{ A: {{ fields: {{ x: 15..0 }}, text: \"a {{x}}\" }} }}\n");
        isa_spec::load_str("t.yaml", &text, None).isa.expect("a good spec").words
    };
    for (word, number) in [("16", 0x3412_u16), ("{ unit: 16 }", 0x3412), ("{ unit: 16, bytes: big }", 0x1234)] {
        let words = read(word);
        let lengths: Vec<_> = words.lengths.iter().map(|length| (length.bits, length.prefix.is_all())).collect();
        assert_eq!((words.unit, lengths), (16, vec![(16, true)]), "{word}");
        assert_eq!(words.units().read(&[0x12, 0x34]), number.into(), "{word}");
    }
}

#[test]
fn forms_that_touch_do_not_clash() {
    exam("three-forms", |e| {
        e.counts(&[(3, "0x6", "0x2", &[("A", "0x2"), ("B", "0x2"), ("C", "0x2")])]);
        for (word, form, text) in [
            (0b000, "A", "A 0"),
            (0b001, "A", "A 1"),
            (0b011, "B", "B 0"),
            (0b111, "B", "B 1"),
            (0b100, "C", "C 0"),
            (0b110, "C", "C 1"),
        ] {
            e.both(word, form, text);
        }
        e.refuses(0b010, "no such instruction; the closest is A, but bits 2..1 are 0x1, not 0x0");
        e.refuses(0b1000, "the word has more than 3 bits");
    });
}

#[test]
fn a_chain_of_specialisations_gives_each_word_to_the_smallest_form() {
    exam("chain", |e| {
        e.counts(&[(4, "0x8", "0x8", &[("OUTER", "0x4"), ("MIDDLE", "0x2"), ("INNER", "0x2")])]);
        e.both(0b1000, "OUTER", "OUTER 0");
        e.both(0b1011, "OUTER", "OUTER 3");
        e.both(0b1100, "MIDDLE", "MIDDLE 0");
        e.both(0b1101, "MIDDLE", "MIDDLE 1");
        e.both(0b1110, "INNER", "INNER 0");
        e.both(0b1111, "INNER", "INNER 1");
    });
}

#[test]
fn a_not_tells_forms_apart() {
    exam("told-apart-by-not", |e| {
        e.counts(&[(4, "0x10", "0x0", &[("THREES", "0x6"), ("OTHERS", "0xa")])]);
        for x in 0..16 {
            if x % 3 == 0 { e.both(x, "THREES", &format!("T {x}")) } else { e.both(x, "OTHERS", &format!("O {x}")) }
        }
        e.faulty("T 4", "  ^", "THREES: excluded by `not: x % 3 != 0`");
    });
}

#[test]
fn values_that_an_enum_lacks_tell_forms_apart() {
    exam("told-apart-by-an-enum", |e| {
        e.counts(&[(4, "0xc", "0x4", &[("N", "0x8"), ("F", "0x4")])]);
        e.both(0b0010, "N", "N.A 2");
        e.both(0b0111, "N", "N.B 3");
        e.both(0b1001, "F", "F.C 1");
        e.refuses(0b1101, "N: `e` 3..2 is 0x3: `Near` has no such value");
    });
}

#[test]
fn layouts_place_bits_in_either_order() {
    exam("layouts", |e| {
        e.counts(&[(8, "0xc0", "0x40", &[("LOW", "0x40"), ("HIGH", "0x40"), ("WIDE", "0x40")])]);
        e.both(0b0011_0110, "LOW", "LOW.S R5");
        e.both(0b0000_0110, "LOW", "LOW R1");
        e.prints(0b1111_0110, "LOW", "LOW.S R5");
        e.both(0b0011_0111, "HIGH", "HIGH.S R5");
        e.both(0b1110_1000, "WIDE", "WIDE 0x3, 0xa");
    });
}

#[test]
fn width_lists_split_a_part_by_letters() {
    exam("width-list", |e| {
        e.counts(&[(16, "0x1200", "0xee00", &[("ADD", "0x1000"), ("NEG", "0x200")])]);
        e.both(0x1a53, "ADD", "ADD.W.M R3, R5");
        e.both(0x1d0f, "ADD", "ADD.D.U R15, R0");
        e.both(0x2953, "NEG", "NEG.W.U R3, R5");
        e.refuses(0x2b53, "no such instruction; the closest is NEG, but `masked` 9 is 0x1, not 0x0");
    });
}

#[test]
fn the_first_unit_of_a_longer_word_can_be_its_low_end() {
    exam("lengths-low-first", |e| {
        e.counts(&[
            (32, "0x80000000", "0x0", &[("S", "0x80000000")]),
            (64, "0x2000000000000000", "0x6000000000000000", &[("L", "0x2000000000000000")]),
        ]);
        assert_eq!(
            [0u32, 1, 2, 0xffff_ffff].map(|unit| e.codec.length_of(unit.into())),
            [Some(32), Some(64), Some(32), Some(64)]
        );
        e.bits = 32;
        e.both(0x2468_acf0, "S", "S 0x12345678");
        e.refuses(0x2468_acf1, "a word that begins like this has 64 bits, not 32");
        e.bits = 64;
        e.both(0x2_0000_0003, "L", "L 0x1");
        e.both(0x6_0000_0001, "L", "L 0x80000000");
        e.both(0xffff_fffe_ffff_ffff, "L", "L 0x1fffffffffffffff");
    });
}

#[test]
fn the_first_unit_of_a_longer_word_can_be_its_high_end() {
    exam("lengths-high-first", |e| {
        e.counts(&[
            (16, "0x8000", "0x0", &[("A", "0x8000")]),
            (32, "0x40000000", "0x0", &[("B", "0x40000000")]),
            (48, "0x400000000000", "0x0", &[("C", "0x400000000000")]),
        ]);
        assert_eq!([0x1234u32, 0x8000, 0xc000].map(|unit| e.codec.length_of(unit.into())), [Some(16), Some(32), Some(48)]);
        for (bits, word, form) in [(16, 0x1234, "A"), (32, 0x8000_1234, "B"), (48, 0xc000_0000_1234, "C")] {
            e.bits = bits;
            e.both(word, form, &format!("{form} 0x1234"));
        }
        e.bits = 24;
        e.refuses(0, "no word has 24 bits");
    });
}

#[test]
fn alternatives_have_lengths() {
    exam("lengths-of-alternatives", |e| {
        e.counts(&[
            (8, "0x2", "0x3e", &[("LD.acc", "0x1"), ("INC.acc", "0x1")]),
            (16, "0x300", "0x3d00", &[("LD.near", "0x100"), ("ST.near.one", "0x100"), ("INC.near", "0x100")]),
            (24, "0x20000", "0x3e0000", &[("LD.far", "0x10000"), ("ST.far.two", "0x10000")]),
        ]);
        e.bits = 8;
        e.both(0x10, "LD.acc", "LD a");
        e.both(0x30, "INC.acc", "INC a");
        e.reads("INC", 0x30);
        e.bits = 16;
        e.both(0x7f11, "LD.near", "LD 127");
        e.both(0xff21, "ST.near.one", "ST 255");
        e.refuses(0x12, "a word that begins like this has 24 bits, not 16");
        e.bits = 24;
        e.both(0x1_0012, "LD.far", "LD 256");
        e.both(0x7f12, "LD.far", "LD a:127");
        e.both(0xff_ff22, "ST.far.two", "ST 65535+");
        e.faulty("LD 65536", "   ^", "65536 is out of range: `a` takes 0 to 65535");
    });
}

#[test]
fn choices_are_narrowed_though_they_lack_an_alternative() {
    exam("narrowed", |e| {
        let isa = e.codec.isa();
        let group = |i: &isa_spec::model::Instruction| isa.groups[i.group.expect("all have one").index()].name.as_str();
        let groups: Vec<_> = isa.instructions.iter().map(|i| (i.name.as_str(), group(i))).collect();
        assert_eq!(groups, [("ld0", "Loads"), ("ld1", "Loads"), ("add", "Own"), ("nop", "File")]);
        let forms: Vec<_> = isa.forms.iter().map(|form| form.name.as_str()).collect();
        assert_eq!(forms, ["ld0.mem", "ld0.acc", "ld1.mem", "ld1.acc", "add.imm", "add.acc", "nop"]);
        e.both(0x17, "ld0.mem", "ld0 7");
        e.both(0x60, "ld1.acc", "ld1.d a");
        e.both(0x85, "add.imm", "add.d #5");
    });
}

#[test]
fn choices_multiply_out_except_where_they_are_coupled() {
    exam("coupled-choices", |e| {
        e.counts(&[(8, "0x30", "0xd0", &[("MOV.reg.word", "0x10"), ("MOV.reg.half", "0x10"), ("MOV.imm.word", "0x10")])]);
        e.both(0x43, "MOV.reg.word", "MOV.W R3!");
        e.prints(0x4b, "MOV.reg.word", "MOV.W R3!");
        e.both(0x53, "MOV.reg.half", "MOV.H R3!");
        e.both(0x6f, "MOV.imm.word", "MOV.W 15");
        e.full(0x4b, "MOV.W R3! {3=0x1}");
        e.faulty("MOV.H 15", "      ^", "expected a register R, found `15`");
    });
}

#[test]
fn parameters_may_be_missing() {
    exam("optional-parameters", |e| {
        e.counts(&[(8, "0x100", "0x0", &[("ADD", "0x80"), ("SUB", "0x80")])]);
        e.both(0b0_1_001_010, "ADD", "ADD -R2, R1");
        e.both(0b0_0_001_010, "ADD", "ADD R2, R1");
        e.both(0b1_1_001_010, "SUB", "SUB R2, -R1");
        e.faulty("ADD R2, -R1", "        ^", "expected a register R, found `-R1`");
    });
}

#[test]
fn bits_that_mean_nothing_are_kept_and_reserved_bits_are_zero() {
    exam("bits-kept", |e| {
        e.counts(&[(16, "0x1400", "0xec00", &[("A", "0x400"), ("B", "0x1000")])]);
        e.both(0x1005, "A", "A 5");
        e.prints(0x1f05, "A", "A 5");
        e.full(0x1905, "A 5 {11..8=0x9}");
        e.full(0x2ff5, "B 5 {11..4=0xff}");
        e.refuses(0x1045, "A: reserved bit 6 is set");
        e.refuses(0x10c5, "A: reserved bits 7..6 are set");
        e.refuses(0x3000, "no such instruction; the closest is A, but bits 15..12 are 0x3, not 0x1");
    });
}

#[test]
fn rules_make_words_illegal() {
    exam("rules", |e| {
        e.counts(&[(8, "0x80", "0x80", &[("LD", "0x80")])]);
        e.both(0x92, "LD", "LD.2 2");
        e.both(0x81, "LD", "LD.1 0");
        e.refuses(0x9a, "LD: rd % 2 == 0 (`rd` 6..3 is 0x3)");
        e.refuses(0x91, "LD: a size of 1 and those above 4 need register 0 (`rd` 6..3 is 0x2, `size` 2..0 is 0x1)");
        e.refuses(0x85, "LD: onehot(size) || size == 0 || size == 3 (`size` 2..0 is 0x5)");
        e.faulty("LD.2 3", "     ^", "LD: rd % 2 == 0");
    });
}

#[test]
fn what_the_text_leaves_open_stays_outside_a_specialisation() {
    exam("open-specialisation", |e| {
        e.counts(&[(4, "0x8", "0x8", &[("OUTER", "0x4"), ("INNER", "0x4")])]);
        e.both(0b1011, "OUTER", "OUTER 1");
        e.both(0b1010, "INNER", "INNER 1");
    });
}

#[test]
fn letters_read_a_part_of_a_format() {
    exam("letters", |e| {
        e.counts(&[(16, "0x7000", "0x9000", &[("CVT", "0x2000"), ("LD", "0x1000"), ("CAL", "0x2000"), ("ODD", "0x2000")])]);
        // 001 ttm-tt aaa iiii: the result's type is the first one.
        e.both(0b001_101_0_01_010_1111, "CVT", "CVT.32.m.16 R2, -0x1");
        e.full(0b001_101_1_01_010_1111, "CVT.32.m.16 R2, -0x1 {9=0x1}");
        // 010 ttm1ii aaa iiii: the extra bits of the immediate are its high part.
        e.both(0b010_010_1_01_011_0111, "LD", "LD.16 R3, 0x17");
        e.both(0b010_010_1_10_011_0111, "LD", "LD.16 R3, -0x19");
        e.refuses(0b010_010_0_10_011_0111, "no such instruction; the closest is LD, but bit 9 is 0x0, not 0x1");
        e.both(0b011_100000_000_0000, "CAL", "CAL R0, -0x200");
        e.both(0b100_0000_11_111_1000, "ODD", "ODD.0x3 R7, -0x8");
        e.full(0b100_1010_11_111_1000, "ODD.0x3 R7, -0x8 {12..9=0xa}");
    });
}

#[test]
fn the_first_unit_is_divided_as_documents_do() {
    exam("space", |e| {
        e.counts(&[
            (8, "0x30", "0x50", &[("A", "0x10"), ("B", "0x10"), ("C", "0x10")]),
            (16, "0x3000", "0x2000", &[("D", "0x2000"), ("LB", "0x1000")]),
        ]);
        let isa = e.codec.isa();
        let row = |r: &isa_spec::model::Region| {
            let formats: Vec<_> = r.formats(isa).iter().map(|f| f.name.clone()).collect();
            let (current, free) = r.usage(isa).expect("a small diagram");
            format!("{}: {current} of {}, {} free, {}", r.name, r.codes(), free.join(" "), formats.join(" "))
        };
        assert_eq!(
            isa.space.iter().map(row).collect::<Vec<_>>(),
            [
                "none: 0 of 1, 0000 free, ",
                "short: 3 of 7, 0010 0100..0110 free, byte pair",
                "long: 1 of 2, 101 free, pair",
                "rest: 0 of 64, 11000000..11111111 free, ",
            ]
        );
        // In a stream 0x3x is B; LB is found if the whole word is given.
        assert_eq!([0x35u32, 0x80, 0xc0].map(|unit| e.codec.length_of(unit.into())), [Some(8), Some(16), None]);
        e.bits = 8;
        e.both(0x35, "B", "B 0x5");
        e.refuses(0x52, "OLD is not described here: an instruction of an older machine");
        e.faulty("OLD 0x2", "^", "OLD is not described here: an instruction of an older machine");
        e.refuses(0x4a, "no word begins like this: `short` has 0x4 free");
        e.refuses(0x81, "a word that begins like this has 16 bits, not 8");
        e.refuses(0xff, "no word begins like this: `rest` has 0xff free");
        e.bits = 16;
        e.both(0x9234, "D", "D 0x1234");
        e.refuses(0xa001, "COPROCESSOR is not described here");
        e.refuses(0xa000, "no word begins like this: `long` has 0x5 free");
        e.refuses(0x7123, "a word that begins like this has 8 bits, not 16");
        e.prints(0x3123, "LB", "LB 0x123");
    });
}
