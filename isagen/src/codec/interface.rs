//! What commands ask of a codec.

use crate::output::{Status, Stop};
use isa_runtime::engine::Bits;
use isa_runtime::engine::read::Lengths;

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

/// What is known of a form beside its words.
pub(crate) struct FormInfo<'a> {
    pub(crate) mnemonic: &'a str,
    pub(crate) name: &'a str,
    /// The names and the bits of its fields.
    pub(crate) fields: Vec<(&'a str, String)>,
}

/// A field that says what the text leaves open.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ControlField {
    /// Its place among the fields of the form.
    pub(crate) place: usize,
    /// What its text says.
    pub(crate) kind: ControlKind,
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

    /// All literal texts, to learn which characters texts use.
    fn literals(&self) -> String;

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

    /// Whether a field of a form is a place of the program, so that its text depends on where the word stands.
    fn has_target(&self, form: usize) -> bool;

    /// The fields of what `--full` adds to the texts of a form, in the order of that text.
    fn control(&self, form: usize) -> Vec<ControlField>;

    /// The items of the lists of control codes of a form, each with the name of its list; those of one list are neighbours.
    fn control_items(&self, form: usize) -> Vec<(&str, &str)>;

    /// Which of these items the lists of a word have.
    fn has_items(&self, form: usize, word: Self::Word) -> impl Iterator<Item = bool>;

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
