//! `check SPEC…`: validates, executes the evidence of errata, and prints the certificate.

use super::each::each;
use super::map::{free, write_regions};
use crate::output::{Reporter, Status, count, share};
use crate::spec::{self, About};
use isa_reference::certificate::Certificate;
use isa_spec::model::Isa;
use isa_stream::{Stop, out, threads};
use std::io::Write;
use std::sync::mpsc::sync_channel;
use std::thread;

/// Validate, execute the evidence of errata, and print the certificate: allocated and free words together are all words, exactly.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Paths, or names of shipped instruction sets.
    #[arg(required = true, value_name = "SPEC")]
    specs: Vec<String>,
    /// The findings that are errors: exit status 1 if there are warnings.
    #[arg(long, value_enum, value_name = "WHAT")]
    deny: Option<Deny>,
    /// The number of free regions to print: maximal ones, which can overlap, the largest first.
    #[arg(long, value_name = "N", default_value_t = 8)]
    holes: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Deny {
    /// All warnings.
    Warnings,
}

/// Bytes of stack of a thread that loads a specification: the usual size for a main thread.
const STACK: usize = 8 << 20;

pub(crate) fn run(args: &Args, reporter: &Reporter) -> Result<Status, Stop> {
    let mut out = out();
    let status = thread::scope(|scope| {
        // Several are loaded at the same time; each thread takes its next one after its last has been printed.
        let threads = threads(None).min(args.specs.len());
        let load = |first| {
            let (send, found) = sync_channel(0);
            let mut specs = args.specs.iter().skip(first).step_by(threads);
            let run = move || specs.try_for_each(|spec| send.send(spec::find(spec, About::Check)).ok());
            match thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run) {
                Ok(_) => Ok(found),
                Err(error) => Err(Stop::new(format!("no thread could be started: {error}"))),
            }
        };
        let found = (0..threads).map(load).collect::<Result<Vec<_>, Stop>>()?;
        let mut found = found.iter().cycle();
        each(&args.specs, reporter, |spec| {
            let found = found.next().and_then(|found| found.recv().ok());
            let found = found.unwrap_or_else(|| Err(Stop::new(format!("{spec} could not be loaded"))));
            let (isa, warnings) = match spec::report(spec, found, reporter, About::Check)? {
                Ok(loaded) => loaded,
                Err(status) => return Ok(status),
            };
            print(&isa, warnings, args.holes, &mut out)?;
            Ok(Status::of(warnings > 0 && args.deny == Some(Deny::Warnings)))
        })
    });
    out.flush()?;
    status
}

fn print(isa: &Isa, warnings: usize, holes: usize, out: &mut impl Write) -> Result<(), Stop> {
    let fields = isa.forms.iter().map(|f| f.fields.len()).sum();
    writeln!(
        out,
        "{}: {}, {}, {}, {}, {}",
        isa.name,
        count(isa.instructions.len(), "instruction"),
        count(isa.forms.len(), "form"),
        count(fields, "field"),
        count(isa.all_errata().count(), "errata"),
        count(warnings, "warning"),
    )?;
    for length in &Certificate::new(isa).lengths {
        let n = length.bits;
        let together = if length.is_exact() {
            let power = length.total.log2().map(|k| format!("2^{k}: ")).unwrap_or_default();
            format!("{power}every word of {n} bits, once")
        } else {
            // The two are counted independently of each other: a difference is a fault in this program.
            format!("which are NOT the {} words that there are: please report this", length.total)
        };
        let mut sum = length.allocated.clone();
        sum.add(&length.holes);
        let rows = [
            ("allocated", length.allocated.to_string(), share(length.share())),
            ("holes", length.holes.to_string(), share(1.0 - length.share())),
            ("together", sum.to_string(), together),
        ];
        let width = rows.iter().map(|r| r.1.len()).max().unwrap_or(0);
        for (what, number, remark) in &rows {
            writeln!(out, "  {what:<9}  {number:>width$}  {remark}")?;
        }
        if !length.holes.is_zero() && holes > 0 {
            writeln!(out, "  free, the largest regions first:")?;
            write_regions(&free(isa, n, holes), n, "    ", out)?;
        }
    }
    Ok(())
}
