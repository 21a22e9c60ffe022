//! Numbers that have one text and are different bits: those of a NaN, and those that are the same modulo a power of two.

use super::super::decode::ones;
use super::super::tables::{FLOAT, Field, Number};
use super::attempt::Way;
use crate::float_text;

/// Other ways to read a number that was read so from these characters: bits that print as it does.
pub(super) fn alike(field: &Field, number: &Number, read: Way, shown: &[u8]) -> impl Iterator<Item = Way> + use<> {
    let (width, format) = (u32::from(field.width), u32::from(number.digits));
    // Hexadecimal digits are the bits themselves.
    let is_float = number.radix == FLOAT && shown.ends_with(b"NAN");
    let less = format.saturating_sub(width).min(63);
    let nan = if is_float { (read.raw as u64) << less } else { 0 };
    let nans = float_text::other_nans(nan, format).filter(move |(bits, _)| bits & ((1 << less) - 1) == 0);
    let nans = nans.map(move |(bits, open)| Way { raw: (bits >> less).into(), open: (open >> less).into(), ..read });
    // What is multiplied by a power of two is the same modulo another one.
    let known = u32::from(number.modulo).saturating_sub(number.scale.trailing_zeros());
    let open = if number.modulo == 0 { 0 } else { ones(width) & !ones(known.min(128)) };
    nans.chain(Some(Way { raw: read.raw & !open, open, ..read }).filter(|way| way.open != 0))
}
