//! `docs SPEC…`: the documentation alone.

use super::build::Files;
use super::each::each;
use crate::output::{Reporter, Status};
use crate::serve::serve;
use crate::spec::{self, About};
use isa_codegen::Backend;
use isa_docs::pages;
use isa_stream::{Stop, out};
use std::io::Write;
use std::path::PathBuf;

/// Write only the documentation: a site that begins at index.html, and NAME.md; or show it while specifications are being
/// written.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Paths, or names of shipped instruction sets.
    #[arg(required = true, value_name = "SPEC")]
    specs: Vec<String>,
    /// The folder to write to.
    #[arg(short, long, value_name = "DIR", required_unless_present = "serve")]
    output: Option<PathBuf>,
    /// Write only one format.
    #[arg(long, value_enum, value_name = "FORMAT")]
    only: Option<Format>,
    /// Write nothing: list the files that are out of date, with exit status 1 if there are any.
    #[arg(long)]
    check: bool,
    /// Serve the site to browsers on this machine, update it when a file changes, and show findings on its pages.
    #[arg(long, conflicts_with_all = ["output", "only", "check"])]
    serve: bool,
    /// The port to serve on; 0 is any free port.
    #[arg(long, value_name = "N", default_value_t = 4080, requires = "serve")]
    port: u16,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Markdown.
    Md,
    /// HTML: index.html, and for each instruction set NAME.html and a folder.
    Html,
}

impl Format {
    fn backend(self) -> &'static dyn Backend {
        match self {
            Self::Md => &pages::Markdown,
            Self::Html => &pages::Html,
        }
    }
}

pub(crate) fn run(args: &Args, reporter: &Reporter) -> Result<Status, Stop> {
    let Some(output) = args.output.as_ref().filter(|_| !args.serve) else {
        serve(&args.specs, args.port, reporter, |address| {
            let mut out = out();
            writeln!(out, "{address}")?;
            Ok(out.flush()?)
        })?;
        return Ok(Status::Clean);
    };
    let mut files = Files::new(output, args.check);
    let mut isas = Vec::new();
    let mut stale = Vec::new();
    let wants = |format| args.only.is_none_or(|only| only == format);
    let status = each(&args.specs, reporter, |spec| {
        let isa = match spec::load(spec, reporter, About::Spec)? {
            Ok((isa, _)) => isa,
            Err(status) => return Ok(status),
        };
        files.claim(&isa.name, spec)?;
        let mut status = Status::Clean;
        for format in [Format::Md, Format::Html].into_iter().filter(|format| wants(*format)) {
            match format.backend().emit(&isa) {
                Ok(made) => stale.extend(files.put_all(&made)?),
                Err(finding) => {
                    reporter.finding(&finding, &isa.files);
                    status = Status::Findings;
                }
            }
        }
        isas.push(isa);
        Ok(status)
    })?;
    if wants(Format::Html) && !isas.is_empty() {
        stale.extend(files.put_all(&pages::site(&isas))?);
    }
    let mut out = out();
    for path in &stale {
        writeln!(out, "stale: {}", path.display())?;
    }
    out.flush()?;
    Ok(status.max(Status::of(!stale.is_empty())))
}
