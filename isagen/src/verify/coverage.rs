//! What was seen of a specification in words that both sides have the same text for.

use isa_spec::model::{Isa, Kind, Raw, Word};
use std::collections::HashSet;

/// What was seen.
pub(crate) struct Coverage<'a> {
    isa: &'a Isa,
    /// Of each form, for each field the first value and whether there was another.
    fields: Vec<Option<Vec<(Raw, bool)>>>,
    /// Values of enumerations.
    values: HashSet<(u32, Raw)>,
}

/// So many of how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Share(pub(crate) usize, pub(crate) usize);

impl<'a> Coverage<'a> {
    /// Nothing yet.
    pub(crate) fn new(isa: &'a Isa) -> Self {
        Self { isa, fields: vec![None; isa.forms.len()], values: HashSet::new() }
    }

    /// A word of a form.
    pub(crate) fn add(&mut self, form: usize, word: Word) {
        let fields = &self.isa.forms[form].fields;
        let seen = self.fields[form].get_or_insert_with(|| fields.iter().map(|f| (f.bits.get(word), false)).collect());
        for (field, (first, has_other)) in fields.iter().zip(seen) {
            let raw = field.bits.get(word);
            *has_other |= raw != *first;
            if let Kind::Enum(id) = field.kind {
                self.values.insert((id.0, raw));
            }
        }
    }

    /// The forms of which a word was seen.
    pub(crate) fn forms(&self) -> Share {
        Share(self.fields.iter().flatten().count(), self.fields.len())
    }

    /// The fields of forms of which two values were seen.
    pub(crate) fn fields(&self) -> Share {
        let seen = self.fields.iter().flatten().flatten().filter(|field| field.1).count();
        Share(seen, self.isa.forms.iter().map(|form| form.fields.len()).sum())
    }

    /// The named values of the enumerations that fields have.
    pub(crate) fn values(&self) -> Share {
        let fields = self.isa.forms.iter().flat_map(|form| &form.fields);
        let used: HashSet<u32> = fields.filter_map(|f| if let Kind::Enum(id) = f.kind { Some(id.0) } else { None }).collect();
        let named = used.iter().flat_map(|id| self.isa.enums[*id as usize].values.iter().map(|v| (*id, v.value)));
        let named: Vec<(u32, Raw)> = named.collect();
        Share(named.iter().filter(|value| self.values.contains(value)).count(), named.len())
    }

    /// The names of the forms of which no word was seen.
    pub(crate) fn unseen(&self) -> Vec<&'a str> {
        let forms = self.isa.forms.iter().zip(&self.fields);
        forms.filter(|(_, seen)| seen.is_none()).map(|(form, _)| form.name.as_str()).collect()
    }
}
