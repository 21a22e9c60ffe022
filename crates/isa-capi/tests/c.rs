//! A program in C, compiled with the address and undefined-behaviour sanitizers, if there is a compiler that has them.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The static library, which tests of the crate don't link: cargo builds it.
fn library() -> PathBuf {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("it is in the target folder").to_owned();
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let mut build = Command::new(cargo);
    build.args(["build", "--quiet", "--lib", "--manifest-path"]).arg(manifest);
    let built = build.arg("--target-dir").arg(&folder).status().expect("cargo starts");
    assert!(built.success());
    folder.join("debug/libisagen.a")
}

#[test]
fn a_program_in_c() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("example");
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let has_compiler = Command::new(&compiler).arg("--version").output().is_ok_and(|run| run.status.success());
    if !has_compiler {
        eprintln!("skipped: there is no C compiler `{compiler}`");
        return;
    }
    let library = library();
    let compiled = Command::new(&compiler)
        .args([
            "-std=c11",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-g",
            "-fsanitize=address,undefined",
            "-fno-sanitize-recover=all",
            "-I",
        ])
        .arg(folder.join("include"))
        .arg(folder.join("tests/example.c"))
        .arg(&library)
        .args(["-lpthread", "-ldl", "-lm", "-o"])
        .arg(&out)
        .output()
        .expect("the compiler starts");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let isa = isa_spec::load(&folder.join("tests/tiny.yaml")).isa.expect("a good specification");
    let image = out.with_file_name("tiny.isat");
    std::fs::write(&image, isa_tables::image(&isa).expect("a small instruction set")).expect("it can be written");
    let run = Command::new(&out).arg(image).output().expect("it starts");
    let errors = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{errors}");
    assert_eq!(String::from_utf8_lossy(&run.stdout), include_str!("example.out"), "{errors}");
}
