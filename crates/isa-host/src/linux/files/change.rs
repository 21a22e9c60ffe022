//! Changes of directories and of the attributes of files. They fail unless the root is writable.

use super::super::abi::{self, int};
use super::super::errno::{Errno, Outcome};
use super::super::{Arguments, Linux, time};
use super::Kind;
use super::path::{Found, link_target};
use isa_sim::Guest;
use std::fs::{self, File, FileTimes};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const REMOVE_DIRECTORY: u64 = 0x200;
const FOLLOW: u64 = 0x400;
const NO_FOLLOW: u64 = 0x100;
/// The flag that an existing file with the new name is kept.
const NO_REPLACE: u64 = 1;
/// Nanoseconds that mean the present, and no change.
const NOW: u64 = 0x3fff_ffff;
const OMIT: u64 = 0x3fff_fffe;

/// The file for a directory and a path.
fn find(linux: &Linux<'_>, guest: &mut Guest<'_>, base: u64, path: u64, follows: bool) -> Result<Found, Errno> {
    let path = abi::path(guest, path)?;
    linux.files.root.resolve(&linux.base(base, &path)?, &path, follows)
}

/// A name for a new file.
fn fresh(linux: &Linux<'_>, guest: &mut Guest<'_>, base: u64, path: u64) -> Result<Found, Errno> {
    let found = find(linux, guest, base, path, false)?;
    if found.metadata.is_some() {
        return Err(Errno::EEXIST);
    }
    linux.files.root.writable()?;
    Ok(found)
}

/// `mkdirat(directory, path, mode)`
pub(in super::super) fn mkdirat(linux: &mut Linux<'_>, guest: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let [base, path, mode, ..] = of.values;
    let found = fresh(linux, guest, base, path)?;
    fs::create_dir(&found.host)?;
    set_mode(&found.host, mode as u32 & 0o1777 & !linux.files.umask)?;
    Ok(0)
}

/// `unlinkat(directory, path, flags)`
pub(in super::super) fn unlinkat(linux: &mut Linux<'_>, guest: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let [base, path, flags, ..] = of.values;
    let is_directory = match int(flags) {
        0 => false,
        flags if flags as u64 == REMOVE_DIRECTORY => true,
        _ => return Err(Errno::EINVAL.into()),
    };
    let found = find(linux, guest, base, path, false)?;
    let metadata = found.existing()?;
    if is_directory && found.is_dots {
        return Err(if found.path.is_empty() { Errno::EBUSY } else { Errno::EINVAL }.into());
    }
    if metadata.is_dir() != is_directory {
        return Err(if is_directory { Errno::ENOTDIR } else { Errno::EISDIR }.into());
    }
    linux.files.root.writable()?;
    if is_directory {
        fs::remove_dir(&found.host)?
    } else {
        fs::remove_file(&found.host)?
    }
    Ok(0)
}

/// `renameat2(old directory, old path, new directory, new path, flags)`
pub(in super::super) fn renameat2(linux: &mut Linux<'_>, guest: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let [old_base, old, new_base, new, flags, _] = of.values;
    // The older call has no flags.
    let flags = if of.is_second { flags & 0xffff_ffff } else { 0 };
    if flags & !NO_REPLACE != 0 {
        return Err(Errno::EINVAL.into());
    }
    let old = find(linux, guest, old_base, old, false)?;
    let new = find(linux, guest, new_base, new, false)?;
    let metadata = old.existing()?;
    if old.is_dots || new.is_dots {
        return Err(Errno::EBUSY.into());
    }
    if new.is_directory && !metadata.is_dir() {
        return Err(Errno::ENOTDIR.into());
    }
    if flags & NO_REPLACE != 0 && new.metadata.is_some() {
        return Err(Errno::EEXIST.into());
    }
    linux.files.root.writable()?;
    fs::rename(&old.host, &new.host)?;
    Ok(0)
}

/// `linkat(old directory, old path, new directory, new path, flags)`
pub(in super::super) fn linkat(linux: &mut Linux<'_>, guest: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let [old_base, old, new_base, new, flags, _] = of.values;
    let old = find(linux, guest, old_base, old, flags & FOLLOW != 0)?;
    let metadata = old.existing()?;
    if metadata.is_dir() {
        return Err(Errno::EPERM.into());
    }
    let new = fresh(linux, guest, new_base, new)?;
    if new.is_directory {
        return Err(Errno::ENOENT.into());
    }
    fs::hard_link(&old.host, &new.host)?;
    Ok(0)
}

/// `symlinkat(target, directory, path)`
pub(in super::super) fn symlinkat(linux: &mut Linux<'_>, guest: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let [target, base, path, ..] = of.values;
    let target = abi::path(guest, target)?;
    let found = fresh(linux, guest, base, path)?;
    if target.is_empty() || found.is_directory {
        return Err(Errno::ENOENT.into());
    }
    make_link(&link_target(&target)?, &found.host)?;
    Ok(0)
}

#[cfg(unix)]
fn make_link(target: &std::path::Path, at: &std::path::Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(target, at)
}

#[cfg(not(unix))]
fn make_link(_: &std::path::Path, _: &std::path::Path) -> std::io::Result<()> {
    Err(std::io::ErrorKind::Unsupported.into())
}

#[cfg(unix)]
fn set_mode(path: &std::path::Path, mode: u32) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn set_mode(_: &std::path::Path, _: u32) -> std::io::Result<()> {
    Ok(())
}

/// `fchmod(descriptor, mode)`
pub(in super::super) fn fchmod(linux: &mut Linux<'_>, _: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let [file, mode, ..] = of.values;
    let file = linux.files.get(file)?;
    linux.files.root.writable()?;
    match &file.borrow().kind {
        Kind::File(host) => set_mode_of(host, mode as u32 & 0o1777)?,
        Kind::Directory { path, .. } => {
            let found = linux.files.root.resolve(path, b".", true)?;
            found.existing()?;
            set_mode(&found.host, mode as u32 & 0o1777)?;
        }
        _ => return Err(Errno::EPERM.into()),
    }
    Ok(0)
}

#[cfg(unix)]
fn set_mode_of(file: &File, mode: u32) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    file.set_permissions(fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn set_mode_of(_: &File, _: u32) -> std::io::Result<()> {
    Ok(())
}

/// `fchmodat(directory, path, mode)`
pub(in super::super) fn fchmodat(linux: &mut Linux<'_>, guest: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let [base, path, mode, ..] = of.values;
    let found = find(linux, guest, base, path, true)?;
    found.existing()?;
    linux.files.root.writable()?;
    set_mode(&found.host, mode as u32 & 0o1777)?;
    Ok(0)
}

/// `utimensat(directory, path, times, flags)`; without a path it changes the descriptor's file
pub(in super::super) fn utimensat(linux: &mut Linux<'_>, guest: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let [base, path, at, flags, ..] = of.values;
    let size = if of.is_wide { 8 } else { linux.abi.word() };
    let mut times = [Some(time::now()); 2];
    for (i, time) in times.iter_mut().enumerate().filter(|_| at != 0) {
        let place = at.wrapping_add(2 * size * i as u64);
        let seconds = linux.abi.read(guest, place, size)?;
        match linux.abi.read(guest, place.wrapping_add(size), size)? {
            NOW => {}
            OMIT => *time = None,
            nanos @ 0..1_000_000_000 if seconds.cast_signed() >= 0 => *time = Some(Duration::new(seconds, nanos as u32)),
            _ => return Err(Errno::EINVAL.into()),
        }
    }
    let opened;
    let shared;
    let borrowed;
    let file = if path == 0 {
        shared = linux.files.get(base)?;
        borrowed = shared.borrow();
        match &borrowed.kind {
            Kind::File(file) => file,
            _ => return Err(Errno::EPERM.into()),
        }
    } else {
        let found = find(linux, guest, base, path, flags & NO_FOLLOW == 0)?;
        let metadata = found.existing()?;
        if !metadata.is_file() && !metadata.is_dir() {
            return Err(Errno::EOPNOTSUPP.into());
        }
        linux.files.root.writable()?;
        opened = File::open(&found.host)?;
        &opened
    };
    linux.files.root.writable()?;
    let of = |time: Duration| -> Result<SystemTime, Errno> { UNIX_EPOCH.checked_add(time).ok_or(Errno::EINVAL) };
    let mut all = FileTimes::new();
    if let Some(accessed) = times[0] {
        all = all.set_accessed(of(accessed)?);
    }
    if let Some(modified) = times[1] {
        all = all.set_modified(of(modified)?);
    }
    file.set_times(all)?;
    Ok(0)
}
