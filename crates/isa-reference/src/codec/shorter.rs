//! Shorter words that do what longer ones do, though they have other texts.

use super::{Codec, Word};
use isa_runtime::engine::read::Pass;
use isa_runtime::value::Number;
use isa_spec::model::{Field, FormId, Isa, Label, Raw};
use isa_spec::shorter::{Held, Shorter};

impl Codec<'_> {
    /// The first shorter word that does what a longer one does. It has the text of some longer word: one that has a name of its own is a hint.
    pub(super) fn same(&self, form: FormId, word: Word, address: u64) -> Option<(FormId, Word)> {
        let length = self.isa.form(form).length;
        self.shorter.iter().filter(|way| way.long == form).find_map(|way| {
            let word = shortened(self.isa, way, word)?;
            let is_legal = self.decode(word, self.isa.form(way.short).length) == Ok(way.short);
            let mut printed = String::new();
            is_legal.then(|| self.print_at(way.short, word, address, &mut printed))?;
            self.look_in(&[Pass::Exact], &printed, Some(length), address, &|_| None).ok()??;
            Some((way.short, word))
        })
    }
}

/// The shorter word, whether it is a legal one or not.
fn shortened(isa: &Isa, way: &Shorter, word: Word) -> Option<Word> {
    let (long, short) = (isa.form(way.long), isa.form(way.short));
    let mut raws: Vec<Option<Raw>> = vec![None; short.fields.len()];
    for (place, held) in &way.fields {
        let field = &long.fields[*place];
        let raw = field.bits.get(word);
        let own = match held {
            Held::Value(value) if raw == *value => continue,
            Held::Value(_) => return None,
            Held::Field(own) => *own,
        };
        let bits = there(isa, field, raw, &short.fields[own])?;
        if *raws[own].get_or_insert(bits) != bits {
            return None;
        }
    }
    let fields = short.fields.iter().zip(raws);
    Some(fields.fold(short.default_word(), |word, (field, raw)| raw.map_or(word, |raw| field.bits.set(word, raw))))
}

/// The bits of another field that mean what those of one do.
fn there(isa: &Isa, field: &Field, raw: Raw, own: &Field) -> Option<Raw> {
    let from = |id: isa_spec::model::RegisterId| isa.registers[id.index()].part_of.map_or(0, |part| Raw::from(part.from));
    match (field.label, own.label) {
        (Label::Register(long), Label::Register(short)) => own.bits_of((field.index(raw) + from(long)).checked_sub(from(short))?),
        (Label::Number, Label::Number) => {
            let base = |field: &Field| field.code.relative().map_or(0, |origin| i128::from(origin.offset));
            let number = field.code.value(raw)?.plus(Number::from(base(field) - base(own)))?;
            // Numbers with the same text.
            let turn = field.code.modulo().or(own.code.modulo()).map_or(0, |bits| 1i128 << bits.min(64));
            [0, turn, -turn]
                .into_iter()
                .filter_map(|turn| number.plus(Number::from(turn)))
                .find_map(|number| own.code.bits(number).ok())
        }
        _ => own.bits_of(field.index(raw)),
    }
}
