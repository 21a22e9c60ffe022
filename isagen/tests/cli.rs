//! The command line, session by session: every file of `sessions/` is what a person would see who types the commands behind `$`,
//! with standard input behind `<`, standard error behind `!`, and the exit status where it is not 0.
//!
//! `BLESS=1 cargo test -p isagen --test cli` writes the sessions.

use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A folder of its own, and what has been typed and answered in it.
struct Session {
    name: &'static str,
    folder: PathBuf,
    log: String,
}

impl Session {
    fn new(name: &'static str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli").join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("the folder for tests can be written to");
        Self { name, folder, log: String::new() }
    }

    fn file(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.folder.join(name), content).expect("the folder for tests can be written to");
    }

    /// A comment in the session.
    fn say(&mut self, text: &str) {
        writeln!(self.log, "# {text}").expect("a String");
    }

    fn run(&mut self, command: &str) -> String {
        self.run_with(command, "")
    }

    /// Runs a command line (words are separated by blanks, or stand in quotes) and gives its standard output. What decodes and reads
    /// is asked twice: the reference codec must answer as the engine of tables does.
    fn run_with(&mut self, command: &str, input: impl AsRef<[u8]>) -> String {
        let start = self.log.len();
        let out = self.run_once(command, &input);
        let has_codecs = ["disasm", "asm", "fmt", "explain"].iter().any(|name| command.split(' ').nth(1) == Some(name));
        // The usage that is said to be right depends on the arguments.
        if has_codecs && !command.contains("--engine") && !self.log[start..].contains("! Usage: ") {
            let answer = self.log.split_off(start);
            self.run_once(&format!("{command} --engine reference"), &input);
            let other = self.log.split_off(start);
            assert_eq!(answer.split_once('\n').map(|a| a.1), other.split_once('\n').map(|a| a.1), "{command}: the reference");
            self.log.push_str(&answer);
        }
        out
    }

    fn run_once(&mut self, command: &str, input: impl AsRef<[u8]>) -> String {
        let words = command.split('\'').enumerate().flat_map(|(i, part)| {
            let blanks = move |c: char| c == ' ' && i % 2 == 0;
            part.split(blanks).filter(|w| !w.is_empty())
        });
        let mut words = words.peekable();
        assert_eq!(words.next(), Some("isagen"));
        let mut child = Command::new(env!("CARGO_BIN_EXE_isagen"))
            .args(words)
            .current_dir(&self.folder)
            .env("NO_COLOR", "1")
            .env("COLUMNS", "100")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("isagen starts");
        let mut stdin = child.stdin.take().expect("it is piped");
        let bytes = input.as_ref().to_vec();
        // A command that does not read its input may be gone before all is written.
        let writer = std::thread::spawn(move || drop(stdin.write_all(&bytes)));
        let output = child.wait_with_output().expect("isagen ends");
        writer.join().expect("writing does not panic");
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        writeln!(self.log, "$ {command}").expect("a String");
        for line in String::from_utf8_lossy(input.as_ref()).lines() {
            writeln!(self.log, "< {}", line.escape_debug().to_string().replace("\\'", "'").replace("\\\"", "\""))
                .expect("a String");
        }
        self.log.push_str(&out);
        for line in err.lines() {
            writeln!(self.log, "! {line}").expect("a String");
        }
        match output.status.code() {
            Some(0) => {}
            Some(code) => writeln!(self.log, "= exit status {code}").expect("a String"),
            None => panic!("`{command}` was killed:\n{err}"),
        }
        self.log.push('\n');
        assert!(!err.contains("panicked"), "`{command}`:\n{err}");
        out.into_owned()
    }

    /// Compares with the session that is expected.
    fn end(self) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sessions").join(self.name).with_extension("txt");
        let log = without_seconds(&self.log);
        if std::env::var_os("BLESS").is_some() {
            fs::write(&path, &log).expect("the session can be written");
        }
        let expected = fs::read_to_string(&path).unwrap_or_default();
        let differ = log
            .lines()
            .zip(expected.lines())
            .position(|(a, b)| a != b)
            .unwrap_or(log.lines().count().min(expected.lines().count()));
        assert!(
            log == expected,
            "{}:{}: the session differs from here on:\n{}",
            path.display(),
            differ + 1,
            log.lines().skip(differ.saturating_sub(3)).take(30).collect::<Vec<_>>().join("\n")
        );
    }
}

/// `0.01 s` differs from run to run.
fn without_seconds(log: &str) -> String {
    let line = |l: &str| match l.rsplit_once(", ") {
        Some((before, seconds)) if seconds.strip_suffix(" s").is_some_and(|s| s.parse::<f64>().is_ok()) => {
            format!("{before}, … s\n")
        }
        _ => format!("{l}\n"),
    };
    log.lines().map(line).collect()
}

/// What `isagen new tiny` writes, for sessions about other commands.
const TINY: &str = include_str!("../src/commands/new.yaml");

fn with_tiny(name: &'static str) -> Session {
    let session = Session::new(name);
    session.file("tiny.yaml", TINY.replace("NAME", "tiny"));
    session
}

const MIXED: &str = "isa: mixed
word: { unit: 16, order: low-first, bytes: little, lengths: { 16: \"prefix[0] == 0\", 32: \"prefix[0] == 1\" } }
instructions:
  s: { length: 16, fix: { 0: 0, 15..13: 0 }, fields: { x: 12..1 }, text: \"s {x}\" }
  j: { length: 16, fix: { 0: 0, 15..13: 1 }, fields: { to: 12..1 signed *2 target(2) }, text: \"j {to}\" }
  l: { length: 32, fix: { 0: 1 }, fields: { x: 31..1 }, text: \"l {x}\" }
";

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
    s.end();
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
    s.file("digits.tsv", "# none\n\n123\tadd\n");
    s.run("isagen verify tiny.yaml --vectors digits.tsv --columns word,text");
    s.say("What is not an oracle.");
    s.run("isagen verify tiny.yaml");
    s.run("isagen verify tiny.yaml --oracle true --count 200 --threads 1");
    s.run("isagen verify tiny.yaml --oracle 'sed p' --count 100 --threads 1");
    s.run("isagen verify tiny.yaml --oracle nvdisasm:SM80 --program ./nvdisasm");
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

/// Of many findings the first hundred are shown, in one command and in both formats.
#[test]
fn findings_are_counted() {
    let mut s = Session::new("many-findings");
    let forms: String = (0..150).map(|i| format!("  I{i}: {{ fix: {{ 15..8: {i} }}, fields: {{ x: (8) }} }}\n")).collect();
    s.file("many.yaml", format!("isa: many\nword: 16\ninstructions:\n{forms}"));
    let mut shown = |command: &str, mark: &str| {
        s.log.clear();
        s.run(command);
        let lines: Vec<&str> = s.log.lines().map(|l| l.strip_prefix("! ").unwrap_or(l)).collect();
        (lines.iter().filter(|l| l.contains(mark)).count(), lines[lines.len() - 3].to_owned())
    };
    let rest = "… and 200 more findings; --all shows them".to_owned();
    assert_eq!(shown("isagen check many.yaml many.yaml", "error[no-bits]"), (100, rest.clone()));
    assert_eq!(shown("isagen check --all many.yaml many.yaml", "error[no-bits]").0, 300);
    assert_eq!(shown("isagen --all many.yaml -o out", "error[no-bits]").0, 150);
    let rest =
        "{\"severity\":\"note\",\"code\":\"more-findings\",\"message\":\"50 more findings; --all shows them\",\"labels\":[]}";
    assert_eq!(shown("isagen check many.yaml --diagnostics json", "\"code\":\"no-bits\""), (100, rest.to_owned()));
    // Lines of a program are answered, each of them.
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

/// Characters that a terminal obeys do not reach it.
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

/// Units in pairs where they make a word: the low one came first.
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

/// isagen at work, with pipes to write to and to read from.
fn started(words: &[&str], folder: &Path) -> (Child, ChildStdin, ChildStdout) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_isagen"))
        .args(words)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("isagen starts");
    let (stdin, stdout) = (child.stdin.take().expect("it is piped"), child.stdout.take().expect("it is piped"));
    (child, stdin, stdout)
}

/// Lines are answered as they come, however many there are, and have a greatest length.
#[test]
fn streams_without_an_end() {
    let mut s = with_tiny("endless");
    let answer = |command: &str, line: &str, lines: usize| {
        let words: Vec<&str> = command.split(' ').collect();
        let (mut child, mut stdin, stdout) = started(&words, &s.folder);
        let block = line.repeat(1000);
        // Until nothing reads it any more.
        let writer = std::thread::spawn(move || while stdin.write_all(block.as_bytes()).is_ok() {});
        let first: Vec<String> = BufReader::new(stdout).lines().take(lines).map(|l| l.expect("a line")).collect();
        // The reader is gone, and the process ends.
        let status = child.wait().expect("isagen ends");
        writer.join().expect("writing does not panic");
        assert_eq!(status.code(), Some(0), "{command}");
        first
    };
    assert_eq!(answer("asm tiny.yaml", "add r1, r2, 3\n", 5000), vec!["1b08a003"; 5000]);
    assert_eq!(answer("fmt tiny.yaml", "add r1,r2,3\n", 5000), vec!["add r1, r2, 0x3"; 5000]);
    assert_eq!(answer("disasm tiny.yaml", "1b08a003\n", 5000), vec!["add r1, r2, 0x3"; 5000]);
    let long = "x".repeat((1 << 20) + 1);
    for (command, most) in [("asm", "no instruction is longer than 16384 bytes"), ("disasm", "`x` is not a hexadecimal digit")] {
        let command = format!("isagen {command} tiny.yaml");
        assert_eq!(s.run_with(&command, &long[1..]), format!("! {most}\n"));
        s.log.clear();
        s.run_with(&command, &long);
        let end = "! error: <stdin>:1: a line of more than 1048576 bytes, the maximum\n= exit status 2\n\n";
        assert!(s.log.ends_with(end));
        s.log.clear();
    }
}

/// A line is answered before the next one is there, even if a part of that one is.
#[test]
fn lines_are_answered_at_once() {
    let s = with_tiny("at-once");
    for (command, line, expected) in [
        ("disasm", "1b08a003", "add r1, r2, 0x3"),
        ("asm", "add r1, r2, 3", "1b08a003"),
        ("fmt", "add r1,r2,3", "add r1, r2, 0x3"),
    ] {
        let (mut child, mut stdin, stdout) = started(&[command, "tiny.yaml"], &s.folder);
        let mut answers = BufReader::new(stdout).lines();
        let mut answer = |input: &str| {
            stdin.write_all(input.as_bytes()).expect("isagen reads");
            answers.next().expect("an answer").expect("a line")
        };
        let (start, end) = line.split_at(3);
        assert_eq!(answer(&format!("{line}\n")), expected);
        assert_eq!(answer(&format!("{line}\n{start}")), expected);
        assert_eq!(answer(&format!("{end}\n")), expected);
        drop(stdin);
        assert_eq!(child.wait().expect("isagen ends").code(), Some(0));
    }
}

/// The standard output of a command, which is the same on one thread and on three; and so is all else.
fn on_threads(s: &mut Session, command: &str) -> String {
    let mut run = |threads: usize| {
        let start = s.log.len();
        let out = s.run(&format!("isagen {command} --engine tables --threads {threads}"));
        (out, s.log.split_off(start).split_once('\n').map(|log| log.1.to_owned()))
    };
    let (one, three) = (run(1), run(3));
    assert!(one == three, "{command}");
    one.0
}

/// A large input is worked on by several threads, which change nothing.
#[test]
fn threads() {
    let mut s = with_tiny("threads");
    let words = ["1b08a003", "1808a003", "4308907f", "1f608500", "83000002", "fc000000", "1b08a0", "# nothing"];
    let mut seed = 1_u64;
    let mut random = |n: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) as usize % n
    };
    let mut listing = String::new();
    for i in 0..300_000 {
        match random(50) {
            0 => writeln!(listing, "{:#x}: {}", random(1 << 20) * 4, words[i % 4]),
            1 => writeln!(listing, "{}", words[random(words.len())]),
            _ => writeln!(listing, "{}", words[i % 4]),
        }
        .expect("a String");
    }
    s.file("words.hex", &listing);
    assert_eq!(
        on_threads(&mut s, "disasm tiny.yaml words.hex").lines().count(),
        listing.lines().filter(|l| !l.starts_with('#')).count()
    );
    on_threads(&mut s, "disasm tiny.yaml words.hex --json");
    let full = on_threads(&mut s, "disasm tiny.yaml words.hex --full");
    // What programs have besides: labels before and behind, comments, lines that are not instructions.
    let mut program = String::new();
    for (i, line) in full.lines().take(60_000).enumerate() {
        match i % 20_000 {
            5_000..5_100 => writeln!(program, "l{i}: jump l{}", i / 5_000 * 5_000 + random(100)),
            9_000 => writeln!(program, "add r1, r2 /* nothing more */\n! passed on\nnonsense"),
            n if n % 7 == 0 => writeln!(program, "  {line} # {i}\n\n"),
            _ => writeln!(program, "{line}"),
        }
        .expect("a String");
    }
    s.file("program.s", program);
    assert!(on_threads(&mut s, "asm tiny.yaml program.s").contains("! there is no instruction `nonsense`\n"));
    on_threads(&mut s, "fmt tiny.yaml program.s --full");
}

/// Devices are counted while they are read.
#[cfg(unix)]
#[test]
fn devices() {
    let mut s = Session::new("devices");
    s.file("small.yaml", SMALL);
    s.file("program.s", "stop r0, 0\n");
    s.file("zero.json", "{ \"global_memory\": \"/dev/zero\" }");
    std::os::unix::fs::symlink("/dev/zero", s.folder.join("zero.bin")).expect("a link");
    s.file("image.json", "{ \"global_memory\": \"zero.bin\" }");
    s.run("isagen asm small.yaml /dev/zero");
    s.run("isagen fmt small.yaml /dev/zero");
    s.run("isagen disasm small.yaml /dev/zero");
    s.run("isagen run small.yaml program.s --launch zero.json");
    s.run("isagen run small.yaml program.s --launch image.json");
    s.run("isagen run small.yaml program.s --launch /dev/zero");
    s.run("isagen run small.yaml program.s --global /dev/zero");
    s.run("isagen run small.yaml /dev/zero");
    s.run("isagen run small.yaml zero.bin");
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
    s.end();
}

/// Words of 64 and of 192 bits.
#[test]
fn wide() {
    let mut s = Session::new("wide");
    s.file("bundle.yaml", include_str!("../../conformance/specs/wide/bundle.yaml"));
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
    s.file("whole.yaml", include_str!("../../conformance/specs/wide/whole.yaml"));
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
    let read = |name: &str| fs::read_to_string(root.join("conformance").join(name)).expect("a file of the tests");
    let kernel = read("kernels/ampere-saxpy-like.hex");
    assert_eq!(s.run_with("isagen disasm ampere", &kernel), read("kernels/ampere-saxpy-like.sass"));
    let full = s.run_with("isagen disasm ampere --full", &kernel);
    let words: String = kernel
        .lines()
        .filter(|l| !l.starts_with('#'))
        .filter_map(|l| l.split_once(": "))
        .map(|(_, word)| format!("{word}\n"))
        .collect();
    assert_eq!(s.run_with("isagen asm ampere", full), words);
    for file in ["vectors/ampere-sm80.tsv", "vectors/ampere-sm80-undocumented-forms.tsv"] {
        let table = read(file);
        let rows = || table.lines().filter(|l| !l.starts_with('#')).map(|l| l.split('\t').collect::<Vec<_>>());
        let input: String = rows().map(|r| format!("{}\t{}\n", r[0], r[1])).collect();
        let texts: String = rows().map(|r| format!("{}\n", r[3])).collect();
        assert!(s.run_with("isagen disasm ampere", input) == texts, "{file}");
    }
    // What statements compute, by a reference model.
    let table = read("vectors/ptx-vop4.tsv");
    let (mut cases, mut results) = (String::new(), String::new());
    for row in table.lines().filter(|l| !l.starts_with('#')) {
        let columns: Vec<_> = row.split('\t').collect();
        // Names are r1 to r4, and a, b, c stand in r2, r3, r4 wherever these are named.
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

/// A machine with registers, halves of them, predicates, flags, values and memory.
const MACHINE: &str = "isa: machine
word: 32
registers:
  R: { index: 4, width: 32, special: { 15: RZ }, zero: RZ }
  RH: { index: 5, width: 16, text: \"R{n}{half}\", halves: [L, H] }
  P: { index: 2, width: 1, special: { 3: PT }, one: PT }
machine:
  spaces: { global: { size: 0x1000 }, const: { banks: 2, read-only: true } }
  views: { RH: R }
  flags: { C: { count: 2, flags: [z, s] }, CC: [x] }
  launch-values: { tid.x: 16 }
  state: { mode: 2 }
  variants: { way: [up, down] }
  guard: P[g]
  after: |
    if ends { exit(); }
formats:
  all: { fields: { op: 31..26, g: 25..24 P = PT, ends: '23 \".E\"' }, text: \"<@{g} >{body}\" }
  three: { extends: all, fields: { d: 3..0 R, a: 7..4 R, b: 11..8 R }, rest: reserved }
instructions:
  ADD: { extends: three, fix: { op: 1 }, text: \"ADD{ends} {d}, {a}, {b}\", semantics: \"let r = R[a] + R[b]; R[d] = r; C[0] = r[31] ++ (r == 0); CC.x = r[0];\" }
  HALF: { extends: all, fix: { op: 2 }, fields: { d: 4..0 RH, a: 9..5 RH }, rest: reserved, text: \"HALF{ends} {d}, {a}\", semantics: \"RH[d] = RH[a] + 1;\" }
  LD: { extends: three, fix: { op: 3 }, text: \"LD{ends} {d}, [{a}], {b}\", semantics: \"R[d] = load.global(R[a], 32) + load.const(1, R[b], 32);\" }
  ST: { extends: three, fix: { op: 4 }, text: \"ST{ends} {d}, [{a}], {b}\", semantics: \"store.global(R[a], R[d] ++ R[b]);\" }
  GO: { extends: all, fix: { op: 5 }, fields: { to: 15..0 signed *4 target(4) }, rest: reserved, text: \"GO{ends} {to}\", semantics: \"branch(next + sext(to, 32));\" }
  VALUE: { extends: three, fix: { op: 6 }, text: \"VALUE{ends} {d}, {a}, {b}\", semantics: \"R[d] = if variant(way) == up { zext(tid.x, 32) } else { lane }; mode = 2;\" }
  VOID: { extends: three, fix: { op: 7 }, text: \"VOID{ends} {d}, {a}, {b}\" }
";

#[test]
fn eval() {
    let mut s = Session::new("eval");
    s.file("machine.yaml", MACHINE);
    s.run("isagen eval machine.yaml 'ADD R1, R2, R3' R2=0x7fffffff R3=1");
    s.run("isagen eval machine.yaml 'GO.E 0x10' pc=0x100");
    s.run("isagen eval machine.yaml 'VALUE R1, R2, R3' tid.x=0x40 --set way=down");
    s.say("One case a line.");
    s.run_with(
        "isagen eval machine.yaml",
        "# a comment\n\
         ADD R1, R2, R3\tR2=-1\tR3=0b10\n\
         ADD RZ, R2, R3\tR2H=0x8000\n\
         @P1 ADD.E R1, R2, R3\tP1=0\n\
         HALF R1H, R2L  // of R1 and R2\tR2=0x1234ffff\tR1=0xabcdabcd\n\
         \n\
         LD R1, [R2], R3\tR2=0x10\tglobal[0x10]=0x11223344\tconst[1][0]=0x01\n\
         ST R1, [R2], R3\tR1=1\tR2=0x20\tR3=2\n\
         VALUE R1, R2, R3\ttid.x=0x40\tmode=1\tC1.s=1\tC0=2\tCC.x=1\tlane=3\n",
    );
    s.say("Faults are reported at their characters.");
    s.run_with(
        "isagen eval machine.yaml",
        "ADD R1, R2\n\
         SUB R1, R2, R3\n\
         VOID R1, R2, R3\n\
         ADD R1, R2, R3\tR2=0x100000000\n\
         ADD R1, R2, R3\tR2=-0x80000001\n\
         ADD R1, R2, R3\tR2=two\n\
         ADD R1, R2, R3\tR2\n\
         ADD R1, R2, R3\tR2=1\tR3=1\tR2=2\n\
         ADD R1, R2, R3\tRZ=1\n\
         ADD R1, R2, R3\tR16=1\n\
         ADD R1, R2, R3\tanything=1\n\
         ADD R1, R2, R3\tC2=1\n\
         ADD R1, R2, R3\tglobl[0x10]=1\n\
         ADD R1, R2, R3\tglobal[0x1000]=1\n\
         ADD R1, R2, R3\tconst[0x10]=1\n\
         ADD R1, R2, R3\tconst[2][0x10]=1\n\
         ADD R1, R2, R3\tlane=32\n\
         LD R1, [R2], R3\tR2=0x11\n\
         LD R1, [R2], R3\tR2=0x1000\n",
    );
    s.say("On either engine.");
    let cases = "IADD3 R1, P0, P1, R2, R3, R4\tR2=-1\tR3=-1\tR4=-1\n\
                 STL.64 [R2+0x10], R4\tR2=0x100\tR4=1\tR5=2\n\
                 IMAD R1, R2, c[0x3][0x20], RZ\tR2=3\tconst[3][0x20]=0x10\n\
                 @P0 BRA 0x50\tP0=1\tpc=0x40\n\
                 LDL.64 R2, [R1]\tR1=4\n";
    let compiled = s.run_with("isagen eval ampere --engine compiled", cases);
    assert_eq!(s.run_with("isagen eval ampere --engine reference", cases), compiled);
    s.run("isagen eval flexgrip 'SHR.S32.C0 R1, R2, 0x1' R2=0x80000001");
    s.run("isagen eval flexgrip 'FMAD R1, R2, R3, R4' R2=0x3f800001 R3=0x3f800001 R4=0xbf800002 --set fmad=rounded");
    s.run("isagen eval flexgrip 'GLD.U32 R1, global14[R2]' R2=0xfffffff0 global[0xfffffff0]=0x12345678");
    s.run("isagen eval flexgrip 'GLD.U32 R1, global14[R2]' R2=0xfffffff0 --engine compiled");
    s.run("isagen eval machine.yaml 'ADD R1, R2, R3' --engine compiled");
    s.run("isagen eval machine.yaml 'ADD R1, R2, R3' --set wy=up");
    s.run("isagen eval machine.yaml 'ADD R1, R2, R3' --set way=sideways");
    s.run("isagen eval machine.yaml 'ADD R1, R2, R3' --set way");
    s.run("isagen eval machine.yaml 'ADD R1, R2, R3' R4=x --diagnostics json");
    // A floating-point number by its class: a signalling NaN, and a single that is not boxed.
    s.run("isagen eval rv64gc 'fclass.d a0,fa0' fa0=0x7ff0000000000001");
    s.run("isagen eval rv64gc 'fclass.s a0,fa0' fa0=0x3f800000");
    s.end();
}

/// A machine with a few instructions, for sessions about programs that run.
const SMALL: &str = "isa: small
word: 16
registers:
  R: { index: 2, width: 16, text: \"r{n}\" }
enums:
  Op: [set, add, load, store, jump, loop, get, stop, wait, trap, meet, join]
formats:
  all:
    fields: { op: 15..12 Op, r: 11..10 R, n: 9..0 }
    text: \"{op} {r}, {n}\"
machine:
  lanes: 4
  launch-values: { tid.x: 4 }
  spaces:
    global: { address: 16 }
    const: { address: 16, banks: 2, read-only: true }
    shared: { address: 16, of: block, size: 64 }
  params: { space: shared, at: 0 }
  variants: { step: [one, two] }
instructions:
  all:
    extends: all
    semantics: |
      match op {
          0 => { R[r] = zext(n, 16); }
          1 => { R[r] = R[r] + (if variant(step) == two { zext(n, 16) << 1 } else { zext(n, 16) }); }
          2 => { R[r] = load.shared(zext(n, 16), 16); }
          3 => { store.global(R[r] + zext(n, 16), zext(R[0], 32)); }
          4 => { branch(zext(n, 32)); }
          5 => { if R[r] <u 4 { branch(zext(n, 32)); } }
          6 => { R[r] = zext(tid.x, 16); }
          7 => { exit(); }
          8 => { barrier(n); }
          9 => { trap(); }
          10 => { sync(next); }
          11 => { join(); }
      }
";

#[test]
fn run() {
    let mut s = Session::new("run");
    s.file("small.yaml", SMALL);
    let program = "        get r1, 0      # the thread's number\n        load r0, 2     # the parameter's high half\n        add r0, 5\n        add r1, 0\n        add r2, 4\n\
                   0x0a:   store r2, 0    # a comment\n        stop r0, 0\n";
    s.file("program.s", program);
    s.run("isagen run small.yaml program.s --dump 0x4+2 --param 0x70000");
    let words = s.run("isagen asm small.yaml program.s");
    s.file("program.hex", &words);
    let bytes: Vec<u8> = words.lines().flat_map(|w| u16::from_str_radix(w, 16).expect("a word").to_le_bytes()).collect();
    s.file("program.bin", bytes);
    s.run("isagen run small.yaml program.bin --dump 0x4+1 --dump 8+1 --stats --block 2 --param 0");
    s.run("isagen run small.yaml program.hex --block 2 --param 0 --set step=two --trace --dump 8+1");
    s.run("isagen run small.yaml program.hex --grid 2 --param 0 --threads 4000000000 --stats");
    s.say("A launch file says it all; options go before it.");
    s.file("global.hex", "11111111 # where a thread writes\n\n0x22222222\n33333333\n");
    s.file("expect.hex", "22222222\n00000005\n");
    s.file(
        "launch.json",
        "{ \"name\": \"kernel\", \"program\": \"program.hex\", \"block\": [3, 1], \"grid\": 2, \"params\": [\"0x0\", 0],\n  \"constant\": { \"1\": \"ff00\" }, \"global_memory\": \"global.hex\",\n  \"expect\": { \"address\": \"0x0\", \"words\": \"expect.hex\", \"source\": \"by hand\" } }\n",
    );
    s.run("isagen run small.yaml --launch launch.json");
    s.file("expect.hex", "11111111\n00000005\n");
    s.run("isagen run small.yaml --launch launch.json --stats");
    s.run("isagen run small.yaml --launch launch.json --param 0x10000 --dump 0+1");
    s.run("isagen run small.yaml --launch launch.json --set step=two --diagnostics json");
    s.say("Launches that are refused.");
    s.file("bad.json", "{ \"girds\": 2 }\n");
    s.run("isagen run small.yaml program.s --launch bad.json");
    s.file("bad.json", "{ \"program\": \"program.hex\",\n  \"blck\": [1] }\n");
    s.run("isagen run small.yaml --launch bad.json");
    s.file("more.json", "{ \"program\": \"program.s\",\n  \"date\": \"today\" }\n");
    s.run("isagen run small.yaml --launch more.json --param 0");
    s.file("bad.json", "{ \"program\": \"program.hex\",\n  \"params\": [\"1\", \"twelve\"] }\n");
    s.run("isagen run small.yaml --launch bad.json");
    s.file("bad.json", "{ \"grid\": [1, 2, 3, 4] }\n");
    s.run("isagen run small.yaml program.s --launch bad.json");
    s.file("bad.json", "{ \"expect\": { \"address\": 0 }\n");
    s.run("isagen run small.yaml program.s --launch bad.json");
    s.file("bad.json", "{ \"expect\": { \"address\": 0 } }\n");
    s.run("isagen run small.yaml program.s --launch bad.json");
    s.file("bad.json", "{}");
    s.run("isagen run small.yaml --launch bad.json");
    s.file("bad.json", "");
    s.run("isagen run small.yaml program.s --launch bad.json");
    s.run("isagen run small.yaml program.s --launch none.json");
    s.run("isagen run small.yaml");
    s.run("isagen run small.yaml program.s --block 17");
    s.run("isagen run small.yaml program.s --block 0");
    s.run("isagen run small.yaml program.s --block x");
    s.run("isagen run small.yaml program.s --const 2=ff");
    s.run("isagen run small.yaml program.s --const 1=f");
    s.run("isagen run small.yaml program.s --size locl=4");
    s.run("isagen run small.yaml program.s --size shared=65");
    s.run("isagen run small.yaml program.s --dump 0x10000+1 --param 0");
    s.run("isagen run small.yaml program.s --set step=three");
    s.run("isagen run small.yaml program.s --engine compiled");
    s.file("params.json", format!("{{ \"params\": [{}] }}", vec!["1"; 17].join(", ")));
    s.run("isagen run small.yaml program.s --launch params.json");
    s.file("global.hex", "1\n2 3\n");
    s.run("isagen run small.yaml program.s --global global.hex");
    s.say("Programs that are refused.");
    s.run("isagen run small.yaml none.s");
    s.file("bad.s", "set r1, 1\nset r1\n");
    s.run("isagen run small.yaml bad.s");
    s.file("bad.hex", "0001\n12345\n");
    s.run("isagen run small.yaml bad.hex");
    s.file("bad.hex", "0: 0001\n0: 0001\n");
    s.run("isagen run small.yaml bad.hex");
    s.file("bad.hex", "0: 0001\n3: 0001\n");
    s.run("isagen run small.yaml bad.hex");
    s.file("empty.s", "# nothing\n");
    s.run("isagen run small.yaml empty.s");
    s.run("isagen run tiny.yaml program.s");
    s.end();
}

#[test]
fn faults() {
    let mut s = Session::new("faults");
    s.file("small.yaml", SMALL);
    let mut fault = |name: &str, program: &str, options: &str| {
        s.file(&format!("{name}.s"), program);
        s.run(&format!("isagen run small.yaml {name}.s{options}"));
    };
    fault("outside", "set r1, 0x3fc\nadd r1, 0x3fc\nget r2, 0\nstore r1, 0x3fc\nstop r0, 0\n", " --size global=0xbf6 --block 3");
    fault("misaligned", "get r1, 0\nstore r1, 4\n", " --block 4");
    fault("no-instruction", "jump r0, 0x100\n", "");
    fault("inside", "jump r0, 1\n", "");
    fault("past-the-end", "set r0, 1\n", " --block 6");
    fault("for-ever", "jump r0, 0\n", " --limit 1000 --grid 2");
    fault("join", "join r0, 0\n", "");
    fault("deep", "meet r0, 0\njump r0, 0\n", "");
    fault("trap", "trap r0, 0\n", " --diagnostics json");
    fault("barrier", "get r0, 0\nloop r0, 6\nwait r0, 1\nwait r0, 2\nstop r0, 0\n", " --block 8");
    fault("apart", "get r0, 0\nadd r0, 2\nloop r0, 8\nset r1, 1\nwait r0, 1\nstop r0, 0\n", " --block 4");
    s.file("undecodable.hex", "0000\nf000\n");
    s.run("isagen run small.yaml undecodable.hex");
    s.say("Parameters that the launch does not have.");
    s.file("sum.s", "MOV R1, g[0x4]\nMOV R2, g[0x5]\nRET\n");
    s.file("constant.s", "MOV R1, c[0x0][0x160]\nMOV R2, c[0x0][0x168]\nRET.REL.NODEC R20 0x0\n");
    for engine in ["compiled", "reference"] {
        s.run(&format!("isagen run flexgrip sum.s --param 1 --block 33 --engine {engine}"));
        s.run(&format!("isagen run flexgrip sum.s --param 1 --param 2 --block 33 --engine {engine} --stats"));
        s.run(&format!("isagen run ampere constant.s --param 1 --param 2 --engine {engine}"));
        s.run(&format!("isagen run ampere constant.s --param 1 --param 2 --param 3 --engine {engine} --stats"));
    }
    s.say("The compiled engine says the same.");
    s.file("jump.hex", "10000003\n00000780\n");
    for engine in ["compiled", "reference"] {
        s.run(&format!("isagen run flexgrip jump.hex --limit 20 --engine {engine}"));
    }
    s.end();
}

/// Without a limit that is given there is one, on either engine; a trace that is no longer read ends the run.
#[test]
fn a_loop_without_an_end() {
    let mut s = Session::new("endless-run");
    s.file("small.yaml", SMALL);
    s.file("loop.s", "l: jump r0, 0\n");
    s.file("bra.s", "L: BRA L\n");
    // How long it takes depends on how isagen was compiled: what is given is looked at here, not waited for.
    let help = s.run("isagen run --help").split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("without it 2^28, and 2^25 divided by the lanes of a warp on the evaluator"), "{help}");
    let mut child = Command::new(env!("CARGO_BIN_EXE_isagen"))
        .args(["run", "small.yaml", "loop.s", "--trace", "--limit", "0xffffffffffffffff"])
        .current_dir(&s.folder)
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("isagen starts");
    let mut lines = BufReader::new(child.stderr.take().expect("it is piped")).lines();
    assert_eq!(lines.next().expect("a trace").expect("a line"), "(0, 0, 0) 0  0x0000 1  jump r0, 0x0");
    drop(lines);
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

/// A text-only instruction set: it is read and printed; there are no words.
#[test]
fn text_alone() {
    let mut s = Session::new("text-alone");
    s.run("isagen check ptx-vop4 --deny warnings");
    s.run_with(
        "isagen fmt ptx-vop4",
        "# comments and labels as everywhere, but `;` belongs to the text\n\
         start: vadd4.s32.s32.u32.sat  r1, r2, r3, r1; // the document's first example\n\
         @!%p vmin4.sat.u32.s32.u32 d.b3210 , a .b3210, b.b7654, c ;\n",
    );
    s.say("The document's third example is wrong.");
    s.run_with(
        "isagen fmt ptx-vop4",
        "vmin4.s32.u32.u32.add  r1.b00, r2.b0000, r3.b2222, r1;\nvadd4.u32.u32.u32.sat.add r1, r2, r3, r4;\n",
    );
    s.run_with("isagen fmt --full ptx-vop4", "vabsdiff4.u32.u32.u32 r1, r2, r3.b0123, r4;\n");
    s.say("A name is a register.");
    s.run_with(
        "isagen eval ptx-vop4",
        "vadd4.u32.u32.u32 r1, r2, r3, r4;\tr2=0x01020304\tr3=0x1\tr4=0x0\n\
         @p vsub4.s32.s32.s32.add pc, pc, pc.b3333, pc;\tp=1\tpc=0x01020304\n\
         @p vsub4.s32.s32.s32.add pc, pc, pc.b3333, pc;\tp=0\n\
         vmin4.u32.u32.u32 a, b, c, d;\tr0=1\n",
    );
    s.say("There are no words.");
    s.run_with("isagen disasm ptx-vop4", "0\n");
    s.run_with("isagen asm ptx-vop4", "vadd4.u32.u32.u32 r1, r2, r3, r4;\n");
    s.run("isagen explain ptx-vop4 0");
    s.run("isagen map ptx-vop4");
    s.run("isagen build ptx-vop4 -o out");
    let files = fs::read_dir(s.folder.join("out")).expect("a folder").map(|e| e.expect("a file").file_name());
    let mut files: Vec<_> = files.map(|f| f.to_string_lossy().into_owned()).collect();
    files.sort();
    let named = ["", ".html", ".isat", ".json", ".md"].map(|end| format!("ptx-vop4{end}"));
    assert_eq!(files, [&["index.html".to_owned()], &named[..], &["ptx_vop4.rs".to_owned(), "site".to_owned()]].concat());
    s.end();
}

#[test]
fn completions_and_help() {
    let mut s = with_tiny("usage");
    for (shell, mark) in [
        ("bash", "_isagen()"),
        ("zsh", "#compdef isagen"),
        ("fish", "complete -c isagen"),
        ("powershell", "Register-ArgumentCompleter"),
        ("elvish", "edit:completion"),
    ] {
        let script = s.run(&format!("isagen completions {shell}"));
        assert!(script.contains(mark) && script.contains("disasm"), "{shell}");
    }
    // Their text is clap's, or names the shipped instruction sets: looked at, not compared.
    assert!(s.run("isagen --version").starts_with("isagen "));
    assert!(s.run("isagen --help").contains("Exit status: 0 clean"));
    s.log.clear();
    s.run("isagen completions tcsh");
    s.run("isagen check tiny.yaml --diagnostics xml");
    s.run("isagen explain tiny.yaml");
    s.end();
}

/// A folder with files of `isa-object`'s tests in it.
fn with_objects(name: &'static str, files: &[&str]) -> Session {
    let session = Session::new(name);
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../isa-object/tests/data");
    for file in files {
        session.file(file, fs::read(data.join(file)).expect("a file of the tests"));
    }
    session
}

#[test]
fn objects() {
    let mut s = with_objects("objects", &["saxpy.cubin", "lines.cubin", "riscv64.elf", "zstd.fatbin", "host.a", "structs.cubin"]);
    s.say("What a file holds.");
    s.run("isagen disasm --list host.a");
    s.run("isagen disasm --list --json zstd.fatbin");
    s.run("isagen disasm --list zstd.fatbin --arch sm_86");
    s.run("isagen disasm --list saxpy.cubin --arch sm_8");
    s.say("The specification is found by what the file says of its machine.");
    s.run("isagen disasm riscv64.elf --hex");
    s.run("isagen disasm riscv64.elf --function twice --raw");
    s.run("isagen disasm riscv64.elf --function twice --json --raw");
    s.run("isagen disasm riscv64.elf --function twise");
    s.say("Or it is named; a word that it does not know is a line of its own.");
    s.run("isagen disasm ampere saxpy.cubin --control");
    s.run("isagen disasm ampere lines.cubin --function scaled --hex");
    s.run("isagen disasm ampere structs.cubin --function 'void inside<int, 2>' --demangle --raw");
    s.say("What can't be read.");
    let cut = fs::read(s.folder.join("saxpy.cubin")).expect("it was written");
    s.file("cut.cubin", &cut[..2000]);
    s.run("isagen disasm ampere cut.cubin");
    s.run("isagen disasm ampere --control");
    s.run("isagen stats riscv64.elf");
    s.run("isagen stats ampere saxpy.cubin --json");
    s.run("isagen stats session.txt");
    s.end();
}

/// The lists of control codes: both engines have them, wherever the text has `.reuse`.
#[test]
fn control_lists() {
    let mut s = with_objects("control-lists", &["texture.cubin"]);
    let json = s.run("isagen disasm texture.cubin --json");
    assert_eq!(s.run("isagen disasm texture.cubin --json --engine reference"), json);
    let mut lists = 0;
    for line in json.lines() {
        let marks = line
            .split("\"text\":\"")
            .nth(1)
            .and_then(|rest| rest.split('"').next())
            .map_or(0, |text| text.matches(".reuse").count());
        let items = line.split("\"reuse\":[").nth(1).and_then(|rest| rest.split(']').next()).expect("each word has the list");
        assert_eq!(items.matches('"').count(), 2 * marks, "{line}");
        lists += usize::from(marks > 0);
    }
    assert_eq!(lists, 7);
    let stats = s.run("isagen stats texture.cubin");
    assert!(stats.contains("  reuse: A 4, C 4, B 2\n"), "{stats}");
    assert_eq!(s.run("isagen stats texture.cubin --engine reference"), stats);
    s.log.clear();
}

/// A listing with lines replaced.
fn edited(listing: &str, edits: &[(&str, &str)]) -> String {
    let mut text = listing.to_owned();
    for (from, to) in edits {
        assert!(text.contains(from), "`{from}` in:\n{listing}");
        text = text.replacen(from, to, 1);
    }
    text
}

/// The file with nothing in its sections of code.
fn emptied(file: &[u8]) -> Vec<u8> {
    let object = isa_object::Object::parse(file).expect("it is good");
    let mut empty = file.to_vec();
    for code in &object.sections {
        empty[code.offset..][..code.data.len()].fill(0);
    }
    empty
}

#[test]
fn into_objects() {
    let mut s = with_objects("into", &["saxpy.cubin", "lines.cubin", "zstd.fatbin"]);
    let read = |s: &Session, name: &str| fs::read(s.folder.join(name)).expect("it was written");
    s.say("The code of a file is written from the listing alone, in whatever order it has the sections.");
    for name in ["saxpy.cubin", "lines.cubin"] {
        let original = read(&s, name);
        s.file("empty", emptied(&original));
        let listing = s.run(&format!("isagen disasm ampere {name} --control"));
        let (head, sections) = listing.split_once("\n.section ").expect("a section");
        let turned: Vec<&str> = sections.split("\n.section ").collect();
        let turned = turned.iter().rev().fold(head.to_owned(), |text, section| format!("{text}\n.section {section}\n"));
        s.file("turned.txt", turned);
        s.run("isagen asm ampere turned.txt --into empty -o new");
        assert!(read(&s, "new") == original, "{name}");
    }
    s.say("Edited instructions arrive in the file.");
    let listing = s.run("isagen disasm ampere saxpy.cubin --control");
    let edit = (
        "MOV R9, c[0x0][0xc]                                     [B------:R-:W-:-:S05]",
        "MOV R8, c[0x0][0x10] [B--2---:R-:W-:-:S09]",
    );
    s.file("edited.txt", edited(&listing, &[edit]));
    s.run("isagen asm ampere edited.txt --into saxpy.cubin -o edited.cubin");
    let again = s.run("isagen disasm ampere edited.cubin --control");
    let changed: Vec<&str> = again.lines().filter(|line| !listing.contains(line)).collect();
    let mov = format!("  0x00c0: {:<56}[B--2---:R-:W-:-:S09]", "MOV R8, c[0x0][0x10]");
    assert_eq!(changed, ["// edited.cubin: sm_80, ABI 8", &*mov]);
    s.say("What does not fit is refused, and nothing is written.");
    let nop = "  0x0150: NOP                                                     [B------:R-:W-:-:S00]\n";
    for (name, edits) in [
        ("missing line", (nop, "")),
        ("one too many", (nop, "  0x0150: NOP\n  NOP\n")),
        ("no such label", ("BRA .L_1  ", "BRA .L_9  ")),
        ("a label twice", (nop, ".L_1:\n  0x0150: NOP\n")),
        ("no section", (".section 13 .text.saxpy", "")),
        ("another section", (".section 13 .text.saxpy", ".section 13 .text.other")),
    ] {
        s.say(name);
        s.file("bad.txt", edited(&listing, &[edits]));
        s.run("isagen asm ampere bad.txt --into saxpy.cubin -o bad.cubin");
        assert!(!s.folder.join("bad.cubin").exists(), "{name}");
    }
    s.say("a function is missing");
    let part = s.run("isagen disasm ampere lines.cubin --control --function scaled");
    s.file("bad.txt", part);
    s.run("isagen asm ampere bad.txt --into lines.cubin -o bad.cubin");
    s.say("compressed");
    let listing = s.run("isagen disasm ampere zstd.fatbin --control --arch sm_80");
    s.file("bad.txt", listing);
    s.run("isagen asm ampere bad.txt --into zstd.fatbin -o bad.cubin");
    s.end();
}
