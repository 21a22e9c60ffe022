//! An instruction: its texts, its forms, its rules.

use super::effects::Effects;
use super::fields::{Common, Fields, fields};
use super::flags::{Written, written};
use super::forms::only;
use super::layout::{Cell, Keys, bar, diagram, hexadecimal, pattern, strip};
use super::opcodes::opcode;
use super::prose::paragraphs;
use super::registers::{Registers, registers};
use super::syntax::{self, Part, Syntax};
use super::text::{condition, provenance, template};
use super::values::ShownErratum;
use isa_spec::bits::ranges;
use isa_spec::model::{Alias, Bits, Field, Form, Instruction, Isa, Label, PlainKind, Word};

/// The most bits of a layout that is shown in characters.
const SHORT: u32 = 32;

/// The most opcodes that are listed.
const MOST_OPCODES: usize = 4;

/// The condition of an alias that is printed where no other one is.
pub(super) const OTHERWISE: &str = "otherwise";

/// An instruction.
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) summary: String,
    pub(super) notes: Vec<String>,
    pub(super) source: String,
    pub(super) format: String,
    pub(super) group: String,
    /// Status, format, observed.
    pub(super) facts: Vec<String>,
    /// Each text as a template and the forms that have it; no forms means all.
    pub(super) syntaxes: Vec<(String, String)>,
    /// The same as readers know them.
    pub(super) texts: Vec<Syntax>,
    /// The first text without the parts that can be missing.
    pub(super) short: Vec<Part>,
    /// The short text begins with the name.
    pub(super) is_named: bool,
    /// The words in hexadecimal digits, `Fx07`, or the opcodes where streams are made of bytes; empty if they don't say it.
    pub(super) digits: String,
    /// The texts printed in place of its own, with their conditions.
    pub(super) aliases: Vec<(String, String)>,
    /// The bits that all forms fix.
    pub(super) fixed: String,
    pub(super) forms: Vec<FormRow>,
    /// The first form of each length.
    pub(super) diagrams: Vec<Diagram>,
    /// The first form in one line.
    pub(super) strip: Strip,
    pub(super) fields: Fields,
    /// Numbers that are computed of fields: the name, the expression, and the forms that have it; no forms means all.
    pub(super) readings: Vec<(String, String, String)>,
    pub(super) registers: Vec<Registers>,
    /// The flags that its semantics affect.
    pub(super) flags: Vec<Registers>,
    /// The names of all of them: `C Z N`.
    pub(super) flag_names: String,
    pub(super) rules: Vec<Rule>,
    /// Errors in documents that are shown here and not at something shared.
    pub(super) errata: Vec<ShownErratum>,
    pub(super) semantics: String,
}

/// The layout of a form as rows of cells.
pub(super) struct Diagram {
    pub(super) form: String,
    /// Bits of the word.
    pub(super) bits: u32,
    pub(super) rows: Vec<Vec<Cell>>,
}

/// A layout in one line, as a picture.
pub(super) struct Strip {
    /// Bits, which is how wide it is.
    pub(super) bits: u32,
    /// Classes and paths, of long words.
    pub(super) paths: Vec<(String, String)>,
    /// Classes and characters, one a bit, of short words.
    pub(super) bar: Vec<(String, String)>,
}

/// A form in the table of forms.
pub(super) struct FormRow {
    pub(super) name: String,
    /// The first byte of its words and their number of bytes, in a stream of bytes; `None` for a byte that is not fixed.
    pub(super) opcode: Option<(String, u32)>,
    pub(super) fixed: String,
    pub(super) note: String,
    pub(super) pattern: Vec<String>,
}

/// A rule that words keep.
pub(super) struct Rule {
    pub(super) what: &'static str,
    pub(super) why: String,
    pub(super) fields: String,
    /// The lines of the documents that describe it.
    pub(super) doc: String,
    pub(super) forms: String,
}

impl Entry {
    /// True if forms fix something that others don't.
    pub(super) fn has_fixed(&self) -> bool {
        self.forms.iter().any(|f| !f.fixed.is_empty())
    }

    /// True if forms have notes.
    pub(super) fn has_notes(&self) -> bool {
        self.forms.iter().any(|f| !f.note.is_empty())
    }

    /// True if forms have opcodes.
    pub(super) fn has_opcodes(&self) -> bool {
        self.forms.iter().any(|f| f.opcode.is_some())
    }

    /// The errata that belong to none of its fields.
    pub(super) fn other_errata(&self) -> impl Iterator<Item = &ShownErratum> {
        self.errata.iter().filter(|fault| fault.fields.is_empty())
    }

    /// True if a diagram or the text of a layout has bits of a class: `ignored`.
    pub(super) fn has_bits(&self, class: &str) -> bool {
        self.diagrams.iter().flat_map(|d| &d.rows).flatten().any(|cell| cell.class == class)
    }

    /// True if a text has parts that can be missing.
    pub(super) fn has_optional(&self) -> bool {
        self.texts.iter().any(|text| text.parts.iter().any(|part| matches!(part, Part::Optional { .. })))
    }

    /// True if a layout has a field.
    pub(super) fn has_field_bits(&self) -> bool {
        self.diagrams.iter().flat_map(|d| &d.rows).flatten().any(|cell| !cell.field.is_empty())
    }

    /// True if a section tells forms apart, or says bits that no diagram shows.
    pub(super) fn has_forms(&self) -> bool {
        let is_shown = self.has_layout() && !self.has_opcodes();
        self.forms.len() > 1 || !(self.fixed.is_empty() || is_shown)
    }

    /// True if there is a layout to show.
    pub(super) fn has_layout(&self) -> bool {
        self.forms.iter().any(|f| !f.pattern.is_empty())
    }
}

impl Entry {
    pub(super) fn new(isa: &Isa, instruction: &Instruction, common: &Common) -> Self {
        let forms = isa.forms_of(instruction);
        let keys = common.keys(forms.first().map_or(0, |f| f.length)).with(forms);
        let shared = shared_fixed(isa, forms);
        // In a text-only instruction set, there is no layout.
        let shown = forms.first().filter(|_| !isa.is_text());
        let diagrams = if isa.is_text() { Vec::new() } else { diagrams(forms) };
        let mut facts = Vec::new();
        if instruction.mnemonic != instruction.name {
            facts.push(format!("mnemonic {}", instruction.mnemonic));
        }
        let format = instruction.format.map(|f| isa.formats[f.index()].name.clone()).unwrap_or_default();
        if !format.is_empty() {
            facts.push(format!("format {format}"));
        }
        let group = instruction.group.map(|g| isa.groups[g.index()].name.clone()).unwrap_or_default();
        if !group.is_empty() {
            facts.push(format!("group {group}"));
        }
        if !instruction.status.is_empty() {
            facts.push(format!("status: {}", instruction.status));
        }
        if instruction.observed {
            facts.push("observed, not documented".into());
        }
        if let Some(expands) = &instruction.expands {
            let fields: Vec<String> = expands.fields.iter().map(|(name, is)| format!("{name} = {is}")).collect();
            let with = if fields.is_empty() { String::new() } else { format!(" with {}", fields.join(", ")) };
            facts.push(format!("stands for {}{with}", isa.instruction(expands.to).name));
        }
        let alias = |alias: &Alias| {
            let text = alias.is.replace("{mnemonic}", &instruction.mnemonic);
            (text, alias.when.clone().unwrap_or_else(|| OTHERWISE.to_owned()))
        };
        let fields = fields(isa, instruction, forms, common, &keys).coloured(diagrams.iter().flat_map(|d| &d.rows).flatten());
        let at_fields: Vec<(String, String)> =
            fields.errata().into_iter().map(|(fault, fields)| (fault.head(), fields.join(", "))).collect();
        let of_erratum = |e| {
            let mut fault = ShownErratum::new(isa, &instruction.name, e);
            fault.fields = at_fields.iter().find(|(head, _)| *head == fault.head()).map(|f| f.1.clone()).unwrap_or_default();
            fault
        };
        let errata = instruction.errata.iter().map(of_erratum).collect();
        let effects: Vec<Effects<'_>> = forms.iter().map(|form| Effects::of(isa, form)).collect();
        let short = forms.first().map(|form| syntax::short(isa, form)).unwrap_or_default();
        let begins = |text: &str| text.split(' ').next() == Some(&instruction.name);
        let is_named = matches!(short.first(), Some(Part::Literal(text)) if begins(text));
        let bar = shown.filter(|form| form.length <= SHORT).map(bar).unwrap_or_default();
        let paths = shown.filter(|form| form.length > SHORT).map(strip).unwrap_or_default();
        let Written { flags, sets, flag_names } = written(isa, forms, &effects);
        Self {
            aliases: instruction.aliases.iter().map(alias).collect(),
            name: instruction.name.clone(),
            summary: instruction.summary.clone(),
            notes: paragraphs(&instruction.notes),
            source: provenance(isa, &instruction.doc),
            format,
            group,
            facts,
            syntaxes: syntaxes(isa, forms),
            texts: syntax::syntaxes(isa, forms),
            short,
            is_named,
            digits: if isa.is_text() { String::new() } else { digits(isa, forms) },
            fixed: shared.iter().map(|f| f.1.as_str()).collect::<Vec<_>>().join(", "),
            forms: forms.iter().map(|f| form_row(isa, f, &shared, &keys)).collect(),
            fields,
            diagrams,
            strip: Strip { bits: shown.map_or(0, |f| f.length), paths, bar },
            readings: readings(isa, forms),
            registers: registers(isa, forms, &effects).into_iter().chain(sets).collect(),
            flags,
            flag_names,
            rules: rules(isa, forms),
            errata,
            semantics: isa.semantics_text(instruction).trim().to_owned(),
        }
    }
}

/// The opcodes of forms, or their words in hexadecimal digits; of many, the first ones.
fn digits(isa: &Isa, forms: &[Form]) -> String {
    let mut all: Vec<String> = Vec::new();
    for form in forms {
        let text = match isa.words.unit {
            8 => opcode(isa, form).map(|byte| format!("{byte:02X}")),
            _ => hexadecimal(form),
        };
        let Some(text) = text else { return String::new() };
        if !all.contains(&text) {
            all.push(text);
        }
    }
    let more = if all.len() > MOST_OPCODES { " …" } else { "" };
    all.truncate(MOST_OPCODES);
    all.join(" ") + more
}

/// The layouts of the first form of each length; a field has one colour in all of them.
fn diagrams(forms: &[Form]) -> Vec<Diagram> {
    let mut diagrams: Vec<Diagram> = Vec::new();
    for form in forms {
        if diagrams.iter().any(|d| d.bits == form.length) {
            continue;
        }
        let mut rows = diagram(form);
        for cell in rows.iter_mut().flatten().filter(|cell| !cell.field.is_empty()) {
            let mut before = diagrams.iter().flat_map(|d| &d.rows).flatten();
            if let Some(same) = before.find(|other| other.field == cell.field) {
                cell.class.clone_from(&same.class);
            }
        }
        diagrams.push(Diagram { form: form.name.clone(), bits: form.length, rows });
    }
    diagrams
}

/// The values that a form fixes, by name where they have one: `op[8..0] = 0x10`.
fn fixed_values(isa: &Isa, form: &Form) -> Vec<(Word, String)> {
    if isa.is_text() {
        return form.fixed.iter().map(|f| (f.bits.mask(), format!("{} = {:#x}", f.name, f.value))).collect();
    }
    let mut named = Word::ZERO;
    let mut out = Vec::new();
    for fixed in &form.fixed {
        named |= fixed.bits.mask();
        let text = if fixed.name.is_empty() {
            format!("{} = {:#x}", fixed.bits, fixed.value)
        } else {
            format!("{}[{}] = {:#x}", fixed.name, fixed.bits, fixed.value)
        };
        out.push((fixed.bits.mask(), text));
    }
    let reserved = form.plain.iter().filter(|p| p.what == PlainKind::Reserved).fold(Word::ZERO, |m, p| m | p.bits.mask());
    for range in ranges(form.mask & !named & !reserved) {
        let value = form.value >> range.lo & Word::ones(range.width());
        out.push((range.mask(), format!("{range} = {value:#x}")));
    }
    out.sort_by_key(|(mask, _)| std::cmp::Reverse(*mask));
    out
}

/// The bits that all forms fix to the same values.
fn shared_fixed(isa: &Isa, forms: &[Form]) -> Vec<(Word, String)> {
    let Some((first, rest)) = forms.split_first() else { return Vec::new() };
    let rest: Vec<_> = rest.iter().map(|f| fixed_values(isa, f)).collect();
    fixed_values(isa, first).into_iter().filter(|f| rest.iter().all(|r| r.contains(f))).collect()
}

fn form_row(isa: &Isa, form: &Form, shared: &[(Word, String)], keys: &Keys) -> FormRow {
    let own: Vec<_> = fixed_values(isa, form).into_iter().filter(|f| !shared.contains(f)).map(|f| f.1).collect();
    let mut notes = Vec::new();
    if form.observed {
        notes.push("observed, not documented".to_owned());
    }
    if !form.specialised_by.is_empty() {
        let inside: Vec<_> = form.specialised_by.iter().map(|f| isa.form(*f).name.as_str()).collect();
        notes.push(format!("without the words of {}", inside.join(", ")));
    }
    if let Some(executes) = &form.executes {
        notes.push(format!("the machine ignores the bits {}", Bits(ranges(executes.ignored))));
    }
    FormRow {
        name: form.name.clone(),
        opcode: opcode(isa, form).map(|byte| (format!("{byte:02X}"), form.length / 8)),
        fixed: own.join(", "),
        note: notes.join("; "),
        pattern: if isa.is_text() { Vec::new() } else { pattern(form, keys) },
    }
}

/// Each different text, and the forms that have it.
fn syntaxes(isa: &Isa, forms: &[Form]) -> Vec<(String, String)> {
    let mut texts: Vec<(String, Vec<&Form>)> = Vec::new();
    for form in forms {
        let text = template(isa, form, form.base());
        match texts.iter_mut().find(|(t, _)| *t == text) {
            Some((_, users)) => users.push(form),
            None => texts.push((text, vec![form])),
        }
    }
    texts.into_iter().map(|(text, users)| (text, only(isa, &users, forms.len()))).collect()
}

/// Each different reading, and the forms that have it.
fn readings(isa: &Isa, forms: &[Form]) -> Vec<(String, String, String)> {
    let mut found: Vec<(&str, &str, Vec<&Form>)> = Vec::new();
    for (form, reading) in forms.iter().flat_map(|form| form.readings.iter().map(move |reading| (form, reading))) {
        let (name, is) = (reading.field.path.as_str(), reading.source.as_str());
        match found.iter_mut().find(|(other, source, _)| (*other, *source) == (name, is)) {
            Some((.., users)) => users.push(form),
            None => found.push((name, is, vec![form])),
        }
    }
    found.into_iter().map(|(name, is, users)| (name.to_owned(), is.to_owned(), only(isa, &users, forms.len()))).collect()
}

/// The rules that words keep, or are excluded by; a rule of several forms is listed once.
fn rules<'a>(isa: &Isa, forms: &'a [Form]) -> Vec<Rule> {
    let mut found: Vec<(Rule, Vec<&Form>)> = Vec::new();
    let mut add = |what, why: String, fields: String, doc: String, form: &'a Form| match found
        .iter_mut()
        .find(|(r, _)| r.what == what && r.why == why && r.fields == fields && r.doc == doc)
    {
        Some((_, users)) if users.last().is_some_and(|f| f.id == form.id) => {}
        Some((_, users)) => users.push(form),
        None => found.push((Rule { what, why, fields, doc, forms: String::new() }, vec![form])),
    };
    for form in forms {
        for constraint in &form.constraints {
            let rule = condition(isa, form, &constraint.that);
            let fields: Vec<_> = constraint.fields.iter().map(|f| form.fields[*f].path.as_str()).collect();
            let detail = if rule.len() <= 160 { rule } else { fields.join(", ") };
            add("legal only if", constraint.why.clone(), detail, provenance(isa, &constraint.doc), form);
        }
        for refused in &form.refused {
            add("refused", refused.why.clone(), String::new(), String::new(), form);
        }
        // In a text-only instruction set, an excluded value has no text.
        for exclusion in form.exclusions.iter().filter(|e| !(isa.is_text() && e.field.is_some())) {
            let field = exclusion.field.map(|field| &form.fields[field]);
            match field {
                // Values that the field's own kind does not have: a `not` has a place of its own.
                Some(field) if exclusion.span == field.span => {
                    add("this form only if", has_value(isa, field), String::new(), String::new(), form);
                }
                _ => {
                    let path = field.map(|field| field.path.clone()).unwrap_or_default();
                    add("not this form", exclusion.why.clone(), path, String::new(), form);
                }
            }
        }
    }
    found.into_iter().map(|(rule, users)| Rule { forms: only(isa, &users, forms.len()), ..rule }).collect()
}

/// The rule that a field has one of the values that there are.
fn has_value(isa: &Isa, field: &Field) -> String {
    let of = match field.label {
        Label::Enum(id) => format!("value of `{}`", isa.enums[id.index()].name),
        _ if let Some(code) = isa.code_of(&field.code) => format!("number of `{}`", code.name),
        Label::Register(id) => format!("register of `{}`", isa.registers[id.index()].name),
        _ => "number".to_owned(),
    };
    format!("`{}` is a {of}", field.path)
}
