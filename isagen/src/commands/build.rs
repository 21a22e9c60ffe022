//! `build SPEC…`: writes all outputs of a spec to files.

use super::each::each;
use crate::output::{Progress, Reporter, Status, count, share};
use crate::spec::{self, About};
use isa_codegen::File;
use isa_docs::pages;
use isa_reference::certificate::Certificate;
use isa_spec::model::Isa;
use isa_stream::replace;
use isa_stream::{Stop, out};
use std::collections::HashMap;
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Write the Rust module, the documentation tables (Markdown and HTML), the model as JSON and the image of the tables.
///
/// The files are NAME.rs, NAME.md, NAME.json, NAME.isat, and a site that begins at index.html. Prints one line for each spec:
/// forms, fields, share of the words that is allocated, seconds. `disasm`, `asm`, `fmt`, `explain` and `stats` take NAME.isat
/// where they take a SPEC.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Paths, or names of shipped instruction sets.
    #[arg(required = true, value_name = "SPEC")]
    specs: Vec<String>,
    /// The folder to write to.
    #[arg(short, long, value_name = "DIR", default_value = "isagen-out")]
    output: PathBuf,
    /// Write nothing: list the files that are out of date, with exit status 1 if there are any.
    #[arg(long)]
    check: bool,
}

pub(crate) fn run(args: &Args, reporter: &Reporter) -> Result<Status, Stop> {
    // Nothing is written if one is missing: it may be a mistyped command.
    args.specs.iter().try_for_each(|spec| spec::exists(spec))?;
    let mut files = Files::new(&args.output, args.check);
    let mut progress = Progress::new();
    let mut out = out();
    let mut isas = Vec::new();
    let status = each(&args.specs, reporter, |spec| {
        let begun = Instant::now();
        progress.show(|| format!("{spec}: checking"));
        let isa = match spec::load(spec, reporter, About::Spec)? {
            Ok((isa, _)) => isa,
            Err(status) => return Ok(status),
        };
        files.claim(&isa.name, spec)?;
        progress.show(|| format!("{spec}: writing"));
        let mut failed = false;
        for backend in isa_docs::backends() {
            match backend.emit(&isa) {
                Ok(made) => {
                    for path in files.put_all(&made)? {
                        writeln!(out, "stale: {}", path.display())?;
                        failed = true;
                    }
                }
                // An error of one back end does not prevent the others.
                Err(finding) => {
                    reporter.finding(&finding, &isa.files);
                    failed = true;
                }
            }
        }
        writeln!(out, "{}, {:.2} s", summary(&isa), begun.elapsed().as_secs_f64())?;
        isas.push(isa);
        Ok(Status::of(failed))
    });
    let mut stale = false;
    if status.is_ok() && !isas.is_empty() {
        for path in files.put_all(&pages::site(&isas))? {
            writeln!(out, "stale: {}", path.display())?;
            stale = true;
        }
    }
    out.flush()?;
    Ok(status?.max(Status::of(stale)))
}

/// `tiny: 2 forms, 7 fields, 12.30 % allocated`.
fn summary(isa: &Isa) -> String {
    let fields = isa.forms.iter().map(|f| f.fields.len()).sum();
    let mut text = format!("{}: {}, {}", isa.name, count(isa.forms.len(), "form"), count(fields, "field"));
    let certificate = Certificate::new(isa);
    for length in &certificate.lengths {
        let of = if certificate.lengths.len() > 1 { format!(" of the {}-bit words", length.bits) } else { String::new() };
        text.push_str(&format!(", {} allocated{of}", share(length.share())));
    }
    text
}

/// Writes files into a folder, or compares them with the existing ones.
pub(crate) struct Files {
    folder: PathBuf,
    check: bool,
    owners: HashMap<String, String>,
}

impl Files {
    /// Files of this folder.
    pub(crate) fn new(folder: &Path, check: bool) -> Self {
        Self { folder: folder.to_owned(), check, owners: HashMap::new() }
    }

    /// Refuses two specs of one name, which would write the same files.
    pub(crate) fn claim(&mut self, name: &str, spec: &str) -> Result<(), Stop> {
        match self.owners.insert(name.to_owned(), spec.to_owned()) {
            Some(other) => Err(Stop::new(format!("{other} and {spec} are both called `{name}`: their files would be the same"))),
            None => Ok(()),
        }
    }

    /// Writes the files that are missing or out of date; when checking, names them.
    pub(crate) fn put_all(&self, files: &[File]) -> Result<Vec<PathBuf>, Stop> {
        let stale: Result<Vec<_>, Stop> = files.iter().map(|file| self.put(file)).collect();
        Ok(stale?.into_iter().flatten().collect())
    }

    fn put(&self, File { name, contents }: &File) -> Result<Option<PathBuf>, Stop> {
        let path = self.folder.join(name);
        match fs::metadata(&path) {
            // A pipe or a device is not read: its contents may have no end.
            Ok(about) if !about.is_file() => return Err(Stop::new(format!("{}: is not a regular file", path.display()))),
            Err(e) if e.kind() != ErrorKind::NotFound => return Err(Stop::file(&path, &e)),
            Ok(about) if about.len() == contents.len() as u64 => match fs::read(&path) {
                Ok(old) if old == *contents => return Ok(None),
                Err(e) => return Err(Stop::file(&path, &e)),
                Ok(_) => {}
            },
            _ => {}
        }
        if self.check {
            return Ok(Some(path));
        }
        let folder = path.parent().unwrap_or(&self.folder);
        fs::create_dir_all(folder).map_err(|e| Stop::file(folder, &e))?;
        replace(&path, contents).map_err(|e| Stop::file(&path, &e))?;
        Ok(None)
    }
}
