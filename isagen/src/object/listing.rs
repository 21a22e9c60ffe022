//! The listing of an object file.

use super::files::{self, Group};
use super::{is_named, list};
use crate::codec::{self, CodecKind, Job};
use crate::output::{Reporter, Status};
use isa_asm::lines::Comments;
use isa_engine::{Codec, Style};
use isa_listing::{Format, Listed, Look, Part, Section, Targets, Writer};
use isa_object::{Entry, Object};
use isa_spec::diag::nearest;
use isa_stream::{Stop, Then, ordered, out, threads};
use std::collections::VecDeque;
use std::io::Write;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// The least number of bytes of code that are written together.
const BATCH: u64 = 1 << 14;

/// Options of the listing of an object file.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Object files: add the control codes in a column, and everything else that the text omits. `isagen asm --into` reads this
    /// listing.
    #[arg(long)]
    pub(crate) control: bool,
    /// Object files: only this function, by its name in the file or in the source; may be given several times.
    #[arg(long, value_name = "NAME")]
    function: Vec<String>,
    /// Object files: only code of this architecture, as `--list` shows it: sm_80.
    #[arg(long, value_name = "NAME")]
    arch: Option<String>,
    /// Object files: list the contents, without the code.
    #[arg(long)]
    list: bool,
    /// Object files: add the word of each instruction.
    #[arg(long)]
    hex: bool,
    /// Object files: only the text of each word: no labels, no symbols, no headers.
    #[arg(long, conflicts_with = "hex")]
    raw: bool,
    /// Object files: functions by their names in the source.
    #[arg(long)]
    demangle: bool,
}

impl Options {
    /// The name of the first option given.
    pub(crate) fn first(&self) -> Option<&'static str> {
        let given = [
            ("--control", self.control),
            ("--function", !self.function.is_empty()),
            ("--arch", self.arch.is_some()),
            ("--list", self.list),
            ("--hex", self.hex),
            ("--raw", self.raw),
            ("--demangle", self.demangle),
        ];
        given.into_iter().find(|(_, is_given)| *is_given).map(|(name, _)| name)
    }
}

/// Lists an object file, by a specification if one is given.
pub(crate) fn run(
    path: &Path,
    spec: Option<&str>,
    options: &Options,
    format: Format,
    codec: (CodecKind, Style),
    threads: Option<usize>,
    reporter: &Reporter,
) -> Result<Status, Stop> {
    let name = path.display().to_string();
    let data = super::read(path)?;
    let contents = isa_object::contents(&data);
    let mut failed = files::report(&name, &contents, reporter);
    if options.list {
        failed |= list::print(&contents, options.arch.as_deref(), (format.json, options.demangle), &name, reporter)?;
        return Ok(Status::of(failed));
    }
    let groups = files::choose(&name, &contents, spec, options.arch.as_deref(), reporter)?;
    let mut found = Found { is_any: options.function.is_empty(), names: Vec::new() };
    let is_one = contents.entries.len() == 1;
    for group in &groups {
        let spec = group.spec;
        let listing = Listing { file: &name, group, options, format, threads, reporter, is_one, found: &mut found };
        failed |= codec::with(spec, codec, true, reporter, listing)? != Status::Clean;
    }
    if !found.is_any {
        let asked = options.function.join("`, `");
        let message = format!("{name}: there is no function `{asked}`");
        let near = options.function.first().and_then(|asked| nearest(asked, found.names.iter().map(String::as_str)));
        return Err(match near {
            Some(near) => Stop::with_help(message, format!("did you mean `{near}`?")),
            None => Stop::with_help(message, "`--list` shows the functions"),
        });
    }
    Ok(Status::of(failed))
}

/// The result of looking for requested functions; the names of the existing ones otherwise.
struct Found {
    is_any: bool,
    names: Vec<String>,
}

struct Listing<'a> {
    file: &'a str,
    group: &'a Group<'a, 'a>,
    options: &'a Options,
    format: Format,
    threads: Option<usize>,
    reporter: &'a Reporter,
    /// True if the file holds nothing else.
    is_one: bool,
    found: &'a mut Found,
}

/// Parts that are written together, and their lines.
#[derive(Default)]
struct Batch {
    parts: Vec<Part>,
    lines: Vec<u8>,
    failed: bool,
}

impl Job for Listing<'_> {
    fn run(self, codec: &dyn Codec) -> Result<Status, Stop> {
        let entries = self.group.entries.iter().map(|(_, entry)| *entry);
        files::warn_of_other(self.file, self.group.spec, codec.objects().as_ref(), entries, self.reporter);
        let unit = codec.shape().units.bits;
        if !unit.is_multiple_of(8) {
            return Err(Stop::new(format!("{}: a unit of {unit} bits is not a whole number of bytes", self.group.spec)));
        }
        let comments = Comments::new(&codec.assembly());
        let Options { hex, raw, demangle, .. } = *self.options;
        let look = Look { format: self.format, hex, raw, demangle, mark: comments.mark() };
        let threads = threads(self.threads);
        let entries = self.group.entries.iter();
        let mut parts = Parts {
            listing: self,
            look,
            codec: codec.fork(),
            targets: Targets::default(),
            entries,
            open: VecDeque::new(),
            is_next: false,
            failed: false,
        };
        let mut out = out();
        let mut failed = false;
        let worker = || {
            let mut writer = Writer::new(codec.fork(), look);
            move |batch: &mut Batch| {
                batch.lines.clear();
                batch.failed = false;
                for part in batch.parts.drain(..) {
                    batch.failed |= writer.part(&part, &mut batch.lines);
                }
            }
        };
        let give = |batch: &mut Batch, is_last| {
            failed |= batch.failed;
            out.write_all(&batch.lines)?;
            if is_last {
                out.flush()?;
            }
            Ok(())
        };
        ordered(threads, worker, |batch| Ok(parts.fill(batch)), give)?;
        Ok(Status::of(failed | parts.failed))
    }
}

/// The parts of a listing: the files inside the file are opened one after the other.
struct Parts<'a> {
    listing: Listing<'a>,
    look: Look<'a>,
    codec: Box<dyn Codec + 'a>,
    targets: Targets,
    entries: std::slice::Iter<'a, (usize, &'a Entry<'a>)>,
    /// Parts of the open file.
    open: VecDeque<Part>,
    /// True if a file has been listed before.
    is_next: bool,
    failed: bool,
}

impl Parts<'_> {
    /// Adds parts up to the size of a batch.
    fn fill(&mut self, batch: &mut Batch) -> Then {
        let mut bytes = 0;
        while bytes < BATCH {
            if let Some(part) = self.open.pop_front() {
                bytes += part.bytes();
                batch.parts.push(part);
            } else if let Some((number, entry)) = self.entries.next() {
                self.open(*number, entry);
            } else {
                return Then::End;
            }
        }
        Then::More
    }

    /// Opens a file.
    fn open(&mut self, number: usize, entry: &Entry<'_>) {
        let object = entry.data().and_then(|data| {
            let object = Object::parse(&data).map_err(|error| isa_object::Error { part: entry.part.clone(), ..error })?;
            Ok(object.into_owned())
        });
        let mut object = match object {
            Ok(object) => object,
            Err(error) => {
                self.listing.reporter.fault("object", &format!("{}: {error}", self.listing.file), None);
                self.failed = true;
                return;
            }
        };
        let Self { codec, targets, .. } = self;
        let of = Arc::new(Listed::new(&mut object, !self.look.is_bare(), &mut **codec, targets));
        self.open.extend(of.parts(|section| self.listing.ranges(section)));
        if let Some(first) = self.open.front_mut().filter(|_| !self.look.is_bare()) {
            if std::mem::replace(&mut self.is_next, true) {
                first.head.push(b'\n');
            }
            let number = (!self.listing.is_one).then_some(number);
            self.look.file(self.listing.file, &object, entry, number, &mut first.head);
        }
    }
}

impl Listing<'_> {
    /// The ranges of a section that are listed.
    fn ranges(&mut self, section: &Section<'_>) -> Vec<Range<u64>> {
        let asked = &self.options.function;
        if asked.is_empty() {
            let all = 0..section.code.data.len() as u64;
            return vec![all];
        }
        let mut ranges = section.named(|name| is_named(asked, name));
        // A function may be nested in another, and two names may refer to one function.
        ranges.dedup_by(|next, before| {
            let is_inside = next.start < before.end;
            before.end = if is_inside { before.end.max(next.end) } else { before.end };
            is_inside
        });
        self.found.is_any |= !ranges.is_empty();
        if !self.found.is_any {
            self.found.names.extend(section.code.functions.iter().map(|function| function.name.clone().into_owned()));
        }
        ranges
    }
}
