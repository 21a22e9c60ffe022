//! Numbers with one text but different bits: those of a NaN, and those that are equal modulo a power of two.

use super::super::decode::ones;
use super::ready::{Numbers, Way};
use crate::float_text;
use crate::value::Style;

/// Other readings of a number that was read from these characters: bits that print the same text. Bits with the same number are left
/// out if the end of the text chooses among them.
pub(super) fn alike(code: &Numbers, style: Style, read: Way, shown: &[u8], is_chosen: bool) -> impl Iterator<Item = Way> {
    let width = code.code.width;
    let format = if let Style::Float(float) = style { u32::from(float.format) } else { 0 };
    // Hexadecimal digits are the bits themselves.
    let is_nan = format > 0 && shown.ends_with(b"NAN");
    let less = format.saturating_sub(width).min(63);
    // The numbers of these bits, and the bits of others.
    let own = code.number_bits(read.raw);
    let nan = if is_nan && code.code.map().is_none() { (own as u64) << less } else { 0 };
    let nans = float_text::other_nans(nan, format).filter(move |(bits, _)| bits & ((1 << less) - 1) == 0);
    let nans = nans.map(move |(bits, open)| (u128::from(bits >> less), u128::from(open >> less)));
    // Products with a power of two are equal modulo a smaller power of two.
    let known = code.modulo.saturating_sub(code.scale.trailing_zeros());
    let open = if code.modulo == 0 { 0 } else { ones(width) & !ones(known.min(128)) };
    let turns = Some((own & !open, open)).filter(|(_, open)| *open != 0);
    // A listed number can have several bit patterns.
    let number = code.code.map().and_then(|map| map.number(read.raw));
    let same = number.filter(|_| !is_chosen);
    let same = same.into_iter().flat_map(|number| code.code.map().into_iter().flat_map(move |map| map.bits(number)));
    let alike = number.filter(|_| is_nan).into_iter().flat_map(move |number| {
        let others = code.code.map().into_iter().flat_map(|map| map.numbers());
        others
            .filter(move |(_, other)| *other != number && float_text::is_alike(*other as u64, number as u64, format))
            .map(|(bits, _)| *bits)
    });
    let listed = same.chain(alike).map(|bits| (u128::from(bits), 0)).filter(move |(bits, _)| *bits != read.raw);
    nans.chain(turns).chain(listed).filter_map(move |(bits, open)| code.way(bits, open, read))
}
