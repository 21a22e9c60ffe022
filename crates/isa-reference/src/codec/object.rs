//! The reference codec as a codec of any instruction set, behind the trait of `isa_engine`.

use super::Codec as Reference;
use isa_engine::{
    Accessed, Anatomy, Assembly, Codec, ControlField, ControlItem, ControlKind, FieldBits, FieldId, FixedBits, FormInfo, Lengths,
    ObjectFiles, ReadError, Refused, Statement, Symbols, UsedRegisters, Word, WordShape,
};
use isa_spec::model::{Access, Field, FormId, Isa, Label, PlainKind, shown_fields};

/// The reference codec, for code that is written for any [`isa_engine::Codec`].
#[derive(Clone, Debug)]
pub struct Object<'a> {
    codec: &'a Reference<'a>,
    shape: WordShape,
    /// The lengths of the words that texts are read as.
    lengths: Lengths,
}

impl<'a> Object<'a> {
    /// The codec as an object.
    pub fn new(codec: &'a Reference<'a>) -> Self {
        let words = &codec.isa().words;
        let lengths = words.lengths.iter().map(|length| length.bits).collect();
        Self { codec, shape: WordShape { units: words.units(), lengths }, lengths: codec.lengths() }
    }

    fn id(&self, form: usize) -> FormId {
        self.codec.isa().forms[form].id
    }
}

impl Codec for Object<'_> {
    fn fork(&self) -> Box<dyn Codec + '_> {
        Box::new(self.clone())
    }

    fn name(&self) -> &str {
        &self.codec.isa().name
    }

    fn objects(&self) -> Option<ObjectFiles> {
        object_files(self.codec.isa())
    }

    fn shape(&self) -> &WordShape {
        &self.shape
    }

    fn assembly(&self) -> Assembly {
        self.codec.isa().assembly.clone()
    }

    fn length_of(&self, unit: Word) -> Option<u32> {
        self.codec.length_of(unit)
    }

    fn no_word(&self, unit: Word) -> String {
        self.codec.isa().no_word(unit).to_string()
    }

    fn decode(&self, word: Word, bits: u32) -> Result<usize, Refused> {
        self.codec.decode(word, bits).map(FormId::index).map_err(|why| Refused::new(&why))
    }

    fn forms(&self) -> usize {
        self.codec.isa().forms.len()
    }

    fn length(&self, form: usize) -> u32 {
        self.codec.isa().forms[form].length
    }

    fn form(&self, form: usize) -> FormInfo<'_> {
        let isa = self.codec.isa();
        let form = &isa.forms[form];
        FormInfo {
            mnemonic: &isa.instruction(form.instruction).mnemonic,
            name: &form.name,
            fields: form.fields.iter().map(|field| (field.path.as_str(), field.bits.to_string())).collect(),
        }
    }

    fn closest(&self, word: Word, bits: u32) -> Option<usize> {
        self.codec.closest(word, bits).map(|form| form.id.index())
    }

    fn anatomy(&self, form: usize, word: Word) -> Anatomy<'_> {
        let form = &self.codec.isa().forms[form];
        let plain = |is: fn(PlainKind) -> bool| {
            form.plain.iter().filter(|plain| is(plain.what)).fold(Word::ZERO, |mask, plain| mask | plain.bits.mask())
        };
        let fields = form.fields.iter().map(|field| FieldBits {
            path: &field.path,
            bits: field.bits.0.clone(),
            is_default: field.bits.get(word) == field.default,
            flag: (field.label == Label::Flag).then(|| {
                let text = field.spelling.parts.first().and_then(|part| part.printed(1)).unwrap_or_default();
                (text, field.index(field.bits.get(word)) == 1)
            }),
        });
        let holds = |access: &&Access| access.when.as_ref().is_none_or(|when| when.words.contains(word));
        let accesses = form.accesses.iter().filter(holds);
        let excluded = form.exclusions.iter().filter(|exclusion| exclusion.when.words.contains(word));
        let broken = form.constraints.iter().filter(|constraint| !constraint.that.words.contains(word));
        Anatomy {
            name: &form.name,
            length: form.length,
            fields: fields.collect(),
            fixed: form.fixed.iter().map(|fixed| FixedBits { name: &fixed.name, bits: fixed.bits.0.clone() }).collect(),
            mask: form.mask,
            value: form.value,
            reserved: plain(|what| what == PlainKind::Reserved),
            kept: plain(|what| what != PlainKind::Reserved),
            accesses: accesses.map(|a| Accessed { place: a.field, reads: a.reads, writes: a.writes }).collect(),
            excluded: excluded.map(|exclusion| (exclusion.field, exclusion.why.as_str())).collect(),
            broken: broken.map(|constraint| (constraint.fields.clone(), constraint.why.as_str())).collect(),
        }
    }

    fn has_target(&self, form: usize) -> bool {
        self.codec.isa().forms[form].fields.iter().any(|field| field.is_target())
    }

    fn field_ids(&self, form: usize) -> Vec<FieldId> {
        let forms = &self.codec.isa().forms;
        let before: usize = forms[..form].iter().map(|form| form.fields.len()).sum();
        let id = |(number, field): (usize, &Field)| FieldId { number, is_target: field.is_target() };
        (before..).zip(&forms[form].fields).map(id).collect()
    }

    fn control(&self, form: usize) -> Vec<ControlField> {
        let form = &self.codec.isa().forms[form];
        let fields = shown_fields(&form.full);
        let kind = |place: usize| match form.fields[place].label {
            Label::Flag => ControlKind::Flag,
            Label::Set => ControlKind::Letters,
            _ => ControlKind::Value,
        };
        fields.into_iter().map(|place| ControlField { place, kind: kind(place) }).collect()
    }

    fn control_items(&self, form: usize) -> Vec<ControlItem<'_>> {
        let items = self.codec.isa().forms[form].control.iter();
        items.map(|item| ControlItem { list: &item.list, item: item.item.as_deref() }).collect()
    }

    fn registers(&self, form: usize, word: Word, file: &str) -> Vec<UsedRegisters> {
        let isa = self.codec.isa();
        let form = &isa.forms[form];
        let of_field = |(place, field): (usize, &Field)| {
            let Label::Register(id) = field.label else { return None };
            let registers = &isa.registers[id.index()];
            let number = field.index(field.bits.get(word));
            if registers.name != file || registers.special.iter().any(|(special, _)| *special == number) {
                return None;
            }
            let accesses = form.accesses.iter().filter(|access| access.field == place);
            let here = accesses.filter(|access| access.when.as_ref().is_none_or(|when| when.words.contains(word)));
            let count = here.map(|access| access.reads.max(access.writes)).max().unwrap_or(1).max(1);
            Some(UsedRegisters { place, last: number + u128::from(count) - 1 })
        };
        form.fields.iter().enumerate().filter_map(of_field).collect()
    }

    fn numbers(&self, form: usize) -> Vec<usize> {
        let fields = self.codec.isa().forms[form].fields.iter().enumerate();
        let is_number = |field: &Field| field.label == Label::Number && !field.is_target() && field.bits.width() >= 16;
        fields.filter(|(_, field)| is_number(field)).map(|(place, _)| place).collect()
    }

    fn only_writes(&self, form: usize, word: Word) -> bool {
        let isa = self.codec.isa();
        let form = &isa.forms[form];
        let is_own = |place: usize| {
            let field = &form.fields[place];
            let Label::Register(id) = field.label else { return false };
            let number = field.index(field.bits.get(word));
            isa.registers[id.index()].special.iter().all(|(special, _)| *special != number)
        };
        let holds = |access: &&Access| access.when.as_ref().is_none_or(|when| when.words.contains(word));
        let writes = form.accesses.iter().filter(holds).any(|access| access.writes > 0);
        writes && form.accesses.iter().filter(holds).filter(|access| is_own(access.field)).all(|access| access.reads == 0)
    }

    fn has_items(&self, form: usize, word: Word, out: &mut Vec<bool>) {
        out.extend(self.codec.isa().forms[form].control.iter().map(|item| item.when.words.contains(word)));
    }

    fn raw_fields(&self, form: usize, word: Word, out: &mut Vec<u128>) {
        out.extend(self.codec.isa().forms[form].fields.iter().map(|field| field.bits.get(word)));
    }

    fn print(&mut self, form: usize, word: Word, address: u64, out: &mut Vec<u8>) {
        let mut text = String::new();
        self.codec.print(self.id(form), word, address, &mut text);
        out.extend_from_slice(text.as_bytes());
    }

    fn print_full(&mut self, form: usize, word: Word, address: u64, out: &mut Vec<u8>) -> usize {
        let mut full = String::new();
        let text = self.codec.print_full(self.id(form), word, address, &mut full);
        out.extend_from_slice(full.as_bytes());
        text
    }

    fn print_statement(&mut self, statement: &Statement, address: u64, out: &mut Vec<u8>) {
        let Statement { form, word, ref names } = *statement;
        let mut text = String::new();
        let statement = super::Statement { form: self.id(form), word, names: names.clone() };
        self.codec.print_statement(&statement, address, &mut text);
        out.extend_from_slice(text.as_bytes());
    }

    fn print_value(&self, form: usize, field: usize, word: Word, address: u64, out: &mut Vec<u8>) {
        out.extend_from_slice(self.codec.value_text(self.id(form), field, word, address).as_bytes());
    }

    fn set_lengths(&mut self, lengths: Lengths) {
        self.lengths = lengths;
    }

    fn read(&mut self, text: &str, address: u64, symbols: Symbols<'_>) -> Result<Statement, ReadError> {
        match self.codec.parse_as(text, address, symbols, self.lengths) {
            Ok(super::Statement { form, word, names }) => Ok(Statement { form: form.index(), word, names }),
            Err(error) => Err(ReadError { at: error.at, message: error.to_string() }),
        }
    }

    fn begins(&mut self, text: &str) -> bool {
        self.codec.begins(text)
    }
}

/// The object files of an instruction set, from its specification.
pub fn object_files(isa: &Isa) -> Option<ObjectFiles> {
    isa.object.as_ref().map(|files| files.info(isa))
}
