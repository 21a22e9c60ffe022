use crate::{Codec, amount, beside_suites, load};
use isa_reference::samples::Random;
use isa_spec::model::{FormId, Word};
use std::collections::HashSet;

/// The result of generated code for a word.
#[derive(Debug)]
pub struct Seen {
    /// The form's name.
    pub form: &'static str,
    /// The word that it encodes to.
    pub word: Word,
    /// Its text.
    pub text: String,
    /// The additions of the `full` templates, if there are any.
    pub added: String,
}

/// A generated module as functions of one type.
#[derive(Debug)]
pub struct Generated {
    /// Decodes a word of `bits` bits at an address; the error is the reason for refusing it.
    pub decode: fn(word: Word, bits: u32, address: u64) -> Result<Seen, String>,
    /// The form and the word of a text, at an address.
    #[allow(clippy::type_complexity, reason = "spelled out once, where it is documented")]
    pub parse: fn(text: &str, address: u64) -> Result<(&'static str, Word), String>,
}

/// A generated module as [`Generated`]: `generated!(path::to::isa)`.
#[macro_export]
macro_rules! generated {
    ($($module:ident)::+) => {
        $crate::Generated {
            decode: |word, bits, address| {
                use $($module)::+ as isa;
                use isa_runtime::engine::Bits as _;
                let insn = isa::decode_bits(isa::Word::from_wide(word), bits).map_err(|e| e.to_string())?;
                let (mut text, mut added) = (isa::TextBuf::new(), isa::TextBuf::new());
                insn.push_text(address, &mut text).map_err(|e| e.to_string())?;
                insn.push_full(address, &mut added).map_err(|e| e.to_string())?;
                let (text, added) = (text.as_str().to_string(), added.as_str().to_string());
                assert_eq!(text, insn.at(address).to_string());
                assert_eq!(insn.length(), bits);
                Ok($crate::Seen { form: insn.form().name(), word: insn.word().wide(), text, added })
            },
            parse: |text, address| {
                use $($module)::+ as isa;
                use isa_runtime::engine::Bits as _;
                std::thread_local! {
                    static PARSER: std::cell::RefCell<isa::Parser> = isa::Parser::new().into();
                }
                let insn = PARSER.with_borrow_mut(|parser| parser.parse(text, address)).map_err(|e| e.to_string())?;
                Ok((insn.form().name(), insn.word().wide()))
            },
        }
    };
}

/// A spec with its codecs and its generated code.
struct Pair<'a> {
    codec: Codec<'a>,
    generated: &'a Generated,
}

/// Holds a spec (its file, relative to the suites) against its generated code: on `per_form` random words of each form, and on
/// `wholly_random` random words of each length.
///
/// # Panics
/// When the two differ, or one does not give back what it was given.
pub fn agree(file: &str, per_form: u32, wholly_random: u32, generated: &Generated) {
    let [per_form, wholly_random] = [per_form, wholly_random].map(|count| amount(count, count.div_ceil(20)));
    let isa = load(&beside_suites(file));
    let pair = Pair { codec: Codec::new(isa), generated };
    let mut random = Random::new(0x0ddba11);
    let mut seen = HashSet::new();
    for form in &isa.forms {
        for _ in 0..per_form {
            seen.extend(pair.word(random.word_of(form), form.length, &mut random));
        }
        // If rules are strict, try a word that keeps them.
        if !seen.contains(&form.id) {
            let legal = |word: &Word| form.words.contains(*word) && form.legal.contains(*word);
            let found = (0..MOST).map(|_| random.word_of(form)).find(legal);
            seen.extend(found.and_then(|word| pair.word(word, form.length, &mut random)));
        }
    }
    let never: Vec<&str> = isa.forms.iter().filter(|f| !seen.contains(&f.id)).map(|f| f.name.as_str()).collect();
    assert!(never.is_empty(), "{file}: no random word was one of {never:?}");
    for length in &isa.words.lengths {
        for _ in 0..wholly_random {
            pair.word(random.word(length.bits), length.bits, &mut random);
        }
    }
}

/// The greatest number of random words tried to find a legal one.
const MOST: u32 = 1_000_000;

impl Pair<'_> {
    /// Both sides see the same in a word, and give it back, or refuse it for the same reason; its form if it is legal.
    fn word(&self, word: Word, bits: u32, random: &mut Random) -> Option<FormId> {
        let address = [0, 0x100, 0x7fff_fff0, u64::MAX - 0xff][random.next_u64() as usize % 4];
        let reference = self.codec.decode(word, bits);
        let seen = (self.generated.decode)(word, bits, address);
        let (form, seen) = match (reference, seen) {
            (Ok(form), Ok(seen)) => (form, seen),
            (Err(reference), Err(generated)) => {
                assert_eq!(reference.to_string(), generated, "{word:#x}");
                return None;
            }
            (Ok(form), Err(error)) => {
                panic!("{word:#x} is {} to the reference codec; to generated code: {error}", self.name(form))
            }
            (Err(error), Ok(seen)) => panic!("{word:#x} is {} to generated code; to the reference codec: {error}", seen.form),
        };
        let (mut text, mut full) = (String::new(), String::new());
        self.codec.print(form, word, address, &mut text);
        self.codec.print_full(form, word, address, &mut full);
        assert_eq!((seen.form, seen.word, seen.text.as_str()), (self.name(form), word, text.as_str()), "{word:#x}");
        let with_added = if seen.added.is_empty() { text.clone() } else { format!("{text} {}", seen.added) };
        assert!(full == with_added || full.starts_with(&format!("{with_added} {{")), "{word:#x}: `{full}` and `{with_added}`");
        assert_eq!(self.codec.parse(&full, address, &|_| None), Ok((form, word)), "{word:#x}: `{full}`");
        if full == with_added {
            assert_eq!((self.generated.parse)(&full, address), Ok((self.name(form), word)), "`{full}`");
        }
        self.text(&text, address, true);
        self.text(&damaged(&text, random), address, false);
        for which in 0..self.codec.isa().form(form).also.len() {
            let mut other = String::new();
            let choose = &mut |count| random.next_u64() as usize % count;
            self.codec.print_also((form, which), word, address, choose, &mut other);
            self.text(&other, address, false);
        }
        for other in self.codec.spelt(form, word, address) {
            self.text(&other, address, false);
        }
        Some(form)
    }

    /// Both sides read the same from a text, and what is read prints as the text if that is how a word prints.
    fn text(&self, text: &str, address: u64, canonical: bool) {
        match (self.codec.parse(text, address, &|_| None), (self.generated.parse)(text, address)) {
            (Ok((form, word)), Ok(seen)) => {
                assert_eq!(seen, (self.name(form), word), "`{text}` at {address:#x}");
                let mut again = String::new();
                self.codec.print(form, word, address, &mut again);
                assert!(!canonical || again == text, "`{text}` is read as {word:#x}, which prints `{again}`");
            }
            (Err(error), Err(_)) => assert!(!canonical, "`{text}` can't be read back: {error}"),
            (Ok((form, word)), Err(error)) => panic!(
                "`{text}` at {address:#x} is {word:#x}, {}, to the reference codec; to generated code: {error}",
                self.name(form)
            ),
            (Err(error), Ok((form, word))) => {
                panic!("`{text}` at {address:#x} is {word:#x}, {form}, to generated code; to the reference codec: {error}")
            }
        }
    }

    fn name(&self, form: FormId) -> &str {
        &self.codec.isa().form(form).name
    }
}

/// The text with a character taken out, put in, or doubled.
pub fn damaged(text: &str, random: &mut Random) -> String {
    const PIECES: &[&str] =
        &[" ", "  ", ",", "0", "1", "9", "-", "+", "x", "R", "Z", "P", "!", "@", ".", "[", "]", ";", "0x", "0b1", "é", "\t"];
    let mut text = text.to_string();
    let places: Vec<usize> = text.char_indices().map(|(i, _)| i).collect();
    let Some(at) = places.get(random.next_u64() as usize % places.len().max(1)).copied() else { return text };
    match random.next_u64() % 3 {
        0 => drop(text.remove(at)),
        1 => text.insert_str(at, PIECES[random.next_u64() as usize % PIECES.len()]),
        _ => {
            let c = text.remove(at);
            text.insert(at, c);
            text.insert(at, c);
        }
    }
    text
}
