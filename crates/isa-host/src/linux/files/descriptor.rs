//! Descriptors: made by opening files, copied, closed.

use super::super::abi::{self, int};
use super::super::errno::{Errno, Outcome};
use super::super::{Arguments, Linux};
use super::path::Components;
use super::{APPEND, KEPT, Kind, MOST_OPEN, NO_WAIT, Open, Pipe, PipeEnd, READ_WRITE, Shared, WRITE_ONLY};
use isa_sim::Guest;
use std::cell::RefCell;
use std::fs::OpenOptions;
use std::rc::Rc;

/// The descriptor that means the current directory.
const HERE: i32 = -100;
const CREATE: u32 = 0o100;
const EXCLUSIVE: u32 = 0o200;
const TRUNCATE: u32 = 0o1000;
const DIRECTORY: u32 = 0o200_000;
const NO_FOLLOW: u32 = 0o400_000;
const CLOSE_ON_EXEC: u32 = 0o2_000_000;
/// A file without a name.
const TEMPORARY: u32 = 0o20_000_000;

/// The kind of a device that always exists.
pub(super) fn device<'h>(path: &[u8]) -> Option<Kind<'h>> {
    match path {
        b"/dev/null" => Some(Kind::Null),
        b"/dev/zero" => Some(Kind::Zero),
        b"/dev/random" | b"/dev/urandom" => Some(Kind::Random),
        _ => None,
    }
}

impl<'h> Linux<'h> {
    /// The directory that relative paths begin at.
    pub(super) fn base(&self, descriptor: u64, path: &[u8]) -> Result<Components, Errno> {
        if path.starts_with(b"/") {
            return Ok(Components::new());
        }
        if int(descriptor) == HERE {
            return Ok(self.files.directory.clone());
        }
        match &self.files.get(descriptor)?.borrow().kind {
            Kind::Directory { path, .. } => Ok(path.clone()),
            _ => Err(Errno::ENOTDIR),
        }
    }

    fn open(&mut self, base: u64, path: &[u8], flags: u32, mode: u32) -> Result<Open<'h>, Errno> {
        if path.is_empty() {
            return Err(Errno::ENOENT);
        }
        let kept = flags & KEPT;
        if let Some(kind) = device(path) {
            return if flags & DIRECTORY != 0 { Err(Errno::ENOTDIR) } else { Ok(Open { kind, flags: kept }) };
        }
        if flags & TEMPORARY != 0 {
            return Err(Errno::EOPNOTSUPP);
        }
        let is_new_only = flags & (CREATE | EXCLUSIVE) == CREATE | EXCLUSIVE;
        let base = self.base(base, path)?;
        let found = self.files.root.resolve(&base, path, !is_new_only && flags & NO_FOLLOW == 0)?;
        let writes = matches!(flags & 3, WRITE_ONLY | READ_WRITE);
        let changes = writes || flags & TRUNCATE != 0;
        let mut options = OpenOptions::new();
        options.read(flags & 3 != WRITE_ONLY).write(writes);
        let Some(metadata) = &found.metadata else {
            if flags & CREATE == 0 {
                return Err(Errno::ENOENT);
            }
            if found.is_directory {
                return Err(Errno::EISDIR);
            }
            self.files.root.writable()?;
            // The host creates files only for writing.
            let file = options.write(true).create_new(true).open(&found.host)?;
            set_mode(&file, mode & 0o7777 & !self.files.umask)?;
            return Ok(Open { kind: Kind::File(file), flags: kept });
        };
        if is_new_only {
            return Err(Errno::EEXIST);
        }
        if metadata.is_dir() {
            let path = found.path;
            let is_read = !changes && flags & CREATE == 0;
            let kind = Kind::Directory { path, entries: None, at: 0 };
            return if is_read { Ok(Open { kind, flags: kept }) } else { Err(Errno::EISDIR) };
        }
        if found.is_directory || flags & DIRECTORY != 0 {
            return Err(Errno::ENOTDIR);
        }
        if metadata.is_symlink() {
            return Err(Errno::ELOOP);
        }
        if !metadata.is_file() {
            // Opening a device or a pipe of the host may block forever.
            return Err(Errno::ENXIO);
        }
        if changes {
            self.files.root.writable()?;
        }
        let file = options.open(&found.host)?;
        if flags & TRUNCATE != 0 {
            // The file may be open for reading only.
            OpenOptions::new().write(true).open(&found.host)?.set_len(0)?;
        }
        Ok(Open { kind: Kind::File(file), flags: kept })
    }
}

#[cfg(unix)]
fn set_mode(file: &std::fs::File, mode: u32) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    file.set_permissions(std::fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn set_mode(_: &std::fs::File, _: u32) -> std::io::Result<()> {
    Ok(())
}

/// `openat(directory, path, flags, mode)`
pub(in super::super) fn openat(linux: &mut Linux<'_>, guest: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let [base, path, flags, mode, ..] = of.values;
    let path = abi::path(guest, path)?;
    let flags = flags as u32;
    let file = linux.open(base, &path, flags, mode as u32)?;
    Ok(linux.files.add(Rc::new(RefCell::new(file)), flags & CLOSE_ON_EXEC != 0, 0)?)
}

/// `close(descriptor)`
pub(in super::super) fn close(linux: &mut Linux<'_>, _: &mut Guest<'_>, of: &Arguments) -> Outcome {
    linux.files.descriptor(of.values[0])?;
    linux.files.descriptors[of.values[0] as u32 as usize] = None;
    Ok(0)
}

/// `dup(descriptor)`
pub(in super::super) fn dup(linux: &mut Linux<'_>, _: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let file = linux.files.get(of.values[0])?;
    Ok(linux.files.add(file, false, 0)?)
}

/// `dup3(old, new, flags)`
pub(in super::super) fn dup3(linux: &mut Linux<'_>, _: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let [old, new, flags, ..] = of.values.map(|value| value as u32);
    if old == new || flags & !CLOSE_ON_EXEC != 0 {
        return Err(Errno::EINVAL.into());
    }
    let file = linux.files.get(old.into())?;
    if new as usize >= MOST_OPEN {
        return Err(Errno::EBADF.into());
    }
    linux.files.put(new as usize, file, flags & CLOSE_ON_EXEC != 0);
    Ok(new.into())
}

/// `fcntl(descriptor, command, argument)`
pub(in super::super) fn fcntl(linux: &mut Linux<'_>, _: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let [descriptor, command, argument, ..] = of.values;
    let file = linux.files.get(descriptor)?;
    let number = descriptor as u32 as usize;
    match int(command) {
        command @ (0 | 1030) => {
            let from = argument as u32 as usize;
            if from >= MOST_OPEN {
                return Err(Errno::EINVAL.into());
            }
            Ok(linux.files.add(file, command != 0, from)?)
        }
        1 => Ok(linux.files.descriptor(descriptor)?.closes_on_exec.into()),
        2 => {
            if let Some(Some(known)) = linux.files.descriptors.get_mut(number) {
                known.closes_on_exec = argument & 1 != 0;
            }
            Ok(0)
        }
        // 64-bit offsets, which are always supported.
        3 => Ok((file.borrow().flags | if linux.abi.is_64 { 0o100_000 } else { 0 }).into()),
        4 => {
            let mut file = file.borrow_mut();
            file.flags = file.flags & 3 | argument as u32 & (APPEND | NO_WAIT);
            Ok(0)
        }
        // A lock, which no other process prevents.
        6 | 7 | 13 | 14 | 37 | 38 if matches!(file.borrow().kind, Kind::File(_)) => Ok(0),
        _ => Err(Errno::EINVAL.into()),
    }
}

/// `pipe2(descriptors, flags)`
pub(in super::super) fn pipe2(linux: &mut Linux<'_>, guest: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let [at, flags, ..] = of.values;
    let flags = flags as u32;
    if flags & !(CLOSE_ON_EXEC | NO_WAIT) != 0 {
        return Err(Errno::EINVAL.into());
    }
    let pipe = Rc::new(Pipe::default());
    pipe.has_reader.set(true);
    pipe.has_writer.set(true);
    let reader = Kind::Reader(PipeEnd { pipe: pipe.clone(), writes: false });
    let writer = Kind::Writer(PipeEnd { pipe, writes: true });
    let shared = |kind, mode| -> Shared<'_> { Rc::new(RefCell::new(Open { kind, flags: mode | flags & NO_WAIT })) };
    let closes = flags & CLOSE_ON_EXEC != 0;
    let first = linux.files.add(shared(reader, 0), closes, 0)?;
    let second = linux.files.add(shared(writer, WRITE_ONLY), closes, 0);
    let written = second.and_then(|second| linux.abi.structure().u32(first).u32(second).write(guest, at).map(|()| second));
    if written.is_err() {
        linux.files.descriptors[first as usize] = None;
        if let Ok(second) = second {
            linux.files.descriptors[second as usize] = None;
        }
    }
    written?;
    Ok(0)
}
