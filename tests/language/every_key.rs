//! docs/examples.md has whole specifications that use every key of the language, and each loads without a finding.

use harness::project_files;
use isa_reference::{evidence, lint};
use isa_spec::keys::{Listing, Shape};
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

/// The tables of keys that a specification leads to, from the table of a whole one.
fn tables() -> Vec<Listing> {
    let mut open = isa_spec::key_listings();
    open.extend(isa_spec::machine_key_listings());
    let mut all: Vec<Listing> = Vec::new();
    while let Some(listing) = open.pop() {
        if all.iter().any(|known| known.what == listing.what) {
            continue;
        }
        open.extend(listing.rows.iter().filter_map(|row| match row.shape {
            Shape::Part(table) | Shape::Each(table) | Shape::List(table) => Some(table()),
            _ => None,
        }));
        all.push(listing);
    }
    all
}

/// What the tables of keys in a source file are of; tests and examples of documentation have tables of their own.
fn tables_in(source: &str) -> Vec<&str> {
    let source = source.split("#[cfg(test)]").next().unwrap_or_default();
    let calls = source.match_indices("KeyTable::").filter_map(|(at, name)| {
        let is_comment = source[..at].rsplit('\n').next().is_some_and(|line| line.trim_start().starts_with("//"));
        let (function, arguments) = source[at + name.len()..].split_once('(')?;
        // The key that is meant where there is no mapping comes before.
        let place = match function {
            "new" | "with_others" | "ignoring_others" => 0,
            "or_short" => 1,
            _ => return None,
        };
        arguments.split('"').skip(1).step_by(2).nth(place).filter(|_| !is_comment)
    });
    calls.collect()
}

#[test]
fn every_table_is_found() {
    let tables = tables();
    let mut count = 0;
    for path in project_files(Path::new("crates/isa-syntax/src"), &["rs"]) {
        for what in tables_in(&std::fs::read_to_string(&path).expect("a source file")) {
            assert!(tables.iter().any(|table| table.what == what), "{}: no key leads to the table of {what}", path.display());
            count += 1;
        }
    }
    assert!(count > 35, "{count}");
}

#[test]
fn every_key_has_an_example() {
    let page = page();
    let keys: BTreeSet<&str> = tables().iter().flat_map(|table| &table.rows).filter_map(|row| row.key).collect();
    assert!(keys.len() > 100, "{}: {keys:?}", keys.len());
    let has = |key: &str| {
        page.match_indices(&format!("{key}:")).any(|(at, _)| !page[..at].ends_with(|c: char| c.is_alphanumeric() || c == '-'))
    };
    let missing: Vec<_> = keys.iter().filter(|key| !has(key)).collect();
    assert!(missing.is_empty(), "docs/examples.md has no {missing:?}");
}
