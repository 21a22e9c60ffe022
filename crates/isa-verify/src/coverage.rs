//! The parts of a specification that occurred in words with the same text on both sides.

use isa_spec::model::{EnumValue, Form, Isa, Label, Raw, Word, ones};
use std::collections::{BTreeMap, HashSet};

/// The coverage of a specification.
#[derive(Debug)]
pub struct Coverage<'a> {
    isa: &'a Isa,
    /// The forms that count, by their indices.
    forms: &'a [usize],
    /// For each form of the instruction set, the first value of each field and whether there was another.
    fields: Vec<Option<Vec<(Raw, bool)>>>,
    /// Values of enumerations.
    values: HashSet<(u32, Raw)>,
}

/// A number out of a total.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share(pub usize, pub usize);

impl<'a> Coverage<'a> {
    /// Empty coverage of some forms.
    pub(crate) fn new(isa: &'a Isa, forms: &'a [usize]) -> Self {
        Self { isa, forms, fields: vec![None; isa.forms.len()], values: HashSet::new() }
    }

    /// Adds a word of a form.
    pub(crate) fn add(&mut self, form: usize, word: Word) {
        let fields = &self.isa.forms[form].fields;
        let seen = self.fields[form].get_or_insert_with(|| fields.iter().map(|f| (f.bits.get(word), false)).collect());
        for (field, (first, has_other)) in fields.iter().zip(seen) {
            let raw = field.bits.get(word);
            *has_other |= raw != *first;
            if let Label::Enum(id) = field.label {
                self.values.insert((id.0, field.index(raw)));
            }
        }
    }

    /// The forms that count, each with the values of its fields if it occurred.
    fn of_forms(&self) -> impl Iterator<Item = (&'a Form, Option<&[(Raw, bool)]>)> {
        self.forms.iter().map(|form| (&self.isa.forms[*form], self.fields[*form].as_deref()))
    }

    /// The forms that occurred in a word.
    pub fn forms(&self) -> Share {
        Share(self.of_forms().filter(|(_, seen)| seen.is_some()).count(), self.forms.len())
    }

    /// The fields of forms that occurred with two values.
    pub fn fields(&self) -> Share {
        let seen = self.of_forms().filter_map(|(_, seen)| seen).flatten().filter(|field| field.1).count();
        Share(seen, self.of_forms().map(|(form, _)| form.fields.len()).sum())
    }

    /// The named values of the enumerations that fields have.
    pub fn values(&self) -> Share {
        let (seen, all) = self.named().fold((0, 0), |(seen, all), (_, _, is_seen)| (seen + usize::from(is_seen), all + 1));
        Share(seen, all)
    }

    /// The named values that did not occur: `cmp.lt`, or `cmp=3` if nothing is printed.
    pub fn unseen_values(&self) -> Vec<String> {
        let name = |(of, value, _): (&str, &EnumValue, bool)| match value.text.trim() {
            "" => format!("{of}={}", value.value),
            text => format!("{of} {text}"),
        };
        self.named().filter(|(.., is_seen)| !is_seen).map(name).collect()
    }

    /// Named values with the name of their enumeration, for the enumerations that fields have, if they fit into one of the
    /// fields; each with whether it occurred.
    fn named(&self) -> impl Iterator<Item = (&'a str, &'a EnumValue, bool)> {
        let mut used: BTreeMap<u32, Raw> = BTreeMap::new();
        for field in self.of_forms().flat_map(|(form, _)| &form.fields) {
            if let Label::Enum(id) = field.label {
                let most = used.entry(id.0).or_default();
                *most = ones(field.bits.width()).max(*most);
            }
        }
        used.into_iter().flat_map(move |(id, most)| {
            let of = &self.isa.enums[id as usize];
            let fitting = of.values.iter().filter(move |value| value.value <= most);
            fitting.map(move |value| (of.name.as_str(), value, self.values.contains(&(id, value.value))))
        })
    }

    /// The names of the forms that did not occur.
    pub fn unseen(&self) -> Vec<&'a str> {
        self.of_forms().filter(|(_, seen)| seen.is_none()).map(|(form, _)| form.name.as_str()).collect()
    }
}
