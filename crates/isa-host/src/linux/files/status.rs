//! Attributes of files.

use super::super::abi::{self, Abi};
use super::super::errno::{Errno, Outcome};
use super::super::options::Stream;
use super::super::process::USER;
use super::super::{Arguments, Linux};
use super::{Kind, Open, device};
use isa_sim::Guest;
use std::fs::Metadata;

/// The path may be empty, for the descriptor itself.
const EMPTY_PATH: u64 = 0x1000;
const NO_FOLLOW: u64 = 0x100;
/// The write permission in `faccessat`.
const MAY_WRITE: u64 = 2;
/// The program's own file.
const EXECUTABLE: &[u8] = b"/proc/self/exe";
const CHARACTERS: u32 = 0o020_000;
const FIFO: u32 = 0o010_000;
/// The bits of the mode that tell the kind of a file.
const FORMAT: u32 = 0o170_000;
/// The number of the device `/dev/null`.
const NULL: u64 = 0x103;

/// Seconds and nanoseconds.
type Time = (u64, u64);

/// The attributes of a file.
#[derive(Clone, Copy, Debug, Default)]
struct Attributes {
    device: u64,
    number: u64,
    mode: u32,
    links: u64,
    user: u32,
    group: u32,
    special: u64,
    size: u64,
    block: u64,
    blocks: u64,
    times: [Time; 3],
}

/// True for the attributes of `/dev/null`.
pub(super) fn is_null(about: &Metadata) -> bool {
    let Attributes { mode, special, .. } = Attributes::of(about);
    mode & FORMAT == CHARACTERS && special == NULL
}

impl Attributes {
    #[cfg(unix)]
    fn of(metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt as _;
        let time = |seconds: i64, nanos: i64| (seconds.cast_unsigned(), nanos.cast_unsigned());
        Self {
            device: metadata.dev(),
            number: metadata.ino(),
            mode: metadata.mode(),
            links: metadata.nlink(),
            user: metadata.uid(),
            group: metadata.gid(),
            special: metadata.rdev(),
            size: metadata.size(),
            block: metadata.blksize(),
            blocks: metadata.blocks(),
            times: [
                time(metadata.atime(), metadata.atime_nsec()),
                time(metadata.mtime(), metadata.mtime_nsec()),
                time(metadata.ctime(), metadata.ctime_nsec()),
            ],
        }
    }

    #[cfg(not(unix))]
    fn of(metadata: &Metadata) -> Self {
        let time = |time: std::io::Result<std::time::SystemTime>| {
            let since = time.ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok()).unwrap_or_default();
            (since.as_secs(), since.subsec_nanos().into())
        };
        let kind = if metadata.is_dir() { 0o040_755 } else { 0o100_644 };
        let mode = if metadata.permissions().readonly() { kind & !0o222 } else { kind };
        let size = metadata.len();
        let modified = time(metadata.modified());
        let times = [time(metadata.accessed()), modified, modified];
        let blocks = size.div_ceil(512);
        Self { device: 1, number: 1, mode, links: 1, user: USER, group: USER, special: 0, size, block: 4096, blocks, times }
    }

    /// Attributes of something that is not a file of the host.
    fn special(mode: u32) -> Self {
        let special = if mode & CHARACTERS != 0 { NULL } else { 0 };
        Self { device: 1, number: 1, mode, links: 1, user: USER, group: USER, special, block: 4096, ..Self::default() }
    }

    fn of_open(linux: &Linux<'_>, file: &Open<'_>) -> Result<Self, Errno> {
        let pipe = FIFO | 0o600;
        Ok(match &file.kind {
            Kind::Input(Stream { file: Some(host), .. }) | Kind::Output(Stream { file: Some(host), .. }) => {
                Self::of(&host.metadata()?)
            }
            Kind::Input(Stream { is_terminal: true, .. }) | Kind::Output(Stream { is_terminal: true, .. }) => {
                Self::special(CHARACTERS | 0o620)
            }
            Kind::File(host) => Self::of(&host.metadata()?),
            Kind::Directory { path, .. } => Self::of(linux.files.root.resolve(path, b".", true)?.existing()?),
            Kind::Input(_) | Kind::Output(_) | Kind::Reader(_) | Kind::Writer(_) => Self::special(pipe),
            Kind::Null | Kind::Zero | Kind::Random => Self::special(CHARACTERS | 0o666),
        })
    }

    /// Attributes of the file for a directory and a path.
    fn find(linux: &Linux<'_>, base: u64, path: &[u8], flags: u64) -> Result<Self, Errno> {
        if path.is_empty() && flags & EMPTY_PATH != 0 {
            if abi::int(base) >= 0 {
                return Self::of_open(linux, &linux.files.get(base)?.borrow());
            }
            return Self::find(linux, base, b".", flags);
        }
        if device(path).is_some() {
            return Ok(Self::special(CHARACTERS | 0o666));
        }
        let path = if path == EXECUTABLE { linux.files.root.executable.clone() } else { path.to_vec() };
        let found = linux.files.root.resolve(&linux.base(base, &path)?, &path, flags & NO_FOLLOW == 0)?;
        Ok(Self::of(found.existing()?))
    }

    /// `struct stat` of asm-generic; `stat64` of 32-bit programs.
    fn stat(&self, abi: Abi) -> Vec<u8> {
        let all = abi.structure().u64(self.device).u64(self.number).u32(self.mode.into()).u32(self.links);
        let all = all.u32(self.user.into()).u32(self.group.into()).u64(self.special).u64(0);
        let all = all.u64(self.size).u32(self.block).u32(0).u64(self.blocks);
        self.times.iter().fold(all, |all, (seconds, nanos)| all.word(*seconds).word(*nanos)).u32(0).u32(0).finish()
    }

    /// `struct statx` with the basic fields.
    fn statx(&self, abi: Abi) -> Vec<u8> {
        const BASIC: u64 = 0x7ff;
        let time = |all: abi::Structure, (seconds, nanos): Time| all.u64(seconds).u32(nanos).u32(0);
        // Major and minor numbers, as the host packs them.
        let split = |all: abi::Structure, device: u64| {
            all.u32(device >> 8 & 0xfff | device >> 32 & !0xfff).u32(device & 0xff | device >> 12 & 0xfff00)
        };
        let all = abi.structure().u32(BASIC).u32(self.block).u64(0).u32(self.links).u32(self.user.into());
        let all = all.u32(self.group.into()).u16(self.mode.into()).u16(0).u64(self.number).u64(self.size).u64(self.blocks).u64(0);
        let [access, modification, change] = self.times;
        let all = time(time(time(time(all, access), (0, 0)), change), modification);
        split(split(all, self.special), self.device).up_to(256).finish()
    }
}

/// `fstat(descriptor, status)`
pub(in super::super) fn fstat(linux: &mut Linux<'_>, guest: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let [file, at, ..] = of.values;
    let attributes = Attributes::of_open(linux, &linux.files.get(file)?.borrow())?;
    guest.write(at, &attributes.stat(linux.abi))?;
    Ok(0)
}

/// `newfstatat(directory, path, status, flags)`
pub(in super::super) fn newfstatat(linux: &mut Linux<'_>, guest: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let [base, path, at, flags, ..] = of.values;
    let path = abi::path(guest, path)?;
    let attributes = Attributes::find(linux, base, &path, flags)?;
    guest.write(at, &attributes.stat(linux.abi))?;
    Ok(0)
}

/// `statx(directory, path, flags, mask, status)`
pub(in super::super) fn statx(linux: &mut Linux<'_>, guest: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let [base, path, flags, _, at, _] = of.values;
    let path = abi::path(guest, path)?;
    let attributes = Attributes::find(linux, base, &path, flags)?;
    guest.write(at, &attributes.statx(linux.abi))?;
    Ok(0)
}

/// `faccessat(directory, path, mode)`, `faccessat2(directory, path, mode, flags)`
pub(in super::super) fn faccessat(linux: &mut Linux<'_>, guest: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let [base, path, mode, flags, ..] = of.values;
    // Only the newer call has flags.
    let flags = if of.is_second { flags } else { 0 };
    if mode & 0xffff_ffff > 7 {
        return Err(Errno::EINVAL.into());
    }
    let path = abi::path(guest, path)?;
    let attributes = Attributes::find(linux, base, &path, flags)?;
    if mode & MAY_WRITE != 0 && device(&path).is_none() {
        linux.files.root.writable()?;
    }
    // The rights of the host's user are checked when a file is opened; a file without any bits is a clear answer.
    let all = attributes.mode | attributes.mode >> 3 | attributes.mode >> 6;
    if u64::from(all) & mode & 7 == mode & 7 { Ok(0) } else { Err(Errno::EACCES.into()) }
}

/// `readlinkat(directory, path, bytes, size)`
pub(in super::super) fn readlinkat(linux: &mut Linux<'_>, guest: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let [base, path, at, size, ..] = of.values;
    if abi::int(size) <= 0 {
        return Err(Errno::EINVAL.into());
    }
    let path = abi::path(guest, path)?;
    let target = if path == EXECUTABLE {
        linux.files.root.executable.clone()
    } else {
        let found = linux.files.root.resolve(&linux.base(base, &path)?, &path, false)?;
        if !found.existing()?.is_symlink() {
            return Err(Errno::EINVAL.into());
        }
        super::path::bytes(std::fs::read_link(&found.host)?.as_os_str())
    };
    let cut = &target[..target.len().min(size as u32 as usize)];
    guest.write(at, cut)?;
    Ok(cut.len() as u64)
}

/// `statfs(path, status)`
pub(in super::super) fn statfs(linux: &mut Linux<'_>, guest: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let [path, second, third, ..] = of.values;
    let path = abi::path(guest, path)?;
    const HERE: u64 = -100_i64 as u64;
    Attributes::find(linux, HERE, &path, 0)?;
    guest.write(if of.is_wide { third } else { second }, &file_system(linux.abi))?;
    Ok(0)
}

/// `fstatfs(descriptor, status)`
pub(in super::super) fn fstatfs(linux: &mut Linux<'_>, guest: &mut Guest<'_>, of: &Arguments) -> Outcome {
    let [file, second, third, ..] = of.values;
    linux.files.get(file)?;
    guest.write(if of.is_wide { third } else { second }, &file_system(linux.abi))?;
    Ok(0)
}

/// `struct statfs` of a file system of 4 GiB, half of it free; `statfs64` of 32-bit programs.
fn file_system(abi: Abi) -> Vec<u8> {
    const KIND: u64 = 0x0102_1994;
    let all = abi.structure().word(KIND).word(4096);
    let counts = [1 << 20, 1 << 19, 1 << 19, 1 << 20, 1 << 19];
    counts.into_iter().fold(all, |all, count| all.u64(count)).u32(0).u32(0).word(255).word(4096).words(&[0; 5]).finish()
}
