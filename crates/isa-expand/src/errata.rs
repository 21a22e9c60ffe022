//! Errors in documents.

use super::context::Context;
use isa_model::model::{Erratum, Evidence, Subject, Word};
use isa_model::span::{Span, Text};
use isa_syntax::read::ErratumDecl;

/// Errata of a piece: the operand or the alternative that is declared there; of something else if there is none.
pub(super) fn errata(cx: &Context<'_, '_>, list: &[ErratumDecl], piece: Option<Span>) -> Vec<Erratum> {
    list.iter()
        .map(|e| Erratum {
            id: e.id.clone(),
            at: cx.doc(e.at.as_ref()),
            kind: e.kind.clone(),
            says: e.says.clone(),
            is: e.is.clone(),
            evidence: evidence(cx, &e.evidence),
            elsewhere: evidence(cx, &e.elsewhere),
            by: e.by.clone(),
            piece,
            span: e.span,
        })
        .collect()
}

fn evidence(cx: &Context<'_, '_>, list: &[(Text, String)]) -> Vec<Evidence> {
    let printed = |text: &String| (text != "refused").then(|| text.clone());
    let lengths: Vec<u32> = cx.spec.word.iter().flat_map(|w| w.lengths.iter().map(|l| l.0)).collect();
    if cx.spec.word.is_some() && lengths.is_empty() {
        let text = |(of, text): &(Text, String)| Evidence {
            of: Subject::Text(of.value.clone()),
            length: None,
            text: printed(text),
            span: of.span,
        };
        return list.iter().map(text).collect();
    }
    let longest = lengths.iter().copied().max().unwrap_or(Word::BITS);
    let mut out = Vec::new();
    for (word, text) in list {
        let digits = word.value.strip_prefix("0x").unwrap_or(&word.value);
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
            cx.error("number", "evidence maps a word in hexadecimal to its text, or to `refused`", word.span);
            continue;
        }
        match Word::from_str_radix(digits, 16) {
            Some(value) if (value & !Word::ones(longest)).is_zero() => out.push(Evidence {
                of: Subject::Word(value),
                length: lengths
                    .iter()
                    .copied()
                    .find(|bits| bits.div_ceil(4) as usize == digits.len() && (value & !Word::ones(*bits)).is_zero()),
                text: printed(text),
                span: word.span,
            }),
            _ => cx.error("number", format!("no word of this instruction set has more than {longest} bits"), word.span),
        }
    }
    out
}
