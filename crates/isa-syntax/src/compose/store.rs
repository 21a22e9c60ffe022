//! Files of a specification: on disk, in memory, shipped.

use crate::files::read_bytes;
use std::path::{Component, Path, PathBuf};

/// The files that a specification can include or extend.
#[derive(Clone, Copy)]
pub enum Store<'a> {
    /// On disk: the folder of the first file, and the shipped files, of which instruction sets can be extended by name.
    Folder(&'a Path, &'a [(&'a str, &'a str)]),
    /// In memory, by their paths.
    Texts(&'a [(&'a str, &'a str)]),
    /// Shipped files that a file on disk extends: in memory, by their paths below `SHIPPED`.
    Shipped(&'a [(&'a str, &'a str)]),
}

/// The name of the folder of shipped files, in the names of files.
const SHIPPED: &str = "<shipped>";

impl Store<'_> {
    /// The file by whatever name it is called.
    pub(super) fn place(self, path: &Path) -> PathBuf {
        match self {
            Self::Folder(..) => std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf()),
            Self::Texts(_) | Self::Shipped(_) => {
                let mut place = PathBuf::new();
                for part in path.components() {
                    match part {
                        Component::CurDir => {}
                        Component::ParentDir => drop(place.pop()),
                        part => place.push(part),
                    }
                }
                place
            }
        }
    }

    pub(super) fn read(self, path: &Path, place: &Path, room: u64) -> Result<Vec<u8>, String> {
        match self {
            Self::Folder(..) => read_bytes(path, room),
            Self::Texts(files) => text_of(files, place),
            Self::Shipped(files) => text_of(files, place.strip_prefix(SHIPPED).unwrap_or(place)),
        }
    }

    /// The names of shipped files of which a file on disk can extend one.
    pub(super) fn shipped_names(&self) -> impl Iterator<Item = &str> {
        let files = if let Self::Folder(_, files) = self { *files } else { &[] };
        files.iter().filter_map(|(file, _)| file.strip_suffix(".yaml").filter(|name| !name.contains(['.', '/'])))
    }

    /// True if this is neither a file nor looks like the path of one, where there are shipped instruction sets.
    pub(super) fn is_unknown(self, folder: &Path, name: &str) -> bool {
        matches!(self, Self::Folder(_, files) if !files.is_empty()) && is_bare(folder, name)
    }

    /// True if this looks like the name of a shipped instruction set, where there are none.
    pub(super) fn lacks(self, folder: &Path, name: &str) -> bool {
        matches!(self, Self::Folder(_, [])) && is_bare(folder, name)
    }

    /// The shipped instruction set of this name, if there is no such file: where it is, and its path.
    pub(super) fn shipped(self, folder: &Path, name: &str) -> Option<(Self, PathBuf)> {
        let path = format!("{name}.yaml");
        let is_there = |files: &[(&str, &str)]| files.iter().any(|(file, _)| *file == path);
        match self {
            _ if name.contains(['.', '/', '\\']) => None,
            Self::Folder(_, files) if is_there(files) && !folder.join(name).is_file() => {
                Some((Self::Shipped(files), Path::new(SHIPPED).join(path)))
            }
            Self::Texts(files) if is_there(files) => Some((self, PathBuf::from(path))),
            _ => None,
        }
    }
}

/// The text of a file in memory.
fn text_of(files: &[(&str, &str)], place: &Path) -> Result<Vec<u8>, String> {
    let found = files.iter().find(|(name, _)| Path::new(name) == place);
    found.map(|(_, text)| text.as_bytes().to_vec()).ok_or_else(|| "there is no such file".to_string())
}

/// True if this is neither a file nor looks like the path of one.
fn is_bare(folder: &Path, name: &str) -> bool {
    !name.contains(['.', '/', '\\']) && !folder.join(name).exists()
}
