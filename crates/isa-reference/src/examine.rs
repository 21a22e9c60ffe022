//! Findings about a specification without errors: what `isagen check` reports beyond its loading.

use crate::{evidence, lint, pseudo};
use isa_spec::diag::Diagnostic;
use isa_spec::model::Isa;

/// Evidence of errata that does not hold, then warnings.
pub fn claims(isa: &Isa) -> Vec<Diagnostic> {
    let mut findings = evidence::check(isa);
    findings.extend(lint::all(isa));
    findings
}

/// All findings: [`claims`], then those about the assembler's part, whose pseudo-instructions are assembled and run.
pub fn all(isa: &Isa) -> Vec<Diagnostic> {
    let mut findings = claims(isa);
    findings.extend(pseudo::findings(isa));
    findings
}
