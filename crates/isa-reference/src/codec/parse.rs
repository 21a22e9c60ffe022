//! Texts to words: which template reads a text, in which pass.

use super::reading::Reading;
use super::relation::Relation;
use super::{Codec, Statement, Template};
use isa_runtime::engine::read::{Pass, Symbols};
use isa_runtime::why::{ReadError, Wrong};
use isa_spec::model::{Form, Named, Raw, Word};
use isa_spec::sets::TooLarge;
use std::ops::Range;

impl<'a> Codec<'a> {
    /// The instruction of a text without a `{…}` tail; of `bits` bits, if given. It is that of the first form that reads the
    /// text, to the letter if possible.
    pub(super) fn parse_text(
        &self,
        text: &str,
        bits: Option<u32>,
        address: u64,
        symbols: Symbols<'_>,
    ) -> Result<Statement, Box<ReadError<'a>>> {
        if let Some(found) = self.look(text, bits, address, symbols)? {
            return Ok(found);
        }
        if let Some(bits) = bits
            && let Some(other) = self.look(text, None, address, symbols)?
        {
            let said = self.isa.form(other.form).length;
            return Err(Box::new(ReadError { at: 0, wrong: Wrong::Length { bits, said } }));
        }
        Err(Box::new(self.explain_text(text, address, symbols)))
    }

    /// The same; `None` when no form reads the text.
    pub(super) fn look(
        &self,
        text: &str,
        bits: Option<u32>,
        address: u64,
        symbols: Symbols<'_>,
    ) -> Result<Option<Statement>, Box<ReadError<'a>>> {
        self.look_in(self.passes(), text, bits, address, symbols)
    }

    /// The passes in their order. Texts that are printed without aliases are read in the same way first.
    pub(super) fn passes(&self) -> &'static [Pass; 6] {
        if self.aliases { &Pass::ALL } else { &Pass::BASE_FIRST }
    }

    /// The same, in some passes.
    pub(super) fn look_in(
        &self,
        passes: &[Pass],
        text: &str,
        bits: Option<u32>,
        address: u64,
        symbols: Symbols<'_>,
    ) -> Result<Option<Statement>, Box<ReadError<'a>>> {
        for pass in passes.iter().copied() {
            for template in self.templates(text, pass).filter(|t| bits.is_none_or(|bits| bits == t.form.length)) {
                let form = template.form;
                let reading = Reading { isa: self.isa, form, text, address, symbols, pass, notes: None };
                match Relation::new(reading).solve(template) {
                    Ok(Some((word, names))) => return Ok(Some(statement(form, text, word, &names))),
                    Ok(None) => {}
                    Err(TooLarge) => return Err(Box::new(ReadError { at: 0, wrong: Wrong::TooManyWays { form: &form.name } })),
                }
            }
        }
        Ok(None)
    }

    /// The templates that are read in a pass and whose words the text has.
    pub(super) fn templates<'c>(&'c self, text: &'c str, pass: Pass) -> impl Iterator<Item = Template<'a>> + use<'a, 'c> {
        self.templates_in(pass).filter(move |t| text.contains(t.1)).map(|(template, _)| template)
    }

    /// The templates that are read in a pass, each with a word that its texts have.
    pub(super) fn templates_in<'c>(&'c self, pass: Pass) -> impl Iterator<Item = (Template<'a>, &'c str)> + use<'a, 'c> {
        let templates = self.readers.iter().flat_map(|(form, needles)| {
            form.templates().zip(needles).enumerate().map(|(which, ((text, when), needle))| {
                (if when.is_some() { Pass::SPELT } else { which }, Template { form, text, when }, needle)
            })
        });
        templates
            .filter(move |(which, template, _)| pass.reads(*which, template.form.has_base))
            .map(|(_, template, needle)| (template, needle.as_str()))
    }
}

/// A word with the numbers of its names: each is that of the first place that has the same name.
fn statement(form: &Form, text: &str, word: Word, names: &[Range<usize>]) -> Statement {
    let name = |place: usize| &text[names[place].clone()];
    let number = |place: usize| (0..place).find(|other| name(*other) == name(place)).unwrap_or(place);
    let numbered = |word, named: &Named| form.fields[named.field].bits.set(word, number(named.place) as Raw);
    let own = |place: usize| if number(place) == place { name(place).to_string() } else { String::new() };
    Statement { form: form.id, word: form.names.iter().fold(word, numbered), names: (0..names.len()).map(own).collect() }
}
