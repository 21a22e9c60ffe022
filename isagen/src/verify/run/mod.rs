//! Compares execution with another machine: random programs run here and there, and what they leave is compared.
//!
//! A [`harness`] is data: the command of the other machine, and a program in assembly that runs programs one after the other and
//! prints what each leaves, on both machines. [`programs`] makes programs, [`subject`] runs them on an engine, [`oracle`] on the
//! other machine, and [`report`] shortens those that differ and groups them.

mod harness;
mod oracle;
mod programs;
mod report;
mod subject;

use crate::output::{Progress, Reporter, Status, count};
use harness::Harness;
use isa_reference::eval::Reference;
use isa_sim::AnyEngine;
use isa_spec::model::Isa;
use isa_stream::Stop;
use oracle::Oracle;
use programs::{Generator, Program};
use std::time::Duration;
use subject::{Outcome, Subject};

/// The parameters of a comparison.
pub(crate) struct Options<'a> {
    /// The name of a shipped harness, or the path of one.
    pub(crate) harness: &'a str,
    pub(crate) count: usize,
    pub(crate) seed: u64,
    /// The time limit for a run of the oracle.
    pub(crate) time: Duration,
    pub(crate) json: bool,
}

/// Programs that are made for each one that is compared: others use memory or code that is not theirs, or do not end.
const TRIES: usize = 16;

/// Compares an instruction set with another machine: its compiled engine, or the evaluator.
pub(crate) fn run(
    isa: &Isa,
    compiled: Option<&dyn AnyEngine>,
    options: &Options<'_>,
    reporter: &Reporter,
) -> Result<Status, Stop> {
    let Some(harness) = Harness::read(isa, options.harness, reporter)? else { return Ok(Status::CouldNotRun) };
    let reference = Reference::new(isa).map_err(|why| Stop::new(why.to_string()))?;
    let subject = Subject { engine: compiled.unwrap_or(&reference), reference: &reference, harness: &harness };
    let oracle = Oracle { isa, harness: &harness, time: options.time };
    let mut generator = Generator::new(&reference, &harness, options.seed)?;
    let mut progress = Progress::before_results();
    let (mut programs, mut outcomes): (Vec<Program>, Vec<Outcome>) = (Vec::new(), Vec::new());
    for _ in 0..options.count.saturating_mul(TRIES) {
        if programs.len() == options.count {
            break;
        }
        let program = generator.program();
        if let Some(outcome) = subject.run(&program)? {
            programs.push(program);
            outcomes.push(outcome);
            progress.show(|| format!("{} of {}", programs.len(), count(options.count, "program")));
        }
    }
    if programs.is_empty() {
        return Err(Stop::new("no program of this seed stays in its memory and ends"));
    }
    let answers = oracle.answers(&programs, &outcomes)?;
    let differ = |(outcome, answer): (&Outcome, &Option<Vec<u8>>)| !harness.differences(outcome, answer.as_deref()).is_empty();
    let wrong: Vec<Program> = std::iter::zip(programs.iter().zip(&outcomes), &answers)
        .filter(|((_, outcome), answer)| differ((outcome, answer)))
        .map(|((program, _), _)| program.clone())
        .collect();
    let found = wrong.len();
    let groups = report::groups(wrong, &subject, &oracle)?;
    report::print(&reference, &harness, (programs.len(), found), &groups, options.json)?;
    Ok(Status::of(found > 0))
}
