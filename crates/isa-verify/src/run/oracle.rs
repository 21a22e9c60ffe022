//! Programs on the other machine, many in one run.

use super::harness::{Harness, Outcome};
use super::programs::Program;
use crate::tool::{Scratch, first_line, printed};
use isa_spec::model::Isa;
use isa_stream::Stop;
use isa_stream::count;
use std::time::Duration;

/// The other machine.
pub(super) struct Oracle<'a> {
    pub(super) isa: &'a Isa,
    pub(super) harness: &'a Harness,
    /// The time limit for a run.
    pub(super) time: Duration,
}

/// Programs that do not end, after which no more are tried.
const MOST_ENDLESS: usize = 8;

impl Oracle<'_> {
    /// What the programs leave whose outcomes are records here; nothing is asked about those that a fault has ended, which may not
    /// end elsewhere.
    pub(super) fn answers(&self, programs: &[Program], outcomes: &[Outcome]) -> Result<Vec<Option<Vec<u8>>>, Stop> {
        let is_record = |outcome: &Outcome| matches!(outcome, Outcome::Record(_));
        let asked = programs.iter().zip(outcomes).filter(|(_, outcome)| is_record(outcome)).map(|(program, _)| program.clone());
        let mut answers = self.run(&asked.collect::<Vec<_>>())?.into_iter();
        Ok(outcomes.iter().map(|outcome| if is_record(outcome) { answers.next().flatten() } else { None }).collect())
    }

    /// The record of each program; `None` for one that does not end.
    fn run(&self, programs: &[Program]) -> Result<Vec<Option<Vec<u8>>>, Stop> {
        let (harness, size) = (self.harness, self.harness.record_size());
        let all: Vec<Vec<u8>> = programs.iter().map(|program| program.bytes(self.isa, harness.code)).collect();
        let room = harness.memory as usize - harness.image.len() - 8;
        let most = (room / all.first().map_or(1, Vec::len).max(1)).max(1);
        let mut answers: Vec<Option<Vec<u8>>> = Vec::new();
        let mut endless = 0;
        while answers.len() < all.len() {
            let rest = &all[answers.len()..];
            let now: Vec<&[u8]> = rest.iter().take(most).map(Vec::as_slice).collect();
            let file = Scratch::new(&harness.image(&now))?;
            let command = harness.command.replace("{}", &file.quoted());
            let run = printed(&command, now.len() * size, self.time)?;
            let known = answers.len();
            answers.extend(run.out.chunks_exact(size).map(|record| Some(record.to_vec())).take(now.len()));
            if answers.len() < known + now.len() {
                endless += 1;
                // The first that fails may show that nothing works.
                if answers.is_empty() || endless > MOST_ENDLESS {
                    let of = count(now.len(), "program");
                    let message = format!("`{command}` did not print what {of} leave{}", first_line(&run.err));
                    return Err(Stop::with_help(message, "`--timeout SECONDS` gives it more time"));
                }
                answers.push(None);
            }
        }
        Ok(answers)
    }
}
