//! Reads the words that drafts were made from, with these drafts.

use super::entry::Draft;
use super::judge;
use super::tool::Scratch;
use crate::codec::{self, CodecKind, Job};
use crate::output::Status;
use crate::spec::{self, About};
use isa_engine::{Codec, Sized, Style};
use isa_spec::diag::Severity;
use isa_stream::Stop;
use std::cell::RefCell;
use std::path::Path;

/// The greatest number of errors in the list.
const MOST_ERRORS: usize = 3;

/// The faults of a draft: errors of the specification with it, or else the words with another text than they were drafted from.
pub(crate) fn faults(spec: &str, yaml: &str, drafts: &[Draft]) -> Result<Vec<String>, Stop> {
    let base = match isa_specs::own_name(spec) {
        Some(name) => name.to_owned(),
        None => std::path::absolute(spec).map_err(|e| Stop::file(Path::new(spec), &e))?.display().to_string(),
    };
    let head = format!("isa: draft\nextends: {}\n", super::entry::quoted(&base));
    let file = Scratch::new(format!("{head}{yaml}").as_bytes())?;
    let found = spec::find(&file.path().display().to_string(), About::Use)?;
    let Some(isa) = found.isa else {
        let errors = found.diagnostics.iter().filter(|d| d.severity == Severity::Error);
        return Ok(errors.take(MOST_ERRORS).map(|error| format!("`isagen check` reports: {}", error.message)).collect());
    };
    let faults = RefCell::new(Vec::new());
    let job = Reading { drafts, faults: &faults };
    // For a few words, tables are not worth their making.
    codec::with_model("draft", &isa, (CodecKind::Reference, Style::default()), job)?;
    Ok(faults.into_inner())
}

struct Reading<'a> {
    drafts: &'a [Draft],
    faults: &'a RefCell<Vec<String>>,
}

impl Job for Reading<'_> {
    fn run(self, codec: &dyn Codec) -> Result<Status, Stop> {
        let mut codec = codec.fork();
        for (word, text) in self.drafts.iter().map(|draft| &draft.drafted) {
            let wrong = match judge::said(&mut *codec, *word, 0).1 {
                Ok(ours) if ours.split_whitespace().eq(text.split_whitespace()) => continue,
                Ok(ours) => format!("`{ours}`"),
                Err(reason) => format!("refused ({reason})"),
            };
            self.faults.borrow_mut().push(told(*word, &wrong, text));
        }
        Ok(Status::Clean)
    }
}

fn told(word: Sized, wrong: &str, text: &str) -> String {
    format!("with this draft, {word} is {wrong}, not `{text}`")
}
