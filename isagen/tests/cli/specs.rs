//! Commands about specifications: `new`, `check`, `verify`, `diff`, and files that are not specifications.

use super::session::{MIXED, Session, TINY, with_tiny};
use std::fmt::Write as _;
use std::fs;

#[test]
fn new() {
    let mut s = Session::new("new");
    s.run("isagen new tiny");
    assert_eq!(fs::read_to_string(s.folder.join("tiny.yaml")).expect("it was written"), TINY.replace("NAME", "tiny"));
    s.run("isagen check tiny.yaml --deny warnings");
    s.say("It never writes over a file.");
    s.run("isagen new tiny");
    s.run("isagen new tiny -o other.yaml");
    s.run("isagen new 9lives");
    s.run("isagen new tiny -o no-such-folder/tiny.yaml");
    s.end();
}

#[test]
fn check() {
    let mut s = with_tiny("check");
    s.run("isagen check tiny.yaml");
    s.run("isagen check tiny.yaml --holes 1");
    s.file("warned.yaml", "isa: warned\nword: 4\nregisters: { R: { index: 2 }, S: { index: 2 } }\ninstructions:\n  A: { fields: { x: 3..2 R, y: 1..0 R }, text: \"A {x}, {y}\" }\n");
    s.run("isagen check warned.yaml");
    s.run("isagen check warned.yaml --deny warnings");
    s.file(
        "clash.yaml",
        "isa: clash\nword: 3\ninstructions:\n  A: { fix: { 2..1: 3 }, ignored: 0 }\n  B: { fix: { 0: 1 }, ignored: 2..1 }\n",
    );
    s.run("isagen check clash.yaml");
    s.say("Findings as JSON, one object a line.");
    s.run("isagen check clash.yaml --diagnostics json");
    s.file("broken.yaml", "isa: broken\nword: 8\ninstructions:\n  A: { fix: { 7..0: 1 }\n  B: { fix: { 7..0: 2 } }\n");
    s.say("Several specs: each is looked at, the worst decides.");
    s.run("isagen check warned.yaml broken.yaml tiny.yaml");
    s.file("mixed.yaml", MIXED);
    s.run("isagen check mixed.yaml");
    s.say("Evidence is executed where the command is about the spec.");
    s.file("evidence.yaml", EVIDENCE);
    s.run("isagen check evidence.yaml");
    s.run("isagen build evidence.yaml -o out --diagnostics json");
    s.run("isagen docs evidence.yaml -o out");
    assert!(!s.folder.join("out").exists(), "what does not hold is not published");
    s.run_with("isagen disasm evidence.yaml", "13\n");
    s.say("What an assembler adds is assembled, and run where it is known what it does.");
    s.file("does.yaml", include_str!("does.yaml"));
    s.run("isagen check does.yaml");
    s.say("Its operands are tried as registers, numbers and new symbols.");
    let spec = |pseudo: &str| {
        let nop = "instructions: { nop: { fix: { 7..0: 1 }, text: nop } }";
        format!("isa: pseudo\nword: 8\nassembly:\n  pseudo:\n{pseudo}{nop}\n")
    };
    s.file(
        "pseudo.yaml",
        spec("    - { text: \"go {to}\", is: \"two {to}\" }\n    - { text: now, is: then }\n    - { text: \"a {x} at {y:expr}\", is: \"nop {x}\" }\n"),
    );
    s.file(
        "label.yaml",
        spec("    - { text: \"label {name}\", is: \"{name} = .\" }\n    - { text: \"{op:mark|sign} {name}\", is: [\"{name}:\", nop] }\n"),
    );
    s.run("isagen check pseudo.yaml");
    s.run("isagen check label.yaml --holes 0");
    s.run_with("isagen asm label.yaml", "label a\nnop\nmark b\n");
    s.end();
}

#[test]
fn pseudo_instructions_of_shipped_instruction_sets_do_what_they_say() {
    let mut s = Session::new("check-shipped");
    // Those of rv64gc have the same rules, and more words.
    let sets: &[&str] = if crate::is_thorough() { &["rv32imac", "rv64gc"] } else { &["rv32imac"] };
    let out = s.run(&format!("isagen check {} --holes 0", sets.join(" ")));
    assert!(sets.iter().all(|set| out.contains(&format!("{set}: "))), "{}", s.log);
    assert!(!s.log.contains("error"), "{}", s.log);
}

#[test]
#[cfg(unix)]
fn verify() {
    let mut s = with_tiny("verify");
    s.say("Words and texts of a file.");
    s.file(
        "good.tsv",
        "# word\ttext\n18000000\t@p0  add r0, r0, r0\n1b003fff\tadd r0, r0, -0x1\nffffffff\t! no such instruction\n",
    );
    s.run("isagen verify tiny.yaml --vectors good.tsv --columns word,text");
    s.file("bad.tsv", "0x1b003fff\t0x10\tadd r0, r0, 0x1fff\n0x83000001\t0x10\tjump 0x18\n0x83000002\t0x10\tjump 0x18\n");
    s.run("isagen verify tiny.yaml --vectors bad.tsv --columns word,address,text");
    s.run("isagen verify tiny.yaml --vectors bad.tsv --columns word,_,refused --json");
    s.say("Files that do not exist.");
    s.run("isagen verify tiny.yaml --vectors bad.tsv --columns word,text,text");
    s.run("isagen verify tiny.yaml --vectors bad.tsv --columns word,texts");
    s.run("isagen verify tiny.yaml --vectors bad.tsv --columns word,address,_,text");
    s.say("Lines without a word.");
    s.file("digits.tsv", "# none\n\n123\tadd\n18000000\t@p0  add r0, r0, r0\nffffffff\n1b003fffx\tadd\n1b003ffg\tadd\n");
    s.run("isagen verify tiny.yaml --vectors digits.tsv --columns word,text");
    s.say("What is not an oracle.");
    s.run("isagen verify tiny.yaml");
    s.run("isagen verify tiny.yaml --oracle true --count 200 --threads 1");
    s.run("isagen verify tiny.yaml --oracle 'sed p' --count 100 --threads 1");
    s.run("isagen verify tiny.yaml --oracle nvdisasm:SM80 --program ./nvdisasm");
    s.run("isagen verify tiny.yaml --oracle nvdisasm:SM80 --program true --count 100 --threads 1");
    s.run("isagen verify tiny.yaml --oracle objdump:,no-aliases");
    s.run("isagen verify tiny.yaml --oracle cat --count 99999999999999999999");
    s.run("isagen verify tiny.yaml --oracle true --program true");
    s.say("One that refuses all.");
    s.run("isagen verify tiny.yaml --oracle 'sed s/.*/!none/' --count 64 --threads 1");
    s.say("Opcodes.");
    s.run("isagen verify tiny.yaml --oracle 'sed s/.*/!none/' --draft 3f");
    s.run("isagen verify tiny.yaml --oracle true --draft 40");
    s.run("isagen verify tiny.yaml --oracle true --draft x");
    s.run("isagen verify tiny.yaml --oracle true --draft 3 --opcode 26..31");
    s.run("isagen verify tiny.yaml --oracle true --draft 3 --format beta");
    s.end();
}

#[test]
fn diff() {
    let mut s = with_tiny("diff");
    s.run("isagen diff tiny.yaml tiny.yaml");
    let old = "isa: acme
word: 16
registers: { R: { index: 3 } }
enums: { Size: [ .b, .h, \"\" ] }
instructions:
  ADD: { fix: { 15..12: 1 }, fields: { d: 11..9 R, a: 8..6 R, size: 5..4 Size, n: 3..0 }, text: \"ADD{size} {d}, {a}, {n}\" }
  MOV: { fix: { 15..12: 2 }, fields: { d: 11..9 R, a: 8..6 R }, ignored: 5..0, text: \"MOV {d}, {a}\" }
  NOP: { fix: { 15..12: 0 }, ignored: 11..0 }
";
    s.file("old.yaml", old);
    s.say("More than there was breaks nothing.");
    let more = format!("{old}  HALT: {{ fix: {{ 15..12: 15 }}, ignored: 11..0 }}\n");
    s.file("more.yaml", &more);
    s.run("isagen diff old.yaml more.yaml");
    s.say("Another enumeration, a field that moved, a text that is another for some words, and an instruction that took another's words.");
    let new = more.replace(".h, ", ".w, ").replace("a: 8..6 R }, ignored: 5..0", "a: 5..3 R }, ignored: [ 8..6, 2..0 ]");
    let new = new
        .replace("{a}, {n}", "{a}<when n != 7: , {n}>")
        .replace("15..12: 0", "15..12: 2, 11..6: 0x3f")
        .replace("ignored: 11..0 }\n  H", "ignored: 5..0 }\n  H");
    s.file("new.yaml", &new);
    s.run("isagen diff old.yaml new.yaml");
    s.run("isagen diff old.yaml new.yaml --format markdown");
    s.run("isagen diff old.yaml new.yaml --format json");
    s.run("isagen diff ptx-vop4 ptx-vop4");
    s.run("isagen diff old.yaml missing.yaml");
    s.end();
}

const EVIDENCE: &str = "isa: evidence
word: 8
instructions:
  A:
    fix: { 7..4: 1 }
    fields: { x: 3..0 }
    text: \"a {x}\"
    errata:
      E1:
        is: so
        evidence: { 13: \"a 0x3\", 14: \"a 0x5\", 1f: refused }
      E2:
        is: so
        evidence: { 23: refused, 33: \"a 0x3\" }
        elsewhere: { 13: refused }
";

/// The first hundred findings are shown, in one command and in both formats.
#[test]
fn findings_are_counted() {
    let mut s = Session::new("many-findings");
    let forms: String = (0..150).map(|i| format!("  I{i}: {{ fix: {{ 15..8: {i} }}, fields: {{ x: 7..0 Q{i} }} }}\n")).collect();
    s.file("many.yaml", format!("isa: many\nword: 16\ninstructions:\n{forms}"));
    let mut shown = |command: &str, mark: &str| {
        s.log.clear();
        s.run(command);
        let lines: Vec<&str> = s.log.lines().map(|l| l.strip_prefix("! ").unwrap_or(l)).collect();
        (lines.iter().filter(|l| l.contains(mark)).count(), lines[lines.len() - 3].to_owned())
    };
    let rest = "… and 200 more findings; --all shows them".to_owned();
    assert_eq!(shown("isagen check many.yaml many.yaml", "error[unknown-name]"), (100, rest.clone()));
    assert_eq!(shown("isagen check --all many.yaml many.yaml", "error[unknown-name]").0, 300);
    assert_eq!(shown("isagen --all many.yaml -o out", "error[unknown-name]").0, 150);
    let rest =
        "{\"severity\":\"note\",\"code\":\"more-findings\",\"message\":\"50 more findings; --all shows them\",\"labels\":[]}";
    assert_eq!(shown("isagen check many.yaml --diagnostics json", "\"code\":\"unknown-name\""), (100, rest.to_owned()));
    // Each line of a program is answered.
    s.file("tiny.yaml", TINY.replace("NAME", "tiny"));
    s.file("bad.s", "nonsense\n".repeat(150));
    s.log.clear();
    assert_eq!(s.run("isagen asm tiny.yaml bad.s"), "! there is no instruction `nonsense`\n".repeat(150));
    assert_eq!(s.log.matches("error: there is no instruction").count(), 100);
    assert!(s.log.contains("! … and 50 more findings; --all shows them\n= exit status 1\n"), "{}", s.log);
}

/// A shipped instruction set is not hidden by a file of its name.
#[test]
fn a_file_with_the_name_of_a_shipped_one() {
    let mut s = Session::new("names");
    s.file("fermi", TINY.replace("NAME", "mine"));
    s.run("isagen explain fermi 0");
    s.run("isagen explain fermi 0 --diagnostics json");
    s.run_with("isagen disasm ./fermi", "1b08a003\n");
    fs::remove_file(s.folder.join("fermi")).expect("it is there");
    fs::create_dir(s.folder.join("fermi")).expect("a folder");
    s.say("A folder is not meant.");
    s.run("isagen explain fermi 0");
    s.end();
}

/// Control characters do not reach the terminal.
#[test]
fn control_characters() {
    let mut s = with_tiny("control");
    let out = s.run_with(
        "isagen asm tiny.yaml",
        "a\u{1b}]0;title\u{7} r1\nadd r1, r2, \u{202e}3\nadd\u{9b}2J r1\nx\u{7f}: \u{8} add r1, r2, r3\n! passed\u{1b}[2J on\n",
    );
    let out2 = s.run_with("isagen disasm tiny.yaml", "\u{1b}[2J\n1b08a003 \u{202e}\n");
    s.run("isagen check no-such\u{1b}[2J.yaml");
    s.run("isagen explain tiny.yaml 0\u{1b}[2J");
    s.run("isagen \u{1b}[2J --diagnostics=\u{1b}");
    s.run_with("isagen asm tiny.yaml --diagnostics json", "a\u{1b}\u{202e}\n");
    s.file("odd\u{9b}.json", "{ \"girds\u{202e}\": 1 }");
    s.file("p.s", "add r1, r2, 3\n");
    s.run("isagen run tiny.yaml p.s --launch odd\u{9b}.json");
    let bad = |c: char| c != '\n' && (c.is_control() || ('\u{202a}'..='\u{202e}').contains(&c));
    assert!(!out.contains(bad) && !out2.contains(bad), "{out:?} {out2:?}");
    let said = s.log.lines().filter(|l| !l.starts_with('<') && !l.starts_with('$'));
    let obeyed: Vec<&str> = said.filter(|l| l.contains(bad)).collect();
    assert!(obeyed.is_empty(), "{obeyed:?}");
    s.log = s.log.lines().filter(|l| !l.starts_with('$')).fold(String::new(), |log, l| log + l + "\n");
    s.end();
}

#[test]
fn what_is_no_spec() {
    let mut s = Session::new("no-spec");
    s.run("isagen check no-such-file.yaml");
    s.run("isagen chekc");
    s.run("isagen check .");
    s.file("large.yaml", vec![b'#'; 10 << 20]);
    s.run("isagen check large.yaml");
    s.file("binary.yaml", [0x7f, b'E', b'L', b'F', 0, 0xff, 0xfe]);
    s.run("isagen check binary.yaml");
    s.file("empty.yaml", "");
    s.run("isagen check empty.yaml");
    s.file("bomb.yaml", bomb());
    s.run("isagen check bomb.yaml");
    s.file("nested.yaml", "[".repeat(100_000));
    s.run("isagen check nested.yaml");
    s.say("The same for commands that only use a spec.");
    s.run("isagen disasm no-such-file.yaml");
    s.run("isagen asm empty.yaml");
    s.run("isagen check no-such-file.yaml --diagnostics json");
    s.run("isagen disasm");
    s.say("A mistyped command, and a file that is missing among others: nothing is built.");
    s.file("good.yaml", "isa: good\nword: 8\ninstructions: { nop: { fix: { 7..0: 0 }, text: nop } }\n");
    s.run("isagen chek good.yaml");
    s.run("isagen good.yaml goood.yaml");
    assert!(!s.folder.join("isagen-out").exists());
    s.run("isagen good.yaml");
    assert!(s.folder.join("isagen-out/good.rs").exists());
    s.end();
}

/// Not a session: it names the shipped instruction sets.
#[test]
fn a_name_that_no_spec_has() {
    let mut s = Session::new("unknown-name");
    s.run("isagen check no_such_isa");
    let start = "$ isagen check no_such_isa\n! error: there is no file `no_such_isa` and no shipped instruction set of that name\n! help: shipped are: ";
    assert!(s.log.starts_with(start) && s.log.ends_with("= exit status 2\n\n"), "{}", s.log);
}

/// Ten times ten times ten …
fn bomb() -> String {
    let mut text = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for i in 1..12 {
        let aliases = vec![format!("*a{}", i - 1); 10].join(", ");
        writeln!(text, "a{i}: &a{i} [{aliases}]").expect("a String");
    }
    text
}
