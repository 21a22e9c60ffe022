//! The engine of tables.

use crate::codec::{
    Accessed, Anatomy, Codec, ControlField, ControlItem, ControlKind, FieldBits, FieldId, FixedBits, FormInfo, ObjectFiles,
    ReadError, Refused, Statement, Style, UsedRegisters, Word, WordShape,
};
use isa_runtime::Assembly;
use isa_runtime::engine::image::BadImage;
use isa_runtime::engine::print::Out;
use isa_runtime::engine::read::{self, Reader, Symbols};
use isa_runtime::engine::tables::{
    DIFFERS, FLAG, FULL, Field, Fixed, Form, HOLDS, LITERAL, NO_FIELD, NUMBER, REGISTER, Range, Rows, SET, TEXT_ONLY, VALUE,
};
use isa_runtime::engine::{Bits, Common, Tables, image};
use isa_runtime::word::BitRange;
use std::collections::HashSet;

/// The codec of an image.
///
/// # Errors
/// When the bytes are not an image of this version, or are damaged.
pub fn open<'t>(image: &'t [u8], style: Style) -> Result<Box<dyn Codec + 't>, BadImage> {
    fn on<W: Bits>(image: &[u8], style: Style) -> Result<Box<dyn Codec + '_>, BadImage> {
        Ok(Box::new(Engine::new(image::read::<W>(image)?, style)))
    }
    match image::word_bytes(image)? {
        4 => on::<u32>(image, style),
        8 => on::<u64>(image, style),
        16 => on::<u128>(image, style),
        _ => on::<Word>(image, style),
    }
}

/// The codec of an image for words of 256 bits, which `image::widest` makes of any: a program with this function alone has the
/// engine once, and not for each length of words.
///
/// # Errors
/// When the bytes are not such an image, or are damaged.
pub fn open_widest<'t>(image: &'t [u8], style: Style) -> Result<Box<dyn Codec + 't>, BadImage> {
    Ok(Box::new(Engine::new(image::read::<Word>(image)?, style)))
}

/// The object files of an instruction set, from an image of this version.
pub fn object_files(image: &[u8]) -> Option<ObjectFiles> {
    ObjectFiles::of(&Common::new(image).ok()?)
}

/// The instruction set that reads such files, among those given by name and image. Among several, it is the one with the most
/// forms: the others are parts of it.
pub fn reader_of<'n>(
    sets: impl IntoIterator<Item = (&'n str, &'n [u8])>,
    reads: impl Fn(&ObjectFiles) -> bool,
) -> Option<&'n str> {
    let all: Vec<_> = sets.into_iter().filter(|set| object_files(set.1).is_some_and(|of| reads(&of))).collect();
    let forms = |set: &(&str, &[u8])| open(set.1, Style::default()).ok().map(|codec| codec.forms());
    match all[..] {
        [one] => Some(one.0),
        _ => all.into_iter().max_by_key(forms).map(|set| set.0),
    }
}

/// The engine with the tables of an instruction set.
struct Engine<'t, W> {
    tables: Tables<'t, W>,
    shape: WordShape,
    style: Style,
    /// Created when the first text is read, or printed in full.
    reader: Option<Reader<'t, W>>,
    /// Buffer for a text.
    text: Vec<u8>,
    full: String,
}

fn reader<W: Bits>(tables: Tables<'_, W>, style: Style) -> Reader<'_, W> {
    let reader = Reader::new(tables).with_lengths(style.lengths);
    if style.aliases { reader } else { reader.without_aliases() }
}

impl<'t, W: Bits> Engine<'t, W> {
    fn new(tables: Tables<'t, W>, style: Style) -> Self {
        let has = |flag| tables.head().flags & flag != 0;
        // In a text-only instruction set, words are internal to the tables.
        let words = tables.lengths.iter().filter(|_| !has(TEXT_ONLY));
        let shape = WordShape { units: tables.units(), lengths: words.map(|length| length.bits.into()).collect() };
        Self { tables, shape, style, reader: None, text: vec![0; tables.room()], full: String::new() }
    }

    /// The operations that print the texts of a form.
    #[inline]
    fn text(&self, form: usize) -> Rows {
        let texts = self.tables.texts(form as u16);
        if self.style.aliases { texts.text } else { texts.base }
    }

    fn row(&self, form: usize) -> Form<W> {
        self.tables.forms.get(form).unwrap_or_default()
    }

    /// The bits of some ranges.
    fn bits(&self, ranges: Rows) -> Vec<BitRange> {
        let range = |range: Range| BitRange { hi: range.hi.into(), lo: range.lo.into() };
        self.tables.ranges.slice(ranges).iter().map(range).collect()
    }
}

impl<W: Bits> Codec for Engine<'_, W> {
    fn fork(&self) -> Box<dyn Codec + '_> {
        Box::new(Self::new(self.tables, self.style))
    }

    fn name(&self) -> &str {
        self.tables.text(self.tables.head().name)
    }

    fn objects(&self) -> Option<ObjectFiles> {
        ObjectFiles::of(&self.tables)
    }

    fn shape(&self) -> &WordShape {
        &self.shape
    }

    fn assembly(&self) -> Assembly {
        Assembly::of(&self.tables)
    }

    fn length_of(&self, unit: Word) -> Option<u32> {
        self.tables.length_of(W::from_wide(unit))
    }

    fn no_word(&self, unit: Word) -> String {
        self.tables.no_word(W::from_wide(unit)).to_string()
    }

    #[inline]
    fn decode(&self, word: Word, bits: u32) -> Result<usize, Refused> {
        let word = W::from_wide(word);
        self.tables.find(word, bits).map(usize::from).map_err(|why| Refused::new(&why))
    }

    fn forms(&self) -> usize {
        self.tables.forms.len()
    }

    fn length(&self, form: usize) -> u32 {
        self.row(form).length.into()
    }

    fn form(&self, form: usize) -> FormInfo<'_> {
        let row = self.row(form);
        let insn = self.tables.insns.get(usize::from(row.insn)).unwrap_or_default();
        let field = |field: Field| (self.tables.text(field.path), self.tables.shown_bits(&field).to_string());
        FormInfo {
            mnemonic: self.tables.text(insn.mnemonic),
            name: self.tables.text(row.name),
            fields: self.tables.fields_of(&row).map(field).collect(),
        }
    }

    fn closest(&self, word: Word, bits: u32) -> Option<usize> {
        let word = W::from_wide(word);
        self.tables.closest_form(word, bits).map(usize::from)
    }

    fn anatomy(&self, form: usize, word: Word) -> Anatomy<'_> {
        let word = W::from_wide(word);
        let (tables, row) = (&self.tables, self.row(form));
        let field = |field: Field| FieldBits {
            path: tables.text(field.path),
            bits: self.bits(field.ranges),
            is_default: tables.raw(&field, word) == tables.raw(&field, row.default),
            flag: (field.label == FLAG)
                .then(|| (tables.name_of(field.spelling, 1).unwrap_or_default(), tables.index(&field, word) == 1)),
        };
        let fixed = |fixed: Fixed| FixedBits { name: tables.text(fixed.name), bits: self.bits(fixed.ranges) };
        let own = tables.lists.slice(row.fields);
        let place = |number: u16| own.iter().position(|own| own == number);
        let broken = tables.rules.slice(row.rules).iter().filter(|rule| !tables.is_in(rule.holds, word));
        let excluded = tables.exclusions.slice(row.exclusions).iter().filter(|exclusion| tables.is_in(exclusion.when, word));
        Anatomy {
            name: tables.text(row.name),
            length: row.length.into(),
            fields: tables.fields_of(&row).map(field).collect(),
            fixed: tables.fixed.slice(row.fixed).iter().map(fixed).collect(),
            mask: row.mask.wide(),
            value: row.value.wide(),
            reserved: row.reserved.wide(),
            kept: row.kept.wide(),
            accesses: tables
                .accesses(&row, word)
                .filter_map(|access| {
                    Some(Accessed { place: place(access.field)?, reads: access.reads.into(), writes: access.writes.into() })
                })
                .collect(),
            excluded: excluded
                .map(|exclusion| {
                    (Some(exclusion.field).filter(|field| *field != NO_FIELD).and_then(place), tables.text(exclusion.why))
                })
                .collect(),
            broken: broken
                .map(|rule| (tables.lists.slice(rule.fields).iter().filter_map(place).collect(), tables.text(rule.why)))
                .collect(),
        }
    }

    fn has_target(&self, form: usize) -> bool {
        self.tables.fields_of(&self.row(form)).any(|field| self.tables.is_target(&field))
    }

    fn field_ids(&self, form: usize) -> Vec<FieldId> {
        let spellings = self.tables.spellings.len();
        let id = |field: Field| FieldId {
            number: field.code as usize * spellings + field.spelling as usize,
            is_target: self.tables.is_target(&field),
        };
        self.tables.fields_of(&self.row(form)).map(id).collect()
    }

    fn is_distance(&self, form: usize) -> bool {
        let row = self.row(form);
        let mut numbers = self.tables.fields_of(&row).filter(|field| field.label == NUMBER);
        matches!((numbers.next(), numbers.next()), (Some(field), None) if self.tables.is_distance(&field))
    }

    fn has_literal(&self, begins: &dyn Fn(char) -> bool) -> bool {
        let tables = &self.tables;
        tables.steps.iter().filter(|step| step.kind == LITERAL).any(|step| {
            let literal = tables.bytes_of(tables.strings.get(step.of as usize).unwrap_or_default());
            literal.iter().find(|byte| **byte != b' ').is_some_and(|byte| begins(char::from(*byte)))
        })
    }

    fn control(&self, form: usize) -> Vec<ControlField> {
        let tables = &self.tables;
        let own = tables.lists.slice(self.row(form).fields);
        let template = tables.templates.iter().find(|template| usize::from(template.form) == form && template.which == 0);
        // The additions of `--full` are the last group of the printed text.
        let mut is_full = false;
        let mut open: Vec<u32> = template.iter().map(|template| template.step).collect();
        let (mut seen, mut fields) = (HashSet::new(), Vec::new());
        while let Some(at) = open.pop() {
            if !seen.insert(at) {
                continue;
            }
            let step = tables.steps.get(at as usize).unwrap_or_default();
            is_full |= step.kind == FULL;
            if is_full && step.kind == VALUE {
                let place = own.iter().position(|of| u32::from(of) == step.of);
                fields.extend(place.filter(|place| !fields.contains(place)));
            }
            // Steps come after their successors.
            match step.kind {
                FULL => open = vec![step.body],
                HOLDS | DIFFERS => open.extend([step.next, step.body].into_iter().filter(|next| *next < at)),
                _ => open.extend(Some(step.next).filter(|next| *next < at)),
            }
        }
        let kind = |place: usize| match tables.fields_of(&self.row(form)).nth(place).map(|field| field.label) {
            Some(FLAG) => ControlKind::Flag,
            Some(SET) => ControlKind::Letters,
            _ => ControlKind::Value,
        };
        fields.into_iter().map(|place| ControlField { place, kind: kind(place) }).collect()
    }

    fn control_items(&self, form: usize) -> Vec<ControlItem<'_>> {
        let items = self.tables.control(&self.row(form), W::default());
        let text = |of| self.tables.text(of);
        items.map(|(i, _)| ControlItem { list: text(i.list), item: Some(text(i.item)).filter(|item| !item.is_empty()) }).collect()
    }

    fn registers(&self, form: usize, word: Word, file: &str) -> Vec<UsedRegisters> {
        let word = W::from_wide(word);
        let (tables, row) = (&self.tables, self.row(form));
        let of_field = |(place, number): (usize, u16)| {
            let field = tables.fields.get(usize::from(number))?;
            let registers = tables.registers.get(field.of as usize).filter(|_| field.label == REGISTER)?;
            let first = tables.index(&field, word);
            if tables.text(registers.name) != file || tables.has_name(field.spelling, first) {
                return None;
            }
            let here = tables.accesses(&row, word).filter(|access| access.field == number);
            let count = here.map(|access| access.reads.max(access.writes)).max().unwrap_or(1).max(1);
            Some(UsedRegisters { place, last: first + u128::from(count) - 1 })
        };
        tables.lists.slice(row.fields).iter().enumerate().filter_map(of_field).collect()
    }

    fn numbers(&self, form: usize) -> Vec<usize> {
        let is_number = |field: &Field| field.label == NUMBER && field.width >= 16 && !self.tables.is_target(field);
        self.tables.fields_of(&self.row(form)).enumerate().filter(|(_, field)| is_number(field)).map(|(place, _)| place).collect()
    }

    fn only_writes(&self, form: usize, word: Word) -> bool {
        let word = W::from_wide(word);
        let (tables, row) = (&self.tables, self.row(form));
        let is_own = |number: u16| {
            let field = tables.fields.get(usize::from(number)).filter(|field| field.label == REGISTER)?;
            Some(!tables.has_name(field.spelling, tables.index(&field, word)))
        };
        let mut here = tables.accesses(&row, word).filter(|access| is_own(access.field) == Some(true));
        let writes = tables.accesses(&row, word).any(|access| access.writes > 0);
        writes && here.all(|access| access.reads == 0)
    }

    fn has_items(&self, form: usize, word: Word, out: &mut Vec<bool>) {
        out.extend(self.tables.control(&self.row(form), W::from_wide(word)).map(|(_, is_there)| is_there));
    }

    #[inline]
    fn raw_fields(&self, form: usize, word: Word, out: &mut Vec<u128>) {
        let word = W::from_wide(word);
        out.extend(self.tables.fields_of(&self.row(form)).map(|field| self.tables.raw(&field, word)));
    }

    // Texts fit, and are cut if a damaged image says that they are shorter than they are.
    #[inline]
    fn print(&mut self, form: usize, word: Word, address: u64, out: &mut Vec<u8>) {
        let word = W::from_wide(word);
        let rows = self.text(form);
        let mut text = Out::new(&mut self.text);
        self.tables.print(rows, word, address, &[], &mut text);
        out.extend_from_slice(text.as_bytes());
    }

    #[inline]
    fn print_full(&mut self, form: usize, word: Word, address: u64, out: &mut Vec<u8>) -> usize {
        let word = W::from_wide(word);
        self.full.clear();
        let (tables, style) = (self.tables, self.style);
        let text =
            self.reader.get_or_insert_with(|| reader(tables, style)).print_full(form as u16, word, address, &mut self.full);
        out.extend_from_slice(self.full.as_bytes());
        text
    }

    fn print_statement(&mut self, statement: &Statement, address: u64, out: &mut Vec<u8>) {
        if statement.names.is_empty() {
            return self.print(statement.form, statement.word, address, out);
        }
        let names: Vec<&str> = statement.names.iter().map(String::as_str).collect();
        let longest = names.iter().map(|name| name.len()).max().unwrap_or(0);
        // Several fields can have the same name.
        let fields = self.tables.fields_of(&self.row(statement.form)).count();
        let mut room = vec![0; self.tables.room() + longest * fields];
        let mut text = Out::new(&mut room);
        self.tables.print(self.text(statement.form), W::from_wide(statement.word), address, &names, &mut text);
        out.extend_from_slice(text.as_bytes());
    }

    fn print_value(&self, form: usize, field: usize, word: Word, address: u64, out: &mut Vec<u8>) {
        let word = W::from_wide(word);
        let start = out.len();
        out.resize(start + self.tables.room(), 0);
        let mut text = Out::new(&mut out[start..]);
        if let Some(field) = self.tables.fields_of(&self.row(form)).nth(field) {
            self.tables.print_value(&field, self.tables.raw(&field, word), address, &mut text);
        }
        let length = text.as_bytes().len();
        out.truncate(start + length);
    }

    #[inline]
    fn set_lengths(&mut self, lengths: read::Lengths) {
        self.style.lengths = lengths;
        if let Some(reader) = &mut self.reader {
            reader.set_lengths(lengths);
        }
    }

    fn try_read(&mut self, text: &str, address: u64, symbols: Symbols<'_>) -> Option<Statement> {
        let (tables, style) = (self.tables, self.style);
        let read = self.reader.get_or_insert_with(|| reader(tables, style)).try_read(text, address, symbols)?;
        let read::Statement { form, word, names } = read;
        Some(Statement { form: form.into(), word: word.wide(), names })
    }

    fn read(&mut self, text: &str, address: u64, symbols: Symbols<'_>) -> Result<Statement, ReadError> {
        let (tables, style) = (self.tables, self.style);
        match self.reader.get_or_insert_with(|| reader(tables, style)).read(text, address, symbols) {
            Ok(read::Statement { form, word, names }) => Ok(Statement { form: form.into(), word: word.wide(), names }),
            Err(error) => Err(ReadError { at: error.at, message: error.to_string() }),
        }
    }

    fn begins(&mut self, text: &str) -> bool {
        let (tables, style) = (self.tables, self.style);
        self.reader.get_or_insert_with(|| reader(tables, style)).begins(text)
    }
}
