//! The result of reading a text.

use alloc::string::String;
use alloc::vec::Vec;

/// An instruction as it was read from a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement<W> {
    /// Its form.
    pub form: u16,
    /// Its word.
    pub word: W,
    /// The names of registers that programs name, by the numbers that the word has for them; empty for a number that it does not
    /// have.
    pub names: Vec<String>,
}

/// A label or an expression in a text, in the place of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Its length in bytes of the text.
    pub length: usize,
    /// Its value.
    pub value: i128,
}

impl Symbol {
    /// The label with which a text begins, and its address, which is looked up by the name.
    pub fn label(text: &str, address: impl FnOnce(&str) -> Option<u64>) -> Option<Self> {
        let name = label_name(text);
        Some(Self { length: name.len(), value: address(name).filter(|_| !name.is_empty())?.into() })
    }
}

/// Finds the label or the expression with which a text begins. Digits alone are numbers already.
pub type Symbols<'l> = &'l dyn Fn(&str) -> Option<Symbol>;

/// No text begins with a label.
pub fn no_symbols(_: &str) -> Option<Symbol> {
    None
}

/// True if a character can occur in the name of a symbol: a letter or a digit of any script, `_`, `.` or `$`.
pub fn is_symbol(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | '$')
}

/// The symbol name at the beginning of a text; empty if there is none.
pub fn label_name(text: &str) -> &str {
    let ascii = text.bytes().take_while(|b| b.is_ascii() && is_symbol((*b).into())).count();
    let length = match text.as_bytes().get(ascii) {
        Some(byte) if !byte.is_ascii() => text.find(|c| !is_symbol(c)).unwrap_or(text.len()),
        _ => ascii,
    };
    let name = &text[..length];
    if name.starts_with(|c: char| c.is_ascii_digit()) && !is_local(name) { "" } else { name }
}

/// True if a name refers to a local label, which has a number: `1b` to the last one before here, `1f` to the next one.
pub fn is_local(name: &str) -> bool {
    let number = name.strip_suffix(['b', 'f']).unwrap_or_default();
    !number.is_empty() && number.bytes().all(|c| c.is_ascii_digit())
}
