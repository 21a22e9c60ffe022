//! Files that a program includes.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Bytes of the longest file of text.
pub(crate) const MOST_TEXT: u64 = 64 << 20;
/// Bytes of the longest other file.
pub(crate) const MOST_BYTES: u64 = 256 << 20;

/// Reads a file: beside the one that names it, or in one of the folders. Returns its path and its bytes.
pub(crate) fn read(folders: &[PathBuf], of: &str, name: &str, most: u64) -> Result<(String, Vec<u8>), String> {
    let beside = Path::new(of).parent().unwrap_or(Path::new(""));
    let mut places = std::iter::once(beside).chain(folders.iter().map(PathBuf::as_path)).map(|folder| folder.join(name));
    let Some(path) = places.find(|path| path.exists()) else {
        let also = if folders.is_empty() { "; `-I DIR` names other folders" } else { ", and none in the folders of `-I`" };
        return Err(format!("there is no file `{name}` beside this one{also}"));
    };
    let shown = path.display().to_string();
    let about = std::fs::metadata(&path).map_err(|error| format!("{shown}: {error}"))?;
    if !about.is_file() {
        return Err(format!("{shown}: it is not a file"));
    }
    if about.len() > most {
        return Err(format!("{shown}: it has {} bytes, and {most} are the most", about.len()));
    }
    let mut bytes = Vec::new();
    let file = File::open(&path).map_err(|error| format!("{shown}: {error}"))?;
    file.take(most).read_to_end(&mut bytes).map_err(|error| format!("{shown}: {error}"))?;
    Ok((shown, bytes))
}
