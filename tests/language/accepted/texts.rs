//! Texts, and the other ways in which they are read.

use super::exam::exam;
use isa_runtime::engine::read::Symbol;

#[test]
fn texts_and_instructions_stand_for_others() {
    exam("aliases", |e| {
        e.both(0x4382, "add", "add r1, r2, 3");
        e.both(0x482, "add", "set r1, 4");
        e.base(0x482, "add r1, zero, 4");
        e.both(0x382, "add", "add r1, zero, 3");
        e.both(0x2182, "add", "inc r1, 1");
        // An alias of a format replaces its whole text, and has the guard itself.
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
fn aliases_and_variants_are_read_wherever_they_hold() {
    exam("alias-shadow", |e| {
        e.both(0x1200, "orr", "clr r1");
        e.reads("mov r1, zr", 0x1200);
        e.reads("orr r1, zr, zr", 0x1200);
        e.both(0x2201, "add", "inc r1");
        e.reads("addq r1, 1", 0x2201);
        e.both(0x3201, "sub", "dec r1");
        e.reads("subq r1, 1", 0x3201);
        e.reads("sub r1, 1", 0x3201);
        e.both(0x5287, "ubf", "ext r1, r2");
        e.reads("lsr r1, r2, 0", 0x5287);
        e.reads("low  r1,r2, 7", 0x5287);
        e.both(0x528f, "ubf", "lsr r1, r2, 1");
        e.faulty("addq r1, 9", "          ^", "the instruction with these values is written `add r1, 9`");
        e.faulty("mov r1", "      ^", "expected `,`, found the end");
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
        // A text of its own that holds, where a more specific one is printed.
        e.reads("MOV R1, RZ", 0x3df9);
        e.reads("IADD R1, RZ, R2", 0x3cb9);
        e.reads("IADD  R1,RZ,RZ", 0x3df9);
        e.faulty(
            "CLR R1, R2",
            "        ^",
            "expected a number, found `R2`; there is no label `R2`, and the number is not a target",
        );
        e.faulty("MOV R1, R8", "        ^", "there is no `R8`: the last register is `RZ`");
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
        e.both(0x7fa5, "W", "W -0x0001, 0xa5");
        e.both(0x6f05, "W", "W 0x000f, 0x05");
        e.reads("W 0xf, 5", 0x6f05);
        e.reads("W 15, 0x0005", 0x6f05);
        e.faulty("W 015, 5", "  ^", "015 begins with 0: write 15, or 0xd if it is octal");
        e.reads("P 0x1c, 0x5", 0x2305);
        e.reads("H -1, +5", 0x1f05);
        e.faulty("P 29, 05", "  ^", "29 is not 4 more than a multiple of 8");
        e.faulty("H 16, 0", "  ^", "16 is out of range: `x` takes -0x10 to 0xf");
        e.faulty("H 0x, 0", "  ^", "expected a number, found `0x`");
        e.faulty("H 1z, 0", "   ^", "expected the end of the number after `1`, found `z`");
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
fn the_fine_print_of_the_language() {
    exam("fine-print", |e| {
        // One blank after the colon is not part of the text.
        e.both(0x0001, "blanks", "blanks.A");
        e.both(0x0002, "blanks", "blanks .B");
        e.both(0x0003, "blanks", "blanks.A .B");
        e.both(0x0000, "blanks", "blanks  .C");
        // The first letter is the highest bit, or bit 0.
        e.both(0x1700, "high", "high R7");
        e.both(0x2700, "low", "low R7");
        // Bits to number: complement, sign, factor, sum, modulo.
        e.both(0x3000, "less", "less 60, 16, 1023");
        e.both(0x3bf2, "less", "less 16, 1, 991");
        e.reads("less 16, 1, -33", 0x3bf2);
        e.both(0x4502, "shift", "shift R5, asr");
        e.faulty("shift R5, asl", "            ^", "expected `r` after `as`, found `l`");
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
        // One text of each format, from the outermost on.
        e.reads("x A 0x1, r2!0", 0x0050_0102);
        e.reads("B r2 0x1!0", 0x0050_0102);
        e.reads("old 0x3! one B r2 0x1", 0x3450_0102);
        e.reads("pre two C z end", 0x0860_0000);
        e.reads("C z!3", 0x0c60_0000);
        // All occurrences of a body are the same text.
        e.reads("both y A 0x1, 0x5 and y A 0x1, 0x5", 0x0058_0105);
        e.faulty("both x A 0x1, 0x5 and y A 0x1, 0x5", "                      ^", "expected `x`, found `y`");
        // A group is there when something in it differs, whichever of the texts it has.
        e.reads("old 0x1! opt x B r2 0x1", 0x1050_0102);
        e.reads("opt A 0x1, r2", 0x0050_0102);
        e.reads("pre opt", 0x0050_0000);
        // Other texts of an alternative.
        e.reads("A 0x1, reg 2!0", 0x0050_0102);
        e.reads("A 0x1, %2!0", 0x0050_0102);
        e.reads("A 0x1, #5!0", 0x0058_0105);
        // Conditions inside, of the form and of the word.
        e.reads("with AI 0x1, 0x0!3", 0x0c58_0100);
        e.faulty(
            "with A 0x1, r0!0",
            "            ^",
            "expected a number, found `r0`; there is no label `r0`, and the number is not a target",
        );
        e.reads("pre A7! r3!3", 0x0c50_0703);
        e.reads("pre A7 r3!0", 0x0050_0003);
        e.faulty("pre x A 0x1, r2!3 post", "                  ^", "nothing comes after a text that has something before it");
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

#[test]
fn a_text_is_read_as_a_word_that_prints_it() {
    exam("as-printed", |e| {
        e.both(0x001, "jump", "near 0x1");
        e.prints(0x011, "jump", "near 0x1");
        e.both(0x021, "jump", "far 0x1");
        e.full(0x0f1, "far 0x1 {x=0xf1}");
        e.both(0x107, "call", "call, 0xe");
        e.both(0x108, "call", "call, 0x0");
        e.full(0x110, "call, 0x0 {x=0x10}");
        e.both(0x27e, "load", "low +QNAN");
        e.both(0x27f, "load", "load +QNAN");
        e.both(0x27d, "load", "load +SNAN");
        e.both(0x2fe, "load", "load -QNAN");
        e.full(0x2ff, "load -QNAN {x=0xff}");
        // Bits are what they are.
        e.reads("low 0x7e", 0x27e);
        e.reads("load 0x7f", 0x27f);
        e.both(0x300, "rule", "rule a");
        e.both(0x302, "rule", "rule b");
        e.both(0x401, "inner", "inner");
        e.both(0x402, "outer", "outer b");
        e.both(0x500, "one", "one");
        e.both(0x501, "one", "one.a");
        e.both(0x602, "flags", "alias?");
        for (word, full) in [(0x600u128, "flags"), (0x601, "flags {x=0x1}"), (0x602, "flags?"), (0x603, "flags? {x=0x1}")] {
            let form = e.codec.decode(word.into(), e.bits).expect("a word of the form");
            let read = Ok((form, word.into()));
            assert_eq!(e.codec.full_without_aliases(form, word.into(), 0), (full.to_string(), read));
        }
    });
}

#[test]
fn what_is_fixed_prints_as_if_it_were_not() {
    exam("fixed-fields", |e| {
        e.both(0x00, "a", "a");
        e.both(0x03, "a", "a.0x3");
        e.both(0x13, "b", "b.0x3");
        e.both(0x10, "c", "c");
        // At the default that the field has there.
        e.prints(0xa0, "d", "a");
        e.prints(0xa1, "d", "a.0x1");
        e.full(0xa1, "a.0x1 {7=0x1, 5=0x1}");
        e.prints(0xa2, "e", "a.0x3");
        e.prints(0x5a, "long", "long 10");
        e.prints(0x6a, "short", "long 10");
        e.base(0x6a, "short 0xa");
        e.prints(0x7b, "open", "long 11");
        e.base(0x7b, "open 0xb");
        e.prints(0x90, "one", "two.lo");
        e.base(0x90, "one.lo");
        e.prints(0x91, "one", "two.hi");
        e.both(0x82, "two", "two.hi.lo");
        e.both(0xb1, "reg", "reg r1");
        e.both(0xb3, "r1", "reg1 r1");
        e.prints(0xb5, "r2", "reg r1");
        e.prints(0xb6, "r3", "reg r0");
        e.address = 0x20;
        e.both(0x21, "j", "j 0x26");
        e.both(0x31, "k", "k 0x26");
        e.both(0x4d, "l", "l 0x1e");
        e.reads("k 38", 0x31);
        e.prints(0xa3, "m", "j 0x26");
        e.faulty("k 0x28", "  ^", "0x28 is out of range: `t` takes 0x26 to 0x26");
        e.address = u64::MAX - 1;
        e.both(0x31, "k", "k 0x4");
        e.both(0x4d, "l", "l -0x4");
    });
}

/// Names of programs keep their case; what is printed is read as it is.
#[test]
fn texts_in_any_case_and_without_marks() {
    exam("any-case", |e| {
        e.both(0x0e4cu128, "add", "add sp, r1, #0xc");
        for text in ["ADD SP, R1, #0XC", "Add sp, R1, 12", "add sp,r1,#12", "ADD SP, R1, 0xC"] {
            e.reads(text, 0x0e4cu128);
        }
        e.both(0x0e40u128, "add", "add sp, r1");
        e.reads("MOV R2, 5", 0x1405u128);
        e.reads("LDI r2, 5", 0x1405u128);
        e.reads("ldi r2, #5", 0x1405u128);
        e.both(0x3405u128, "set", "set r2, #0x5!");
        for text in ["set r2, 5!", "PUT 5, R2!", "put #5, r2!", "Fill r2 by 5!", "fill r2 by #5!"] {
            e.reads(text, 0x3405u128);
        }
        e.both(0x2803u128, "b", "b.ne ~~0x6");
        e.reads("B.NE 6", 0x2803u128);
        let labels = |text: &str| text.starts_with("Loop").then_some(Symbol { length: 4, value: 6 });
        let read = |text: &str| e.codec.parse(text, 0, &labels).map(|(_, word)| word).map_err(|error| error.to_string());
        assert_eq!(read("B.Ne Loop"), Ok(0x2803u128.into()));
        assert_eq!(read("b.ne Loop"), Ok(0x2803u128.into()));
        assert_eq!(read("b.ne loop"), Err("there is no label `loop`".to_string()));
        e.faulty("ADD SP, R9, #1", "        ^", "there is no `r9`: the last register is `sp`");
    });
}
