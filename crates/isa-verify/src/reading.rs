//! Reads the words that drafts were made from, with these drafts.

use crate::entry::{self, Draft};
use crate::judge;
use crate::tool::Scratch;
use isa_reference::codec::{Codec, Object};
use isa_spec::diag::Severity;
use isa_stream::Stop;
use std::path::Path;

/// The greatest number of errors in the list.
const MOST_ERRORS: usize = 3;

/// The faults of a draft: errors of the specification with it, or else the words with another text than they were drafted from.
pub(crate) fn faults(spec: &str, yaml: &str, drafts: &[Draft]) -> Result<Vec<String>, Stop> {
    let base = match isa_specs::own_name(spec) {
        Some(name) => name.to_owned(),
        None => std::path::absolute(spec).map_err(|e| Stop::file(Path::new(spec), &e))?.display().to_string(),
    };
    let head = format!("isa: draft\nextends: {}\n", entry::quoted(&base));
    let file = Scratch::new(format!("{head}{yaml}").as_bytes())?;
    let found = isa_spec::try_load_beside(file.path(), isa_specs::FILES).map_err(|why| Stop::new(why.to_string()))?;
    let Some(isa) = found.isa else {
        let errors = found.diagnostics.iter().filter(|d| d.severity == Severity::Error);
        return Ok(errors.take(MOST_ERRORS).map(|error| format!("`isagen check` reports: {}", error.message)).collect());
    };
    // For a few words, tables are not worth their making.
    let codec = Codec::new(&isa);
    let mut codec = Object::new(&codec);
    let mut faults = Vec::new();
    for (word, text) in drafts.iter().map(|draft| &draft.drafted) {
        let wrong = match judge::said(&mut codec, *word, 0).1 {
            Ok(ours) if ours.split_whitespace().eq(text.split_whitespace()) => continue,
            Ok(ours) => format!("`{ours}`"),
            Err(reason) => format!("refused ({reason})"),
        };
        faults.push(format!("with this draft, {word} is {wrong}, not `{text}`"));
    }
    Ok(faults)
}
