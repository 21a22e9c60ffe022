//! The interface of an instruction set: the same for words of all lengths, and for the engine and the reference codec.

use isa_runtime::engine::read::{Lengths, Symbols};
use isa_runtime::why::Why;
use isa_runtime::word::{BitRange, Units};
use isa_runtime::{Assembly, U256};

/// A word of any instruction set, at the low end.
pub type Word = U256;

pub use isa_runtime::machine::ObjectFiles;

/// The words of an instruction set.
#[derive(Clone, Debug)]
pub struct WordShape {
    /// The way that bytes form words.
    pub units: Units,
    /// The lengths in bits, ascending; none in a text-only instruction set.
    pub lengths: Vec<u32>,
}

/// An instruction as it was read from a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// Its form.
    pub form: usize,
    /// Its word.
    pub word: Word,
    /// The names of registers that programs name, by the numbers that the word has for them.
    pub names: Vec<String>,
}

/// The error for a text that is not an instruction.
#[derive(Debug)]
pub struct ReadError {
    /// The offset of the error in bytes.
    pub at: usize,
    /// The message.
    pub message: String,
}

/// The error for a word that is not an instruction.
#[derive(Debug)]
pub struct Refused {
    /// The form that the word comes closest to, or whose rule it breaks.
    pub form: Option<usize>,
    /// The reason.
    pub message: String,
}

impl Refused {
    /// The reason as a message.
    #[cold]
    pub fn new(why: &Why<'_>) -> Self {
        Self { form: why.form().map(|form| form.number as usize), message: why.to_string() }
    }
}

/// The description of a form.
pub struct FormInfo<'a> {
    /// The mnemonic of its instruction.
    pub mnemonic: &'a str,
    /// Its name.
    pub name: &'a str,
    /// The names and the bits of its fields.
    pub fields: Vec<(&'a str, String)>,
}

/// A word, taken apart as one of a form.
pub struct Anatomy<'a> {
    /// The name of the form.
    pub name: &'a str,
    /// Bits of the word.
    pub length: u32,
    /// The fields, in the order of the form.
    pub fields: Vec<FieldBits<'a>>,
    /// The fixed values, in the order of the form.
    pub fixed: Vec<FixedBits<'a>>,
    /// The fixed bits, reserved ones included.
    pub mask: Word,
    /// Their values.
    pub value: Word,
    /// The bits that must be zero.
    pub reserved: Word,
    /// The bits without a meaning.
    pub kept: Word,
    /// The registers that the word reads and writes.
    pub accesses: Vec<Accessed>,
    /// The reasons why the word is not of the form: the place of the field concerned, if it is one, and the reason.
    pub excluded: Vec<(Option<usize>, &'a str)>,
    /// The rules that the word breaks: the places of the fields concerned, and the reason.
    pub broken: Vec<(Vec<usize>, &'a str)>,
}

/// A field of a form in a word.
pub struct FieldBits<'a> {
    /// Its name, with the enclosing lists and variants.
    pub path: &'a str,
    /// Its bits, the high part first.
    pub bits: Vec<BitRange>,
    /// True if the word has its default.
    pub is_default: bool,
    /// For a flag, its text and whether it is set.
    pub flag: Option<(&'a str, bool)>,
}

/// A fixed value of a form.
pub struct FixedBits<'a> {
    /// Its name, perhaps empty.
    pub name: &'a str,
    /// Its bits, the high part first.
    pub bits: Vec<BitRange>,
}

/// Consecutive registers that a word reads, writes, or both.
pub struct Accessed {
    /// The field that names the first of them, by its place among the fields of the form.
    pub place: usize,
    /// The number of registers read.
    pub reads: u32,
    /// The number of registers written.
    pub writes: u32,
}

/// A field that the text leaves open.
#[derive(Clone, Copy, Debug)]
pub struct ControlField {
    /// Its place among the fields of the form.
    pub place: usize,
    /// The kind of its text.
    pub kind: ControlKind,
}

/// A flag of the control codes, or an item of a list.
#[derive(Clone, Copy, Debug)]
pub struct ControlItem<'a> {
    /// The name of the flag or of the list.
    pub list: &'a str,
    /// The item; `None` for a flag.
    pub item: Option<&'a str>,
}

/// Everything that the text of a field depends on, besides its bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldId {
    /// Fields of the same number and width have equal texts where they have equal bits.
    pub number: usize,
    /// The field is a place of the program: its text depends on the address of the word, too.
    pub is_target: bool,
}

/// Registers that an instruction uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UsedRegisters {
    /// The field that names the first of them, by its place among the fields of the form.
    pub place: usize,
    /// The number of the last of them.
    pub last: u128,
}

/// The kind of a value's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ControlKind {
    /// A flag: its text is there if it is set.
    Flag,
    /// A letter for each bit that is set.
    Letters,
    /// A number, a register or a value with a name.
    Value,
}

/// Decodes and prints words of an instruction set, and reads its texts. Forms are numbered in the order of the specification.
/// Each thread has a codec of its own.
pub trait Codec: Send {
    /// Another codec of the same instruction set, for another thread.
    fn fork(&self) -> Box<dyn Codec + '_>;

    /// The name of the instruction set.
    fn name(&self) -> &str;

    /// The object files with code of the instruction set.
    fn objects(&self) -> Option<ObjectFiles>;

    /// The words of the instruction set.
    fn shape(&self) -> &WordShape;

    /// The syntax of programs.
    fn assembly(&self) -> Assembly;

    /// True if the instruction set is text-only.
    fn is_text(&self) -> bool {
        self.shape().lengths.is_empty()
    }

    /// Bits of the word that begins with this unit of a stream.
    fn length_of(&self, unit: Word) -> Option<u32>;

    /// The message for a unit that begins no word.
    fn no_word(&self, unit: Word) -> String;

    /// The form of a word of `bits` bits.
    fn decode(&self, word: Word, bits: u32) -> Result<usize, Refused>;

    /// The number of forms.
    fn forms(&self) -> usize;

    /// Bits of the words of a form.
    fn length(&self, form: usize) -> u32;

    /// The description of a form.
    fn form(&self, form: usize) -> FormInfo<'_>;

    /// The form of `bits` bits that a word comes closest to.
    fn closest(&self, word: Word, bits: u32) -> Option<usize>;

    /// The parts of a word of a form, legal or not.
    fn anatomy(&self, form: usize, word: Word) -> Anatomy<'_>;

    /// Returns true if a field of a form is a place of the program, so that its text depends on the address of the word.
    fn has_target(&self, form: usize) -> bool;

    /// The identities of the fields of a form, in its order.
    fn field_ids(&self, form: usize) -> Vec<FieldId>;

    /// True if the only number of a form's texts is a place at a distance from the word: texts whose words and places are moved
    /// together are those of the same word.
    fn is_distance(&self, _form: usize) -> bool {
        false
    }

    /// True if a literal of the texts may begin with one of these characters, blanks apart.
    fn has_literal(&self, _begins: &dyn Fn(char) -> bool) -> bool {
        true
    }

    /// The fields in the additions of `--full` to the texts of a form, in the order of that text.
    fn control(&self, form: usize) -> Vec<ControlField>;

    /// The flags of the control codes of a form and the items of its lists, each with the name of its list; those of one list are
    /// neighbours.
    fn control_items(&self, form: usize) -> Vec<ControlItem<'_>>;

    /// Appends for each of these whether a word has it.
    fn has_items(&self, form: usize, word: Word, out: &mut Vec<bool>);

    /// The registers of a file that a word uses; those with a name of their own are left out.
    fn registers(&self, form: usize, word: Word, file: &str) -> Vec<UsedRegisters>;

    /// The places of the fields of a form that are plain numbers of at least 16 bits.
    fn numbers(&self, form: usize) -> Vec<usize>;

    /// True if a word writes registers and reads none except those with a name of their own (one that is always zero).
    fn only_writes(&self, form: usize, word: Word) -> bool;

    /// Appends the bits of each field of a form in a word, in the order of the form.
    fn raw_fields(&self, form: usize, word: Word, out: &mut Vec<u128>);

    /// Appends the text of a word at `address`.
    fn print(&mut self, form: usize, word: Word, address: u64, out: &mut Vec<u8>);

    /// Appends the text of a word and all that the text leaves open; returns the bytes of the text.
    fn print_full(&mut self, form: usize, word: Word, address: u64, out: &mut Vec<u8>) -> usize;

    /// Appends the text of an instruction with the names that it gives.
    fn print_statement(&mut self, statement: &Statement, address: u64, out: &mut Vec<u8>);

    /// The text of a form's field in a word; `field` is its place in the form.
    fn value_text(&self, form: usize, field: usize, word: Word, address: u64) -> String {
        let mut text = Vec::new();
        self.print_value(form, field, word, address, &mut text);
        String::from_utf8_lossy(&text).into_owned()
    }
    /// The same, appended to `out`.
    fn print_value(&self, form: usize, field: usize, word: Word, address: u64, out: &mut Vec<u8>);

    /// Sets the lengths of the words that texts are read as.
    fn set_lengths(&mut self, lengths: Lengths);

    /// The instruction of a text at `address`.
    fn read(&mut self, text: &str, address: u64, symbols: Symbols<'_>) -> Result<Statement, ReadError>;

    /// The same; `None` if there is none, without the time that an error message takes.
    fn try_read(&mut self, text: &str, address: u64, symbols: Symbols<'_>) -> Option<Statement> {
        self.read(text, address, symbols).ok()
    }

    /// True if the text of an instruction can begin with this one, whose last character is one of a literal or of a name.
    fn begins(&mut self, text: &str) -> bool;
}

/// The style in which texts are printed and read.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// With aliases.
    pub aliases: bool,
    /// The lengths of words that texts are read as.
    pub lengths: Lengths,
}

impl Default for Style {
    fn default() -> Self {
        Self { aliases: true, lengths: Lengths::Preferred }
    }
}
