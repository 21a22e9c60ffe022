//! The syntax of an instruction set's programs, prepared for use.

use super::{Expr, Kind};
use isa_runtime::U256;
use isa_runtime::literal::{self, Digits, Literal, NotNumber, Rules};

pub(crate) use isa_engine::Precedence;

/// A modifier: `%lo(x)`, `<x`.
#[derive(Clone, Debug)]
pub(crate) struct Modifier {
    /// Its name or sign.
    pub(crate) name: String,
    /// Its value, of `x` and of the address `.`.
    pub(super) value: Option<Expr>,
    /// The condition on operands that it reaches: not 0 for them.
    pub(super) reaches: Option<Expr>,
    /// The modifier that it is paired with: its operand is a label, and it takes the operand of that modifier there.
    pub(crate) pair: Option<String>,
}

impl Modifier {
    /// True if it is followed by parentheses.
    pub(crate) fn is_named(&self) -> bool {
        self.name.ends_with(|c: char| c.is_alphanumeric() || c == '_')
    }

    /// True if only a linker can compute it.
    pub(crate) fn is_linkers(&self) -> bool {
        self.reaches.as_ref().is_some_and(|reaches| reaches.kind == Kind::Number(0))
    }

    /// The name of the modifier that it is paired with.
    pub(crate) fn paired(&self) -> &str {
        self.pair.as_deref().unwrap_or("")
    }
}

/// The syntax of programs.
#[derive(Clone, Debug)]
pub(crate) struct Syntax {
    /// Prefixes of numbers and their radixes, the longest first.
    pub(super) numbers: Vec<(String, u32)>,
    pub(super) octal: bool,
    pub(crate) precedence: Precedence,
    /// Names of the address of a statement.
    pub(crate) here: Vec<String>,
    pub(crate) modifiers: Vec<Modifier>,
    /// The names of the modifiers that others are paired with.
    pub(crate) anchors: Vec<String>,
}

impl Syntax {
    /// The syntax of expressions inside specifications.
    pub(crate) fn of_specifications(&self) -> Self {
        Self {
            numbers: literal::SIGNED.prefixes.iter().map(|(prefix, radix)| ((*prefix).to_owned(), *radix)).collect(),
            octal: false,
            precedence: Precedence::C,
            here: vec![".".to_owned()],
            modifiers: Vec::new(),
            anchors: Vec::new(),
        }
    }

    /// True if a text may contain modifiers: it has all characters of one.
    pub(crate) fn may_modify(&self, text: &str) -> bool {
        self.modifiers.iter().any(|modifier| text.contains(modifier.name.as_str()))
    }

    /// The modifier at the beginning of a text, and the length of its name or sign.
    pub(crate) fn modifier_at(&self, text: &str) -> Option<(usize, usize)> {
        let stands = |modifier: &Modifier| {
            let rest = text.strip_prefix(modifier.name.as_str())?;
            // A name must be complete, and followed by parentheses.
            let is_whole = !modifier.is_named() || rest.trim_start().starts_with('(');
            is_whole.then_some(modifier.name.len())
        };
        let found = self.modifiers.iter().enumerate().filter_map(|(place, modifier)| Some((place, stands(modifier)?)));
        found.max_by_key(|(_, length)| *length)
    }

    /// The number at the beginning of a text, and its length.
    pub(crate) fn number(&self, text: &str) -> Option<(Result<i128, String>, usize)> {
        let read = Literal::read(text.as_bytes(), Rules { signs: "", prefixes: &self.numbers })?;
        let (digits, shown) = (&text[read.start..read.end()], &text[..read.end()]);
        if read.start == 0 && isa_engine::is_local(isa_engine::label_name(text)) {
            return None;
        }
        let has_zero = read.start == 0 && digits.len() > 1 && digits.starts_with('0') && digits.bytes().any(|c| c != b'0');
        let number = match has_zero {
            true if !self.octal => Err(format!("`{shown}` begins with a zero: write it without, or in hexadecimal with `0x`")),
            true => {
                let octal = Digits::read(digits.as_bytes(), 8, true);
                let magnitude = octal.magnitude.filter(|_| octal.length == digits.len());
                magnitude.ok_or_else(|| format!("`{shown}` is not an octal number"))
            }
            false => read.digits.magnitude.ok_or_else(|| NotNumber::TooLarge { text: shown, bits: 64 }.to_string()),
        };
        let fits = |number: U256| i128::try_from(number.to_u128()?).ok().filter(|n| *n <= i128::from(u64::MAX));
        let number =
            number.and_then(|number| fits(number).ok_or_else(|| NotNumber::TooLarge { text: shown, bits: 64 }.to_string()));
        Some((number, read.end()))
    }
}
