//! Assembles a listing back into its object file.

use crate::codec::Job;
use crate::output::{Reporter, Status};
use isa_engine::Codec;
use isa_listing::Fault;
use isa_object::EntryKind;
use isa_stream::replace;
use isa_stream::{Input, Stop};
use std::path::Path;

/// Assembles a listing of `disasm --control` into a copy of its file.
pub(crate) struct PutBack<'a> {
    /// The listing; standard input without it.
    pub(crate) listing: Option<&'a Path>,
    /// The file that the listing was made from.
    pub(crate) old: &'a Path,
    /// The file that is written.
    pub(crate) new: &'a Path,
    pub(crate) reporter: &'a Reporter,
    /// The specification.
    pub(crate) spec: &'a str,
}

impl Job for PutBack<'_> {
    fn run(self, codec: &dyn Codec) -> Result<Status, Stop> {
        if let Some(listing) = self.listing.filter(|listing| is_same_file(listing, self.new)) {
            let message = format!("{}: the output is the listing that is read", listing.display());
            return Err(Stop::with_help(message, "`-o` names the object file that is written"));
        }
        let (old, name) = (super::read(self.old)?, self.old.display().to_string());
        let mut lines = Input::open(self.listing)?.lines("a listing is");
        let file = lines.name.clone();
        let back = isa_listing::PutBack::new(codec.fork(), &file, (&name, &old));
        let mut back = back.map_err(|error| Stop::new(format!("{name}: {error}")))?;
        if let [entry] = isa_object::contents(&old).entries.as_slice()
            && entry.kind == EntryKind::Elf
        {
            super::files::warn_of_other(&name, self.spec, codec.objects().as_ref(), [entry], self.reporter);
        }
        while let Some((number, line)) = lines.next_line()? {
            back.line(number, line);
        }
        let new = match back.finish() {
            Ok(new) => new,
            Err(faults) => {
                for Fault { place, message, help } in faults {
                    match place {
                        Some((number, line, at)) => self.reporter.line_finding(&file, number, &line, at, &message, false),
                        None => self.reporter.fault("into", &message, help),
                    }
                }
                return Ok(Status::Findings);
            }
        };
        replace(self.new, &new).map_err(|error| Stop::file(self.new, &error))?;
        Ok(Status::Clean)
    }
}

/// True if two names are those of one file.
fn is_same_file(one: &Path, other: &Path) -> bool {
    let whole = |path: &Path| std::fs::canonicalize(path).ok();
    whole(one).is_some_and(|one| whole(other) == Some(one))
}
