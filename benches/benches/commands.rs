//! `cargo bench -p benches --bench commands`: the command line, release binary, one thread and two. Prints a Markdown table.

use benches::{Ran, ampere_words, draw, isagen, run};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Words of the longest input.
const ALL: usize = 1 << 20;

fn main() {
    let isagen = isagen();
    let folder = benches::folder("commands");
    let words = draw(&ampere_words());
    let write = |name: &str, lines: &dyn Fn(&mut String)| -> PathBuf {
        let mut text = String::new();
        lines(&mut text);
        let path = folder.join(name);
        std::fs::write(&path, text).expect("the folder of benchmarks can be written to");
        path
    };
    let hex = write("words.hex", &|text| words.iter().for_each(|w| writeln!(text, "{w:032x}").expect("a String")));
    // No instruction has this opcode.
    let refused = write("refused.hex", &|text| {
        words.iter().for_each(|w| writeln!(text, "{:032x}", w & !0xfff | 0xfff).expect("a String"));
    });
    let one = write("one.hex", &|text| writeln!(text, "{:032x}", words[0]).expect("a String"));
    let full = folder.join("full.s");
    let output = Command::new(&isagen).args(["disasm", "ampere", "--full"]).arg(&hex).output().expect("isagen runs");
    std::fs::write(&full, output.stdout).expect("the folder of benchmarks can be written to");

    println!("{ALL} Ampere words as text in a file, the least of {} runs.\n", benches::COMMAND_RUNS);
    println!("| command | threads | million a second | CPU seconds | memory |");
    println!("|---|---:|---:|---:|---:|");
    let commands: [(&str, &[&str], &Path); 5] = [
        ("disasm", &["disasm", "ampere"], &hex),
        ("disasm --json", &["disasm", "ampere", "--json"], &hex),
        ("disasm --full", &["disasm", "ampere", "--full"], &hex),
        ("asm, of that text", &["asm", "ampere"], &full),
        ("disasm, of words that are refused", &["disasm", "ampere"], &refused),
    ];
    for (name, args, input) in commands {
        for threads in ["1", "2"] {
            let ran = run(|| {
                let mut command = Command::new(&isagen);
                command.args(args).args(["--threads", threads]).arg(input);
                command
            });
            let Ran { seconds, cpu, kilobytes } = ran;
            println!("| {name} | {threads} | {:.2} | {cpu:.2} | {} MB |", ALL as f64 / 1e6 / seconds, kilobytes / 1024);
        }
    }
    let ran = run(|| {
        let mut command = Command::new(&isagen);
        command.args(["disasm", "flexgrip"]).arg(&one);
        command
    });
    println!("\nA process for one word: {:.1} ms.", 1e3 * ran.seconds);
}
