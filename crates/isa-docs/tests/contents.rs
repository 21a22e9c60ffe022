//! The complete output of the back ends JSON and HTML for a small instruction set: `tests/expected/`.
//!
//! `BLESS=1 cargo test -p isa-docs --test contents` writes the expected files.

use isa_codegen::Backend;
use isa_docs::{json, pages};
use std::path::Path;
use std::{env, fs};

const SPEC: &str = r#"
isa: tiny
summary: A register machine
word: 16
sources: { manual: { title: The Tiny manual, file: tiny.txt } }
registers: { R: { index: 3, width: 16, text: "r{n}", special: { 0: zero }, zero: zero, doc: 4 } }
enums: { Size: [ .b, .h ] }
operands: { "Reg(at)": { fields: { r: $at R }, text: "{r}", value: "R[r]" } }
instructions:
  add:
    doc: 10-14
    summary: Adds a register or a number.
    fix: { 15..12: 1 }
    fields: { d: 11..9 R @11, size: 8 Size }
    choose:
      b:
        reg: { fix: { 7: 0 }, bind: { b: Reg(6..4) }, reserved: 3..0 }
        num: { fix: { 7: 1 }, fields: { n: 6..0 signed }, text: "{n}", not: n == 5 }
    constraints: [ { that: d != zero, why: there is nothing to write, doc: 13 } ]
    text: "add{size} {d}, {b}"
    semantics: R[d] = R[d] + 1;
    errata: { E1: { at: 11, kind: wrong, says: three registers, is: eight registers, evidence: { 1290: "add.b r1, 0x10" }, by: us } }
"#;

fn holds(backend: &dyn Backend, name: &str) {
    let loaded = isa_spec::load_str("tiny.yaml", SPEC, None);
    let isa = loaded.isa.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
    assert_eq!(isa_reference::evidence::check(&isa), []);
    let files = backend.emit(&isa).expect("a small instruction set");
    let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
    let file = files.iter().find(|file| file.name == name).unwrap_or_else(|| panic!("{names:?} has {name}"));
    let got = String::from_utf8(file.contents.clone()).expect("a text");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/expected").join(name.replace('/', "-"));
    if env::var_os("BLESS").is_some() {
        fs::create_dir_all(path.parent().expect("a folder")).expect("the folder can be written");
        fs::write(&path, &got).expect("the file can be written");
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert!(got == expected, "{name} differs from {}: BLESS=1 writes it\n{got}", path.display());
}

#[test]
fn json() {
    holds(&json::Model, "tiny.json");
}

#[test]
fn the_page_of_an_instruction() {
    holds(&pages::Html, "tiny/add.html");
}

#[test]
fn the_page_of_errata() {
    holds(&pages::Html, "tiny/errata.html");
}
