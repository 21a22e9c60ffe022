//! `new NAME`: a small complete spec to start from, and the schema from which editors know its keys.

use crate::output::{Reporter, Status};
use isa_stream::Stop;
use std::io::Write;
use std::path::PathBuf;

/// Write a small complete spec to start from, with comments, and the JSON Schema from which editors know its keys, unless it already exists.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The name of the instruction set, an identifier.
    name: String,
    /// The file to write; an existing one is never overwritten [default: NAME.yaml].
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

const TEMPLATE: &str = include_str!("new.yaml");

/// The file that the first line of the template names.
const SCHEMA: &str = "isagen.schema.json";

pub(crate) fn run(args: &Args, reporter: &Reporter) -> Result<Status, Stop> {
    let name = &args.name;
    let is_identifier = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c));
    if !is_identifier {
        return Err(Stop::with_help(
            format!("`{name}` is not a name for an instruction set"),
            "a name is a letter, then letters, digits, `_` and `-`",
        ));
    }
    let path = args.output.clone().unwrap_or_else(|| format!("{name}.yaml").into());
    let mut file = std::fs::File::create_new(&path).map_err(|e| match e.kind() {
        std::io::ErrorKind::AlreadyExists => Stop::new(format!("{} already exists; nothing was written", path.display())),
        _ => Stop::file(&path, &e),
    })?;
    file.write_all(TEMPLATE.replace("NAME", name).as_bytes()).map_err(|e| Stop::file(&path, &e))?;
    let schema = path.with_file_name(SCHEMA);
    let and_schema = match std::fs::File::create_new(&schema) {
        Ok(mut file) => {
            file.write_all(isa_docs::json::schema().as_bytes()).map_err(|e| Stop::file(&schema, &e))?;
            format!(", and {} for editors", schema.display())
        }
        Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => String::new(),
        Err(e) => return Err(Stop::file(&schema, &e)),
    };
    let path = path.display();
    reporter
        .remark(&format!("wrote {path}{and_schema}; try `isagen check {path}` and `echo 'add r1, r2, 3' | isagen asm {path}`"));
    Ok(Status::Clean)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_template_checks_clean() {
        let loaded = isa_spec::load_str("tiny.yaml", &TEMPLATE.replace("NAME", "tiny"), None);
        let findings: Vec<_> =
            loaded.diagnostics.iter().map(|d| isa_spec::diag::render_terminal(d, &loaded.files, false)).collect();
        assert_eq!(findings, Vec::<String>::new());
        assert!(loaded.isa.is_some());
    }
}
