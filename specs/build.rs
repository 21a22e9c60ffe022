//! Writes two tables: all files with their texts, and the instruction sets with their other names.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let folder = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("set by cargo"));
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files = Vec::new();
    find(&folder, &mut files);
    files.sort();
    let (mut texts, mut sets) = (String::new(), String::new());
    for path in &files {
        println!("cargo::rerun-if-changed={}", path.display());
        let parts = path.strip_prefix(&folder).expect("a file in the folder").components();
        let parts: Vec<&str> = parts.map(|part| part.as_os_str().to_str().expect("an ASCII name")).collect();
        let file = parts.join("/");
        writeln!(texts, "    ({file:?}, include_str!({:?})),", path.display()).expect("writing to a string");
        let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        // A file without the key is a part of others.
        if text.lines().any(|line| line.starts_with("isa:")) {
            writeln!(sets, "    ({:?}, &{:?}),", file.trim_end_matches(".yaml"), others(&text)).expect("writing to a string");
        }
    }
    let tables = format!(
        "/// All files: their paths, as the files name each other, and their texts. Files without a key `isa` are parts of others.\n\
         pub const FILES: &[(&str, &str)] = &[\n{texts}];\n\
         /// The names of the instruction sets, each with its other names.\n\
         const SETS: &[(&str, &[&str])] = &[\n{sets}];\n"
    );
    let out = Path::new(&env::var("OUT_DIR").expect("set by cargo")).join("tables.rs");
    fs::write(&out, tables).unwrap_or_else(|e| panic!("{}: {e}", out.display()));
}

/// Other names of an instruction set: those of its key `also`, a list on a line of its own.
fn others(text: &str) -> Vec<&str> {
    let line = text.lines().find_map(|line| line.strip_prefix("also:")).unwrap_or_default();
    line.split(['[', ']', ',']).map(str::trim).filter(|name| !name.is_empty()).collect()
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
