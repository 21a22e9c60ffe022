//! A session: a folder of its own, and its commands and answers.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A folder of its own, and the commands and answers of a session.
pub(super) struct Session {
    pub(super) name: &'static str,
    pub(super) folder: PathBuf,
    pub(super) log: String,
}

impl Session {
    pub(super) fn new(name: &'static str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli").join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("the folder for tests can be written to");
        Self { name, folder, log: String::new() }
    }

    pub(super) fn file(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.folder.join(name), content).expect("the folder for tests can be written to");
    }

    /// A comment in the session.
    pub(super) fn say(&mut self, text: &str) {
        writeln!(self.log, "# {text}").expect("a String");
    }

    pub(super) fn run(&mut self, command: &str) -> String {
        self.run_with(command, "")
    }

    /// Runs a command line (words are separated by blanks, or in quotes) and returns its standard output. A command that decodes
    /// or reads is run twice: the reference codec must give the same answer as the engine of tables.
    pub(super) fn run_with(&mut self, command: &str, input: impl AsRef<[u8]>) -> String {
        let start = self.log.len();
        let out = self.run_once(command, &input);
        let has_codecs = ["disasm", "asm", "fmt", "explain"].iter().any(|name| command.split(' ').nth(1) == Some(name));
        // The usage that clap suggests depends on the arguments.
        if has_codecs && !command.contains("--engine") && !self.log[start..].contains("! Usage: ") {
            let answer = self.log.split_off(start);
            self.run_once(&format!("{command} --engine reference"), &input);
            let other = self.log.split_off(start);
            assert_eq!(answer.split_once('\n').map(|a| a.1), other.split_once('\n').map(|a| a.1), "{command}: the reference");
            self.log.push_str(&answer);
        }
        out
    }

    pub(super) fn run_once(&mut self, command: &str, input: impl AsRef<[u8]>) -> String {
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
        // A command that does not read its input may end before all is written.
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

    /// Compares with the expected session.
    pub(super) fn end(self) {
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
pub(super) fn without_seconds(log: &str) -> String {
    let line = |l: &str| match l.rsplit_once(", ") {
        Some((before, seconds)) if seconds.strip_suffix(" s").is_some_and(|s| s.parse::<f64>().is_ok()) => {
            format!("{before}, … s\n")
        }
        _ => format!("{l}\n"),
    };
    log.lines().map(line).collect()
}

/// The output of `isagen new tiny`, for sessions about other commands.
pub(super) const TINY: &str = include_str!("../../src/commands/new.yaml");

pub(super) fn with_tiny(name: &'static str) -> Session {
    let session = Session::new(name);
    session.file("tiny.yaml", TINY.replace("NAME", "tiny"));
    session
}

pub(super) const MIXED: &str = "isa: mixed
word: { unit: 16, order: low-first, bytes: little, lengths: { 16: \"prefix[0] == 0\", 32: \"prefix[0] == 1\" } }
instructions:
  s: { length: 16, fix: { 0: 0, 15..13: 0 }, fields: { x: 12..1 }, text: \"s {x}\" }
  j: { length: 16, fix: { 0: 0, 15..13: 1 }, fields: { to: 12..1 signed *2 target(2) }, text: \"j {to}\" }
  l: { length: 32, fix: { 0: 1 }, fields: { x: 31..1 }, text: \"l {x}\" }
";

/// A machine with a few instructions, for sessions about programs that run.
pub(super) const SMALL: &str = "isa: small
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
