//! The meanings of values: register files and enumerations; and errors in documents.

use super::text::provenance;
use isa_runtime::value::{Map, Several};
use isa_spec::model::{Enum, EnumValue, Erratum, Evidence, Isa, NumberCode, Numbers, Raw, RegisterFile, Subject, Word};
use std::collections::BTreeSet;

/// A register file.
pub(super) struct Registers {
    pub(super) name: String,
    pub(super) summary: String,
    pub(super) names: String,
    /// Bits of a register's number; nothing where programs name registers.
    pub(super) index: String,
    pub(super) width: u32,
    pub(super) special: String,
    pub(super) source: String,
}

/// An enumeration.
pub(super) struct Values {
    pub(super) name: String,
    pub(super) summary: String,
    pub(super) source: String,
    pub(super) values: Vec<Value>,
    pub(super) otherwise: String,
}

/// A value of an enumeration.
pub(super) struct Value {
    pub(super) value: String,
    pub(super) text: String,
    pub(super) also: String,
    pub(super) note: String,
    pub(super) source: String,
}

/// An erratum.
pub(super) struct ShownErratum {
    pub(super) owner: String,
    /// The fields of an instruction that it is about, if it is about any.
    pub(super) fields: String,
    pub(super) id: String,
    pub(super) kind: String,
    pub(super) at: String,
    pub(super) says: String,
    pub(super) is: String,
    pub(super) by: String,
    pub(super) evidence: Vec<(String, Option<String>)>,
    pub(super) elsewhere: Vec<(String, Option<String>)>,
}

impl Values {
    /// True if a value has a note or another text.
    pub(super) fn has_notes(&self) -> bool {
        self.values.iter().any(|v| !v.note.is_empty() || !v.also.is_empty())
    }

    /// True if a value has a source.
    pub(super) fn has_sources(&self) -> bool {
        self.values.iter().any(|v| !v.source.is_empty())
    }
}

pub(super) fn registers(isa: &Isa, file: &RegisterFile) -> Registers {
    let shown = |i: Raw| file.name_of(i).unwrap_or_default();
    let last = file.count.saturating_sub(1);
    let special = |(i, name): &(Raw, String)| {
        let reads = match (file.zero == Some(*i), file.one == Some(*i)) {
            (true, _) => ", reads as zero",
            (_, true) => ", reads as ones",
            _ => "",
        };
        format!("{i} = {name}{reads}")
    };
    let mut specials: Vec<_> = file.special.iter().map(special).collect();
    let unnamed = |index: Option<Raw>| index.filter(|i| file.special.iter().all(|s| s.0 != *i));
    specials.extend(unnamed(file.zero).map(|i| format!("{} reads as zero", shown(i))));
    specials.extend(unnamed(file.one).map(|i| format!("{} reads as ones", shown(i))));
    // The last number may have a name of its own, which is shown beside.
    let last = (0..=last).rev().find(|i| file.special.iter().all(|s| s.0 != *i)).unwrap_or(last);
    Registers {
        name: file.name.clone(),
        summary: file.summary.clone(),
        names: if let Some(names) = &file.names {
            format!("named by programs: `{names}`")
        } else if last == 0 {
            shown(0)
        } else {
            format!("{} … {}", shown(0), shown(last))
        },
        index: if file.names.is_some() { String::new() } else { file.index.to_string() },
        width: file.width,
        special: specials.join("; "),
        source: provenance(isa, &file.doc),
    }
}

pub(super) fn values(isa: &Isa, e: &Enum) -> Values {
    let value = |v: &EnumValue| Value {
        value: if v.value < 10 || !isa.numbers.is_hex() { v.value.to_string() } else { format!("{:#x}", v.value) },
        text: v.text.clone(),
        also: v.also.join(", "),
        note: match &v.name {
            Some(name) if v.note.is_empty() => name.clone(),
            Some(name) => format!("{name}: {}", v.note),
            None => v.note.clone(),
        },
        source: provenance(isa, &v.doc),
    };
    let otherwise = e.otherwise.as_ref().map_or(String::new(), |o| o.to_string().replace("{n}", "n").replace("{n:x}", "0xn"));
    Values {
        name: e.name.clone(),
        summary: e.summary.clone(),
        source: provenance(isa, &e.doc),
        values: e.values.iter().map(value).collect(),
        otherwise,
    }
}

/// A code: numbers of bits by functions.
pub(super) struct Computed {
    pub(super) name: String,
    pub(super) summary: String,
    pub(super) source: String,
    /// The number of bits, and the number of values they encode.
    pub(super) facts: String,
    pub(super) functions: String,
}

pub(super) fn computed(isa: &Isa, code: &NumberCode) -> Computed {
    Computed {
        name: code.name.clone(),
        summary: code.summary.clone(),
        source: provenance(isa, &code.doc),
        facts: match &code.numbers {
            Numbers::Listed(map) => listed(map, code.width),
            Numbers::Steps(_) => format!("{} bits, each value of which has a number of {0} bits", code.width),
        },
        functions: code.source.trim().to_owned(),
    }
}

fn listed(map: &Map, width: u32) -> String {
    let different = map.numbers().iter().map(|(_, number)| number).collect::<BTreeSet<_>>().len();
    let [least, greatest] = map.range();
    let mut facts = format!("{width} bits with {different} numbers, {least:#x} to {greatest:#x}");
    let undefined = (1usize << width) - map.numbers().len();
    if undefined > 0 {
        facts.push_str(&format!("; {undefined} values of the bits have none"));
    }
    if !map.is_one_to_one() {
        let which = if map.several() == Several::Greatest { "greatest" } else { "least" };
        facts.push_str(&format!("; of several bits of one number, the {which} are assembled"));
    }
    facts
}

impl ShownErratum {
    pub(super) fn new(isa: &Isa, owner: &str, erratum: &Erratum) -> Self {
        let evidence = |list: &[Evidence]| {
            let width = (isa.words.lengths.len() == 1).then(|| isa.max_bits().div_ceil(4) as usize);
            let word = |word: Word| {
                // With several lengths, a word is as long as the shortest that holds it.
                let bits = isa.words.lengths.iter().map(|l| l.bits).find(|b| (word & !Word::ones(*b)).is_zero());
                let width = width.or(bits.map(|b| b.div_ceil(4) as usize)).unwrap_or(0);
                format!("{word:0width$x}")
            };
            let shown = |e: &Evidence| match &e.of {
                Subject::Word(w) => word(*w),
                Subject::Text(text) => text.clone(),
            };
            list.iter().map(|e| (shown(e), e.text.clone())).collect()
        };
        Self {
            owner: owner.to_owned(),
            fields: String::new(),
            id: erratum.id.clone(),
            kind: erratum.kind.clone(),
            at: provenance(isa, &erratum.at),
            says: erratum.says.clone(),
            is: erratum.is.clone(),
            by: erratum.by.clone(),
            evidence: evidence(&erratum.evidence),
            elsewhere: evidence(&erratum.elsewhere),
        }
    }

    /// `E12, wrong, ampere-sass.txt:20`
    pub(super) fn head(&self) -> String {
        [&self.id, &self.kind, &self.at].into_iter().filter(|t| !t.is_empty()).cloned().collect::<Vec<_>>().join(", ")
    }
}
