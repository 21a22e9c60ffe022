//! The WebAssembly module of the explorer is what the sources build: byte for byte by the compiler that built it, and another one's
//! gives the same answers. After a change of `isa-wasm`, or of a crate that it contains, `BLESS=1` writes the module.

use crate::explorer::{engine, made};
use harness::shipped_isa;
use isa_runtime::engine::image::{seal, widest, write};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The output of a program, which has to succeed.
fn output(command: &mut Command) -> String {
    let out = command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    assert!(
        out.status.success(),
        "{command:?}: {}{}",
        String::from_utf8_lossy(&out.stdout),
        String::from_utf8_lossy(&out.stderr)
    );
    String::from_utf8(out.stdout).expect("text")
}

/// Builds the module; returns its file. No path of this machine is in it.
fn build(root: &Path) -> PathBuf {
    let about = output(Command::new("rustc").arg("-vV"));
    let commit = about.lines().find_map(|line| line.strip_prefix("commit-hash: ")).expect("a commit");
    let sysroot = output(Command::new("rustc").args(["--print", "sysroot"]));
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    let flags = [
        format!("--remap-path-prefix={}=", root.display()),
        format!("--remap-path-prefix={}=", home.expect("a folder of cargo").display()),
        format!("--remap-path-prefix={}/lib/rustlib/src/rust=/rustc/{commit}", sysroot.trim()),
        // Programs are nested in each other, and large ones are refused: the memory ends at 256 MiB.
        "-Clink-arg=-zstack-size=4194304".to_owned(),
        "-Clink-arg=--max-memory=268435456".to_owned(),
    ];
    let target = root.join("target/wasm");
    output(
        Command::new(env!("CARGO"))
            .current_dir(root)
            .args(["build", "--quiet", "--locked", "--package", "isa-wasm", "--profile", "wasm"])
            .args(["--target", "wasm32-unknown-unknown", "--target-dir"])
            .arg(&target)
            .env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f")),
    );
    target.join("wasm32-unknown-unknown/wasm/isa_wasm.wasm")
}

/// The module has the engine for words of 256 bits only, and opens any image with it.
#[test]
fn images_for_the_widest_words() {
    for name in ["fermi", "rv64gc", "sm80"] {
        let isa = shipped_isa(name);
        let image = isa_tables::image(isa).expect("an image");
        let wide = write(&isa_tables::tables(isa).expect("tables"), 256);
        assert_eq!(widest(&image).as_ref(), Ok(&wide), "{name}");
        assert_eq!(widest(&wide).as_ref(), Ok(&wide), "{name}");
        for length in (0..image.len()).step_by(image.len() / 97) {
            let mut cut = image[..length].to_vec();
            seal(&mut cut);
            assert!(widest(&cut).is_err(), "{name}, {length} bytes");
        }
        let mut longer = [&image[..], &[0]].concat();
        seal(&mut longer);
        assert!(widest(&longer).is_err(), "{name}");
    }
}

#[test]
#[ignore = "needs the target wasm32-unknown-unknown"]
fn module_is_what_the_sources_build() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository").canonicalize().expect("a folder");
    let (module, compiler) =
        (root.join("crates/isa-docs/templates/site/engine.wasm"), root.join("crates/isa-docs/templates/site/engine.rustc"));
    let built = build(&root);
    let version = output(Command::new("rustc").arg("--version"));
    if std::env::var_os("BLESS").is_some() {
        fs::copy(&built, module).expect("it can be written");
        fs::write(compiler, version).expect("it can be written");
        return;
    }
    let is_same = fs::read(&built).expect("it was built") == fs::read(&module).expect("the module");
    if fs::read_to_string(compiler).expect("the version of the compiler") == version {
        assert!(is_same, "BLESS=1 cargo test -p conformance --test site module -- --ignored");
    } else if !is_same {
        let cases = built.with_extension("jsonl");
        let paths = ["../specs/rv64gc.yaml", "../specs/fermi.yaml", "../examples/6502/6502.yaml"];
        let lines: String = paths.iter().filter_map(|path| made(&root.join("tests").join(path))).collect();
        fs::write(&cases, lines).expect("it can be written");
        output(Command::new("node").arg(root.join("tests/site/module.js")).args([engine(), &built, &cases]));
    }
}
