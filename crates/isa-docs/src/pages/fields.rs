//! Tables of fields: those that every instruction has, and those of one instruction.

use super::forms::only;
use super::layout::{Cell, Keys};
use super::prose::anchor;
use super::syntax::is_in_every_text;
use super::text::{default, meaning, provenance};
use super::values::ShownErratum;
use isa_spec::errata::of_field;
use isa_spec::model::{Erratum, Field, Form, Instruction, Isa, Label, Owner, Plain, PlainKind};
use std::collections::HashMap;

/// A table of fields.
pub(super) struct Fields {
    pub(super) groups: Vec<Group>,
}

/// Fields that belong together.
pub(super) struct Group {
    pub(super) title: String,
    pub(super) summary: String,
    pub(super) source: String,
    pub(super) rows: Vec<FieldRow>,
}

/// A field, or other bits.
pub(super) struct FieldRow {
    /// The most significant bit.
    hi: u32,
    pub(super) key: String,
    /// Its colour in the diagram, if it is shown there.
    pub(super) colour: String,
    pub(super) bits: String,
    pub(super) name: String,
    pub(super) meaning: String,
    /// The enumeration or register file with further information.
    pub(super) link: String,
    pub(super) default: String,
    pub(super) prose: String,
    pub(super) source: String,
    /// The forms that have it, if not all of the group's.
    pub(super) forms: String,
    /// Errors in documents about it.
    pub(super) errata: Vec<ShownErratum>,
    /// Errata that are shown at another field of the table: a heading, and that field.
    pub(super) elsewhere: Vec<(String, String)>,
}

impl FieldRow {
    /// True if documents have something wrong about it.
    pub(super) fn has_errata(&self) -> bool {
        !self.errata.is_empty() || !self.elsewhere.is_empty()
    }

    /// The names of its errata.
    pub(super) fn errata_ids(&self) -> Vec<&str> {
        let elsewhere = self.elsewhere.iter().map(|(head, _)| head.split(',').next().unwrap_or_default());
        self.errata.iter().map(|fault| fault.id.as_str()).chain(elsewhere).collect()
    }
}

impl Fields {
    /// The same with the colours of a diagram's cells.
    pub(super) fn coloured<'c>(mut self, cells: impl Iterator<Item = &'c Cell>) -> Self {
        let colours: HashMap<&str, &str> = cells.map(|c| (c.field.as_str(), c.class.as_str())).collect();
        for row in self.groups.iter_mut().flat_map(|g| &mut g.rows).filter(|r| !r.name.is_empty()) {
            row.colour = colours.get(row.name.as_str()).map(ToString::to_string).unwrap_or_default();
        }
        self
    }

    /// True if some field has a declared default; the same for the other columns that are often empty.
    pub(super) fn has_defaults(&self) -> bool {
        self.rows().any(|r| !r.default.is_empty())
    }

    /// True if there are bits to describe.
    pub(super) fn has_bits(&self) -> bool {
        self.rows().any(|r| !r.bits.is_empty())
    }

    /// True if there is prose, or a field that is not in all forms.
    pub(super) fn has_notes(&self) -> bool {
        self.rows().any(|r| !r.prose.is_empty() || !r.forms.is_empty() || r.has_errata())
    }

    /// True if something has a source.
    pub(super) fn has_sources(&self) -> bool {
        self.rows().any(|r| !r.source.is_empty()) || self.groups.iter().any(|g| !g.source.is_empty())
    }

    /// The errata about the fields, each with the names of its fields.
    pub(super) fn errata(&self) -> Vec<(&ShownErratum, Vec<&str>)> {
        let at = |fault: &ShownErratum| {
            let is_at = |row: &&FieldRow| row.elsewhere.iter().any(|(head, _)| *head == fault.head());
            self.rows().filter(is_at).map(|row| row.name.as_str()).collect::<Vec<_>>()
        };
        let own = self.rows().flat_map(|row| row.errata.iter().map(move |fault| (fault, row.name.as_str())));
        own.map(|(fault, name)| (fault, [vec![name], at(fault)].concat())).collect()
    }

    /// Each erratum in full once, at the first of its fields.
    fn with_errata_once(mut self) -> Self {
        let mut seen: HashMap<String, String> = HashMap::new();
        for row in self.groups.iter_mut().flat_map(|g| &mut g.rows) {
            let (mut own, mut elsewhere) = (Vec::new(), Vec::new());
            for fault in std::mem::take(&mut row.errata) {
                match seen.get(&fault.head()) {
                    Some(name) => elsewhere.push((fault.head(), name.clone())),
                    None => own.push(fault),
                }
            }
            // A field that has other bits in other forms has one name, and is one field to a reader.
            seen.extend(own.iter().map(|fault| (fault.head(), row.name.clone())));
            elsewhere.retain(|(_, name)| *name != row.name);
            (row.errata, row.elsewhere) = (own, elsewhere);
        }
        self
    }

    fn rows(&self) -> impl Iterator<Item = &FieldRow> {
        self.groups.iter().flat_map(|g| &g.rows)
    }
}

/// The fields and plain bits that every form of a length has.
pub(super) struct Common {
    lengths: Vec<CommonOfLength>,
}

struct CommonOfLength {
    bits: u32,
    fields: Vec<Field>,
    plain: Vec<Plain>,
    keys: Keys,
}

impl Common {
    pub(super) fn of(isa: &Isa) -> Self {
        let of_length = |bits: u32| {
            let forms: Vec<_> = isa.forms.iter().filter(|f| f.length == bits).collect();
            let is_common = |field: &&Field| forms.iter().all(|f| f.field(&field.path).is_some_and(|g| same(field, g)));
            // If only one instruction has this length, its fields are its own.
            let several = forms.iter().any(|f| f.instruction != forms[0].instruction);
            let first = forms.first().filter(|_| several);
            let mut fields: Vec<Field> = first.iter().flat_map(|f| f.fields.iter().filter(is_common)).cloned().collect();
            sort(isa, &mut fields, |f| f);
            let keys = Keys::common(fields.iter().map(|f| f.path.as_str()));
            let everywhere = |p: &&Plain| forms.iter().all(|f| f.plain.iter().any(|q| same_plain(p, q)));
            let plain = first.iter().flat_map(|f| f.plain.iter().filter(everywhere)).cloned().collect();
            CommonOfLength { bits, fields, plain, keys }
        };
        let lengths = isa.words.lengths.iter().map(|l| l.bits);
        // Forms of a text-only instruction set have one length, too.
        let own = isa.forms.first().filter(|_| isa.is_text()).map(|f| f.length);
        Self { lengths: lengths.chain(own).map(of_length).collect() }
    }

    fn of_length(&self, bits: u32) -> Option<&CommonOfLength> {
        self.lengths.iter().find(|l| l.bits == bits)
    }

    /// The letters of the fields of words of this length.
    pub(super) fn keys(&self, bits: u32) -> Keys {
        self.of_length(bits).map(|l| l.keys.clone()).unwrap_or_default()
    }

    fn has(&self, form: &Form, field: &Field) -> bool {
        self.of_length(form.length).is_some_and(|l| l.fields.iter().any(|f| same(f, field)))
    }

    fn has_plain(&self, form: &Form, plain: &Plain) -> bool {
        self.of_length(form.length).is_some_and(|l| l.plain.iter().any(|p| same_plain(p, plain)))
    }

    /// The table of the common fields.
    pub(super) fn table(&self, isa: &Isa) -> Fields {
        let mut groups = Vec::new();
        for length in &self.lengths {
            let forms = isa.forms.iter().filter(|form| form.length == length.bits);
            let row = |field: &Field| {
                let mut found: Vec<&Erratum> = Vec::new();
                // An erratum of one instruction is shown at that one.
                let is_own = |e: &&Erratum| isa.instructions.iter().any(|i| i.errata.iter().any(|own| own.span == e.span));
                let of_form = |form| Form::field(form, &field.path).map(|field| of_field(isa, form, field)).unwrap_or_default();
                for erratum in forms.clone().flat_map(of_form).filter(|e| !is_own(e)) {
                    if found.iter().all(|known| known.span != erratum.span) {
                        found.push(erratum);
                    }
                }
                let errata = found.into_iter().map(|e| ShownErratum::new(isa, "", e)).collect();
                let mut row = field_row(isa, field, &length.keys);
                if forms.clone().all(|form| is_always_given(form, field)) {
                    row.default.clear();
                }
                FieldRow { errata, ..row }
            };
            let rows = length.fields.iter().map(row);
            let mut rows: Vec<_> = rows.chain(length.plain.iter().map(plain_row)).collect();
            if !rows.is_empty() {
                if !isa.is_text() {
                    rows.sort_by_key(|r| std::cmp::Reverse(r.hi));
                }
                let title = if self.lengths.len() > 1 { format!("{}-bit words", length.bits) } else { String::new() };
                groups.push(Group { title, summary: String::new(), source: String::new(), rows });
            }
        }
        Fields { groups }.with_errata_once()
    }
}

/// From the most significant bit on; in a text-only instruction set, as declared.
fn sort<T>(isa: &Isa, list: &mut [T], field: impl Fn(&T) -> &Field) {
    if !isa.is_text() {
        list.sort_by_key(|item| std::cmp::Reverse(field(item).bits.0.first().map(|r| r.hi)));
    }
}

/// True if two forms have the same field.
pub(super) fn same(a: &Field, b: &Field) -> bool {
    a.path == b.path
        && a.bits == b.bits
        && a.label == b.label
        && a.spelling == b.spelling
        && a.code == b.code
        && a.default == b.default
}

fn same_plain(a: &Plain, b: &Plain) -> bool {
    a.bits == b.bits && a.what == b.what
}

/// Fields by owner, each once; then the bits that belong to no field.
pub(super) fn fields(isa: &Isa, instruction: &Instruction, forms: &[Form], common: &Common, keys: &Keys) -> Fields {
    let mut groups: Vec<(String, Group, Vec<&Form>)> = Vec::new();
    let mut users: Vec<Vec<(Field, Vec<&Form>)>> = Vec::new();
    for form in forms {
        for field in form.fields.iter().filter(|f| !common.has(form, f)) {
            let (title, summary, source) = owner(isa, instruction, form, field);
            let at = match groups.iter().position(|g| g.0 == title) {
                Some(at) => at,
                None => {
                    let group = Group { title: title.clone(), summary, source, rows: Vec::new() };
                    groups.push((title, group, Vec::new()));
                    users.push(Vec::new());
                    groups.len() - 1
                }
            };
            if groups[at].2.last().is_none_or(|f| f.id != form.id) {
                groups[at].2.push(form);
            }
            match users[at].iter_mut().find(|(f, _)| same(f, field)) {
                Some((_, list)) => list.push(form),
                None => users[at].push((field.clone(), vec![form])),
            }
        }
    }
    let mut out = Vec::new();
    for ((_, mut group, in_forms), mut fields) in groups.into_iter().zip(users) {
        sort(isa, &mut fields, |f| &f.0);
        for (field, users) in &fields {
            let mut row = field_row(isa, field, keys);
            row.forms = only(isa, users, in_forms.len());
            if users.iter().all(|form| is_always_given(form, field)) {
                row.default.clear();
            }
            row.errata = of_field(isa, users[0], field).into_iter().map(|e| ShownErratum::new(isa, "", e)).collect();
            group.rows.push(row);
        }
        out.push(group);
    }
    // The instruction's own fields first; the rest as they were met.
    out.sort_by_key(|g| !g.title.is_empty());
    out.extend(plain_group(isa, forms, common));
    Fields { groups: out }.with_errata_once()
}

/// True if no text of a form leaves a field out.
fn is_always_given(form: &Form, field: &Field) -> bool {
    form.fields.iter().position(|own| own.path == field.path).is_some_and(|at| is_in_every_text(form, at))
}

/// The owner of a field, in words; nothing for the instruction's own.
fn owner(isa: &Isa, instruction: &Instruction, form: &Form, field: &Field) -> (String, String, String) {
    match &field.owner {
        Owner::Instruction => Default::default(),
        Owner::Bind(i) => {
            let bind = &instruction.binds[*i];
            let operand = &isa.operand_types[bind.operand.index()];
            (format!("{}: {}", bind.name, operand.operand), operand.summary.clone(), provenance(isa, &operand.doc))
        }
        Owner::Slot(i, _) => {
            let slot = &instruction.slots[*i];
            let alternative = &isa.choice_types[slot.choice.index()].alternatives[form.picks[*i]];
            let observed = if alternative.observed { " (observed, not documented)" } else { "" };
            let title = format!("{} is {}{observed}", slot.name, alternative.name);
            (title, alternative.summary.clone(), provenance(isa, &alternative.doc))
        }
    }
}

pub(super) fn field_row(isa: &Isa, field: &Field, keys: &Keys) -> FieldRow {
    let link = match field.label {
        Label::Enum(id) => format!("values-{}", anchor(&isa.enums[id.index()].name)),
        Label::Register(_) => "register-files".into(),
        _ => isa.code_of(&field.code).map_or(String::new(), |code| format!("code-{}", anchor(&code.name))),
    };
    let meaning = meaning(isa, field.label, &field.spelling, &field.code);
    let no_effect =
        field.no_effect.as_ref().map_or(String::new(), |declared| format!("No effect in simulation: {}", declared.why));
    FieldRow {
        hi: field.bits.0.first().map_or(0, |r| r.hi),
        key: keys.of(&field.path).map(String::from).unwrap_or_default(),
        colour: String::new(),
        // Bits of a text-only instruction set are internal and not shown.
        bits: if isa.is_text() { String::new() } else { field.bits.to_string() },
        name: field.path.clone(),
        meaning: match field.code.modulo() {
            Some(bits) => format!("{meaning}, modulo 2^{bits}"),
            None => meaning,
        },
        link,
        default: default(field),
        prose: [field.summary.trim(), field.note.trim(), &no_effect]
            .into_iter()
            .filter(|t| !t.is_empty())
            .collect::<Vec<_>>()
            .join(". "),
        source: provenance(isa, &field.doc),
        forms: String::new(),
        errata: Vec::new(),
        elsewhere: Vec::new(),
    }
}

/// Ignored, unknown and reserved bits.
fn plain_group(isa: &Isa, forms: &[Form], common: &Common) -> Option<Group> {
    let mut found: Vec<(&Plain, Vec<&Form>)> = Vec::new();
    for form in forms {
        for plain in form.plain.iter().filter(|p| !common.has_plain(form, p)) {
            match found.iter_mut().find(|(p, _)| same_plain(p, plain)) {
                Some((_, users)) => users.push(form),
                None => found.push((plain, vec![form])),
            }
        }
    }
    found.sort_by_key(|(p, _)| std::cmp::Reverse(p.bits));
    let rows: Vec<_> = found.iter().map(|(p, users)| FieldRow { forms: only(isa, users, forms.len()), ..plain_row(p) }).collect();
    let title = "Other bits".to_owned();
    (!rows.is_empty()).then_some(Group { title, summary: String::new(), source: String::new(), rows })
}

fn plain_row(plain: &Plain) -> FieldRow {
    let (key, name, meaning) = match plain.what {
        PlainKind::Ignored => ("-", "ignored", "ignored by the machine; kept"),
        PlainKind::Unknown => ("?", "unknown", "not documented; kept"),
        PlainKind::Reserved => ("0", "reserved", "must be zero"),
    };
    FieldRow {
        hi: plain.bits.hi,
        key: key.into(),
        colour: String::new(),
        bits: plain.bits.to_string(),
        name: name.into(),
        meaning: meaning.into(),
        link: String::new(),
        default: String::new(),
        prose: String::new(),
        source: String::new(),
        forms: String::new(),
        errata: Vec::new(),
        elsewhere: Vec::new(),
    }
}
