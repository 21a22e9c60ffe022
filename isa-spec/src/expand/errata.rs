//! What documents have wrong.

use super::Context;
use crate::model::{Erratum, Evidence, Subject, Word, ones};
use crate::read::ErratumDecl;
use crate::yaml::Text;

pub(super) fn errata(cx: &Context<'_, '_>, list: &[ErratumDecl]) -> Vec<Erratum> {
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
            span: e.span,
        })
        .collect()
}

fn evidence(cx: &Context<'_, '_>, list: &[(Text, String)]) -> Vec<Evidence> {
    let printed = |text: &String| (text != "refused").then(|| text.clone());
    if cx.spec.word.as_ref().is_some_and(|w| w.lengths.is_empty()) {
        return list.iter().map(|(of, text)| Evidence { of: Subject::Text(of.value.clone()), text: printed(text) }).collect();
    }
    let longest = cx.spec.word.as_ref().and_then(|w| w.lengths.iter().map(|l| l.0).max()).unwrap_or(Word::BITS);
    let mut out = Vec::new();
    for (word, text) in list {
        match u128::from_str_radix(word.value.trim_start_matches("0x"), 16) {
            Ok(value) if value & !ones(longest) != 0 => {
                cx.error("number", format!("no word of this instruction set has more than {longest} bits"), word.span);
            }
            Ok(value) => out.push(Evidence { of: Subject::Word(value), text: printed(text) }),
            Err(_) => cx.error("number", "evidence is a word in hexadecimal: its text, or `refused`", word.span),
        }
    }
    out
}
