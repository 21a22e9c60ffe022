//! Which characters tell the texts of forms apart: for the matcher, so that it tries few forms in vain.

use super::Cx;
use isa_spec::model::{Field, Form, Kind, Piece};
use proc_macro2::{Literal, TokenStream};
use quote::quote;
use std::collections::BTreeMap;

/// Characters that are counted.
const LANES: usize = 8;
/// Stands for any number.
const MANY: u8 = 127;

/// How often a character stands in a text: at least, at most.
type Range = (u8, u8);

/// The counts of all ASCII characters.
#[derive(Clone)]
struct Ranges([Range; 128]);

impl Ranges {
    fn none() -> Self {
        Self([(0, 0); 128])
    }

    fn of(text: &str) -> Self {
        let mut ranges = Self::none();
        ranges.add(text.bytes().filter(u8::is_ascii), 1, 1);
        ranges
    }

    /// Characters of which each is there so often.
    fn add(&mut self, characters: impl IntoIterator<Item = u8>, least: u8, most: u8) {
        for c in characters {
            let (a, b) = &mut self.0[usize::from(c)];
            *a = a.saturating_add(least).min(MANY);
            *b = b.saturating_add(most).min(MANY);
        }
    }

    /// One after the other.
    fn then(&mut self, other: &Self) {
        for ((a, b), (c, d)) in self.0.iter_mut().zip(&other.0) {
            *a = a.saturating_add(*c).min(MANY);
            *b = b.saturating_add(*d).min(MANY);
        }
    }

    /// Either of them.
    fn or(mut self, other: Self) -> Self {
        for ((a, b), (c, d)) in self.0.iter_mut().zip(other.0) {
            (*a, *b) = ((*a).min(c), (*b).max(d));
        }
        self
    }

    fn any_of(texts: impl IntoIterator<Item = Self>) -> Self {
        texts.into_iter().reduce(Self::or).unwrap_or(Self::none())
    }
}

/// The characters that are counted, and for each form how often they stand in its texts.
pub(super) fn limits(cx: &Cx<'_>, mnemonics: &BTreeMap<String, Vec<u32>>) -> (Literal, Vec<TokenStream>) {
    let forms: Vec<Ranges> = cx.isa.forms.iter().map(|f| texts(cx, f)).collect();
    let characters = telling(&forms, mnemonics);
    let rt = &cx.rt;
    let limits = forms.iter().map(|ranges| {
        let (mut least, mut most) = (0u64, 0u64);
        for i in (0..LANES).rev() {
            let (a, b) = characters.get(i).map_or((0, MANY), |c| ranges.0[usize::from(*c)]);
            (least, most) = (least << 8 | u64::from(a), most << 8 | u64::from(b));
        }
        let [least, most] = [least, most].map(super::sets::hex);
        quote!(#rt::Limits { least: #rt::Counts(#least), most: #rt::Counts(#most) })
    });
    (Literal::byte_string(&characters), limits.collect())
}

/// The characters whose counts tell the most pairs of forms of one mnemonic apart.
fn telling(forms: &[Ranges], mnemonics: &BTreeMap<String, Vec<u32>>) -> Vec<u8> {
    let mut pairs: Vec<u128> = Vec::new();
    for list in mnemonics.values() {
        for (i, a) in list.iter().enumerate() {
            for b in &list[i + 1..] {
                let (a, b) = (&forms[*a as usize].0, &forms[*b as usize].0);
                let apart = |c: &usize| a[*c].1 < b[*c].0 || b[*c].1 < a[*c].0;
                pairs.push((0..128).filter(apart).fold(0, |m, c| m | 1 << c));
            }
        }
    }
    let mut characters = Vec::new();
    while characters.len() < LANES {
        let count = |c: &u8| pairs.iter().filter(|p| **p >> c & 1 == 1).count();
        let Some(best) = (0..128u8).max_by_key(count).filter(|c| count(c) > 0) else { break };
        characters.push(best);
        pairs.retain(|p| p >> best & 1 == 0);
    }
    characters
}

/// The counts in all texts that a form prints or reads.
fn texts(cx: &Cx<'_>, form: &Form) -> Ranges {
    let mut bodies = Vec::new();
    for texts in &form.bodies {
        bodies.push(Ranges::any_of(texts.iter().map(|text| pieces(cx, form, text, &bodies))));
    }
    let texts = std::iter::once(&form.text).chain(&form.also);
    let mut ranges = Ranges::any_of(texts.map(|text| pieces(cx, form, text, &bodies)));
    ranges.then(&pieces(cx, form, &form.full, &bodies).or(Ranges::none()));
    // Blanks are up to the writer.
    (ranges.0[usize::from(b' ')], ranges.0[usize::from(b'\t')]) = ((0, MANY), (0, MANY));
    ranges
}

/// The counts in a text, with those in each list of texts.
fn pieces(cx: &Cx<'_>, form: &Form, list: &[Piece], bodies: &[Ranges]) -> Ranges {
    let mut ranges = Ranges::none();
    for piece in list {
        ranges.then(&match piece {
            Piece::Literal(text) => Ranges::of(text),
            Piece::Group { body, .. } => pieces(cx, form, body, bodies).or(Ranges::none()),
            Piece::Field { field, .. } => values(cx, &form.fields[*field]),
            Piece::OneOf(texts) => bodies[*texts].clone(),
        });
    }
    ranges
}

/// The counts in all texts of a field.
fn values(cx: &Cx<'_>, field: &Field) -> Ranges {
    let digits = |ranges: &mut Ranges| ranges.add(b'0'..=b'9', 0, MANY);
    match &field.kind {
        Kind::Flag(text) => Ranges::of(text).or(Ranges::none()),
        Kind::Bitset(letters) => {
            let mut ranges = Ranges::none();
            ranges.add(letters.bytes().chain([b'-']), 0, MANY);
            ranges
        }
        Kind::Int { .. } => {
            let mut ranges = Ranges::none();
            digits(&mut ranges);
            ranges.add((b'a'..=b'f').chain(b'A'..=b'F'), 0, MANY);
            ranges.add(*b"xX-+", 0, 1);
            ranges
        }
        Kind::Register(id) => {
            let file = &cx.isa.registers[id.index()];
            if let Some(names) = &file.names {
                let all = names.begins() | names.goes_on();
                let mut ranges = Ranges::none();
                ranges.add((0..128).filter(|c| all >> c & 1 == 1), 0, MANY);
                return ranges;
            }
            let mut numbered = Ranges::of(&file.prefix);
            numbered.then(&Ranges::of(&file.suffix));
            numbered.then(&Ranges::any_of(file.halves.iter().flatten().map(|h| Ranges::of(h))));
            digits(&mut numbered);
            Ranges::any_of(file.special.iter().map(|(_, n)| Ranges::of(n)).chain([numbered]))
        }
        Kind::Enum(id) => {
            let e = &cx.isa.enums[id.index()];
            let named = e.values.iter().flat_map(|v| std::iter::once(&v.text).chain(&v.also)).map(|t| Ranges::of(t));
            let numbered = e.otherwise.iter().map(|(before, after)| {
                let mut ranges = Ranges::of(before);
                ranges.then(&Ranges::of(after));
                digits(&mut ranges);
                ranges
            });
            Ranges::any_of(named.chain(numbered))
        }
    }
}
