//! The reference codec and the engine of tables as one codec.

// What is generic in words is compiled for this crate, and need not be compiled once more.
use isa_engine as _;
use isa_reference::codec::{Codec as Reference, Statement};
use isa_runtime::engine::print::Out;
use isa_runtime::engine::read::{Reader, Statement as Read, Symbols};
use isa_runtime::engine::{Bits, Tables, image};
use isa_runtime::why::{ReadError, Why};
use isa_spec::diag::{Diagnostic, render_terminal};
use isa_spec::model::{Access, FormId, Isa, Spelt, Word};
use isa_spec::print::print_pieces;
use isa_tables::tables;
use std::sync::Mutex;

/// The reference codec and the engine, on tables that come from an image. Both answer every question, and their answers are
/// equal: forms, texts, words, and the reasons for refusing words and texts. The methods are those of
/// [`isa_reference::codec::Codec`].
#[derive(Debug)]
pub struct Codec<'a> {
    reference: Reference<'a>,
    engine: Box<dyn Engine>,
}

impl<'a> Codec<'a> {
    /// Both codecs of an instruction set.
    ///
    /// # Panics
    /// When it can't be made into tables, or they are not those that come back from their image.
    pub fn new(isa: &'a Isa) -> Self {
        Self::with_words(isa, 0).unwrap_or_else(|e| panic!("{}", render_terminal(&e, &isa.files, false)))
    }

    /// Both codecs; the engine works on words of at least `bits` bits.
    ///
    /// # Errors
    /// If the instruction set can't be made into tables.
    ///
    /// # Panics
    /// If the tables are not those that come back from their image.
    pub fn with_words(isa: &'a Isa, bits: u32) -> Result<Self, Box<Diagnostic>> {
        let engine: Box<dyn Engine> = match isa.forms.iter().map(|f| f.length).max().unwrap_or(0).max(isa.max_bits()).max(bits) {
            0..=32 => Box::new(OnTables::<u32>::new(isa)?),
            33..=64 => Box::new(OnTables::<u64>::new(isa)?),
            65..=128 => Box::new(OnTables::<u128>::new(isa)?),
            _ => Box::new(OnTables::<Word>::new(isa)?),
        };
        Ok(Self { reference: Reference::new(isa), engine })
    }

    /// The aliases and variants that hold for a word. A number without a text is `?`: such texts are left out.
    pub fn spelt(&self, form: FormId, word: Word, address: u64) -> Vec<String> {
        let form = self.isa().form(form);
        let text = |spelt: &Spelt| {
            let mut text = String::new();
            print_pieces(form, &spelt.text, (word, &[]), address, &mut |_| 0, &mut text);
            text
        };
        let holds = form.spelt.iter().filter(|spelt| spelt.when.words.contains(word));
        holds.map(text).filter(|text| !text.contains('?')).collect()
    }

    /// The instruction set.
    pub fn isa(&self) -> &'a Isa {
        self.reference.isa()
    }

    /// Bits of the word that begins with this unit of a stream.
    ///
    /// # Panics
    /// When the two say different things.
    pub fn length_of(&self, unit: Word) -> Option<u32> {
        let reference = self.reference.length_of(unit);
        assert_eq!(self.engine.length_of(unit), reference, "unit {unit:#x}: the engine, and the reference codec");
        reference
    }

    /// The form of a word of `bits` bits.
    ///
    /// # Errors
    /// If the word is not an instruction.
    ///
    /// # Panics
    /// If the answers differ.
    pub fn decode(&self, word: Word, bits: u32) -> Result<FormId, Why<'a>> {
        let reference = self.reference.decode(word, bits);
        // In a text-only instruction set, words are the codecs' own; and the engine can't be given a word that does not fit.
        if !self.isa().is_text() && (word & !Word::ones(self.engine.bits())).is_zero() {
            let found = self.engine.decode(word, bits).map(id);
            assert_eq!(found, reference, "{bits}-bit word {word:#x}: the engine, and the reference codec");
        }
        reference
    }

    /// Appends the text of a word.
    ///
    /// # Panics
    /// When the two print different texts.
    pub fn print(&self, form: FormId, word: Word, address: u64, out: &mut String) {
        let start = out.len();
        self.reference.print(form, word, address, out);
        let found = self.engine.print(form, word, address, &[]);
        assert_eq!(found, out[start..], "{word:#x} at {address:#x}: the engine, and the reference codec");
    }

    /// The text of a word without aliases.
    ///
    /// # Panics
    /// When the two print different texts.
    pub fn base_text(&self, form: FormId, word: Word, address: u64) -> String {
        let mut out = String::new();
        isa_reference::codec::Codec::new(self.isa()).without_aliases().print(form, word, address, &mut out);
        let found = self.engine.print_base(form, word, address);
        assert_eq!(found, out, "{word:#x} at {address:#x}: the engine, and the reference codec");
        out
    }

    /// Appends the text of an instruction.
    ///
    /// # Panics
    /// When the two print different texts.
    pub fn print_statement(&self, statement: &Statement, address: u64, out: &mut String) {
        let start = out.len();
        self.reference.print_statement(statement, address, out);
        let found = self.engine.print(statement.form, statement.word, address, &statement.names);
        assert_eq!(found, out[start..], "{statement:?} at {address:#x}: the engine, and the reference codec");
    }

    /// Appends the text of a word in a way that is only read, which is the reference codec's alone.
    pub fn print_also(
        &self,
        which: (FormId, usize),
        word: Word,
        address: u64,
        choose: &mut dyn FnMut(usize) -> usize,
        out: &mut String,
    ) {
        self.reference.print_also(which, word, address, choose, out);
    }

    /// Appends the text of a word and all that the text leaves open.
    ///
    /// # Panics
    /// When the two print different texts.
    pub fn print_full(&self, form: FormId, word: Word, address: u64, out: &mut String) {
        let start = out.len();
        self.reference.print_full(form, word, address, out);
        let found = self.engine.print_full(form, word, address);
        assert_eq!(found, out[start..], "{word:#x} at {address:#x}: the engine, and the reference codec");
    }

    /// The full text of a word without aliases, and what it is read as where texts without aliases come first.
    ///
    /// # Panics
    /// When the two print or read something else.
    pub fn full_without_aliases(
        &self,
        form: FormId,
        word: Word,
        address: u64,
    ) -> (String, Result<(FormId, Word), Box<ReadError<'a>>>) {
        let reference = Reference::new(self.isa()).without_aliases();
        let mut full = String::new();
        reference.print_full(form, word, address, &mut full);
        let read = reference.parse(&full, address, &|_| None);
        let found = self.engine.full_without_aliases(form, word, address);
        assert_eq!(found, (full.clone(), read.clone()), "{word:#x} at {address:#x}: the engine, and the reference codec");
        (full, read)
    }

    /// The form and the word of a text.
    ///
    /// # Errors
    /// When the text is not an instruction.
    ///
    /// # Panics
    /// When the two read different instructions, or say different things of the text.
    pub fn parse(&self, text: &str, address: u64, symbols: Symbols<'_>) -> Result<(FormId, Word), Box<ReadError<'a>>> {
        self.parse_statement(text, address, symbols).map(|s| (s.form, s.word))
    }

    /// The same with the names of registers that the program names.
    ///
    /// # Errors
    /// When the text is not an instruction.
    ///
    /// # Panics
    /// When the two read different instructions, or say different things of the text.
    pub fn parse_statement(&self, text: &str, address: u64, symbols: Symbols<'_>) -> Result<Statement, Box<ReadError<'a>>> {
        let reference = self.reference.parse_statement(text, address, symbols);
        let found = self.engine.read(&[text], address, symbols).pop();
        assert_eq!(found, Some(reference.clone()), "`{text}` at {address:#x}: the engine, and the reference codec");
        reference
    }

    /// The registers that a word reads and writes: the field that names the first, how many are read, how many are written.
    ///
    /// # Panics
    /// When the tables say other ones than the model.
    pub fn accesses(&self, form: FormId, word: Word) -> Vec<(String, u32, u32)> {
        let of = self.isa().form(form);
        let holds = |access: &&Access| access.when.as_ref().is_none_or(|when| when.words.contains(word));
        let model = of.accesses.iter().filter(holds).map(|a| (of.fields[a.field].path.clone(), a.reads, a.writes));
        let model: Vec<_> = model.collect();
        assert_eq!(self.engine.accesses(form, word), model, "{word:#x}: the engine, and the model");
        model
    }

    /// The results of the engine for texts, one after the other with the same reader.
    pub fn engine_reads(&self, texts: &[&str], address: u64) -> Vec<Result<Statement, Box<ReadError<'_>>>> {
        self.engine.read(texts, address, &|_| None)
    }
}

fn id(form: u16) -> FormId {
    FormId(form.into())
}

fn number(form: FormId) -> u16 {
    form.0 as u16
}

/// The engine, for whatever type of word.
trait Engine: std::fmt::Debug + Send + Sync {
    fn bits(&self) -> u32;
    fn length_of(&self, unit: Word) -> Option<u32>;
    fn decode(&self, word: Word, bits: u32) -> Result<u16, Why<'_>>;
    fn print(&self, form: FormId, word: Word, address: u64, names: &[String]) -> String;
    fn print_base(&self, form: FormId, word: Word, address: u64) -> String;
    fn accesses(&self, form: FormId, word: Word) -> Vec<(String, u32, u32)>;
    fn print_full(&self, form: FormId, word: Word, address: u64) -> String;
    fn full_without_aliases(
        &self,
        form: FormId,
        word: Word,
        address: u64,
    ) -> (String, Result<(FormId, Word), Box<ReadError<'_>>>);
    /// Reads texts with one reader.
    fn read(&self, texts: &[&str], address: u64, symbols: Symbols<'_>) -> Vec<Result<Statement, Box<ReadError<'_>>>>;
}

#[derive(Debug)]
struct OnTables<W: 'static> {
    /// The image, which stays in memory to the end of the tests.
    tables: Tables<'static, W>,
    /// Readers, which take long to make where there are many forms: those that are not in use.
    readers: Mutex<Vec<Reader<'static, W>>>,
    /// The same for texts without aliases.
    base: Mutex<Vec<Reader<'static, W>>>,
}

impl<W: Bits> OnTables<W> {
    fn new(isa: &Isa) -> Result<Self, Box<Diagnostic>> {
        let image = image::write(&tables(isa)?, W::BITS).leak();
        let tables = image::read::<W>(image).expect("what is written is an image");
        Ok(Self { tables, readers: Mutex::default(), base: Mutex::default() })
    }

    /// Does something with a reader.
    fn with_reader<T>(&self, work: impl FnOnce(&mut Reader<'static, W>) -> T) -> T {
        Self::with(&self.readers, || Reader::new(self.tables), work)
    }

    fn with<T>(
        free: &Mutex<Vec<Reader<'static, W>>>,
        make: impl FnOnce() -> Reader<'static, W>,
        work: impl FnOnce(&mut Reader<'static, W>) -> T,
    ) -> T {
        let free_one = free.lock().expect("nothing fails with the lock").pop();
        let mut reader = free_one.unwrap_or_else(make);
        let done = work(&mut reader);
        free.lock().expect("nothing fails with the lock").push(reader);
        done
    }
}

impl<W: Bits> Engine for OnTables<W> {
    fn bits(&self) -> u32 {
        W::BITS
    }

    fn length_of(&self, unit: Word) -> Option<u32> {
        self.tables.length_of(W::from_wide(unit))
    }

    fn decode(&self, word: Word, bits: u32) -> Result<u16, Why<'_>> {
        self.tables.find(W::from_wide(word), bits)
    }

    fn print(&self, form: FormId, word: Word, address: u64, names: &[String]) -> String {
        let tables = self.tables;
        // Names are as long as the program has them.
        let longest = names.iter().map(String::len).max().unwrap_or(0);
        let fields = tables.form(number(form)).map_or(0, |form| tables.fields_of(&form).count());
        let mut bytes = vec![0; tables.room() + longest * fields];
        let mut out = Out::new(&mut bytes);
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        tables.print(tables.texts(number(form)).text, W::from_wide(word), address, &names, &mut out);
        assert!(!out.is_cut(), "a text is longer than its buffer");
        String::from_utf8(out.as_bytes().to_vec()).expect("texts are UTF-8")
    }

    fn print_base(&self, form: FormId, word: Word, address: u64) -> String {
        let tables = self.tables;
        let mut bytes = vec![0; tables.room()];
        let mut out = Out::new(&mut bytes);
        tables.print(tables.texts(number(form)).base, W::from_wide(word), address, &[], &mut out);
        assert!(!out.is_cut(), "a text is longer than its buffer");
        String::from_utf8(out.as_bytes().to_vec()).expect("texts are UTF-8")
    }

    fn accesses(&self, form: FormId, word: Word) -> Vec<(String, u32, u32)> {
        let tables = self.tables;
        let form = tables.form(number(form)).expect("a form");
        let named = |field: u16| tables.fields.get(field.into()).map_or("", |field| tables.text(field.path)).to_string();
        let accesses = tables.accesses(&form, W::from_wide(word));
        accesses.map(|a| (named(a.field), a.reads.into(), a.writes.into())).collect()
    }

    fn print_full(&self, form: FormId, word: Word, address: u64) -> String {
        let mut out = String::new();
        self.with_reader(|reader| reader.print_full(number(form), W::from_wide(word), address, &mut out));
        out
    }

    fn full_without_aliases(
        &self,
        form: FormId,
        word: Word,
        address: u64,
    ) -> (String, Result<(FormId, Word), Box<ReadError<'_>>>) {
        let both = |reader: &mut Reader<'static, W>| {
            let mut full = String::new();
            reader.print_full(number(form), W::from_wide(word), address, &mut full);
            let read = reader.read(&full, address, &|_| None);
            (full, read.map(|read| (id(read.form), read.word.wide())))
        };
        Self::with(&self.base, || Reader::new(self.tables).without_aliases(), both)
    }

    fn read(&self, texts: &[&str], address: u64, symbols: Symbols<'_>) -> Vec<Result<Statement, Box<ReadError<'_>>>> {
        self.with_reader(|reader| {
            let read = texts.iter().map(|text| match reader.read(text, address, symbols) {
                Ok(Read { form, word, names }) => Ok(Statement { form: id(form), word: word.wide(), names }),
                Err(error) => Err(error),
            });
            read.collect()
        })
    }
}
