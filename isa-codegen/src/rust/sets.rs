//! Sets of words as code and as tables.

use isa_spec::bits::ranges;
use isa_spec::diag::Diagnostic;
use isa_spec::model::{BitRange, Condition, Form, Isa, Piece, When, Word};
use isa_spec::sets::{Cube, WordSet};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;
use std::cell::RefCell;
use std::collections::HashMap;

/// Words of generated code have so many bits at most.
pub(super) const MAX_WORD: u32 = u128::BITS;

/// A word that is too long for generated code, as a finding.
pub(super) fn too_long(isa: &Isa) -> Option<Diagnostic> {
    let length = isa.words.lengths.iter().find(|l| l.bits > MAX_WORD);
    let form = || isa.forms.iter().find(|f| f.length > MAX_WORD).map(|f| (f.length, isa.span));
    let (bits, span) = length.map(|l| (l.bits, l.span)).or_else(form)?;
    let message = format!("the Rust back end has words of up to {MAX_WORD} bits, and these have {bits}");
    Some(Diagnostic::error("width", message, span))
}

/// A word of generated code.
fn narrow(word: Word) -> u128 {
    word.to_u128().expect("longer words were refused before")
}

/// A number in hexadecimal, without a type; small ones in decimal.
pub(super) fn hex(value: impl Into<Word>) -> Literal {
    let value = narrow(value.into());
    if value < 10 {
        return Literal::u128_unsuffixed(value);
    }
    // Groups of four digits: 32 in a row can't be read.
    let digits = format!("{value:x}");
    let mut text = String::from("0x");
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(4) {
            text.push('_');
        }
        text.push(c);
    }
    text.parse().expect("digits make a literal")
}

/// The bits of `mask` in `word`, side by side: what the runs gather.
pub(super) fn gather(mask: Word, word: Word) -> Word {
    let mut out = Word::ZERO;
    for run in ranges(mask) {
        out = out << run.width() | (word & run.mask()) >> run.lo;
    }
    out
}

/// The inverse: the low bits of `value` at the places of `mask`.
pub(super) fn scatter(mask: Word, mut value: Word) -> Word {
    let mut out = Word::ZERO;
    for run in ranges(mask).into_iter().rev() {
        out |= (value << run.lo) & run.mask();
        value >>= run.width();
    }
    out
}

/// The code that gathers at most 64 bits of a word: `word.field(91, 91) << 12 | word.field(11, 0)`.
pub(super) fn gather_code(mask: Word, word: &TokenStream) -> TokenStream {
    let mut rest = mask.count_ones();
    let parts = ranges(mask).into_iter().map(|run| {
        rest -= run.width();
        let (hi, lo, shift) = (Literal::u32_unsuffixed(run.hi), Literal::u32_unsuffixed(run.lo), Literal::u32_unsuffixed(rest));
        if rest == 0 {
            quote! { #word.field(#hi, #lo) }
        } else {
            quote! { #word.field(#hi, #lo) << #shift }
        }
    });
    quote! { #(#parts)|* }
}

/// So many cubes a set of generated code may have.
const MAX_CUBES: usize = 4096;

/// A condition that takes more cubes than generated code can have, as a finding.
pub(super) fn too_large(isa: &Isa) -> Option<Diagnostic> {
    let mut known: HashMap<WordSet, bool> = HashMap::new();
    let known = RefCell::new(&mut known);
    let is_large = |set: &WordSet| {
        let compute = || set.cover(MAX_CUBES).is_none() || set.complement().cover(MAX_CUBES).is_none();
        *known.borrow_mut().entry(set.clone()).or_insert_with(compute)
    };
    let large = |condition: &Condition| is_large(&condition.words).then_some(condition.span);
    let in_form = |form: &Form| {
        let texts = std::iter::once(&form.text).chain(&form.also).chain(form.bodies.iter().flatten()).chain([&form.full]);
        let rules = form.exclusions.iter().map(|e| &e.when).chain(form.constraints.iter().map(|c| &c.that));
        let acts = form.behaviour.iter().flat_map(|b| &b.conditions);
        let inside = form.specialised_by.iter().map(|id| isa.form(*id)).find(|inner| is_large(&inner.words));
        rules
            .chain(acts)
            .find_map(large)
            .or_else(|| texts.into_iter().find_map(|text| in_pieces(text, &large)))
            .or_else(|| inside.map(|inner| isa.instruction(inner.instruction).span))
    };
    let span = isa.forms.iter().find_map(in_form)?;
    let message = format!("generated code has conditions as masks and values, and this one takes more than {MAX_CUBES} of them");
    Some(Diagnostic::error("entangled", message, span).with_help("split it, or compare with fewer values"))
}

fn in_pieces<T>(pieces: &[Piece], look: &impl Fn(&Condition) -> Option<T>) -> Option<T> {
    pieces.iter().find_map(|piece| match piece {
        Piece::Group { when: When::Holds(condition), body } => look(condition).or_else(|| in_pieces(body, look)),
        Piece::Group { body, .. } => in_pieces(body, look),
        _ => None,
    })
}

/// The set as cubes, which may overlap.
pub(super) fn list(set: &WordSet) -> Vec<Cube> {
    set.cover(MAX_CUBES).expect("sets of too many cubes were refused before")
}

/// Those words of the set that have these bits, without saying so again.
pub(super) fn restrict(set: &WordSet, mask: Word, value: Word) -> WordSet {
    set.restricted(Cube::new(mask, value))
}

/// One bit for each value of at most 6 bits `hi..lo`: whether it is in the set; if the set is about nothing else.
pub(super) fn window(set: &WordSet) -> Option<(BitRange, u64)> {
    let bits = set.support();
    let (hi, lo) = ((Word::BITS - 1).checked_sub(bits.leading_zeros())?, bits.trailing_zeros());
    if hi - lo >= 6 {
        return None;
    }
    let range = BitRange { hi, lo };
    let table = (0..1u64 << range.width()).filter(|v| set.contains(Word::from(*v) << lo)).fold(0, |t, v| t | 1u64 << v);
    Some((range, table))
}

/// A condition that is true for exactly the words of the set.
pub(super) fn test(set: &WordSet, word: &TokenStream) -> TokenStream {
    const FEW: usize = 4;
    if set.is_empty() {
        return quote! { false };
    }
    if set.is_all() {
        return quote! { true };
    }
    if set.as_cube().is_none()
        && let Some((range, table)) = window(set)
    {
        let (hi, lo) = (Literal::u32_unsuffixed(range.hi), Literal::u32_unsuffixed(range.lo));
        let table = Literal::u64_suffixed(table);
        return quote! { (#table >> #word.field(#hi, #lo)) & 1 == 1 };
    }
    let complement = set.complement();
    if let Some(one) = complement.as_cube() {
        return super::conditions::differs(one, word);
    }
    let (inside, outside) = (list(set), list(&complement));
    let is_inside = inside.len() <= FEW || outside.len() >= inside.len();
    let parts = if is_inside { inside } else { outside }.into_iter().map(|c| cube(c, word));
    if is_inside {
        quote! { #(#parts)||* }
    } else {
        quote! { !(#(#parts)||*) }
    }
}

/// `word & mask == value`
pub(super) fn cube(cube: Cube, word: &TokenStream) -> TokenStream {
    let (mask, value) = (hex(cube.mask), hex(cube.value));
    quote! { #word & #mask == #value }
}

/// `&[Cube { … }, …]`, for tables.
pub(super) fn cubes(set: &[Cube], rt: &Ident) -> TokenStream {
    let cubes = set.iter().map(|c| {
        let (mask, value) = (hex(c.mask), hex(c.value));
        quote!(#rt::Cube::new(#mask, #value))
    });
    quote! { &[#(#cubes),*] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isa_spec::sets::{Order, Solver};

    #[test]
    fn gathering_and_scattering() {
        let mask = Word::bit(91) | Word::from(0xe0fu32);
        assert_eq!(gather(mask, Word::bit(91) | Word::from(0x40au32)), Word::from(0b1010_1010u32));
        for v in (0..256u32).map(Word::from) {
            assert_eq!(gather(mask, scatter(mask, v)), v);
        }
        assert_eq!(
            gather_code(mask, &quote!(w)).to_string(),
            quote!(w.field(91, 91) << 7 | w.field(11, 9) << 4 | w.field(3, 0)).to_string()
        );
    }

    fn set(cubes: &[Cube]) -> WordSet {
        let order = Order::descending(8);
        let mut solver = Solver::new(&order);
        let sets = cubes.iter().map(|c| solver.cube(*c).unwrap()).collect();
        let set = solver.any(sets).unwrap();
        solver.freeze(set)
    }

    #[test]
    fn bits_that_cancel_out_are_no_support() {
        let set = set(&[Cube::new(Word::ones(2), Word::bit(0)), Cube::new(Word::ones(2), Word::ones(2))]);
        assert_eq!(set.support(), Word::bit(0));
        assert_eq!(window(&set), Some((BitRange { hi: 0, lo: 0 }, 0b10)));
    }

    #[test]
    fn literals_are_readable() {
        assert_eq!(hex(7u32).to_string(), "7");
        assert_eq!(hex(0xfff_0000_1234u64).to_string(), "0xfff_0000_1234");
    }
}
