//! Data for the scripts of a page: the image, the documents' descriptions of fields, and the search index. Each is a script that
//! calls `isagen(NAME, WHAT, DATA)`, since a page that was opened from a disk may not read other files.

use super::fields::field_row;
use super::instruction::OTHERWISE;
use super::layout::Keys;
use super::prose::anchor;
use super::slugs::Site;
use super::syntax::is_in_every_text;
use super::values::ShownErratum;
use isa_codegen::visible;
use isa_reference::codec::Codec;
use isa_spec::errata::of_field;
use isa_spec::model::{Erratum, Form, Isa, Label, PlainKind, Word, ones};
use isa_spec::span::Span;
use serde_json::{Value, json};
use std::collections::HashMap;

/// The number of examples offered.
const EXAMPLES: usize = 4;

/// The greatest number of characters of an instruction's prose in the search index.
const MOST_PROSE: usize = 400;

/// The number of instructions that an entry of the search names.
const SHOWN_NAMES: usize = 3;

/// The description of a field: meaning, link, prose and source; and the numbers of errata.
type Fact = ([String; 4], Vec<usize>);

/// A script that hands data to the page.
pub(super) fn script(isa: &Isa, what: &str, data: &Value) -> String {
    // Control characters and marks of direction are seen, as on the pages.
    format!("isagen({}, {}, {});\n", json!(isa.name), json!(what), visible(&data.to_string()))
}

/// Bytes in base 64.
pub(super) fn base_64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let number = group.iter().fold(0, |n, byte| n << 8 | u32::from(*byte)) << (8 * (3 - group.len()));
        for place in 0..4 {
            let digit = DIGITS[(number >> (18 - 6 * place) & 63) as usize];
            out.push(if place <= group.len() { char::from(digit) } else { '=' });
        }
    }
    out
}

/// The documents' descriptions of instructions and of each field of each form, and the errata.
///
/// ```text
/// { insns: [[name, page, summary, source, [erratum, …]], …], errata: [[id, kind, at, says, is, [[word, text], …]], …],
///   forms: [[[fact, …], [[hi, lo, kind], …]], …], facts: [[meaning, link, prose, source, [erratum, …]], …],
///   examples: [word or text, …] }
/// ```
pub(super) fn about(isa: &Isa, site: &Site<'_>, examples: &[String]) -> Value {
    let mut errata = Vec::new();
    let mut known: HashMap<Span, usize> = HashMap::new();
    let mut erratum = |of: &Erratum| {
        *known.entry(of.span).or_insert_with(|| {
            let fault = ShownErratum::new(isa, "", of);
            errata.push(json!([fault.id, fault.kind, fault.at, fault.says, fault.is, fault.evidence]));
            errata.len() - 1
        })
    };
    let mut facts: Vec<Fact> = Vec::new();
    let mut numbers: HashMap<Fact, usize> = HashMap::new();
    let mut fact = |fact: Fact| {
        *numbers.entry(fact.clone()).or_insert_with(|| {
            facts.push(fact);
            facts.len() - 1
        })
    };
    let mut form = |form: &Form| {
        let row = |field| {
            let wrong = of_field(isa, form, field).into_iter().map(&mut erratum).collect();
            let row = field_row(isa, field, &Keys::default());
            fact(([row.meaning, row.link, row.prose, row.source], wrong))
        };
        let rows: Vec<usize> = form.fields.iter().map(row).collect();
        let kind = |what| match what {
            PlainKind::Ignored => "ignored",
            PlainKind::Unknown => "unknown",
            PlainKind::Reserved => "reserved",
        };
        let plain: Vec<_> = form.plain.iter().map(|p| json!([p.bits.hi, p.bits.lo, kind(p.what)])).collect();
        json!([rows, plain])
    };
    let forms: Vec<Value> = isa.forms.iter().map(&mut form).collect();
    let mut insns = Vec::new();
    for ((entry, slug), insn) in site.page.instructions.iter().zip(&site.slugs).zip(&isa.instructions) {
        let is_apart = |e: &&Erratum| entry.other_errata().any(|fault| fault.head() == ShownErratum::new(isa, "", e).head());
        let own: Vec<usize> = insn.errata.iter().filter(is_apart).map(&mut erratum).collect();
        insns.push(json!([entry.name, slug, entry.summary, entry.source, own]));
    }
    let facts: Vec<_> =
        facts.into_iter().map(|([meaning, link, prose, source], wrong)| json!([meaning, link, prose, source, wrong])).collect();
    json!({ "errata": errata, "examples": examples, "facts": facts, "forms": forms, "insns": insns })
}

/// Words, or texts where there are no words, of several instructions.
pub(super) fn examples(codec: &Codec<'_>) -> Vec<String> {
    let isa = codec.isa();
    let step = isa.instructions.len().div_ceil(EXAMPLES).max(1);
    let forms = isa.instructions.iter().step_by(step).filter_map(|i| isa.forms_of(i).first());
    forms.filter_map(|form| Example::of(codec, form)).take(EXAMPLES).map(|example| example.input).collect()
}

/// A word with its text.
pub(super) struct Example {
    /// The word; the text where there are no words.
    pub(super) input: String,
    pub(super) text: String,
}

impl Example {
    /// A word of a form, with different numbers in the fields that every text has; none if no such word is legal.
    pub(super) fn of(codec: &Codec<'_>, form: &Form) -> Option<Self> {
        let is_legal = |word: &Word| form.words.contains(*word) && form.legal.contains(*word);
        let is_numbered = |field: &usize| {
            matches!(form.fields[*field].label, Label::Number | Label::Register(_)) && is_in_every_text(form, *field)
        };
        let mut word = form.default_word();
        for (number, field) in (1..).zip(form.operands().into_iter().filter(is_numbered)) {
            let field = &form.fields[field];
            // Numbers of several registers are multiples of their count.
            let raws = [1, 2, 4].map(|factor| number * factor).into_iter().filter(|raw| *raw <= ones(field.bits.width()));
            let mut words = raws.map(|raw| field.bits.set(word, raw));
            let other = words.clone().next().filter(|_| !is_legal(&word));
            word = words.find(is_legal).or(other).unwrap_or(word);
        }
        let word = [word, form.default_word()].into_iter().find(is_legal)?;
        let mut text = String::new();
        codec.print(form.id, word, 0, &mut text);
        let input = match codec.isa().is_text() {
            true => text.clone(),
            false => format!("{word:0width$x}", width = form.length.div_ceil(4) as usize),
        };
        Some(Self { input, text })
    }
}

/// An entry of the search.
#[derive(Default)]
struct Entry {
    what: &'static str,
    name: String,
    line: String,
    at: String,
    /// Words that are searched but not shown.
    more: String,
    /// The bits that each form of an instruction fixes, see [`fixed_bits`].
    bits: String,
    /// The instructions that have it; one entry is for all.
    of: Vec<String>,
}

impl Entry {
    /// `[kind, name, a line of description, place, words that are not shown, bits]`, the last one for instructions only.
    fn data(self) -> Value {
        let line = match self.of.as_slice() {
            [] => self.line,
            of => format!("in {}: {}", listed(of), self.line),
        };
        let more = if self.of.len() > SHOWN_NAMES { self.of.join(" ") } else { self.more.chars().take(MOST_PROSE).collect() };
        match self.bits.as_str() {
            "" => json!([self.what, self.name, line, self.at, more]),
            bits => json!([self.what, self.name, line, self.at, more, bits]),
        }
    }
}

/// `a, b and 7 others`
fn listed(names: &[String]) -> String {
    let shown = names.iter().take(SHOWN_NAMES).map(String::as_str).collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(SHOWN_NAMES) {
        0 => shown,
        1 => format!("{shown} and 1 other"),
        others => format!("{shown} and {others} others"),
    }
}

/// The bits that forms fix, in hexadecimal: `LENGTH:MASK:VALUE`, separated by spaces; equal ones once.
fn fixed_bits(isa: &Isa, forms: &[Form]) -> String {
    let mut all = Vec::new();
    for form in forms.iter().filter(|_| !isa.is_text()) {
        let bits = format!("{}:{:x}:{:x}", form.length, form.mask, form.value);
        if !all.contains(&bits) {
            all.push(bits);
        }
    }
    all.join(" ")
}

/// The entries of the search. What several instructions have alike, such as a field, is one entry.
pub(super) fn search(isa: &Isa, site: &Site<'_>) -> Value {
    let page = site.page;
    let of_isa = format!("{}/reference.html", site.folder);
    let mut entries: Vec<Entry> = Vec::new();
    let mut known: HashMap<(&str, String, String), usize> = HashMap::new();
    let mut add = |entry: Entry| {
        let key = (entry.what, entry.name.clone(), entry.line.clone());
        match known.get(&key) {
            Some(at) => entries[*at].of.extend(entry.of),
            None => {
                known.insert(key, entries.len());
                entries.push(entry);
            }
        }
    };
    for ((i, slug), instruction) in page.instructions.iter().zip(&site.slugs).zip(&isa.instructions) {
        let at = format!("{}/{slug}.html", site.folder);
        let of = || vec![i.name.clone()];
        let texts: Vec<_> = i.syntaxes.iter().map(|s| s.0.as_str()).chain(i.notes.iter().map(String::as_str)).collect();
        let (more, bits) = (texts.join(" "), fixed_bits(isa, isa.forms_of(instruction)));
        add(Entry { what: "instruction", name: i.name.clone(), line: i.summary.clone(), at: at.clone(), more, bits, of: vec![] });
        for row in i.fields.groups.iter().flat_map(|g| &g.rows).filter(|r| !r.key.is_empty() && !"-?0".contains(&r.key)) {
            let line = if row.prose.is_empty() { row.meaning.clone() } else { format!("{}: {}", row.meaning, row.prose) };
            add(Entry { what: "field", name: row.name.clone(), line, at: format!("{at}#fields"), of: of(), ..Entry::default() });
        }
        let faults = i.fields.errata().into_iter().map(|(e, _)| (e, "fields")).chain(i.other_errata().map(|e| (e, "errata")));
        for (e, part) in faults {
            let (at, more) = (format!("{at}#{part}"), e.says.clone());
            add(Entry { what: "erratum", name: e.id.clone(), line: e.is.clone(), at, more, of: of(), ..Entry::default() });
        }
        let mut texts: Vec<(&str, Vec<&str>)> = Vec::new();
        for (text, when) in &i.aliases {
            match texts.iter_mut().find(|(known, _)| known == text) {
                Some((_, all)) => all.push(when),
                None => texts.push((text, vec![when])),
            }
        }
        for (text, when) in texts {
            let name = text.split([' ', '{', '<']).next().unwrap_or_default().to_owned();
            let when = if when.contains(&OTHERWISE) { String::new() } else { format!(" when {}", when.join(" or ")) };
            let line = format!("`{text}` is {}{when}", i.name);
            add(Entry { what: "alias", name, line, at: format!("{at}#text"), ..Entry::default() });
        }
    }
    let mut add = |what, name: &str, line: &str, at: String, more: &str| {
        add(Entry { what, name: name.to_owned(), line: line.to_owned(), at, more: more.to_owned(), ..Entry::default() });
    };
    for r in &page.registers {
        add("registers", &r.name, &r.names, format!("{of_isa}#register-files"), &format!("{} {}", r.special, r.summary));
    }
    for e in &page.enums {
        let at = format!("{of_isa}#values-{}", anchor(&e.name));
        add("values", &e.name, &e.summary, at.clone(), "");
        for v in e.values.iter().filter(|v| !v.text.is_empty()) {
            let note = if v.note.is_empty() { String::new() } else { format!(": {}", v.note) };
            add("value", &v.text, &format!("{} of {}{note}", v.value, e.name), at.clone(), &v.also);
        }
    }
    for code in &page.computed {
        add("code", &code.name, &code.summary, format!("{of_isa}#code-{}", anchor(&code.name)), "");
    }
    for (what, list, anchor) in [
        ("operand", &page.operands, "operands"),
        ("format", &page.formats, "formats"),
        ("not described", &page.holes, "not-described"),
    ] {
        list.iter().for_each(|d| add(what, &d.name, &d.summary, format!("{of_isa}#{anchor}"), &d.fields));
    }
    for a in page.choices.iter().flat_map(|c| &c.alternatives) {
        add("alternative", &a.name, &a.summary, format!("{of_isa}#choices"), &a.fields);
    }
    entries.into_iter().map(Entry::data).collect()
}

#[cfg(test)]
mod tests {
    use super::super::view::Page;
    use super::*;

    const SPEC: &str = r#"
isa: t
word: 16
registers: { R: { index: 2, width: 8 } }
instructions:
  '$op': { for: { op: [a, b, c, d], is: 0..3 }, fix: { 15..12: $is, 11..2: 0 }, fields: { r: 1..0 R }, text: '$op {r}' }
  mov:
    fix: { 15..12: 9 }
    fields: { r: 11..10 R, n: 9..1 }
    choose: { m: { plain: { fix: { 0: 0 } }, add: { fix: { 0: 1 } } } }
    text: 'mov {r}, {n}'
    aliases: [{ is: 'zero {r}', when: n == 0 }, { is: 'zero {r}', when: n == 1 }, { is: 'move {r}, {n}' }]
"#;

    #[test]
    fn the_search_has_no_doubles_and_the_bits_of_forms() {
        let loaded = isa_spec::load_str("t.yaml", SPEC, None);
        let isa = loaded.isa.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
        let page = Page::new(&isa);
        let all = search(&isa, &Site::new(&page));
        let of = |what: &str| all.as_array().expect("entries").iter().filter(|e| e[0] == what).collect::<Vec<_>>();
        let field = json!(["field", "r", "in a, b, c and 2 others: register R", "t/a.html#fields", "a b c d mov"]);
        assert_eq!(of("field")[0], &field);
        assert_eq!(of("field").len(), 2, "{:?}", of("field"));
        let alias = json!(["alias", "zero", "`zero {r}` is mov when n == 0 or n == 1", "t/mov.html#text", ""]);
        let other = json!(["alias", "move", "`move {r}, {n}` is mov", "t/mov.html#text", ""]);
        assert_eq!(of("alias"), [&alias, &other]);
        let bits: Vec<_> = of("instruction").iter().map(|e| e[5].clone()).collect();
        assert_eq!(bits, ["16:fffc:0", "16:fffc:1000", "16:fffc:2000", "16:fffc:3000", "16:f001:9000 16:f001:9001"]);
    }

    #[test]
    fn digits_of_base_64() {
        let of = |text: &str| base_64(text.as_bytes());
        assert_eq!([of(""), of("M"), of("Ma"), of("Man"), of("Many")], ["", "TQ==", "TWE=", "TWFu", "TWFueQ=="]);
    }
}
