//! Tables of fields: those that every instruction has, and those of one instruction.

use super::instruction::only;
use super::layout::Keys;
use super::text::{default, meaning, provenance};
use super::view::anchor;
use isa_spec::model::{Bits, Field, Form, Instruction, Isa, Kind, Owner, Plain, PlainKind};

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
    pub(super) key: String,
    pub(super) bits: String,
    pub(super) name: String,
    pub(super) meaning: String,
    /// The enumeration or register file that says more.
    pub(super) link: String,
    pub(super) default: String,
    pub(super) prose: String,
    pub(super) source: String,
    /// The forms that have it, if not all of the group's.
    pub(super) forms: String,
}

impl Fields {
    /// Whether a field says what its default is; the same for the other columns that are often empty.
    pub(super) fn has_defaults(&self) -> bool {
        self.rows().any(|r| !r.default.is_empty())
    }

    /// Whether there is prose, or a field that is not in all forms.
    pub(super) fn has_notes(&self) -> bool {
        self.rows().any(|r| !r.prose.is_empty() || !r.forms.is_empty())
    }

    /// Whether something says where it is documented.
    pub(super) fn has_sources(&self) -> bool {
        self.rows().any(|r| !r.source.is_empty()) || self.groups.iter().any(|g| !g.source.is_empty())
    }

    fn rows(&self) -> impl Iterator<Item = &FieldRow> {
        self.groups.iter().flat_map(|g| &g.rows)
    }
}

/// Fields that every form of a length has.
pub(super) struct Common {
    lengths: Vec<(u32, Vec<Field>, Keys)>,
}

impl Common {
    pub(super) fn of(isa: &Isa) -> Self {
        let of_length = |bits: u32| {
            let forms: Vec<_> = isa.forms.iter().filter(|f| f.length == bits).collect();
            let is_common = |field: &&Field| forms.iter().all(|f| f.field(&field.path).is_some_and(|g| same(field, g)));
            // What one instruction has alone is its own, however common it is.
            let several = forms.iter().any(|f| f.instruction != forms[0].instruction);
            let first = forms.first().filter(|_| several);
            let mut fields: Vec<Field> = first.iter().flat_map(|f| f.fields.iter().filter(is_common)).cloned().collect();
            fields.sort_by_key(|f| std::cmp::Reverse(f.bits.0.first().map(|r| r.hi)));
            let keys = Keys::common(fields.iter().map(|f| f.path.as_str()));
            (bits, fields, keys)
        };
        let lengths: Vec<u32> =
            if isa.words.lengths.is_empty() { vec![0] } else { isa.words.lengths.iter().map(|l| l.bits).collect() };
        Self { lengths: lengths.into_iter().map(of_length).collect() }
    }

    pub(super) fn keys(&self, bits: u32) -> Keys {
        self.lengths.iter().find(|l| l.0 == bits).map(|l| l.2.clone()).unwrap_or_default()
    }

    fn has(&self, bits: u32, field: &Field) -> bool {
        self.lengths.iter().any(|l| l.0 == bits && l.1.iter().any(|f| same(f, field)))
    }

    pub(super) fn table(&self, isa: &Isa) -> Fields {
        let lengths = self.lengths.iter().filter(|l| !l.1.is_empty());
        let group = |(bits, fields, keys): &(u32, Vec<Field>, Keys)| Group {
            title: if self.lengths.len() > 1 { format!("{bits}-bit words") } else { String::new() },
            summary: String::new(),
            source: String::new(),
            rows: fields.iter().map(|f| field_row(isa, f, keys)).collect(),
        };
        Fields { groups: lengths.map(group).collect() }
    }
}

/// Whether two forms have this field alike.
pub(super) fn same(a: &Field, b: &Field) -> bool {
    a.path == b.path && a.bits == b.bits && a.kind == b.kind && a.inverted == b.inverted && a.default == b.default
}

/// Fields by owner, each once; then the bits that are none.
pub(super) fn fields(isa: &Isa, instruction: &Instruction, forms: &[Form], common: &Common, keys: &Keys) -> Fields {
    let mut groups: Vec<(String, Group, Vec<&Form>)> = Vec::new();
    let mut users: Vec<Vec<(Field, Vec<&Form>)>> = Vec::new();
    for form in forms {
        for field in form.fields.iter().filter(|f| !common.has(form.length, f)) {
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
        fields.sort_by_key(|(f, _)| std::cmp::Reverse(f.bits.0.first().map(|r| r.hi)));
        for (field, users) in &fields {
            let mut row = field_row(isa, field, keys);
            row.forms = only(users, in_forms.len());
            group.rows.push(row);
        }
        out.push(group);
    }
    // The instruction's own fields first; the rest as they were met.
    out.sort_by_key(|g| !g.title.is_empty());
    out.extend(plain_group(forms));
    Fields { groups: out }
}

/// Whose field it is, in words; nothing for the instruction's own.
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

fn field_row(isa: &Isa, field: &Field, keys: &Keys) -> FieldRow {
    let link = match field.kind {
        Kind::Enum(id) => format!("values-{}", anchor(&isa.enums[id.index()].name)),
        Kind::Register(_) => "register-files".into(),
        _ => String::new(),
    };
    FieldRow {
        key: keys.of(&field.path).map(String::from).unwrap_or_default(),
        bits: field.bits.to_string(),
        name: field.path.clone(),
        meaning: meaning(isa, &field.kind, field.inverted, field.bits.width()),
        link,
        default: default(isa, field),
        prose: [field.summary.trim(), field.note.trim()].into_iter().filter(|t| !t.is_empty()).collect::<Vec<_>>().join(". "),
        source: provenance(isa, &field.doc),
        forms: String::new(),
    }
}

/// Ignored, unknown and reserved bits.
fn plain_group(forms: &[Form]) -> Option<Group> {
    let mut rows: Vec<(&Plain, Vec<&Form>)> = Vec::new();
    for form in forms {
        for plain in &form.plain {
            match rows.iter_mut().find(|(p, _)| p.bits == plain.bits && p.what == plain.what) {
                Some((_, users)) => users.push(form),
                None => rows.push((plain, vec![form])),
            }
        }
    }
    if rows.is_empty() {
        return None;
    }
    rows.sort_by_key(|(p, _)| std::cmp::Reverse(p.bits));
    let row = |(plain, users): &(&Plain, Vec<&Form>)| {
        let (key, name, meaning) = match plain.what {
            PlainKind::Ignored => ("-", "ignored", "the machine does not look; kept"),
            PlainKind::Unknown => ("?", "unknown", "the document does not say; kept"),
            PlainKind::Reserved => ("0", "reserved", "must be zero"),
        };
        FieldRow {
            key: key.into(),
            bits: Bits(vec![plain.bits]).to_string(),
            name: name.into(),
            meaning: meaning.into(),
            link: String::new(),
            default: String::new(),
            prose: String::new(),
            source: String::new(),
            forms: only(users, forms.len()),
        }
    };
    Some(Group {
        title: "Other bits".into(),
        summary: String::new(),
        source: String::new(),
        rows: rows.iter().map(row).collect(),
    })
}
