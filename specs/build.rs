//! Writes the table of all specifications with their texts.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let folder = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("set by cargo"));
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files = Vec::new();
    find(&folder, &mut files);
    files.sort();
    let mut table = String::from("&[\n");
    for path in &files {
        println!("cargo::rerun-if-changed={}", path.display());
        let parts = path.strip_prefix(&folder).expect("a file in the folder").components();
        let parts: Vec<&str> = parts.map(|part| part.as_os_str().to_str().expect("an ASCII name")).collect();
        let file = parts.join("/");
        writeln!(table, "    ({file:?}, include_str!({:?})),", path.display()).expect("writing to a string");
    }
    table.push(']');
    let out = Path::new(&env::var("OUT_DIR").expect("set by cargo")).join("files.rs");
    fs::write(&out, table).unwrap_or_else(|e| panic!("{}: {e}", out.display()));
}

/// The specifications in a folder and the folders in it.
fn find(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
        let path = entry.expect("a readable folder").path();
        // `cargo package` builds in a folder of the package.
        if path.is_dir() && path.file_name().is_some_and(|name| name != "target") {
            find(&path, files);
        } else if path.extension().is_some_and(|e| e == "yaml") {
            files.push(path);
        }
    }
}
