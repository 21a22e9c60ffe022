//! Executes the evidence of errata: what a spec calls evidence must be what the spec itself makes of the word or text.

use crate::codec::Codec;
use isa_spec::diag::Diagnostic;
use isa_spec::model::{Erratum, Evidence, Isa, Subject, Word};
use std::collections::HashSet;

/// The result for a word or text: its text, or the reason why it is refused.
type Outcome = Result<String, String>;

/// An error for each piece of evidence that does not hold, in the order of the errata. Evidence in `elsewhere` is about another
/// machine and is not executed.
pub fn check(isa: &Isa) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    // A shared erratum can be listed at several instructions.
    let mut seen = HashSet::new();
    let mut codec = None;
    for (_, erratum) in isa.all_errata() {
        for evidence in erratum.evidence.iter().filter(|e| seen.insert(e.span)) {
            let outcome = execute(codec.get_or_insert_with(|| Codec::new(isa)), evidence);
            findings.extend(judge(erratum, evidence, &outcome));
        }
    }
    findings
}

fn execute(codec: &Codec<'_>, evidence: &Evidence) -> Outcome {
    let mut text = String::new();
    match &evidence.of {
        Subject::Word(word) => {
            let lengths = &codec.isa().words.lengths;
            // Without an exact number of digits: the shortest length whose words begin like this.
            let fits =
                || lengths.iter().find(|l| (*word & !Word::ones(l.bits)).is_zero() && l.words.contains(*word)).map(|l| l.bits);
            let bits = evidence.length.or_else(fits).ok_or("no word begins like this")?;
            let form = codec.decode(*word, bits).map_err(|why| why.to_string())?;
            codec.print(form, *word, 0, &mut text);
        }
        Subject::Text(of) => {
            let statement = codec.parse_statement(of, 0, &|_| None).map_err(|e| e.to_string())?;
            codec.print_statement(&statement, 0, &mut text);
        }
    }
    Ok(text)
}

fn judge(erratum: &Erratum, evidence: &Evidence, outcome: &Outcome) -> Option<Diagnostic> {
    let what = match &evidence.of {
        Subject::Word(word) => {
            format!("{word:#0width$x}", width = 2 + evidence.length.map_or(0, |bits| bits.div_ceil(4) as usize))
        }
        Subject::Text(text) => format!("`{text}`"),
    };
    let why = match (outcome, &evidence.text) {
        (Ok(is), Some(said)) if is == said => return None,
        (Err(_), None) => return None,
        (Ok(is), Some(said)) => format!("{what} prints as `{is}`, not `{said}`"),
        (Ok(is), None) => format!("{what} is not refused: it prints as `{is}`"),
        (Err(reason), Some(said)) => format!("{what} is refused ({reason}); it does not print as `{said}`"),
    };
    Some(Diagnostic::error("evidence", format!("the evidence of {} does not hold: {why}", erratum.id), evidence.span))
}
