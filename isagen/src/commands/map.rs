//! `map SPEC`: allocated and free encodings.

use crate::output::{Reporter, Status, count, share};
use crate::spec;
use isa_reference::certificate::{Certificate, Free, LengthCertificate};
use isa_spec::bits::fixed_bits;
use isa_spec::model::{Isa, Region, Word};
use isa_spec::sets::Count;
use isa_stream::{Stop, out};
use std::io::Write;

/// Show the allocated and the free encodings: the bits that each form fixes, and the words that no form has, as maximal regions.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A path, or the name of a shipped instruction set.
    spec: String,
}

pub(crate) fn run(args: &Args, reporter: &Reporter) -> Result<Status, Stop> {
    let isa = match spec::model_with_words(&args.spec, reporter)? {
        Ok(isa) => isa,
        Err(status) => return Ok(status),
    };
    let mut out = out();
    space(&isa, &mut out)?;
    for length in &Certificate::new(&isa).lengths {
        let bits = length.bits;
        writeln!(out, "{bits}-bit words: {} allocated", share(length.share()))?;
        allocated(&isa, length, &mut out)?;
        let free = free(&isa, bits, MOST_REGIONS);
        writeln!(out, "\nfree: {}", count(free.regions.len() + free.more_regions as usize, "region"))?;
        write_regions(&free, bits, "  ", &mut out)?;
        holes(&isa, bits, &mut out)?;
        writeln!(out)?;
    }
    out.flush()?;
    Ok(Status::Clean)
}

/// The greatest number of free regions that are listed.
const MOST_REGIONS: usize = 4096;

/// The free words of a length.
pub(super) fn free(isa: &Isa, bits: u32, most: usize) -> Free {
    let length = isa.words.lengths.iter().find(|length| length.bits == bits).expect("a certificate is of a length");
    Free::new(length, most)
}

/// Free regions, one a line, and how much is in none of them.
pub(super) fn write_regions(free: &Free, bits: u32, indent: &str, out: &mut impl Write) -> Result<(), Stop> {
    for region in &free.regions {
        writeln!(out, "{indent}2^{:<4} {}", bits - region.mask.count_ones(), fixed_bits(region.mask, region.value))?;
    }
    if !free.more.is_zero() {
        writeln!(out, "{indent}and {} more words, in {}", free.more, count(free.more_regions as usize, "more region"))?;
    }
    Ok(())
}

/// The regions of the first unit: their size, the assigned part of it, the formats there, and the free part.
fn space(isa: &Isa, out: &mut impl Write) -> Result<(), Stop> {
    let width = |of: fn(&Region) -> usize| isa.space.iter().map(of).max().unwrap_or(0);
    let (name_width, is_width) = (width(|r| r.name.len()), width(|r| r.is.len()));
    if !isa.space.is_empty() {
        writeln!(out, "first unit of a stream, {} bits", isa.words.unit)?;
    }
    for region in &isa.space {
        let formats: String = region.formats(isa).iter().map(|f| format!(" [{}]", f.name)).collect();
        let (name, is, max) = (&region.name, &region.is, region.codes());
        let (current, free) = region.usage(isa).unwrap_or_else(|error| (Word::ZERO, vec![error.to_string()]));
        writeln!(out, "  {name:<name_width$}  {is:<is_width$}  (max: {max:>3}) (current: {current:>3}){formats}")?;
        if !current.is_zero() && !free.is_empty() {
            writeln!(out, "  {:<name_width$}  {} free: {}", "", max.wrapping_sub(current), free.join(", "))?;
        }
    }
    if !isa.space.is_empty() {
        writeln!(out)?;
    }
    Ok(())
}

/// The holes of this length that have names.
fn holes(isa: &Isa, bits: u32, out: &mut impl Write) -> Result<(), Stop> {
    let holes: Vec<_> = isa.holes.iter().filter(|h| h.length == bits).collect();
    if !holes.is_empty() {
        writeln!(out, "\nnot described: {}", count(holes.len(), "hole"))?;
    }
    let name_width = holes.iter().map(|h| h.name.len()).max().unwrap_or(0);
    for hole in holes {
        let fixed = fixed_bits(hole.words.mask, hole.words.value);
        writeln!(out, "  {:<name_width$}  2^{:<4} {fixed}", hole.name, bits - hole.words.mask.count_ones())?;
    }
    Ok(())
}

/// One line a form: its name, the number of words of its own, and the bits that it fixes.
fn allocated(isa: &Isa, length: &LengthCertificate, out: &mut impl Write) -> Result<(), Stop> {
    let name_width = length.forms.iter().map(|(f, _)| isa.form(*f).name.len()).max().unwrap_or(0);
    for (form, words) in &length.forms {
        let form = isa.form(*form);
        let size = size(words, length.bits);
        let inside: Vec<_> = form.specialised_by.iter().map(|f| isa.form(*f).name.as_str()).collect();
        let note = if inside.is_empty() { String::new() } else { format!("  (without {})", inside.join(", ")) };
        writeln!(out, "  {:<name_width$}  {size:<8}  {}{note}", form.name, fixed_bits(form.mask, form.value))?;
    }
    Ok(())
}

/// The number of words: `2^64`, `2^63.4`, `≈2^64`.
fn size(words: &Count, bits: u32) -> String {
    if words.is_zero() {
        return "0".to_owned();
    }
    if let Some(power) = words.log2() {
        return format!("2^{power}");
    }
    let log = words.fraction_of_power(bits).log2() + f64::from(bits);
    // A number that is not a power must not be rounded to one.
    let rounded = (1..=3).map(|digits| format!("{log:.digits$}")).find(|text| !text.trim_end_matches('0').ends_with('.'));
    rounded.map_or_else(|| format!("≈2^{log:.0}"), |text| format!("2^{text}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_read_well() {
        let sum = |powers: &[u32]| {
            let mut sum = Count::default();
            powers.iter().for_each(|power| sum.add(&Count::power(*power)));
            sum
        };
        assert_eq!(size(&sum(&[]), 16), "0");
        assert_eq!(size(&sum(&[11]), 16), "2^11");
        assert_eq!(size(&sum(&[10, 9]), 16), "2^10.6");
        assert_eq!(size(&sum(&[10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]), 16), "2^10.999");
        assert_eq!(size(&sum(&(0..64).collect::<Vec<_>>()), 64), "≈2^64");
        assert_eq!(size(&sum(&[120, 0]), 128), "≈2^120");
    }
}
