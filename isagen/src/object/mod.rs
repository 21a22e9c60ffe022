//! Object files on the command line: the specification of each file inside, listings, and assembling them back.
//!
//! [`files`] chooses the files that are listed and their specifications; [`mod@listing`] lists them, [`into`] assembles a listing
//! into a file, and [`mod@list`] lists the contents of a file. The format of listings is in `isa_listing`.

pub(crate) mod files;
pub(crate) mod into;
pub(crate) mod list;
pub(crate) mod listing;

pub(crate) use isa_listing::{demangled, is_named, on_one_line};

use isa_stream::{Stop, read_bytes};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The largest object file that is read, in bytes.
const MAX_OBJECT: u64 = 4 << 30;
/// The number of first bytes that identify an object file.
const START: usize = 8;

/// True if a file begins like an object file. False for a file that can be read only once.
pub(crate) fn is_object(path: &Path) -> bool {
    let mut start = [0; START];
    let is_file = std::fs::metadata(path).is_ok_and(|about| about.is_file());
    is_file && File::open(path).and_then(|mut file| file.read(&mut start)).is_ok_and(|read| isa_object::is_object(&start[..read]))
}

/// The bytes of an object file, which is a regular file; only the beginning of any other file.
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
