//! `map SPEC`: allocated and free encodings.

use crate::output::{Reporter, Status, Stop, count, out, share};
use crate::spec;
use isa_codegen::docs::fixed_bits;
use isa_spec::certificate::{Certificate, LengthCertificate};
use isa_spec::cubes::Count;
use isa_spec::model::Isa;
use std::io::Write;

/// Show the allocated and the free encodings: what each form fixes, and what no form has.
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
    for length in &Certificate::new(&isa).lengths {
        let bits = length.bits;
        writeln!(out, "{bits}-bit words: {} allocated", share(length.share()))?;
        allocated(&isa, length, &mut out)?;
        writeln!(out, "\nfree: {}", count(length.hole_cubes.len(), "region"))?;
        for hole in &length.hole_cubes {
            writeln!(out, "  2^{:<4} {}", bits - hole.mask.count_ones(), fixed_bits(hole.mask, hole.value))?;
        }
        writeln!(out)?;
    }
    out.flush()?;
    Ok(Status::Clean)
}

/// One line a form: its name, how many words it has for itself, what it fixes.
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

/// `2^64` or `2^63.4`: how many words there are.
fn size(words: &Count, bits: u32) -> String {
    let log = words.fraction_of_power(bits).log2() + f64::from(bits);
    if log.fract() == 0.0 { format!("2^{log}") } else { format!("2^{log:.1}") }
}
