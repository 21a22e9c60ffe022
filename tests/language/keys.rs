//! The reference lists the keys that are read: each table of keys is printed from the table that the reader uses.
//!
//! `BLESS=1 cargo test -p conformance --test language keys` writes the tables into the pages.

use isa_spec::keys::{Listing, put_into_page};
use std::path::Path;

#[test]
fn language() {
    let listings = isa_spec::key_listings();
    let (file, rest) = listings.split_first().expect("the keys of a specification come first");
    fresh("language.md", &[("keys of a file", file.markdown()), ("keys", tables(rest))]);
}

#[test]
fn machine() {
    fresh("semantics.md", &[("keys", tables(&isa_spec::machine_key_listings()))]);
}

/// Tables, each below what has these keys.
fn tables(listings: &[Listing]) -> String {
    listings.iter().map(|listing| format!("\nKeys of {}:\n\n{}", listing.what, listing.markdown())).collect()
}

fn fresh(page: &str, parts: &[(&str, String)]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs").join(page);
    let text = std::fs::read_to_string(&path).expect("the page is there");
    let put = |text: String, (name, part): &(&str, String)| {
        put_into_page(&text, name, part).expect("the page has a place for the keys")
    };
    let wanted = parts.iter().fold(text.clone(), put);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, wanted).expect("the page can be written");
    } else {
        assert!(text == wanted, "docs/{page} has other keys: BLESS=1 cargo test -p conformance --test language keys");
    }
}
