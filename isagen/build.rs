//! Embeds the shipped specifications, so that an installed binary knows them by name.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

fn main() {
    // `specs` is a link to the workspace's folder: a package can only carry what is below its own root.
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("set by cargo")).join("specs");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files: Vec<_> = fs::read_dir(&folder)
        .unwrap_or_else(|e| panic!("{}: {e}", folder.display()))
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.extension().is_some_and(|e| e == "yaml"))
        .collect();
    files.sort();
    let mut table = String::from("&[\n");
    for path in &files {
        println!("cargo::rerun-if-changed={}", path.display());
        let file = path.file_name().expect("a file").to_str().expect("an ASCII name");
        writeln!(table, "    ({file:?}, include_str!({:?})),", path.display()).expect("writing to a string");
    }
    table.push(']');
    let out = Path::new(&env::var("OUT_DIR").expect("set by cargo")).join("shipped.rs");
    fs::write(&out, table).unwrap_or_else(|e| panic!("{}: {e}", out.display()));
}
