//! The page of the assembler lists the directives that there are: `BLESS=1 cargo test -p conformance --test assembler page`.

use isa_spec::keys::put_into_page;
use std::path::Path;

#[test]
fn the_page_lists_all_directives() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/assembler.md");
    let text = std::fs::read_to_string(&path).expect("the page is there");
    let wanted = put_into_page(&text, "directives", &isa_asm::markdown()).expect("the page has a place for them");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, wanted).expect("the page can be written");
    } else {
        assert!(
            text == wanted,
            "docs/assembler.md has other directives: BLESS=1 cargo test -p conformance --test assembler page"
        );
    }
}
