//! The content of a page, in its order, as plain text. The parts have modules of their own.

use super::control::Control;
use super::fields::{Common, Fields};
use super::instruction::Entry;
use super::machine::Machine;
use super::prose::{listed, paragraphs, percent};
use super::pseudo::Pseudo;
use super::text::{meaning, provenance};
use super::values::{Computed, Registers, ShownErratum, Values, computed, registers, values};
use isa_reference::certificate::Certificate;
use isa_spec::bits::fixed_bits;
use isa_spec::model::{Alternative, FieldType, Format, Hole, Isa, Region, Word};

/// A page about an instruction set.
pub(super) struct Page {
    pub(super) name: String,
    /// Text only: words and bits are not shown.
    pub(super) is_text: bool,
    pub(super) summary: String,
    pub(super) notes: Vec<String>,
    /// The numbers of things described: lengths, instructions, forms, allocated share.
    pub(super) facts: Vec<String>,
    pub(super) sources: Vec<Source>,
    pub(super) common: Fields,
    pub(super) pseudo: Vec<Pseudo>,
    pub(super) control: Option<Control>,
    pub(super) space: Vec<Codes>,
    pub(super) holes: Vec<Described>,
    pub(super) machine: Machine,
    pub(super) instructions: Vec<Entry>,
    /// The functions that semantics call.
    pub(super) functions: String,
    pub(super) formats: Vec<Described>,
    pub(super) groups: Vec<Described>,
    pub(super) operands: Vec<Described>,
    pub(super) choices: Vec<Choice>,
    pub(super) registers: Vec<Registers>,
    pub(super) enums: Vec<Values>,
    /// Numbers of bits by functions.
    pub(super) computed: Vec<Computed>,
    pub(super) errata: Vec<ShownErratum>,
    pub(super) errata_count: usize,
}

/// A document or a tool that is cited.
pub(super) struct Source {
    pub(super) name: String,
    pub(super) title: String,
    pub(super) file: String,
    pub(super) note: String,
}

/// A region of the first unit of a stream, counted.
pub(super) struct Codes {
    pub(super) name: String,
    pub(super) is: String,
    pub(super) summary: String,
    pub(super) max: String,
    pub(super) current: String,
    pub(super) formats: String,
    /// The codes that no form has.
    pub(super) free: String,
    pub(super) source: String,
}

/// Something with a name, a line of prose and facts.
pub(super) struct Described {
    pub(super) name: String,
    pub(super) extends: String,
    pub(super) summary: String,
    pub(super) notes: Vec<String>,
    pub(super) fields: String,
    pub(super) source: String,
}

/// A choice and its alternatives.
pub(super) struct Choice {
    pub(super) name: String,
    pub(super) summary: String,
    pub(super) alternatives: Vec<Described>,
}

impl Page {
    /// Everything about an instruction set.
    pub(super) fn new(isa: &Isa) -> Self {
        let common = Common::of(isa);
        let mut facts = words(isa);
        facts.push(format!("{} instructions, {} forms", isa.instructions.len(), isa.forms.len()));
        facts.extend(allocated(isa));
        let source = |s: &isa_spec::model::Source| Source {
            name: s.name.clone(),
            title: s.title.clone(),
            file: s.file.clone(),
            note: s.note.clone(),
        };
        let groups = isa.groups.iter().map(|g| Described {
            name: g.name.clone(),
            extends: String::new(),
            summary: g.summary.clone(),
            notes: paragraphs(&g.notes),
            fields: String::new(),
            source: String::new(),
        });
        let operands = isa.operand_types.iter().map(|o| Described {
            name: o.name.clone(),
            extends: String::new(),
            summary: o.summary.clone(),
            notes: Vec::new(),
            fields: field_types(isa, &o.fields),
            source: provenance(isa, &o.doc),
        });
        let choices = isa.choice_types.iter().map(|c| Choice {
            name: c.name.clone(),
            summary: c.summary.clone(),
            alternatives: c.alternatives.iter().map(|a| alternative(isa, a)).collect(),
        });
        Self {
            name: isa.name.clone(),
            is_text: isa.is_text(),
            summary: isa.summary.clone(),
            notes: paragraphs(&isa.notes),
            facts,
            sources: isa.sources.iter().map(source).collect(),
            functions: isa.machine.functions_source.trim().to_owned(),
            instructions: isa.instructions.iter().map(|i| Entry::new(isa, i, &common)).collect(),
            common: common.table(isa),
            pseudo: Pseudo::all(isa),
            control: Control::of(isa),
            machine: Machine::of(isa),
            space: isa.space.iter().map(|r| codes(isa, r)).collect(),
            holes: isa.holes.iter().map(|h| hole(isa, h)).collect(),
            formats: isa.formats.iter().map(|f| format_of(isa, f)).collect(),
            groups: groups.collect(),
            operands: operands.collect(),
            choices: choices.collect(),
            registers: isa.registers.iter().map(|r| registers(isa, r)).collect(),
            enums: isa.enums.iter().map(|e| values(isa, e)).collect(),
            computed: isa.codes.iter().map(|code| computed(isa, code)).collect(),
            errata: isa.all_errata().map(|(owner, e)| ShownErratum::new(isa, owner, e)).collect(),
            errata_count: isa.all_errata().count(),
        }
    }
}

impl Page {
    /// The title of the section about all instructions.
    pub(super) fn common_title(&self) -> &'static str {
        if self.is_text { "Every statement" } else { "Every word" }
    }

    /// Errata that no instruction shows.
    pub(super) fn own_errata(&self) -> impl Iterator<Item = &ShownErratum> {
        self.errata.iter().filter(|e| self.instructions.iter().all(|i| i.name != e.owner))
    }
}

/// The lengths of words and the order of a stream.
fn words(isa: &Isa) -> Vec<String> {
    let words = &isa.words;
    let bytes = if words.little_endian { "little-endian" } else { "big-endian" };
    match words.lengths.as_slice() {
        [] => vec!["text only, no words".into()],
        [one] => vec![format!("words of {} bits, {bytes}", one.bits)],
        several => {
            let lengths: Vec<_> = several.iter().map(|l| l.bits.to_string()).collect();
            let first = if words.low_first { "low" } else { "high" };
            let mut facts =
                vec![format!("words of {} bits, in {bytes} units of {}, the {first} one first", listed(&lengths), words.unit)];
            for length in several {
                let cubes = length.prefix.largest_cubes(MAX_PREFIXES);
                let prefix: Vec<_> = cubes.iter().map(|c| fixed_bits(c.mask, c.value)).collect();
                facts.push(format!("a word has {} bits where its first unit has {}", length.bits, prefix.join(" or ")));
            }
            facts
        }
    }
}

/// The greatest number of beginnings of words of a length that are listed.
const MAX_PREFIXES: usize = 64;

/// The share of words that have a meaning.
fn allocated(isa: &Isa) -> Vec<String> {
    let certificate = Certificate::new(isa);
    let lengths = certificate.lengths.iter();
    lengths.map(|l| format!("{} % of the words of {} bits are allocated", percent(l.share()), l.bits)).collect()
}

fn codes(isa: &Isa, region: &Region) -> Codes {
    let formats: Vec<_> = region.formats(isa).into_iter().map(|f| format!("[{}]", f.name)).collect();
    let (current, free) = region.usage(isa).unwrap_or_else(|error| (Word::ZERO, vec![error.to_string()]));
    Codes {
        name: region.name.clone(),
        is: region.is.clone(),
        summary: region.summary.clone(),
        max: region.codes().to_string(),
        current: current.to_string(),
        formats: formats.join(" "),
        free: free.join(", "),
        source: provenance(isa, &region.doc),
    }
}

fn hole(isa: &Isa, hole: &Hole) -> Described {
    let several = isa.words.lengths.len() > 1;
    Described {
        name: hole.name.clone(),
        extends: if several { format!("{} bits", hole.length) } else { String::new() },
        summary: hole.summary.clone(),
        notes: Vec::new(),
        fields: fixed_bits(hole.words.mask, hole.words.value),
        source: provenance(isa, &hole.doc),
    }
}

fn format_of(isa: &Isa, format: &Format) -> Described {
    Described {
        name: format.name.clone(),
        extends: format.extends.map(|f| isa.formats[f.index()].name.clone()).unwrap_or_default(),
        summary: format.summary.clone(),
        notes: paragraphs(&format.notes),
        fields: String::new(),
        source: provenance(isa, &format.doc),
    }
}

fn alternative(isa: &Isa, alternative: &Alternative) -> Described {
    let mut fields: Vec<_> =
        alternative.binds.iter().map(|(name, ty)| format!("{name}: {}", isa.operand_types[ty.index()].name)).collect();
    let own = field_types(isa, &alternative.fields);
    fields.extend((!own.is_empty()).then_some(own));
    let observed = if alternative.observed { "observed, not documented" } else { "" };
    Described {
        name: alternative.name.clone(),
        extends: observed.into(),
        summary: alternative.summary.clone(),
        notes: Vec::new(),
        fields: fields.join(", "),
        source: provenance(isa, &alternative.doc),
    }
}

/// `r: register R (8), neg: flag - (1)`
fn field_types(isa: &Isa, fields: &[FieldType]) -> String {
    // Bits of a text-only instruction set are internal and not shown.
    let width = |f: &FieldType| if isa.is_text() { String::new() } else { format!(" ({})", f.code.width) };
    let one = |f: &FieldType| format!("{}: {}{}", f.name, meaning(isa, f.label, &f.spelling, &f.code), width(f));
    fields.iter().map(one).collect::<Vec<_>>().join(", ")
}
