//! `cargo bench -p benches --bench weights`: how much is generated, and how long things take to build. Prints a Markdown table.
//!
//! Builds in folders of their own take minutes; `ISAGEN_BUILDS=1` measures them, too.

use benches::{COMMAND_RUNS, Ran, folder, isagen, root, run, run_once};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

const SPECS: [&str; 5] = ["ampere", "compact", "fermi", "flexgrip", "ptx-vop4"];

fn main() {
    let isagen = isagen();
    println!("| what | |\n|---|---:|");
    generated(&isagen);
    let ran = run(|| {
        let mut command = Command::new(&isagen);
        command.arg("check").args(SPECS);
        command
    });
    println!("| `check` of the five specs together, the least of {COMMAND_RUNS} runs | {} |", shown(&ran));
    if std::env::var_os("ISAGEN_BUILDS").is_some() {
        builds();
    }
}

fn shown(ran: &Ran) -> String {
    format!("{:.2} s, {:.2} CPU seconds, {} MB", ran.seconds, ran.cpu, ran.kilobytes / 1024)
}

/// Lines and bytes of the modules, and of what is not a simulator in them.
fn generated(isagen: &Path) {
    let out = folder("modules");
    let specs = SPECS.map(|name| root().join("specs").join(name).with_extension("yaml"));
    let status = Command::new(isagen).arg("build").args(&specs).arg("-o").arg(&out).output().expect("isagen runs").status;
    assert!(status.success(), "isagen builds the shipped specifications");
    let (mut lines, mut bytes, mut typed) = (0, 0, 0);
    for name in SPECS {
        let text = fs::read_to_string(out.join(format!("{}.rs", name.replace('-', "_")))).expect("a module");
        let of_types = text.lines().take_while(|line| !line.contains("cfg(feature = \"sim\")")).count();
        let insns = text.lines().filter(|line| line.starts_with("rt::instruction!")).count();
        println!(
            "| generated Rust, {name}: lines, of them typed layer; for each of {insns} instructions | {}, {of_types}; {} |",
            text.lines().count(),
            of_types / insns.max(1)
        );
        (lines, bytes, typed) = (lines + text.lines().count(), bytes + text.len(), typed + of_types);
    }
    println!("| generated Rust, the five specs: lines, of them typed layer | {lines}, {typed}; {:.1} MB |", bytes as f64 / 1e6);
}

/// Measures the builds that a user waits for.
fn builds() {
    let cargo = |folder: &Path, target: &Path, args: &[&str]| {
        let mut command = Command::new(env!("CARGO"));
        command.args(args).current_dir(folder).env("CARGO_TARGET_DIR", target);
        let ran = run_once(command);
        shown(&ran)
    };
    let fresh = |name: &str| {
        let target = folder(name);
        fs::remove_dir_all(&target).expect("a folder of benchmarks");
        target
    };
    let target = fresh("first");
    let first = ["build", "--release", "-p", "isagen"];
    println!("| README's first command, nothing built, its build | {} |", cargo(&root(), &target, &first));
    let five = format!("typed,sim,{}", SPECS.join(","));
    for (what, features) in [("the five", five.as_str()), ("all that ship", "default,typed,sim")] {
        let build = ["build", "--release", "-p", "generated", "--no-default-features", "--features", features];
        cargo(&root(), &target, &build);
        touch(&root().join("generated/src/lib.rs"));
        let shown = cargo(&root(), &target, &build);
        println!("| `cargo build --release -p generated`, dependencies built, {what} with types and simulators | {shown} |");
    }

    let user = folder("user");
    fs::create_dir_all(user.join("src")).expect("a folder of benchmarks");
    let path = |name: &str| root().join(name).display().to_string();
    let manifest = format!(
        "[package]\nname = \"user\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n\
         isa-macros = {{ path = {:?} }}\nisa-runtime = {{ path = {:?} }}\n\n[workspace]\n",
        path("isa-macros"),
        path("crates/isa-runtime")
    );
    fs::write(user.join("Cargo.toml"), manifest).expect("a folder of benchmarks");
    fs::copy(root().join("Cargo.lock"), user.join("Cargo.lock")).expect("a folder of benchmarks");
    fs::write(user.join("two-hundred.yaml"), two_hundred()).expect("a folder of benchmarks");
    let main =
        "isa_macros::define_isa!(\"two-hundred.yaml\");\n\nfn main() {\n    println!(\"{:?}\", two_hundred::decode(0));\n}\n";
    fs::write(user.join("src/main.rs"), main).expect("a folder of benchmarks");
    let target = fresh("user-target");
    let build = ["build", "--offline"];
    println!("| a new crate with `define_isa!`, everything built, debug | {} |", cargo(&user, &target, &build));
    touch(&user.join("src/main.rs"));
    println!("| `define_isa!` of 200 instructions, rebuild of the crate, debug | {} |", cargo(&user, &target, &build));
}

fn touch(path: &Path) {
    let text = fs::read(path).expect("a source file");
    fs::write(path, text).expect("a source file");
}

/// An instruction set of 200 instructions of 32 bits: three registers, or two and an immediate.
fn two_hundred() -> String {
    let mut spec =
        String::from("isa: two-hundred\nword: 32\nregisters: { X: { index: 5, width: 64, text: \"x{n}\" } }\ninstructions:\n");
    for i in 0..200 {
        let operands = match i % 2 {
            0 => "fields: { rd: 11..7 X, ra: 19..15 X, rb: 24..20 X }, reserved: 31..25, text: \"i{} {rd}, {ra}, {rb}\" }",
            _ => "fields: { rd: 11..7 X, ra: 19..15 X, n: 31..20 signed }, text: \"i{} {rd}, {ra}, {n}\" }",
        };
        let operands = operands.replacen("i{}", &format!("i{i}"), 1);
        writeln!(spec, "  i{i}: {{ fix: {{ 6..0: {}, 14..12: {} }}, {operands}", i / 8, i % 8).expect("a String");
    }
    spec
}
