//! The reference codec: decode, encode, print and parse by walking the model. It is slow beside generated code and says the
//! same; tests hold the two equal.

mod explain;
mod notes;
mod parse;
mod print;
mod reading;
mod relation;
mod tail;

pub use crate::value_text::{address_bits, modulus, print_value};
pub use isa_runtime::engine::read::Lengths;
pub use parse::ParseError;

use crate::bits::{bits_word, ranges};
use crate::model::{Bits, Field, Form, FormId, Isa, Piece, PlainKind, Prefer, Word};
use crate::space::Class;
use std::collections::{HashMap, HashSet};

/// Decodes, prints and parses words of one instruction set.
#[derive(Debug)]
pub struct Codec<'a> {
    isa: &'a Isa,
    /// One tree for each length.
    trees: Vec<(u32, Tree)>,
    /// The forms in the order in which a text is tried, each with words by which its texts are known.
    readers: Vec<(&'a Form, Vec<String>)>,
    /// What stands between a text and what `--full` adds.
    gap: [Piece; 1],
    /// Whether texts are printed with aliases.
    aliases: bool,
    lengths: Lengths,
}

/// An instruction as a text says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// Its form.
    pub form: FormId,
    /// Its word.
    pub word: Word,
    /// The names of registers that programs name, by the numbers that the word has for them ([`crate::model::Named`]); empty for
    /// a number that it does not have.
    pub names: Vec<String>,
}

/// Forms by the bits that all of them fix, then by those that all that are left fix, and so on.
#[derive(Debug)]
enum Tree {
    Split {
        mask: Word,
        branches: HashMap<Word, Tree>,
    },
    /// The most special form first.
    Leaf(Vec<FormId>),
}

/// Why a word is not an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeError {
    /// What is wrong.
    pub reason: Reason,
    /// The form that the word comes closest to, or that it belongs to but for a rule.
    pub form: Option<FormId>,
    /// The same as a sentence.
    pub message: String,
}

/// What is wrong with a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// No form has these fixed bits.
    NoSuchOpcode,
    /// The word has a name and no form.
    Hole(String),
    /// A reserved bit is set.
    Reserved,
    /// A field holds a value that it can't.
    Value(String),
    /// A rule is broken.
    Rule(String),
    /// The word has bits beyond its length, or no word has this length.
    Length,
}

impl std::fmt::Display for DecodeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for DecodeError {}

impl<'a> Codec<'a> {
    /// Prepares an instruction set for decoding and parsing.
    pub fn new(isa: &'a Isa) -> Self {
        let lengths = isa.words.lengths.iter().map(|l| l.bits).chain(isa.forms.iter().map(|f| f.length));
        let lengths: std::collections::BTreeSet<u32> = lengths.collect();
        let trees = lengths
            .into_iter()
            .map(|bits| (bits, tree(isa.forms.iter().filter(|f| f.length == bits).collect(), Word::ZERO)))
            .collect();
        let mut readers: Vec<_> = isa.forms.iter().map(|form| (form, parse::needles(form))).collect();
        if isa.prefer == Prefer::Shortest {
            readers.sort_by_key(|(form, _)| form.length);
        }
        Self { isa, trees, readers, gap: [Piece::Literal(" ".to_string())], aliases: true, lengths: Lengths::Preferred }
    }

    /// The same, but texts are printed without aliases, and what one word prints with aliases and another one without is read as the
    /// latter.
    #[must_use]
    pub fn without_aliases(self) -> Self {
        Self { aliases: false, ..self }
    }

    /// The same, but texts are read as words of these lengths.
    #[must_use]
    pub fn with_lengths(self, lengths: Lengths) -> Self {
        Self { lengths, ..self }
    }

    /// The instruction set.
    pub fn isa(&self) -> &'a Isa {
        self.isa
    }

    /// Bits of the word that begins with this unit of a stream.
    pub fn length_of(&self, prefix: Word) -> Option<u32> {
        self.isa.words.lengths.iter().find(|l| l.prefix.contains(prefix)).map(|l| l.bits)
    }

    /// The form of a word of so many bits.
    ///
    /// # Errors
    /// When no form matches, when a field has a value that is not allowed, when a rule is broken: the error says which.
    pub fn decode(&self, word: Word, bits: u32) -> Result<FormId, DecodeError> {
        let form = self.find(word, bits)?;
        let form = self.isa.form(form);
        for rule in &form.constraints {
            if !rule.that.words.contains(word) {
                let fields: Vec<String> = rule.fields.iter().map(|i| self.shown(&form.fields[*i], word)).collect();
                return Err(DecodeError {
                    message: format!("{}: {} ({})", form.name, rule.why, fields.join(", ")),
                    reason: Reason::Rule(rule.why.clone()),
                    form: Some(form.id),
                });
            }
        }
        Ok(form.id)
    }

    /// The form that a word belongs to, legal or not.
    fn find(&self, word: Word, bits: u32) -> Result<FormId, DecodeError> {
        let Some((_, tree)) = self.trees.iter().find(|(b, _)| *b == bits) else {
            return Err(DecodeError { reason: Reason::Length, form: None, message: format!("no word has {bits} bits") });
        };
        if !(word & !Word::ones(bits)).is_zero() {
            return Err(DecodeError {
                reason: Reason::Length,
                form: None,
                message: format!("the word has more than {bits} bits"),
            });
        }
        let mut tree = tree;
        loop {
            match tree {
                Tree::Leaf(forms) => {
                    let found = forms.iter().find(|id| {
                        let form = self.isa.form(**id);
                        word & form.mask == form.value && !form.exclusions.iter().any(|e| e.when.words.contains(word))
                    });
                    return found.copied().ok_or_else(|| self.explain(word, bits));
                }
                Tree::Split { mask, branches } => match branches.get(&(word & *mask)) {
                    Some(next) => tree = next,
                    None => return Err(self.explain(word, bits)),
                },
            }
        }
    }

    /// What is wrong with a word whose beginning says that it has another length, or none.
    fn wrong_length(&self, word: Word, bits: u32) -> Option<String> {
        let lengths = &self.isa.words.lengths;
        lengths.iter().find(|l| l.bits == bits && !l.words.contains(word))?;
        let unit = self.isa.first_unit(word, bits);
        Some(match self.length_of(unit) {
            Some(length) => format!("a word that begins like this has {length} bits, not {bits}"),
            None => self.isa.no_word(unit),
        })
    }

    /// `name 0x3 (bits 90..87)`
    fn shown(&self, field: &Field, word: Word) -> String {
        format!("`{}` {} is {:#x}", field.path, field.bits, field.bits.get(word))
    }

    /// Why no form matches: its length, the hole that has the word, or the form that comes closest.
    fn explain(&self, word: Word, bits: u32) -> DecodeError {
        if let Some(message) = self.wrong_length(word, bits) {
            return DecodeError { reason: Reason::Length, form: None, message };
        }
        if let Some(hole) = self.isa.hole_of(word, bits) {
            return DecodeError { reason: Reason::Hole(hole.name.clone()), form: None, message: hole.refusal() };
        }
        if let Class::Hole(Some(_), Some(_)) = self.isa.classify(self.isa.first_unit(word, bits)) {
            let message = self.isa.no_word(self.isa.first_unit(word, bits));
            return DecodeError { reason: Reason::NoSuchOpcode, form: None, message };
        }
        let reserved_of =
            |form: &Form| form.plain.iter().filter(|p| p.what == PlainKind::Reserved).fold(Word::ZERO, |m, p| m | p.bits.mask());
        // One wrong field is closer than two, whatever their widths; bits without a name count like a field, reserved bits less.
        let closeness = |form: &Form| {
            let wrong = (word ^ form.value) & form.mask;
            let fields = form.fixed.iter().filter(|f| !(f.bits.mask() & wrong).is_zero()).count();
            let named = form.fixed.iter().fold(Word::ZERO, |m, f| m | f.bits.mask());
            let reserved = reserved_of(form);
            (fields + usize::from(!(wrong & !named & !reserved).is_zero()), !(wrong & reserved).is_zero(), wrong.count_ones())
        };
        let Some(form) = self.isa.forms.iter().filter(|f| f.length == bits).min_by_key(|f| closeness(f)) else {
            return DecodeError { reason: Reason::Length, form: None, message: format!("no instruction has {bits} bits") };
        };
        let wrong = (word ^ form.value) & form.mask;
        let error = |reason, message| DecodeError { reason, form: Some(form.id), message };
        if wrong.is_zero() {
            let exclusion = form.exclusions.iter().find(|e| e.when.words.contains(word));
            let field = exclusion.and_then(|e| e.field).map(|i| &form.fields[i]);
            let why = exclusion.map_or("", |e| e.why.as_str());
            return match field {
                Some(field) => {
                    error(Reason::Value(field.path.clone()), format!("{}: {}: {why}", form.name, self.shown(field, word)))
                }
                None => error(Reason::NoSuchOpcode, format!("{}: {why}", form.name)),
            };
        }
        let mut parts = Vec::new();
        for fixed in form.fixed.iter().filter(|f| !(f.bits.mask() & wrong).is_zero()) {
            let subject = match fixed.name.as_str() {
                "" if fixed.bits.width() == 1 => format!("bit {} is", fixed.bits),
                "" => format!("bits {} are", fixed.bits),
                name => format!("`{name}` {} is", fixed.bits),
            };
            parts.push(format!("{subject} {:#x}, not {:#x}", fixed.bits.get(word), fixed.value));
        }
        let reserved = reserved_of(form) & wrong;
        if parts.is_empty() && !reserved.is_zero() {
            return error(Reason::Reserved, format!("{}: reserved {} set", form.name, bits_are(reserved)));
        }
        let named = form.fixed.iter().fold(Word::ZERO, |m, f| m | f.bits.mask())
            | form.plain.iter().fold(Word::ZERO, |m, p| m | p.bits.mask());
        for range in ranges(wrong & !named) {
            let bits = Bits(vec![range]);
            parts.push(format!("{} {:#x}, not {:#x}", bits_are(range.mask()), bits.get_all(word), bits.get_all(form.value)));
        }
        error(Reason::NoSuchOpcode, format!("no such instruction; the closest is {}, but {}", form.name, parts.join(", ")))
    }
}

/// `bit 3 is`, `bits 7..4, 1 are`
fn bits_are(mask: Word) -> String {
    format!("{} {}", bits_word(&ranges(mask)), if mask.is_power_of_two() { "is" } else { "are" })
}

/// Splits forms by the bits that all of them fix, as long as that tells any apart.
fn tree(forms: Vec<&Form>, used: Word) -> Tree {
    let mask = forms.iter().fold(Word::MAX, |m, f| m & f.mask) & !used;
    let first = forms.first().map(|f| f.value & mask);
    if forms.len() <= 1 || forms.iter().all(|f| Some(f.value & mask) == first) {
        let mut list: Vec<FormId> = forms.iter().map(|f| f.id).collect();
        // A form stands before those that it specialises.
        let here: HashSet<FormId> = list.iter().copied().collect();
        let inside: HashMap<FormId, usize> =
            forms.iter().map(|f| (f.id, f.specialised_by.iter().filter(|id| here.contains(id)).count())).collect();
        list.sort_by_key(|id| inside[id]);
        return Tree::Leaf(list);
    }
    let mut branches: HashMap<Word, Vec<&Form>> = HashMap::new();
    for form in forms {
        branches.entry(form.value & mask).or_default().push(form);
    }
    Tree::Split { mask, branches: branches.into_iter().map(|(v, f)| (v, tree(f, used | mask))).collect() }
}
