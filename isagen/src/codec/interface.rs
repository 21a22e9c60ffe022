//! What commands ask of a codec.

use crate::output::{Status, Stop};
use crate::spec::ObjectFiles;
use isa_runtime::engine::Bits;
use isa_runtime::engine::read::Lengths;
use isa_runtime::why::Why;
use isa_spec::model::{self, Assembly, Word};

/// The words of an instruction set.
#[derive(Clone, Debug)]
pub(crate) struct WordShape {
    /// A stream is made of units of this many bits.
    pub(crate) unit: u32,
    /// The first unit of a longer word is its low one.
    pub(crate) low_first: bool,
    /// Bytes inside a unit are little-endian.
    pub(crate) little_endian: bool,
    /// The lengths in bits, ascending; none in a text-only instruction set.
    pub(crate) lengths: Vec<u32>,
}

/// An instruction as a text says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Statement<W> {
    /// Its form.
    pub(crate) form: usize,
    /// Its word.
    pub(crate) word: W,
    /// The names of registers that programs name, by the numbers that the word has for them.
    pub(crate) names: Vec<String>,
}

/// Why a text is not an instruction.
#[derive(Debug)]
pub(crate) struct ReadError {
    /// Byte of the text.
    pub(crate) at: usize,
    /// What is wrong.
    pub(crate) message: String,
}

/// Why a word is not an instruction.
#[derive(Debug)]
pub(crate) struct Refused {
    /// The form that the word comes closest to, or that it belongs to but for a rule.
    pub(crate) form: Option<usize>,
    /// The reason.
    pub(crate) message: String,
}

impl Refused {
    #[cold]
    pub(crate) fn new(why: &Why<'_>) -> Self {
        Self { form: why.form().map(|form| form.number as usize), message: why.to_string() }
    }
}

/// What is known of a form beside its words.
pub(crate) struct FormInfo<'a> {
    pub(crate) mnemonic: &'a str,
    pub(crate) name: &'a str,
    /// The names and the bits of its fields.
    pub(crate) fields: Vec<(&'a str, String)>,
}

/// A word, taken apart as one of a form.
pub(crate) struct Anatomy<'a> {
    /// The name of the form.
    pub(crate) name: &'a str,
    /// Bits of the word.
    pub(crate) length: u32,
    /// In the order of the form.
    pub(crate) fields: Vec<FieldBits<'a>>,
    /// In the order of the form.
    pub(crate) fixed: Vec<FixedBits<'a>>,
    /// The fixed bits, reserved ones included.
    pub(crate) mask: Word,
    /// Their values.
    pub(crate) value: Word,
    /// The bits that must be zero.
    pub(crate) reserved: Word,
    /// The bits without a meaning.
    pub(crate) kept: Word,
    /// The registers that the word reads and writes.
    pub(crate) accesses: Vec<Accessed>,
    /// Why the word is not of the form: the place of the field concerned, if it is one, and the reason.
    pub(crate) excluded: Vec<(Option<usize>, &'a str)>,
    /// The rules that the word breaks: the places of the fields concerned, and the reason.
    pub(crate) broken: Vec<(Vec<usize>, &'a str)>,
}

/// A field of a form in a word.
pub(crate) struct FieldBits<'a> {
    pub(crate) path: &'a str,
    pub(crate) bits: model::Bits,
    /// Whether the word has its default.
    pub(crate) is_default: bool,
    /// Of a flag, its text and whether it is set.
    pub(crate) flag: Option<(&'a str, bool)>,
}

/// A fixed value of a form.
pub(crate) struct FixedBits<'a> {
    /// Perhaps empty.
    pub(crate) name: &'a str,
    pub(crate) bits: model::Bits,
}

/// Consecutive registers that a word reads, writes, or both.
pub(crate) struct Accessed {
    /// The field that names the first of them, by its place among the fields of the form.
    pub(crate) place: usize,
    /// How many are read.
    pub(crate) reads: u32,
    /// How many are written.
    pub(crate) writes: u32,
}

/// A field that says what the text leaves open.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ControlField {
    /// Its place among the fields of the form.
    pub(crate) place: usize,
    /// What its text says.
    pub(crate) kind: ControlKind,
}

/// A flag of the control codes, or an item of a list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ControlItem<'a> {
    /// The name of the flag or of the list.
    pub(crate) list: &'a str,
    /// The item; `None` for a flag.
    pub(crate) item: Option<&'a str>,
}

/// Registers that an instruction has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct UsedRegisters {
    /// The field that names the first of them, by its place among the fields of the form.
    pub(crate) place: usize,
    /// The number of the last of them.
    pub(crate) last: u128,
}

/// What the text of a value says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ControlKind {
    /// Whether it is set: there is a text or none.
    Flag,
    /// A letter for each bit that is set.
    Letters,
    /// A number, a register or a value with a name.
    Value,
}

/// The addresses of labels.
pub(crate) type Labels<'l> = &'l dyn Fn(&str) -> Option<u64>;

/// Decodes and prints words of an instruction set, and reads its texts. Forms have numbers in the order of the specification. Each
/// thread has a codec of its own.
pub(crate) trait Codec: Clone + Send {
    /// What holds a word.
    type Word: Bits;

    /// The words of the instruction set.
    fn shape(&self) -> &WordShape;

    /// The syntax of programs.
    fn assembly(&self) -> Assembly;

    /// Whether the instruction set is text-only.
    fn is_text(&self) -> bool {
        self.shape().lengths.is_empty()
    }

    /// Bits of the word that begins with this unit of a stream.
    fn length_of(&self, unit: Self::Word) -> Option<u32>;

    /// What is said of a unit that begins no word.
    fn no_word(&self, unit: Self::Word) -> String;

    /// The form of a word of so many bits.
    fn decode(&self, word: Self::Word, bits: u32) -> Result<usize, Refused>;

    /// How many forms there are.
    fn forms(&self) -> usize;

    /// Bits of the words of a form.
    fn length(&self, form: usize) -> u32;

    /// What is known of a form.
    fn form(&self, form: usize) -> FormInfo<'_>;

    /// The form of so many bits that a word comes closest to.
    fn closest(&self, word: Self::Word, bits: u32) -> Option<usize>;

    /// What is known of a word of a form, whether it is a legal one or not.
    fn anatomy(&self, form: usize, word: Self::Word) -> Anatomy<'_>;

    /// Whether a field of a form is a place of the program, so that its text depends on where the word stands.
    fn has_target(&self, form: usize) -> bool;

    /// The fields of what `--full` adds to the texts of a form, in the order of that text.
    fn control(&self, form: usize) -> Vec<ControlField>;

    /// The flags of the control codes of a form and the items of its lists, each with the name of its list; those of one list are neighbours.
    fn control_items(&self, form: usize) -> Vec<ControlItem<'_>>;

    /// Which of these a word has.
    fn has_items(&self, form: usize, word: Self::Word) -> impl Iterator<Item = bool>;

    /// The registers of the file of this name that a word has; those with a name of their own are left out.
    fn registers(&self, form: usize, word: Self::Word, file: &str) -> Vec<UsedRegisters>;

    /// The places of the fields of a form that are plain numbers of at least 16 bits.
    fn numbers(&self, form: usize) -> Vec<usize>;

    /// Whether a word writes registers and reads none but those with a name of their own (one that is always zero).
    fn only_writes(&self, form: usize, word: Self::Word) -> bool;

    /// The bits of each field of a form in a word, in the order of the form.
    fn raw_fields(&self, form: usize, word: Self::Word) -> impl Iterator<Item = u128>;

    /// Appends the text of a word, which stands at `address`.
    fn print(&mut self, form: usize, word: Self::Word, address: u64, out: &mut Vec<u8>);

    /// Appends the text of a word and all that the text leaves open; how many bytes the text has.
    fn print_full(&mut self, form: usize, word: Self::Word, address: u64, out: &mut Vec<u8>) -> usize;

    /// Appends the text of an instruction with the names that it gives.
    fn print_statement(&mut self, statement: &Statement<Self::Word>, address: u64, out: &mut Vec<u8>);

    /// What a field of a form, by its place in it, prints in a word.
    fn value_text(&self, form: usize, field: usize, word: Self::Word, address: u64) -> String;

    /// The instruction of a text, which stands at `address`.
    fn read(&mut self, text: &str, address: u64, labels: Labels<'_>) -> Result<Statement<Self::Word>, ReadError>;
}

/// What is done with a codec, whichever it is.
pub(crate) trait Job {
    /// Takes note of the files that hold code of the instruction set.
    fn note(&mut self, _object: Option<&ObjectFiles>) {}

    /// Does it.
    fn run<C: Codec>(self, codec: C) -> Result<Status, Stop>;
}

/// How texts are printed and read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    /// With aliases.
    pub(crate) aliases: bool,
    /// As words of which lengths.
    pub(crate) lengths: Lengths,
}

impl Default for Style {
    fn default() -> Self {
        Self { aliases: true, lengths: Lengths::Preferred }
    }
}
