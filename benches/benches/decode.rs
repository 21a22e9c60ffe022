//! `cargo bench -p benches`: decoding beside disarm64 and yaxpeax-arm, in one run. Prints a Markdown table.
fn main() {}
