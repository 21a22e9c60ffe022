//! Inputs that are long, come slowly, or have no end; several threads.

use super::session::{SMALL, Session, with_tiny};
use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A running isagen, with pipes to write to and to read from.
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

/// Lines are answered as they come, without a limit on their number but with a greatest length.
#[test]
fn streams_without_an_end() {
    let mut s = with_tiny("endless");
    let answer = |command: &str, line: &str, lines: usize| {
        let words: Vec<&str> = command.split(' ').collect();
        let (mut child, mut stdin, stdout) = started(&words, &s.folder);
        let block = line.repeat(1000);
        // Written until the reader is gone.
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

/// A line is answered before the next one arrives, even if a part of that one has arrived.
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

/// The standard output of a command, which is the same on one thread and on three, as are its other results.
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

/// A large input is processed by several threads, with the same results.
#[test]
fn threads() {
    let mut s = with_tiny("threads");
    let words = ["1b08a003", "1808a003", "4308907f", "1f608500", "83000002", "fc000000", "1b08a0", "# nothing"];
    let mut seed = 1_u64;
    let mut random = |n: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) as usize % n
    };
    let (lines, in_program) = if crate::is_thorough() { (300_000, 60_000) } else { (80_000, 40_000) };
    let mut listing = String::new();
    for i in 0..lines {
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
    // The other parts of programs: labels before and after, comments, lines that are not instructions.
    let mut program = String::new();
    for (i, line) in full.lines().take(in_program).enumerate() {
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

/// Devices are counted while they are read; specifications and object files are regular files.
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
    let made = Command::new("mkfifo").arg(s.folder.join("pipe")).status().expect("mkfifo starts");
    assert!(made.success());
    s.file("included.yaml", "include: pipe\n");
    s.file("corrected.yaml", "errata: pipe\n");
    for spec in ["pipe", "/dev/zero", "included.yaml", "corrected.yaml"] {
        s.run(&format!("isagen check {spec}"));
    }
    s.run("isagen disasm pipe");
    s.run("isagen disasm /dev/zero");
    s.run("isagen diff small.yaml pipe");
    s.run("isagen stats pipe");
    s.run("isagen stats /dev/zero");
    s.run("isagen stats small.yaml");
    s.run("isagen asm small.yaml program.s --into pipe -o new.bin");
    s.end();
}
