//! `build SPEC…`: everything that follows from a spec, as files.

use super::each;
use crate::output::{Progress, Reporter, Status, Stop, count, out, share};
use crate::replace::replace;
use crate::spec::{self, About};
use isa_codegen::{docs, json, rust};
use isa_spec::certificate::Certificate;
use isa_spec::model::Isa;
use std::collections::HashMap;
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Write the Rust module, the documentation tables (Markdown and HTML) and the model as JSON.
///
/// The files are NAME.rs, NAME.md, NAME.html and NAME.json. Prints one line for each spec: forms, fields, share of the words that
/// is allocated, seconds.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Paths, or names of shipped instruction sets.
    #[arg(required = true, value_name = "SPEC")]
    specs: Vec<String>,
    /// The folder to write to.
    #[arg(short, long, value_name = "DIR", default_value = "isagen-out")]
    output: PathBuf,
    /// Write nothing: list the files that are not what they should be, with exit status 1 if there are any.
    #[arg(long)]
    check: bool,
}

pub(crate) fn run(args: &Args, reporter: &Reporter) -> Result<Status, Stop> {
    let mut files = Files::new(&args.output, args.check);
    let mut progress = Progress::new();
    let mut out = out();
    let status = each(&args.specs, reporter, |spec| {
        let begun = Instant::now();
        progress.show(|| format!("{spec}: checking"));
        let isa = match spec::load(spec, reporter, About::Spec)? {
            Ok((isa, _)) => isa,
            Err(status) => return Ok(status),
        };
        files.claim(&isa.name, spec)?;
        progress.show(|| format!("{spec}: writing"));
        // What can't be Rust can still be read.
        let module = rust::module(&isa).map_err(|finding| reporter.finding(&finding, &isa.files)).ok();
        let module = module.as_ref().map(|module| files.put(&format!("{}.rs", isa.module_name()), module)).transpose()?;
        let is_refused = module.is_none();
        let stale = [
            module.flatten(),
            files.put(&format!("{}.md", isa.name), &docs::markdown(&isa))?,
            files.put(&format!("{}.html", isa.name), &docs::html(&isa))?,
            files.put(&format!("{}.json", isa.name), &json::model(&isa))?,
        ];
        let stale: Vec<_> = stale.into_iter().flatten().collect();
        for path in &stale {
            writeln!(out, "stale: {}", path.display())?;
        }
        writeln!(out, "{}, {:.2} s", summary(&isa), begun.elapsed().as_secs_f64())?;
        Ok(Status::of(is_refused || !stale.is_empty()))
    });
    out.flush()?;
    status
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

/// Writes files into a folder, or compares them with what is there.
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

    /// Two specs of one name would write the same files.
    pub(crate) fn claim(&mut self, name: &str, spec: &str) -> Result<(), Stop> {
        match self.owners.insert(name.to_owned(), spec.to_owned()) {
            Some(other) => Err(Stop::new(format!("{other} and {spec} are both called `{name}`: their files would be the same"))),
            None => Ok(()),
        }
    }

    /// Writes the file if it isn't there like this already; when checking, names it then.
    pub(crate) fn put(&self, name: &str, text: &str) -> Result<Option<PathBuf>, Stop> {
        let path = self.folder.join(name);
        match fs::metadata(&path) {
            // A pipe or a device is not read: what would be compared with it may have no end.
            Ok(about) if !about.is_file() => return Err(Stop::new(format!("{}: is no regular file", path.display()))),
            Err(e) if e.kind() != ErrorKind::NotFound => return Err(Stop::file(&path, &e)),
            Ok(about) if about.len() == text.len() as u64 => match fs::read(&path) {
                Ok(old) if old == text.as_bytes() => return Ok(None),
                Err(e) => return Err(Stop::file(&path, &e)),
                Ok(_) => {}
            },
            _ => {}
        }
        if self.check {
            return Ok(Some(path));
        }
        fs::create_dir_all(&self.folder).map_err(|e| Stop::file(&self.folder, &e))?;
        replace(&path, text.as_bytes()).map_err(|e| Stop::file(&path, &e))?;
        Ok(None)
    }
}
