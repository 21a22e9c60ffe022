//! A form of a small spec: the set of its words, and what each prints.

use crate::small::spec::{Meaning, Radix, Ranges, Word};

/// A field of a form.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) path: String,
    pub(crate) bits: Ranges,
    pub(crate) meaning: Meaning,
    pub(crate) inverted: bool,
    /// The bits of the default.
    pub(crate) default: Word,
}

/// A condition on the word, its comparisons worked out for each value of the field's bits.
#[derive(Clone, Debug)]
pub(super) enum Rule {
    Const(bool),
    Test(Ranges, Vec<bool>),
    /// Two fields: for each value of the bits of the first, and in it for each of the second.
    Fields(Ranges, Ranges, Vec<Vec<bool>>),
    Not(Box<Rule>),
    And(Vec<Rule>),
    Or(Vec<Rule>),
}

impl Rule {
    pub(super) fn holds(&self, word: Word) -> bool {
        match self {
            Rule::Const(b) => *b,
            Rule::Test(bits, table) => table[bits.get(word) as usize],
            Rule::Fields(a, b, table) => table[a.get(word) as usize][b.get(word) as usize],
            Rule::Not(part) => !part.holds(word),
            Rule::And(parts) => parts.iter().all(|p| p.holds(word)),
            Rule::Or(parts) => parts.iter().any(|p| p.holds(word)),
        }
    }
}

/// A piece of a form's text.
#[derive(Clone, Debug)]
pub(super) enum Print {
    Literal(String),
    /// A field, by its bits; the first of its texts is that of the value `first`.
    Field {
        bits: Ranges,
        texts: Vec<String>,
        first: Word,
        field: Place,
    },
    /// A number that is computed of these bits: its texts, and those that are read besides.
    Reading {
        bits: Ranges,
        texts: Vec<String>,
        others: Vec<Vec<String>>,
        /// The numbers, and the power of two modulo which any other one is read, if it is a remainder.
        numbers: Vec<i128>,
        turn: Option<u32>,
    },
    /// A number that the address is added to, modulo a power of two or with a sign.
    Target {
        bits: Ranges,
        numbers: Vec<i64>,
        /// The offset from the address, and the number of low bits of the sum that are left out.
        from: (i64, u32),
        modulo: Option<u32>,
        radix: Radix,
    },
    /// Printed when one of the fields differs from its default.
    Differs(Vec<(Ranges, Word)>, Vec<Print>),
    Holds(Rule, Vec<Print>),
    /// The first whose rule holds is printed, any other whose rule holds is read.
    Variants(Vec<(Rule, Vec<Print>)>),
}

impl Print {
    /// The text, if it is not a group.
    pub(super) fn own(&self, word: Word, address: u64) -> Option<String> {
        match self {
            Print::Literal(text) => Some(text.clone()),
            Print::Field { bits, texts, .. } | Print::Reading { bits, texts, .. } => Some(texts[bits.get(word) as usize].clone()),
            Print::Target { radix, .. } => Some(shown(self.target(word, address)?, *radix)),
            Print::Differs(..) | Print::Holds(..) | Print::Variants(_) => None,
        }
    }

    /// The number that a target shows.
    pub(super) fn target(&self, word: Word, address: u64) -> Option<i128> {
        let Print::Target { bits, numbers, from: (offset, page), modulo, .. } = self else { return None };
        let number = numbers[bits.get(word) as usize];
        // An address has 64 bits.
        let from = (i128::from(address) + i128::from(*offset)).rem_euclid(1 << 64);
        let from = from - from % (1 << page);
        Some(match modulo {
            Some(bits) => (from + i128::from(number)).rem_euclid(1 << bits),
            // With a sign, the address has one too.
            None => (from as u64 as i64).wrapping_add(number).into(),
        })
    }
}

fn print(pieces: &[Print], word: Word, address: u64, out: &mut String) {
    for piece in pieces {
        match piece {
            Print::Differs(fields, body) => {
                if fields.iter().any(|(bits, default)| bits.get(word) != *default) {
                    print(body, word, address, out);
                }
            }
            Print::Holds(rule, body) => {
                if rule.holds(word) {
                    print(body, word, address, out);
                }
            }
            Print::Variants(variants) => {
                if let Some((_, body)) = variants.iter().find(|(rule, _)| rule.holds(word)) {
                    print(body, word, address, out);
                }
            }
            _ => out.push_str(&piece.own(word, address).unwrap_or_default()),
        }
    }
}

/// All texts with some variants that hold, after each of these beginnings.
fn spellings(pieces: &[Print], word: Word, address: u64, begun: Vec<String>) -> Vec<String> {
    pieces.iter().fold(begun, |begun, piece| match piece {
        Print::Differs(fields, _) if fields.iter().all(|(bits, default)| bits.get(word) == *default) => begun,
        Print::Holds(rule, _) if !rule.holds(word) => begun,
        Print::Differs(_, body) | Print::Holds(_, body) => spellings(body, word, address, begun),
        Print::Variants(variants) => {
            let holding = variants.iter().filter(|(rule, _)| rule.holds(word));
            holding.flat_map(|(_, body)| spellings(body, word, address, begun.clone())).collect()
        }
        _ => {
            let own = piece.own(word, address).unwrap_or_default();
            begun.into_iter().map(|text| text + &own).collect()
        }
    })
}

/// One product of an instruction's choices.
#[derive(Clone, Debug)]
pub(crate) struct Form {
    pub(crate) name: String,
    pub(crate) instruction: usize,
    pub(crate) length: u32,
    pub(crate) mask: Word,
    pub(crate) value: Word,
    pub(crate) fields: Vec<Place>,
    pub(crate) fixed: Vec<Place>,
    /// Fields some values of which print like others: their bits, and for each value the one that it prints like.
    pub(super) likes: Vec<(Ranges, Vec<Word>)>,
    /// The text without aliases, if that is another one.
    pub(super) base: Option<Vec<Print>>,
    /// Bits that are ignored or unknown.
    pub(crate) kept: Word,
    pub(super) nots: Vec<Rule>,
    pub(super) rules: Vec<Rule>,
    pub(super) text: Vec<Print>,
    pub(super) also: Vec<Vec<Print>>,
    pub(super) full: Vec<Print>,
    /// The words that belong to it, legal or not, those of its specialisations included.
    pub(crate) words: Words,
    /// The number of its words.
    pub(crate) count: usize,
}

impl Form {
    pub(super) fn has(&self, word: Word) -> bool {
        word & self.mask == self.value && !self.nots.iter().any(|rule| rule.holds(word))
    }

    pub(crate) fn is_legal(&self, word: Word) -> bool {
        self.rules.iter().all(|rule| rule.holds(word))
    }

    /// The word with each value in the place of those that print like it.
    pub(crate) fn canonical(&self, word: Word) -> Word {
        let canonical =
            |word: Word, (bits, of): &(Ranges, Vec<Word>)| word & !bits.mask() | bits.place(of[bits.get(word) as usize]);
        self.likes.iter().fold(word, canonical)
    }

    /// The text without aliases.
    pub(crate) fn base_at(&self, word: Word, address: u64) -> String {
        let mut out = String::new();
        print(self.base.as_ref().unwrap_or(&self.text), word, address, &mut out);
        out
    }

    pub(crate) fn text(&self, word: Word) -> String {
        self.text_at(word, 0)
    }

    /// The text of the word at an address.
    pub(crate) fn text_at(&self, word: Word, address: u64) -> String {
        let mut out = String::new();
        print(&self.text, word, address, &mut out);
        out
    }

    /// The additions of the formats' `full`.
    pub(crate) fn added(&self, word: Word) -> String {
        let mut out = String::new();
        print(&self.full, word, 0, &mut out);
        out
    }

    /// The text, and what is added to it.
    pub(crate) fn text_and_added(&self, word: Word) -> String {
        let mut out = self.text(word);
        let added = self.added(word);
        if !added.is_empty() {
            out.push(' ');
            out.push_str(&added);
        }
        out
    }

    /// The texts of all aliases and variants that hold for a word. A number without a text is `?`.
    pub(crate) fn spellings(&self, word: Word, address: u64) -> Vec<String> {
        let mut all = spellings(&self.text, word, address, vec![String::new()]);
        all.extend(self.base.iter().flat_map(|base| spellings(base, word, address, vec![String::new()])));
        all.retain(|text| !text.is_empty() && !text.contains('?'));
        all
    }

    /// The other texts that are read for the word; empty ones are none.
    pub(crate) fn also(&self, word: Word, address: u64) -> Vec<String> {
        let one = |pieces: &Vec<Print>| {
            let mut out = String::new();
            print(pieces, word, address, &mut out);
            out
        };
        self.also.iter().map(one).collect()
    }
}

pub(super) fn shown(number: i128, radix: Radix) -> String {
    let (sign, magnitude) = (if number < 0 { "-" } else { "" }, number.unsigned_abs());
    match radix {
        Radix::Hex => format!("{sign}{magnitude:#x}"),
        Radix::Dec => format!("{sign}{magnitude}"),
        Radix::PaddedHex(digits) => format!("{sign}0x{magnitude:0least$x}", least = usize::from(digits)),
        Radix::Padded(digits) => format!("{sign}{magnitude:0least$}", least = usize::from(digits)),
    }
}

/// A set of words, a bit for each.
#[derive(Clone, Debug, Default)]
pub(crate) struct Words(Vec<u64>);

impl Words {
    pub(super) fn new(length: u32) -> Self {
        Self(vec![0; 1 << length.saturating_sub(6)])
    }

    pub(super) fn insert(&mut self, word: Word) {
        self.0[word as usize / 64] |= 1 << (word % 64);
    }

    pub(crate) fn has(&self, word: Word) -> bool {
        self.0.get(word as usize / 64).is_some_and(|bits| bits >> (word % 64) & 1 == 1)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Word> + '_ {
        let some = self.0.iter().zip(0..).filter(|(bits, _)| **bits != 0);
        some.flat_map(|(bits, at): (&u64, Word)| (0..64).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| at * 64 + bit))
    }
}
