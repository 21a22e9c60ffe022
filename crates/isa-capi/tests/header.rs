//! The header matches the functions; `BLESS=1` writes it.

use std::fs;
use std::path::Path;

#[test]
fn the_header_is_fresh() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(folder.join("cbindgen.toml")).expect("the configuration can be read");
    let bindings = cbindgen::Builder::new().with_config(config).with_src(folder.join("src/lib.rs")).generate();
    let mut header = Vec::new();
    bindings.expect("the functions can be called from C").write(&mut header);
    let header = String::from_utf8(header).expect("it is text");
    let path = folder.join("include/isagen.h");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, &header).expect("it can be written");
    }
    assert_eq!(fs::read_to_string(&path).unwrap_or_default(), header, "BLESS=1 cargo test writes the header");
}
