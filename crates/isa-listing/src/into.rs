//! Assembles a listing into the file that it was made from: the code depends only on the listing.

use crate::header;
use crate::moved::{Moved, moved, pointers};
use crate::on_one_line;
use isa_asm::lines::{Comments, LineFault, Source};
use isa_asm::{Piece, PieceKind, Program};
use isa_engine::digits::parse_hex;
use isa_engine::{Codec, Word};
use isa_object::{Code, Compression, EntryKind, Error, LineTable, Object};
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;

/// An error in a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The line with its number, from 1, and the bytes of it; `None` if the error concerns the whole listing.
    pub place: Option<(usize, String, Range<usize>)>,
    /// The message.
    pub message: String,
    /// A suggestion.
    pub help: Option<&'static str>,
}

/// The place of a section's code in the file.
struct Place {
    /// The file inside the file, from 1.
    object: usize,
    name: String,
    code: Code<'static>,
    lines: Rc<LineTable>,
    /// The range of its bytes; `None` if they are compressed.
    bytes: Option<Range<usize>>,
}

/// The number of moved things that are named.
const MOST_MOVED: usize = 16;

/// A section of a listing.
#[derive(Default)]
struct Listed {
    /// Its index among the places.
    place: Option<usize>,
    /// The lines of the listing, with their numbers.
    lines: Vec<(usize, String)>,
}

/// Assembles a listing of `disasm --control` into a copy of its file, line by line.
pub struct PutBack<'a> {
    codec: Box<dyn Codec + 'a>,
    comments: Comments,
    /// The number of the current file inside the file, and the current section.
    object: Option<usize>,
    section: Option<Listed>,
    is_over: bool,
    sections: Sections<'a>,
}

impl<'a> PutBack<'a> {
    /// A listing in `file`, of the object file `old` with this `name`.
    ///
    /// # Errors
    /// When the file can't be read as a whole.
    pub fn new(codec: Box<dyn Codec + 'a>, file: &str, (name, old): (&str, &'a [u8])) -> Result<Self, Error> {
        let sections = Sections {
            name: name.to_owned(),
            file: file.to_owned(),
            places: places(old)?.into(),
            is_listed: HashSet::new(),
            old,
            new: old.to_vec(),
            faults: Vec::new(),
        };
        let comments = Comments::new(&codec.assembly());
        Ok(Self { codec, comments, object: None, section: None, is_over: false, sections })
    }

    /// Reads the next line.
    pub fn line(&mut self, number: usize, line: &str) {
        if self.is_over {
            return;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            [".object", rest @ ..] => {
                self.end();
                self.object = rest.first().and_then(|number| number.parse::<usize>().ok());
            }
            [".section", rest @ ..] => {
                self.end();
                let place = self.sections.begin(number, line, self.object, rest);
                self.section = Some(Listed { place, lines: Vec::new() });
            }
            _ => match &mut self.section {
                Some(section) => section.lines.push((number, line.to_owned())),
                None if Source::new(line, &self.comments).text().is_empty() => {}
                None => {
                    let message = "no `.section` precedes it: this is not a listing of `isagen disasm --control`";
                    self.sections.fault(number, line, 0..line.len(), message);
                    self.is_over = true;
                }
            },
        }
    }

    fn end(&mut self) {
        self.sections.end(self.section.take(), &self.comments, &mut *self.codec);
    }

    /// The bytes of the new file.
    ///
    /// # Errors
    /// The errors in the listing.
    pub fn finish(mut self) -> Result<Vec<u8>, Vec<Fault>> {
        self.end();
        self.sections.check_complete();
        if self.sections.faults.is_empty() { Ok(self.sections.new) } else { Err(self.sections.faults) }
    }
}

/// The sections with code of a file.
fn places(old: &[u8]) -> Result<Vec<Place>, Error> {
    let contents = isa_object::contents(old);
    if let Some(fault) = contents.faults.into_iter().next() {
        return Err(fault);
    }
    let mut places = Vec::new();
    for (number, entry) in contents.entries.iter().enumerate().filter(|(_, entry)| entry.kind == EntryKind::Elf) {
        let data = entry.data()?;
        let parsed = Object::parse(&data)?.into_owned();
        let lines = Rc::new(parsed.lines());
        for code in parsed.sections {
            let start = entry.offset + code.offset;
            let is_plain = entry.compression == Compression::None;
            let bytes = is_plain.then(|| start..(start + code.data.len()).min(old.len()));
            let name = on_one_line(&code.name);
            places.push(Place { object: number + 1, name, code, lines: lines.clone(), bytes });
        }
    }
    Ok(places)
}

/// The sections that have been read, and the resulting file.
struct Sections<'a> {
    /// The names of the old file and of the listing.
    name: String,
    file: String,
    places: Rc<[Place]>,
    is_listed: HashSet<usize>,
    old: &'a [u8],
    new: Vec<u8>,
    faults: Vec<Fault>,
}

impl Sections<'_> {
    fn fault(&mut self, number: usize, line: &str, at: Range<usize>, message: &str) {
        let place = Some((number, line.to_owned(), at));
        self.faults.push(Fault { place, message: message.to_owned(), help: None });
    }

    /// Reports an error that concerns the whole listing.
    fn fault_of_all(&mut self, message: String, help: Option<&'static str>) {
        self.faults.push(Fault { place: None, message, help });
    }

    /// Finds the section that begins at a line: its number and its name.
    fn begin(&mut self, number: usize, line: &str, object: Option<usize>, words: &[&str]) -> Option<usize> {
        let index = words.first().and_then(|word| word.parse::<usize>().ok());
        let name = words.get(1..).unwrap_or_default().join(" ");
        let first = self.places.first().map(|place| place.object);
        let object = object.or(first);
        let found = self.places.iter().position(|place| {
            Some(place.object) == object
                && Some(place.code.index) == index
                && place.name.split_whitespace().eq(name.split_whitespace())
        });
        let old = &self.name;
        let message = match found.map(|found| (found, &self.places[found].bytes)) {
            None => format!("{old} has no such section"),
            Some((_, None)) => format!(
                "it is compressed in {old}, and can't be replaced in place: take the cubin out with `cuobjdump -xelf all`, and edit that"
            ),
            Some((found, _)) if !self.is_listed.insert(found) => "the section occurs twice".to_owned(),
            Some((found, _)) => return Some(found),
        };
        self.fault(number, line, 0..line.trim_end().len(), &message);
        None
    }

    /// Assembles the lines of a section, as a program that begins at its address.
    fn end(&mut self, section: Option<Listed>, comments: &Comments, codec: &mut dyn Codec) {
        let Some(Listed { place: Some(place), lines }) = section else { return };
        let places = self.places.clone();
        let place = &places[place];
        let Some(range) = place.bytes.clone() else { return };
        let (start, size) = (place.code.address, range.len() as u64);
        let program = match self.assembled(place, &lines, comments, codec) {
            Ok(program) => program,
            Err(message) => return self.fault_of_all(message, None),
        };
        let faults = program.faults_in_order().filter(|fault| !fault.is_warning);
        self.faults.extend(faults.map(|fault| {
            let line = text_of(&lines, fault.line);
            // The line of a word without a text is another one for the assembler.
            let (line, at) = if refused(line).is_some() { (line, 0..line.len()) } else { (&*fault.text, fault.at.clone()) };
            Fault { place: Some((fault.line, line.to_owned(), at)), message: fault.message.clone(), help: None }
        }));
        if program.has_failed() {
            return;
        }
        let limit = place.code.resources.as_ref().and_then(|resources| resources.registers);
        let objects = codec.objects();
        let counted = objects.as_ref().and_then(|object| object.registers.as_deref()).zip(limit);
        let items: Vec<Piece<'_>> = program.pieces().filter(|piece| !piece.bytes.is_empty()).collect();
        let (mut bytes, mut is_good) = (Vec::with_capacity(range.len()), true);
        for (index, item) in items.iter().enumerate() {
            let (number, line, address) = (item.line, text_of(&lines, item.line), item.address);
            let due = start.wrapping_add(bytes.len() as u64);
            let next = items.get(index + 1).map_or(start.wrapping_add(size), |item| item.address);
            if address != due {
                let message = format!(
                    "it is at {address:#x}, but the next address to fill is {due:#x}: after lines were added or removed, take the addresses out"
                );
                return self.fault(number, line, 0..line.trim_end().len(), &message);
            }
            let at = match &item.kind {
                PieceKind::Word { at, .. } if at.end <= line.len() => at.clone(),
                _ => line.len() - line.trim_start().len()..line.trim_end().len(),
            };
            let (is_last, before) = (index + 1 == items.len(), bytes.len());
            let mut message = no_room(item, next, is_last);
            bytes.extend_from_slice(item.bytes);
            if let (PieceKind::Word { form, .. }, Some(counted), None) = (&item.kind, counted, &message)
                && Some(item.bytes) != self.old.get(range.start + before..range.start + bytes.len())
            {
                let word = codec.shape().units.read(item.bytes);
                if let Some(LineFault { at: own, message }) =
                    exceeded(codec, (*form, word), (&line[at.clone()], address), counted)
                {
                    is_good = false;
                    self.fault(number, line, at.start + own.start..at.start + own.end, &message);
                }
            } else if let Some(message) = message.take() {
                is_good = false;
                self.fault(number, line, at, &message);
                // The code that follows keeps its place.
                bytes.resize(next.wrapping_sub(start).min(size) as usize, 0);
            }
        }
        if bytes.len() as u64 != size {
            let (name, end) = (&place.name, start.wrapping_add(size));
            let message = format!(
                "{}: {name} ends at {:#x}, but must be filled up to {end:#x}",
                self.file,
                start.wrapping_add(bytes.len() as u64)
            );
            self.fault_of_all(message, None);
        } else if is_good {
            let labels = program.symbols.iter().filter(|symbol| symbol.is_defined && symbol.section.is_some());
            let labels = labels.map(|symbol| (symbol.name.to_string(), symbol.value)).collect();
            if !self.has_moved(place, &range, &bytes, &labels, (&items, &lines), codec) {
                self.new[range].copy_from_slice(&bytes);
            }
        }
    }

    /// The program of a section's lines.
    fn assembled(
        &mut self,
        place: &Place,
        lines: &[(usize, String)],
        comments: &Comments,
        codec: &dyn Codec,
    ) -> Result<Program, String> {
        let sections = vec![(".text".to_owned(), place.code.address)];
        let options = isa_asm::Options { sections, overlaps: true, ..isa_asm::Options::default() };
        let mut assembler = isa_asm::Assembler::new(codec.fork(), &self.file, options)?;
        for (number, line) in lines {
            if let Some(message) = self.other_resources(place, line, comments) {
                self.fault(*number, line, 0..line.trim_end().len(), &message);
            }
            let word = refused(line).map(|word| statement_of(word, codec));
            assembler.line(*number, word.as_deref().unwrap_or(line)).map_err(|full| full.0)?;
        }
        Ok(assembler.finish())
    }

    /// Reports references of the file to places in a section that the new code has moved; returns whether there are any.
    fn has_moved(
        &mut self,
        place: &Place,
        range: &Range<usize>,
        new: &[u8],
        labels: &HashMap<String, u64>,
        (items, lines): (&[Piece<'_>], &[(usize, String)]),
        codec: &mut dyn Codec,
    ) -> bool {
        let old = &self.old[range.clone()];
        if old == new {
            return false;
        }
        let Place { code, lines: table, .. } = place;
        let functions: Vec<(String, u64)> = code.functions.iter().map(|f| (f.name.clone().into_owned(), f.offset)).collect();
        let (moved, first) = moved(codec, (old, new), code.address, pointers(code, table), labels, &functions);
        if moved.is_empty() {
            return false;
        }
        let at = |offset: u64| code.address.wrapping_add(offset);
        let mut named: Vec<String> = Vec::new();
        for Moved { what, from, to } in moved.iter().take(MOST_MOVED) {
            named.push(match to {
                Some(to) => format!("{what}: {:#x}, now at {:#x}", at(*from), at(*to)),
                None => format!("{what}: {:#x}, which is gone", at(*from)),
            });
        }
        if moved.len() > MOST_MOVED {
            named.push(format!("and {} more", moved.len() - MOST_MOVED));
        }
        let message = format!(
            "from here on instructions are at other addresses, and {} of {} would point at the wrong ones; replace instructions in place: {}",
            format_args!("{} reference{}", moved.len(), if moved.len() == 1 { "" } else { "s" }),
            self.name,
            named.join("; ")
        );
        let first = items.partition_point(|item| item.address < at(first)).min(items.len().saturating_sub(1));
        match items.get(first) {
            Some(item) => {
                let line = text_of(lines, item.line);
                self.fault(item.line, line, 0..line.trim_end().len(), &message);
            }
            None => self.fault_of_all(message, None),
        }
        true
    }

    /// The error for a comment that contradicts the kernel's resources in the file.
    fn other_resources(&self, place: &Place, line: &str, comments: &Comments) -> Option<String> {
        let said = line.trim_start().strip_prefix(comments.mark()?)?.trim();
        let resources = place.code.resources.as_ref()?;
        let known = header::said(resources);
        if known.iter().any(|line| line == said) {
            return None;
        }
        let kind = |text: &str| text.trim_end_matches(|c: char| c != ',' && c != ':').split(' ').next().map(str::to_owned);
        let is_number =
            |text: &str| text.split([' ', ',']).nth(1).is_some_and(|n| n == "?" || n.bytes().all(|b| b.is_ascii_digit()));
        let (said, file) = if said.starts_with("registers ") && is_number(said) && said.contains(", stack ") {
            let file = known.first()?;
            said.split(", ").zip(file.split(", ")).find(|(said, file)| said != file)?
        } else if said.starts_with("param_") && said.contains(": c[") || said.starts_with("threads of a block: ") {
            let same = known.iter().find(|line| kind(line) == kind(said));
            (said, same.map_or("nothing of it", String::as_str))
        } else {
            return None;
        };
        let old = &self.name;
        Some(format!(
            "the listing says `{said}`, and {old} `{file}`: resources of a kernel can't be changed; restore the line, or compile the kernel with other limits"
        ))
    }

    /// Checks that every section of the listed files inside the file is present.
    fn check_complete(&mut self) {
        let objects: HashSet<usize> = self.is_listed.iter().map(|place| self.places[*place].object).collect();
        if objects.is_empty() && self.faults.is_empty() {
            let message = format!("{}: there is no section in it", self.file);
            self.fault_of_all(message, Some("`isagen disasm --control` prints a listing with sections"));
        }
        let places = self.places.clone();
        for (index, place) in places.iter().enumerate() {
            if objects.contains(&place.object) && !self.is_listed.contains(&index) {
                let message = format!("{}: section {} {} is missing", self.file, place.code.index, place.name);
                self.fault_of_all(
                    message,
                    Some("all code is written from the listing: it must contain every section of the file"),
                );
            }
        }
    }
}

/// The line with a number.
fn text_of(lines: &[(usize, String)], number: usize) -> &str {
    lines.binary_search_by_key(&number, |(own, _)| *own).map_or("", |place| &lines[place].1)
}

/// The address and the word of a line for a word without a text: `! 0x40: 0x1234: reason`.
fn refused(line: &str) -> Option<(&str, &str)> {
    let (place, word) = line.strip_prefix("! ")?.split_once(": ")?;
    let (digits, _) = word.split_once(": ")?;
    let is_word = |text: &str| text.strip_prefix("0x").is_some_and(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()));
    (is_word(place) && is_word(digits)).then(|| (place, &digits[2..]))
}

/// The statement for a word without a text: bytes at its address.
fn statement_of((place, digits): (&str, &str), codec: &dyn Codec) -> String {
    let shape = codec.shape();
    let bits = digits.len() as u32 * 4;
    let word = parse_hex(digits.as_bytes()).filter(|_| shape.lengths.contains(&bits));
    let bytes: Vec<String> = match word {
        Some(word) => shape.units.write(word, bits).map(|byte| byte.to_string()).collect(),
        // Bytes that are not a word are written in the order of memory.
        None => (0..digits.len() / 2).map(|at| format!("0x{}", &digits[2 * at..2 * at + 2])).collect(),
    };
    format!("{place}: .byte {}", bytes.join(", "))
}

/// The error for registers that a kernel does not have; `counted` are the register file and the number of registers.
fn exceeded(
    codec: &dyn Codec,
    (form, word): (usize, Word),
    (text, address): (&str, u64),
    (file, limit): (&str, u32),
) -> Option<LineFault> {
    let used = codec.registers(form, word, file);
    let used = used.iter().filter(|used| used.last >= u128::from(limit)).max_by_key(|used| used.last)?;
    let name = codec.value_text(form, used.place, word, address);
    let is_name = |at: &usize| {
        let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        !is_part(text[..*at].chars().next_back()) && !is_part(text[*at + name.len()..].chars().next())
    };
    let place = text.match_indices(&*name).map(|(at, _)| at).find(is_name).filter(|_| !name.is_empty());
    let at = place.map_or(0..text.len(), |at| at..at + name.len());
    let wrong = match name.ends_with(&used.last.to_string()) {
        true => format!("`{name}` is not a register of this kernel: it"),
        false => format!("this instruction accesses the registers from `{name}` to number {}: this kernel", used.last),
    };
    let message =
        format!("{wrong} has {limit}, from 0 to {}, and the number can't be changed", u64::from(limit).saturating_sub(1));
    Some(LineFault { at, message })
}

/// The error for bytes that do not reach exactly to the next ones.
fn no_room(item: &Piece<'_>, next: u64, is_last: bool) -> Option<String> {
    let (here, length) = (item.address, item.bytes.len() as u64);
    if length == next.wrapping_sub(here) {
        return None;
    }
    Some(match (is_last, next.checked_sub(here)) {
        (false, Some(0)) => format!(
            "there is no room for this instruction: the next line is at {here:#x}, too; delete the addresses of the lines after it, and a `NOP` for each instruction that is added"
        ),
        (true, None | Some(0)) => format!(
            "there is no room for this instruction: the section ends at {next:#x}, and code can't grow; delete as many instructions as are added"
        ),
        (false, _) => format!(
            "this instruction takes {length} bytes from {here:#x} on, and the next line is at {next:#x}; fill the gap with `NOP`, or delete the addresses"
        ),
        (true, _) => format!(
            "this instruction takes {length} bytes from {here:#x} on, and the section ends at {next:#x}; fill the gap with `NOP`"
        ),
    })
}
