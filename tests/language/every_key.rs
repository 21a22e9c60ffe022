//! docs/examples.md has whole specifications that use every key of the language, and each loads without a finding.

use isa_reference::{evidence, lint};
use isa_spec::load_texts;
use std::collections::BTreeSet;
use std::path::Path;

/// The `yaml` blocks of a page, with the name in the comment that each begins with.
fn files(page: &str) -> Vec<(String, String)> {
    let blocks = page.split("```yaml\n").skip(1).filter_map(|rest| rest.split_once("```"));
    let file =
        |text: &str| (text.lines().next().and_then(|line| line.strip_prefix("# ")).expect("a name").to_owned(), text.to_owned());
    blocks.map(|(text, _)| file(text)).collect()
}

fn page() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/examples.md");
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

#[test]
fn examples_have_no_findings() {
    let files = files(&page());
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let whole: Vec<&str> = files.iter().filter(|(_, text)| text.contains("\nisa:")).map(|(name, _)| *name).collect();
    assert_eq!(whole, ["acme.yaml", "older.yaml", "newer.yaml", "vec.yaml"]);
    for name in whole {
        let loaded = load_texts(name, &files);
        let isa = loaded.isa.unwrap_or_else(|| panic!("{name}: {:?}", loaded.diagnostics));
        let findings = [loaded.diagnostics, lint::all(&isa), evidence::check(&isa)].concat();
        assert_eq!(findings, [], "{name}");
    }
}

/// A key that the language does not have, in each kind of entry: the help lists those that it has.
const ENTRIES: [&str; 33] = [
    "zzzzzz: 1",
    "word: { zzzzzz: 1 }",
    "object: { zzzzzz: 1 }",
    "sources: { s: { zzzzzz: 1 } }",
    "groups: { g: { zzzzzz: 1 } }",
    "space: { s: { zzzzzz: 1 } }",
    "holes: { h: { zzzzzz: 1 } }",
    "registers: { r: { zzzzzz: 1 } }",
    "registers: { r: { index: 2, special: { 1: { zzzzzz: 1 } } } }",
    "enums: { e: { 0: { zzzzzz: 1 } } }",
    "operands: { o: { zzzzzz: 1 } }",
    "choices: { c: { a: { zzzzzz: 1 } } }",
    "formats: { f: { zzzzzz: 1 } }",
    "formats: { f: { refused: [ { zzzzzz: 1 } ] } }",
    "formats: { f: { constraints: [ { zzzzzz: 1 } ] } }",
    "formats: { f: { aliases: [ { zzzzzz: 1 } ] } }",
    "formats: { f: { fields: { x: { zzzzzz: 1 } } } }",
    "formats: { f: { errata: { e: { zzzzzz: 1 } } } }",
    "include: [ { zzzzzz: 1 } ]",
    "machine: { zzzzzz: 1 }",
    "machine: { spaces: { s: { zzzzzz: 1 } } }",
    "machine: { spaces: { s: { regions: { r: { at: 0, zzzzzz: 1 } } } } }",
    "machine: { faults: { zzzzzz: 1 } }",
    "machine: { accessors: { r: { zzzzzz: 1 } } }",
    "machine: { linux: { zzzzzz: 1 } }",
    "machine: { debugger: { zzzzzz: 1 } }",
    "machine: { spaces: { s: { windows: { w: { zzzzzz: 1 } } } } }",
    "machine: { flags: { f: { zzzzzz: 1 } } }",
    "machine: { variants: { v: { zzzzzz: 1 } } }",
    "machine: { params: { zzzzzz: 1 } }",
    "machine: { floats: { zzzzzz: 1 } }",
    "machine: { floats: { made: { zzzzzz: 1 } } }",
    "machine: { floats: { integers: { zzzzzz: 1 } } }",
];

#[test]
fn every_key_has_an_example() {
    let page = page();
    let mut keys = BTreeSet::new();
    for entry in ENTRIES {
        let section = entry.split(':').next().unwrap_or_default();
        let spec = match section {
            "word" => format!("isa: t\n{entry}\ninstructions: {{ a: {{ fix: {{ 3..0: 1 }} }} }}\n"),
            _ => format!("isa: t\nword: 4\n{entry}\ninstructions: {{ a: {{ fix: {{ 3..0: 1 }} }} }}\n"),
        };
        let loaded = load_texts("t.yaml", &[("t.yaml", &spec)]);
        let unknown = loaded.diagnostics.iter().find(|d| d.code == "unknown-key");
        let help = unknown.and_then(|d| d.help.as_deref()).unwrap_or_else(|| panic!("{entry}: {:?}", loaded.diagnostics));
        let list = help.strip_prefix("it can have: ").unwrap_or_else(|| panic!("{entry}: {help}"));
        keys.extend(list.split(", ").map(str::to_owned));
    }
    assert!(keys.len() > 100, "{}: {keys:?}", keys.len());
    let has = |key: &str| {
        page.match_indices(&format!("{key}:")).any(|(at, _)| !page[..at].ends_with(|c: char| c.is_alphanumeric() || c == '-'))
    };
    let missing: Vec<_> = keys.iter().filter(|key| !has(key)).collect();
    assert!(missing.is_empty(), "docs/examples.md has no {missing:?}");
}
