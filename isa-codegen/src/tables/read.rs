//! From templates to steps that read.

use super::Builder;
use isa_runtime::engine::Bits;
use isa_spec::diag::Diagnostic;

/// Adds what reads all texts.
pub(super) fn templates<W: Bits>(_: &mut Builder<'_, W>) -> Result<(), Box<Diagnostic>> {
    Ok(())
}
