//! An instruction set as tables for the engine (`isa_runtime::engine`): plain data, from which come images and statics.
//!
//! - `decode`: which bits index, which rows there are, what must be true of a word;
//! - `text`: what prints a text;
//! - `read`: what reads a text;
//! - `back`: which texts can be read in one way only.

mod back;
mod decode;
mod read;
mod text;

use crate::backend::{Backend, File};
use isa_runtime::engine::tables as t;
use isa_runtime::engine::{Bits, Owned, Str, image};
use isa_spec::diag::Diagnostic;
use isa_spec::model::{Field, Form, Isa, Kind, PlainKind, Prefer, Radix, Word};
use isa_spec::sets::{Solver, TooLarge, WordSet};
use std::collections::HashMap;
use std::hash::Hash;

/// The tables of an instruction set whose words are of type `W`.
///
/// # Errors
/// When the tables would be larger than their numbers can say, or a set of words takes a diagram that is too large.
pub fn tables<W: Bits>(isa: &Isa) -> Result<Owned<W>, Box<Diagnostic>> {
    let mut b = Builder::new(isa);
    b.head();
    b.names();
    for insn in &isa.instructions {
        b.insn(insn)?;
    }
    for form in &isa.forms {
        b.form(form)?;
    }
    for (i, known) in back::forms(isa).iter().enumerate() {
        let one_way = b.set(&known.one_way);
        let row = &mut b.out.forms[i];
        row.one_way = one_way;
        row.flags |= if known.is_alone { t::ALONE } else { 0 };
    }
    decode::lengths(&mut b)?;
    b.holes();
    b.longest();
    read::templates(&mut b)?;
    Ok(b.out)
}

/// The image back end: `NAME.isat`, an [`image()`].
#[derive(Debug)]
pub struct Image;

impl Backend for Image {
    fn name(&self) -> &'static str {
        "image"
    }

    fn emit(&self, isa: &Isa) -> Result<Vec<File>, Box<Diagnostic>> {
        Ok(vec![File::new(format!("{}.isat", isa.name), image(isa)?)])
    }
}

/// The tables of an instruction set as bytes, for the smallest words of the engine that hold its own.
///
/// # Errors
/// When there are no such tables, as with [`tables`].
pub fn image(isa: &Isa) -> Result<Vec<u8>, Box<Diagnostic>> {
    match word_bits(isa) {
        32 => written::<u32>(isa),
        64 => written::<u64>(isa),
        128 => written::<u128>(isa),
        _ => written::<Word>(isa),
    }
}

/// Bits of the smallest words of the engine that hold those of an instruction set.
pub(crate) fn word_bits(isa: &Isa) -> u32 {
    let longest = isa.forms.iter().map(|form| form.length).fold(isa.max_bits(), u32::max);
    [32, 64, 128].into_iter().find(|bits| longest <= *bits).unwrap_or(Word::BITS)
}

/// The forms in the order in which their texts are tried.
pub(crate) fn reading_order(isa: &Isa) -> Vec<&Form> {
    let mut forms: Vec<&Form> = isa.forms.iter().collect();
    if isa.prefer == Prefer::Shortest {
        forms.sort_by_key(|form| form.length);
    }
    forms
}

/// Bytes of the longest text, with what `--full` adds.
pub(crate) fn longest_text(isa: &Isa) -> usize {
    let longest = |form: &Form| {
        let text = text::longest(isa, form, &form.text).max(text::longest(isa, form, form.base()));
        text + 1 + text::longest(isa, form, &form.full)
    };
    isa.forms.iter().map(longest).max().unwrap_or(0)
}

fn written<W: Bits>(isa: &Isa) -> Result<Vec<u8>, Box<Diagnostic>> {
    Ok(image::write(&tables::<W>(isa)?))
}

/// Tables that are being made: what is equal is there once.
struct Builder<'a, W> {
    isa: &'a Isa,
    out: Owned<W>,
    strings: HashMap<String, Str>,
    numbered: Interned<Str>,
    fields: Interned<t::Field>,
    ranges: HashMap<Vec<t::Range>, t::Rows>,
    lists: HashMap<Vec<u16>, t::Rows>,
    numbers: Interned<t::Number>,
    nodes: Interned<t::Node>,
    truth: HashMap<Vec<u64>, u32>,
    entries: HashMap<Vec<t::Entry>, u32>,
    ops: HashMap<Vec<t::Op>, t::Rows>,
    tests: Interned<t::Test>,
    cubes: Interned<t::Cube<W>>,
    exclusions: HashMap<Vec<t::Exclusion>, t::Rows>,
    rules: HashMap<Vec<t::Rule>, t::Rows>,
    fixed: HashMap<Vec<t::Fixed>, t::Rows>,
    accesses: HashMap<Vec<t::Access>, t::Rows>,
    control: HashMap<Vec<t::ControlItem>, t::Rows>,
}

/// Rows by what they are.
type Interned<T> = HashMap<T, u32>;

/// The number of a row, which is added if it is new.
fn intern<T: Copy + Eq + Hash>(known: &mut Interned<T>, table: &mut Vec<T>, row: T) -> u32 {
    *known.entry(row).or_insert_with(|| {
        table.push(row);
        table.len() as u32 - 1
    })
}

/// Where consecutive rows stand, which are added if they are new.
fn intern_rows<T: Copy + Eq + Hash>(known: &mut HashMap<Vec<T>, t::Rows>, table: &mut Vec<T>, rows: Vec<T>) -> t::Rows {
    if rows.is_empty() {
        return t::Rows::default();
    }
    if let Some(at) = known.get(&rows) {
        return *at;
    }
    let at = t::Rows { at: table.len() as u32, len: rows.len() as u32 };
    table.extend(&rows);
    known.insert(rows, at);
    at
}

/// Where consecutive rows begin, which are added if they are new.
fn intern_block<T: Copy + Eq + Hash>(known: &mut HashMap<Vec<T>, u32>, table: &mut Vec<T>, rows: Vec<T>) -> u32 {
    if let Some(at) = known.get(&rows) {
        return *at;
    }
    let at = table.len() as u32;
    table.extend(&rows);
    known.insert(rows, at);
    at
}

/// A word of the model as one of the tables'.
fn word<W: Bits>(word: Word) -> W {
    W::from_wide(word)
}

/// The number of something that tables have at most 65,535 of.
fn short(count: usize, what: &str, isa: &Isa) -> Result<u16, Box<Diagnostic>> {
    match u16::try_from(count) {
        Ok(n) if n != u16::MAX => Ok(n),
        _ => {
            let message = format!("tables have room for 65534 {what}, and `{}` has more", isa.name);
            Err(Box::new(Diagnostic::error("too-large", message, isa.span)))
        }
    }
}

/// What is said of a set that takes too large a diagram.
fn too_large(form: &Form) -> impl Fn(TooLarge) -> Box<Diagnostic> {
    let (name, span) = (form.name.clone(), form.fixed.first().map(|f| f.span).unwrap_or_default());
    move |error| Box::new(Diagnostic::error("too-large", format!("the words of {name}: {error}"), span))
}

impl<'a, W: Bits> Builder<'a, W> {
    fn new(isa: &'a Isa) -> Self {
        let mut b = Self {
            isa,
            out: Owned::default(),
            strings: HashMap::new(),
            numbered: HashMap::new(),
            fields: HashMap::new(),
            ranges: HashMap::new(),
            lists: HashMap::new(),
            numbers: HashMap::new(),
            nodes: HashMap::new(),
            truth: HashMap::new(),
            entries: HashMap::new(),
            ops: HashMap::new(),
            tests: HashMap::new(),
            cubes: HashMap::new(),
            exclusions: HashMap::new(),
            rules: HashMap::new(),
            fixed: HashMap::new(),
            accesses: HashMap::new(),
            control: HashMap::new(),
        };
        // `no` and `yes`, as diagrams and as truth tables.
        b.out.nodes = vec![t::Node::default(), t::Node { bit: 0, lo: 1, hi: 1 }];
        b.truth_table(vec![0]);
        b.truth_table(vec![u64::MAX; 1 << (decode::TRUTH_BITS - 6)]);
        b
    }

    fn str(&mut self, text: &str) -> Str {
        if text.is_empty() {
            return Str::default();
        }
        if let Some(known) = self.strings.get(text) {
            return *known;
        }
        let at = Str { at: self.out.bytes.len() as u32, len: text.len() as u32 };
        self.out.bytes.extend_from_slice(text.as_bytes());
        self.strings.insert(text.to_owned(), at);
        at
    }

    /// The number of a string.
    fn string(&mut self, text: &str) -> u32 {
        let text = self.str(text);
        intern(&mut self.numbered, &mut self.out.strings, text)
    }

    fn list(&mut self, list: Vec<u16>) -> t::Rows {
        intern_rows(&mut self.lists, &mut self.out.lists, list)
    }

    fn ranges(&mut self, bits: &isa_spec::model::Bits) -> t::Rows {
        let ranges = bits.0.iter().map(|r| t::Range { hi: r.hi as u8, lo: r.lo as u8 }).collect();
        intern_rows(&mut self.ranges, &mut self.out.ranges, ranges)
    }

    fn truth_table(&mut self, table: Vec<u64>) -> u32 {
        intern_block(&mut self.truth, &mut self.out.truth, table)
    }

    /// The root of a diagram.
    fn set(&mut self, set: &WordSet) -> u32 {
        let mut numbers = vec![0, 1];
        let (nodes, root) = set.diagram();
        for (bit, lo, hi) in nodes {
            let node = t::Node { bit: bit as u8, lo: numbers[lo as usize], hi: numbers[hi as usize] };
            numbers.push(intern(&mut self.nodes, &mut self.out.nodes, node));
        }
        numbers[root as usize]
    }

    fn cube(&mut self, mask: Word, value: Word) -> u32 {
        let cube = t::Cube { mask: word(mask), value: word(value & mask) };
        intern(&mut self.cubes, &mut self.out.cubes, cube)
    }

    fn head(&mut self) {
        let isa = self.isa;
        let flag = |is: bool, flag: u8| if is { flag } else { 0 };
        self.out.head = t::Head {
            name: self.str(&isa.name),
            summary: self.str(&isa.summary),
            unit: isa.words.unit as u16,
            flags: flag(isa.words.low_first, t::LOW_FIRST)
                | flag(isa.words.little_endian, t::LITTLE_ENDIAN)
                | flag(isa.is_text(), t::TEXT_ONLY),
            longest: 0,
        };
        for region in &isa.space {
            let name = self.str(&region.name);
            let row = t::Region { name, first: region.first, last: region.last, open: region.open as u8 };
            self.out.regions.push(row);
        }
    }

    /// Register files and enumerations.
    fn names(&mut self) {
        for file in &self.isa.registers {
            let names = file.special.iter().map(|name| (name, 0)).chain(file.also.iter().map(|name| (name, 1)));
            let special: Vec<t::Named> =
                names.map(|((value, name), also)| t::Named { value: *value, text: self.str(name), also }).collect();
            let special = self.named(special);
            let mut rows = Vec::new();
            for row in file.names.iter().flat_map(|names| &names.0) {
                let at = self.out.parts.len() as u32;
                self.out.parts.extend(row.iter().map(|part| t::Part {
                    of: part.of,
                    flags: if part.may_be_missing { t::MISSING } else { 0 } | if part.repeats { t::REPEATS } else { 0 },
                }));
                rows.push(t::Rows { at, len: row.len() as u32 });
            }
            let spellings = t::Rows { at: self.out.spellings.len() as u32, len: rows.len() as u32 };
            self.out.spellings.extend(rows);
            let halves = file.halves.as_ref().map_or([Str::default(); 2], |halves| [self.str(&halves[0]), self.str(&halves[1])]);
            let row = t::Registers {
                name: self.str(&file.name),
                prefix: self.str(&file.prefix),
                suffix: self.str(&file.suffix),
                halves,
                halved: file.halves.is_some().into(),
                count: file.count,
                special,
                spellings,
                of: self.str(file.part_of.map_or(&file.name, |part| &self.isa.registers[part.file.index()].name)),
                from: file.part_of.map_or(0, |part| part.from),
            };
            self.out.registers.push(row);
        }
        for e in &self.isa.enums {
            let mut values: Vec<t::Named> =
                e.values.iter().map(|v| t::Named { value: v.value, text: self.str(&v.text), also: 0 }).collect();
            // One value can have two names: the first is printed.
            values.sort_by_key(|v| v.value);
            values.dedup_by_key(|v| v.value);
            // Read in the order of the values; what is longer comes first.
            let mut texts: Vec<(usize, t::Named)> = Vec::new();
            for v in &e.values {
                for (i, text) in v.read().enumerate() {
                    let row = t::Named { value: v.value, text: self.str(text), also: (i > 0).into() };
                    texts.push((text.len(), row));
                }
            }
            texts.sort_by_key(|(len, _)| std::cmp::Reverse(*len));
            let around = e.otherwise.as_ref().map_or([Str::default(); 2], |o| [self.str(&o.before), self.str(&o.after)]);
            let row = t::Enum {
                name: self.str(&e.name),
                values: self.named(values),
                texts: self.named(texts.into_iter().map(|t| t.1).collect()),
                around,
                open: e.otherwise.as_ref().map_or(0, |other| if other.is_hex { 16 } else { 10 }),
            };
            self.out.enums.push(row);
        }
    }

    fn named(&mut self, rows: Vec<t::Named>) -> t::Rows {
        let at = t::Rows { at: self.out.names.len() as u32, len: rows.len() as u32 };
        self.out.names.extend(rows);
        at
    }

    fn insn(&mut self, insn: &isa_spec::model::Instruction) -> Result<(), Box<Diagnostic>> {
        let row = t::Insn {
            name: self.str(&insn.name),
            mnemonic: self.str(&insn.mnemonic),
            names: insn.names.len() as u16,
            first: short(insn.forms.start.index(), "forms", self.isa)?,
            forms: short(insn.forms.end.index() - insn.forms.start.index(), "forms", self.isa)?,
        };
        self.out.insns.push(row);
        Ok(())
    }

    /// The number of a field.
    fn field(&mut self, form: &Form, index: usize) -> Result<u16, Box<Diagnostic>> {
        let field = &form.fields[index];
        let name = form.names.iter().find(|n| n.field == index);
        let (kind, of) = match &field.kind {
            Kind::Int { .. } => {
                let number = self.number(field);
                (t::NUMBER, intern(&mut self.numbers, &mut self.out.numbers, number))
            }
            Kind::Register(id) => (if name.is_some() { t::NAME } else { t::REGISTER }, id.0),
            Kind::Enum(id) => (t::ENUM, id.0),
            Kind::Flag(text) => (t::FLAG, self.string(text)),
            Kind::Bitset(letters) => (t::LETTERS, self.string(letters)),
        };
        let row = t::Field {
            path: self.str(&field.path),
            ranges: self.ranges(&field.bits),
            width: field.bits.width() as u8,
            kind,
            flags: if field.inverted { t::INVERTED } else { 0 } | if field.wraps { t::WRAPS } else { 0 },
            place: name.map_or(0, |n| n.place as u8),
            of,
        };
        let number = intern(&mut self.fields, &mut self.out.fields, row);
        short(number as usize, "different fields", self.isa)
    }

    fn number(&self, field: &Field) -> t::Number {
        let Kind::Int { signed, scale, bias, radix, target } = &field.kind else { return t::Number::default() };
        let [radix, digits] = printed(radix.unwrap_or(self.isa.numbers));
        t::Number {
            scale: *scale,
            bias: *bias,
            target: target.unwrap_or(0),
            flags: if *signed { t::SIGNED } else { 0 } | if target.is_some() { t::TARGET } else { 0 },
            radix,
            digits,
            modulo: isa_spec::codec::modulus(self.isa, field).unwrap_or(0) as u8,
        }
    }

    fn form(&mut self, form: &Form) -> Result<(), Box<Diagnostic>> {
        let plain = |what: fn(PlainKind) -> bool| {
            form.plain.iter().filter(|p| what(p.what)).fold(Word::ZERO, |mask, p| mask | p.bits.mask())
        };
        let mut fields = Vec::new();
        for i in 0..form.fields.len() {
            fields.push(self.field(form, i)?);
        }
        let fixed: Vec<t::Fixed> = form
            .fixed
            .iter()
            .map(|f| t::Fixed { name: self.str(&f.name), ranges: self.ranges(&f.bits), value: f.value })
            .collect();
        let fixed = intern_rows(&mut self.fixed, &mut self.out.fixed, fixed);
        let mut exclusions = Vec::new();
        for e in &form.exclusions {
            let field = match e.field {
                Some(i) => fields[i],
                None => t::NO_FIELD,
            };
            exclusions.push(t::Exclusion { when: self.set(&e.when.words), field, why: self.str(&e.why) });
        }
        let exclusions = intern_rows(&mut self.exclusions, &mut self.out.exclusions, exclusions);
        let mut rules = Vec::new();
        for rule in &form.constraints {
            let about = self.list(rule.fields.iter().map(|i| fields[*i]).collect());
            rules.push(t::Rule { holds: self.set(&rule.that.words), fields: about, why: self.str(&rule.why) });
        }
        let rules = intern_rows(&mut self.rules, &mut self.out.rules, rules);
        let mut accesses = Vec::new();
        for access in &form.accesses {
            let [reads, writes] = [access.reads, access.writes].map(|count| u8::try_from(count).unwrap_or(u8::MAX));
            let when = access.when.as_ref().map_or(1, |when| self.set(&when.words));
            accesses.push(t::Access { field: fields[access.field], when, reads, writes });
        }
        let accesses = intern_rows(&mut self.accesses, &mut self.out.accesses, accesses);
        let mut control = Vec::new();
        for item in &form.control {
            control.push(t::ControlItem {
                list: self.str(&item.list),
                item: self.str(&item.item),
                when: self.set(&item.when.words),
            });
        }
        let control = intern_rows(&mut self.control, &mut self.out.control, control);
        let row = t::Form {
            name: self.str(&form.name),
            insn: short(form.instruction.index(), "instructions", self.isa)?,
            length: form.length as u16,
            flags: if form.has_base { t::HAS_BASE } else { 0 },
            mask: word(form.mask),
            value: word(form.value),
            default: word(form.default_word()),
            reserved: word(plain(|p| p == PlainKind::Reserved)),
            kept: word(plain(|p| p != PlainKind::Reserved)),
            fields: self.list(fields),
            fixed,
            words: self.set(&form.words),
            legal: self.set(&form.legal),
            one_way: 0,
            exclusions,
            rules,
            accesses,
            control,
        };
        let texts = t::Texts {
            text: text::ops(self, form, &form.text)?,
            base: text::ops(self, form, form.base())?,
            full: text::ops(self, form, &form.full)?,
        };
        self.out.texts.push(texts);
        short(self.out.forms.len(), "forms", self.isa)?;
        self.out.forms.push(row);
        Ok(())
    }

    fn holes(&mut self) {
        for hole in &self.isa.holes {
            let row = t::Hole {
                name: self.str(&hole.name),
                refusal: self.str(&hole.refusal()),
                length: hole.length as u16,
                mask: word(hole.words.mask),
                value: word(hole.words.value),
            };
            self.out.holes.push(row);
        }
    }

    /// How long texts can be.
    fn longest(&mut self) {
        self.out.head.longest = u32::try_from(longest_text(self.isa)).unwrap_or(u32::MAX);
    }

    fn solver(&self, length: u32) -> Solver<'a> {
        Solver::new(self.isa.order(length))
    }
}

/// A number format as tables have it: radix and least number of digits, or bits of a floating-point number.
fn printed(radix: Radix) -> [u8; 2] {
    match radix {
        Radix::Hex => [16, 1],
        Radix::Dec => [10, 1],
        Radix::Padded(digits) => [10, digits],
        Radix::Float(format) => [t::FLOAT, format],
    }
}
