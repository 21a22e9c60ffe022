//! Compares execution with another machine: random programs run here and there, and what they leave is compared.
//!
//! A `harness` is data: the command of the other machine, and a program in assembly that runs programs one after the other and
//! prints what each leaves, on both machines. `programs` makes programs, `subject` runs them on an engine, `oracle` on the
//! other machine, and `report` shortens those that differ and groups them.

mod harness;
mod oracle;
mod programs;
mod report;
mod subject;

pub use harness::{Difference, Note};
pub use report::Group;

use harness::{Harness, Outcome};
use isa_reference::eval::Reference;
use isa_sim::AnyEngine;
use isa_spec::model::Isa;
use isa_stream::Stop;
use oracle::Oracle;
use programs::{Generator, Program};
use std::time::Duration;
use subject::Subject;

/// The parameters of a comparison.
#[derive(Clone, Debug)]
pub struct Options<'a> {
    /// The name of a shipped harness, or the path of one.
    pub harness: &'a str,
    /// The number of programs.
    pub count: usize,
    /// The seed of the random ones.
    pub seed: u64,
    /// The time limit for a run of the other machine.
    pub time: Duration,
}

/// The result of a comparison.
#[derive(Clone, Debug)]
pub struct Report {
    /// The number of programs that were compared.
    pub programs: usize,
    /// The number of programs that differ.
    pub differ: usize,
    /// Those that differ, shortened.
    pub groups: Vec<Group>,
}

/// Programs that are made for each one that is compared: others use memory or code that is not theirs, or do not end.
const TRIES: usize = 16;

/// Compares an instruction set with another machine: its compiled engine, or the evaluator. `None` if something is wrong with the
/// harness: `note` receives it. `done` receives the number of programs so far, and of all.
///
/// # Errors
/// When the harness can't be read, or the other machine fails.
pub fn compare(
    isa: &Isa,
    compiled: Option<&dyn AnyEngine>,
    options: &Options<'_>,
    note: &mut dyn FnMut(Note<'_>),
    mut done: impl FnMut(usize, usize),
) -> Result<Option<Report>, Stop> {
    let Some(harness) = Harness::read(isa, options.harness, note)? else { return Ok(None) };
    let reference = Reference::new(isa).map_err(|why| Stop::new(why.to_string()))?;
    let subject = Subject { engine: compiled.unwrap_or(&reference), reference: &reference, harness: &harness };
    let oracle = Oracle { isa, harness: &harness, time: options.time };
    let mut generator = Generator::new(&reference, &harness, options.seed)?;
    let (mut programs, mut outcomes): (Vec<Program>, Vec<Outcome>) = (Vec::new(), Vec::new());
    for _ in 0..options.count.saturating_mul(TRIES) {
        if programs.len() == options.count {
            break;
        }
        let program = generator.program();
        if let Some(outcome) = subject.run(&program)? {
            programs.push(program);
            outcomes.push(outcome);
            done(programs.len(), options.count);
        }
    }
    if programs.is_empty() {
        return Err(Stop::new("no program of this seed stays in its memory and ends"));
    }
    let answers = oracle.answers(&programs, &outcomes)?;
    let differs = |(outcome, answer): (&Outcome, &Option<Vec<u8>>)| !harness.differences(outcome, answer.as_deref()).is_empty();
    let wrong: Vec<Program> = std::iter::zip(programs.iter().zip(&outcomes), &answers)
        .filter(|((_, outcome), answer)| differs((outcome, answer)))
        .map(|((program, _), _)| program.clone())
        .collect();
    let differ = wrong.len();
    let groups = report::groups(wrong, &subject, &oracle)?;
    Ok(Some(Report { programs: programs.len(), differ, groups }))
}
