//! `explain SPEC WORD`: one word, taken apart.

use crate::codec::{self, Codec, CodecKind, Job, Style};
use crate::digits::hex;
use crate::input::{Item, parse_line};
use crate::output::{Out, Reporter, Status, Stop, out};
use crate::spec;
use isa_codegen::docs::provenance;
use isa_runtime::engine::Bits as _;
use isa_spec::bits::ranges;
use isa_spec::errata::of_field;
use isa_spec::model::{Access, Bits, Doc, Erratum, Form, Isa, Kind, PlainKind, Subject, Word};
use std::io::Write;

/// Take one word apart.
///
/// Shows a ruler of its bits, every field with its value and meaning, where that is documented, where the
/// document is wrong. For a word that is refused: why, and the form that it comes closest to.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A path, or the name of a shipped instruction set.
    spec: String,
    /// The word in hexadecimal, with all its digits; `ADDRESS:WORD` where the address matters.
    word: String,
    /// What decodes and prints.
    #[arg(long, value_enum, default_value_t = CodecKind::Tables)]
    engine: CodecKind,
}

pub(crate) fn run(args: &Args, reporter: &Reporter) -> Result<Status, Stop> {
    let isa = match spec::model_with_words(&args.spec, reporter)? {
        Ok(isa) => isa,
        Err(status) => return Ok(status),
    };
    codec::with_model(&args.spec, &isa, (args.engine, Style::default()), Explain { isa: &isa, word: &args.word, reporter })
}

struct Explain<'a> {
    isa: &'a Isa,
    word: &'a str,
    reporter: &'a Reporter,
}

impl Job for Explain<'_> {
    fn run<C: Codec>(self, mut codec: C) -> Result<Status, Stop> {
        let Self { isa, word, reporter } = self;
        let Some(item): Option<Item<C::Word>> = parse_line(word, codec.shape(), 0) else {
            return Err(Stop::new(format!("`{word}` is not a word")));
        };
        let (address, sized) = match item.word {
            Ok(sized) => (item.address, sized),
            Err(bad) => {
                reporter.cannot_run(&format!("`{}`: {}", bad.text, bad.reason), None);
                return Ok(Status::Findings);
            }
        };
        let (word, bits) = (sized.word, sized.bits);
        let mut head = Vec::new();
        hex(word, bits.div_ceil(4), &mut head);
        head.extend_from_slice(b"  ");
        let (form, is_refused) = match codec.decode(word, bits) {
            Ok(form) => {
                codec.print_full(form, word, address, &mut head);
                (Some(form), false)
            }
            Err(refused) => {
                write!(head, "! {}", refused.message)?;
                (refused.form.or_else(|| isa.closest(word.wide(), bits).map(|form| form.id.index())), true)
            }
        };
        let mut out = out();
        head.push(b'\n');
        out.write_all(&head)?;
        if let Some(form) = form.and_then(|form| isa.forms.get(form)) {
            let explained = Explained { isa, codec: &codec, form, word: word.wide(), address };
            explained.heading(is_refused, &mut out)?;
            explained.ruler(&mut out)?;
            explained.table(&mut out)?;
            explained.registers(&mut out)?;
            explained.rules(&mut out)?;
            explained.errata(&mut out)?;
        }
        out.flush()?;
        Ok(Status::of(is_refused))
    }
}

/// So many words are shown for an erratum; the pages of `docs` show all.
const MOST_EVIDENCE: usize = 3;

struct Explained<'a, C> {
    isa: &'a Isa,
    codec: &'a C,
    form: &'a Form,
    word: Word,
    address: u64,
}

/// A row of the table: some bits of the word and what they are.
struct Row {
    key: char,
    bits: Bits,
    name: String,
    meaning: String,
    source: String,
}

impl<C: Codec> Explained<'_, C> {
    fn heading(&self, is_refused: bool, out: &mut Out) -> Result<(), Stop> {
        let instruction = self.isa.instruction(self.form.instruction);
        let closest = if is_refused { "closest form: " } else { "" };
        let source = provenance(self.isa, &instruction.doc);
        let observed = if self.form.observed || instruction.observed { ", observed and not documented" } else { "" };
        let source = if source.is_empty() { String::new() } else { format!(" ({source})") };
        writeln!(out, "{closest}{}{source}{observed}", self.form.name)?;
        if !instruction.summary.is_empty() {
            writeln!(out, "{}", instruction.summary)?;
        }
        Ok(())
    }

    /// Rows of 32 bits, each with the keys of the table below it.
    fn ruler(&self, out: &mut Out) -> Result<(), Stop> {
        let keys = self.keys();
        let mut top = self.form.length;
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
        let mut keys = vec!['='; self.form.length as usize];
        for row in self.rows() {
            for range in &row.bits.0 {
                keys[range.lo as usize..=range.hi as usize].fill(row.key);
            }
        }
        keys
    }

    fn table(&self, out: &mut Out) -> Result<(), Stop> {
        let mut table = vec![["".into(), "bits".into(), "raw".into(), "field".into(), "value".into(), "source".into()]];
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
        for (i, field) in self.form.fields.iter().enumerate() {
            named |= field.bits.mask();
            let prose = if field.summary.is_empty() { &field.note } else { &field.summary };
            let prose = prose.lines().next().unwrap_or("");
            let meaning = if prose.is_empty() { self.meaning(i) } else { format!("{}  {prose}", self.meaning(i)) };
            rows.push(Row {
                key: ' ',
                bits: field.bits.clone(),
                name: field.path.clone(),
                meaning,
                source: provenance(self.isa, &field.doc),
            });
        }
        for fixed in &self.form.fixed {
            named |= fixed.bits.mask();
            rows.push(self.fixed_row(&fixed.name, &fixed.bits, &fixed.doc));
        }
        for plain in &self.form.plain {
            named |= plain.bits.mask();
            let (key, name, meaning) = match plain.what {
                PlainKind::Ignored => ('-', "ignored", "ignored by the machine; kept"),
                PlainKind::Unknown => ('?', "unknown", "not documented; kept"),
                PlainKind::Reserved => ('0', "reserved", "must be zero"),
            };
            let is_wrong = plain.what == PlainKind::Reserved && !(self.word & plain.bits.mask()).is_zero();
            let meaning = if is_wrong { "must be zero, and is not" } else { meaning };
            let bits = Bits(vec![plain.bits]);
            rows.push(Row { key, bits, name: name.into(), meaning: meaning.into(), source: String::new() });
        }
        for range in ranges(Word::ones(self.form.length) & self.form.mask & !named) {
            rows.push(self.fixed_row("", &Bits(vec![range]), &Doc::default()));
        }
        rows.sort_by_key(|r| std::cmp::Reverse(r.bits.0.first().map(|b| b.hi)));
        // Letters from the left; the few signs that are not letters keep their meaning.
        let mut letters = ('a'..='z').chain('A'..='Z').chain('α'..='ω');
        for row in rows.iter_mut().filter(|r| r.key == ' ') {
            row.key = letters.next().unwrap_or('*');
        }
        rows
    }

    fn fixed_row(&self, name: &str, bits: &Bits, doc: &Doc) -> Row {
        let value = bits.get_all(self.form.value);
        let is_right = bits.get_all(self.word) == value;
        let meaning = if is_right { "fixed".to_owned() } else { format!("≠ {value:#x}, which this form has") };
        Row { key: '=', bits: bits.clone(), name: name.to_owned(), meaning, source: provenance(self.isa, doc) }
    }

    /// What a field says in this word.
    fn meaning(&self, index: usize) -> String {
        let field = &self.form.fields[index];
        let raw = field.bits.get(self.word);
        let value = field.flipped(raw);
        let default = if raw == field.default { " (default)" } else { "" };
        let not_allowed = self.form.exclusions.iter().any(|e| e.field == Some(index) && e.when.words.contains(self.word));
        if not_allowed {
            return "≠ a value that is not allowed".into();
        }
        match &field.kind {
            Kind::Flag(text) if value == 1 => format!("set: {text}"),
            Kind::Flag(_) => "clear".into(),
            Kind::Enum(id) => {
                let e = &self.isa.enums[id.index()];
                let note = e.values.iter().find(|v| v.value == value).map_or("", |v| v.note.as_str());
                let text = self.codec.value_text(self.form.id.index(), index, C::Word::from_wide(self.word), self.address);
                let text = if text.is_empty() { "(nothing printed)".into() } else { text };
                if note.is_empty() { format!("{text}{default}") } else { format!("{text}  {note}{default}") }
            }
            Kind::Int { .. } | Kind::Register(_) | Kind::Bitset(_) => {
                format!(
                    "{}{default}",
                    self.codec.value_text(self.form.id.index(), index, C::Word::from_wide(self.word), self.address)
                )
            }
        }
    }

    /// The registers that the word reads and writes.
    fn registers(&self, out: &mut Out) -> Result<(), Stop> {
        let holds = |access: &&Access| access.when.as_ref().is_none_or(|when| when.words.contains(self.word));
        let accesses: Vec<&Access> = self.form.accesses.iter().filter(holds).collect();
        let mut lead = "\n";
        for (verb, count) in [("reads", (|a| a.reads) as fn(&Access) -> u32), ("writes", |a| a.writes)] {
            let shown = |access: &&&Access| {
                let form = self.form.id.index();
                let text = self.codec.value_text(form, access.field, C::Word::from_wide(self.word), self.address);
                if count(access) == 1 { text } else { format!("{text} +: {}", count(access)) }
            };
            let list: Vec<String> = accesses.iter().filter(|access| count(access) > 0).map(|a| shown(&a)).collect();
            if !list.is_empty() {
                writeln!(out, "{lead}  {verb:<6} {}", list.join(", "))?;
                lead = "";
            }
        }
        Ok(())
    }

    /// What the word violates, and which bits survive without a meaning.
    fn rules(&self, out: &mut Out) -> Result<(), Stop> {
        for exclusion in self.form.exclusions.iter().filter(|e| e.when.words.contains(self.word)) {
            writeln!(out, "\n  not this form: {}", exclusion.why)?;
        }
        for constraint in self.form.constraints.iter().filter(|c| !c.that.words.contains(self.word)) {
            let fields: Vec<_> = constraint.fields.iter().map(|f| self.form.fields[*f].path.as_str()).collect();
            let fields = if fields.is_empty() { String::new() } else { format!(" ({})", fields.join(", ")) };
            writeln!(out, "\n  illegal: {}{fields}", constraint.why)?;
        }
        let kept = self.form.plain.iter().filter(|p| p.what != PlainKind::Reserved && !(self.word & p.bits.mask()).is_zero());
        let kept: Vec<_> =
            kept.map(|p| format!("{}={:#x}", p.bits, self.word >> p.bits.lo & Word::ones(p.bits.width()))).collect();
        if !kept.is_empty() {
            writeln!(out, "\n  kept, without a meaning: {}", kept.join(", "))?;
        }
        Ok(())
    }

    fn errata(&self, out: &mut Out) -> Result<(), Stop> {
        let instruction = self.isa.instruction(self.form.instruction);
        // Each once, with the fields of this form that it is about.
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
