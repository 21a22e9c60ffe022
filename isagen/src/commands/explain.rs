//! `explain SPEC WORD`: a word, or the words of an instruction's text, taken apart.

use super::asm;
use crate::codec::{self, CodecKind, Job};
use crate::output::{Reporter, Status};
use crate::spec;
use isa_asm::Options;
use isa_docs::pages::provenance;
use isa_engine::digits::hex;
use isa_engine::{Accessed, Anatomy, Codec, Sized, Style};
use isa_spec::bits::{BitRange, ranges};
use isa_spec::errata::of_field;
use isa_spec::model::{Bits, Erratum, Form, Isa, Label, PlainKind, Subject, Word};
use isa_stream::{Content, Item, Out, Stop, out, parse_line};
use std::io::Write;

/// Take one word apart.
///
/// The word is given in hexadecimal, or as the text of an instruction. A pseudo-instruction has several words. Shows a ruler of
/// its bits, and every field with its value, meaning and source, and errata of the source. For a word that is refused: the reason,
/// and the form that it comes closest to. Only a specification contains documentation; an image has the rest.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A path, the name of a shipped instruction set, or an image (NAME.isat).
    spec: String,
    /// The word in hexadecimal, with all its digits, or `ADDRESS:WORD` if the address matters; or a text.
    word: String,
    /// The implementation that decodes and prints.
    #[arg(long, value_enum, default_value_t = CodecKind::Tables)]
    engine: CodecKind,
}

pub(crate) fn run(args: &Args, reporter: &Reporter) -> Result<Status, Stop> {
    let (spec, codec) = (&args.spec, (args.engine, Style::default()));
    if spec::is_image(spec) {
        return codec::with(spec, codec, true, reporter, Explain { isa: None, args, reporter });
    }
    match spec::model_with_words(spec, reporter)? {
        Ok(isa) => codec::with_model(spec, &isa, codec, Explain { isa: Some(&isa), args, reporter }),
        Err(status) => Ok(status),
    }
}

struct Explain<'a> {
    /// The specification, for documentation; `None` for an image.
    isa: Option<&'a Isa>,
    args: &'a Args,
    reporter: &'a Reporter,
}

impl Job for Explain<'_> {
    fn run(self, codec: &dyn Codec) -> Result<Status, Stop> {
        let Some(words) = self.words(codec)? else { return Ok(Status::Findings) };
        let mut out = out();
        let mut failed = false;
        for (number, (address, sized)) in words.into_iter().enumerate() {
            if number > 0 {
                writeln!(out)?;
            }
            failed |= !self.word(codec, address, sized, &mut out)?;
        }
        out.flush()?;
        if self.isa.is_none() {
            self.reporter.remark(&format!(
                "{}: documentation, sources and errata are not in an image; a specification has them",
                self.args.spec
            ));
        }
        Ok(Status::of(failed))
    }
}

impl Explain<'_> {
    /// The words that are given, by address; `None` if there are none, which is reported.
    fn words(&self, codec: &dyn Codec) -> Result<Option<Vec<(u64, Sized)>>, Stop> {
        let Self { args, reporter, .. } = self;
        let given = &args.word;
        let Some(item): Option<Item> = parse_line(given, codec.shape(), 0) else {
            return Err(Stop::new(format!("`{given}` is not a word")));
        };
        let message = match item.content {
            Ok(Content::Word(sized)) => return Ok(Some(vec![(item.address, sized)])),
            Ok(Content::Byte(_)) => format!("`{given}` is a byte of data, not a word"),
            Err(bad) if is_hexadecimal(given) => format!("`{}`: {}", bad.text, bad.reason),
            Err(_) => {
                let program = isa_asm::assemble(codec, "<arguments>", Options::default(), [given.as_str()]).map_err(Stop::new)?;
                if asm::report(&program, reporter) {
                    return Ok(None);
                }
                let word = |(address, form, word)| (address, Sized { word, bits: codec.length(form) });
                let words: Vec<_> = program.words(codec).map(word).collect();
                if !words.is_empty() {
                    return Ok(Some(words));
                }
                format!("`{given}` is not an instruction")
            }
        };
        reporter.cannot_run(&message, None);
        Ok(None)
    }

    /// Explains a word; returns true if it is an instruction.
    fn word(&self, codec: &dyn Codec, address: u64, Sized { word, bits }: Sized, out: &mut Out) -> Result<bool, Stop> {
        let mut head = Vec::new();
        hex(word, bits.div_ceil(4), &mut head);
        head.extend_from_slice(b"  ");
        let (form, is_refused) = match codec.decode(word, bits) {
            Ok(form) => {
                codec.fork().print_full(form, word, address, &mut head);
                (Some(form), false)
            }
            Err(refused) => {
                write!(head, "! {}", refused.message)?;
                (refused.form.or_else(|| codec.closest(word, bits)), true)
            }
        };
        head.push(b'\n');
        if let Some((number, executed)) = self.isa.filter(|_| is_refused).and_then(|isa| isa.executed(word, bits)) {
            head.extend_from_slice(b"the machine executes it as ");
            hex(executed, bits.div_ceil(4), &mut head);
            head.extend_from_slice(b"  ");
            codec.fork().print_full(number.index(), executed, address, &mut head);
            head.push(b'\n');
        }
        out.write_all(&head)?;
        if let Some(number) = form {
            let documented = self.isa.and_then(|isa| Some(Documented { isa, form: isa.forms.get(number)? }));
            let anatomy = codec.anatomy(number, word);
            let explained = Explained { codec, number, anatomy, documented, word, address };
            explained.heading(is_refused, out)?;
            explained.ruler(out)?;
            explained.table(out)?;
            explained.registers(out)?;
            explained.rules(out)?;
            if let Some(documented) = &explained.documented {
                documented.errata(out)?;
            }
        }
        Ok(!is_refused)
    }
}

/// True if a text has nothing but hexadecimal digits, perhaps after `0x`, and colons.
fn is_hexadecimal(text: &str) -> bool {
    text.trim().trim_start_matches("0x").chars().all(|c| c.is_ascii_hexdigit() || c == ':')
}

/// The number of words shown for an erratum; the pages of `docs` show all.
const MOST_EVIDENCE: usize = 3;

/// A word of a form.
struct Explained<'a> {
    codec: &'a dyn Codec,
    /// The number of the form.
    number: usize,
    anatomy: Anatomy<'a>,
    documented: Option<Documented<'a>>,
    word: Word,
    address: u64,
}

/// A form with its documentation.
struct Documented<'a> {
    isa: &'a Isa,
    form: &'a Form,
}

/// A row of the table: some bits of the word and their meaning.
struct Row {
    key: char,
    bits: Bits,
    name: String,
    meaning: String,
    source: String,
}

impl Explained<'_> {
    fn heading(&self, is_refused: bool, out: &mut Out) -> Result<(), Stop> {
        let closest = if is_refused { "closest form: " } else { "" };
        write!(out, "{closest}{}", self.anatomy.name)?;
        if let Some(Documented { isa, form }) = &self.documented {
            let instruction = isa.instruction(form.instruction);
            let source = provenance(isa, &instruction.doc);
            let observed = if form.observed || instruction.observed { ", observed and not documented" } else { "" };
            let source = if source.is_empty() { String::new() } else { format!(" ({source})") };
            write!(out, "{source}{observed}")?;
            if !instruction.summary.is_empty() {
                write!(out, "\n{}", instruction.summary)?;
            }
        }
        writeln!(out)?;
        Ok(())
    }

    /// Rows of 32 bits, each with the keys of the table below it.
    fn ruler(&self, out: &mut Out) -> Result<(), Stop> {
        let keys = self.keys();
        let mut top = self.anatomy.length;
        while top > 0 {
            let low = (top - 1) / 32 * 32;
            let range = (low..top).rev();
            let group = |bit: u32| {
                if bit.is_multiple_of(8) {
                    "  "
                } else if bit.is_multiple_of(4) {
                    " "
                } else {
                    ""
                }
            };
            let bits: String = range.clone().map(|b| format!("{}{}", u8::from(self.word.has(b)), group(b))).collect();
            let marks: String = range.map(|b| format!("{}{}", keys[b as usize], group(b))).collect();
            writeln!(out, "\n  {:>8}  {}", format!("{}..{low}", top - 1), bits.trim_end())?;
            writeln!(out, "  {:>8}  {}", "", marks.trim_end())?;
            top = low;
        }
        Ok(())
    }

    /// The key of each bit.
    fn keys(&self) -> Vec<char> {
        let mut keys = vec!['='; Word::BITS as usize];
        for row in self.rows() {
            for range in &row.bits.0 {
                keys[range.lo as usize..=range.hi as usize].fill(row.key);
            }
        }
        keys
    }

    fn table(&self, out: &mut Out) -> Result<(), Stop> {
        let source = if self.documented.is_some() { "source" } else { "" };
        let mut table = vec![["".into(), "bits".into(), "raw".into(), "field".into(), "value".into(), source.into()]];
        for row in self.rows() {
            let raw = format!("{:#x}", row.bits.get_all(self.word));
            table.push([row.key.to_string(), row.bits.to_string(), raw, row.name, row.meaning, row.source]);
        }
        let width = |column: usize| table.iter().map(|r: &[String; 6]| r[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<_> = (0..6).map(|c| width(c).min(48)).collect();
        writeln!(out)?;
        for row in &table {
            let cells: Vec<_> = row.iter().zip(&widths).map(|(cell, w)| format!("{cell:<w$}")).collect();
            writeln!(out, "  {}", cells.join("  ").trim_end())?;
        }
        Ok(())
    }

    /// Fields, fixed values and other bits, from the most significant on.
    fn rows(&self) -> Vec<Row> {
        let mut rows: Vec<Row> = Vec::new();
        let mut named = Word::ZERO;
        for (i, field) in self.anatomy.fields.iter().enumerate() {
            let bits = Bits(field.bits.clone());
            named |= bits.mask();
            let (prose, source) = self.documented.as_ref().map_or_else(Default::default, |documented| documented.field(i));
            let meaning = if prose.is_empty() { self.meaning(i) } else { format!("{}  {prose}", self.meaning(i)) };
            rows.push(Row { key: ' ', bits, name: field.path.to_owned(), meaning, source });
        }
        for (i, fixed) in self.anatomy.fixed.iter().enumerate() {
            let bits = Bits(fixed.bits.clone());
            named |= bits.mask();
            let source = self.documented.as_ref().map_or_else(String::new, |documented| documented.source_of_fixed(i));
            rows.push(self.fixed_row(fixed.name, bits, source));
        }
        for (range, what) in self.plain() {
            named |= range.mask();
            let (key, name, meaning) = match what {
                Some(PlainKind::Ignored) => ('-', "ignored", "ignored by the machine; kept"),
                Some(PlainKind::Unknown) => ('?', "unknown", "not documented; kept"),
                Some(PlainKind::Reserved) => ('0', "reserved", "must be zero"),
                None => ('-', "kept", "without a meaning"),
            };
            let is_wrong = what == Some(PlainKind::Reserved) && !(self.word & range.mask()).is_zero();
            let meaning = if is_wrong { "must be zero, and is not" } else { meaning };
            rows.push(Row { key, bits: Bits(vec![range]), name: name.into(), meaning: meaning.into(), source: String::new() });
        }
        for range in ranges(Word::ones(self.anatomy.length) & self.anatomy.mask & !named) {
            rows.push(self.fixed_row("", Bits(vec![range]), String::new()));
        }
        rows.sort_by_key(|r| std::cmp::Reverse(r.bits.0.first().map(|b| b.hi)));
        // Letters from the left; the few signs that are not letters keep their meaning.
        let mut letters = ('a'..='z').chain('A'..='Z').chain('α'..='ω');
        for row in rows.iter_mut().filter(|r| r.key == ' ') {
            row.key = letters.next().unwrap_or('*');
        }
        rows
    }

    /// The bits that are neither fields nor fixed; an image does not distinguish ignored ones from unknown ones.
    fn plain(&self) -> Vec<(BitRange, Option<PlainKind>)> {
        match &self.documented {
            Some(Documented { form, .. }) => form.plain.iter().map(|plain| (plain.bits, Some(plain.what))).collect(),
            None => {
                let reserved = ranges(self.anatomy.reserved).into_iter().map(|range| (range, Some(PlainKind::Reserved)));
                reserved.chain(ranges(self.anatomy.kept).into_iter().map(|range| (range, None))).collect()
            }
        }
    }

    fn fixed_row(&self, name: &str, bits: Bits, source: String) -> Row {
        let value = bits.get_all(self.anatomy.value);
        let is_right = bits.get_all(self.word) == value;
        let meaning = if is_right { "fixed".to_owned() } else { format!("≠ {value:#x}, which this form has") };
        Row { key: '=', bits, name: name.to_owned(), meaning, source }
    }

    /// The meaning of a field's value in this word.
    fn meaning(&self, place: usize) -> String {
        let field = &self.anatomy.fields[place];
        if self.anatomy.excluded.iter().any(|(of, _)| *of == Some(place)) {
            return "≠ a value that is not allowed".into();
        }
        match field.flag {
            Some((text, true)) => return format!("set: {text}"),
            Some((_, false)) => return "clear".into(),
            None => {}
        }
        let text = self.value_text(place);
        let text = if text.is_empty() { "(nothing printed)".to_owned() } else { text };
        let note = self.documented.as_ref().map_or("", |documented| documented.note(place, self.word));
        let default = if field.is_default { " (default)" } else { "" };
        if note.is_empty() { format!("{text}{default}") } else { format!("{text}  {note}{default}") }
    }

    fn value_text(&self, place: usize) -> String {
        self.codec.value_text(self.number, place, self.word, self.address)
    }

    /// The registers that the word reads and writes.
    fn registers(&self, out: &mut Out) -> Result<(), Stop> {
        let mut lead = "\n";
        for (verb, count) in [("reads", (|a| a.reads) as fn(&Accessed) -> u32), ("writes", |a| a.writes)] {
            let shown = |access: &Accessed| {
                let text = self.value_text(access.place);
                if count(access) == 1 { text } else { format!("{text} +: {}", count(access)) }
            };
            let list: Vec<String> = self.anatomy.accesses.iter().filter(|access| count(access) > 0).map(shown).collect();
            if !list.is_empty() {
                writeln!(out, "{lead}  {verb:<6} {}", list.join(", "))?;
                lead = "";
            }
        }
        Ok(())
    }

    /// The rules that the word violates, and the bits that are kept without a meaning.
    fn rules(&self, out: &mut Out) -> Result<(), Stop> {
        for (_, why) in &self.anatomy.excluded {
            writeln!(out, "\n  not this form: {why}")?;
        }
        for (fields, why) in &self.anatomy.broken {
            let fields: Vec<_> = fields.iter().map(|place| self.anatomy.fields[*place].path).collect();
            let fields = if fields.is_empty() { String::new() } else { format!(" ({})", fields.join(", ")) };
            writeln!(out, "\n  illegal: {why}{fields}")?;
        }
        let is_kept = |(range, what): &(BitRange, _)| *what != Some(PlainKind::Reserved) && !(self.word & range.mask()).is_zero();
        let kept = self.plain().into_iter().filter(is_kept);
        let kept: Vec<_> =
            kept.map(|(range, _)| format!("{range}={:#x}", self.word >> range.lo & Word::ones(range.width()))).collect();
        if !kept.is_empty() {
            writeln!(out, "\n  kept, without a meaning: {}", kept.join(", "))?;
        }
        Ok(())
    }
}

impl Documented<'_> {
    /// The first line of a field's description, and its source.
    fn field(&self, place: usize) -> (&str, String) {
        let field = &self.form.fields[place];
        let prose = if field.summary.is_empty() { &field.note } else { &field.summary };
        (prose.lines().next().unwrap_or(""), provenance(self.isa, &field.doc))
    }

    fn source_of_fixed(&self, place: usize) -> String {
        provenance(self.isa, &self.form.fixed[place].doc)
    }

    /// The note of the value that a field has, if it is one of an enumeration.
    fn note(&self, place: usize, word: Word) -> &str {
        let field = &self.form.fields[place];
        let Label::Enum(id) = field.label else { return "" };
        let value = field.index(field.bits.get(word));
        let values = &self.isa.enums[id.index()].values;
        values.iter().find(|v| v.value == value).map_or("", |v| v.note.as_str())
    }

    fn errata(&self, out: &mut Out) -> Result<(), Stop> {
        let instruction = self.isa.instruction(self.form.instruction);
        // Each erratum once, with the fields of this form that it is about.
        let mut found: Vec<(&Erratum, Vec<&str>)> = Vec::new();
        for field in &self.form.fields {
            for erratum in of_field(self.isa, self.form, field) {
                match found.iter_mut().find(|(known, _)| known.span == erratum.span) {
                    Some((_, fields)) => fields.push(&field.path),
                    None => found.push((erratum, vec![&field.path])),
                }
            }
        }
        for erratum in &instruction.errata {
            if found.iter().all(|(known, _)| known.span != erratum.span) {
                found.push((erratum, Vec::new()));
            }
        }
        if found.is_empty() {
            return Ok(());
        }
        writeln!(out, "\n  errata of {}:", instruction.name)?;
        for (Erratum { id, at, kind, says, is, by, evidence, .. }, fields) in found {
            let head: Vec<_> =
                [id.clone(), kind.clone(), provenance(self.isa, at)].into_iter().filter(|t| !t.is_empty()).collect();
            let fields = if fields.is_empty() { String::new() } else { format!(": {}", fields.join(", ")) };
            writeln!(out, "    {}{fields}", head.join(", "))?;
            let by = if by.is_empty() { String::new() } else { format!(" (by {by})") };
            for (label, text) in [("says", says.clone()), ("is", format!("{is}{by}"))] {
                if !text.is_empty() {
                    writeln!(out, "      {label:<5} {}", text.split_whitespace().collect::<Vec<_>>().join(" "))?;
                }
            }
            for one in evidence.iter().take(MOST_EVIDENCE) {
                let text = one.text.as_deref().unwrap_or("is refused");
                let of = match &one.of {
                    Subject::Word(word) => format!("{word:0width$x}", width = self.form.length.div_ceil(4) as usize),
                    Subject::Text(text) => text.clone(),
                };
                writeln!(out, "      {:<5} {of}  {text}", "as")?;
            }
            if evidence.len() > MOST_EVIDENCE {
                writeln!(out, "      {:<5} and {} more", "", evidence.len() - MOST_EVIDENCE)?;
            }
        }
        Ok(())
    }
}
