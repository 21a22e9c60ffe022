use std::fmt::Write;

/// A text as a string of JSON.
pub fn json(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c < ' ' => write!(out, "\\u{:04x}", u32::from(c)).expect("a string takes everything"),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
