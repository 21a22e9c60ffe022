//! An instruction set, and the lengths of its words.

use crate::json::{list, object, text};
use isa_engine::{BadImage, Codec, Sized, Style, Word, sized};
use isa_runtime::engine::read::Reader;
use isa_runtime::engine::{Tables, image};

/// An instruction set.
pub(crate) struct Set {
    /// The first codec, of which those of programs are forks.
    pub(crate) first: &'static dyn Codec,
    pub(crate) codec: Box<dyn Codec>,
    pub(crate) tables: Tables<'static, Word>,
    /// Created when the first text of a field is read.
    pub(crate) reader: Option<Reader<'static, Word>>,
}

impl Set {
    /// The instruction set of an image, which is kept as long as the instance of the module.
    pub(crate) fn open(bytes: &[u8]) -> Result<Self, BadImage> {
        let image: &'static [u8] = image::widest(bytes)?.leak();
        let first: &'static dyn Codec = Box::leak(isa_engine::open_widest(image, Style::default())?);
        Ok(Self { first, codec: first.fork(), tables: Tables::new(image), reader: None })
    }

    /// `{ name, summary, isText, lengths: [bits, …] }`
    pub(crate) fn describe(&self) -> String {
        object([
            ("name", text(self.codec.name())),
            ("summary", text(self.tables.text(self.tables.head().summary))),
            ("isText", self.codec.is_text().to_string()),
            ("lengths", list(self.codec.shape().lengths.iter().map(u32::to_string))),
        ])
    }

    /// The word of hexadecimal digits: of the length that has as many digits, or else of one that fits.
    pub(crate) fn sized(&self, digits: &str) -> Option<Sized> {
        if digits.len() > 64 {
            return None;
        }
        let word = word(digits)?;
        self.exactly(digits).or_else(|| sized(&*self.codec, word).ok()).or_else(|| {
            let lengths = &self.codec.shape().lengths;
            let fits = lengths.iter().find(|bits| word >> **bits == Word::ZERO);
            Some(Sized { word, bits: *fits.or(lengths.last())? })
        })
    }

    /// The word of hexadecimal digits, if words of a length have as many.
    pub(crate) fn exactly(&self, digits: &str) -> Option<Sized> {
        let bits = *self.codec.shape().lengths.iter().find(|bits| bits.div_ceil(4) as usize == digits.len())?;
        Some(Sized { word: word(digits)?, bits })
    }
}

/// The number of hexadecimal digits, of which there are at most 64.
pub(crate) fn word(digits: &str) -> Option<Word> {
    isa_engine::digits::parse_hex(digits.as_bytes()).filter(|_| !digits.is_empty())
}
