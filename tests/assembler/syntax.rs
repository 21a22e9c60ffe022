//! The syntax that a specification declares; the messages about faulty programs; the formats.

use super::{assemble, faults, image, options};
use isa_asm::{Options, Program, output};

/// A machine of bytes, in the syntax of its own world.
const EIGHT: &str = r#"
isa: eight
word: { unit: 8, lengths: { 8: "prefix[7] == 0", 16: "prefix[7..6] == 2", 24: "prefix[7..6] == 3" }, order: high-first }
numbers: hex
prefer: shortest
assembly:
  comments: ["//"]
  numbers: { $: 16, "%": 2 }
  here: ["*"]
  precedence: c
  local: _
  word: 2
  align: bytes
  org: address
  fill: [nop]
  directives: { db: .byte, dw: .word, org: .org, "!macro": .macro, "!end": .endm }
  sections: { .data: 0x200 }
  modifiers: { "<": "x & 0xff", ">": "(x >> 8) & 0xff", "low": { is: "x & 0xff" } }
  pseudo:
    - { text: "ldw {x:expr}", is: ["ld >{x}", "ld <{x}"] }
    - text: "wait {n:expr}"
      is: [{ when: n <= 0, is: nop }, { is: [nop, "wait {n} - 1"] }]
instructions:
  nop: { length: 8, fix: { 7..0: 0 } }
  ld: { length: 16, fix: { 15..14: 2, 13..8: 1 }, fields: { n: 7..0 }, text: "ld {n}" }
  jp: { length: 24, fix: { 23..22: 3, 21..16: 0 }, fields: { to: 15..0 }, text: "jp {to}" }
  jp.short: { length: 16, fix: { 15..14: 2, 13..8: 2 }, fields: { to: 7..0 }, text: "jp {to}" }
  ldi: { length: 16, fix: { 15..14: 2, 13..8: 3 }, fields: { n: 7..0 }, text: "ld ({n})" }
"#;

fn eight(text: &str) -> Program {
    assemble(&image(EIGHT), text, Options::default())
}

fn bytes(program: &Program) -> Vec<u8> {
    assert_eq!(faults(program), [""; 0]);
    output::bytes(program, 0).expect("it is small")
}

/// A symbol with the name of a value is not that value, though the word is printed with another alias.
#[test]
fn names_of_values_are_no_symbols() {
    let spec = r#"
isa: named
word: 8
enums: { C: { 1: one, 2: two, else: "{n}" } }
instructions:
  read: { fields: { c: 7..0 C }, text: "read {c}", aliases: [{ when: "c == 1", is: rdone }, "rr {c}"] }
"#;
    let made = |text: &str| bytes(&assemble(&image(spec), text, Options::default()));
    assert_eq!(made("one = 9\nrr one\nread one\nread two\nrr one + 1\nrr other\nother = 7"), [1, 1, 2, 10, 7]);
}

#[test]
fn the_syntax_that_a_specification_declares() {
    assert_eq!(
        bytes(&eight("ld $1f // x\nld %101\nld 1 + 2 << 1\nld (1 == 1)\nld *+1")),
        [0x81, 0x1f, 0x81, 5, 0x81, 6, 0x83, 1, 0x81, 9]
    );
    assert_eq!(bytes(&eight("db $12, 'a'\ndw $1234\norg $8\nnop")), [0x12, 0x61, 0x34, 0x12, 0, 0, 0, 0, 0]);
    assert_eq!(bytes(&eight("a: nop\n_x: jp _x\nb: jp _x\n_x: jp _x\njp a_x")), [0, 0x82, 1, 0x82, 5, 0x82, 5, 0x82, 1]);
    assert_eq!(
        bytes(&eight("x = $1234\nld <x\nld >x\nld <x + 1\nld low(x + 1)")),
        [0x81, 0x34, 0x81, 0x12, 0x81, 0x35, 0x81, 0x35]
    );
    assert_eq!(bytes(&eight("!macro two n\nld \\n\nld \\n + 1\n!end\ntwo 7")), [0x81, 7, 0x81, 8]);
    assert_eq!(bytes(&eight("ldw far\nfar = $1234")), [0x81, 0x12, 0x81, 0x34]);
    assert_eq!(bytes(&eight("wait 2\nwait 0")), [0, 0, 0, 0]);
    // A section of code ends at a multiple of its alignment.
    assert_eq!(bytes(&eight("nop\n.align 4\nnop")), [0; 8]);
}

#[test]
fn parentheses_belong_to_the_text_that_has_them() {
    assert_eq!(bytes(&eight("ld ($10)\nld ($10)+1\nld (1)*(2)")), [0x83, 0x10, 0x81, 0x11, 0x81, 2]);
    assert_eq!(faults(&eight("ld ($100)")), ["1:5: $100 is out of range: `n` takes 0x0 to 0xff"]);
}

#[test]
fn literals_that_look_like_operators_end_expressions() {
    const BUNDLES: &str = r#"
isa: bundles
word: 16
instructions:
  b:
    fix: { 15..14: 1 }
    fields: { to: 13..8, also: 7..2, x: 1, y: 0 }
    text: "b {to} || c {also} + <when x == 1: nop><when x == 0: hlt><when y == 1: &{also}>"
"#;
    let bundles = |text: &str| assemble(&image(BUNDLES), text, Options::default());
    let bytes = |text: &str| {
        let program = bundles(text);
        assert_eq!(faults(&program), [""; 0], "{text}");
        output::bytes(&program, 0).expect("it is small")
    };
    assert_eq!(bytes("k = 2\nl = 3\nb k || c l + nop"), bytes("b 2 || c 3 + nop"));
    assert_eq!(bytes("k = 2\nl = 3\nb k*2 + (l || 1) - 1 || c 2 + l + 1 + hlt"), bytes("b 4 || c 6 + hlt"));
    // Symbols with the names of the literals change nothing, and those that are defined later neither.
    assert_eq!(bytes("c = 7\nnop = 9\nb k + 1 || c l & 3 + nop&l&3\nl = 6\nk = 2"), bytes("b 3 || c 2 + nop&2"));
    assert_eq!(faults(&bundles("b 1 || c zz + nop")), ["1:10: expected a number, found `zz`; there is no symbol `zz`"]);
    assert_eq!(faults(&bundles("b 1 + 1 + zz")), ["1:5: expected `||`, found `+`"]);
}

#[test]
fn words_grow_until_they_reach() {
    let far = eight("jp end\n.space 252\nend: nop");
    assert_eq!(bytes(&far)[..2], [0x82, 254]);
    let far = eight("jp end\n.space 254\nend: nop");
    assert_eq!(bytes(&far)[..3], [0xc0, 1, 1]);
    assert_eq!(bytes(&eight("jp a\njp b\n.space 250\na: nop\nb: nop"))[..4], [0x82, 254, 0x82, 255]);
}

#[test]
fn branches_that_do_not_reach_become_something_else() {
    // Back and forth, where words have one length and where they have several.
    let spec = "isa: one\nword: 8\nassembly: { pseudo: [{ text: \"if {to:expr}\", far: true, is: [\"unless {end}\", \"jump {to}\"] }] }\ninstructions:\n  \
                if: { fix: { 7..4: 0 }, fields: { to: 3..0 signed target(0) }, text: \"if {to}\" }\n  \
                unless: { fix: { 7..4: 1 }, fields: { to: 3..0 signed target(0) }, text: \"unless {to}\" }\n  \
                jump: { fix: { 7..6: 1 }, fields: { to: 5..0 }, text: \"jump {to}\" }\n";
    let one = |text: &str| bytes(&assemble(&image(spec), text, Options::default()));
    assert_eq!(one("a: if a\nif b\nb: if 1"), [0x00, 0x01, 0x0f]);
    assert_eq!(one("a: if b\n.space 8\nb: if a\nif 20"), [0x12, 0x4a, 0, 0, 0, 0, 0, 0, 0, 0, 0x12, 0x40, 0x12, 0x54]);
    let program = assemble(
        generated::image("rv64gc").expect("it is shipped"),
        "x: nop\n.space 5000\nbeq a0,a1,x\nbeq a0,a1,0",
        options(false),
    );
    let wanted = [0x63, 0x14, 0xb5, 0x00, 0x6f, 0xe0, 0x3f, 0xc7, 0x63, 0x14, 0xb5, 0x00];
    assert_eq!(bytes(&program)[5002..5014], wanted);
}

#[test]
fn what_is_wrong_is_said_where_it_is() {
    let cases: &[(&str, &str)] = &[
        (".wrod 1", "1:1: there is no directive `.wrod`; did you mean `.word`?"),
        (".byte 300", "1:7: 0x12c does not fit 8 bits: from -128 to 255"),
        (".byte -129", "1:7: -129 does not fit 8 bits: from -128 to 255"),
        (".byte 1 2", "1:9: expected the end, `,` or an operator, found `2`"),
        (".byte 1/0", "1:7: this divides by zero"),
        (".byte x", "1:7: there is no symbol `x`"),
        ("ld x", "1:4: expected `(` or a number, found `x`; there is no symbol `x`"),
        ("x = y\nnop", "1:5: there is no symbol `y`"),
        ("x = 1 + y\n.byte x\nz = x\n.equ x, 2 * later", "4:13: there is no symbol `later`"),
        ("x = 1f", "1:5: there is no symbol `1f`"),
        ("x = y\ny = x\nnop", "1:5: symbols are defined by each other, more than 64 deep"),
        (".byte 1 << 64", "1:7: a number of 64 bits is shifted by 0 to 63, not by 64"),
        (".byte 1 >> -1", "1:7: a number of 64 bits is shifted by 0 to 63, not by -1"),
        ("x = y\ny = x\n.byte x", "3:7: symbols are defined by each other, more than 64 deep"),
        ("a: nop\na: nop", "2:1: the label `a` is already defined at line 1"),
        (".if x\n.endif", "1:5: `x` is needed here, and no line before this one defines it"),
        (".if 1", "1:1: this does not end: there is no `.endif` behind it"),
        (".else", "1:1: there is no `.if` before this"),
        (".macro m a:req\nnop\n.endm\nm", "4:1: `m` needs the argument `a`"),
        (".macro m\nnop", "1:8: this does not end: there is no `.endm` behind it"),
        (".macro m\nld 999\n.endm\nm", "2:4: 999 is out of range: `n` takes 0x0 to 0xff; in the expansion of `m` at program.s:4"),
        (".macro m\nm\n.endm\nm", "macros, repetitions and files are more than 100 deep inside each other"),
        (".include \"nothing.s\"", "1:10: there is no file `nothing.s` beside this one; `-I DIR` names other folders"),
        (".incbin \"Cargo.toml\", -1, 5", "1:9: `Cargo.toml` has "),
        (".incbin \"Cargo.toml\", -1, 5", " bytes: -1 can't be skipped"),
        (".incbin \"Cargo.toml\", 1 << 40", " bytes: 1099511627776 can't be skipped"),
        (".incbin \"Cargo.toml\", 3, 1 << 40", " bytes: it lacks 1099511627776 bytes after the first 3"),
        (".incbin \"Cargo.toml\", 0, -1", " bytes: it lacks -1 bytes after the first 0"),
        (".ascii \"a", "1:8: the string does not end: there is no `\"` behind it"),
        (".error \"not so\"", "1:1: not so"),
        (".assert 1 == 2, \"unequal\"", "1:9: unequal"),
        ("wait 20", "`wait` becomes statements that become others, more than 8 deep"),
        ("0x10: nop\n0x10: ld 1", "2:1: the instruction of line 1 is at 0x10 already"),
    ];
    for (text, wanted) in cases {
        let found = faults(&eight(text));
        assert!(found.iter().any(|fault| fault.contains(wanted)), "{text:?}: {found:#?}, wanted {wanted:?}");
    }
    // A symbol that is defined by others again and again is computed so often at most.
    let doubled: String = (0..40).map(|n| format!("x{n} = x{} + x{}\n", n + 1, n + 1)).collect();
    let found = faults(&eight(&format!("{doubled}.byte x0\nx40 = 1")));
    assert!(found.iter().any(|fault| fault.contains("this symbol is defined by others more than 65536 times")), "{found:#?}");
    // A macro whose first line is at fault ends where any other does.
    for head in [".macro", ".macro 9", ".macro m a, a"] {
        let found = faults(&eight(&format!("{head}\n.rept 2\nnop\n.endr\n.endm\n.byte x")));
        assert_eq!(found.len(), 2, "{head}: {found:#?}");
        assert!(found[1].contains("6:7: there is no symbol `x`"), "{head}: {found:#?}");
    }
}

/// Texts with `=`, and a pseudo-instruction.
const EQUALS: &str = r#"
isa: equals
word: 8
assembly: { case: insensitive, pseudo: [{ text: "X = {n:expr}", is: "A=[{n}]" }] }
instructions:
  one: { fix: { 7..0: 1 }, text: "D=M+1" }
  two: { fix: { 7..0: 2 }, text: "W=MEMORY" }
  three: { fix: { 7..4: 3 }, fields: { n: 3..0 }, text: "A=[{n}]" }
"#;

#[test]
fn a_line_that_begins_as_an_instruction_is_no_assignment() {
    let image = image(EQUALS);
    let equals = |text: &str| assemble(&image, text, Options::default());
    let program = "D=M+1\nd=m+1\nx = 3\ny=x+1\nz == y\nA=[x]\nX = z\nw=memory\n.byte y";
    assert_eq!(bytes(&equals(program)), [1, 1, 0x33, 0x34, 2, 4]);
    let cases: &[(&str, &str)] = &[
        ("D=M+2", "1:5: expected `1`, found `2`"),
        ("D = M + 1", "1:4: expected `M+1`, found a blank"),
        ("D=2", "1:3: expected `M+1`, found `2`"),
        ("d=m+2", "1:5: expected `1`, found `2`"),
        ("D == 2", "1:4: expected `M+1`, found `=`"),
        ("W=MEM", "1:1: there is no instruction `W`"),
        ("X = 1 2", "1:1: `X` is written `X ={n}`"),
        ("e=m+1", "1:3: there is no symbol `m`"),
    ];
    for (text, wanted) in cases {
        assert_eq!(faults(&equals(text)), [*wanted], "{text:?}");
    }
    // Another object file can define the symbol.
    let options = Options { relocatable: true, ..Options::default() };
    assert_eq!(faults(&assemble(&image, "x = y\n.equ z, y + 1", options)), [""; 0]);
}

#[test]
fn what_is_too_large_is_refused_at_once() {
    let image = image(EIGHT);
    for text in [".rept 1000000000\nnop\n.endr", ".space 1 << 40", ".fill 1 << 32, 8"] {
        let codec = isa_engine::open(&image, isa_engine::Style::default()).expect("an image of this version");
        let mut assembler = isa_asm::Assembler::new(codec, "program.s", Options::default()).expect("the syntax is sound");
        let full = text.lines().enumerate().find_map(|(number, line)| assembler.line(number + 1, line).err());
        assert!(full.is_some_and(|full| full.0.contains("a program has at most")), "{text}");
    }
}

#[test]
fn gaps_have_no_memory_and_are_limited_together() {
    // `.data` has a fixed address.
    let anywhere = |text: &str| assemble(&image(EIGHT), text, Options { overlaps: true, ..Options::default() });
    let text = "x: .skip 1 << 29\n db 7\n.data\n.skip 1 << 20\n .bss\n.skip (1 << 29) - (1 << 21)\ny: .skip 1";
    let program = anywhere(text);
    assert_eq!(faults(&program), [""; 0]);
    assert_eq!(
        program.sections.iter().map(|section| section.size).collect::<Vec<_>>(),
        [(1 << 29) + 1, 1 << 20, (1 << 29) - (1 << 21) + 1]
    );
    let sizes: Vec<_> = program.pieces().map(|piece| piece.bytes.len()).collect();
    assert_eq!(sizes, [0, 1, 0, 0, 1]);
    // Each is small enough, and together they are not.
    let program = anywhere(".skip end - begin\n.skip end - begin\n.skip end - begin\n.data\nbegin: .skip 1 << 29\nend:");
    assert_eq!(faults(&program), ["6:1: a program has at most 1073741824 bytes, and this one 2147483648"]);
}

#[test]
fn symbols_and_sections_that_are_given() {
    let mut options = options(false);
    options.defines = vec![("size".to_owned(), "3 * 2".to_owned())];
    options.sections = vec![(".text".to_owned(), 0x40)];
    let program = assemble(&image(EIGHT), ".ifdef size\nld size\n.endif\n.data\ndb size\nx: db <x", options);
    assert_eq!(faults(&program), [""; 0]);
    let ranges: Vec<(u64, Vec<u8>)> = output::ranges(&program).into_iter().map(|range| (range.address, range.bytes)).collect();
    assert_eq!(ranges, [(0x40, vec![0x81, 6]), (0x200, vec![6, 1])]);
    assert_eq!(output::symbols(&program), "00000006 = size\n00000201   x\n");
    assert_eq!(
        output::map(&program),
        "0x00000040..0x00000041        2 code      .text\n0x00000200..0x00000201        2 data      .data\n"
    );
}

#[test]
fn formats() {
    let program = eight("org $fffe\ndb 1, 2\norg $10000\ndb 3, 4");
    assert_eq!(output::ihex(&program).as_deref(), Ok(":02FFFE000102FE\n:020000040001F9\n:020000000304F7\n:00000001FF\n"));
    let srec = output::srec(&program).expect("the addresses fit");
    assert_eq!(srec.lines().nth(1), Some("S20800FFFE01020304F0"));
    assert_eq!(srec.lines().last(), Some("S804000000FB"));
    assert_eq!(output::mem(&program, 2, 0).as_deref(), Ok("@7fff\n0201\n0403\n"));
    assert_eq!(output::bytes(&program, 0xff), Ok(vec![1, 2, 3, 4]));
    let listing = output::listing(&eight("a: nop // first\n.space 10, 7\nld 999"));
    let wanted = "    1  00000000  00                       a: nop // first\n    2  00000001  07 07 07 07 07 07 07 07  .space 10, 7\n       \
                  00000009  07 07\n    3                                     ld 999\n       ! 999 is out of range: `n` takes 0x0 to 0xff\n";
    assert_eq!(listing, wanted);
}

#[test]
fn what_a_pseudo_instruction_becomes_is_shown_where_it_is_written() {
    let cases: &[(&str, &str)] = &[
        ("nop // one\n  ldw 1 / 0 // two", "2:7: this divides by zero; in the expansion of `ldw`: `ld >(1 / 0)`"),
        ("ldw nothing", "1:5: there is no symbol `nothing`; in the expansion of `ldw`: `ld >nothing`"),
        (
            ".macro m x\nldw \\x + 1/0\n.endm\nm 2",
            "2:9: this divides by zero; in the expansion of `ldw`: `ld >(2 + 1/0)`; in the expansion of `m` at program.s:4",
        ),
    ];
    for (text, wanted) in cases {
        let found = faults(&eight(text));
        assert!(found.iter().any(|fault| fault.starts_with(wanted)), "{text:?}: {found:#?}, wanted {wanted:?}");
    }
}

#[test]
fn a_modifier_says_what_it_reaches() {
    let options = super::options(false);
    let program = assemble(
        generated::image("rv64gc").expect("it is shipped"),
        "la a0, 0x7fffffff\nlui a0,%hi(0x80000000)\nlui a0,%hi(0x7ffff7ff)",
        options,
    );
    let wanted = [
        "1:8: `%pcrel_hi` does not reach 0x7fffffff; in the expansion of `la`: `.La0: auipc a0,%pcrel_hi(0x7fffffff)`",
        "2:8: `%hi` does not reach 0x80000000",
    ];
    assert_eq!(faults(&program), wanted);
}

#[test]
fn names_of_any_script() {
    assert_eq!(bytes(&eight("größe = $12\nld größe\nциkl: jp циkl")), [0x81, 0x12, 0x82, 2]);
    assert_eq!(faults(&eight(".byte größen")), ["1:7: there is no symbol `größen`"]);
}

#[test]
fn places_that_are_too_far() {
    let rv64gc = |text: &str| faults(&assemble(generated::image("rv64gc").expect("it is shipped"), text, options(false)));
    let far = "1:1: 0x80000000 is not a place within 0x40000000 bytes, as many as a program has at most";
    assert_eq!(rv64gc(".org 0x80000000"), [far]);
    assert_eq!(rv64gc("nop\n.org 1"), ["2:1: 0x1 is not a place behind this one"]);
    assert_eq!(rv64gc("lui a0,%hi(x"), ["1:13: expected `)` or an operator, found the end"]);
}

#[test]
fn programs_in_any_case() {
    let spec = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/specs/accepted/any-case.yaml"));
    let image = image(&spec.expect("the specification is there"));
    let both = ["ADD R0, R1\nFOO: B.EQ FOO\nB.NE bar\nbar: Add r0,R2", "add r0, r1\nFOO: b.eq FOO\nb.ne bar\nbar: add r0,r2"]
        .map(|text| bytes(&assemble(&image, text, Options::default())));
    assert_eq!(both[0].len(), 8);
    assert_eq!(both[0], both[1]);
}

#[test]
fn the_low_part_of_an_address_before_the_high_one() {
    let image = generated::image("rv64gc").expect("it is shipped");
    let program = assemble(image, "lw a0,%pcrel_lo(x)(a0)\nx: auipc a0,%pcrel_hi(d)\nd: nop", Options::default());
    assert_eq!(bytes(&program), [0x03, 0x25, 0x45, 0x00, 0x17, 0x05, 0x00, 0x00, 0x01, 0x00]);
}
