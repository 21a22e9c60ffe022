//! Files of a program: descriptors of files, directories, pipes and devices.

mod change;
mod descriptor;
mod directory;
mod path;
mod poll;
mod status;
mod transfer;

use super::errno::{Errno, Stop};
use super::options::{Input, Output, Stream};
use super::random::Random;
pub(super) use change::*;
pub(super) use descriptor::*;
pub(super) use directory::*;
use path::Components;
pub(super) use path::Root;
pub(super) use poll::*;
pub(super) use status::*;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::rc::Rc;
pub(super) use transfer::*;

/// The limit of open descriptors.
pub(super) const MOST_OPEN: usize = 1024;
/// The capacity of a pipe in bytes.
const PIPE: usize = 1 << 16;

/// Flags of an open file; the lowest two bits are 0 if it is read only.
const WRITE_ONLY: u32 = 1;
const READ_WRITE: u32 = 2;
const APPEND: u32 = 0o2000;
const NO_WAIT: u32 = 0o4000;
/// Flags that are kept with a file.
const KEPT: u32 = 3 | APPEND | NO_WAIT;

/// A file that descriptors share.
pub(super) type Shared<'h> = Rc<RefCell<Open<'h>>>;

/// The file, stream or device of a descriptor.
enum Kind<'h> {
    Input(Input<'h>),
    Output(Output<'h>),
    File(File),
    Directory { path: Components, entries: Option<Vec<Entry>>, at: usize },
    Reader(PipeEnd),
    Writer(PipeEnd),
    Null,
    Zero,
    Random,
}

/// A file that is open.
pub(super) struct Open<'h> {
    kind: Kind<'h>,
    flags: u32,
}

/// A pipe: the bytes written but not yet read, and its ends.
#[derive(Default)]
struct Pipe {
    bytes: RefCell<VecDeque<u8>>,
    has_reader: Cell<bool>,
    has_writer: Cell<bool>,
}

/// An end of a pipe, which closes when it is dropped.
struct PipeEnd {
    pipe: Rc<Pipe>,
    writes: bool,
}

impl Drop for PipeEnd {
    fn drop(&mut self) {
        if self.writes { &self.pipe.has_writer } else { &self.pipe.has_reader }.set(false);
    }
}

/// A descriptor.
struct Descriptor<'h> {
    file: Shared<'h>,
    closes_on_exec: bool,
}

/// The files of a program.
pub(super) struct Files<'h> {
    descriptors: Vec<Option<Descriptor<'h>>>,
    pub(super) root: Root,
    /// The directory that relative paths begin at.
    directory: Components,
    pub(super) umask: u32,
}

impl<'h> Files<'h> {
    pub(super) fn new(root: Root, input: Input<'h>, output: Output<'h>, error: Output<'h>) -> Self {
        let directory = root.start();
        let mut files = Self { descriptors: Vec::new(), root, directory, umask: 0o022 };
        for file in [
            standard(input, 0, Kind::Input),
            standard(output, WRITE_ONLY, Kind::Output),
            standard(error, WRITE_ONLY, Kind::Output),
        ] {
            let file = Rc::new(RefCell::new(file));
            files.descriptors.push(Some(Descriptor { file, closes_on_exec: false }));
        }
        files
    }

    /// The file of a descriptor.
    pub(super) fn get(&self, descriptor: u64) -> Result<Shared<'h>, Errno> {
        self.descriptor(descriptor).map(|known| known.file.clone())
    }

    fn descriptor(&self, descriptor: u64) -> Result<&Descriptor<'h>, Errno> {
        // Descriptors are of 32 bits.
        self.descriptors.get(descriptor as u32 as usize).and_then(Option::as_ref).ok_or(Errno::EBADF)
    }

    /// Assigns the file to the lowest free descriptor from a number on.
    fn add(&mut self, file: Shared<'h>, closes_on_exec: bool, from: usize) -> Result<u64, Errno> {
        let is_free = |number: &usize| self.descriptors.get(*number).is_none_or(Option::is_none);
        let number = (from..MOST_OPEN).find(is_free).ok_or(Errno::EMFILE)?;
        self.put(number, file, closes_on_exec);
        Ok(number as u64)
    }

    fn put(&mut self, number: usize, file: Shared<'h>, closes_on_exec: bool) {
        if number >= self.descriptors.len() {
            self.descriptors.resize_with(number + 1, || None);
        }
        self.descriptors[number] = Some(Descriptor { file, closes_on_exec });
    }
}

/// A standard stream: a file or a device if it is one, with the flags that it was opened with, or else a stream.
fn standard<'h, T>(mut stream: Stream<T>, flags: u32, kind: fn(Stream<T>) -> Kind<'h>) -> Open<'h> {
    let about = stream.file.as_ref().and_then(|file| file.metadata().ok());
    let is_file = about.as_ref().is_some_and(std::fs::Metadata::is_file);
    match stream.file.take_if(|_| is_file) {
        Some(file) => Open { flags: flags_of(&file).unwrap_or(flags), kind: Kind::File(file) },
        None if about.is_some_and(|about| is_null(&about)) => Open { kind: Kind::Null, flags },
        None => Open { kind: kind(stream), flags },
    }
}

/// The flags of an open file that are kept with it, if the host tells them.
#[cfg(unix)]
fn flags_of(file: &File) -> Option<u32> {
    use std::os::fd::AsRawFd as _;
    let about = std::fs::read_to_string(format!("/proc/self/fdinfo/{}", file.as_raw_fd())).ok()?;
    let flags = about.lines().find_map(|line| line.strip_prefix("flags:"))?;
    u32::from_str_radix(flags.trim(), 8).ok().map(|flags| flags & KEPT)
}

#[cfg(not(unix))]
fn flags_of(_: &File) -> Option<u32> {
    None
}

impl Open<'_> {
    fn can_read(&self) -> bool {
        self.flags & 3 != WRITE_ONLY
    }

    fn can_write(&self) -> bool {
        self.flags & 3 == WRITE_ONLY || self.flags & 3 == READ_WRITE
    }

    /// True if reads and writes of it are short, and have no position.
    fn is_stream(&self) -> bool {
        matches!(self.kind, Kind::Input(_) | Kind::Output(_) | Kind::Reader(_) | Kind::Writer(_))
    }

    /// Fails if it can't be mapped into memory, for writing if `is_written`.
    pub(super) fn can_map(&self, is_written: bool) -> Result<(), Errno> {
        match self.kind {
            Kind::File(_) | Kind::Zero if !self.can_read() || is_written && !self.can_write() => Err(Errno::EACCES),
            Kind::File(_) | Kind::Zero => Ok(()),
            _ => Err(Errno::ENODEV),
        }
    }

    fn read(&mut self, bytes: &mut [u8], random: &mut Random) -> Result<usize, Stop> {
        match &mut self.kind {
            Kind::Input(stream) => Ok(again(|| stream.io.read(bytes))?),
            Kind::File(file) => Ok(again(|| file.read(bytes))?),
            Kind::Directory { .. } => Err(Errno::EISDIR.into()),
            Kind::Reader(end) => {
                let mut waiting = end.pipe.bytes.borrow_mut();
                if waiting.is_empty() && end.pipe.has_writer.get() && !bytes.is_empty() {
                    if self.flags & NO_WAIT != 0 {
                        return Err(Errno::EAGAIN.into());
                    }
                    return Err(Stop::Fault(
                        "the program waits for ever: it reads an empty pipe that it alone could write".to_owned(),
                    ));
                }
                let count = bytes.len().min(waiting.len());
                bytes.iter_mut().zip(waiting.drain(..count)).for_each(|(to, byte)| *to = byte);
                Ok(count)
            }
            Kind::Null => Ok(0),
            Kind::Zero => {
                bytes.fill(0);
                Ok(bytes.len())
            }
            Kind::Random => {
                random.fill(bytes);
                Ok(bytes.len())
            }
            Kind::Output(_) | Kind::Writer(_) => Err(Errno::EBADF.into()),
        }
    }

    /// Writes bytes, all of them unless something prevents it.
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Stop> {
        match &mut self.kind {
            Kind::Output(stream) => {
                stream.io.write_all(bytes)?;
                stream.io.flush()?;
                Ok(bytes.len())
            }
            Kind::File(file) => {
                if self.flags & APPEND != 0 {
                    file.seek(SeekFrom::End(0))?;
                }
                Ok(again(|| file.write(bytes))?)
            }
            Kind::Writer(end) => {
                if !end.pipe.has_reader.get() {
                    return Err(Errno::EPIPE.into());
                }
                let mut waiting = end.pipe.bytes.borrow_mut();
                let count = bytes.len().min(PIPE - waiting.len());
                waiting.extend(&bytes[..count]);
                if count > 0 || bytes.is_empty() {
                    return Ok(count);
                }
                if self.flags & NO_WAIT != 0 {
                    return Err(Errno::EAGAIN.into());
                }
                Err(Stop::Fault("the program waits for ever: it writes a full pipe that it alone could read".to_owned()))
            }
            Kind::Null | Kind::Zero | Kind::Random => Ok(bytes.len()),
            Kind::Directory { .. } | Kind::Input(_) | Kind::Reader(_) => Err(Errno::EBADF.into()),
        }
    }

    /// Reads bytes at an offset of a file without changing its position.
    pub(super) fn read_at(&mut self, bytes: &mut [u8], offset: u64) -> Result<usize, Errno> {
        let is_stream = self.is_stream();
        match &mut self.kind {
            Kind::File(file) => elsewhere(file, offset, |file| again(|| file.read(bytes))),
            Kind::Directory { .. } => Err(Errno::EISDIR),
            _ if is_stream => Err(Errno::ESPIPE),
            Kind::Zero => {
                bytes.fill(0);
                Ok(bytes.len())
            }
            _ => Ok(0),
        }
    }

    fn write_at(&mut self, bytes: &[u8], offset: u64) -> Result<usize, Errno> {
        let is_stream = self.is_stream();
        match &mut self.kind {
            Kind::File(file) => elsewhere(file, offset, |file| again(|| file.write(bytes))),
            _ if is_stream => Err(Errno::ESPIPE),
            _ => Ok(bytes.len()),
        }
    }

    /// Writes bytes at an offset of a file without extending it; returns false if the offset is outside, or writing fails.
    pub(super) fn replace_at(&mut self, bytes: &[u8], offset: u64) -> bool {
        let Kind::File(file) = &mut self.kind else { return false };
        let Ok(length) = file.metadata().map(|metadata| metadata.len()) else { return false };
        let size = length.saturating_sub(offset).min(bytes.len() as u64) as usize;
        elsewhere(file, offset, |file| file.write_all(&bytes[..size])).is_ok() && size == bytes.len()
    }
}

/// Runs a function at another position of a file, and restores the position.
fn elsewhere<T>(file: &mut File, offset: u64, act: impl FnOnce(&mut File) -> io::Result<T>) -> Result<T, Errno> {
    let here = file.stream_position()?;
    file.seek(SeekFrom::Start(offset))?;
    let result = act(file);
    file.seek(SeekFrom::Start(here))?;
    Ok(result?)
}

/// Repeats an operation as long as it is interrupted.
fn again<T>(mut act: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match act() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}
