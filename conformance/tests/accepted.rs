//! Small good specs, one for each thing that the language can say, with values worked out by hand: which form a word belongs to,
//! its text, the word of a text, how many words are allocated and free, and what is said of those that are refused.

use conformance::{Codec, load};
use isa_spec::certificate::Certificate;
use isa_spec::model::{Isa, Word};
use std::path::Path;

/// A spec of `specs/accepted` under examination.
struct Exam<'a> {
    codec: Codec<'a>,
    bits: u32,
    address: u64,
}

/// Of a word length: its bits, words that belong to a form, words that don't, each form's own words.
type LengthCounts<'a> = (u32, &'a str, &'a str, &'a [(&'a str, &'a str)]);

/// A word as a test writes it: a number, or its digits where it has more than 128 bits.
trait Written {
    fn word(self) -> Word;
}

impl Written for u128 {
    fn word(self) -> Word {
        self.into()
    }
}

impl Written for &str {
    fn word(self) -> Word {
        Word::from_str_radix(&self.replace('_', ""), 16).expect("hexadecimal digits")
    }
}

impl Written for Word {
    fn word(self) -> Word {
        self
    }
}

fn exam(name: &str, ask: impl FnOnce(&mut Exam<'_>)) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs/accepted").join(name).with_extension("yaml");
    let isa: Isa = load(&path);
    ask(&mut Exam { codec: Codec::new(&isa), bits: isa.max_bits(), address: 0 });
}

impl Exam<'_> {
    fn counts(&self, expected: &[LengthCounts<'_>]) {
        let isa = self.codec.isa();
        let certificate = Certificate::new(isa);
        assert_eq!(certificate.lengths.len(), expected.len());
        for (length, (bits, allocated, holes, forms)) in certificate.lengths.iter().zip(expected) {
            assert!(length.is_exact(), "{} bits: {} + {} are not {}", length.bits, length.allocated, length.holes, length.total);
            let own: Vec<(&str, String)> =
                length.forms.iter().map(|(id, count)| (isa.form(*id).name.as_str(), count.to_string())).collect();
            let own: Vec<(&str, &str)> = own.iter().map(|(name, count)| (*name, count.as_str())).collect();
            assert_eq!(
                (length.bits, length.allocated.to_string().as_str(), length.holes.to_string().as_str(), own.as_slice()),
                (*bits, *allocated, *holes, *forms)
            );
        }
    }

    fn text(&self, word: Word) -> (String, String, String) {
        let form = self.codec.decode(word, self.bits).unwrap_or_else(|e| panic!("{word:#x} is refused: {e}"));
        let (mut text, mut full) = (String::new(), String::new());
        self.codec.print(form, word, self.address, &mut text);
        self.codec.print_full(form, word, self.address, &mut full);
        (self.codec.isa().form(form).name.clone(), text, full)
    }

    /// The word belongs to the form, prints the text, and the text gives the word back.
    fn both(&self, word: impl Written, form: &str, text: &str) {
        let word = word.word();
        self.prints(word, form, text);
        self.reads(text, word);
    }

    /// The word prints the text, and what `--full` says gives the word back.
    fn prints(&self, word: impl Written, form: &str, text: &str) {
        let word = word.word();
        let (found, printed, full) = self.text(word);
        assert_eq!((found.as_str(), printed.as_str()), (form, text), "{word:#x}");
        self.reads(&full, word);
    }

    fn full(&self, word: impl Written, full: &str) {
        let word = word.word();
        assert_eq!(self.text(word).2, full, "{word:#x}");
        self.reads(full, word);
    }

    fn reads(&self, text: &str, word: impl Written) {
        let word = word.word();
        let (_, read) = self.codec.parse(text, self.address, &|_| None).unwrap_or_else(|e| panic!("`{text}`: {e} (at {})", e.at));
        assert_eq!(read, word, "`{text}` is {word:#x}, not {read:#x}");
    }

    /// The word prints the text without aliases, which is read as the word.
    fn base(&self, word: impl Written, text: &str) {
        let word = word.word();
        let form = self.codec.decode(word, self.bits).unwrap_or_else(|e| panic!("{word:#x} is refused: {e}"));
        assert_eq!(self.codec.base_text(form, word, self.address), text, "{word:#x}");
        self.reads(text, word);
    }

    /// The word is refused, with this message.
    fn refuses(&self, word: impl Written, message: &str) {
        let word = word.word();
        match self.codec.decode(word, self.bits) {
            Ok(form) => panic!("{word:#x} is {}", self.codec.isa().form(form).name),
            Err(error) => assert_eq!(error.message, message, "{word:#x}"),
        }
    }

    /// The text is refused at the byte that the caret in the second line stands under, with this message.
    fn faulty(&self, text: &str, caret: &str, message: &str) {
        match self.codec.parse(text, self.address, &|_| None) {
            Ok((form, word)) => panic!("`{text}` is {word:#x}, {}", self.codec.isa().form(form).name),
            Err(error) => assert_eq!((error.at, error.message.as_str()), (caret.len() - 1, message), "`{text}`"),
        }
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
fn files_share_definitions() {
    exam("includes", |e| {
        e.counts(&[(4, "0x10", "0x0", &[("A", "0x10")])]);
        e.both(0b1101, "A", "A R3, R1");
        let files: Vec<&str> = e.codec.isa().files.paths().filter_map(|p| p.file_name()?.to_str()).collect();
        assert_eq!(files, ["includes.yaml", "registers.yaml", "operands.yaml"]);
    });
}

#[test]
fn files_bring_instructions_with_parameters_and_tables() {
    exam("composed", |e| {
        let isa = e.codec.isa();
        let group = |i: &isa_spec::model::Instruction| isa.groups[i.group.expect("all have one").index()].name.as_str();
        let instructions: Vec<_> = isa.instructions.iter().map(|i| (i.name.as_str(), group(i))).collect();
        assert_eq!(instructions, [("addi", "I"), ("ori", "I"), ("sll", "I"), ("c.add", "C"), ("c.nop", "I")]);
        let groups: Vec<_> = isa.groups.iter().map(|g| (g.name.as_str(), g.summary.as_str())).collect();
        assert_eq!(groups, [("I", "Integers"), ("C", "Short ones")]);
        assert_eq!(isa.registers[0].width, 16);
        e.both(0x03da, "addi", "addi R2, R3, 0x7");
        e.both(0x25c1, "ori", "ori R1, R0, 0xb");
        e.both(0x4991, "sll", "sll R1, R2, 0x9");
        e.bits = 8;
        e.both(0x21, "c.add", "c.add R1, 0x4");
        e.refuses(0x80, "a word that begins like this has 16 bits, not 8");
    });
}

#[test]
fn an_instruction_set_can_be_another_one_but_for_some_things() {
    exam("extended", |e| {
        assert_eq!(e.codec.isa().name, "extended");
        e.counts(&[(8, "0x4c", "0xb4", &[("A", "0xc"), ("C", "0x40")])]);
        e.both(0x22, "A", "A.big");
        e.both(0x11, "A", "A.mid, 1");
        e.both(0x45, "C", "C 5");
        e.faulty("B 5", "^", "there is no instruction `B`; did you mean `A`?");
    });
}

#[test]
fn fields_are_compared_with_fields() {
    exam("fields-compared", |e| {
        e.counts(&[(16, "0x440", "0xfbc0", &[("MAX", "0x200"), ("ADD.acc", "0x40"), ("ADD.any", "0x200")])]);
        e.both(0x0049, "MAX", "MV R1, R1");
        e.both(0x004a, "MAX", "MAX R1, R1, R2");
        e.both(0x1049, "ADD.any", "ADD R1, R1");
        e.both(0x1089, "ADD.any", "ADD R2, R1, R1");
        e.both(0x1893, "ADD.acc", "ADD.acc R2, R3");
        e.refuses(0x1892, "ADD.acc: form is any || rd != b (`b` 2..0 is 0x2)");
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
            "85070591730234615865843651857942052864 is out of range: `x` takes 0x0 to 0x3fffffffffffffffffffffffffffffff",
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
        e.counts(&[(16, "0x2000", "0xe000", &[("BRA", "0x1000"), ("JMP", "0x1000")])]);
        e.address = 0x100;
        e.both(0x1001, "BRA", "BRA 0x104");
        e.both(0x1fff, "BRA", "BRA 0x100");
        e.both(0x2001, "JMP", "JMP 0x102");
        let labels = |name: &str| (name == ".L_loop$1").then_some(0x100);
        assert_eq!(e.codec.parse("BRA .L_loop$1", 0x100, &labels).map(|r| r.1), Ok(Word::from(0x1fffu32)));
        e.faulty("BRA .L_other", "    ^", "there is no label `.L_other`");
        e.faulty("BRA 0x103", "    ^", "0x103 is not a multiple of 2 away from here");
        e.faulty("JMP 0x0", "    ^", "0x0 is out of range: `to` takes 0x100 to 0x20fe");
        e.address = 0;
        e.both(0x1800, "BRA", "BRA -0xffe");
        e.address = u64::MAX - 1;
        e.both(0x1001, "BRA", "BRA 0x2");
    });
}

#[test]
fn halves_of_registers_share_an_index() {
    exam("halves", |e| {
        e.both(0x182, "MOV", "MOV R1H, R1L");
        e.both(0x3fff, "MOV", "MOV R63H, R63H");
        e.faulty("MOV R64L, R0L", "    ^", "there is no `R64L`: the last is `R63H`");
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
fn texts_and_instructions_stand_for_others() {
    exam("aliases", |e| {
        e.both(0x4382, "add", "add r1, r2, 3");
        e.both(0x482, "add", "set r1, 4");
        e.base(0x482, "add r1, zero, 4");
        e.both(0x382, "add", "add r1, zero, 3");
        e.both(0x2182, "add", "inc r1, 1");
        // That of a format stands for all of its text, and has the guard itself.
        e.both(0x22ce, "add", "add.sp r1, 2!");
        e.base(0x22ce, "add sp, r1, 2!");
        e.both(0x4192, "sub", "minus.fast r1, r2");
        e.base(0x5f92, "sub.m0x1f r1, r2");
        e.both(0x5fd2, "sub", "minus.m0x1f r1, r2!");
        // One value prints as another does, which is read.
        e.prints(0x4292, "sub", "minus.fast r1, r2");
        e.full(0x4292, "minus.fast r1, r2 {m=0x2}");
        e.faulty("minus.m0x20 r1, r2", "     ^", "`.m0x20` is out of range: the last is .m0x1f");
        // Numbers modulo a power of two.
        e.both(0xffaa, "top", "top r5, 0xff");
        e.both(0x00ab, "top", "top r5, 0xf00");
        e.reads("top r5, -256", 0x00ab);
        e.bits = 8;
        e.both(0x1, "short.add", "inc r4, 1");
        e.base(0x1, "short.add r4, 1");
        e.both(0x0, "short.add", "short.add r4, 0");
        e.both(0x3f, "short.add", "inc sp, -1");
        e.reads("short.add stack, -1", 0x3f);
        e.both(0x5f, "short.top", "top r5, 0xfff");
        e.base(0x5f, "short.top r5, 0xfff");
    });
}

#[test]
fn an_instruction_can_be_written_in_several_ways() {
    exam("text-variants", |e| {
        e.both(0x3cb9, "IADD", "MOV R1, R2");
        e.both(0x3df9, "IADD", "CLR R1");
        e.both(0x3c99, "IADD", "IADD R1, R3, R2");
        e.both(0x3eb9, "IADD", "IADD.X R1, RZ, R2");
        e.both(0x20b9, "IADD", "MOV R1, R2, 0");
        e.both(0x2df9, "IADD", "CLR R1, 3");
        e.reads("  MOV  R1 , R2", 0x3cb9);
        e.faulty(
            "MOV R1, RZ",
            "          ^",
            "the instruction is not printed like this; a part of the text belongs elsewhere or is left out",
        );
        e.faulty("MOV R1, R8", "        ^", "there is no `R8`: the last is `RZ`");
        e.faulty("MOVE R1, R2", "^", "there is no instruction `MOVE`");
        e.faulty("ADD R1, R2", "^", "there is no instruction `ADD`; did you mean `IADD`?");
    });
}

#[test]
fn numbers_print_in_several_ways() {
    exam("numbers", |e| {
        e.both(0x1f05, "H", "H -0x1, 5");
        e.both(0x0fff, "H", "H 0xf, 255");
        e.both(0x2305, "P", "P 28, 05");
        e.both(0x3fff, "P", "P 252, 255");
        e.both(0x4305, "Z", "Z 0x5");
        e.both(0x4005, "Z", "Z.0x0 0x5");
        e.reads("P 0x1c, 0x5", 0x2305);
        e.reads("H -1, +5", 0x1f05);
        e.faulty("P 29, 05", "  ^", "29 is not 4 more than a multiple of 8");
        e.faulty("H 16, 0", "  ^", "16 is out of range: `x` takes -0x10 to 0xf");
        e.faulty("H 0x, 0", "  ^", "expected a number, found `0x`");
        e.faulty("H 1z, 0", "   ^", "expected the end of the number after `1`, found `z`");
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
fn formats_wrap_the_text_and_add_to_it() {
    exam("formats", |e| {
        e.both(0xc512, "MOV", "MOV R1, R2;");
        e.prints(0x2912, "MOV", "@!P0 MOV R1, R2;");
        e.full(0x2912, "@!P0 MOV R1, R2; [S2]");
        e.full(0xc512, "MOV R1, R2; [S1]");
        e.both(0xc400, "NOP", "NOP;");
        e.full(0xc4a5, "NOP; [S1] {7..0=0xa5}");
        e.reads("@!PT NOP;", 0xe400);
        e.faulty("MOV R1, R2", "          ^", "expected `;`, found the end");
        e.faulty("NOP; {7..0=0x100}", "      ^", "0x100 does not fit into bits 7..0");
        e.faulty("NOP; {stall=2, x=1}", "               ^", "NOP has no field `x`");
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
fn names_may_be_keywords() {
    exam("odd-names", |e| {
        let forms = [("self.match", "0x8000"), ("self.a b", "0x6000"), ("Self.old", "0x1000"), ("Self.new", "0x1000")];
        e.counts(&[(16, "0x10000", "0x0", &forms)]);
        e.both(0x3c00, "self.match", "self.a.x Self3");
        e.prints(0x8600, "self.a b", "self Self2");
        e.full(0x8ac0, "self Self2 {15=0x1, 9=0x1, 7..6=0x3}");
        e.both(0xf515, "Self.old", "Self 0x3, I1, Err, 0x5!");
        e.both(0xf51d, "Self.new", "Self 0x3, I1, Err, 0x1+0x1!");
        e.both(0xc0f0, "Self.old", "Self 0x0, I0, Some15, 0x0");
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

#[test]
fn a_text_can_be_written_in_several_ways() {
    exam("written-in-several-ways", |e| {
        e.both(0xd58a, "LD", "LD.0x2 R2, [R2+0x188]");
        e.both(0xd401, "LD", "LD.0x1 R2, [R2+0x0]");
        e.reads("LD.0x1 R2, [R2]", 0xd401);
        e.reads("LD.0x1 R2, [0x8];", 0xd609);
        e.reads("LD R0, [R1+-0x4];", 0xc3fc);
        e.both(0xc3fc, "LD", "LD R0, [R1+0x1fc]");
        e.faulty("LD R0, [R1+0x2]", "           ^", "0x2 is not a multiple of 4");
        e.faulty("LD R0, [R1+-0x104]", "           ^", "-0x104 is out of range: `off` takes -0x100 to 0x1fc");
        e.reads("@R1 BYPASS;", 0x6000);
        e.prints(0x6000, "NOP", "@R1 NOP");
        e.both(0xf810, "MVI", "MVI -0x7f");
        e.reads("MVI 0x81", 0xf810);
        e.faulty("MVI 0x100", "    ^", "0x100 is out of range: `n` takes -0x80 to 0xff");
    });
}

#[test]
fn texts_that_are_only_read_stand_around_each_other() {
    exam("texts-around-texts", |e| {
        let words = ["0x4000000", "0x2000000", "0x2000000"];
        e.counts(&[(32, "0x8000000", "0xf8000000", &[("A.reg", words[1]), ("A.imm", words[2]), ("C", words[0])])]);
        e.both(0x0050_0102, "A.reg", "A 0x1, r2!0");
        e.both(0x2050_0102, "A.reg", "@0x2 A 0x1, r2!0");
        e.both(0x0860_0000, "C", "two C end");
        // Of each format one, from the outermost on.
        e.reads("x A 0x1, r2!0", 0x0050_0102);
        e.reads("B r2 0x1!0", 0x0050_0102);
        e.reads("old 0x3! one B r2 0x1", 0x3450_0102);
        e.reads("pre two C z end", 0x0860_0000);
        e.reads("C z!3", 0x0c60_0000);
        // Where a body occurs twice, it is the same text.
        e.reads("both y A 0x1, 0x5 and y A 0x1, 0x5", 0x0058_0105);
        e.faulty("both x A 0x1, 0x5 and y A 0x1, 0x5", "                      ^", "expected `x`, found `y`");
        // A group is there when something in it differs, whichever of the texts it has.
        e.reads("old 0x1! opt x B r2 0x1", 0x1050_0102);
        e.reads("opt A 0x1, r2", 0x0050_0102);
        e.reads("pre opt", 0x0050_0000);
        // What an alternative's own text can be as well.
        e.reads("A 0x1, reg 2!0", 0x0050_0102);
        e.reads("A 0x1, %2!0", 0x0050_0102);
        e.reads("A 0x1, #5!0", 0x0058_0105);
        // Conditions inside, of the form and of the word.
        e.reads("with AI 0x1, 0x0!3", 0x0c58_0100);
        e.faulty("with A 0x1, r0!0", "            ^", "expected a number, found `r0`");
        e.reads("pre A7! r3!3", 0x0c50_0703);
        e.reads("pre A7 r3!0", 0x0050_0003);
        e.faulty("pre x A 0x1, r2!3 post", "                  ^", "nothing stands behind a text that has something before it");
    });
    exam("names-around-names", |e| {
        let reads = |text: &str, printed: &str| {
            let statement = e.codec.parse_statement(text, 0, &|_| None).unwrap_or_else(|e| panic!("`{text}`: {e}"));
            let mut out = String::new();
            e.codec.print_statement(&statement, 0, &mut out);
            assert_eq!(out, printed, "`{text}`");
        };
        reads("ADD a, b;", "ADD a, b;");
        reads("go PLUS b a;", "ADD a, b;");
        reads("x SUM u v fin;", "ADD u, v;");
        reads("go y PLUS k k;", "ADD k, k;");
        e.faulty("go x y SUM a a;", "     ^", "expected `ADD`, `PLUS` or `SUM`, found `y`");
    });
}
