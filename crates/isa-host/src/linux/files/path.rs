//! Paths, resolved inside a directory of the host that they never leave.

use super::super::errno::Errno;
use std::ffi::{OsStr, OsString};
use std::fs::{self, Metadata};
use std::path::{Component, Path, PathBuf};

/// The limit of symbolic links in a path.
const MOST_LINKS: usize = 40;

/// The directories of a path, from the root.
pub(super) type Components = Vec<OsString>;

/// The directory of the host that is the root of the program's files, if it has any.
#[derive(Clone, Debug)]
pub(in super::super) struct Root {
    host: Option<PathBuf>,
    writes: bool,
    /// The path of the program's own file.
    pub(in super::super) executable: Vec<u8>,
}

/// A file that a path leads to.
#[derive(Debug)]
pub(super) struct Found {
    /// Its path for the program, without links.
    pub(super) path: Components,
    /// Its path for the host; no part of it was a symbolic link, except the last if links are not followed.
    pub(super) host: PathBuf,
    /// `None` if the last part of the path is missing.
    pub(super) metadata: Option<Metadata>,
    /// The path ends like that of a directory.
    pub(super) is_directory: bool,
    /// The path ends with `.` or `..`, or is the root.
    pub(super) is_dots: bool,
}

impl Found {
    /// Its metadata.
    pub(super) fn existing(&self) -> Result<&Metadata, Errno> {
        let metadata = self.metadata.as_ref().ok_or(Errno::ENOENT)?;
        if self.is_directory && !metadata.is_dir() { Err(Errno::ENOTDIR) } else { Ok(metadata) }
    }
}

impl Root {
    /// # Errors
    /// When the directory can't be found.
    pub(in super::super) fn new(host: Option<&Path>, writes: bool, executable: &[u8]) -> std::io::Result<Self> {
        let host = host.map(fs::canonicalize).transpose()?;
        let mut root = Self { host, writes, executable: executable.to_vec() };
        if !executable.starts_with(b"/") {
            let relative = executable.strip_prefix(b"./").unwrap_or(executable);
            root.executable = text(&root.start());
            root.executable.extend_from_slice(if root.executable == b"/" { b"" } else { b"/" });
            root.executable.extend_from_slice(relative);
        }
        Ok(root)
    }

    /// The initial directory of a program: that of this process if it is inside, else the root.
    pub(super) fn start(&self) -> Components {
        let here = std::env::current_dir().and_then(fs::canonicalize).ok();
        let inside = here.as_deref().zip(self.host.as_deref()).and_then(|(here, root)| here.strip_prefix(root).ok());
        inside.map(|path| path.iter().map(OsStr::to_owned).collect()).unwrap_or_default()
    }

    /// # Errors
    /// When files can't be changed.
    pub(super) fn writable(&self) -> Result<(), Errno> {
        if self.writes { Ok(()) } else { Err(Errno::EROFS) }
    }

    /// The file that a path leads to from a directory; `follows` tells whether the last part is followed if it is a link.
    pub(super) fn resolve(&self, from: &[OsString], path: &[u8], follows: bool) -> Result<Found, Errno> {
        let root = self.host.as_ref().ok_or(Errno::ENOENT)?;
        if path.is_empty() {
            return Err(Errno::ENOENT);
        }
        // The remaining parts, the next one last. The directory is walked through as well: it may have become a link.
        let mut ahead = parts(path)?;
        if !path.starts_with(b"/") {
            ahead.extend(from.iter().rev().cloned());
        }
        let is_directory = path.ends_with(b"/") || path.ends_with(b"/.") || path.ends_with(b"/..");
        let (mut found, mut host) = (Components::new(), root.clone());
        let mut metadata = Some(fs::symlink_metadata(&host)?);
        let (mut links, mut is_dots) = (0, true);
        while let Some(part) = ahead.pop() {
            match &metadata {
                None => return Err(Errno::ENOENT),
                Some(metadata) if !metadata.is_dir() => return Err(Errno::ENOTDIR),
                Some(_) => {}
            }
            is_dots = part == "." || part == "..";
            if is_dots {
                if part == ".." && found.pop().is_some() {
                    host.pop();
                    metadata = Some(fs::symlink_metadata(&host)?);
                }
                continue;
            }
            if !is_name(&part) {
                return Err(Errno::ENOENT);
            }
            host.push(&part);
            found.push(part);
            // The files of this process must not be visible to the program.
            let is_own = found[0] == "proc" && root.parent().is_none();
            metadata = match fs::symlink_metadata(&host) {
                _ if is_own => None,
                Ok(metadata) => Some(metadata),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
                Err(error) => return Err(error.into()),
            };
            let is_link = metadata.as_ref().is_some_and(Metadata::is_symlink);
            if is_link && (follows || is_directory || !ahead.is_empty()) {
                links += 1;
                if links > MOST_LINKS {
                    return Err(Errno::ELOOP);
                }
                let target = bytes(fs::read_link(&host)?.as_os_str());
                ahead.extend(parts(&target)?);
                found.pop();
                host.pop();
                if target.starts_with(b"/") {
                    (found, host) = (Components::new(), root.clone());
                }
                metadata = Some(fs::symlink_metadata(&host)?);
                is_dots = true;
            }
        }
        Ok(Found { path: found, host, metadata, is_directory, is_dots })
    }
}

/// The parts of a path, the first one last.
fn parts(path: &[u8]) -> Result<Vec<OsString>, Errno> {
    path.split(|byte| *byte == b'/').filter(|part| !part.is_empty()).rev().map(os).collect()
}

/// Returns true if the host interprets this as the name of one file.
fn is_name(part: &OsStr) -> bool {
    let mut components = Path::new(part).components();
    matches!((components.next(), components.next()), (Some(Component::Normal(name)), None) if name == part)
}

/// A path of a program as a text.
pub(super) fn text(path: &[OsString]) -> Vec<u8> {
    let mut text = Vec::new();
    for part in path {
        text.push(b'/');
        text.extend_from_slice(&bytes(part));
    }
    if text.is_empty() { b"/".to_vec() } else { text }
}

#[cfg(unix)]
fn os(part: &[u8]) -> Result<OsString, Errno> {
    use std::os::unix::ffi::OsStrExt as _;
    Ok(OsStr::from_bytes(part).to_owned())
}

#[cfg(not(unix))]
fn os(part: &[u8]) -> Result<OsString, Errno> {
    std::str::from_utf8(part).map(OsString::from).map_err(|_| Errno::ENOENT)
}

#[cfg(unix)]
pub(super) fn bytes(part: &OsStr) -> Vec<u8> {
    use std::os::unix::ffi::OsStrExt as _;
    part.as_bytes().to_vec()
}

#[cfg(not(unix))]
pub(super) fn bytes(part: &OsStr) -> Vec<u8> {
    part.to_string_lossy().replace('\\', "/").into_bytes()
}

/// The path of a link with these bytes.
pub(super) fn link_target(target: &[u8]) -> Result<PathBuf, Errno> {
    os(target).map(PathBuf::from)
}
