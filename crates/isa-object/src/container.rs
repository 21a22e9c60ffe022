//! The contents of a file: ELF files, also inside archives and fatbins.

use crate::fatbin::{self, Compression, Kind};
use crate::{Error, arch, elf};
use object::read::archive::ArchiveFile;
use std::borrow::Cow;

/// Sections of host files that hold fatbins.
const FATBIN_SECTIONS: [&str; 2] = [".nv_fatbin", "__nv_relfatbin"];
const ARCHIVES: [&[u8]; 2] = [b"!<arch>\n", b"!<thin>\n"];
/// The maximum nesting depth of archives.
const DEEPEST: usize = 4;
/// The limit of decompressed bytes of all entries of a file, in multiples of its size; [`SLACK`] is added.
const RATIO: u64 = 64;
const SLACK: u64 = 64 << 20;

/// The kind of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// An ELF file; a cubin is one.
    Elf,
    /// The text of a program for NVIDIA's virtual machine.
    Ptx,
    /// Something else in a fatbin, with the number of its kind.
    Other(u16),
}

/// Contents of a file.
#[derive(Clone, Debug)]
pub struct Entry<'d> {
    /// The path of the entry inside the file: `member a.o, fatbin 1, entry 2`; empty if it is the file itself.
    pub part: String,
    /// The kind of its contents.
    pub kind: EntryKind,
    /// The architecture that it is for: `sm_80`, `riscv64`.
    pub arch: String,
    /// The machine's number in ELF, for an ELF file: 190 is a cubin.
    pub machine: Option<u16>,
    /// The file offset of its bytes, as stored (possibly compressed).
    pub offset: usize,
    /// The compression of the stored bytes.
    pub compression: Compression,
    /// Bytes without compression.
    pub size: u64,
    bytes: &'d [u8],
}

impl<'d> Entry<'d> {
    /// Its bytes without compression.
    ///
    /// # Errors
    /// If the compressed data is damaged, or expands to more than an entry can have.
    pub fn data(&self) -> Result<Cow<'d, [u8]>, Error> {
        fatbin::decompress(self.bytes, self.compression, self.size).map_err(|error| error.of(&self.part))
    }
}

/// The contents of a file, and the errors of the parts that could not be read.
#[derive(Clone, Debug, Default)]
pub struct Contents<'d> {
    /// In the order of the file.
    pub entries: Vec<Entry<'d>>,
    /// Parts that could not be read.
    pub faults: Vec<Error>,
}

/// True if a file that begins with these bytes is an ELF file, a fatbin or an archive.
pub fn is_object(data: &[u8]) -> bool {
    elf::is_elf(data) || fatbin::is_fatbin(data) || ARCHIVES.iter().any(|magic| data.starts_with(magic))
}

/// Finds the contents of a file. Nothing is decompressed.
///
/// An ELF file with fatbins is a container: it is not an entry itself.
pub fn contents(data: &[u8]) -> Contents<'_> {
    let budget = (data.len() as u64).saturating_mul(RATIO).saturating_add(SLACK);
    let mut walk = Walk { all: data, budget, contents: Contents::default() };
    walk.part(data, 0, "", 0);
    walk.contents
}

struct Walk<'d> {
    all: &'d [u8],
    /// The number of bytes that may still be decompressed.
    budget: u64,
    contents: Contents<'d>,
}

impl<'d> Walk<'d> {
    fn fault(&mut self, error: Error, part: &str) {
        self.contents.faults.push(error.of(part));
    }

    /// Reads a part of the file, which begins at this byte of it.
    fn part(&mut self, data: &'d [u8], offset: usize, part: &str, depth: usize) {
        if fatbin::is_fatbin(data) {
            self.fatbin(data, offset, part);
        } else if elf::is_elf(data) {
            self.elf(data, offset, part);
        } else if ARCHIVES.iter().any(|magic| data.starts_with(magic)) {
            if let Err(error) = self.archive(data, offset, part, depth) {
                self.fault(error, part);
            }
        } else if part.is_empty() {
            self.fault(Error::new("neither an ELF file nor a fatbin nor an archive"), part);
        }
    }

    fn archive(&mut self, data: &'d [u8], offset: usize, part: &str, depth: usize) -> Result<(), Error> {
        if depth == DEEPEST {
            return Err(Error::new(format!("more than {DEEPEST} nested archives")));
        }
        let archive = ArchiveFile::parse(data)?;
        if archive.is_thin() {
            return Err(Error::new("a thin archive does not contain its members"));
        }
        for member in archive.members() {
            let member = member?;
            let name = String::from_utf8_lossy(member.name());
            let name = inside(part, &format!("member {name}"));
            let from = usize::try_from(member.file_range().0).unwrap_or(usize::MAX);
            self.part(member.data(data)?, offset.saturating_add(from), &name, depth + 1);
        }
        Ok(())
    }

    fn elf(&mut self, data: &'d [u8], offset: usize, part: &str) {
        let head = match elf::Head::read(data) {
            Ok(head) => head,
            Err(error) => return self.fault(error, part),
        };
        let is_fatbin = |name: &str| FATBIN_SECTIONS.contains(&name);
        match elf::sections_named(data, is_fatbin) {
            Err(error) => self.fault(error, part),
            Ok(sections) if sections.is_empty() => {
                let size = data.len() as u64;
                let entry = Entry {
                    part: part.to_owned(),
                    kind: EntryKind::Elf,
                    arch: head.arch(data),
                    machine: Some(head.machine),
                    offset,
                    compression: Compression::None,
                    size,
                    bytes: data,
                };
                self.contents.entries.push(entry);
            }
            Ok(sections) => {
                for at in sections {
                    self.fatbin(&data[at.clone()], offset.saturating_add(at.start), part);
                }
            }
        }
    }

    fn fatbin(&mut self, data: &'d [u8], offset: usize, part: &str) {
        let Self { all, budget, contents } = self;
        let limit = *budget;
        let result = fatbin::containers(data, |container, index, payload| {
            let part = inside(part, &format!("fatbin {container}, entry {index}"));
            let kind = match payload.kind {
                Kind::Elf => EntryKind::Elf,
                Kind::Ptx => EntryKind::Ptx,
                Kind::Other(kind) => EntryKind::Other(kind),
            };
            let bytes = &data[payload.at.clone()];
            if kind == EntryKind::Elf && payload.compression != Compression::None {
                match budget.checked_sub(payload.size) {
                    Some(left) => *budget = left,
                    None => {
                        let message = format!("{} bytes claim to hold more than {limit}", all.len());
                        contents.faults.push(Error::new(message).of(&part));
                        return;
                    }
                }
            }
            let (compression, size) = (payload.compression, payload.size);
            let offset = offset.saturating_add(payload.at.start);
            let machine = (kind == EntryKind::Elf).then_some(arch::CUDA);
            let own = elf::Head::read(bytes).ok().filter(|_| kind == EntryKind::Elf && elf::is_elf(bytes));
            let arch = own.map_or_else(|| arch::of_sm(payload.sm, payload.is_accelerated), |head| head.arch(bytes));
            contents.entries.push(Entry { part, kind, arch, machine, offset, compression, size, bytes });
        });
        if let Err(error) = result {
            let error = Error { part: if error.part.is_empty() { String::new() } else { inside(part, &error.part) }, ..error };
            self.fault(error, part);
        }
    }
}

/// The name of a part of a part.
fn inside(outer: &str, inner: &str) -> String {
    if outer.is_empty() { inner.to_owned() } else { format!("{outer}, {inner}") }
}
