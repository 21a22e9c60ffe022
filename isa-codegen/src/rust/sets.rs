//! Sets of words, as simulators have them.

use isa_spec::diag::Diagnostic;
use isa_spec::model::{Isa, Word};
use isa_spec::sets::{Cube, WordSet};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;
use std::collections::HashMap;

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

/// The greatest number of cubes of a set in generated code.
const MAX_CUBES: usize = 4096;

/// A condition of the semantics that takes more cubes than generated code can have, as a finding.
pub(super) fn too_large(isa: &Isa) -> Option<Diagnostic> {
    let is_large = |set: &WordSet| set.cover(MAX_CUBES).is_none();
    let mut known: HashMap<&WordSet, bool> = HashMap::new();
    let conditions = isa.forms.iter().flat_map(|form| &form.behaviour).flat_map(|behaviour| &behaviour.conditions);
    let executes = isa.forms.iter().filter_map(|form| form.executes.as_ref()).map(|executes| (&executes.words, executes.span));
    let all = conditions.map(|condition| (&condition.words, condition.span)).chain(executes);
    let mut large = all.filter(|(words, _)| *known.entry(words).or_insert_with(|| is_large(words)));
    let span = large.next()?.1;
    let message = format!("simulators have conditions as masks and values, and this one takes more than {MAX_CUBES} of them");
    Some(Diagnostic::error("entangled", message, span).with_help("split it, or compare with fewer values"))
}

/// The set as cubes, which may overlap.
pub(super) fn list(set: &WordSet) -> Vec<Cube> {
    set.cover(MAX_CUBES).expect("sets of too many cubes were refused before")
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

    #[test]
    fn literals_are_readable() {
        assert_eq!(hex(7u32).to_string(), "7");
        assert_eq!(hex(0xfff_0000_1234u64).to_string(), "0xfff_0000_1234");
    }
}
