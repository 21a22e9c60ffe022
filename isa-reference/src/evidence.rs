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

#[cfg(test)]
mod tests {
    use super::*;

    /// The findings about a small spec whose only erratum has this evidence, each with the text at its place.
    fn findings(word: &str, instructions: &str, evidence: &str) -> Vec<(String, String)> {
        let text = format!(
            "isa: t\nword: {word}\ninstructions: {{ {instructions} }}\nerrata:\n  E1:\n    is: so\n    evidence: {{ {evidence} }}\n"
        );
        let loaded = isa_spec::load_str("t.yaml", &text, None);
        let isa = loaded.isa.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
        let found = check(&isa).into_iter();
        found.map(|d| (d.message.clone(), text[d.span().range()].to_owned())).collect()
    }

    const BYTE: &str = "A: { fix: { 7..4: 1 }, fields: { x: 3..0 }, text: \"a {x}\" }";

    #[test]
    fn evidence_that_holds_is_silent() {
        assert_eq!(findings("8", BYTE, "13: a 0x3, 0x10: a 0x0, 23: refused"), []);
    }

    #[test]
    fn evidence_that_does_not_hold_is_an_error_at_the_word() {
        let found = findings("8", BYTE, "13: a 0x4, 1f: refused, 23: a 0x3");
        let expected = [
            ("the evidence of E1 does not hold: 0x13 prints as `a 0x3`, not `a 0x4`", "13"),
            ("the evidence of E1 does not hold: 0x1f is not refused: it prints as `a 0xf`", "1f"),
            (
                "the evidence of E1 does not hold: 0x23 is refused (no such instruction; the closest is A, but bits 7..4 are 0x2, not \
                 0x1); it does not print as `a 0x3`",
                "23",
            ),
        ];
        assert_eq!(found, expected.map(|(message, at)| (message.to_owned(), at.to_owned())));
    }

    #[test]
    fn digits_say_the_length() {
        let word = "{ unit: 8, order: low-first, bytes: little, lengths: { 8: \"prefix[0] == 0\", 16: \"prefix[0] == 1\" } }";
        let forms = "S: { length: 8, fix: { 0: 0 }, fields: { x: 7..1 }, text: \"s {x}\" }, \
                     L: { length: 16, fix: { 0: 1 }, fields: { x: 15..1 }, text: \"l {x}\" }";
        assert_eq!(findings(word, forms, "04: s 0x2, 0005: l 0x2, 5: l 0x2, 0004: refused, 05: refused"), []);
    }

    #[test]
    fn a_text_is_evidence_where_there_are_no_words() {
        let found =
            findings("none", "A: { fields: { x: (4) }, text: \"a {x}\" }", "\"a 3\": a 0x3, \"a 16\": refused, \"a 1\": a 1");
        assert_eq!(
            found,
            [("the evidence of E1 does not hold: `a 1` prints as `a 0x1`, not `a 1`".to_owned(), "\"a 1\"".to_owned())]
        );
    }
}
