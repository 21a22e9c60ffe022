//! `schema`: the keys of specifications, for editors.

use crate::output::Status;
use isa_stream::{Stop, out};
use std::io::Write;

/// Print the JSON Schema of specifications, with which editors complete and explain keys.
#[derive(clap::Args)]
pub(crate) struct Args {}

pub(crate) fn run() -> Result<Status, Stop> {
    let mut out = out();
    out.write_all(isa_docs::json::schema().as_bytes())?;
    out.flush()?;
    Ok(Status::Clean)
}
