//! Object files on the command line: which specification reads which of the files inside, listings, and back.
//!
//! [`files`] chooses what of a file is listed, and by which specification; [`section`] finds the labels of a section with code,
//! [`target`] the operands that they replace, [`symbol`] those that symbols do, [`mod@line`] writes instructions and [`header`] what stands around them; [`look`] says how they
//! look, [`part`] which come together, and [`mod@listing`] puts them one after the other; [`into`] assembles a listing into a file; [`mod@list`] says what a file holds.

pub(crate) mod files;
mod header;
pub(crate) mod into;
mod line;
pub(crate) mod list;
pub(crate) mod listing;
pub(crate) mod look;
mod part;
pub(crate) mod section;
mod symbol;
mod target;

use crate::input::read_bytes;
use crate::output::Stop;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The largest object file that is read, in bytes.
const MAX_OBJECT: u64 = 4 << 30;

/// Whether this is a file that begins as an object file does. What can be read only once is none.
pub(crate) fn is_object(path: &Path) -> bool {
    let mut start = [0; 8];
    let is_file = std::fs::metadata(path).is_ok_and(|about| about.is_file());
    is_file && File::open(path).and_then(|mut file| file.read(&mut start)).is_ok_and(|read| isa_object::is_object(&start[..read]))
}

/// The bytes of an object file.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Stop> {
    read_bytes(path, MAX_OBJECT)
}

/// A name that a file gives, on one line.
pub(crate) fn on_one_line(name: &str) -> String {
    name.chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}

/// The name as the source has it, if it is a mangled one of C++ or Rust.
pub(crate) fn demangled(name: &str) -> Option<String> {
    let symbol = cpp_demangle::Symbol::new(name).ok()?;
    symbol.demangle().ok().map(|name| on_one_line(&name))
}
