//! Each code that a finding can have has a page, and docs/errors.md has all pages.
//!
//! `BLESS=1 cargo test -p conformance --test language codes` writes docs/errors.md.

use harness::project_files;
use std::collections::BTreeSet;
use std::path::Path;

/// The codes in the sources: texts in front of a message, in the calls that make findings.
fn codes_in(source: &str) -> BTreeSet<String> {
    const CALLS: [&str; 7] = ["code: ", "::error(", "::warning(", ".error(", ".fault(", ".warning(", "self.message(\"error\", "];
    let mut found = BTreeSet::new();
    for call in CALLS {
        for (at, _) in source.match_indices(call) {
            let Some(rest) = source[at + call.len()..].trim_start().strip_prefix('"') else { continue };
            let Some((code, behind)) = rest.split_once('"') else { continue };
            let is_code = !code.is_empty() && code.bytes().all(|b| b.is_ascii_lowercase() || b == b'-');
            if is_code && behind.starts_with(',') {
                found.insert(code.to_owned());
            }
        }
    }
    found
}

#[test]
fn every_code_has_a_page() {
    let pages: BTreeSet<String> = isa_reference::codes::pages().map(|page| page.code.to_owned()).collect();
    let (mut used, mut crates) = (BTreeSet::new(), BTreeSet::new());
    // Every crate: their sources are in folders of this name. Those of tests are not looked into.
    let files = project_files(Path::new("."), &["rs"]).into_iter().filter_map(|path| {
        let name = path.display().to_string();
        let (folder, _) = name.rsplit_once("/./")?.1.split_once("/src/")?;
        (!folder.starts_with("tests")).then(|| (folder.to_owned(), path))
    });
    for (folder, path) in files {
        let text = std::fs::read_to_string(&path).expect("a source file");
        let codes = codes_in(text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default());
        if !codes.is_empty() {
            crates.insert(folder);
        }
        used.extend(codes);
    }
    // Crates whose codes would be missed if sources were looked for in the wrong places.
    let known =
        ["crates/isa-check", "crates/isa-expand", "crates/isa-reference", "crates/isa-syntax", "crates/isa-tables", "isagen"];
    assert!(known.into_iter().all(|name| crates.contains(name)), "{crates:?}");
    let without: Vec<_> = used.difference(&pages).collect();
    assert!(without.is_empty(), "codes without a page in crates/isa-reference/src/codes: {without:?}");
    // A code that only the command line reports is not raised here.
    let unused: Vec<_> = pages.difference(&used).filter(|code| *code != "more-findings").collect();
    assert!(unused.is_empty(), "pages of codes that no finding has: {unused:?}");
}

#[test]
fn the_document_of_codes_is_fresh() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/errors.md");
    let document = isa_reference::codes::document();
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &document).expect("docs/errors.md can be written");
    }
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(text == document, "docs/errors.md is out of date: BLESS=1 cargo test -p conformance --test language codes");
}
