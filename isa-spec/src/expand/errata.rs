//! What documents have wrong.

use super::Context;
use crate::model::{Erratum, Evidence};
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
    let mut out = Vec::new();
    for (word, text) in list {
        match u128::from_str_radix(word.value.trim_start_matches("0x"), 16) {
            Ok(value) => out.push(Evidence { word: value, text: (text != "refused").then(|| text.clone()) }),
            Err(_) => cx.error("number", "evidence is a word in hexadecimal: its text, or `refused`", word.span),
        }
    }
    out
}
