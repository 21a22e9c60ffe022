//! The addresses of a program's instructions.

use std::collections::BTreeMap;

/// The limit of pieces of a program with gaps between them.
const MOST: usize = 1 << 20;

/// Consecutive instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The start of the first one.
    pub start: u64,
    /// The end of the last one; an address space has more bytes than 64 bits can count.
    pub end: u128,
    /// The line of the first one.
    pub first: usize,
    /// The line of the last one.
    pub last: usize,
}

impl Run {
    /// One instruction.
    pub fn one(address: u64, bytes: u64, line: usize) -> Self {
        Self { start: address, end: u128::from(address) + u128::from(bytes), first: line, last: line }
    }
}

/// The addresses of a program's instructions.
#[derive(Debug, Default)]
pub struct Placed(BTreeMap<u64, Run>);

impl Placed {
    /// Adds instructions.
    ///
    /// # Errors
    /// When there are instructions already, or the program has too many pieces: the message.
    pub fn add(&mut self, run: Run) -> Result<(), String> {
        if u128::from(run.start) == run.end {
            return Ok(());
        }
        if let Some(other) = self.at(&run) {
            let at = other.start.max(run.start);
            return Err(match (other.first, other.last) {
                (first, last) if first == last => format!("the instruction of line {first} is at {at:#x} already"),
                (first, last) => format!("the instructions of lines {first} to {last} are at {:#x} already", other.start),
            });
        }
        if let Some((_, before)) =
            self.0.range_mut(..run.start).next_back().filter(|(_, before)| before.end == u128::from(run.start))
        {
            before.end = run.end;
            before.last = run.last;
            return Ok(());
        }
        if self.0.len() == MOST {
            return Err(format!("the program has more than {MOST} pieces with gaps between them, the maximum"));
        }
        self.0.insert(run.start, run);
        Ok(())
    }

    /// Adds several runs, or none of them.
    pub fn add_all(&mut self, runs: &[Run]) -> bool {
        let mut sorted: Vec<&Run> = runs.iter().collect();
        sorted.sort_unstable_by_key(|run| run.start);
        let are_apart = sorted.windows(2).all(|two| two[0].end <= u128::from(two[1].start));
        let is_free = are_apart && self.0.len() + runs.len() <= MOST && runs.iter().all(|run| self.at(run).is_none());
        is_free && runs.iter().all(|run| self.add(*run).is_ok())
    }

    /// The existing instructions that overlap these.
    fn at(&self, run: &Run) -> Option<&Run> {
        let before =
            self.0.range(..=run.start).next_back().map(|(_, before)| before).filter(|before| before.end > u128::from(run.start));
        before.or_else(|| self.0.range(run.start..).next().map(|(_, next)| next).filter(|next| u128::from(next.start) < run.end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_instructions_share_an_address() {
        let mut placed = Placed::default();
        let mut add = |address, bytes, line| placed.add(Run::one(address, bytes, line));
        assert_eq!(add(0x10, 4, 1), Ok(()));
        assert_eq!(add(0x12, 2, 2), Err("the instruction of line 1 is at 0x12 already".into()));
        assert_eq!(add(0xe, 2, 3), Ok(()));
        assert_eq!(add(0xc, 4, 4), Err("the instruction of line 3 is at 0xe already".into()));
        assert_eq!(add(0x14, 4, 5), Ok(()));
        assert_eq!(add(0x10, 4, 6), Err("the instructions of lines 1 to 5 are at 0x10 already".into()));
        assert_eq!(add(u64::MAX - 1, 2, 7), Ok(()));
        assert_eq!(add(u64::MAX, 1, 8), Err("the instruction of line 7 is at 0xffffffffffffffff already".into()));
        // Text-only instructions take no room.
        assert_eq!(add(0x10, 0, 9), Ok(()));
        let run = |start, end| Run { start, end, first: 10, last: 11 };
        assert!(!placed.add_all(&[run(0x20, 0x30), run(0x2f, 0x40)]));
        assert!(!placed.add_all(&[run(0x20, 0x30), run(0x11, 0x12)]));
        assert!(placed.add_all(&[run(0x20, 0x30), run(0x18, 0x20)]));
    }
}
