//! A listing back into the file that it was made of: the code is written from the listing alone.

use crate::codec::{Codec, Job, ReadError};
use crate::input::{Input, push_bytes};
use crate::output::{Reporter, Status, Stop};
use crate::replace::replace;
use crate::source::{Comments, LineFault, Mark, Source};
use isa_object::{Compression, Contents, EntryKind, Object};
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::path::Path;

/// Assembles a listing of `disasm --control` into a copy of its file.
pub(crate) struct PutBack<'a> {
    /// The listing; standard input without it.
    pub(crate) listing: Option<&'a Path>,
    /// The file that it was made of.
    pub(crate) old: &'a Path,
    /// The file that is written.
    pub(crate) new: &'a Path,
    pub(crate) reporter: &'a Reporter,
}

/// Where the code of a section stands in the file.
struct Place {
    /// The file inside the file, from 1.
    object: usize,
    index: usize,
    name: String,
    /// Where it stands in memory.
    address: u64,
    /// Where its bytes are; `None` if they are compressed.
    bytes: Option<Range<usize>>,
}

/// A section as a listing has it.
#[derive(Default)]
struct Listed {
    /// Which of the places.
    place: Option<usize>,
    /// The lines of the listing, with their numbers.
    lines: Vec<(usize, String)>,
}

/// What stands in a line of a section.
struct Item<'l> {
    number: usize,
    line: &'l str,
    address: u64,
    source: Source<'l>,
}

impl Job for PutBack<'_> {
    fn run<C: Codec>(self, mut codec: C) -> Result<Status, Stop> {
        let old = super::read(self.old)?;
        let places = self.places(&old, &isa_object::contents(&old))?;
        let comments = Comments::new(&codec.literals());
        let mut lines = Input::open(self.listing)?.lines("a listing is");
        let file = lines.name.clone();
        let mut sections =
            Sections { into: &self, file: &file, places: &places, is_listed: HashSet::new(), new: old, failed: false };
        let mut object = None;
        let mut section: Option<Listed> = None;
        while let Some((number, line)) = lines.next()? {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words.as_slice() {
                [".object", rest @ ..] => {
                    sections.end(section.take(), &comments, &mut codec);
                    object = rest.first().and_then(|number| number.parse::<usize>().ok());
                }
                [".section", rest @ ..] => {
                    sections.end(section.take(), &comments, &mut codec);
                    section = Some(Listed { place: sections.begin(number, line, object, rest), lines: Vec::new() });
                }
                _ => match &mut section {
                    Some(section) => section.lines.push((number, line.to_owned())),
                    None if Source::new(line, &comments).text().is_empty() => {}
                    None => {
                        let message = "no `.section` precedes it: this is not a listing of `isagen disasm --control`";
                        sections.fault(number, line, 0..line.len(), message);
                        break;
                    }
                },
            }
        }
        sections.end(section, &comments, &mut codec);
        sections.check_complete();
        if sections.failed {
            return Ok(Status::Findings);
        }
        let new = sections.new;
        replace(self.new, &new).map_err(|error| Stop::file(self.new, &error))?;
        Ok(Status::Clean)
    }
}

impl PutBack<'_> {
    /// The sections with code of the file.
    fn places(&self, old: &[u8], contents: &Contents<'_>) -> Result<Vec<Place>, Stop> {
        let stop = |error: &isa_object::Error| Stop::new(format!("{}: {error}", self.old.display()));
        if let Some(fault) = contents.faults.first() {
            return Err(stop(fault));
        }
        let mut places = Vec::new();
        for (number, entry) in contents.entries.iter().enumerate().filter(|(_, entry)| entry.kind == EntryKind::Elf) {
            let data = entry.data().map_err(|error| stop(&error))?;
            let parsed = Object::parse(&data).map_err(|error| stop(&error))?;
            for code in &parsed.sections {
                let start = entry.offset + code.offset;
                let is_plain = entry.compression == Compression::None;
                let bytes = is_plain.then(|| start..(start + code.data.len()).min(old.len()));
                let name = super::on_one_line(&code.name);
                places.push(Place { object: number + 1, index: code.index, name, address: code.address, bytes });
            }
        }
        Ok(places)
    }
}

/// The sections that have been read, and the file that they make.
struct Sections<'a> {
    into: &'a PutBack<'a>,
    /// The name of the listing.
    file: &'a str,
    places: &'a [Place],
    is_listed: HashSet<usize>,
    new: Vec<u8>,
    failed: bool,
}

impl Sections<'_> {
    fn fault(&mut self, number: usize, line: &str, at: Range<usize>, message: &str) {
        self.failed = true;
        self.into.reporter.line_finding(self.file, number, line, at, message);
    }

    /// Finds the section that a line begins: its number and its name.
    fn begin(&mut self, number: usize, line: &str, object: Option<usize>, words: &[&str]) -> Option<usize> {
        let index = words.first().and_then(|word| word.parse::<usize>().ok());
        let name = words.get(1..).unwrap_or_default().join(" ");
        let first = self.places.first().map(|place| place.object);
        let object = object.or(first);
        let found = self.places.iter().position(|place| {
            Some(place.object) == object
                && Some(place.index) == index
                && place.name.split_whitespace().eq(name.split_whitespace())
        });
        let old = self.into.old.display();
        let message = match found.map(|found| (found, &self.places[found].bytes)) {
            None => format!("{old} has no such section"),
            Some((_, None)) => format!("it is compressed in {old}: only code that stands there as it is can be replaced"),
            Some((found, _)) if !self.is_listed.insert(found) => "the section occurs twice".to_owned(),
            Some((found, _)) => return Some(found),
        };
        self.fault(number, line, 0..line.trim_end().len(), &message);
        None
    }

    /// Assembles the lines of a section.
    fn end<C: Codec>(&mut self, section: Option<Listed>, comments: &Comments, codec: &mut C) {
        let Some(Listed { place: Some(place), lines }) = section else { return };
        let place = &self.places[place];
        let Some(range) = place.bytes.clone() else { return };
        let (start, size) = (place.address, range.len() as u64);
        let mut labels: HashMap<String, u64> = HashMap::new();
        let mut items: Vec<Item<'_>> = Vec::new();
        let fixed = crate::assembly::fixed(codec).map(crate::input::bytes_of);
        // Labels without an instruction behind them yet.
        let mut ahead: Vec<(usize, &str, String, usize)> = Vec::new();
        let mut address = Some(start);
        for (number, line) in &lines {
            let (source, is_word) = match refused(line) {
                Some(word) => (Source::new(word, comments), true),
                None => (Source::new(line, comments), false),
            };
            if let Some(fault) = &source.fault {
                self.fault(*number, line, fault.at.clone(), &fault.message);
                continue;
            }
            for mark in &source.marks {
                match mark {
                    Mark::Address(at) => address = Some(*at),
                    Mark::Label(name, at) => ahead.push((*number, line, name.clone(), *at)),
                }
            }
            if source.text().is_empty() && !is_word {
                continue;
            }
            let Some(here) = address else {
                self.fault(*number, line, 0..line.trim_end().len(), "an address is needed: instructions have several lengths");
                continue;
            };
            for (number, line, name, at) in ahead.drain(..) {
                if labels.insert(name.clone(), here).is_some() {
                    self.fault(
                        number,
                        line,
                        at..at + name.len(),
                        &format!("the label `{name}` is already defined in this section"),
                    );
                }
            }
            address = fixed.map(|length| here.wrapping_add(length));
            items.push(Item { number: *number, line, address: here, source });
        }
        for (_, _, name, _) in ahead {
            labels.insert(name, start.wrapping_add(size));
        }
        let mut bytes = Vec::with_capacity(range.len());
        for (index, item) in items.iter().enumerate() {
            let Item { number, line, address, ref source } = *item;
            let due = start.wrapping_add(bytes.len() as u64);
            let at = source.at()..source.at() + source.text().len();
            let next = items.get(index + 1).map_or(start.wrapping_add(size), |item| item.address);
            if address != due {
                let message = format!("it is at {address:#x}, but the next address to fill is {due:#x}");
                self.fault(number, line, 0..line.trim_end().len(), &message);
                return;
            }
            if let Err(LineFault { at, message }) = assemble(codec, item, next, &labels, &mut bytes) {
                self.fault(number, line, at, &message);
                // What follows keeps its place.
                bytes.resize(next.wrapping_sub(start).min(size) as usize, 0);
            } else if bytes.len() as u64 > size {
                self.fault(number, line, at, &format!("the section ends at {:#x}", start.wrapping_add(size)));
                return;
            }
        }
        if bytes.len() as u64 != size {
            let (name, end) = (&place.name, start.wrapping_add(size));
            let message = format!(
                "{}: {name} ends at {:#x}, but must be filled up to {end:#x}",
                self.file,
                start.wrapping_add(bytes.len() as u64)
            );
            self.failed = true;
            self.into.reporter.fault("into", &message, None);
        } else {
            self.new[range].copy_from_slice(&bytes);
        }
    }

    /// Every section of the files inside the file that the listing is about is there.
    fn check_complete(&mut self) {
        let objects: HashSet<usize> = self.is_listed.iter().map(|place| self.places[*place].object).collect();
        if objects.is_empty() && !self.failed {
            self.failed = true;
            let message = format!("{}: there is no section in it", self.file);
            self.into.reporter.fault("into", &message, Some("`isagen disasm --control` prints a listing with sections"));
        }
        for (index, place) in self.places.iter().enumerate() {
            if objects.contains(&place.object) && !self.is_listed.contains(&index) {
                self.failed = true;
                let message = format!("{}: section {} {} is missing", self.file, place.index, place.name);
                self.into.reporter.fault(
                    "into",
                    &message,
                    Some("all code is written from the listing: it must contain every section of the file"),
                );
            }
        }
    }
}

/// The address and the word of a line that says why a word has no text: `! 0x40: 0x1234: reason`.
fn refused(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("! ")?;
    let (place, word) = rest.split_once(": ")?;
    let (digits, _) = word.split_once(": ")?;
    let is_word = |text: &str| text.strip_prefix("0x").is_some_and(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()));
    (is_word(place) && is_word(digits)).then(|| &rest[..place.len() + 2 + digits.len()])
}

/// Appends the bytes of an item, which have to reach the next one.
fn assemble<C: Codec>(
    codec: &mut C,
    item: &Item<'_>,
    next: u64,
    labels: &HashMap<String, u64>,
    out: &mut Vec<u8>,
) -> Result<(), LineFault> {
    let (text, start) = (item.source.text(), item.source.at());
    let fault = |at: Range<usize>, message: String| LineFault { at: start + at.start..start + at.end, message };
    let room = next.wrapping_sub(item.address);
    let before = out.len();
    if item.line.starts_with("! ") {
        // Bytes that are no word stand as they are in memory.
        let digits = text.strip_prefix("0x").unwrap_or(text);
        let shape = codec.shape();
        let bits = digits.len() as u32 * 4;
        if shape.lengths.contains(&bits)
            && let Some(word) = crate::digits::parse_hex::<C::Word>(digits.as_bytes())
        {
            push_bytes(shape, word, bits, out);
        } else {
            let bytes =
                digits.as_bytes().chunks(2).filter_map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok());
            out.extend(bytes);
        }
    } else {
        let statement = codec.read(text, item.address, &|name| labels.get(name).copied());
        let statement = statement.map_err(|ReadError { at, message }| {
            let word = crate::assembly::word_at(text, at);
            fault(word, message)
        })?;
        push_bytes(codec.shape(), statement.word, codec.length(statement.form), out);
    }
    let length = (out.len() - before) as u64;
    if length == room {
        return Ok(());
    }
    out.truncate(before);
    Err(fault(0..text.len(), format!("it takes {length} bytes, and there are {room} before the next one")))
}
