//! The rules that a model keeps, one file each.

mod clashes;
mod comments;
mod every_bit;
mod holes;
mod lengths;
mod lines;
mod neighbours;
mod texts_apart;
mod whole_text;

use crate::diag::Diagnostics;
use crate::model::Isa;

/// Checks a model that was expanded without errors, and notes in it which forms specialise which.
pub(crate) fn check(isa: &mut Isa, diags: &mut Diagnostics) {
    // What follows relies on these two.
    if isa.is_text() {
        whole_text::check(isa, diags);
    } else {
        every_bit::check(isa, diags);
    }
    if diags.has_errors() {
        return;
    }
    lengths::check(isa, diags);
    clashes::check(isa, diags);
    holes::fill(isa, diags);
    holes::check(isa, diags);
    neighbours::check(isa, diags);
    let said = lines::check(isa, diags);
    comments::check(isa, &said, diags);
    if isa.is_text() && !diags.has_errors() {
        texts_apart::check(isa, diags);
    }
}
