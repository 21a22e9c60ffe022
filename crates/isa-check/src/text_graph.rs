//! The texts of a field as a small graph: checks and tables ask it with what a text begins, of what it is made, and how long it is.
//!
//! Tables are filled with the texts that it makes. The reference codec prints by itself (`value_text`), so that each is a second opinion
//! on the other.

use isa_model::model::{Field, Raw, ones};
use isa_runtime::float_text::{FloatText, LONGEST};
use isa_runtime::value::{Bits, Code, FloatStyle, Name, Number, Numbered, Other, Part, Role, Spelling, Style};

/// The texts of a field: one way of each part, one part after the other.
#[derive(Clone, Debug)]
pub struct TextGraph<'a> {
    code: &'a Code,
    /// The parts.
    pub parts: Vec<Vec<Way<'a>>>,
}

/// One of the ways in which a part of a text is made.
#[derive(Clone, Debug)]
pub struct Way<'a> {
    /// The bits of the number that the part is for; `None` for all of it.
    pub bits: Option<Bits>,
    /// The numbers of the field that print so.
    pub of: Numbers<'a>,
    /// The pieces of the text.
    pub tokens: Vec<Token<'a>>,
}

/// Some numbers of a field, or of some bits of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers<'a> {
    /// The number of a text of its own.
    One(&'a Name),
    /// All for which no way names the number.
    Others,
    /// The even or the odd ones among these.
    Half(bool),
    /// The numbers below 0, or all others.
    Negative(bool),
}

/// A piece of the text of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token<'a> {
    /// These characters.
    Text(&'a str),
    /// The digits of a number without a sign.
    Digits(Digits),
    /// A floating-point number, of which the field has the high bits.
    Float(FloatStyle),
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
    /// The number of digits up to which zeros are put in front.
    pub least: u8,
    /// The number is no greater.
    pub most: Raw,
    /// The number is the whole text, with its sign and `0x`: it is read with all letters, digits and `_` that follow.
    pub is_whole: bool,
}

pub(crate) const DECIMAL: &str = "0123456789";
pub(crate) const HEX: &str = "0123456789abcdef";

impl<'a> TextGraph<'a> {
    /// The texts of a field, as it prints where the template says nothing else.
    pub fn of_field(field: &'a Field) -> Self {
        Self::of(&field.code, &field.spelling)
    }

    /// The texts that a spelling gives the numbers of a code.
    pub fn of(code: &'a Code, spelling: &'a Spelling) -> Self {
        Self { code, parts: spelling.parts.iter().map(|part| ways(code, part)).collect() }
    }

    /// The text of some bits of the field in a word at address 0; `None` if they have none, or one that a program gives.
    pub fn text(&self, raw: Raw) -> Option<String> {
        let shown = self.code.shown(raw, 0)?;
        let mut text = String::new();
        for ways in &self.parts {
            let index = |way: &Way<'_>| {
                let number = shown.low() & ones(self.code.number_width());
                way.bits.map_or(number, |bits| bits.of(number))
            };
            let own = |way: &&Way<'_>| matches!(way.of, Numbers::One(name) if name.number == index(way));
            let is_there = |way: &&Way<'_>| match way.of {
                Numbers::One(_) => false,
                Numbers::Others => true,
                Numbers::Half(is_odd) => (index(way) & 1 == 1) == is_odd,
                Numbers::Negative(is_negative) => shown.negative == is_negative,
            };
            let way = ways.iter().find(own).or_else(|| ways.iter().find(is_there))?;
            for token in &way.tokens {
                match token {
                    Token::Text(piece) => text.push_str(piece),
                    Token::Digits(digits) => {
                        let number = match way.of {
                            Numbers::Negative(_) => shown.magnitude,
                            Numbers::Half(_) => index(way) >> 1,
                            _ => index(way),
                        };
                        text.push_str(&digits.of(number)?);
                    }
                    Token::Float(style) => {
                        let less = u32::from(style.format).saturating_sub(self.code.number_width());
                        text.push_str(FloatText::new((index(way) as u64) << less, *style).as_str());
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

/// The ways in which a part of a spelling is printed.
fn ways<'a>(code: &'a Code, part: &'a Part) -> Vec<Way<'a>> {
    let most = part.of.map_or(ones(code.number_width()), |bits| ones(bits.width.into()));
    let way = |of, tokens| Way { bits: part.of, of, tokens };
    let names = part.names.iter().filter(|name| name.role != Role::Read && name.number <= most);
    let names = names.map(|name| way(Numbers::One(name), vec![Token::Text(&name.text)]));
    let others = match &part.other {
        None => Vec::new(),
        Some(Other::Number(Style::Float(style))) => vec![way(Numbers::Others, vec![Token::Float(*style)])],
        Some(Other::Number(style)) => numbers(code, *style),
        Some(Other::Numbered(numbered)) => between(numbered, most).into_iter().map(|(of, tokens)| way(of, tokens)).collect(),
        Some(Other::Given { names, .. }) => {
            vec![way(Numbers::Others, vec![Token::Name { begins: names.begins(), goes_on: names.goes_on() }])]
        }
    };
    names.chain(others).collect()
}

/// The ways of numbers up to `most` between two texts.
fn between(numbered: &Numbered, most: Raw) -> Vec<(Numbers<'_>, Vec<Token<'_>>)> {
    let Some(most) = numbered.end.map_or(Some(most), |end| Some(end.checked_sub(1)?.min(most))) else { return Vec::new() };
    let digits = |most| Token::Digits(Digits { is_hex: numbered.is_hex, least: 1, most, is_whole: false });
    let [before, after] = [&numbered.before, &numbered.after].map(|text| Token::Text(text));
    match &numbered.halves {
        None => {
            let mark = Token::Text(if numbered.is_hex { "0x" } else { "" });
            vec![(Numbers::Others, vec![before, mark, digits(most), after])]
        }
        Some(halves) => {
            let half = |(half, odd)| {
                let most = most.checked_sub(u128::from(odd))? >> 1;
                Some((Numbers::Half(odd), vec![before, digits(most), Token::Text(half), after]))
            };
            halves.iter().map(String::as_str).zip([false, true]).filter_map(half).collect()
        }
    }
}

/// The ways of a number: of those that are not negative, and of those that are.
fn numbers<'a>(code: &Code, style: Style) -> Vec<Way<'a>> {
    let (is_hex, least) = (style.is_hex(), style.least());
    let [low, high] = match (code.modulo(), code.relative()) {
        (Some(bits), _) => [Number::ZERO, Number::from(ones(bits))],
        (None, Some(_)) => [i64::MIN.into(), i64::MAX.into()],
        (None, None) => code.range(),
    };
    let way = |is_negative: bool, most: Raw| {
        let sign = Token::Text(if is_negative { "-" } else { "" });
        let mark = Token::Text(if is_hex { "0x" } else { "" });
        let digits = Token::Digits(Digits { is_hex, least, most, is_whole: true });
        Way { bits: None, of: Numbers::Negative(is_negative), tokens: vec![sign, mark, digits] }
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
            Token::Text(text) => first_of(text),
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

    /// The style of such numbers.
    pub(crate) fn style(&self) -> Style {
        match (self.is_hex, self.least) {
            (true, 0 | 1) => Style::Hex,
            (true, least) => Style::PaddedHex(least),
            (false, 0 | 1) => Style::Dec,
            (false, least) => Style::Padded(least),
        }
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

/// The first character of a text, as one of [`ascii`].
pub(crate) fn first_of(text: &str) -> u128 {
    text.bytes().next().map_or(0, |first| 1 << first.min(127))
}
