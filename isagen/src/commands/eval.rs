//! `eval SPEC [TEXT NAME=VALUE…]`: the effect of one instruction.

use crate::engine::EngineKind;
use crate::output::{Reporter, Status};
use crate::spec;
use isa_host::launch::variants;
use isa_reference::case::Evaluator;
use isa_reference::codec::Lengths;
use isa_reference::eval::Reference;
use isa_sim::AnyEngine;
use isa_stream::{Input, Out, Stop, out};
use std::io::Write;

/// Run one instruction.
///
/// Sets the given values, runs the instruction in one lane, and prints the values that it writes as `NAME=0x…`, separated by
/// tabs, in the order of writing. Other values are 0.
///
/// NAME is a register (`R2`), a register of flags or one flag (`C0`, `C0.z`), a value (`tid.x`), memory (`global[0x10]`,
/// `const[1][0x10]`: the digits of the value determine the number of bytes), `lane`, or `pc`, the address of the instruction.
/// If programs name registers, NAME is one of the instruction's. Actions print as `branch=0x…` or `exit`.
///
/// TEXT can be a word in hexadecimal, with `0x` and all its digits: the machine executes words that have no text, too.
///
/// Without TEXT, one case a line is read from standard input, TEXT and NAME=VALUE separated by tabs; a case that fails gives `!`
/// and the reason.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A path, or the name of a shipped instruction set.
    spec: String,
    /// The instruction, and the values set before it runs.
    #[arg(value_name = "TEXT NAME=VALUE")]
    case: Vec<String>,
    /// A variant of the machine: one of those that the specification declares.
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// Read TEXT as a word of this number of bits.
    #[arg(long, value_name = "N")]
    bits: Option<u32>,
    /// The engine; by default, the compiled one for shipped instruction sets, the evaluator for others.
    #[arg(long, value_enum)]
    engine: Option<EngineKind>,
}

pub(crate) fn run(args: &Args, reporter: &Reporter) -> Result<Status, Stop> {
    let isa = match spec::model(&args.spec, reporter)? {
        Ok(isa) => isa,
        Err(status) => return Ok(status),
    };
    let lengths = args.bits.map_or(Lengths::Preferred, Lengths::Only);
    let reference = Reference::new(&isa).map_err(|why| Stop::new(why.to_string()))?.with_lengths(lengths);
    let variants = variants(&isa.name, reference.machine(), &args.set)?;
    let evaluator = Evaluator::new(&isa, reference, variants, args.engine.is_some());
    let job = Job { evaluator, case: &args.case, reporter };
    let engine = EngineKind::compiled(args.engine, &args.spec, &isa.name)?;
    job.all(engine.as_deref())
}

/// Cases that any engine can run.
struct Job<'a> {
    evaluator: Evaluator<'a>,
    case: &'a [String],
    reporter: &'a Reporter,
}

impl Job<'_> {
    /// Runs all cases, with another engine than the evaluator or without one.
    fn all(self, engine: Option<&dyn AnyEngine>) -> Result<Status, Stop> {
        let mut out = out();
        let mut failed = false;
        let mut one = |out: &mut Out, name: &str, number: usize, line: &str| -> Result<(), Stop> {
            match self.evaluator.case(line, engine) {
                Ok(Some(written)) => writeln!(out, "{written}")?,
                Ok(None) => {}
                Err(fault) => {
                    failed = true;
                    writeln!(out, "! {}", fault.message.replace('\n', " "))?;
                    self.reporter.line_finding(name, number, line, fault.at, &fault.message, false);
                }
            }
            Ok(())
        };
        if self.case.is_empty() {
            let mut lines = Input::open(None)?.lines("text is");
            let name = lines.name.clone();
            loop {
                match lines.next_line() {
                    Ok(Some((number, line))) => one(&mut out, &name, number, line)?,
                    Ok(None) => break,
                    Err(stop) => return out.flush().map_err(Stop::from).and(Err(stop)),
                }
            }
        } else {
            one(&mut out, "<arguments>", 1, &self.case.join("\t"))?;
        }
        out.flush()?;
        Ok(Status::of(failed))
    }
}
