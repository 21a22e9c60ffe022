//! The reference codec: decode, encode, print and parse by walking the model. It is slow beside generated code and says the
//! same; tests hold the two equal.

mod explain;
mod full_text;
mod object;
mod parse;
mod print;
mod reading;
mod refusal;
mod relation;
mod shorter;

pub use isa_runtime::engine::read::Lengths;
pub use isa_runtime::why::{ReadError, Why};
pub use isa_spec::print::{print_value, value_text};
pub use object::{Object, object_files};

use isa_runtime::why::Length;
use isa_spec::model::{Form, FormId, Isa, Piece, Prefer, Word};
use isa_spec::sets::WordSet;
use isa_spec::shorter::{Shorter, shorter};
use refusal::{held, name_of};
use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

/// Decodes, prints and parses words of one instruction set.
#[derive(Debug)]
pub struct Codec<'a> {
    isa: &'a Isa,
    /// One tree for each length.
    trees: Vec<(u32, Tree)>,
    /// The forms in the order in which a text is tried, each with words by which its texts are known.
    readers: Vec<(&'a Form, Vec<String>)>,
    /// The piece between a text and the additions of `--full`.
    gap: [Piece; 1],
    /// True if texts are printed with aliases.
    aliases: bool,
    lengths: Lengths,
    /// The ways in which words are shortened.
    shorter: Vec<Shorter>,
    /// The instructions whose mnemonics are suggested, once a text has an unknown one.
    suggested: OnceLock<Vec<usize>>,
}

/// A text of a form that is read.
#[derive(Clone, Copy, Debug)]
struct Template<'a> {
    form: &'a Form,
    text: &'a [Piece],
    /// The words that are read, if only some are.
    when: Option<&'a WordSet>,
}

/// An instruction as a text says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// Its form.
    pub form: FormId,
    /// Its word.
    pub word: Word,
    /// The names of registers that programs name, by the numbers that the word has for them ([`isa_spec::model::Named`]); empty for
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

impl<'a> Codec<'a> {
    /// Prepares an instruction set for decoding and parsing.
    pub fn new(isa: &'a Isa) -> Self {
        let lengths = isa.words.lengths.iter().map(|l| l.bits).chain(isa.forms.iter().map(|f| f.length));
        let lengths: std::collections::BTreeSet<u32> = lengths.collect();
        let trees = lengths
            .into_iter()
            .map(|bits| (bits, tree(isa.forms.iter().filter(|f| f.length == bits).collect(), Word::ZERO)))
            .collect();
        let mut readers: Vec<_> = isa.forms.iter().map(|form| (form, needles(form))).collect();
        if isa.prefer == Prefer::Shortest {
            readers.sort_by_key(|(form, _)| form.length);
        }
        let gap = [Piece::Literal(" ".to_string())];
        Self {
            isa,
            trees,
            readers,
            gap,
            aliases: true,
            lengths: Lengths::Preferred,
            shorter: shorter(isa),
            suggested: OnceLock::new(),
        }
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

    /// The lengths of the words that texts are read as.
    pub fn lengths(&self) -> Lengths {
        self.lengths
    }

    /// The instruction set.
    pub fn isa(&self) -> &'a Isa {
        self.isa
    }

    /// Bits of the word that begins with this unit of a stream.
    pub fn length_of(&self, prefix: Word) -> Option<u32> {
        self.isa.words.lengths.iter().find(|l| l.prefix.contains(prefix)).map(|l| l.bits)
    }

    /// The form of a word of `bits` bits.
    ///
    /// # Errors
    /// If no form matches, a field has a value that is not allowed, or a rule is broken: the error says which.
    pub fn decode(&self, word: Word, bits: u32) -> Result<FormId, Why<'a>> {
        let form = self.find(word, bits)?;
        let form = self.isa.form(form);
        for rule in &form.constraints {
            if !rule.that.words.contains(word) {
                let fields = rule.fields.iter().map(|i| held(&form.fields[*i], word)).collect();
                return Err(Why::Rule { form: name_of(form), why: &rule.why, fields });
            }
        }
        Ok(form.id)
    }

    /// The form that a word belongs to, legal or not.
    fn find(&self, word: Word, bits: u32) -> Result<FormId, Why<'a>> {
        let Some((_, tree)) = self.trees.iter().find(|(b, _)| *b == bits) else {
            return Err(Why::Length(Length::Unknown { bits }));
        };
        if !(word & !Word::ones(bits)).is_zero() {
            return Err(Why::Length(Length::TooShort { bits }));
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
}

/// Splits forms by the bits that all of them fix, as long as that tells any apart.
fn tree(forms: Vec<&Form>, used: Word) -> Tree {
    let mask = forms.iter().fold(Word::MAX, |m, f| m & f.mask) & !used;
    let first = forms.first().map(|f| f.value & mask);
    if forms.len() <= 1 || forms.iter().all(|f| Some(f.value & mask) == first) {
        let mut list: Vec<FormId> = forms.iter().map(|f| f.id).collect();
        // A form comes after its specialisations.
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

/// A word that all texts of each template of a form contain: of its text, and of those that are read as well.
fn needles(form: &Form) -> Vec<String> {
    let needle = |template: &Vec<Piece>| {
        let literals = template.iter().filter_map(|p| if let Piece::Literal(text) = p { Some(text) } else { None });
        let words = literals.flat_map(|text| text.split(|c: char| !c.is_ascii_alphanumeric()));
        words.max_by_key(|word| word.len()).unwrap_or_default().to_string()
    };
    form.templates().map(|(text, _)| needle(text)).collect()
}
