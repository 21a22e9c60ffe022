//! The page about simulation lists the calls that there are: `BLESS=1 cargo test -p isa-host --test linux page`.

use isa_host::linux;
use std::path::Path;

#[test]
fn the_page_lists_all_calls() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/simulation.md");
    let text = std::fs::read_to_string(&path).expect("the page is there");
    let (begin, end) = ("<!-- calls: begin -->\n", "<!-- calls: end -->\n");
    let (before, rest) = text.split_once(begin).expect("the page has a place for them");
    let (_, after) = rest.split_once(end).expect("the page has a place for them");
    let wanted = format!("{before}{begin}{}{end}{after}", linux::markdown());
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, wanted).expect("the page can be written");
    } else {
        assert!(text == wanted, "docs/simulation.md has other calls: BLESS=1 cargo test -p isa-host --test linux page");
    }
}
