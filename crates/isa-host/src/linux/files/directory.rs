//! Directories: the current one, and lists of their files.

use super::super::abi;
use super::super::errno::{Errno, Outcome};
use super::super::{Arguments, Linux};
use super::Kind;
use super::path::{bytes, text};
use isa_sim::Guest;

/// The limit of files of a directory that are listed.
const MOST_ENTRIES: usize = 1 << 20;

/// A file of a directory.
pub(super) struct Entry {
    name: Vec<u8>,
    number: u64,
    kind: u8,
}

/// `getcwd(bytes, size)`
pub(in super::super) fn getcwd(linux: &mut Linux<'_>, guest: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let [at, size, ..] = of.values;
    let mut path = text(&linux.files.directory);
    path.push(0);
    if size < path.len() as u64 {
        return Err(Errno::ERANGE.into());
    }
    guest.write(at, &path)?;
    Ok(path.len() as u64)
}

/// `chdir(path)`
pub(in super::super) fn chdir(linux: &mut Linux<'_>, guest: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let path = abi::path(guest, of.values[0])?;
    let found = linux.files.root.resolve(&linux.files.directory, &path, true)?;
    if !found.existing()?.is_dir() {
        return Err(Errno::ENOTDIR.into());
    }
    linux.files.directory = found.path;
    Ok(0)
}

/// `fchdir(descriptor)`
pub(in super::super) fn fchdir(linux: &mut Linux<'_>, _: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let file = linux.files.get(of.values[0])?;
    let Kind::Directory { path, .. } = &file.borrow().kind else { return Err(Errno::ENOTDIR.into()) };
    let found = linux.files.root.resolve(path, b".", true)?;
    found.existing()?;
    linux.files.directory = found.path;
    Ok(0)
}

/// The files of a directory, in the order of their names.
fn list(linux: &Linux<'_>, path: &[std::ffi::OsString]) -> Result<Vec<Entry>, Errno> {
    let found = linux.files.root.resolve(path, b".", true)?;
    let own = number(found.existing()?);
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(&found.host)?.take(MOST_ENTRIES) {
        let entry = entry?;
        let kind = entry.file_type()?;
        let kind = match () {
            () if kind.is_dir() => 4,
            () if kind.is_file() => 8,
            () if kind.is_symlink() => 10,
            () => 0,
        };
        let number = entry.metadata().map_or(1, |metadata| number(&metadata));
        entries.push(Entry { name: bytes(&entry.file_name()), number, kind });
    }
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    let dots = [b".".as_slice(), b".."].map(|name| Entry { name: name.to_vec(), number: own, kind: 4 });
    entries.splice(0..0, dots);
    Ok(entries)
}

#[cfg(unix)]
fn number(metadata: &std::fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(metadata)
}

#[cfg(not(unix))]
fn number(_: &std::fs::Metadata) -> u64 {
    1
}

/// `getdents64(descriptor, entries, size)`
pub(in super::super) fn getdents64(linux: &mut Linux<'_>, guest: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let [file, address, size, ..] = of.values;
    let size = u64::from(size as u32);
    let file = linux.files.get(file)?;
    let Kind::Directory { path, entries, at } = &mut file.borrow_mut().kind else { return Err(Errno::ENOTDIR.into()) };
    if entries.is_none() {
        *entries = Some(list(linux, path)?);
    }
    let mut done = 0;
    for entry in entries.iter().flatten().skip(*at) {
        let length = (19 + entry.name.len() + 1).next_multiple_of(8);
        if done + length as u64 > size {
            if done == 0 {
                return Err(Errno::EINVAL.into());
            }
            break;
        }
        let all = linux.abi.structure().u64(entry.number).u64(*at as u64 + 1).u16(length as u64).bytes(&[entry.kind]);
        match all.bytes(&entry.name).up_to(length).write(guest, address.wrapping_add(done)) {
            Ok(()) => {}
            Err(errno) if done == 0 => return Err(errno.into()),
            Err(_) => break,
        }
        done += length as u64;
        *at += 1;
    }
    Ok(done)
}
