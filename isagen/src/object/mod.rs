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
mod moved;
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
/// The first bytes, which say whether a file is an object file.
const START: usize = 8;

/// Whether this is a file that begins as an object file does. What can be read only once is none.
pub(crate) fn is_object(path: &Path) -> bool {
    let mut start = [0; START];
    let is_file = std::fs::metadata(path).is_ok_and(|about| about.is_file());
    is_file && File::open(path).and_then(|mut file| file.read(&mut start)).is_ok_and(|read| isa_object::is_object(&start[..read]))
}

/// The bytes of an object file, which is a regular file; of a file that does not begin as one does, the beginning.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Stop> {
    let about = std::fs::metadata(path).map_err(|e| Stop::file(path, &e))?;
    if !about.is_file() && !about.is_dir() {
        return Err(Stop::new(format!("{}: is not a regular file, as object files are", path.display())));
    }
    if about.is_file() && !is_object(path) {
        let mut start = Vec::new();
        let file = File::open(path).map_err(|e| Stop::file(path, &e))?;
        file.take(START as u64).read_to_end(&mut start).map_err(|e| Stop::file(path, &e))?;
        return Ok(start);
    }
    read_bytes(path, MAX_OBJECT)
}

/// A name that a file gives, on one line.
pub(crate) fn on_one_line(name: &str) -> String {
    let line: String = name.chars().map(|c| if c.is_control() { '?' } else { c }).collect();
    isa_spec::escape::escape(&line).into_owned()
}

/// The name of a function without that of the kernel which ptxas puts before a function of the kernel's own: `f` of `$kernel$f`.
fn own_name(name: &str) -> &str {
    name.strip_prefix('$').and_then(|rest| rest.split_once('$')).map_or(name, |(_, own)| own)
}

/// The name as the source has it, if it is a mangled one of C++ or Rust.
pub(crate) fn demangled(name: &str) -> Option<String> {
    let symbol = cpp_demangle::Symbol::new(own_name(name)).ok()?;
    symbol.demangle().ok().map(|name| on_one_line(&name))
}

/// Whether one of these names is that of a function: its name in the file, that in the source, or that without parameters.
pub(crate) fn is_named(asked: &[String], name: &str) -> bool {
    let in_source = demangled(name);
    let is_source = |asked: &str| in_source.as_ref().is_some_and(|n| n == asked || n.split('(').next() == Some(asked));
    asked.iter().any(|asked| asked == name || asked == own_name(name) || is_source(asked))
}
