//! `explain-error [CODE]`.

use crate::output::Status;
use clap::builder::{PossibleValue, PossibleValuesParser};
use isa_reference::codes;
use isa_stream::{Stop, out};
use std::io::Write;

/// Print the meaning of a finding's code, with an example and how to fix it.
///
/// Without a code, list all codes.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The code, as in `error[CODE]`.
    #[arg(value_parser = codes(), hide_possible_values = true)]
    code: Option<String>,
    /// Print all pages as one Markdown document.
    #[arg(long, conflicts_with = "code")]
    document: bool,
}

/// All codes, for completions and for suggestions in place of a misspelt one.
fn codes() -> PossibleValuesParser {
    PossibleValuesParser::new(codes::pages().map(|page| PossibleValue::new(page.code)))
}

pub(crate) fn run(args: &Args) -> Result<Status, Stop> {
    let mut out = out();
    if args.document {
        write!(out, "{}", codes::document())?;
    } else if let Some(page) = args.code.as_deref().and_then(codes::page) {
        write!(out, "{}", page.markdown())?;
    } else {
        let width = codes::pages().map(|page| page.code.len()).max().unwrap_or(0);
        for page in codes::pages() {
            writeln!(out, "{:width$}  {}", page.code, first_sentence(page.summary()))?;
        }
    }
    out.flush()?;
    Ok(Status::Clean)
}

/// The first sentence of a text, on one line.
fn first_sentence(text: &str) -> String {
    let text = text.replace('\n', " ");
    match text.split_once(". ") {
        Some((first, _)) => format!("{first}."),
        None => text,
    }
}
