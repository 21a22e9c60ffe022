//! The questions that a test asks about a spec of `specs/accepted`.

use harness::{Codec, load};
use isa_reference::certificate::Certificate;
use isa_spec::model::Word;
use std::path::Path;

/// A spec of `specs/accepted` under examination.
pub(crate) struct Exam<'a> {
    pub(crate) codec: Codec<'a>,
    pub(crate) bits: u32,
    pub(crate) address: u64,
}

/// For a word length: its bits, words that belong to a form, words that don't, each form's own words.
pub(crate) type LengthCounts<'a> = (u32, &'a str, &'a str, &'a [(&'a str, &'a str)]);

/// A word as a test writes it: a number, or its digits where it has more than 128 bits.
pub(crate) trait Written {
    fn word(self) -> Word;
}

impl Written for u128 {
    fn word(self) -> Word {
        self.into()
    }
}

impl Written for &str {
    fn word(self) -> Word {
        Word::from_str_radix(&self.replace('_', ""), 16).expect("hexadecimal digits")
    }
}

impl Written for Word {
    fn word(self) -> Word {
        self
    }
}

pub(crate) fn exam(name: &str, ask: impl FnOnce(&mut Exam<'_>)) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs/accepted").join(name).with_extension("yaml");
    let isa = load(&path);
    ask(&mut Exam { codec: Codec::new(isa), bits: isa.max_bits(), address: 0 });
}

impl Exam<'_> {
    pub(crate) fn counts(&self, expected: &[LengthCounts<'_>]) {
        let isa = self.codec.isa();
        let certificate = Certificate::new(isa);
        assert_eq!(certificate.lengths.len(), expected.len());
        for (length, (bits, allocated, holes, forms)) in certificate.lengths.iter().zip(expected) {
            assert!(length.is_exact(), "{} bits: {} + {} are not {}", length.bits, length.allocated, length.holes, length.total);
            let own: Vec<(&str, String)> =
                length.forms.iter().map(|(id, count)| (isa.form(*id).name.as_str(), count.to_string())).collect();
            let own: Vec<(&str, &str)> = own.iter().map(|(name, count)| (*name, count.as_str())).collect();
            assert_eq!(
                (length.bits, length.allocated.to_string().as_str(), length.holes.to_string().as_str(), own.as_slice()),
                (*bits, *allocated, *holes, *forms)
            );
        }
    }

    fn text(&self, word: Word) -> (String, String, String) {
        let form = self.codec.decode(word, self.bits).unwrap_or_else(|e| panic!("{word:#x} is refused: {e}"));
        let (mut text, mut full) = (String::new(), String::new());
        self.codec.print(form, word, self.address, &mut text);
        self.codec.print_full(form, word, self.address, &mut full);
        (self.codec.isa().form(form).name.clone(), text, full)
    }

    /// The word belongs to the form, prints the text, and the text gives the word back.
    pub(crate) fn both(&self, word: impl Written, form: &str, text: &str) {
        let word = word.word();
        self.prints(word, form, text);
        self.reads(text, word);
    }

    /// The word prints the text, and what `--full` says gives the word back.
    pub(crate) fn prints(&self, word: impl Written, form: &str, text: &str) {
        let word = word.word();
        let (found, printed, full) = self.text(word);
        assert_eq!((found.as_str(), printed.as_str()), (form, text), "{word:#x}");
        self.reads(&full, word);
    }

    pub(crate) fn full(&self, word: impl Written, full: &str) {
        let word = word.word();
        assert_eq!(self.text(word).2, full, "{word:#x}");
        self.reads(full, word);
    }

    pub(crate) fn reads(&self, text: &str, word: impl Written) {
        let word = word.word();
        let (_, read) = self.codec.parse(text, self.address, &|_| None).unwrap_or_else(|e| panic!("`{text}`: {e} (at {})", e.at));
        assert_eq!(read, word, "`{text}` is {word:#x}, not {read:#x}");
    }

    /// The word prints the text without aliases, which is read as the word.
    pub(crate) fn base(&self, word: impl Written, text: &str) {
        let word = word.word();
        let form = self.codec.decode(word, self.bits).unwrap_or_else(|e| panic!("{word:#x} is refused: {e}"));
        assert_eq!(self.codec.base_text(form, word, self.address), text, "{word:#x}");
        self.reads(text, word);
    }

    /// The word is refused, with this message.
    pub(crate) fn refuses(&self, word: impl Written, message: &str) {
        let word = word.word();
        match self.codec.decode(word, self.bits) {
            Ok(form) => panic!("{word:#x} is {}", self.codec.isa().form(form).name),
            Err(why) => assert_eq!(why.to_string(), message, "{word:#x}"),
        }
    }

    /// Asserts that the text is refused with this message, at the byte above the caret of the second line.
    pub(crate) fn faulty(&self, text: &str, caret: &str, message: &str) {
        match self.codec.parse(text, self.address, &|_| None) {
            Ok((form, word)) => panic!("`{text}` is {word:#x}, {}", self.codec.isa().form(form).name),
            Err(error) => assert_eq!((error.at, error.to_string().as_str()), (caret.len() - 1, message), "`{text}`"),
        }
    }
}
