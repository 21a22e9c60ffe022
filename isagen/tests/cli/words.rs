//! Words and texts: `disasm`, `asm`, `fmt`, `explain`, `map`, `build`.

use super::session::{MIXED, Session, TINY, with_tiny};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

#[test]
fn disasm() {
    let mut s = with_tiny("disasm");
    let words = "1b08a003\n# a comment\n\n0x1808A003   # the same under p0\n100: 83000002\n1f608500 0x200\n4308907f\n";
    s.run_with("isagen disasm tiny.yaml", words);
    s.run_with("isagen disasm tiny.yaml --full", words);
    s.run_with("isagen disasm tiny.yaml --json", "1b08a003\n100: 83000002\n4308b000\n1b08a00\n");
    s.say("One line out for each word in, whatever it is.");
    s.run_with(
        "isagen disasm tiny.yaml",
        format!("fc000000\n4308b000\n4308a003\n1b08840a\n1b08a00\n12345xyz\n{}\n100: 1b08a003 5\n! passed on\n", "f".repeat(33)),
    );
    s.file("words.hex", words);
    s.run("isagen disasm tiny.yaml words.hex");
    s.file("words.bin", [0x03, 0xa0, 0x08, 0x1b, 0x7f, 0x90, 0x08, 0x43, 0x02, 0x00]);
    s.run("isagen disasm tiny.yaml words.bin");
    s.say("No input is no fault; binary input is.");
    s.run("isagen disasm tiny.yaml");
    s.run_with("isagen disasm tiny.yaml", *b"1b08a003\n\xff\0\n");
    s.run("isagen disasm tiny.yaml no-such-file.hex");
    s.run("isagen disasm tiny.yaml .");
    s.end();
}

#[test]
fn disasm_of_several_lengths() {
    let mut s = Session::new("disasm-lengths");
    s.file("mixed.yaml", MIXED);
    s.run_with("isagen disasm mixed.yaml --json", "0024\n00000025\n2ffe\n");
    s.run_with("isagen disasm mixed.yaml", "00000024\n0025\n024\n");
    s.file("words.bin", [0x24, 0x00, 0x25, 0x00, 0x01, 0x00, 0xfe, 0x3f, 0x01]);
    s.run("isagen disasm mixed.yaml words.bin");
    s.run_with("isagen asm mixed.yaml", "start: s 0x12\n l 0x12\n j start\n j end\n s 0\nend:\n");
    s.say("A listing may have one unit a line.");
    s.run_with(
        "isagen disasm mixed.yaml",
        "0024\n0025 # low half\n\n0001\n0x100: 0025\n0x102: 8000\n0025\n0x200: 0001\n0025\n00000025\n0025\n",
    );
    s.end();
}

/// Streams of the shipped instruction sets with words of several lengths.
#[test]
fn streams() {
    let mut s = Session::new("streams");
    s.say("SM 1.0: one 32-bit word a line, the low one first; or as words of their own widths.");
    let units = "1001e003\n00000780\n10008200\n2000c809\n04208780\nf0000001\ne0000002\n30000003\n00000780\n";
    let listing = s.run_with("isagen disasm flexgrip", units);
    assert_eq!(s.run_with("isagen disasm flexgrip", joined(units)), listing);
    let bytes: Vec<u8> = units.lines().flat_map(|l| u32::from_str_radix(l, 16).expect("a word").to_le_bytes()).collect();
    s.file("kernel.bin", bytes);
    assert_eq!(s.run("isagen disasm flexgrip kernel.bin"), listing);
    assert_eq!(s.run_with("isagen asm flexgrip", listing), joined(units));
    s.say("Compact words of 2, 4 and 6 bytes, each with its high byte first; then one that begins no word, and one that ends early.");
    let program = "CADD.32 R1, R2\nADD.32.m.vs R1, R2, R3\nLMLD_: LIMLD.64.postinc R1, R2, R3, -0x8\nNOP\nCAS.64.LT R4, R5, R6\n";
    let words = s.run_with("isagen asm compact", program);
    let halves: String =
        words.lines().flat_map(|l| l.as_bytes().chunks(4)).map(|h| format!("{}\n", String::from_utf8_lossy(h))).collect();
    let text = s.run_with("isagen disasm compact", &words);
    assert_eq!(s.run_with("isagen disasm compact", &halves), text);
    let bytes = |l: &str| u16::from_str_radix(l, 16).expect("a halfword").to_be_bytes();
    s.file("stream.bin", halves.lines().chain(["ea00", "fa00"]).flat_map(bytes).collect::<Vec<u8>>());
    assert!(s.run("isagen disasm compact stream.bin").starts_with(&text));
    s.end();
}

/// Units joined in pairs if they form a word: the low one comes first.
fn joined(units: &str) -> String {
    let mut units = units.lines();
    let mut words = String::new();
    while let Some(low) = units.next() {
        let long = u32::from_str_radix(low, 16).expect("a word") & 1 == 1;
        words += &if long { format!("{}{low}\n", units.next().expect("the high half")) } else { format!("{low}\n") };
    }
    words
}

#[test]
fn asm() {
    let mut s = with_tiny("asm");
    let program = "start:  add r1, r2, 3     # a comment\n        cmp.lt p1, r1, r2 // another\n        @p1 jump start\n        jump end\n0x40:   load.b r4, [r3+0x7f]\nend:    jump start /* the last */\n";
    s.run_with("isagen asm tiny.yaml", program);
    s.say("A line that fails says so among the results, and where on standard error.");
    s.run_with("isagen asm tiny.yaml", "add r1, r2, 3\nadd r1, r2\nadd r1, r32, 3\nadd r1, r2, 0x1000\nadd r1, r2, 3 4\nload.h r1, [zero+3]\njump nowhere\njump 0x3\nmul r1, r2, r3\nadd r1, ré, 3\n@p4 add r1, r2, r3\n! passed on\n");
    s.run_with("isagen asm tiny.yaml", "a: add r1, r2, r3\na: add r1, r2, r3\n");
    s.run_with("isagen asm tiny.yaml --diagnostics json", "add r1, r2\n");
    s.say("What `disasm --full` prints is read back.");
    let words = "1b08a003\n1808a003\n4308907f\n1f608500\n83000002\n";
    let full = s.run_with("isagen disasm tiny.yaml --full", words);
    assert_eq!(s.run_with("isagen asm tiny.yaml", full), words);
    s.run_with("isagen asm tiny.yaml", [b'a', 0, b'\n']);
    s.run("isagen asm tiny.yaml no-such-file.s");
    s.say("A byte-order mark is not a part of a text; what has been read is answered before a line that can't be read.");
    s.run_with("isagen asm tiny.yaml", b"\xef\xbb\xbfadd r1, r2, 3\r\nadd r1, r2, 3\n\xff\n");
    s.run_with("isagen disasm tiny.yaml", b"\xef\xbb\xbf1b08a003\r\n");
    s.say("Lines wait for the labels behind them, and come in their order.");
    s.run_with(
        "isagen asm tiny.yaml",
        "jump b\njump a\nadd r1, r2, 3\na: jump c\n@p1 jump b\nb: jump nowhere\nc: jump a\nc: jump b\n",
    );
    s.end();
}

/// The parts of programs besides instructions.
#[test]
fn programs() {
    let mut s = with_tiny("asm-programs");
    s.say("A decimal number is a local label, `1b` the last one before, `1f` the next one.");
    s.run_with("isagen asm tiny.yaml", "1: jump 1f\n   jump 1b\n1: jump 1b\n   jump 1b\n   jump 1f\n   jump 2b\n");
    s.run_with("isagen asm tiny.yaml", "0010: jump 0x10\n1000: jump 0x10\n");
    s.say("What does not follow the line before has its address; no two instructions have the same.");
    let program = "jump 0\n0x20: jump 0x20\n0x10: jump 0\n0x0e: jump 0x20\nwrong\n0x40: a: jump a\n0x0: jump a\n";
    let words = s.run_with("isagen asm tiny.yaml", program);
    s.run_with(
        "isagen disasm tiny.yaml --full",
        words.lines().filter(|line| !line.starts_with('!')).collect::<Vec<_>>().join("\n"),
    );
    s.run_with("isagen fmt tiny.yaml", "0x20: jump 0x20\n jump 0x20\n");
    s.say("A comment can have several lines.");
    s.run_with("isagen asm tiny.yaml", "add r1, r2, 3 /* one\n add r1, r2, 4\n two */ add r1, r2, 5\nadd r1, r2, 6 /* three\n");
    s.say("A number that begins with 0 is octal where the instruction set says so, and else nothing.");
    s.run_with("isagen asm tiny.yaml", "add r1, r2, 010\nadd r1, r2, 09\nadd r1, r2, 00\n");
    s.run_with("isagen asm rv32imac", "li a0,010; li a1,-017; li a2,08 # ; li a3,1\n");
    s.say("The shortest word is taken however the instruction is written.");
    let program = "addi a1,a1,-1\nslli a1,a1,2\nandi a0,a0,3\nbeq a0,zero,0x20\nlw a0,4(x2)\naddi a0,a1,1\nbeq a0,zero,0x2000\n";
    s.run_with("isagen asm rv32imac", program);
    s.run_with("isagen asm rv32imac --no-compress", program);
    s.say("A number is judged by the form with most room for it; a label that does not exist is named.");
    let program = "li a0,0x12345678\nc.addi a0,40\nlw a0,4096(a1)\naddi a0,a1,foo\n";
    s.run_with("isagen asm rv32imac", program);
    s.say("Data that the assembler writes as bytes is read back, and is loaded by `run`.");
    let program = "lb a0,10(zero)\nlb a1,11(zero)\nebreak\n.ascii \"hi\"\n";
    let words = s.run_with("isagen asm rv64gc", program);
    let texts = s.run_with("isagen disasm rv64gc", words.as_str());
    assert_eq!(s.run_with("isagen asm rv64gc", texts), words);
    s.file("data.hex", &words);
    s.run("isagen run rv64gc data.hex --state");
    s.run_with("isagen disasm --full rv64gc", "68\n0x10: 69\n");
    s.run_with("isagen disasm --json rv64gc", "69\n");
    s.run("isagen explain rv64gc 69");
    s.run_with("isagen disasm rv64gc", "9\n");
    s.end();
}

#[test]
fn fmt() {
    let mut s = with_tiny("fmt");
    s.run_with("isagen fmt tiny.yaml", "  @always   add r1 ,r2,  +3\nload r1, [ zero + 0 ]\nadd r1\n");
    s.run_with("isagen fmt tiny.yaml --full", "jump 0x10\n0x20: jump 0x10\n");
    s.end();
}

#[test]
fn explain() {
    let mut s = with_tiny("explain");
    s.run("isagen explain tiny.yaml 1b08a003");
    s.run("isagen explain tiny.yaml 0x4308a003");
    s.run("isagen explain tiny.yaml 1b08840a");
    s.run("isagen explain tiny.yaml fc000000");
    s.run("isagen explain tiny.yaml 1b08a00");
    s.run("isagen explain tiny.yaml add");
    s.say("A text has the words that the assembler makes of it; only one of them can be run by `eval`.");
    s.run("isagen eval rv64gc 'la a0,0x1000'");
    s.run("isagen explain tiny.yaml 'jump 0x10'");
    s.run("isagen explain rv64gc 'li a0,0x12345'");
    s.run("isagen explain rv64gc 'adi a0,a0,1'");
    s.run("isagen explain rv64gc '.byte 1'");
    s.end();
}

/// Words of 64 and of 192 bits.
#[test]
fn wide() {
    let mut s = Session::new("wide");
    s.file("bundle.yaml", include_str!("../../../tests/specs/wide/bundle.yaml"));
    s.run("isagen check bundle.yaml");
    let words = "0112340000000000\n0212ac010123456789abcdefdeadbeef0000000000000001\n0309ff000000007ff0000000000000c00000000000000001\n\
                 0309040000001ff80000000000000000000000000000abc1\n070000000000000000000000000000000000000000000001\n";
    let plain = s.run_with("isagen disasm bundle.yaml", words);
    let full = s.run_with("isagen disasm bundle.yaml --full", words);
    s.run_with("isagen disasm bundle.yaml --json", words);
    s.run_with("isagen asm bundle.yaml", plain);
    s.run_with("isagen asm bundle.yaml", full);
    s.run_with("isagen asm bundle.yaml", "ldx r1, r2, 0x100000000000000000000000000000000\nld r1, [r2], c0x1ff\n");
    s.say("The first unit is the low end of a word, its low byte first.");
    s.file(
        "words.bin",
        [b"\x01" as &[u8], &[0; 7], &[0, 0, 0, 0, 0xef, 0xcd, 0xab, 0x89], &[0x67, 0x45, 0x23, 1, 0, 0xac, 0x12, 2]].concat(),
    );
    s.run("isagen disasm bundle.yaml words.bin");
    s.run("isagen explain bundle.yaml 0212ac010123456789abcdefdeadbeef0000000000000001");
    s.run("isagen explain bundle.yaml 070000000000000000000000000000000000000000000001");
    s.file("whole.yaml", include_str!("../../../tests/specs/wide/whole.yaml"));
    s.run_with("isagen disasm whole.yaml --json", format!("{}1300\n{}\n", "0".repeat(60), "f".repeat(64)));
    s.run("isagen build whole.yaml -o out");
    let there = |name: &str| s.folder.join("out").join(name).exists();
    assert_eq!(["whole.rs", "whole.md", "whole.html", "whole.json", "whole.isat"].map(there), [true; 5]);
    s.end();
}

#[test]
fn map() {
    let mut s = with_tiny("map");
    s.run("isagen map tiny.yaml");
    s.end();
}

#[test]
fn build() {
    let mut s = with_tiny("build");
    s.run("isagen build tiny.yaml -o out");
    s.run("isagen build tiny.yaml -o out --check");
    s.say("`isagen SPEC` is `isagen build SPEC`.");
    s.run("isagen tiny.yaml");
    for file in ["tiny.rs", "tiny.md", "tiny.html", "tiny.json", "tiny.isat"] {
        assert_eq!(fs::read(s.folder.join("out").join(file)).ok(), fs::read(s.folder.join("isagen-out").join(file)).ok());
    }
    s.file("out/tiny.md", "edited");
    s.run("isagen build tiny.yaml -o out --check");
    fs::remove_dir_all(s.folder.join("out")).expect("it was written");
    s.run("isagen build tiny.yaml -o out --check");
    assert!(!s.folder.join("out").exists(), "--check writes nothing");
    s.file("broken.yaml", "isa: broken\nword: 8\ninstructions:\n  A: { fields: { x: 7..0 (7) } }\n");
    s.run("isagen broken.yaml tiny.yaml -o out");
    s.file("again.yaml", TINY.replace("NAME", "tiny"));
    s.run("isagen build tiny.yaml again.yaml -o out");
    s.file("file", "");
    s.run("isagen build tiny.yaml -o file");
    s.end();
}

/// The shipped spec by its name, on real machine code and on the words of nvdisasm; not sessions, for their size.
#[test]
fn ampere() {
    let mut s = Session::new("ampere");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let read = |name: &str| fs::read_to_string(root.join("tests").join(name)).expect("a file of the tests");
    let kernel = read("kernels/ampere-saxpy-like.hex");
    // The program does not begin at 0.
    assert_eq!(s.run_with("isagen disasm ampere", &kernel), format!("0x20: {}", read("kernels/ampere-saxpy-like.sass")));
    let full = s.run_with("isagen disasm ampere --full", &kernel);
    let words: String = kernel
        .lines()
        .filter(|l| !l.starts_with('#'))
        .filter_map(|l| l.split_once(": "))
        .enumerate()
        .map(|(i, (address, word))| if i == 0 { format!("{address}: {word}\n") } else { format!("{word}\n") })
        .collect();
    assert_eq!(s.run_with("isagen asm ampere", full), words);
    for file in ["vectors/ampere-sm80.tsv", "vectors/ampere-sm80-undocumented-forms.tsv"] {
        let table = read(file);
        let rows = || table.lines().filter(|l| !l.starts_with('#')).map(|l| l.split('\t').collect::<Vec<_>>());
        let input: String = rows().map(|r| format!("{}\t{}\n", r[0], r[1])).collect();
        let texts: String = rows().map(|r| format!("{}\n", r[3])).collect();
        assert!(s.run_with("isagen disasm ampere", input) == texts, "{file}");
    }
    // The results of statements, compared with a reference model.
    let table = read("vectors/ptx-vop4.tsv");
    let (mut cases, mut results) = (String::new(), String::new());
    for row in table.lines().filter(|l| !l.starts_with('#')) {
        let columns: Vec<_> = row.split('\t').collect();
        // Names are r1 to r4, and a, b, c are in r2, r3, r4 if the statement names these.
        let settings = (2..=4).filter(|n| columns[0].contains(&format!("r{n}"))).map(|n| format!("\tr{n}=0x{}", columns[n - 1]));
        writeln!(cases, "{}{}", columns[0], settings.collect::<String>()).expect("a String");
        writeln!(results, "r1=0x{}", columns[4]).expect("a String");
    }
    assert_eq!(results.lines().count(), 6_000);
    for engine in ["", " --engine reference"] {
        assert!(s.run_with(&format!("isagen eval ptx-vop4{engine}"), &cases) == results, "{engine}");
    }
    assert!(s.run("isagen check ampere --deny warnings").contains("2^128: every word of 128 bits, once"));
    assert!(!s.log.contains("= exit status"), "{}", s.log.lines().rev().take(20).collect::<Vec<_>>().join("\n"));
}
