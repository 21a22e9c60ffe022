//! Commands of several specifications.

use crate::output::{Reporter, Status};
use isa_stream::Stop;

/// Runs a job for each spec, even if it can't run for some of them.
pub(crate) fn each<'a>(
    specs: &'a [String],
    reporter: &Reporter,
    mut one: impl FnMut(&'a str) -> Result<Status, Stop>,
) -> Result<Status, Stop> {
    let mut worst = Status::Clean;
    for spec in specs {
        let status = match one(spec) {
            Err(Stop::CannotRun { message, help }) => {
                reporter.cannot_run(&message, help.as_deref());
                Status::CouldNotRun
            }
            other => other?,
        };
        worst = worst.max(status);
    }
    Ok(worst)
}
