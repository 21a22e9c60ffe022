//! References to documents.

use isa_model::diag::{Diagnostic, nearest};
use isa_model::model::{Doc, DocRef, SourceId};
use isa_model::span::Text;
use isa_syntax::lang;

/// References to documents, resolved against the declared sources.
pub(super) fn resolve_doc(
    references: &[lang::Reference],
    sources: &[String],
    text: &Text,
    report: &mut dyn FnMut(Diagnostic),
) -> Doc {
    let mut doc = Doc::default();
    for r in references {
        let index = match &r.source {
            None if sources.is_empty() => {
                report(
                    Diagnostic::error(
                        "unknown-source",
                        "these are lines of the first source, and no source is declared",
                        text.at(r.range.clone()),
                    )
                    .with_help("declare it: `sources: { doc: { title: …, file: … } }`"),
                );
                continue;
            }
            None => 0,
            Some(name) => match sources.iter().position(|s| s == name) {
                Some(index) => index,
                None => {
                    let mut d =
                        Diagnostic::error("unknown-source", format!("there is no source `{name}`"), text.at(r.range.clone()));
                    if let Some(near) = nearest(name, sources.iter().map(String::as_str)) {
                        d = d.with_help(format!("did you mean `{near}`?"));
                    }
                    report(d);
                    continue;
                }
            },
        };
        doc.0.push(DocRef { source: SourceId(index as u32), lines: r.lines });
    }
    doc
}
