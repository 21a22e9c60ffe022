//! Sets of words as code and as tables.

use isa_spec::cubes::{Cube, CubeSet};
use isa_spec::model::{BitRange, Word};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

/// A number in hexadecimal, without a type; small ones in decimal.
pub(super) fn hex(value: Word) -> Literal {
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

/// The bits in runs, high ones first.
pub(super) fn runs(mut mask: Word) -> Vec<BitRange> {
    let mut runs = Vec::new();
    while mask != 0 {
        let hi = 127 - mask.leading_zeros();
        let lo = hi + 1 - (mask << (127 - hi)).leading_ones();
        runs.push(BitRange { hi, lo });
        mask &= if lo == 0 { 0 } else { (1 << lo) - 1 };
    }
    runs
}

/// The bits of `mask` in `word`, side by side: what the runs gather.
pub(super) fn gather(mask: Word, word: Word) -> Word {
    let mut out = 0;
    for run in runs(mask) {
        out = out << run.width() | (word & run.mask()) >> run.lo;
    }
    out
}

/// The inverse: the low bits of `value` at the places of `mask`.
pub(super) fn scatter(mask: Word, mut value: Word) -> Word {
    let mut out = 0;
    for run in runs(mask).into_iter().rev() {
        out |= (value << run.lo) & run.mask();
        value = value.checked_shr(run.width()).unwrap_or(0);
    }
    out
}

/// The code that gathers at most 64 bits of a word: `word.field(91, 91) << 12 | word.field(11, 0)`.
pub(super) fn gather_code(mask: Word, word: &TokenStream) -> TokenStream {
    let mut rest = mask.count_ones();
    let parts = runs(mask).into_iter().map(|run| {
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

/// Those words of the set that have these bits, without saying so again.
pub(super) fn restrict(set: &CubeSet, mask: Word, value: Word) -> CubeSet {
    let cubes = set.0.iter().filter(|c| (c.value ^ value) & c.mask & mask == 0);
    CubeSet(cubes.map(|c| Cube::new(c.mask & !mask, c.value)).collect())
}

/// Whether every word is in the set.
pub(super) fn is_all(set: &CubeSet) -> bool {
    set.0.iter().any(|c| c.mask == 0) || set.complement().is_empty()
}

/// The bits that the set depends on.
pub(super) fn support(set: &CubeSet) -> Word {
    let mask = set.0.iter().fold(0, |m, c| m | c.mask);
    // Cubes that don't overlap may name bits that cancel out.
    let bits = (0..128).map(|i| 1 << i).filter(|bit| mask & bit != 0);
    bits.filter(|bit| {
        let [zero, one] = [0, *bit].map(|value| restrict(set, *bit, value));
        zero != one && !(zero.includes(&one) && one.includes(&zero))
    })
    .fold(0, |m, b| m | b)
}

/// The smallest cube around the set.
pub(super) fn hull(set: &CubeSet) -> Cube {
    let Some(first) = set.0.first() else { return Cube::ALL };
    let mask = set.0.iter().fold(Word::MAX, |m, c| m & c.mask & !(c.value ^ first.value));
    Cube::new(mask, first.value)
}

/// One bit for each value of at most 6 bits `hi..lo`: whether it is in the set; if the set is about nothing else.
pub(super) fn window(set: &CubeSet) -> Option<(BitRange, u64)> {
    let bits = support(set);
    let (hi, lo) = (127u32.checked_sub(bits.leading_zeros())?, bits.trailing_zeros());
    if hi - lo >= 6 {
        return None;
    }
    let range = BitRange { hi, lo };
    let table = (0..1u128 << range.width()).filter(|v| set.contains(v << lo)).fold(0, |t, v| t | 1u64 << v);
    Some((range, table))
}

/// The same set in fewer, larger cubes, which may overlap: each is widened as far as the set allows.
pub(super) fn cover(set: &CubeSet) -> CubeSet {
    // More than this is slower than it is worth.
    const MOST: usize = 200;
    if set.0.len() < 2 || set.0.len() > MOST {
        return set.clone();
    }
    let outside = set.complement();
    let mut cubes: Vec<Cube> = Vec::new();
    for mut cube in set.0.iter().copied() {
        if cubes.iter().any(|c| c.includes(cube)) {
            continue;
        }
        for bit in (0..128).map(|i| 1 << i) {
            if cube.mask & bit == 0 {
                continue;
            }
            let wider = Cube::new(cube.mask & !bit, cube.value);
            if outside.0.iter().all(|o| o.intersect(wider).is_none()) {
                cube = wider;
            }
        }
        cubes.retain(|c| !cube.includes(*c));
        cubes.push(cube);
    }
    CubeSet(cubes)
}

/// A condition that is true for exactly the words of the set.
pub(super) fn test(set: &CubeSet, word: &TokenStream) -> TokenStream {
    const FEW: usize = 4;
    if set.is_empty() {
        return quote! { false };
    }
    if is_all(set) {
        return quote! { true };
    }
    if set.0.len() > 1
        && let Some((range, table)) = window(set)
    {
        let (hi, lo) = (Literal::u32_unsuffixed(range.hi), Literal::u32_unsuffixed(range.lo));
        let table = Literal::u64_suffixed(table);
        return quote! { (#table >> #word.field(#hi, #lo)) & 1 == 1 };
    }
    let complement = set.complement().simplify();
    if let [one] = complement.0.as_slice() {
        return super::conditions::differs(*one, word);
    }
    let (cubes, inside) = if set.0.len() > FEW && complement.0.len() < set.0.len() { (&complement, false) } else { (set, true) };
    let parts = cubes.0.iter().map(|c| cube(*c, word));
    match (inside, cubes.0.len()) {
        (true, _) => quote! { #(#parts)||* },
        (false, _) => quote! { !(#(#parts)||*) },
    }
}

/// `word & mask == value`
pub(super) fn cube(cube: Cube, word: &TokenStream) -> TokenStream {
    let (mask, value) = (hex(cube.mask), hex(cube.value));
    quote! { #word & #mask == #value }
}

/// `&[Cube { … }, …]`, for tables.
pub(super) fn cubes(set: &CubeSet, rt: &Ident) -> TokenStream {
    let cubes = set.0.iter().map(|c| {
        let (mask, value) = (hex(c.mask), hex(c.value));
        quote!(#rt::Cube::new(#mask, #value))
    });
    quote! { &[#(#cubes),*] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gathering_and_scattering() {
        let mask = 1 << 91 | 0xe0f;
        assert_eq!(runs(mask).iter().map(ToString::to_string).collect::<Vec<_>>(), ["91", "11..9", "3..0"]);
        assert_eq!(gather(mask, 1 << 91 | 0x40a), 0b1010_1010);
        for v in 0..256 {
            assert_eq!(gather(mask, scatter(mask, v)), v);
        }
        assert_eq!(
            gather_code(mask, &quote!(w)).to_string(),
            quote!(w.field(91, 91) << 7 | w.field(11, 9) << 4 | w.field(3, 0)).to_string()
        );
    }

    #[test]
    fn bits_that_cancel_out_are_no_support() {
        let set = CubeSet(vec![Cube::new(0b11, 0b01), Cube::new(0b11, 0b11)]);
        assert_eq!(support(&set), 1);
        assert_eq!(hull(&set), Cube::new(1, 1));
        assert!(is_all(&set.union(&CubeSet::of(Cube::new(1, 0)))));
        assert_eq!(window(&set), Some((BitRange { hi: 0, lo: 0 }, 0b10)));
    }

    #[test]
    fn covers_are_the_same_set_in_fewer_cubes() {
        // All words but one: as cubes that don't overlap, and as one bit for each way to be another.
        let set = CubeSet::of(Cube::new(0xff, 0xff)).complement();
        let cover = cover(&set);
        assert!(cover.0.iter().all(|c| c.mask.count_ones() == 1));
        assert_eq!(cover.0.len(), 8);
        assert!((0..256).all(|w| cover.contains(w) == (w != 0xff)));
    }

    #[test]
    fn literals_are_readable() {
        assert_eq!(hex(7).to_string(), "7");
        assert_eq!(hex(0xfff_0000_1234).to_string(), "0xfff_0000_1234");
    }
}
