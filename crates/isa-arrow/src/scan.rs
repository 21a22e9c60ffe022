//! All instructions of object files, in batches.

use crate::schema::scan_schema;
use crate::strings::Names;
use crate::{Error, Placed};
use arrow_array::{ArrayRef, RecordBatch, RecordBatchReader, UInt32Array};
use arrow_schema::{ArrowError, SchemaRef};
use isa_engine::{ObjectFiles, Style, word_at};
use isa_object::{Code, EntryKind, FunctionKind, Object};
use std::collections::HashMap;
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

/// Rows of a batch, at most.
pub const BATCH: usize = 1 << 13;
/// The number of batches made in advance.
const AHEAD: usize = 1;

/// A machine's number in ELF, and an architecture.
type Arch = (Option<u16>, String);

/// Instruction sets, with the files that each reads.
#[derive(Default)]
pub struct Sets {
    all: Vec<(String, Arc<[u8]>)>,
    /// The first one reads all files.
    is_forced: bool,
    /// The place of the one that reads a machine and an architecture, after the first request.
    known: Mutex<HashMap<Arch, Option<usize>>>,
}

impl Sets {
    /// Instruction sets by name and image; the files choose among them.
    pub fn new(all: Vec<(String, Arc<[u8]>)>) -> Self {
        Self { all, is_forced: false, known: Mutex::default() }
    }

    /// An instruction set that reads all files.
    pub fn one(name: &str, image: Arc<[u8]>) -> Self {
        Self { all: vec![(name.to_owned(), image)], is_forced: true, known: Mutex::default() }
    }

    /// The image that reads ELF files of a machine and an architecture.
    fn image(&self, machine: Option<u16>, arch: &str) -> Option<&[u8]> {
        if self.is_forced {
            return self.all.first().map(|set| &*set.1);
        }
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let place = *known.entry((machine, arch.to_owned())).or_insert_with(|| {
            let sets = self.all.iter().map(|(name, image)| (name.as_str(), &**image));
            let is_own = |of: &ObjectFiles| Some(of.elf_machine) == machine && of.architectures.iter().any(|own| own == arch);
            let name = isa_engine::reader_of(sets, is_own)?;
            self.all.iter().position(|set| set.0 == name)
        });
        Some(&*self.all.get(place?)?.1)
    }
}

/// Options for scanning object files.
#[derive(Clone, Default)]
pub struct Scan {
    /// The instruction sets that read them.
    pub sets: Arc<Sets>,
    /// Leaves the column of fields null.
    pub no_fields: bool,
    /// Skips parts that can't be read, and code without an instruction set.
    pub lenient: bool,
    /// The value of the column `file`.
    pub file: Option<String>,
}

/// Passes all instructions of an object file to `give`, which ends the scan by returning false.
///
/// # Errors
/// When a part of the file can't be read, or no instruction set reads it, unless such parts are skipped.
pub fn scan(data: &[u8], of: &Scan, give: &mut dyn FnMut(RecordBatch) -> bool) -> Result<(), Error> {
    let contents = isa_object::contents(data);
    if let Some(fault) = contents.faults.first().filter(|_| !of.lenient) {
        return Err(fault.clone().into());
    }
    // Consecutive files that one instruction set reads have one table.
    let mut table: Option<Table<'_, '_>> = None;
    for (number, entry) in contents.entries.iter().enumerate().filter(|(_, entry)| entry.kind == EntryKind::Elf) {
        let Some(image) = of.sets.image(entry.machine, &entry.arch) else {
            if of.lenient {
                continue;
            }
            return Err(Error::NoReader(entry.arch.clone()));
        };
        if let Some(mut other) = table.take_if(|table| !std::ptr::eq(table.image, image))
            && !other.give(give)?
        {
            return Ok(());
        }
        let own = match &mut table {
            Some(table) => table,
            None => table.insert(Table::new(image, of)?),
        };
        let data = entry.data();
        let object = data.as_ref().map_err(Clone::clone).and_then(|data| Object::parse(data));
        let object = match object {
            Ok(object) => object,
            Err(_) if of.lenient => continue,
            Err(why) => return Err(why.into()),
        };
        for code in &object.sections {
            if !own.section(code, (number as u32 + 1, &entry.arch), give)? {
                return Ok(());
            }
        }
    }
    table.map_or(Ok(()), |mut table| table.give(give).map(drop))
}

/// Rows of files that one instruction set reads.
struct Table<'c, 'o> {
    image: &'c [u8],
    rows: Placed<'c>,
    of: &'o Scan,
    object: Vec<u32>,
    arch: Names,
    section: Names,
    function: Names,
}

impl<'c, 'o> Table<'c, 'o> {
    fn new(image: &'c [u8], of: &'o Scan) -> Result<Self, Error> {
        let codec = isa_engine::open(image, Style::default());
        let codec = codec.map_err(|why| ArrowError::InvalidArgumentError(why.to_string()))?;
        let rows = Placed::new(codec, !of.no_fields)?;
        let (arch, section, function) = (Names::new(), Names::new(), Names::new());
        Ok(Self { image, rows, of, object: Vec::new(), arch, section, function })
    }

    /// Adds the instructions of a section of a file, of this number and architecture; returns false if no more are wanted.
    fn section(
        &mut self,
        code: &Code<'_>,
        (object, arch): (u32, &str),
        give: &mut dyn FnMut(RecordBatch) -> bool,
    ) -> Result<bool, Error> {
        let functions: Vec<_> = code.functions.iter().filter(|function| function.kind != FunctionKind::Label).collect();
        let mut next = 0;
        let mut at = 0;
        while at < code.data.len() {
            let (length, word) = word_at(self.rows.codec(), &code.data[at..]);
            let offset = at as u64;
            while functions.get(next).is_some_and(|function| function.offset <= offset) {
                next += 1;
            }
            let inside = next.checked_sub(1).map(|last| functions[last]);
            let inside = inside.filter(|function| function.size == 0 || offset - function.offset < function.size);
            match inside {
                Some(function) => self.function.push(&function.name)?,
                None => self.function.push_null(),
            }
            self.object.push(object);
            self.arch.push(arch)?;
            self.section.push(&code.name)?;
            let address = code.address.wrapping_add(offset);
            match word {
                Ok(sized) => self.rows.push(sized, address)?,
                Err(why) => self.rows.refuse(&code.data[at..at + length], address, &why)?,
            }
            at += length;
            if self.rows.len() == BATCH && !self.give(give)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Passes on the rows so far; returns false if no more are wanted.
    fn give(&mut self, give: &mut dyn FnMut(RecordBatch) -> bool) -> Result<bool, Error> {
        let count = self.rows.len();
        if count == 0 {
            return Ok(true);
        }
        let mut file = Names::new();
        for _ in 0..count {
            match &self.of.file {
                Some(name) => file.push(name)?,
                None => file.push_null(),
            }
        }
        let mut columns: Vec<ArrayRef> = vec![
            Arc::new(file.finish()),
            Arc::new(UInt32Array::from(std::mem::take(&mut self.object))),
            Arc::new(self.arch.finish()),
            Arc::new(self.section.finish()),
            Arc::new(self.function.finish()),
        ];
        columns.extend(self.rows.columns()?);
        Ok(give(RecordBatch::try_new(scan_schema(), columns)?))
    }
}

/// The batches of an object file, made on a separate thread, one in advance.
pub struct Batches(Receiver<Result<RecordBatch, Error>>);

/// Scans a file on a separate thread, which ends when the batches are dropped.
pub fn batches(data: Arc<[u8]>, of: Scan) -> Batches {
    let (sender, receiver) = sync_channel(AHEAD);
    std::thread::spawn(move || {
        let result = scan(&data, &of, &mut |batch| sender.send(Ok(batch)).is_ok());
        if let Err(why) = result {
            // The batches may have been dropped.
            let _ = sender.send(Err(why));
        }
    });
    Batches(receiver)
}

impl Iterator for Batches {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = self.0.recv().ok()?;
        Some(batch.map_err(|why| match why {
            Error::Arrow(why) => why,
            why => ArrowError::ExternalError(Box::new(why)),
        }))
    }
}

impl RecordBatchReader for Batches {
    fn schema(&self) -> SchemaRef {
        scan_schema()
    }
}
