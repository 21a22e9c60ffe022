//! The texts of a field as a small grammar: checks and tables ask it with what a text begins, of what it is made, and how long it is.
//!
//! Tables are filled with the texts that a spelling makes. The reference codec prints by itself (`value_text`), so that each is a second
//! opinion on the other.

use crate::model::{Field, Isa, Kind, Radix, Raw, ones};
use isa_runtime::float_text::{FloatText, LONGEST};
use isa_runtime::value::{Code, Number};

/// The texts of a field: one way of each part, one part after the other.
#[derive(Clone, Debug)]
pub struct Spelling<'a> {
    code: &'a Code,
    /// The parts.
    pub parts: Vec<Vec<Way<'a>>>,
}

/// One of the ways in which a part of a text is made.
#[derive(Clone, Debug)]
pub struct Way<'a> {
    /// The numbers of the field that print so.
    pub of: Numbers,
    /// The pieces of the text.
    pub tokens: Vec<Token<'a>>,
}

/// Some numbers of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// One number.
    One(Raw),
    /// Those with this bit set, or clear.
    Bit(u32, bool),
    /// All for which no way names the number.
    Others,
    /// The even or the odd ones among these.
    Half(bool),
    /// Those below 0, or all others.
    Negative(bool),
}

/// A piece of the text of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token<'a> {
    /// These characters.
    Text(&'a str),
    /// The digits of a number without a sign.
    Digits(Digits),
    /// A floating-point number of so many bits, of which the field has the high ones.
    Float(u8),
    /// A name that a program gives: the characters with which it begins, and those with which it goes on.
    Name {
        /// The ASCII characters with which a name begins.
        begins: u128,
        /// The ASCII characters with which it goes on.
        goes_on: u128,
    },
}

/// The digits of a number without a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digits {
    /// Hexadecimal ones.
    pub is_hex: bool,
    /// Zeros stand in front up to so many digits.
    pub least: u8,
    /// The number is no greater.
    pub most: Raw,
    /// The number is the whole text, with its sign and `0x`: it is read with all letters, digits and `_` that follow.
    pub is_whole: bool,
}

const DECIMAL: &str = "0123456789";
const HEX: &str = "0123456789abcdef";

impl<'a> Spelling<'a> {
    /// The texts of a field; its numbers in the style of a template, if it has one.
    pub fn of(isa: &'a Isa, field: &'a Field, style: Option<Radix>) -> Self {
        let most = ones(field.code.width);
        let text = |of, text| Way { of, tokens: vec![Token::Text(text)] };
        let part = match &field.kind {
            Kind::Number(own) => match style.or(*own).unwrap_or(isa.numbers) {
                Radix::Float(bits) => vec![Way { of: Numbers::Others, tokens: vec![Token::Float(bits)] }],
                radix => numbers(field, radix),
            },
            Kind::Flag(set) => vec![text(Numbers::One(0), ""), text(Numbers::One(1), set)],
            Kind::Bitset(letters) => {
                let bit = |(bit, (at, letter)): (u32, (usize, char))| {
                    let letter = &letters[at..at + letter.len_utf8()];
                    vec![text(Numbers::Bit(bit, true), letter), text(Numbers::Bit(bit, false), "-")]
                };
                return Self { code: &field.code, parts: (0..).zip(letters.char_indices()).map(bit).collect() };
            }
            Kind::Register(id) => {
                let file = &isa.registers[id.index()];
                if let Some(names) = &file.names {
                    let name = Token::Name { begins: names.begins(), goes_on: names.goes_on() };
                    return Self { code: &field.code, parts: vec![vec![Way { of: Numbers::Others, tokens: vec![name] }]] };
                }
                let special = file.special.iter().filter(|(number, _)| *number <= most);
                let mut ways: Vec<Way<'a>> = special.map(|(number, name)| text(Numbers::One(*number), name)).collect();
                let digits = |most| Token::Digits(Digits { is_hex: false, least: 1, most, is_whole: false });
                let [before, after] = [&file.prefix, &file.suffix].map(|text| Token::Text(text));
                let last = file.count.checked_sub(1).map(|last| last.min(most));
                match (&file.halves, last) {
                    (None, Some(last)) => ways.push(Way { of: Numbers::Others, tokens: vec![before, digits(last), after] }),
                    (Some(halves), Some(last)) => ways.extend(halves.iter().zip([0, 1]).filter_map(|(half, odd)| {
                        let tokens = vec![before, digits(last.checked_sub(odd)? >> 1), Token::Text(half), after];
                        Some(Way { of: Numbers::Half(odd == 1), tokens })
                    })),
                    (_, None) => {}
                }
                ways
            }
            Kind::Enum(id) => {
                let e = &isa.enums[id.index()];
                let values = e.values.iter().filter(|v| v.value <= most);
                let mut ways: Vec<Way<'a>> = values.map(|v| text(Numbers::One(v.value), &v.text)).collect();
                ways.extend(e.otherwise.as_ref().map(|other| {
                    let digits = Token::Digits(Digits { is_hex: other.is_hex, least: 1, most, is_whole: false });
                    let mark = Token::Text(if other.is_hex { "0x" } else { "" });
                    Way { of: Numbers::Others, tokens: vec![Token::Text(&other.before), mark, digits, Token::Text(&other.after)] }
                }));
                ways
            }
        };
        Self { code: &field.code, parts: vec![part] }
    }

    /// The text of some bits of the field in a word at address 0; `None` if they are a register or a value that there is not, or one that
    /// a program names.
    pub fn text(&self, raw: Raw) -> Option<String> {
        let shown = self.code.shown(raw, 0)?;
        let index = shown.low() & ones(self.code.width);
        let mut text = String::new();
        for ways in &self.parts {
            let one = ways.iter().find(|way| way.of == Numbers::One(index));
            let is_there = |way: &&Way<'_>| match way.of {
                Numbers::One(_) => false,
                Numbers::Bit(bit, is_set) => (index >> bit & 1 == 1) == is_set,
                Numbers::Others => true,
                Numbers::Half(is_odd) => (index & 1 == 1) == is_odd,
                Numbers::Negative(is_negative) => shown.negative == is_negative,
            };
            let way = one.or_else(|| ways.iter().find(is_there))?;
            for token in &way.tokens {
                match token {
                    Token::Text(piece) => text.push_str(piece),
                    Token::Digits(digits) => {
                        let number = match way.of {
                            Numbers::Negative(_) => shown.magnitude,
                            Numbers::Half(_) => index >> 1,
                            _ => index,
                        };
                        text.push_str(&digits.of(number)?);
                    }
                    Token::Float(bits) => {
                        let less = u32::from(*bits).saturating_sub(self.code.width);
                        text.push_str(FloatText::new((index as u64) << less, (*bits).into()).as_str());
                    }
                    Token::Name { .. } => return None,
                }
            }
        }
        Some(text)
    }

    /// All ways of all parts.
    pub fn ways(&self) -> impl Iterator<Item = &Way<'a>> {
        self.parts.iter().flatten()
    }

    /// The pieces with which a text begins, none of them empty; and true if a text can be empty.
    pub fn first(&self) -> (Vec<Token<'a>>, bool) {
        outermost(self.parts.iter(), |way| way.tokens.iter().find(|token| !token.is_empty()))
    }

    /// The pieces with which a text ends, none of them empty.
    pub fn last(&self) -> Vec<Token<'a>> {
        outermost(self.parts.iter().rev(), |way| way.tokens.iter().rfind(|token| !token.is_empty())).0
    }

    /// Bytes of the longest text.
    pub fn longest(&self) -> usize {
        let way = |way: &Way<'_>| way.tokens.iter().map(Token::longest).sum::<usize>();
        self.parts.iter().map(|ways| ways.iter().map(way).max().unwrap_or(0)).sum()
    }
}

/// The first of the pieces that `end` finds in the ways of parts, and of the next part where a way has none.
fn outermost<'s, 'a: 's>(
    parts: impl Iterator<Item = &'s Vec<Way<'a>>>,
    end: impl Fn(&'s Way<'a>) -> Option<&'s Token<'a>>,
) -> (Vec<Token<'a>>, bool) {
    let mut found = Vec::new();
    for ways in parts {
        let ends: Vec<_> = ways.iter().map(&end).collect();
        found.extend(ends.iter().flatten().copied());
        if ends.iter().all(Option::is_some) && !ends.is_empty() {
            return (found, false);
        }
    }
    (found, true)
}

/// The ways of a number: of those that are not negative, and of those that are.
fn numbers<'a>(field: &Field, radix: Radix) -> Vec<Way<'a>> {
    let is_hex = radix == Radix::Hex;
    let least = if let Radix::Padded(digits) = radix { digits } else { 1 };
    let [low, high] = match (field.code.modulo(), field.code.relative()) {
        (Some(bits), _) => [Number::ZERO, Number::from(ones(bits))],
        (None, Some(_)) => [i64::MIN.into(), i64::MAX.into()],
        (None, None) => field.code.range(),
    };
    let way = |is_negative: bool, most: Raw| {
        let sign = Token::Text(if is_negative { "-" } else { "" });
        let mark = Token::Text(if is_hex { "0x" } else { "" });
        let digits = Token::Digits(Digits { is_hex, least, most, is_whole: true });
        Way { of: Numbers::Negative(is_negative), tokens: vec![sign, mark, digits] }
    };
    let positive = (!high.negative).then(|| way(false, high.magnitude));
    let negative = low.negative.then(|| way(true, low.magnitude));
    positive.into_iter().chain(negative).collect()
}

impl Token<'_> {
    /// Returns true for no characters at all.
    pub fn is_empty(&self) -> bool {
        *self == Token::Text("")
    }

    /// Bytes of the longest text.
    pub fn longest(&self) -> usize {
        match self {
            Token::Text(text) => text.len(),
            Token::Digits(digits) => digits.longest(),
            Token::Float(_) => LONGEST,
            // Programs give these names: they have any length.
            Token::Name { .. } => 0,
        }
    }

    /// The ASCII characters that are part of it, one bit each.
    pub fn made_of(&self) -> u128 {
        match self {
            Token::Text(text) => ascii(text),
            Token::Digits(digits) => ascii(digits.characters()),
            Token::Float(_) => ascii("+-.0123456789eINFQAS"),
            Token::Name { begins, goes_on } => begins | goes_on,
        }
    }

    /// The ASCII characters with which it begins, one bit each.
    pub fn begins(&self) -> u128 {
        match self {
            Token::Text(text) => text.chars().next().map_or(0, |first| ascii(first.encode_utf8(&mut [0; 4]))),
            Token::Digits(digits) => ascii(digits.characters()),
            Token::Float(_) => ascii("+-0123456789"),
            Token::Name { begins, .. } => *begins,
        }
    }

    /// The ASCII characters with which what is read goes on at its end, one bit each: none may follow it.
    pub fn goes_on(&self) -> u128 {
        let word = || (0..128u8).filter(|c| c.is_ascii_alphanumeric() || *c == b'_').fold(0, |set, c| set | 1 << c);
        match self {
            Token::Text(_) => 0,
            Token::Digits(Digits { is_whole: true, .. }) => word(),
            Token::Digits(Digits { is_hex: true, .. }) => ascii("0123456789abcdefABCDEF"),
            Token::Digits(_) => ascii(DECIMAL),
            Token::Float(_) => word() | ascii("."),
            Token::Name { goes_on, .. } => *goes_on,
        }
    }
}

impl Digits {
    /// The digits.
    pub fn characters(&self) -> &'static str {
        if self.is_hex { HEX } else { DECIMAL }
    }

    /// The digits of a number, if it is not too large.
    fn of(&self, number: Raw) -> Option<String> {
        let least = usize::from(self.least);
        (number <= self.most).then(|| if self.is_hex { format!("{number:0least$x}") } else { format!("{number:0least$}") })
    }

    fn longest(&self) -> usize {
        self.of(self.most).map_or(0, |digits| digits.len())
    }
}

/// The ASCII characters of a text, one bit each; bit 127 for all others.
pub fn ascii(text: &str) -> u128 {
    text.bytes().fold(0, |set, c| set | 1u128 << c.min(127))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value_text::print_value;

    #[test]
    fn spellings_are_the_texts_that_are_printed() {
        let spec = "isa: t\nword: 64\nnumbers: dec\nmachine: { pc: 32 }\nregisters:\n  R: { index: 4, width: 8, text: \"r{n}x\", \
                    special: { 3: zero } }\n  H: { index: 4, width: 8, text: \"h{n}\", halves: [ L, H ], special: { 15: top } }\nenums:\n  \
                    E: { 0: \"\", 1: one, 5: five }\n  O: { 0: none, else: \"q{n:x}z\" }\ninstructions:\n  A:\n    fields:\n      \
                    r: 3..0 R\n      h: 7..4 H inverted\n      e: 10..8 E\n      o: 15..11 O\n      f: 16 \".x\" inverted\n      \
                    s: 19..17 \"abc\"\n      n: 24..20 signed *4 +1\n      u: 29..25 hex\n      t: 34..30 signed target(4)\n      \
                    w: 39..35 target wraps\n      m: 44..40 wraps(7) *2\n    fix: { 63..45: 0 }\n    \
                    text: \"A {r},{h},{e},{o},{f},{s},{n},{u},{t},{w},{m}\"\n";
        let spec = spec.replace("\"abc\"", "bitset \"abc\"");
        let loaded = crate::load_str("t.yaml", &spec, None);
        let messages: Vec<_> = loaded.diagnostics.iter().map(|d| &d.message).collect();
        let isa = loaded.isa.unwrap_or_else(|| panic!("{messages:?}"));
        for field in &isa.forms[0].fields {
            let spelling = Spelling::of(&isa, field, None);
            let (first, is_nullable) = spelling.first();
            let begins = first.iter().fold(0, |set, token| set | token.begins());
            let made = spelling.ways().flat_map(|way| &way.tokens).fold(0, |set, token| set | token.made_of());
            let ends = spelling.last().iter().fold(0, |set, token| set | token.made_of());
            let mut longest = 0;
            for raw in 0..=ones(field.code.width) {
                for address in [0, 0x1000, u64::MAX] {
                    let mut text = String::new();
                    print_value(&isa, field, raw, None, address, &mut text);
                    let has_text = !text.starts_with('?');
                    assert!(address != 0 || spelling.text(raw).as_deref() == Some(&*text).filter(|_| has_text), "{text}");
                    if !has_text {
                        continue;
                    }
                    longest = longest.max(text.len());
                    let [first, last] = [&text[..text.len().min(1)], &text[text.len().saturating_sub(1)..]].map(ascii);
                    assert!(!text.is_empty() || is_nullable, "{}", field.path);
                    assert_eq!([first & !begins, ascii(&text) & !made, last & !ends], [0; 3], "{}: {text}", field.path);
                }
            }
            // Not all addresses are tried.
            let is_exact = field.code.shown_steps().is_empty();
            assert!(longest == spelling.longest() || longest < spelling.longest() && !is_exact, "{}", field.path);
        }
    }
}
