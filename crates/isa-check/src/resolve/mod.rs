//! Completes a model: finds the forms that specialise others, and the words that no form has.

mod clashes;
mod executes;
mod holes;
mod left;
mod overlaps;
mod shared;

use isa_model::diag::Diagnostics;
use isa_model::model::Isa;

/// Completes a model of whose forms every bit is accounted for.
pub fn resolve(isa: &mut Isa, diags: &mut Diagnostics) {
    clashes::resolve(isa, diags);
    holes::fill(isa, diags);
    executes::fill(isa, diags);
}
