//! Listings of object files, and back: the code of a file as editable text, and the file with the changed code.
//!
//! [`Listed`] reads the code of a file once, for its labels; [`Writer`] writes its parts, which several threads can do;
//! [`PutBack`] assembles a listing into a copy of its file. [`Printer`] turns words into lines, [`Objects`] writes instructions as JSON; [`Counts`] counts the contents
//! of a function.

mod counts;
mod header;
mod into;
mod json;
mod line;
mod look;
mod moved;
mod objects;
mod part;
mod section;
mod symbol;
mod target;
mod words;

pub use counts::Counts;
pub use header::said;
pub use into::{Fault, PutBack};
pub use json::text as json_text;
pub use line::Writer;
pub use look::{Format, Look};
pub use objects::{At, Line, Objects};
pub use part::{Listed, Part};
pub use section::Section;
pub use target::Targets;
pub use words::{Batch, Printer};

/// A name from a file, on one line.
pub fn on_one_line(name: &str) -> String {
    let line: String = name.chars().map(|c| if c.is_control() { '?' } else { c }).collect();
    isa_model::escape::escape(&line).into_owned()
}

/// The name of a function without the kernel's name, which ptxas prepends to functions of the kernel's own: `f` of `$kernel$f`.
fn own_name(name: &str) -> &str {
    name.strip_prefix('$').and_then(|rest| rest.split_once('$')).map_or(name, |(_, own)| own)
}

/// The name in the source, if it is a mangled one of C++ or Rust.
pub fn demangled(name: &str) -> Option<String> {
    let symbol = cpp_demangle::Symbol::new(own_name(name)).ok()?;
    symbol.demangle().ok().map(|name| on_one_line(&name))
}

/// True if a function has one of these names: its name in the file, in the source, or without parameters.
pub fn is_named(asked: &[String], name: &str) -> bool {
    let in_source = demangled(name);
    let is_source = |asked: &str| in_source.as_ref().is_some_and(|n| n == asked || n.split('(').next() == Some(asked));
    asked.iter().any(|asked| asked == name || asked == own_name(name) || is_source(asked))
}
